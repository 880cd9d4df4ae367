"""The passages of a page in JSON: every string, number and name; a row of a table is read together."""

from __future__ import annotations

import json
import re
from typing import Any

from shoal.gate.page.passages import Passage, plain

# Names and values that say how a page is built, by the name of their key.
STRUCTURE = {
    "form": r"paragraph|subheading|items|table|tiles|terms|tree|gallery|picture",
    "align": r"[lr]*",
    "outcome": r"holds|warns|fails|open",
    "edition": r"internal|external",
    "name": r"proof|released|attacks|earlier|lost|spread|making|omitted|glossary|frontier|figures",
    "format": r"shoal page \d{1,2}",
}
KEYS = re.compile(
    r"form|align|outcome|edition|name|format|title|subtitle|verdict|mark|sentence|cautions|text|lines|sections|parts|"
    r"texts|head|rows|families|full|note|tiles|label|figure|terms|term|meaning|root|pictures|caption|description|words"
)


def json_passages(page: str) -> tuple[Passage, ...]:
    reader = _JsonReader()
    reader.read(json.loads(page, object_pairs_hook=_all_pairs), "", "", "")
    return tuple(reader.found)


class _JsonReader:
    def __init__(self) -> None:
        self.found: list[Passage] = []
        self.block = 0

    def read(self, value: Any, key: str, subject: str, place: str, *, in_row: bool = False) -> None:
        if not in_row:
            self.block += 1
        if isinstance(value, dict):
            self._read_object(value, subject, place, in_row)
        elif isinstance(value, list):
            is_row = in_row or (key == "rows" and all(not isinstance(each, list) for each in value))
            for each in value:
                self.read(each, key, subject, place, in_row=is_row)
        elif value is not None:
            text = plain(value if isinstance(value, str) else json.dumps(value))
            if text and not (key in STRUCTURE and re.fullmatch(STRUCTURE[key], text)):
                self.found.append(Passage(text, subject, self.block, place))

    def _read_object(self, value: dict[str, Any], subject: str, place: str, in_row: bool) -> None:
        is_picture = "caption" in value and isinstance(value.get("title"), str)
        subject = plain(value["title"]) if is_picture else subject
        place = plain(value["title"]) if "parts" in value and isinstance(value.get("title"), str) else place
        for name, each in value.items():
            if not KEYS.fullmatch(name):
                self.found.append(Passage(plain(name), subject, self.block, place))
            self.read(each, name, subject, place, in_row=in_row)


def _all_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object with all its values: of a repeated name a program takes the last, but the file shows each."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        while name in found:
            name += " again"
        found[name] = value
    return found
