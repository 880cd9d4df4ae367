"""Altair, imported at the first drawing: a report as Markdown does not need it, and it takes half a second."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    import altair

    return getattr(altair, name)
