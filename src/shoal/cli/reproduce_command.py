"""The command ``shoal reproduce``: published tables compared with the results of Shoal."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from shoal.cli.console import print_json, print_line, print_text, progress_bars


def reproduce(
    name: Annotated[
        str,
        typer.Argument(
            help="Name of the table: blocking, fuzzy-blocking, gensearch, literature, mdav, micro-som, vmdav; or all, "
            "on one page."
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder for the Markdown, the JSON and the chart.")
    ] = Path("reproduced"),
    full: Annotated[bool, typer.Option("--full", help="Use the sizes of the paper, which may take long.")] = False,
    topologies: Annotated[
        bool, typer.Option("--topologies", help="With micro-som: also study lattices, shapes, sizes and training.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
) -> None:
    """Reproduce a published table: the printed number, the result of Shoal, their ratio and a verdict."""
    from shoal.reproduce import ALL, reproduction, write

    if name == ALL:
        _reproduce_all(output, full=full, topologies=topologies, as_json=as_json)
    with progress_bars():
        reproduced = reproduction(name, full=full, topologies=topologies)
        folder = write(reproduced, output)
    if as_json:
        print_json([asdict(row) for row in reproduced.rows])
    else:
        print_text(reproduced.to_markdown())
        print_line(f"The files were written to {folder}.")
    raise typer.Exit(0 if all(row.holds for row in reproduced.rows) else 1)


def _reproduce_all(output: Path, *, full: bool, topologies: bool, as_json: bool) -> NoReturn:
    from shoal.errors import PolicyError
    from shoal.reproduce import ALL, TOPOLOGIES, reproduce_all

    if topologies:
        raise PolicyError.only_for("--topologies", TOPOLOGIES, ALL)
    with progress_bars():
        overview = reproduce_all(output, full=full)
    if as_json:
        print_text(overview.to_json())
    else:
        for one in overview.reproductions:
            print_line(f"{one.name}: {one.n_held} of {len(one.rows)} numbers hold.")
        for name, reason in overview.reasons.items():
            print_line(f"{name}: not run. {reason}")
        print_line(f"{overview.n_held} of {overview.n_rows} numbers hold. The page is {output / 'index.html'}.")
    raise typer.Exit(0 if overview.n_held == overview.n_rows and not overview.reasons else 1)
