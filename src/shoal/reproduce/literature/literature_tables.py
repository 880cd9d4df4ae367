"""Microaggregation on the CASC sets: the losses that papers print, and ours, with a lower bound and the gap to it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from shoal import progress
from shoal.reproduce.literature.literature_chart import losses_svg
from shoal.reproduce.literature.own_losses import REFINED, ComparisonLimits, OwnLosses, own_losses, z_scores
from shoal.reproduce.literature.printed_losses import NOT_CONFIRMED, SETS, SIZES, PrintedLosses, printed_losses
from shoal.reproduce.reproduction import Reproduction, Row

QUICK, FULL = ComparisonLimits(2_000_000, 10.0), ComparisonLimits(100_000_000, 120.0)

NOTE = (
    "Losses are 100 * SSE / SST of z-scores. A row compares a printed loss with that of shoal.microaggregate after "
    "{proposals:,} proposals, the same on every machine, and holds when ours is no larger. The tables below show "
    "all methods; the gap is how far microaggregate is above the lower bound at most. The bound has {seconds:g} s for "
    "each cell and depends on the machine, but is always valid: no partition into groups of k or more loses less. "
    "Whether our MDAV and V-MDAV are those of the papers is what `shoal reproduce mdav` and `vmdav` show. MHM, the "
    "spanning tree and mu-Approx are our implementations. Their printed figures, and those of other methods, could not "
    "be read in their sources, so they are not shown: {not_confirmed}."
)


def reproduce(*, full: bool) -> Reproduction:
    return compare(FULL if full else QUICK, SETS, SIZES)


def compare(limits: ComparisonLimits, sets: Sequence[str], sizes: Sequence[int]) -> Reproduction:
    found, printed = _own(limits, sets, sizes), printed_losses()
    note = NOTE.format(proposals=limits.proposals, seconds=limits.seconds, not_confirmed="; ".join(NOT_CONFIRMED))
    rows = tuple(row for one in found for row in _rows(one, printed))
    extra = {
        "losses.json": json.dumps([{**asdict(one), "gap": one.gap} for one in found], indent=2),
        "printed.json": json.dumps(list(_figures(printed)), indent=2),
        "losses.svg": losses_svg(found, printed),
    }
    appendix = "\n".join(_table(name, [one for one in found if one.name == name], printed) for name in sets)
    title = "Microaggregation of the CASC sets in the literature"
    return Reproduction("literature", title, note, rows, extra, appendix)


def _own(limits: ComparisonLimits, sets: Sequence[str], sizes: Sequence[int]) -> list[OwnLosses]:
    found = []
    with progress.stage("sets of the literature", len(sets) * len(sizes)) as at:
        for name in sets:
            X = z_scores(name)
            for k in sizes:
                found.append(own_losses(name, X, k, limits))
                at(len(found))
    return found


def _rows(one: OwnLosses, printed: Sequence[PrintedLosses]) -> list[Row]:
    at = one.name, one.k
    return [
        Row.of(f"{one.name}: loss, %", each.method, f"k={one.k}", loss, one.refined, holds=one.refined <= loss)
        for each in printed
        if (loss := each.losses.get(at)) is not None
    ]


def _figures(printed: Sequence[PrintedLosses]) -> Iterator[dict[str, Any]]:
    for each in printed:
        for (name, k), loss in each.losses.items():
            yield {"set": name, "k": k, "method": each.method, "loss": loss, "source": each.source}


def _table(name: str, found: Sequence[OwnLosses], printed: Sequence[PrintedLosses]) -> str:
    """One set: printed losses with their sources, our losses, the bound and the gap; a column for each k."""
    head = f"## {name}\n\n| method | {' | '.join(f'k={one.k}' for one in found)} | source |\n"
    lines = [head, f"|---|{'---:|' * len(found)}---|\n"]
    for each in printed:
        cells = [each.losses.get((name, one.k)) for one in found]
        if any(cell is not None for cell in cells):
            lines.append(_line(each.method, ["" if cell is None else f"{cell:.6g}" for cell in cells], each.source))
    for method in found[0].losses:
        bold = "**" if method == REFINED else ""
        cells_of_ours = [f"{bold}{one.losses[method]:.4f}{bold}" for one in found]
        lines.append(_line(method, cells_of_ours, "Shoal"))
    bounds = [f"{one.bound:.4f}{' (optimum)' if one.is_optimal else ''}" for one in found]
    lines.append(_line("lower bound", bounds, "Shoal"))
    lines.append(_line(f"gap of {REFINED}, %", [f"{one.gap:.2f}" for one in found], "Shoal"))
    return "".join(lines)


def _line(method: str, cells: Sequence[str], source: str) -> str:
    return f"| {method} | {' | '.join(cells)} | {source} |\n"
