"""The option ``--edition`` of the commands that write a report."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

EDITION = Annotated[
    Literal["internal", "external"],
    typer.Option(
        "--edition",
        help="internal has everything; external may leave the house: proved to show nothing about fewer than k.",
    ),
]
