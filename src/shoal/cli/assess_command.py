"""The command ``shoal assess``: a release compared with its original."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.console import finding_line, print_json, print_line, progress_bars
from shoal.cli.link_command import IDENTIFIER, KEY, PERSONS, POLICY, PRECISION, TRUTH, read_precision


def assess(
    original: Annotated[Path, typer.Argument(help="The original file.")],
    released: Annotated[Path, typer.Argument(help="The release.")],
    policy: POLICY = None,
    identifier: IDENTIFIER = None,
    truth: TRUTH = None,
    known: Annotated[
        list[str] | None,
        typer.Option(
            "--known", help="A column that the intruder knows; repeat it. If left out: all quasi-identifiers."
        ),
    ] = None,
    precision: PRECISION = None,
    persons: PERSONS = 1.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Where all chance of the attack comes from.")] = 0,
    key: KEY = None,
    report: Annotated[Path | None, typer.Option("--report", help="Write an HTML report there.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an older report, never an input.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures for machines.")] = False,
) -> None:
    """Say what an intruder could still do with a release, what was lost, and how it scores."""
    from shoal.linkage.intruder import Intruder
    from shoal.pipeline.assess import assess as hold_beside

    who = Intruder(tuple(known or ()), read_precision(precision or []), persons, seed)
    with progress_bars():
        found = hold_beside(
            original, released, policy, intruder=who, id=identifier, truth=truth, report=report, force=force, key=key
        )
    if as_json:
        print_json(found.to_dict())
        return
    for note in found.notes:
        print_line(f"note: {note}")
    for finding in found.findings:
        print_line(finding_line(finding))
    for figure in found.not_measured:
        print_line(str(figure))
    if report is not None:
        print_line(f"Wrote the report to {report}.")
