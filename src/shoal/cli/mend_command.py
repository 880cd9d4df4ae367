"""The command ``shoal mend``: why a release is at risk, and which small change of the policy removes it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.console import print_json, print_line, progress_bars

MOST_LISTED = 10  # changes


def mend(
    data: Annotated[Path, typer.Argument(help="The table: CSV, Parquet, Arrow, SPSS, Stata, SAS or Excel.")],
    policy: Annotated[Path, typer.Option("--policy", "-p", help="The policy.toml of the release.")],
    report: Annotated[
        Path | None,
        typer.Option("--report", help="Write a report to this file, .html or .md; for internal use, it names records."),
    ] = None,
    write: Annotated[
        Path | None, typer.Option("--write", help="Write the policy with the cheapest mend to this new file.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option("--key", help="The key of the release. Default: the one next to the policy.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace older files of --report and --write; inputs are never replaced.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Say why records are at risk, and try small changes of the policy. Nothing is released."""
    from shoal.cli.outline_screen import print_outline
    from shoal.pipeline.mend.mend import mend as mend_policy
    from shoal.report.mend_outline import mend_outline

    with progress_bars():
        found = mend_policy(data, policy, report=report, write=write, force=force, key=key)
    if as_json:
        print_json(found.to_dict())
    else:
        print_outline(mend_outline(found, data.name, MOST_LISTED))
        if report is not None:
            print_line(f"The report was written to {report}.")
        if write is not None:
            print_line(f"The policy was written to {write}." if found.best else f"{write} was not written.")
    raise typer.Exit(1 if found.is_needed and found.best is None else 0)
