"""Keys of a policy as messages write them: ``requirements[1].k`` is the key k of the first requirement."""

from __future__ import annotations

from collections.abc import Iterable


def key_path(parts: Iterable[int | str]) -> str:
    """The tables and the key joined by dots; entries of a list are counted from 1."""
    return "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in parts).removeprefix(".")
