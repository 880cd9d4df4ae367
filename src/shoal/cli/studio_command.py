"""The command ``shoal studio``: the pipeline in a browser."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.console import print_line
from shoal.errors import StudioError

PACKAGES = ("altair", "starlette", "uvicorn", "vl_convert")


def studio(
    data: Annotated[
        Path | None, typer.Argument(help="The table to open. Default: it is chosen in the browser.")
    ] = None,
    folder: Annotated[
        list[Path] | None,
        typer.Option(
            "--folder",
            help="Folder whose files may be opened; may be repeated. Default: that of the table, or this one.",
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Whether to open the browser, or only print the address.")
    ] = True,
) -> None:
    """Work in the browser: look at a table, write its policy, run it, compare, export. Nothing leaves this machine."""
    for package in PACKAGES:
        if find_spec(package) is None:
            raise StudioError.not_installed(package)
    from shoal.studio.server import serve

    serve(data, folder or [], shows=browser, say=print_line)
    print_line("Studio has stopped.")
