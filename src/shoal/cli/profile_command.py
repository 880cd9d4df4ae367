"""The command ``shoal profile``: the look at an original before anything is decided."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli.console import print_json, print_line, progress_bars


def profile(
    data: Annotated[Path, typer.Argument(help="The table: CSV, Parquet, Arrow, SPSS, Stata, SAS or Excel.")],
    policy: Annotated[
        Path | None,
        typer.Option("--policy", "-p", help="A policy.toml with the roles of the columns. Default: they are guessed."),
    ] = None,
    keys: Annotated[
        str | None,
        typer.Option(
            "--keys", help="The columns that an intruder may know, such as age,sex,zip. Default: all quasi-identifiers."
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write a report to this file: .html or .md. It is private.")
    ] = None,
    memory: Annotated[
        str | None, typer.Option("--memory", help="Memory limit, such as 2GB. Default: half of the free memory.")
    ] = None,
    engine: Annotated[
        str,
        typer.Option(
            "--engine", help="auto, memory, or duckdb for a table larger than memory, or processes for all cores."
        ),
    ] = "auto",
    force: Annotated[
        bool, typer.Option("--force", help="Replace an existing report; inputs are never replaced.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Look at a table before anything is decided: who is at risk, and which columns cause it. For internal use."""
    from shoal.cli.outline_screen import print_outline
    from shoal.pipeline.profile import profile as profile_table
    from shoal.report.profile_outline import profile_outline

    settings: dict[str, Any] = {"memory": memory, "engine": engine, "report": report, "force": force}
    with progress_bars():
        found = profile_table(data, policy, keys=_names(keys), **settings)
    if as_json:
        print_json(found.to_dict())
        return
    print_outline(profile_outline(found, data.name))
    if report is not None:
        print_line(f"The report was written to {report}.")


def _names(keys: str | None) -> list[str] | None:
    """The names of a list with commas."""
    return None if keys is None else [name.strip() for name in keys.split(",") if name.strip()]
