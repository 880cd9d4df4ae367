"""What Shoal says, as lines that a person reads in a diff: one for every figure and sentence, in the order of saying.

    {"risk": 0.25, "findings": [{"name": "k reached", "estimate": 4, "goal": 4, "meaning": "Every ..."}]}  ->
    risk = 0.25
    findings.k reached = 4; goal 4; meaning Every ...

An entry of a list is known by its name, so that a new one moves no other. What is null or empty is left out. A finding
that was said before, word for word, is not said again: ``attacks.k reached.figure = as in [protect]``.

Figures have nine digits, and two of them are equal if they differ by no more than a step of the ninth: the last bits of
a sum are not promised on every machine. Below a billionth a figure is 0, here as in every table that Shoal prints
(``four_digits``): so a 0 that is computed from sums looks like one. Words are compared letter by letter, and the
numbers in them are whole, or were rounded by whoever wrote the sentence, so that none of them is close to another.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from functools import partial
from typing import Any

DIGITS = 9
SAME = 1e-8  # relative: a step of the last digit
ZERO = 1e-9
# Where a likelihood is nearly flat, its maximum depends on the last bits of logarithms: processors differ in them.
FLAT = {re.compile(r"population uniques, (?:Pitman|SNB)$"): 1e-3}
# Between two runs, two machines or two versions of a library these differ, and a hash tells a reader nothing.
PASSING = ("versions", "made", "cost", "engine", "path", "seconds", "sha256", "hmac", "release_sha256")
PASSING_WORDS = {
    re.compile(r"\b[0-9a-f]{64}\b"): "SHA-256",
    re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC"): "TIME",
    re.compile(r"(?<=produced )\d{4}-\d\d-\d\d"): "DAY",
    re.compile(r"(?m)^(\| (?:Versions|Cost) \| ).*"): r"\1...",
    re.compile(r"(?m) +\d[\d.,]*\s(?:ms|s|min)(?= \|| *$)"): " ...",
    re.compile(r"(?m)^(Versions|Cost)\n.*"): r"\1\n...",
}
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?")
SHORT = 100  # letters of a value that stands on a line with others

Section = tuple[str, ...]  # its lines
Said = Mapping[str, Section]  # by title


class Lines:
    """The sections of one case. ``passing``: further words that differ between two runs, and what stands for them."""

    def __init__(self, passing: Mapping[str, str] | None = None) -> None:
        self._passing = PASSING_WORDS | {re.compile(re.escape(each)): new for each, new in (passing or {}).items()}
        self.sections: dict[str, Section] = {}
        self._findings: list[tuple[dict[str, Any], str]] = []  # that were said, and in which section

    def add(self, title: str, content: Any) -> None:
        """A value that is, or could be, JSON."""
        lines = dict[str, str]()
        for path, value in _flat(self._settled(content, title), ""):
            key, n = path, 2
            while key in lines:
                key, n = f"{path} ({n})", n + 1
            lines[key] = value
        self.sections[title] = tuple(f"{path} = {value}" for path, value in lines.items())

    def add_text(self, title: str, text: str) -> None:
        """Words, line by line."""
        for passing, instead in self._passing.items():
            text = passing.sub(instead, text)
        self.sections[title] = tuple(f"| {line}".rstrip() for line in text.rstrip("\n").split("\n"))

    def _settled(self, content: Any, title: str) -> Any:
        """Without what is passing, empty, or was said before; figures as they are written."""
        match content:
            case {"name": str(name), "estimate": estimate, "meaning": str()}:
                rest = {key: self._settled(value, title) for key, value in content.items() if key != "estimate"}
                found = {"name": name, "": "not measured" if estimate is None else _word(estimate), **_known(rest)}
                earlier = [where for each, where in self._findings if _flat_equal(each, found)]
                if earlier:
                    return {"name": name, "": "as above" if earlier[0] == title else f"as in [{earlier[0]}]"}
                self._findings.append((found, title))
                return found
            case dict():
                return _known({key: self._settled(value, title) for key, value in content.items()})
            case [*entries] if any(isinstance(each, dict) for each in entries):
                return [self._settled(each, title) for each in entries]
            case [str(), *_] if any(" " in str(each) for each in content):  # sentences
                return {str(number): _word(each) for number, each in enumerate(content, 1)}
            case [*entries]:
                return ", ".join(map(_word, entries))
            case _:
                return _word(content)


def _known(content: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in content.items() if key not in PASSING and value not in ("", [], {})}


def _flat(content: Any, path: str) -> Iterator[tuple[str, str]]:
    """The lines below ``path``: short values of one table stand on one."""
    match content:
        case str():
            yield path, content
        case list():
            for number, each in enumerate(content, 1):
                yield from _flat(each, f"{path}.{_name_of(each) or number}" if path else str(number))
        case {"name": _, "": str(first), **rest}:
            more = [f"{key} {value}" for key, value in rest.items() if isinstance(value, str)]
            yield path, "; ".join((first, *more))
            yield from _flat({key: value for key, value in rest.items() if not isinstance(value, str)}, path)
        case dict():
            own, shown = path.rpartition(".")[2], {key: _short(value) for key, value in content.items()}
            together = {key: value for key, value in shown.items() if path and value and not key.isdigit()}
            if together:
                yield path, "; ".join(f"{key} {value}" for key, value in together.items() if value != own)
            for key, value in content.items():
                if key not in together:
                    yield from _flat(value, f"{path}.{key}" if path else key)


def _short(value: Any) -> str:
    """A value that stands beside others; empty where it is too long or has parts."""
    match value:
        case str() if len(value) < SHORT:
            return value
        case {"name": _, "": str(first), **rest} if not rest:
            return first
        case _:
            return ""


def _name_of(entry: Any) -> str:
    """What an entry of a list is known by."""
    match entry:
        case (
            {"name": str(name)}
            | {"title": str(name)}
            | {"figure": {"name": str(name)}}
            | {"requirement": str(name)}
            | {"kind": str(name), "share": _}
            | {"column": str(name)}
            | {"columns": str(name)}
        ):
            return name[:80]
        case _:
            return ""


def _word(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{0.0 if abs(value) < ZERO else value:.{DIGITS}g}"
        case list():
            return f"({', '.join(map(_word, value))})"
        case _:
            return str(value).replace("\n", "\\n")


def _flat_equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one["name"] == other["name"] and not any(_changes(dict(_flat(one, "")), dict(_flat(other, ""))))


def to_text(said: Said) -> str:
    return "\n".join("\n".join([f"[{title}]", *lines, ""]) for title, lines in said.items())


def from_text(text: str) -> dict[str, Section]:
    found, lines = dict[str, list[str]](), list[str]()
    for line in text.split("\n"):
        if line.startswith("["):
            lines = found[line[1:-1]] = []
        elif line:
            lines.append(line)
    return {title: tuple(lines) for title, lines in found.items()}


def differences(before: Said, after: Said) -> Iterator[str]:
    """One line for each: the section, and the figure or sentence in it that changed, is new or is gone."""
    for title in dict.fromkeys((*before, *after)):
        if title not in before or title not in after:
            yield f"[{title}]: {'new' if title in after else 'gone'}"
        elif any(line.startswith("|") for line in (*before[title], *after[title])):
            told = list(unified_diff(before[title], after[title], lineterm="", n=0))[2:]
            yield from (f"[{title}]: {line}" for line in told if not line.startswith("@@"))
        else:
            yield from (f"[{title}]: {line}" for line in _changes(_by_path(before[title]), _by_path(after[title])))


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for path, value in before.items():
        if path not in after:
            yield f"{path}: gone, was {value}"
        elif not is_same(value, after[path], _allowed(path)):
            yield f"{path}: {' -> '.join(_apart(value, after[path]))}"
    yield from (f"{path}: new, {value}" for path, value in after.items() if path not in before)
    if before.keys() == after.keys() and list(before) != list(after):
        moved = next(path for path, other in zip(before, after, strict=True) if path != other)
        yield f"{moved}: said in another order"


def _apart(one: str, other: str) -> tuple[str, str]:
    """Of two lines, the values that differ."""
    parts, others = one.split("; "), other.split("; ")
    if len(parts) != len(others):
        return one, other
    unlike = [pair for pair in zip(parts, others, strict=True) if not is_same(*pair)]
    return "; ".join(left for left, _ in unlike), "; ".join(right for _, right in unlike)


def _allowed(path: str) -> float:
    return next((allowed for flat, allowed in FLAT.items() if flat.search(path)), SAME)


def is_same(one: str, other: str, allowed: float = SAME) -> bool:
    """The same words around figures that are close; whole numbers are equal."""
    if one == other or NUMBER.split(one) != NUMBER.split(other):
        return one == other
    return all(map(partial(_are_close, allowed), NUMBER.findall(one), NUMBER.findall(other)))


def _are_close(allowed: float, one: str, other: str) -> bool:
    is_whole = one.lstrip("-").isdigit() and other.lstrip("-").isdigit()
    return one == other or (not is_whole and math.isclose(float(one), float(other), rel_tol=allowed, abs_tol=0))


def _by_path(lines: Section) -> dict[str, str]:
    return {path: value for path, _, value in (line.partition(" = ") for line in lines)}
