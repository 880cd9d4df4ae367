"""The assessment of a release against its original: findings, and the distributions of the columns for plots."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from shoal import notebook
from shoal.assessment.exposure import Exposure, unique_finding
from shoal.assessment.recoding_summary import RecodingSummary
from shoal.assessment.risk.attack import Attack
from shoal.assessment.risk.class_sizes import ClassSizes
from shoal.assessment.risk.count_risks import count_risks
from shoal.assessment.risk.earlier_summary import EarlierSummary
from shoal.assessment.risk.release_counts import RecordsInMemory, ReleaseCounts
from shoal.assessment.score import Score
from shoal.assessment.table_pair import TablePair
from shoal.assessment.utility.cut_plan import CutPlan
from shoal.assessment.utility.distributions import Distribution, distribution
from shoal.assessment.utility.loss import information_losses, loss_findings
from shoal.assessment.utility.population_map import PopulationMap
from shoal.assessment.utility.pram_matrix import PramMatrix
from shoal.assessment.utility.subtotals import Subtotals
from shoal.assessment.utility.usefulness import Usefulness
from shoal.encode.codes import is_countable
from shoal.encode.combination_counts import count_combinations
from shoal.encode.count_table import CountTable
from shoal.encode.units import count_units, n_units
from shoal.findings import Finding, Findings, UnmeasuredFigure
from shoal.gate.wildcards import wildcard_class_sizes
from shoal.linkage.linkage_risk import Linkage
from shoal.schema import Schema
from shoal.schema.column import UNTOUCHED
from shoal.schema.helper_columns import UNIT

FEWEST_SHOWN = 3  # records in a bin of a plot at least, where the policy requires no k


@dataclass(frozen=True)
class Assessment:
    findings: Findings
    losses: dict[str, float]  # percent lost, by quasi-identifier
    distributions: tuple[Distribution, ...]  # of the quasi-identifiers
    original_sizes: ClassSizes
    released_sizes: ClassSizes
    attacks: tuple[Attack, ...] = ()  # their figures are among the findings, too
    exposures: tuple[Exposure, ...] = ()  # more records are exposed than the policy accepts without a warning
    plans: tuple[CutPlan, ...] = ()  # of a method that cuts: one for every key set and stratum
    map: PopulationMap | None = None  # of the grouped records, where the method trained one
    matrices: tuple[PramMatrix, ...] = ()  # of PRAM
    subtotals: Subtotals | None = None  # by the columns that the policy names
    usefulness: Usefulness | None = None  # for analyses, where it was measured
    linkages: Mapping[str, Linkage] = field(default_factory=dict)  # by measure, where linkage was tried
    score: Score | None = None  # where it was requested and some quasi-identifiers are numbers
    recodings: tuple[RecodingSummary, ...] = ()  # of the columns that were recoded by hand
    reasons: Mapping[str, str] = field(default_factory=dict)  # of the policy, by column
    notes: tuple[str, ...] = ()  # what was left out, sampled or assumed
    not_measured: tuple[UnmeasuredFigure, ...] = ()  # figures that are not given, and why
    limits: Mapping[str, float] = field(default_factory=dict)  # of the policy, by name; see risk_limits.py
    earlier: EarlierSummary | None = None  # with earlier releases, where these were compared

    def __repr__(self) -> str:
        return "\n".join(("Assessment", *self.findings.lines()))

    @property
    def strongest_linkage(self) -> tuple[str, Linkage] | None:
        """The attack that finds the most persons, and its measure; None where no linkage was tried."""
        return max(self.linkages.items(), key=lambda item: item[1].risk, default=None)

    def with_findings(self, more: Findings) -> Assessment:
        return replace(self, findings=self.findings + more)

    def with_exposures(self, more: tuple[Exposure, ...]) -> Assessment:
        return replace(self, exposures=self.exposures + more)

    def with_attacks(self, more: tuple[Attack, ...]) -> Assessment:
        """With more attacks; their figures join the findings, or those that are not measured, unless they are there."""
        figures = [attack.figure for attack in more]
        present = set(self.findings)
        measured = tuple(each for each in figures if isinstance(each, Finding) and each not in present)
        unmeasured = tuple(figure for figure in figures if isinstance(figure, UnmeasuredFigure))
        added = replace(self, attacks=self.attacks + more, not_measured=self.not_measured + unmeasured)
        return added.with_findings(Findings(measured))

    def with_labels(self, labels: Mapping[str, Mapping[object, str]]) -> Assessment:
        """With the value labels of the original file in its distributions; ``labels``: by column and code."""
        labeled = (each.with_labels(labels.get(each.column, {})) for each in self.distributions)
        return replace(self, distributions=tuple(labeled))

    def with_plans(self, plans: tuple[CutPlan, ...], more: Findings) -> Assessment:
        return replace(self.with_findings(more), plans=plans)

    def to_dict(self) -> dict[str, Any]:
        """Figures for JSON; no individual record."""
        return {
            "findings": self.findings.to_list() + [figure.to_dict() for figure in self.not_measured],
            **({"attacks": [attack.to_dict() for attack in self.attacks]} if self.attacks else {}),
            "losses": dict(self.losses),
            "linkages": {by: linkage.to_dict() for by, linkage in self.linkages.items()},
            "score": self.score.to_dict() if self.score else None,
            **({"recodings": [each.to_dict() for each in self.recodings]} if self.recodings else {}),
            "notes": list(self.notes),
            "subtotals": self.subtotals.to_dict() if self.subtotals else None,
            **({"usefulness": self.usefulness.to_dict()} if self.usefulness else {}),
            "warnings": [exposure.to_dict() for exposure in self.exposures],
        }

    def _repr_html_(self) -> str:
        return notebook.fragment(self) or self.findings._repr_html_()


def assess(
    original: pa.Table,
    released: pa.Table,
    schema: Schema,
    *,
    k: int | None,
    suppressed: float,
    sizes: tuple[ClassSizes, ClassSizes] | None = None,
    by_extents: Collection[str] = (),
    exposure_findings: Findings | None = None,
    recoded_losses: Mapping[str, float] | None = None,
    groups: ClassSizes | None = None,
) -> Assessment:
    """The assessment of paired records: record i of ``released`` belongs to record i of ``original``.

    ``suppressed``: share of suppressed records, which are in neither table. ``sizes``: class sizes before and after,
    where these tables are only a sample. ``by_extents``: quasi-identifiers released as intervals, nodes or sets.
    ``exposure_findings``: findings on exposed records (`exposure.py`), where these were counted over all records.
    ``recoded_losses``: losses of columns that were recoded by hand, compared with the values before recoding.
    ``groups``: sizes of the groups of an anatomy, to which ``k`` applies then.
    """
    losses = information_losses(original, released, schema, by_extents)
    losses |= {name: loss for name, loss in (recoded_losses or {}).items() if name in losses}
    before, after = sizes or (class_sizes(original, schema), class_sizes(released, schema))
    return Assessment(
        count_risks(before, after, k, groups)
        + (unique_on_untouched(released, schema) if exposure_findings is None else exposure_findings)
        + loss_findings(losses)
        + _suppressed_finding(suppressed),
        losses,
        _distributions(original, released, schema, k, by_extents),
        before,
        after,
    )


def assess_unpaired(tables: TablePair, k: int | None, *, wildcards: bool = False) -> Assessment:
    """The assessment where it is not known which released record belongs to which original one."""
    original, released, schema = tables.original, tables.released, tables.schema
    before, after = class_sizes(original, schema), class_sizes(released, schema, wildcards=wildcards)
    n_suppressed = len(original) - len(released)
    return Assessment(
        count_risks(before, after, k)
        + unique_on_untouched(released, schema)
        + (_suppressed_finding(n_suppressed / len(original)) if n_suppressed >= 0 else Findings()),
        {},
        _distributions(original, released, schema, k, tables.by_extents),
        before,
        after,
    )


def _distributions(
    original: pa.Table, released: pa.Table, schema: Schema, k: int | None, by_extents: Collection[str]
) -> tuple[Distribution, ...]:
    columns = [schema[name] for name in schema.quasi_identifiers]
    fewest = k or FEWEST_SHOWN
    return tuple(
        distribution(c, original[c.name], released[c.name], fewest, by_extents=c.name in by_extents) for c in columns
    )


def class_sizes(
    table: pa.Table, schema: Schema, *, wildcards: bool = False, units: pa.ChunkedArray[Any] | None = None
) -> ClassSizes:
    """Sizes of the classes of records, or of distinct units, that are equal on all quasi-identifiers; with
    ``wildcards``, of records that are equal wherever both are known. ``units``: the unit of every record, where the
    table does not contain it."""
    unit = schema.unit
    if units is None and unit is not None:
        units = table[unit.name]
    keys = table.select(list(schema.quasi_identifiers))
    if wildcards or units is None:
        counts = count_combinations(keys, keys.column_names)
        return wildcard_sizes(counts) if wildcards else ClassSizes.of(counts.n)
    return _sizes_in_units(keys, units)


def group_sizes(groups: pa.ChunkedArray[Any], units: pa.ChunkedArray[Any] | None) -> ClassSizes:
    """Sizes of the groups of an anatomy, in records or, where ``units`` has the unit of every record, in units."""
    keys = pa.table({"group": groups})
    return ClassSizes.of(count_combinations(keys, ["group"]).n) if units is None else _sizes_in_units(keys, units)


def _sizes_in_units(keys: pa.Table, units: pa.ChunkedArray[Any]) -> ClassSizes:
    counts = count_combinations(keys.append_column(UNIT, units), [*keys.column_names, UNIT])
    return replace(ClassSizes.of(count_units(counts, UNIT).n, "unit"), n_units=n_units(counts, UNIT))


def wildcard_sizes(counts: CountTable) -> ClassSizes:
    """How many records each matches, where a missing value matches any. ``counts``: by the quasi-identifiers."""
    return ClassSizes.of_matches(wildcard_class_sizes(counts.to_table(), counts.names), counts.n)


def unique_on_untouched(released: pa.Table, schema: Schema, units: pa.ChunkedArray[Any] | None = None) -> Findings:
    """Share of records that are unique on columns that no method changed, in case an intruder knows these. ``units``:
    the unit of every record, where the table does not contain it or not all of them."""
    untouched = [column.name for role in UNTOUCHED for column in schema.with_role(role)]
    names = [name for name in untouched if is_countable(released[name].type)]
    if not names or not len(released):
        return Findings()
    if units is None and schema.unit is not None:
        units = released[schema.unit.name]
    table = released if units is None else released.append_column(UNIT, units)
    unit = None if units is None else UNIT
    release = ReleaseCounts(RecordsInMemory(table), schema, (), len(released), unit=unit)
    n_unique = release.small_classes(names, 2).n_unique
    return Findings((unique_finding(100 * n_unique / len(released), names),))


def _suppressed_finding(share: float) -> Findings:
    return Findings(
        (Finding("suppressed records", 100 * share, "Share of the records that were dropped.", baseline=0, unit="%"),)
    )
