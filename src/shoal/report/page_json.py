"""The outline as JSON: the twin of a page for programs, with the same sections in the same order.

Its JSON Schema is `docs/page.schema.json`, made from the models below by `tools/page_schema.py`. A picture has its
title, caption and description, and its figures in words and tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from shoal.report.outline_nodes import Gallery, Headline, Outline, Part, Section
from shoal.report.page_file import Edition
from shoal.report.text_nodes import (
    Branch,
    Cell,
    Items,
    Paragraph,
    Subheading,
    Table,
    Terms,
    Tiles,
    Tree,
    Words,
)


class PageNode(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CellNode(PageNode):
    text: str
    note: str = Field(default="", description="small print below the text")


class ParagraphNode(PageNode):
    form: Literal["paragraph"] = "paragraph"
    text: str


class SubheadingNode(PageNode):
    form: Literal["subheading"] = "subheading"
    text: str


class ItemsNode(PageNode):
    form: Literal["items"] = "items"
    texts: list[str]


class RowFamilyNode(PageNode):
    """Rows of a table that all other forms of the page show as one: that of the worst column."""

    shown: list[CellNode] = Field(description="the row that stands for them")
    places: list[int] = Field(description="of its rows among the rows of the table, counted from 0")


class TableNode(PageNode):
    form: Literal["table"] = "table"
    head: list[str] = Field(description="empty where the first cell of a row is its name")
    align: str = Field(description="one letter per column: l text, r figures")
    rows: list[list[CellNode]] = Field(description="all rows, also those that other forms of the page show as one")
    families: list[RowFamilyNode] = Field(default=[], description="rows that other forms of the page show as one")


class TileNode(PageNode):
    label: str
    figure: str
    note: str


class TilesNode(PageNode):
    form: Literal["tiles"] = "tiles"
    tiles: list[TileNode]


class TermNode(PageNode):
    term: str
    meaning: str


class TermsNode(PageNode):
    form: Literal["terms"] = "terms"
    terms: list[TermNode]


class BranchNode(PageNode):
    text: str
    parts: list[BranchNode]


class NestedListNode(PageNode):
    form: Literal["tree"] = "tree"
    root: BranchNode


TextNode = Annotated[
    ParagraphNode | SubheadingNode | ItemsNode | TableNode | TilesNode | TermsNode | NestedListNode,
    Field(discriminator="form"),
]


class PictureNode(PageNode):
    form: Literal["picture"] = "picture"
    title: str
    caption: str
    description: str = Field(description="what the picture shows, for readers who cannot see it")
    words: list[TextNode] = Field(description="its figures")


class GalleryNode(PageNode):
    form: Literal["gallery"] = "gallery"
    pictures: list[PictureNode]


PartNode = Annotated[
    ParagraphNode | ItemsNode | TableNode | TilesNode | TermsNode | NestedListNode | PictureNode | GalleryNode,
    Field(discriminator="form"),
]


class SectionNode(PageNode):
    name: str = Field(description="stable name of the section")
    title: str
    parts: list[PartNode]


class CautionNode(PageNode):
    text: str
    lines: list[str] = Field(description="lines for the policy that resolve it")


class VerdictNode(PageNode):
    outcome: Literal["holds", "warns", "fails", "open"]
    mark: str
    sentence: str
    cautions: list[CautionNode]


class PageModel(PageNode):
    """A report of Shoal: a release, a release compared with its original, or a comparison of policies."""

    format: Literal["shoal page 1"] = "shoal page 1"  # rises when a reader of the older one would fail
    edition: Edition = Field(description="external: may leave the house")
    title: str
    subtitle: str
    verdict: VerdictNode | None = Field(description="null: not the report of a release")
    sections: list[SectionNode]


def render(outline: Outline, edition: Edition) -> str:
    page = PageModel(
        edition=edition,
        title=outline.title,
        subtitle=outline.subtitle,
        verdict=_verdict(outline.verdict) if outline.verdict else None,
        sections=[_section(section) for section in outline.sections],
    )
    return page.model_dump_json(indent=2) + "\n"


def page_schema() -> dict[str, Any]:
    """The JSON Schema of a page."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **PageModel.model_json_schema(mode="serialization"),
    }


def _verdict(verdict: Headline) -> VerdictNode:
    cautions = [CautionNode(text=each.text, lines=list(each.lines)) for each in verdict.cautions]
    return VerdictNode(outcome=verdict.outcome, mark=verdict.mark, sentence=verdict.sentence, cautions=cautions)


def _section(section: Section) -> SectionNode:
    return SectionNode(name=section.name, title=section.title, parts=[_part(part) for part in section.parts])


def _part(part: Part) -> Any:
    match part:
        case Paragraph() | Items() | Table() | Tiles() | Terms() | Tree():
            return _text(part)
        case Gallery(pictures):
            return GalleryNode(pictures=[_picture(picture) for picture in pictures])
        case _:
            return _picture(part)


def _picture(picture: Any) -> PictureNode:
    words = [_text(each) for each in picture.words if not _repeats(each, picture)]
    return PictureNode(title=picture.title, caption=picture.caption, description=picture.description, words=words)


def _repeats(text: Words, picture: Any) -> bool:
    return isinstance(text, Subheading | Paragraph) and text.text in (picture.title, picture.caption)


def _text(part: Words) -> Any:
    match part:
        case Subheading(text):
            return SubheadingNode(text=text)
        case Paragraph(text):
            return ParagraphNode(text=text)
        case Items(texts):
            return ItemsNode(texts=list(texts))
        case Terms(terms):
            return TermsNode(terms=[TermNode(term=word, meaning=meaning) for word, meaning in terms])
        case Tiles(tiles):
            return TilesNode(tiles=[TileNode(label=each.label, figure=each.figure, note=each.note) for each in tiles])
        case Table():
            return _table(part)
        case Tree(root):
            return NestedListNode(root=_branch(root))


def _table(table: Table) -> TableNode:
    families = [RowFamilyNode(shown=_cells(each.shown), places=list(each.places)) for each in table.families]
    rows = [_cells(row) for row in table.rows]
    return TableNode(head=list(table.head), align=table.align, rows=rows, families=families)


def _cells(row: Iterable[Cell]) -> list[CellNode]:
    return [CellNode(text=cell.full or cell.text, note=cell.note) for cell in row]


def _branch(branch: Branch) -> BranchNode:
    return BranchNode(text=branch.text, parts=[_branch(part) for part in branch.parts])
