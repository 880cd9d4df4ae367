"""The function ``compare``: the same table under many policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shoal import progress
from shoal.assessment.comparison import ComparedPolicy, Comparison, PolicyOutcome
from shoal.engines.address_space import check_charts
from shoal.errors import ComparisonError, EngineError, ShoalError, SourceError
from shoal.linkage.intruder import Intruder
from shoal.pipeline.assess import beside_original, named
from shoal.pipeline.protect.protect import protect
from shoal.pipeline.verify.prove_file import PolicyLike
from shoal.policy import Policy, combinations, load, with_settings
from shoal.report import render_comparison
from shoal.sources import whole_file


def compare(
    table: Any,
    policies: PolicyLike | Sequence[PolicyLike],
    *,
    grid: Mapping[str, Sequence[Any]] | None = None,
    intruder: Intruder | None = None,
    report: str | Path | None = None,
    force: bool = False,
) -> Comparison:
    """Disclosure risk and information loss of ``table`` (a file or any dataframe) under each policy, without releasing.

    grid      settings to vary in every policy, in all combinations: ``{"method.k": [3, 5], "method.name": [...]}``
    intruder  what the intruder knows, how precisely and of whom; by default all quasi-identifiers of everybody
    report    path of a report, HTML or Markdown (.md); ``force`` replaces an older one

    A policy that cannot be met is listed with the reason. A file that cannot be read is an error.
    """
    given = [policies] if isinstance(policies, Policy | Mapping | str | Path) else policies
    rules = [load(policy) for policy in given]
    if not rules:
        raise ComparisonError.no_policy()
    who = intruder or Intruder()
    if report is None:
        return _compared(table, rules, grid or {}, who)
    inputs = [
        *([Path(table)] if isinstance(table, str | Path) else []),
        *(file for each in rules for file in each.files),
    ]
    is_markdown = Path(report).suffix == ".md"
    if not is_markdown:
        check_charts()
    with whole_file(Path(report), force=force, inputs=inputs, private=True) as draft:
        comparison = _compared(table, rules, grid or {}, who)
        draft.write_text(render_comparison(comparison, named(table), is_markdown=is_markdown), encoding="utf-8")
    return comparison


def _compared(table: Any, rules: Sequence[Policy], grid: Mapping[str, Sequence[Any]], who: Intruder) -> Comparison:
    wanted = [(at, policy, settings) for at, policy in enumerate(rules) for settings in combinations(grid)]
    tried = []
    with progress.stage("comparing policies", len(wanted)) as done:
        for at, policy, settings in wanted:
            name = policy.file.stem if policy.file else f"policy {at + 1}"
            try:
                tried.append(ComparedPolicy(name, settings, _made(table, with_settings(policy, settings), who)))
            except (SourceError, EngineError):  # not caused by the policy
                raise
            except ShoalError as reason:
                tried.append(ComparedPolicy(name, settings, None, str(reason)))
            done(len(tried))
    return Comparison(tuple(tried))


def _made(table: Any, policy: Policy, who: Intruder) -> PolicyOutcome:
    release = protect(table, policy)
    seconds, k_reached = release.manifest.cost.seconds, release.manifest.k_reached
    return PolicyOutcome.of(
        beside_original(table, release, who), k_reached, proven=bool(policy.requirements), seconds=seconds
    )
