"""A page on an original before anything is decided: who is at risk, and which keys cause it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shoal.assessment.profile.column_summary import ColumnSummary
from shoal.assessment.profile.key_cost import KeyCost
from shoal.assessment.profile.risk_figures import RiskFigures
from shoal.assessment.profile.table_profile import Profile
from shoal.assessment.profile.unique_sets import UniqueSet, pair_shares
from shoal.assessment.profile.violations import SIZES, Violation
from shoal.errors import listed
from shoal.report.outline_nodes import Headline, Outline, Part, Section
from shoal.report.pictures.bar_chart import Chart, Series
from shoal.report.pictures.heat_table import HeatTable
from shoal.report.text_nodes import Cell, Items, Paragraph, Table, Tile, Tiles
from shoal.report.words import isolate, number_of, percent, plain_words

MOST_SETS = 10  # worst sets of each size that are listed
MOST_DRAWN = 16  # keys of the heat table


def profile_outline(profile: Profile, name: str) -> Outline:
    sections = (
        _summary(profile),
        _violations(profile),
        _risk(profile),
        _sets(profile),
        _special(profile),
        _costs(profile),
        _columns(profile),
        _notes(profile),
    )
    return Outline(
        "Profile of the original",
        f"{name}, {number_of(profile.n_records, 'record')}, as it is, before protection",
        Headline(
            "warns",
            "Internal: do not publish",
            "This page shows figures of the original, small counts among them. Its file can be read only by its owner.",
        ),
        tuple(section for section in sections if section),
    )


def _summary(profile: Profile) -> Section:
    unique = profile.violations[0].counted
    counting = "" if profile.violations[0].by_units is None else ", counting units"
    tiles = Tiles(
        (
            Tile("Records", f"{profile.n_records:,}", f"in {number_of(profile.n_classes, 'class', 'classes')}"),
            Tile("Sample uniques", f"{unique:,}", f"{percent(profile.percent(unique))} of the records{counting}"),
            Tile("Expected re-identifications", profile.risk.expected_text, "the sum of all individual risks"),
            Tile("Special uniques", f"{profile.special.n_records:,}", f"unique on some of the keys{counting}"),
        )
    )
    return Section("summary", "Summary", (Paragraph(_keys_sentence(profile)), tiles))


def _keys_sentence(profile: Profile) -> str:
    """Which columns the intruder is assumed to know, and who said so."""
    names = ", ".join(map(isolate, profile.roles.keys))
    if not profile.roles.guessed:
        return f"Keys, which the intruder is assumed to know: {names}."
    return f"Keys guessed from names and values: {names}. Choose them with --keys, or give a policy."


def _violations(profile: Profile) -> Section:
    text = Paragraph(
        "A record violates k-anonymity if fewer than k records share its keys (its sample frequency)."
        + (" Where k counts units, if fewer than k units share them." if profile.unit_risk else "")
    )
    shares = tuple(profile.percent(violation.counted) for violation in profile.violations)
    chart = Chart(
        "bars",
        "Violations of k-anonymity",
        "Percent of the records that would have to be protected.",
        tuple(f"k = {violation.k}" for violation in profile.violations),
        (Series("records", shares),),
        bin_title="k",
        measure="percent of the records",
    )
    return Section("violations", "Violations of k-anonymity", (text, _violation_table(profile), chart))


def _violation_table(profile: Profile) -> Table:
    first = profile.violations[0]
    head = ["Requirement", "Records"]
    head += ["Records, counting units"] if first.by_units is not None else []
    head += ["Records, in the population"] if first.below_map is not None else []
    rows = tuple(_violation_row(profile, violation) for violation in profile.violations)
    return Table(tuple(head), rows, "l" + "r" * (len(head) - 1))


def _violation_row(profile: Profile, violation: Violation) -> tuple[Cell, ...]:
    counts = (violation.n_records, violation.by_units, violation.below_map)
    return (Cell(f"{violation.k}-anonymity"), *(_count(profile, n) for n in counts if n is not None))


def _count(profile: Profile, n: int) -> Cell:
    return Cell(f"{n:,}", note=percent(profile.percent(n)))


def _risk(profile: Profile) -> Section:
    text = Paragraph(
        "Individual risk is the chance that a record is linked to its person in the population, estimated from the "
        "sample frequency and the weights (Benedetti and Franconi)."
        + (" A household or unit is at risk if one of its records is." if profile.unit_risk else "")
    )
    rows = [_risk_row("individual risk", profile.risk)]
    if profile.unit_risk:
        rows.append(_risk_row(f"household or unit risk ({isolate(profile.roles.unit or '')})", profile.unit_risk))
    head = ("Risk", "Highest", "Mean", "Expected re-identifications")
    return Section("risk", "Individual and household risk", (text, Table(head, tuple(rows), "lrrr")))


def _risk_row(name: str, risk: RiskFigures) -> tuple[Cell, ...]:
    return Cell(name), Cell(percent(risk.highest)), Cell(percent(risk.mean)), Cell(risk.expected_text)


def _sets(profile: Profile) -> Section:
    text = Paragraph(
        "A set of keys singles a record out if no other record, or no other unit, has its values. New are the records "
        "that no smaller part of the set singles out; sets without new records are not listed."
    )
    worst = [each for size in (1, 2, 3) for each in _of_size(profile, size)[:MOST_SETS]]
    table = Table(("Keys", "Singled out", "New"), tuple(_set_row(profile, each) for each in worst), "lrr")
    parts: tuple[Part, ...] = (text, *((_heat(profile),) if len(profile.special.keys) > 1 else ()))
    nobody = Paragraph("No single key, pair or triple singles anybody out.")
    return Section("sets", "Which keys single people out", (*parts, table if table.rows else nobody))


def _of_size(profile: Profile, size: int) -> list[UniqueSet]:
    return [each for each in profile.unique_sets if len(each.keys) == size and each.n_minimal]


def _set_row(profile: Profile, found: UniqueSet) -> tuple[Cell, ...]:
    names = Cell(", ".join(map(isolate, found.keys)))
    return names, _count(profile, found.n_records), _count(profile, found.n_minimal)


def _heat(profile: Profile) -> HeatTable:
    shares = pair_shares(profile.unique_sets, profile.n_records)
    drawn = profile.special.keys[:MOST_DRAWN]
    return HeatTable(
        "Pairs of keys",
        "Percent of the records that two keys single out; on the diagonal, one key alone."
        + ("" if len(drawn) == len(profile.roles.keys) else f" The first {len(drawn)} keys are drawn."),
        drawn,
        {keys: share for keys, share in shares.items() if set(keys) <= set(drawn)},
        "percent of the records",
    )


def _special(profile: Profile) -> Section:
    special = profile.special
    n_by_size = ", ".join(f"{n:,} on {size}" for size, n in enumerate(special.by_size, 1))
    dis = (
        ""
        if special.highest_dis is None
        else f" The highest chance that a unique match is correct (DIS-SUDA) is {percent(special.highest_dis)}."
    )
    largest = len(special.by_size)
    hidden = (
        f" All keys together single out {number_of(special.n_hidden, 'further record')}, which no set of up to "
        f"{largest} keys does: larger sets were not counted, so their scores are not among these."
        if special.n_hidden
        else ""
    )
    text = Paragraph(
        f"{number_of(special.n_records, 'record')} ({percent(profile.percent(special.n_records))}) "
        f"{'is' if special.n_records == 1 else 'are'} unique on some of the keys; the fewest keys that single them "
        f"out: {n_by_size} {'key' if largest == 1 else 'keys'}.{hidden}{dis}"
    )
    chart = Chart(
        "bars",
        "Contribution of every key",
        "Share of the SUDA scores that is due to sets with the key: candidates for recoding.",
        special.keys,
        (Series("contribution", special.contributions),),
        bin_title="key",
        measure="percent of the scores",
    )
    return Section("special", "Special uniques", (text, *((chart,) if special.n_records else ())))


def _costs(profile: Profile) -> Section:
    text = Paragraph(
        "How many records would no longer violate k-anonymity if the intruder did not know the key, or if its values "
        "were one level coarser in its taxonomy."
    )
    now = [violation.counted for violation in profile.violations]
    changes = [change for cost in profile.key_costs for change in _changes(cost)]
    rows = tuple(
        (Cell(words), Cell(f"{n_values:,}"), *map(_fall, now, after))
        for words, n_values, after in changes
        if list(after) != now
    )
    without_cost = [words for words, _, after in changes if list(after) == now]
    head = ("Change", "Values", *(f"k = {k}" for k in SIZES))
    table = (Table(head, rows, "lrrrr"),) if rows else ()
    return Section("costs", "What each key costs", (text, *table, *_no_costs(without_cost)))


def _changes(cost: KeyCost) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """What could be done about a key, its number of values, and the violations that would remain."""
    for words, after in (("left out", cost.left_out), ("one level coarser", cost.coarser)):
        if after is not None:
            yield f"{isolate(cost.key)} {words}", cost.n_values, after


def _no_costs(changes: Sequence[str]) -> tuple[Paragraph, ...]:
    """Changes of a single key that avoid no violation are not worth a line of zeros each."""
    return (Paragraph(f"No cost, because the violations stay as they are: {listed(changes)}."),) if changes else ()


def _fall(before: int, after: int) -> Cell:
    return Cell(
        f"-{before - after:,}" if before > after else "0", note=percent(100 * (before - after) / max(before, 1))
    )


def _columns(profile: Profile) -> Section:
    text = Paragraph(
        "Unique: records whose value no other record has. Rare: those whose value fewer than five records share. "
        "Quartiles are shown as round intervals of at least five records; smallest and largest values are not shown."
    )
    head = ("Column", "Role", "Kind", "Missing", "Distinct", "Unique", "Rare", "Quartiles")
    rows = tuple(map(_column_row, profile.columns))
    return Section("columns", "The columns", (text, Table(head, rows, "lllrrrrl")))


def _column_row(column: ColumnSummary) -> tuple[Cell, ...]:
    counted = (
        (f"{column.n_distinct:,}", f"{column.n_unique:,}", f"{column.n_rare:,}")
        if column.n_distinct is not None
        else ("not single values", "", "")
    )
    words = (isolate(column.name), plain_words(column.role), column.kind, f"{column.n_missing:,}", *counted)
    return (*map(Cell, words), Cell("; ".join(column.quartiles)))


def _notes(profile: Profile) -> Section | None:
    return Section("notes", "How it was measured", (Items(profile.notes),)) if profile.notes else None
