"""The proof that a page may leave the house: the finished text compared with the original (`gate/page`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from shoal.assessment.assessment import FEWEST_SHOWN
from shoal.assessment.comparison import Comparison
from shoal.engines.memory import MemoryEngine
from shoal.engines.protocol import F
from shoal.errors import PageError
from shoal.gate.page.original_table import OriginalTable, RecodedColumns
from shoal.gate.page.page_proof import PageForm, PageProof, prove_page
from shoal.pipeline.files.file_names import sensitive_path
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.verify.prove_file import PolicyLike
from shoal.policy import Policy, load
from shoal.report import render_comparison
from shoal.report.page_file import REPORT, page_form
from shoal.report.page_file import check_page as check_extension
from shoal.requirements import Requirement
from shoal.schema import Schema
from shoal.sources import check_readable_file, read, sha256_of
from shoal.total import total_of_table

if TYPE_CHECKING:
    from shoal.pipeline.files.release import Release


def check_page(page: str | Path, original: Any, released: Any, policy: Schema | PolicyLike | None = None) -> PageProof:
    """The proof that a page (.html, .md or .json) shows nothing about fewer than k records of ``original``.

    original, released  files or any dataframes
    policy              of the release: its k, unit, seed and requirements; k is 3 without one, and where it requires
                        no k-anonymity
    """
    check_extension(page, REPORT)
    check_readable_file(Path(page))
    text = Path(page).read_text(encoding="utf-8")
    return page_proof(text, page_form(page), original, released, policy)


def page_proof(
    page: str, form: PageForm, original: Any, released: Any, policy: Schema | PolicyLike | None
) -> PageProof:
    """The same for the text of a page."""
    release = read(released, kinds="infer").table
    hashes = _hashes(released)
    if policy is None or isinstance(policy, Schema):
        table = read(original, kinds="infer").table
        unit = policy.unit.name if policy and policy.unit else None
        protected = _protected(table, FEWEST_SHOWN, release.column_names, len(release), unit, _names(original))
        return prove_page(page, form, protected, hashes)
    loaded = load(policy)
    known = FittedTable.read(MemoryEngine(), original, loaded)
    in_second_table = known.schema.sensitive if known.plan.representation.separates_sensitive else ()
    columns = tuple(dict.fromkeys((*release.column_names, *in_second_table)))
    protected = protected_original(known, columns, [len(release)], _names(original, loaded.file, *loaded.earlier_files))
    return prove_page(page, form, protected, [*hashes, *stated_parameters(loaded.required)])


def _hashes(released: Any) -> list[str]:
    """Of the files of a release: an anatomy has a second one."""
    if not isinstance(released, str | Path):
        return []
    files = (Path(released), sensitive_path(Path(released)))
    return [sha256_of(file) for file in files if file.exists()]


def _protected(
    table: pa.Table, k: int, released: Sequence[str], n_released: int, unit: str | None, names: tuple[str, ...]
) -> OriginalTable:
    return OriginalTable(
        total_of_table(table), table.schema, k, tuple(released), len(table), (n_released,), unit, None, names
    )


def _names(*sources: Any) -> tuple[str, ...]:
    """Names of files, without their folders."""
    return tuple(Path(source).name for source in sources if isinstance(source, str | Path))


def protected_original(
    original: FittedTable[F], released: Sequence[str], n_released: Sequence[int], names: tuple[str, ...]
) -> OriginalTable:
    """What a page must be silent about: the records as they were read, before any recoding."""
    frame, engine = original.as_read, original.engine
    unit, recoding = original.schema.unit, original.recoding
    recoded = RecodedColumns(tuple(recoding.recodings), original.total) if recoding else None
    return OriginalTable(
        partial(engine.total, frame),
        pa.schema([frame.schema.field(name) for name in frame.names]),
        original.plan.k or FEWEST_SHOWN,
        tuple(released),
        frame.n_records,
        tuple(n_released),
        unit.name if unit else None,
        original.plan.seed,
        names,
        recoded,
    )


def stated_parameters(requirements: Sequence[Requirement]) -> list[str]:
    """The numbers of the requirements, as a page may state them: l = 2"""
    given: list[Any] = list(requirements)
    found = [(each.measure, each.asked) for each in given]
    found += [(field.name, getattr(each, field.name)) for each in given for field in fields(each)]
    return [f"{name} = {value:g}" for name, value in found if isinstance(value, int | float)]


def prove_page_of_release(original: FittedTable[F], page: str, form: PageForm, release: Release) -> None:
    """Raises PageError where the page of a release that was just produced shows too much."""
    manifest, plan = release.manifest, release.plan
    hashes = [manifest.output.sha256, *(file.sha256 for file in manifest.files)]
    names = _names(release.origin.path, release.policy.file, release.key.file, *release.policy.earlier_files)
    protected = protected_original(original, _released_names(release.policy), [manifest.output.n_records], names)
    raise_faults(prove_page(page, form, protected, [*hashes, *stated_parameters(plan.requirements)]))


def _released_names(policy: Policy) -> tuple[str, ...]:
    """Columns of the original that the release has."""
    roles = {name: policy.role_of(name) for name in policy.columns}
    return tuple(
        name
        for name, role in roles.items()
        if role not in ("identifier", "unit") or (role == "identifier" and policy.columns[name].pseudonym)
    )


def raise_faults(proof: PageProof) -> None:
    if not proof:
        raise PageError.leaks([str(fault) for fault in proof.faults])


def external_comparison_page(
    comparison: Comparison, form: PageForm, table: Any, policies: Sequence[Policy], n_tried: int
) -> str:
    """The page that compares policies, which names no column; PageError where it shows too much."""
    original = read(table, kinds="infer").table
    k, unit = max(policy.k or FEWEST_SHOWN for policy in policies), _unit_of(policies, original)
    page = render_comparison(comparison, "", form, "external", k, len(original))
    names = _names(table, *(policy.file for policy in policies))
    protected = _protected(original, k, (), len(original), unit, names)
    numbers = [str(number) for number in range(1, n_tried + 1)]
    settings = [f"method.k = {value}" for each in comparison.policies for value in [each.settings.get("method.k")]]
    proof = prove_page(page, form, protected, settings, [*numbers, *(f"policy {number}" for number in numbers)])
    raise_faults(proof)
    return page


def _unit_of(policies: Sequence[Policy], table: pa.Table) -> str | None:
    roles = [(name, rule.role) for policy in policies for name, rule in policy.columns.items()]
    return next((name for name, role in roles if role in ("unit", "household") and name in table.column_names), None)
