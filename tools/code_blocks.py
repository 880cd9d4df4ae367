"""The fenced blocks of the documents: which are run by tests, and why others are not.

A block is not run where the line above it says so: <!-- not run: REASON -->. A `text` block right below Python, or
below commands, is what they print, and compared with it; a line of three points stands for lines that are left out. A
block with a title is a file of that name. `make docs` prints the counts.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(
    r"(?:^<!-- not run: (?P<reason>.+?) -->\n)?"
    r'^```(?P<language>\w*)(?: title="(?P<file>[\w.]+)")?\n(?P<code>.*?)^```$',
    re.MULTILINE | re.DOTALL,
)
LEFT_OUT = re.compile(r"^\.\.\.\n", re.MULTILINE)
BLANKS = re.compile(r"[ ]+$", re.MULTILINE)
PRINTING = ("python", "console")
RUN = ("python", "toml", "console")  # languages that tests run, load, or compare with the commands


@dataclass(frozen=True)
class CodeBlock:
    language: str
    code: str
    reason: str | None  # why it is not run
    output: str | None  # of Python or commands: the text block right below
    is_output: bool
    file: str | None = None  # its title: what the reader saves it as

    @property
    def is_run(self) -> bool:
        return self.reason is None and (self.language in RUN or self.is_output)

    @classmethod
    def all_of(cls, text: str) -> list[Self]:
        found = list(FENCE.finditer(text))
        shown = [_shows_output(text, *pair) for pair in pairwise(found)]
        return [
            cls(
                each["language"],
                each["code"],
                each["reason"],
                found[at + 1]["code"] if at < len(shown) and shown[at] else None,
                at > 0 and shown[at - 1],
                each["file"],
            )
            for at, each in enumerate(found)
        ]


def agrees(printed: str, output: str) -> bool:
    """Whether a page shows what was printed, but for the lines that it leaves out, and blanks at the ends of lines."""
    shown = "(?:.*\n)*".join(re.escape(part) for part in LEFT_OUT.split(output))
    return re.fullmatch(shown, BLANKS.sub("", printed)) is not None


def _shows_output(text: str, block: re.Match[str], following: re.Match[str]) -> bool:
    """Whether the second block is what the first one prints."""
    is_pair = block["language"] in PRINTING and following["language"] == "text" and not block["reason"]
    return is_pair and not following["reason"] and not text[block.end() : following.start()].strip()


def main() -> None:
    blocks = [block for page in PAGES for block in CodeBlock.all_of(page.read_text(encoding="utf-8"))]
    reasons = Counter(block.reason for block in blocks if not block.is_run)
    print(f"{len(blocks)} code blocks; {sum(block.is_run for block in blocks)} are run by tests")  # noqa: T201
    for reason, n_blocks in reasons.most_common():
        print(f"{n_blocks:4} not run: {reason}")  # noqa: T201


if __name__ == "__main__":
    main()
