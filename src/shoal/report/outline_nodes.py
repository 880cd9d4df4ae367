"""The tree of a report: contents and their order, without markup.

Every part has a ``form``; a renderer can write each form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from shoal.report.pictures import AnyPicture
from shoal.report.text_nodes import TextPart

Outcome = Literal["holds", "warns", "fails", "open"]  # open: no requirements, or no released record


@dataclass(frozen=True)
class Gallery:
    """Small pictures side by side, all of one kind; of charts, all of the same series."""

    pictures: tuple[AnyPicture, ...]
    form: ClassVar[str] = "gallery"


Part = TextPart | AnyPicture | Gallery


@dataclass(frozen=True)
class Section:
    name: str  # anchor for links
    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Caution:
    """A warning to be read before publication, and lines for the policy that resolve it."""

    text: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Headline:
    """The report in one sentence."""

    outcome: Outcome
    mark: str  # a few words, in large type
    sentence: str
    cautions: tuple[Caution, ...] = ()


@dataclass(frozen=True)
class Outline:
    title: str
    subtitle: str
    verdict: Headline | None  # None: not the report of a release
    sections: tuple[Section, ...]
