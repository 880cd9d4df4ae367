"""Writes src/shoal/gate/page/fixed_texts.json: texts that every page of the external edition has, whatever its data.

They are the string literals of `src/shoal/report/external`, of the glossary, and the titles of requirements; of the
styles of a page, the hash.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from shoal.report.html import page_style
from shoal.report.sections.glossary import WORDS
from shoal.requirements import REQUIREMENTS

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src" / "shoal" / "report" / "external"
PAGE = ROOT / "src" / "shoal" / "gate" / "page" / "fixed_texts.json"
WORD = re.compile(r"[^\W_]+")


def fixed_texts() -> str:
    whole = {text for file in sorted(SOURCES.glob("*.py")) for text in _literals(ast.parse(file.read_text()))}
    titles = {requirement.title for requirement in REQUIREMENTS}
    passages = {text for text in whole if "{" not in text} | {text for pair in WORDS for text in pair}
    words = {word for text in whole | titles | passages for word in WORD.findall(text.lower())}
    found = {
        "passages": sorted(passages - {""}),
        "words": sorted(word for word in words if not word.isdigit()),
        "styles": [sha256(page_style().encode()).hexdigest()],
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _literals(tree: ast.AST) -> Iterator[str]:
    """All strings, those of sentences with insertions in pieces; docstrings are left out."""
    documents = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and node.body
        if isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documents:
            yield node.value.strip()


if __name__ == "__main__":
    PAGE.write_text(fixed_texts(), encoding="utf-8")
