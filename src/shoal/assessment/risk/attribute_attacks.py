"""Attacks on the sensitive columns of a release, by an acquaintance who finds the class of a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shoal.assessment.exposure import homogeneous_finding, n_homogeneous_by_wildcards
from shoal.assessment.risk.attack import Attack
from shoal.assessment.risk.attribute_disclosure import AttributeDisclosure, attribute_disclosure, in_persons
from shoal.assessment.risk.release_counts import ReleaseCounts
from shoal.assessment.risk.sensitive_distribution import SensitiveValues
from shoal.encode.codes import has_codes
from shoal.encode.count_table import CountTable
from shoal.findings import Finding, UnmeasuredFigure, four_digits

RIGHT, BELIEF, SIMILAR = "right guesses of", "highest belief in a value of", "similar values of"
OF_TWO = "in classes of at most two values of"
ACQUAINTANCE = "an acquaintance"
WILDCARDS = "not measured: a blank cell may be any value, so that classes overlap"
NOT_COMPARED = "not measured: values of this type cannot be compared"
NO_CLASSES = "not measured: quasi-identifiers are perturbed, so that records are found by linkage, not by a class"
INTERVAL = "an interval of at most a tenth of the ranks"


@dataclass(frozen=True)
class AttributeAttacks:
    attacks: tuple[Attack, ...]
    homogeneous: Mapping[str, float]  # percent of the records in classes of one value, by column


def attribute_attacks(release: ReleaseCounts, limit: float | None = None) -> AttributeAttacks:
    """The attacks on every sensitive column that has several values; one value is no secret. ``limit``: percent of the
    records in classes of one value that the policy accepts without a warning."""
    attacks, homogeneous = list[Attack](), dict[str, float]()
    for name in release.schema.sensitive if release.n_records else ():
        counts = CountTable.of(release.records.group_counts([name]))
        if not has_codes(counts.values.type):
            attacks.append(_attack(release, UnmeasuredFigure(f"{RIGHT} {name}", NOT_COMPARED)))
            continue
        values = SensitiveValues.of(release.schema[name], counts)
        if values.n_values > 1:
            homogeneous[name], figures = _figures(release, values)
            figures = (*figures, homogeneous_finding(homogeneous[name], name, limit))
            attacks.extend(_attack(release, figure) for figure in figures)
    return AttributeAttacks(tuple(attacks), homogeneous)


def _attack(release: ReleaseCounts, figure: Finding | UnmeasuredFigure) -> Attack:
    known = "the quasi-identifiers of a person in the file"
    holds = known if len(release.key_sets) == 1 else f"one key set of {known}"
    return Attack("attribute", ACQUAINTANCE, holds, figure, is_over_all=not figure.name.startswith(BELIEF))


def _figures(release: ReleaseCounts, values: SensitiveValues) -> tuple[float, tuple[Finding | UnmeasuredFigure, ...]]:
    """Percent of the records in classes of one value, and the other figures; each of the worst key set."""
    name = values.column.name
    if release.wildcards:
        counts = (CountTable.of(release.records.group_counts([*columns, name])) for columns in release.key_sets)
        n = max(n_homogeneous_by_wildcards(each, values.codes_of) for each in counts)
        return 100 * n / release.n_records, (UnmeasuredFigure(f"{RIGHT} {name}", WILDCARDS),)
    found = [one for columns in release.key_sets for one in _disclosures(release, columns, values)]
    homogeneous = 100 * max(one.homogeneous for one in found)
    if not release.has_classes:
        return homogeneous, (UnmeasuredFigure(f"{RIGHT} {name}", NO_CLASSES),)
    return homogeneous, tuple(_findings(values, found, "".join(_notes(release, name))))


def _disclosures(
    release: ReleaseCounts, columns: Sequence[str], values: SensitiveValues
) -> Iterator[AttributeDisclosure]:
    """One for every way to count: in records, unless all records of a unit are of one person, and in units, where there
    are units. Who guesses right for more members of households may do so for fewer households, and the reverse."""
    classes, unit = release.records.class_total, release.unit
    if unit is None or not release.units_are_persons:
        yield attribute_disclosure(classes, columns, values)
    if unit is not None:
        persons = in_persons(classes, columns, values, unit)
        yield attribute_disclosure(classes, columns, persons, unit)


def _notes(release: ReleaseCounts, name: str) -> Iterator[str]:
    if name in release.perturbed:
        yield " Released values were drawn at random: guessed is the released one."
    if release.unit is not None and not release.units_are_persons:
        yield " Persons or households are counted, whichever gives more."
    if release.unit is None and release.units_are_persons:
        yield " Records are counted, since it is not known which of them are of one person."


def _findings(values: SensitiveValues, found: Sequence[AttributeDisclosure], note: str) -> Iterator[Finding]:
    name, worst = values.column.name, max(found, key=lambda one: one.right)
    guess = INTERVAL if values.guesses_intervals else "its most frequent value"
    surest = 100 * max(one.surest for one in found)
    yield Finding(
        f"{RIGHT} {name}",
        100 * worst.right,
        f"Share of persons whose {name} is guessed by naming {guess} in their class, in the surest class "
        f"{four_digits(surest)} %; the baseline is the same guess for the whole table.{note}",
        baseline=100 * worst.prior,
        unit="%",
    )
    belief, gained = max(one.belief for one in found), "an interval" if values.guesses_intervals else "one value"
    yield Finding(
        f"{BELIEF} {name}",
        100 * belief.after,
        f"Share that {gained} of {name} has in the class where it gained most, {four_digits(belief.factor)} times its "
        "share in the whole table, which is the baseline (skewness).",
        baseline=100 * belief.before,
        unit="%",
    )
    if values.n_values > 2 and not values.guesses_intervals:
        yield _two_values_finding(values, found)
    if (values.is_ordered and values.n_values > 2) or values.parents is not None:
        yield _similar_finding(values, found)


def _two_values_finding(values: SensitiveValues, found: Sequence[AttributeDisclosure]) -> Finding:
    name = values.column.name
    return Finding(
        f"{OF_TWO} {name}",
        100 * max(one.of_two for one in found),
        f"Share of persons in classes with at most two values of {name}: who can exclude one of them knows the other "
        "(background knowledge).",
        baseline=0,
        unit="%",
    )


def _similar_finding(values: SensitiveValues, found: Sequence[AttributeDisclosure]) -> Finding:
    name, narrowest = values.column.name, 100 * min(one.narrowest for one in found)
    if values.parents is None:
        alike = f"all lie in {INTERVAL}; those of the narrowest class span {four_digits(narrowest)} % of the ranks"
    else:
        alike = "all are below one node of the taxonomy"
    return Finding(
        f"{SIMILAR} {name}",
        100 * max(one.similar for one in found),
        f"Share of persons in classes whose values of {name} {alike} (similarity).",
        baseline=0,
        unit="%",
    )
