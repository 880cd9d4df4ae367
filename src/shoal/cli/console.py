"""Output of the shell: errors and progress bars on stderr, notes and results on stdout."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import typer

from shoal import progress
from shoal.errors.visible import INVISIBLE, visible

if TYPE_CHECKING:
    from rich.progress import Progress

    from shoal.assessment.exposure import Exposure
    from shoal.findings import Finding

DELAY = 2.0  # seconds before a bar appears
# Characters that JSON does not escape, without the line breaks of its layout.
IN_JSON = re.compile(f"(?!\n)[{INVISIBLE}]")


def print_error(message: str, *problems: str) -> None:
    """Prints an error to stderr, each of several problems on a line. If that fails, only the exit code is left."""
    color = False if os.environ.get("NO_COLOR") else None  # None: if stderr is a terminal
    with suppress(OSError):
        typer.secho("error: ", fg=typer.colors.RED, bold=True, nl=False, err=True, color=color)
        for line in (message, *(f"  {problem}" for problem in problems)):
            typer.echo(visible(line), err=True)


def print_line(message: str = "") -> None:
    """Prints one line; line breaks in names are escaped so that it stays one."""
    typer.echo(visible(message))


def print_text(text: str) -> None:
    """Prints several lines."""
    for line in text.split("\n"):
        print_line(line)


def finding_line(finding: Finding) -> str:
    """A finding as text: estimate, confidence interval and baseline."""
    from shoal.report.findings_table import interval_text

    interval = f" ({interval_text(finding)})" if finding.interval else ""
    baseline = "" if finding.baseline is None else f", baseline {finding.shown(finding.baseline)}"
    return f"{finding.name}: {finding.shown(finding.estimate)}{interval}{baseline}"


def print_warnings(exposures: Iterable[Exposure], indent: str = "") -> None:
    """Prints what is exposed, and the lines of a policy that resolve it."""
    from shoal.report.exposure_words import exposure_caution

    for caution in map(exposure_caution, exposures):
        print_line(f"{indent}warning: {caution.text}")
        for line in caution.lines:
            print_line(f"{indent}    {line}")


def print_json(content: Any) -> None:
    """Prints JSON, with JSON escapes where stdout cannot show a character."""
    shown = json.dumps(content, indent=2, ensure_ascii=False)
    try:
        shown.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        shown = json.dumps(content, indent=2)
    typer.echo(IN_JSON.sub(lambda found: json.dumps(found[0])[1:-1], shown))


@contextmanager
def progress_bars() -> Iterator[None]:
    """Progress bars on stderr for work that takes longer than two seconds; none if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    shown = _bars()

    @contextmanager
    def listener(what: str, total: int) -> Iterator[progress.Advance]:
        task = shown.add_task(what, total=total or None)
        try:
            yield lambda done: shown.update(task, completed=done)
        finally:
            shown.remove_task(task)

    timer = threading.Timer(DELAY, shown.start)
    timer.daemon = True
    timer.start()
    try:
        with progress.report_to(listener):
            yield
    finally:
        timer.cancel()
        timer.join()
        shown.stop()


def _bars() -> Progress:
    """One bar for every stage, with the speed of those that count records."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Speed(ProgressColumn):
        """Records per second, for stages that count records."""

        def render(self, task: Task) -> Text:
            counts_records = "records" in task.description and task.speed
            return Text(f"{task.speed:,.0f} records/s" if counts_records else "")

    return Progress(
        SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), Speed(), TimeElapsedColumn(),
        TimeRemainingColumn(), console=Console(stderr=True), transient=True,
    )  # fmt: skip
