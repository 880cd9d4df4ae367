"""The option ``--rules`` of the commands that may run rules of users."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RULES = Annotated[
    Path | None,
    typer.Option(
        "--rules", help="Run this file of rules that a user wrote, which the policy names. Read it before: it is code."
    ),
]
