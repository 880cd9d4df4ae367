"""The history as a page: the last run as a table and a chart, its ratios to an earlier one, every workload by run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import altair as alt

from bench.comparison import LIMITS, Comparison
from bench.history import Entry, last_run
from shoal.report import html, theme
from shoal.report.outline_nodes import Gallery, Headline, Outline, Section
from shoal.report.pictures.picture import Picture
from shoal.report.text_nodes import Cell, Details, Paragraph, Table, Tile, Tiles, facts

BAR = 22  # pixels from one bar to the next
LONGEST_NAME = 220


@dataclass(frozen=True)
class CpuBars(Picture):
    """CPU seconds of all workloads of a run, on a logarithmic axis."""

    title: str
    caption: str
    bars: tuple[tuple[str, float], ...]
    form: ClassVar[str] = "chart"

    @property
    def description(self) -> str:
        return f"{self.title}. {self.caption}"

    def draw(self, *, small: bool = False) -> alt.LayerChart:
        values = [{"name": name, "seconds": seconds, "text": f"{seconds:.3g}"} for name, seconds in self.bars]
        base = alt.Chart(alt.InlineData(values)).encode(
            x=alt.X("seconds:Q", title="CPU seconds", scale=alt.Scale(type="log"), axis=alt.Axis(tickCount=4)),
            y=alt.Y("name:N", sort=None, title=None, axis=alt.Axis(labelLimit=LONGEST_NAME)),
        )
        dots = base.mark_point(filled=True, fill=theme.ACCENT, size=70, opacity=1)
        texts = base.mark_text(align="left", dx=8).encode(text="text:N")
        return alt.LayerChart(layer=[dots, texts]).properties(
            width=theme.WIDTH, height=BAR * len(values), autosize=_fitted(), config=theme.CONFIG
        )


@dataclass(frozen=True)
class RunLine(Picture):
    """One figure of a workload, by run."""

    title: str
    caption: str
    runs: tuple[tuple[str, float], ...]  # name of the source, figure
    measure: str
    form: ClassVar[str] = "chart"

    @property
    def description(self) -> str:
        return f"{self.title}: {self.measure}, by run. {self.caption}"

    @property
    def details(self) -> Details:
        rows = tuple((Cell(name), Cell(f"{figure:.4g}")) for name, figure in self.runs)
        return Details("The figures", Table(("commit", self.measure), rows, "lr"))

    def draw(self, *, small: bool = False) -> alt.LayerChart:
        values = [{"run": at, "figure": figure} for at, (_, figure) in enumerate(self.runs, 1)]
        base = alt.Chart(alt.InlineData(values)).encode(
            x=alt.X("run:O", title="run", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("figure:Q", title=self.measure, axis=alt.Axis(tickCount=4)),
        )
        line = base.mark_line(stroke=theme.ACCENT)
        dots = base.mark_point(filled=True, fill=theme.ACCENT, size=40, opacity=1)
        return alt.LayerChart(layer=[line, dots]).properties(
            width=theme.SMALL_WIDTH, height=110, autosize=_fitted(), config=theme.CONFIG
        )


def _fitted() -> alt.AutoSizeParams:
    return alt.AutoSizeParams(type="fit-x", contains="padding")


def page(entries: Sequence[Entry], comparisons: Sequence[Comparison]) -> str:
    """HTML without scripts."""
    return html.render(outline(entries, comparisons))


def outline(entries: Sequence[Entry], comparisons: Sequence[Comparison]) -> Outline:
    run = last_run(entries)
    n_runs = len({entry.run for entry in entries})
    sections = [
        _figures(run),
        *([_ratios(comparisons)] if comparisons else []),
        *([_by_run(entries, run)] if n_runs > 1 else []),
        _origin(run[0]),
    ]
    subtitle = f"{len(run)} workloads, run of {run[0].run}, {n_runs} {'run' if n_runs == 1 else 'runs'} in the history"
    return Outline("Benchmarks of Shoal", subtitle, _verdict(comparisons), tuple(sections))


def _verdict(comparisons: Sequence[Comparison]) -> Headline | None:
    if not comparisons:
        return None
    worse = [one for one in comparisons if one.regressions]
    if not worse:
        return Headline("holds", "No regression", f"{len(comparisons)} workloads were compared with an earlier run.")
    named = "; ".join(f"{one.now.workload}: {', '.join(one.regressions)}" for one in worse)
    return Headline("fails", "Regressions", f"{len(worse)} of {len(comparisons)} workloads got worse: {named}.")


def _figures(run: Sequence[Entry]) -> Section:
    total = sum(entry.measurement.cpu for entry in run)
    largest = max(run, key=lambda entry: entry.measurement.memory)
    tiles = Tiles(
        (
            Tile("Workloads", str(len(run)), "each in a process of its own"),
            Tile("CPU seconds", f"{total:.1f}", "of all workloads, without making records"),
            Tile("Largest memory", f"{largest.measurement.memory:,.0f} MB", largest.workload),
        )
    )
    head = ("workload", "CPU s", "in sorts", "CPU / wall", "peak MB", "quality")
    rows = tuple(map(_row, run))
    chart = CpuBars(
        "CPU seconds by workload",
        "The axis is logarithmic. Noise of the machine is in these seconds; the table has them in sorts, too.",
        tuple((entry.workload, entry.measurement.cpu) for entry in run),
    )
    return Section("last", "The last run", (tiles, chart, Table(head, rows, "lrrrrr")))


def _row(entry: Entry) -> tuple[Cell, ...]:
    found = entry.measurement
    figures = (f"{found.cpu:.2f}", f"{found.sorts:.1f}", f"{found.cpu / found.wall:.1f}", f"{found.memory:,.0f}")
    return Cell(entry.workload), *map(Cell, figures), Cell(f"{found.quality:.5g}", note=entry.figure)


def _ratios(comparisons: Sequence[Comparison]) -> Section:
    rows = tuple(
        (
            Cell(one.now.workload, note=f"beside {one.before.source.name}, {one.before.run}"),
            *(Cell(f"{found:.3f}") for found in one.ratios.values()),
            Cell(", ".join(one.regressions) or "none"),
        )
        for one in comparisons
    )
    limits = ", ".join(f"{limit:g} of {figure}" for figure, limit in LIMITS.items())
    words = Paragraph(
        "Figures of this run divided by those of the earlier one: below 1 is better. A regression is a ratio above "
        f"{limits}. CPU is compared in sorts: seconds divided by those of sorting two million numbers in that process."
    )
    return Section(
        "ratios", "Compared with an earlier run", (words, Table(("workload", *LIMITS, "regressions"), rows, "lrrrl"))
    )


def _by_run(entries: Sequence[Entry], run: Sequence[Entry]) -> Section:
    machine = run[0].machine
    lines = []
    for now in run:
        found = [entry for entry in entries if entry.workload == now.workload and entry.machine == machine]
        points = tuple((entry.source.name, entry.measurement.sorts) for entry in found)
        memory = max(entry.measurement.memory for entry in found)
        caption = f"{len(found)} {'run' if len(found) == 1 else 'runs'}; at most {memory:,.0f} MB."
        lines.append(RunLine(now.workload, caption, points, "CPU, in sorts"))
    words = Paragraph("Runs on this machine in the order of the history, so that a slow change is seen, too.")
    return Section("history", "Run by run", (words, Gallery(tuple(lines))))


def _origin(entry: Entry) -> Section:
    libraries: Any = ", ".join(f"{name} {version}" for name, version in entry.source.libraries.items())
    table = facts(
        ("machine", entry.machine.name),
        ("commit", entry.source.name),
        ("Python", entry.source.python),
        ("libraries", libraries),
    )
    return Section("origin", "Where it ran", (table,))
