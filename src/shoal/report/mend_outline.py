"""A page on why a release is at risk, and on what changes of its policy cost and remove. For internal use."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.assessment.mend.mends import Mends, RiskCauses
from shoal.assessment.mend.tried_change import ReleaseFigures, TriedChange
from shoal.report.outline_nodes import Headline, Outline, Part, Section
from shoal.report.text_nodes import Cell, Code, Items, Paragraph, Table
from shoal.report.words import name_list, number_of, percent, quoted_name_list

LIMIT = "Limits are those of the policy: shares that it accepts without a warning (warn), and its risk limits (limits)."
LOSS = (
    "Loss is the mean over all columns that the policy releases, in percent of what each says: 100 % of a column that "
    "is dropped, 0 % of one that is released as it is; a suppressed record counts as lost. So changes of all kinds can "
    "be compared."
)
N_SHOWN = 3  # mends with their lines
PASTE = "A head that is a comment is there already: put the lines below it into that part of the policy."


def mend_outline(mends: Mends, name: str, most: int | None = None) -> Outline:
    """``most``: changes that are listed; None: all."""
    sections = (
        Section("risks", "Risks of the release", _risks(mends)),
        *_causes(mends.causes),
        *_mends(mends),
        *_all_changes(mends, most),
        *([Section("notes", "Notes", (Items(mends.notes),))] if mends.notes else []),
    )
    subtitle = f"{name}, {number_of(mends.n_records, 'record')}; for internal use: it names single records"
    return Outline("Why at risk, and what mends it", subtitle, _verdict(mends), sections)


def _verdict(mends: Mends) -> Headline:
    n = number_of(len(mends.before_all.above), "risk")
    if not mends.is_needed:
        return Headline("holds", "Nothing to mend", "No risk is above its limit.")
    if mends.best is None:
        sentence = f"{n} above the limits; see what each change leaves."
        return Headline("fails", "No change that was tried removes the risk", sentence)
    sentence = (
        f"{n} above the limits. The cheapest change that removes this: {mends.best.title}. "
        f"{_change_of_loss(mends, mends.best)}"
    )
    return Headline("warns", f"Cheapest mend: {mends.best.title}", sentence)


def _change_of_loss(mends: Mends, change: TriedChange) -> str:
    before, after = mends.before_all, change.confirmed
    assert after is not None, "confirmed on all records"
    return (
        f"The loss goes from {percent(before.loss)} to {percent(after.loss)}, suppressed records from "
        f"{percent(before.suppressed)} to {percent(after.suppressed)}."
    )


def _risks(mends: Mends) -> tuple[Part, ...]:
    rows = [
        (Cell(risk.name), Cell(percent(risk.share)), Cell(percent(risk.limit)), Cell("yes" if risk.is_above else "no"))
        for risk in mends.before_all.risks
    ]
    table = Table(("share of records", "share", "limit", "above it"), tuple(rows), "lrrl")
    return (Paragraph(LIMIT), table) if rows else (Paragraph("No risk was measured."),)


def _causes(causes: RiskCauses) -> Iterator[Section]:
    parts = [*_singled_out(causes), *_homogeneous(causes)]
    if parts:
        yield Section("causes", "Why records are at risk", tuple(parts))


def _singled_out(causes: RiskCauses) -> Iterator[Part]:
    if not causes.n_singled_out:
        return
    few = number_of(causes.n_special, "record")
    yield Paragraph(
        f"An intruder may know {name_list(causes.columns)}. Together they single out "
        f"{number_of(causes.n_singled_out, 'record')} of {causes.n_records:,}; one, two or three of them are enough "
        f"for {few}. The contribution of a column is the share of these sets, weighted by how few columns they need, "
        "that it is part of."
    )
    contributions = [(Cell(name), Cell(percent(share))) for name, share in causes.contributions if share]
    if contributions:
        yield Table(("column", "contribution"), tuple(contributions), "lr")
    if causes.sets:
        sets = [(Cell(name_list(each.keys)), Cell(f"{each.n_minimal:,}"), Cell(f"{each.n_records:,}"))
                for each in causes.sets]  # fmt: skip
        head = ("columns together", "single out, no part of them does", "single out in all")
        yield Table(head, tuple(sets), "lrr")
    if causes.records:
        records = [(Cell(f"{each.number:,}"), Cell(_sets(each.sets))) for each in causes.records]
        yield Table(("record of the original", "singled out by"), tuple(records), "rl")


def _sets(sets: tuple[tuple[str, ...], ...], most: int = 3) -> str:
    shown = "; ".join(name_list(keys) for keys in sets[:most])
    return f"{shown}; and {number_of(len(sets) - most, 'further set')}" if len(sets) > most else shown


def _homogeneous(causes: RiskCauses) -> Iterator[Part]:
    for each in causes.homogeneous:
        yield Paragraph(
            f"{number_of(each.n_classes, 'class', 'classes')} with {number_of(each.n_records, 'record')} share one "
            f"value of {quoted_name_list([each.column])}: who finds the class of a person learns it."
        )
        rows = tuple((Cell(name), Cell(f"{n:,}")) for name, n in each.mixed.items() if n > 0)
        if rows:
            yield Table(("without the column", "records that would be in mixed classes"), rows, "lr")


def _mends(mends: Mends) -> Iterator[Section]:
    for place, change in enumerate(mends.mends[:N_SHOWN], start=1):
        assert change.confirmed is not None, "confirmed on all records"
        parts: tuple[Part, ...] = (
            Paragraph(_change_of_loss(mends, change)),
            Code(change.lines),
            *([Paragraph(PASTE)] if place == 1 else []),
            _before_after(mends.before_all, change.confirmed),
        )
        yield Section(f"mend-{place}", f"Mend {place}: {change.title}", parts)


def _before_after(before: ReleaseFigures, after: ReleaseFigures) -> Table:
    names = dict.fromkeys(risk.name for figures in (before, after) for risk in figures.risks)
    rows = [("loss", percent(before.loss), percent(after.loss), "")]
    rows.append(("suppressed records", percent(before.suppressed), percent(after.suppressed), ""))
    rows += [(name, _share(before, name), _share(after, name), _limit(before, after, name)) for name in names]
    return Table(("figure", "before", "after", "limit"), tuple(tuple(map(Cell, row)) for row in rows), "lrrr")


def _share(figures: ReleaseFigures, name: str) -> str:
    share = figures.share_of(name)
    return "no warning" if share is None else percent(share)


def _limit(before: ReleaseFigures, after: ReleaseFigures, name: str) -> str:
    limits = [risk.limit for figures in (after, before) for risk in figures.risks if risk.name == name]
    return percent(limits[0])


def _all_changes(mends: Mends, most: int | None) -> Iterator[Section]:
    if not mends.changes:
        return
    on = f" on {number_of(mends.n_tried, 'record')}" if mends.is_sampled else ""
    text = (
        f"Every change was run{on}; as it is, the policy loses {percent(mends.before.loss)} there. {LOSS} "
        "Those that remove the risk come first, by their loss; then those that leave some, by how much."
    )
    rows = tuple(_row(mends, change) for change in mends.changes[:most])
    n_hidden = len(mends.changes) - len(rows)
    left_out = [
        *([f"{number_of(n_hidden, 'further change')} in the report (--report) and in --json."] if n_hidden else []),
        *([f"{number_of(mends.n_left_out, 'further change')} not tried."] if mends.n_left_out else []),
    ]
    head = ("change", "removes the risk", "loss", "suppressed", "risk that is left")
    yield Section(
        "changes",
        "All changes that were tried",
        (Paragraph(text), Table(head, rows, "llrrl"), *map(Paragraph, left_out)),
    )


def _row(mends: Mends, change: TriedChange) -> tuple[Cell, ...]:
    figures = change.figures
    if figures is None:
        return (Cell(change.title), Cell("cannot be run"), Cell(""), Cell(""), Cell(change.reason))
    loss, suppressed, left = percent(figures.loss), percent(figures.suppressed), _left(figures)
    return (Cell(change.title), Cell(_answer(mends, change)), Cell(loss), Cell(suppressed), Cell(left))


def _answer(mends: Mends, change: TriedChange) -> str:
    if not mends.is_sampled or change.confirmed is None:
        removes = "yes" if change.removes_risk else "no"
        return f"{removes}, in the sample" if mends.is_sampled else removes
    return "yes, on all records" if change.removes_risk else "in the sample, but not on all records"


def _left(figures: ReleaseFigures) -> str:
    return "; ".join(f"{risk.name}: {percent(risk.share)}" for risk in figures.above)
