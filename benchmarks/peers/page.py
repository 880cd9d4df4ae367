"""The races as a page, as JSON and as the table of the documents."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from bench.machine import Machine

from peers.environments import Place
from peers.race import Result
from shoal.report import html
from shoal.report.outline_nodes import Outline, Section
from shoal.report.text_nodes import Cell, Paragraph, Row, Table, facts

HEAD = ("race", "CPU", "memory", "quality", "figure", "Shoal", "peer")
NOISE = (
    "Both sides ran in turns in processes of their own, on the same files and machine; each did its work twice and "
    "the second time is measured, so that loading and compiling are not. The least CPU seconds of the repetitions "
    "count. CPU and memory are the peer's over ours, quality is 2 where our figure is twice as good, and empty where "
    "both should be equal: all ratios above 1 are in favor of Shoal. Other work on the machine moves CPU by a tenth or "
    "two: between 0.8 and 1.25 it says nothing."
)


def page(results: Sequence[Result], places: Mapping[str, Place], counts: Mapping[str, int], machine: Machine) -> str:
    """HTML. ``counts``: k of the files of checks, by the slow count."""
    return html.render(outline(results, places, counts, machine))


def outline(
    results: Sequence[Result], places: Mapping[str, Place], counts: Mapping[str, int], machine: Machine
) -> Outline:
    ran = [result for result in results if result.theirs]
    sections = (
        Section("races", "Ratios", (Paragraph(NOISE), Table(HEAD, tuple(map(_row, results)), "lrrrlrr"))),
        Section("correct", "Who counts right", _correctness(results, counts)),
        Section("tasks", "What was done", tuple(_task(result) for result in results)),
        Section("tools", "The tools", (_tools(places, machine),)),
    )
    return Outline("Shoal beside other tools", f"{len(ran)} of {len(results)} races were run here", None, sections)


def _row(result: Result) -> Row:
    race = result.race
    name = Cell(race.name, note=f"{race.peer}, {result.absence}" if result.absence else race.peer)
    if not result.ours:
        return name, *(Cell("") for _ in HEAD[1:])
    figures = [_figure(side.figures[race.quality]) if side else "" for side in (result.ours, result.theirs)]
    better = {"less": "less is better", "more": "more is better", "equal": "should be equal"}[race.better]
    quality = None if race.better == "equal" else result.quality_ratio
    ratios = (_ratio(result.cpu_ratio), _ratio(result.memory_ratio), _ratio(quality))
    return name, *map(Cell, ratios), Cell(race.quality, note=better), *map(Cell, figures)


def _ratio(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2g}" if ratio < 10 else f"{ratio:,.0f}"


def _figure(figure: float) -> str:
    return f"{figure:,.0f}" if abs(figure) >= 10_000 else f"{figure:.4g}"


def _correctness(results: Sequence[Result], counts: Mapping[str, int]) -> tuple[Paragraph | Table, ...]:
    rows = []
    for result in results:
        race, right = result.race, counts.get(result.race.files[0])
        if race.quality != "k" or right is None or not result.ours or not result.theirs:
            continue
        found = [side.figures["k"] for side in (result.ours, result.theirs)]
        verdict = [f"{k:g}{'' if k == right else ', wrong'}" for k in found]
        rows.append((Cell(race.name), Cell(str(right)), *map(Cell, verdict)))
    if not rows:
        return (Paragraph("No checker ran here."),)
    words = Paragraph(
        "The smallest class of three files, by a count with a dictionary and by both tools. pandas drops missing "
        "values of a single key when it groups, and so does pycanon; it keeps those of several keys."
    )
    return words, Table(("file", "slow count", "Shoal", "pycanon"), tuple(rows), "lrrr")


def _task(result: Result) -> Paragraph:
    return Paragraph(f"{result.race.name}, {result.race.peer}: {result.race.says}")


def _tools(places: Mapping[str, Place], machine: Machine) -> Table:
    versions = [(name, place.absence or place.version) for name, place in places.items()]
    return facts(*versions, ("machine", machine.name))


def to_json(results: Sequence[Result], places: Mapping[str, Place], counts: Mapping[str, int], machine: Machine) -> str:
    content: dict[str, Any] = {
        "machine": asdict(machine),
        "tools": {name: asdict(place) | {"command": None} for name, place in places.items()},
        "slow_counts": dict(counts),
        "races": [
            {
                "name": result.race.name,
                "peer": result.race.peer,
                "quality": result.race.quality,
                "better": result.race.better,
                "absence": result.absence,
                "shoal": asdict(result.ours) if result.ours else None,
                "theirs": asdict(result.theirs) if result.theirs else None,
                "cpu_ratio": result.cpu_ratio,
                "memory_ratio": result.memory_ratio,
                "quality_ratio": result.quality_ratio,
            }
            for result in results
        ],
    }
    return json.dumps(content, indent=2)


def document_table(results: Sequence[Result]) -> str:
    """For docs/peers.md, in Markdown: the races that were run."""
    lines = ["| race | peer | CPU of the peer / ours | figure | Shoal | peer |", "|---|---|---:|---|---:|---:|"]
    for result in results:
        if result.ours and result.theirs:
            ours, theirs = (_figure(side.figures[result.race.quality]) for side in (result.ours, result.theirs))
            cpu, race = _ratio(result.cpu_ratio), result.race
            lines.append(f"| {race.name} | {race.peer} | {cpu} | {race.quality} | {ours} | {theirs} |")
    return "\n".join(lines)
