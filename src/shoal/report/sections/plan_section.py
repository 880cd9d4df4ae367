"""The cut tree of a generalization method, and what its search proved."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from shoal.assessment.assessment import Assessment
from shoal.assessment.utility.cut_plan import CutPlan, SearchSummary
from shoal.release.manifest import Manifest
from shoal.report.outline_nodes import Part, Section
from shoal.report.pictures.convergence import Convergence
from shoal.report.pictures.cut_tree_picture import CutTreePicture
from shoal.report.text_nodes import Cell, Paragraph, Table, facts
from shoal.report.words import isolate, name_list, number_of, percent

APPLIED = "The tree of the certificate was applied; its cost was counted again; the lower bound was not proven again."
OPTIMAL = "Proven optimal for the loss"  # another loss may have another optimum
MOST_ROWS = 20  # for the largest strata


def section(manifest: Manifest, assessment: Assessment) -> Section | None:
    plans = sorted(assessment.plans, key=lambda plan: -plan.n_records)
    if not plans:
        return None
    largest = plans[0]
    parts: list[Part] = [_introduction(plans)]
    if largest.nodes:
        parts.append(_picture(largest, alone=len(plans) == 1))
    parts.append(_figures(largest) if len(plans) == 1 else _table(plans))
    if largest.search:
        parts += _search(largest.search, plans)
    return Section("plan", "How the data space was partitioned", tuple(parts))


def _introduction(plans: Sequence[CutPlan]) -> Paragraph:
    n_blocks = sum(plan.n_blocks for plan in plans)
    trees = "" if len(plans) == 1 else f" by {len(plans):,} cut trees, one for each stratum and set of columns"
    drawn = "" if plans[0].nodes else " The cuts are not drawn, because the release does not show them."
    return Paragraph(
        "The space of the quasi-identifiers was cut repeatedly, one column at a time, into "
        f"{number_of(n_blocks, 'block')}{trees}. All records of a block are released alike.{drawn}"
    )


def _picture(plan: CutPlan, *, alone: bool) -> CutTreePicture:
    of = "" if alone else f" It is the plan of {len(plan.columns)} columns{_within(plan)}, which has the most records."
    return CutTreePicture(
        "The first cuts",
        "Each line is a part of the line that it is connected to, with its number of released records. A filled dot is "
        f"a block; an open dot is cut further.{of} Parts without released records are not shown.",
        plan.nodes,
    )


def _figures(plan: CutPlan) -> Table:
    return facts(
        ("Blocks", f"{plan.n_blocks:,}"),
        ("Records per block", f"{plan.smallest:,} to {plan.largest:,}"),
        ("Deepest block", f"{number_of(plan.depth, 'cut')} below the root"),
        ("Cuts by column", Cell(_cuts(plan))),
    )


def _cuts(plan: CutPlan) -> str:
    """Number of cuts by column, the most first."""
    names = sorted(plan.columns, key=lambda name: -plan.cuts[name])
    return ", ".join(f"{isolate(name)} {plan.cuts[name]:,}" for name in names)


def _table(plans: Sequence[CutPlan]) -> Table:
    with_search = plans[0].search is not None
    cost = f"Cost ({plans[0].search.loss})" if plans[0].search else ""
    head = ("Plan", "Records", "Blocks", "Smallest", "Largest", *((cost, "Gap") if with_search else ()))
    rows = [_row(plan) for plan in plans[:MOST_ROWS]]
    if len(plans) > MOST_ROWS:
        rows.append(_rest(plans[MOST_ROWS:], with_search))
    return Table(head, tuple(rows), "l" + "r" * (len(head) - 1))


def _row(plan: CutPlan) -> tuple[Cell, ...]:
    of_search = (Cell(f"{plan.search.cost:,.0f}"), Cell(_gap(plan.search))) if plan.search else ()
    figures = (plan.n_records, plan.n_blocks, plan.smallest, plan.largest)
    name = ", ".join(f"{isolate(k)} = {isolate(v or 'missing')}" for k, v in plan.stratum.items())
    columns = name_list(plan.columns)
    return (Cell(name or columns, note=columns if name else ""), *(Cell(f"{n:,}") for n in figures), *of_search)


def _rest(plans: Sequence[CutPlan], with_search: bool) -> tuple[Cell, ...]:
    cost = sum(plan.search.cost for plan in plans if plan.search)
    n_records, n_blocks = sum(plan.n_records for plan in plans), sum(plan.n_blocks for plan in plans)
    ends = min(plan.smallest for plan in plans), max(plan.largest for plan in plans)
    more = (Cell(f"{cost:,.0f}"), Cell("")) if with_search else ()
    return (Cell(f"{len(plans):,} more"), *(Cell(f"{n:,}") for n in (n_records, n_blocks, *ends)), *more)


def _within(plan: CutPlan) -> str:
    return f" in the stratum {' and '.join(isolate(v or 'missing') for v in plan.stratum.values())}" * bool(
        plan.stratum
    )


def _gap(search: SearchSummary) -> str:
    if search.is_optimal:
        return f"proven for {search.loss}"
    return percent(100 * search.gap) if isfinite(search.gap) else "unknown"


def _search(search: SearchSummary, plans: Sequence[CutPlan]) -> list[Part]:
    start = search.history[0].cost
    saved = (
        f", {percent(100 * (1 - search.cost / start))} less"
        if 0 < search.cost < start
        else "; no better plan was found"
    )
    text = Paragraph(
        f"{proof_sentence(search)} The search started from Mondrian's plan, which costs {start:,.0f} ({search.loss}), "
        f"and ended with a plan that costs {search.cost:,.0f}{saved}. No plan can cost less than "
        f"{search.lower_bound:,.0f}. The search examined {number_of(search.n_nodes, 'box', 'boxes')}."
        f"{'' if search.was_searched else f' {APPLIED}'}"
    )
    several: list[Part] = [Paragraph(_optimal_share(plans))] if len(plans) > 1 else []
    found = [*several, text, *_losses(search)]
    steps = tuple((step.seconds, step.cost, step.lower_bound) for step in search.history)
    if len(steps) < 2 or not search.was_searched:
        return found
    caption = "The cost of the best plan found so far falls, and the lower bound on the cost rises."
    met = f" Where the lines meet, the plan is proven optimal for the loss {search.loss}." if search.is_optimal else ""
    return [*found, Convergence("The search", caption + met, steps, f"cost ({search.loss})")]


def _losses(search: SearchSummary) -> list[Part]:
    """Both losses side by side: a proof for one of them says nothing of the other."""
    if not search.losses:
        return []
    rows = tuple(
        (Cell(of.plan), Cell(f"{of.discernibility:,.0f}"), Cell(f"{of.certainty:,.0f}")) for of in search.losses
    )
    text = (
        f"A plan that is good for the loss {search.loss} need not be good for another. Both are the lower the better:"
    )
    return [Paragraph(text), Table(("Plan", "Discernibility", "Certainty"), rows, "lrr")]


def proof_sentence(search: SearchSummary) -> str:
    """What the search proved, in one sentence, and what that rests on where users wrote rules."""
    rest = f" This rests on the {'; on the '.join(search.rests_on)}." if search.rests_on else ""
    if search.is_optimal:
        return f"{OPTIMAL} {search.loss}: no hierarchical partition with these cuts costs less.{rest}"
    if isfinite(search.gap):
        return f"The cost is at most {percent(100 * search.gap)} above the optimum for the loss {search.loss}.{rest}"
    return f"The distance from the optimum for the loss {search.loss} is not known."


def _optimal_share(plans: Sequence[CutPlan]) -> str:
    n_proven = sum(1 for plan in plans if plan.search and plan.search.is_optimal)
    loss = next(plan.search.loss for plan in plans if plan.search)
    return f"{n_proven:,} of the {len(plans):,} plans are proven optimal for the loss {loss}. For the largest plan:"
