"""What the shell shows: words on stderr, results on stdout, progress only where somebody watches."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import typer

from shoal import progress
from shoal.errors.visible import UNSEEN, visible

if TYPE_CHECKING:
    from shoal.assess.findings import Finding

PATIENCE = 2.0  # seconds before a bar appears
IN_JSON = re.compile(f"(?!\n)[{UNSEEN}]")  # what JSON leaves as it is; line breaks are those between its lines


def complain(message: str) -> None:
    """On stderr. Where nobody can be told, the exit code must do."""
    color = False if os.environ.get("NO_COLOR") else None  # None: where stderr is a terminal
    with suppress(OSError):
        typer.secho("error: ", fg=typer.colors.RED, bold=True, nl=False, err=True, color=color)
        typer.echo(visible(message), err=True)


def say(message: str = "") -> None:
    """One line: a name with a line break in it must not look like two."""
    typer.echo(visible(message))


def show(text: str) -> None:
    """Several lines."""
    for line in text.split("\n"):
        say(line)


def in_a_line(finding: Finding) -> str:
    """A figure, where it may lie, and what it is without effort."""
    between = "" if finding.interval is None else " ({} to {})".format(*map(finding.shown, finding.interval))
    beside = "" if finding.baseline is None else f", baseline {finding.shown(finding.baseline)}"
    return f"{finding.name}: {finding.shown(finding.estimate)}{between}{beside}"


def print_json(content: Any) -> None:
    """With escapes that JSON knows where stdout cannot show a character."""
    shown = json.dumps(content, indent=2, ensure_ascii=False)
    try:
        shown.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        shown = json.dumps(content, indent=2)
    typer.echo(IN_JSON.sub(lambda found: json.dumps(found[0])[1:-1], shown))


@contextmanager
def bars() -> Iterator[None]:
    """Progress bars on stderr for whatever takes longer than two seconds; nothing where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield
        return
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
        """Of records, where these are counted."""

        def render(self, task: Task) -> Text:
            counts_records = "records" in task.description and task.speed
            return Text(f"{task.speed:,.0f} records/s" if counts_records else "")

    shown = Progress(
        SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), Speed(), TimeElapsedColumn(),
        TimeRemainingColumn(), console=Console(stderr=True), transient=True,
    )  # fmt: skip

    @contextmanager
    def listener(what: str, total: int) -> Iterator[progress.Advance]:
        task = shown.add_task(what, total=total or None)
        try:
            yield lambda done: shown.update(task, completed=done)
        finally:
            shown.remove_task(task)

    timer = threading.Timer(PATIENCE, shown.start)
    timer.daemon = True
    timer.start()
    try:
        with progress.heard_by(listener):
            yield
    finally:
        timer.cancel()
        timer.join()
        shown.stop()
