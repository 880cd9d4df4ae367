"""Names of settings for readers: ``k`` for ``method.k``, and as much more as tells them apart."""

from __future__ import annotations

from collections.abc import Sequence


def setting_labels(keys: Sequence[str]) -> dict[str, str]:
    """A label of every key: its last part, with as many parts before it as no other key shares; all of it where that
    does not suffice. Numbers of a list are left out, and a name stands for its table: ``method`` for ``method.name``.
    """
    words = {key: _words(key) for key in keys}
    return {key: _label(key, words) for key in keys}


def _label(key: str, words: dict[str, tuple[str, ...]]) -> str:
    ends = (words[key][-n:] for n in range(1, len(words[key]) + 1))
    others = [parts for other, parts in words.items() if other != key]
    return next((".".join(end) for end in ends if all(parts[-len(end) :] != end for parts in others)), key)


def _words(key: str) -> tuple[str, ...]:
    parts = key.split(".")
    singular = [part.removesuffix("s") if at_number else part for part, at_number in _with_next(parts)]
    named = [part for part in singular if not part.isdecimal()]
    return tuple(named[:-1] if len(named) > 1 and named[-1] == "name" else named)


def _with_next(parts: Sequence[str]) -> list[tuple[str, bool]]:
    """Every part, and whether a number of a list follows it."""
    return [(part, following.isdecimal()) for part, following in zip(parts, [*parts[1:], ""], strict=True)]
