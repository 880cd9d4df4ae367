"""What a paper prints, table by table and figure by figure, and which part of its reproduction belongs to each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PrintedItem:
    """One table or figure.

    shows     what it shows, a figure by its shape, in our words
    rows      beginnings of "table, row" of the rows that recompute it
    picture   the file in which it is drawn again
    differs   where ours differs, and why
    explains  it is a drawing of an idea or the text of an algorithm: there is nothing to compute
    """

    name: str
    shows: str
    rows: tuple[str, ...] = ()
    picture: str = ""
    differs: str = ""
    explains: bool = False


@dataclass(frozen=True)
class PrintedPaper:
    """``name``: that of its reproduction."""

    name: str
    citation: str
    items: tuple[PrintedItem, ...]
