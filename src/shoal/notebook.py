"""How results are shown in a notebook.

Results of linkage and assessment are below reports and cannot call them. They ask here, and the package of reports
enters a renderer for each of their types when it is imported, which every function of the workflow does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

RENDERERS: dict[str, Callable[[Any], str]] = {}  # by the name of the type


def fragment(value: object) -> str | None:
    """The value as part of an HTML page; None where there is no renderer, so that a notebook shows its text."""
    renderer = RENDERERS.get(type(value).__name__)
    return renderer(value) if renderer else None
