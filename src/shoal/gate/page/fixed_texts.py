"""Texts and words that every page has, whatever its data, so that a rare value such as "unit" does not accuse them.

They are data (`fixed_texts.json`, written by `tools/page_texts.py` from the texts of the external edition), not code of
the writer.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from shoal.gate.page.passages import plain

MARK = re.compile(r"[\W_]+|percent")  # belongs to the number next to it


@dataclass(frozen=True)
class FixedTexts:
    passages: frozenset[str]  # whole texts
    words: frozenset[str]  # words of these and of sentences in which something is inserted
    styles: frozenset[str]  # SHA-256 of the styles of a page


@cache
def fixed_texts() -> FixedTexts:
    found = json.loads(files("shoal.gate.page").joinpath("fixed_texts.json").read_text(encoding="utf-8"))
    return FixedTexts(frozenset(map(plain, found["passages"])), frozenset(found["words"]), frozenset(found["styles"]))


def is_fixed_part(text: str) -> bool:
    """Whether a part of a divided text is one that every page has, and says nothing about the parts next to it."""
    shown = plain(text)
    return shown in fixed_texts().passages and not MARK.fullmatch(shown)
