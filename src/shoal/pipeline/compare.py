"""The function ``compare``: the same table under many policies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from shoal import progress
from shoal.assessment.assessment import Assessment
from shoal.assessment.comparison import ComparedPolicy, Comparison, PolicyOutcome
from shoal.assessment.risk_limits import Limits, strictest
from shoal.errors import ComparisonError, EngineError, ShoalError, SourceError
from shoal.linkage.intruder import Intruder
from shoal.pipeline.assess import assess_in_memory, source_name
from shoal.pipeline.files.release import Release
from shoal.pipeline.page_check import external_comparison_page
from shoal.pipeline.protect.protect import protect
from shoal.pipeline.verify.prove_file import PolicyLike
from shoal.policy import Policy, combinations, load, with_settings
from shoal.policy.setting_grid import Settings
from shoal.report import render_comparison
from shoal.report.charts import check_charts
from shoal.report.page_file import REPORT, Edition, PageForm, check_edition, check_page, page_form
from shoal.sources import whole_file


def compare(
    table: Any,
    policies: PolicyLike | Sequence[PolicyLike],
    *,
    grid: Mapping[str, Sequence[Any]] | None = None,
    intruder: Intruder | None = None,
    report: str | Path | None = None,
    force: bool = False,
    edition: Edition = "internal",
) -> Comparison:
    """Disclosure risk and information loss of ``table`` (a file or any dataframe) under each policy, without releasing.

    grid      settings to vary in every policy, in all combinations: ``{"method.k": [3, 5], "method.name": [...]}``
    intruder  what the intruder knows, how precisely and of whom; by default all quasi-identifiers of everybody
    report    path of a report, .html, .md or .json; ``force`` replaces an older one
    edition   of the report: "external" may leave the house

    A policy that cannot be met is listed with the reason. A file that cannot be read is an error. Recommended is the
    release of least loss that meets the ``[limits]`` of the policies; where they differ, the strictest count for all.
    """
    sources = [policies] if isinstance(policies, Policy | Mapping | str | Path) else policies
    loaded = [load(policy) for policy in sources]
    if not loaded:
        raise ComparisonError.no_policy()
    intruder = intruder or Intruder()
    if report is None:
        return _comparison(table, _runs(loaded, grid or {}), intruder)
    inputs = [
        *([Path(table)] if isinstance(table, str | Path) else []),
        *(file for each in loaded for file in each.files),
    ]
    check_edition(edition)
    form = page_form(report)
    if form == "html":
        check_charts()
    with whole_file(Path(report), force=force, inputs=inputs, private=edition == "internal") as draft:
        check_page(report, REPORT)
        runs = _runs(loaded, grid or {})
        comparison = _comparison(table, runs, intruder)
        draft.write_text(_page(comparison, form, edition, table, runs), encoding="utf-8")
    return comparison


def _page(comparison: Comparison, form: PageForm, edition: Edition, table: Any, runs: Sequence[_Run]) -> str:
    """The page; an external one is proved first."""
    if edition == "internal":
        return render_comparison(comparison, source_name(table), form)
    policies = [run.policy for run in runs if isinstance(run.policy, Policy)]
    return external_comparison_page(comparison, form, table, policies, len(runs))


def _runs(loaded: Sequence[Policy], grid: Mapping[str, Sequence[Any]]) -> list[_Run]:
    named = zip(_names([policy.file for policy in loaded]), loaded, strict=True)
    return [_Run.of(name, policy, settings) for name, policy in named for settings in combinations(grid)]


def _comparison(table: Any, runs: Sequence[_Run], intruder: Intruder) -> Comparison:
    reasons = [run.policy for run in runs if isinstance(run.policy, ShoalError)]
    if len(reasons) == len(runs):
        raise reasons[0]
    compared, limits = [], strictest(run.limits for run in runs)
    with progress.stage("comparing policies", len(runs)) as done:
        for run in runs:
            compared.append(run.compared(table, intruder, limits))
            done(len(compared))
    return Comparison(tuple(compared), limits)


def _names(files: Sequence[Path | None]) -> list[str]:
    """Names of policies: those of their files, with as many folders as tell them apart, or their numbers."""
    all_parts = {file.resolve().with_suffix("").parts for file in files if file}
    return [_name(file, all_parts) if file else f"policy {at}" for at, file in enumerate(files, start=1)]


def _name(file: Path, all_parts: Iterable[tuple[str, ...]]) -> str:
    parts = file.resolve().with_suffix("").parts
    ends = (parts[-n:] for n in range(1, len(parts) + 1))
    return "/".join(next(end for end in ends if sum(other[-len(end) :] == end for other in all_parts) == 1))


@dataclass(frozen=True)
class _Run:
    """A policy with settings of the grid, or the reason why they are no policy."""

    name: str
    settings: Settings
    policy: Policy | ShoalError

    @classmethod
    def of(cls, name: str, policy: Policy, settings: Settings) -> _Run:
        try:
            return cls(name, settings, with_settings(policy, settings))
        except ShoalError as reason:
            return cls(name, settings, reason)

    @property
    def limits(self) -> Limits:
        return {} if isinstance(self.policy, ShoalError) else self.policy.limits.by_name

    def compared(self, table: Any, intruder: Intruder, limits: Limits) -> ComparedPolicy:
        if isinstance(self.policy, ShoalError):
            return ComparedPolicy(self.name, self.settings, None, str(self.policy))
        try:
            return ComparedPolicy(self.name, self.settings, _outcome(table, self.policy, intruder, limits))
        except (SourceError, EngineError):  # not caused by the policy
            raise
        except ShoalError as reason:
            return ComparedPolicy(self.name, self.settings, None, str(reason))


def _outcome(table: Any, policy: Policy, intruder: Intruder, limits: Limits) -> PolicyOutcome:
    return outcome_of(protect(table, policy), table, intruder, limits)


def outcome_of(release: Release, table: Any, intruder: Intruder, limits: Limits) -> PolicyOutcome:
    """The figures of a release that was just produced; of one that is not in memory, those that it has itself."""
    policy, found = release.policy, release.assessment
    if release.records is not None:
        found = _with_own_figures(assess_in_memory(table, release, intruder), release.assessment)
    kinds = [rule.recoded.kind for name, rule in policy.columns.items() if policy.role_of(name) == "quasi_identifier"]
    return PolicyOutcome.of(
        found,
        release.manifest.k_reached,
        proven=bool(policy.required),
        seconds=release.manifest.cost.seconds,
        limits=limits,
        form=policy.representation.name,
        numeric_only=all(kind in ("numeric", "date") for kind in kinds),
    )


def _with_own_figures(found: Assessment, own: Assessment) -> Assessment:
    """The assessment with the attacks and exposures that only the release itself was measured for."""
    known = {attack.figure.name for attack in found.attacks} | {finding.name for finding in found.findings}
    more = tuple(attack for attack in own.attacks if attack.figure.name not in known)
    return replace(found.with_attacks(more), exposures=own.exposures)
