"""All reproductions beside everything that the five papers print: a verdict for each table and figure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from shoal.reproduce.blocking import printed_items as blocking
from shoal.reproduce.fuzzy_blocking import printed_items as fuzzy_blocking
from shoal.reproduce.gensearch import printed_items as gensearch
from shoal.reproduce.micro_som import printed_items as micro_som
from shoal.reproduce.printed_paper import PrintedItem, PrintedPaper
from shoal.reproduce.reproduction import Reproduction, Row
from shoal.reproduce.vmdav import printed_items as vmdav

PAPERS: tuple[PrintedPaper, ...] = (blocking.PAPER, micro_som.PAPER, fuzzy_blocking.PAPER, vmdav.PAPER, gensearch.PAPER)

Verdict = Literal["holds", "holds in part", "does not hold", "drawn again", "nothing to compute", "cannot"]
NOT_ASKED = "It was not asked for."
IN_THE_TEXT = PrintedItem("In the text", "What the paper claims without a table or figure, and what goes beyond it.")


@dataclass(frozen=True)
class ItemVerdict:
    """``drawn_with``: the earlier item whose picture shows this one, too. ``reason``: why an item that should be
    computed was not."""

    item: PrintedItem
    rows: tuple[Row, ...]
    picture: str  # SVG, or none
    reason: str = ""
    drawn_with: str = ""

    @property
    def n_held(self) -> int:
        return sum(row.holds for row in self.rows)

    @property
    def verdict(self) -> Verdict:
        if self.item.explains:
            return "nothing to compute"
        if self.reason:
            return "cannot"
        if not self.rows:
            return "drawn again"
        if self.n_held == len(self.rows):
            return "holds"
        return "holds in part" if self.n_held else "does not hold"


@dataclass(frozen=True)
class PaperVerdicts:
    """One paper with its reproduction; ``reproduction`` is None where it did not run, for the reason ``absence``."""

    paper: PrintedPaper
    reproduction: Reproduction | None
    items: tuple[ItemVerdict, ...]
    absence: str = ""

    @property
    def counts(self) -> dict[str, int]:
        """Tables and figures by verdict."""
        return dict(Counter(item.verdict for item in self.items if item.item is not IN_THE_TEXT))


@dataclass(frozen=True)
class Overview:
    """``further``: reproductions of figures that several papers print. ``reasons``: why one could not run, by name."""

    papers: tuple[PaperVerdicts, ...]
    further: tuple[Reproduction, ...]
    reasons: Mapping[str, str]

    @property
    def reproductions(self) -> tuple[Reproduction, ...]:
        return (*(one.reproduction for one in self.papers if one.reproduction), *self.further)

    @property
    def n_rows(self) -> int:
        return sum(len(one.rows) for one in self.reproductions)

    @property
    def n_held(self) -> int:
        return sum(one.n_held for one in self.reproductions)

    def to_json(self) -> str:
        content: dict[str, Any] = {
            "rows": self.n_rows,
            "hold": self.n_held,
            "papers": [_paper(one) for one in self.papers],
            "further": [{"name": one.name, "title": one.title, **_counted(one.rows)} for one in self.further],
            "not_run": dict(self.reasons),
        }
        return json.dumps(content, indent=2)


def overview(found: Mapping[str, Reproduction], reasons: Mapping[str, str]) -> Overview:
    """``found``: the reproductions that ran, by name; ``reasons``: why the others did not."""
    papers = tuple(_verdicts(paper, found.get(paper.name), reasons.get(paper.name, NOT_ASKED)) for paper in PAPERS)
    named = {paper.name for paper in PAPERS}
    return Overview(papers, tuple(one for name, one in found.items() if name not in named), reasons)


def _verdicts(paper: PrintedPaper, reproduction: Reproduction | None, reason: str) -> PaperVerdicts:
    if reproduction is None:
        return PaperVerdicts(paper, None, tuple(ItemVerdict(item, (), "", reason) for item in paper.items), reason)
    items = [_verdict(item, reproduction, paper) for item in paper.items]
    shown = {row for item in items for row in item.rows}
    rest = tuple(row for row in reproduction.rows if row not in shown)
    return PaperVerdicts(paper, reproduction, (*items, *([ItemVerdict(IN_THE_TEXT, rest, "")] if rest else [])))


def _verdict(item: PrintedItem, reproduction: Reproduction, paper: PrintedPaper) -> ItemVerdict:
    rows = (
        tuple(row for row in reproduction.rows if f"{row.table}, {row.row}".startswith(item.rows)) if item.rows else ()
    )
    picture = reproduction.extra.get(item.picture, "")
    missing = not item.explains and not rows and not picture
    first = next(other for other in paper.items if other is item or (picture and other.picture == item.picture))
    return ItemVerdict(
        item,
        rows,
        picture,
        "the reproduction has no row and no picture of it" if missing else "",
        "" if first is item else first.name,
    )


def _paper(one: PaperVerdicts) -> dict[str, Any]:
    return {
        "name": one.paper.name,
        "citation": one.paper.citation,
        "counts": one.counts,
        "items": [
            {
                "name": item.item.name,
                "shows": item.item.shows,
                "verdict": item.verdict,
                "differs": item.item.differs,
                "reason": item.reason,
                "picture": item.item.picture,
                **_counted(item.rows),
                "numbers": [asdict(row) for row in item.rows],
            }
            for item in one.items
        ],
    }


def _counted(rows: tuple[Row, ...]) -> dict[str, int]:
    return {"rows": len(rows), "hold": sum(row.holds for row in rows)}
