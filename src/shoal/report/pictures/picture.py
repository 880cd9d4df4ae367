"""What every kind of picture has: a value with a title and a caption, its drawing, and the same in words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from shoal.report.text_nodes import Details, Paragraph, Subheading, Words

if TYPE_CHECKING:
    import altair as alt


class Picture(ABC):
    """The base of all pictures; each kind is a frozen dataclass.

    form     the name of the kind in the table of pictures
    title    what is shown
    caption  how to read it
    """

    form: ClassVar[str]
    title: str
    caption: str

    @property
    @abstractmethod
    def description(self) -> str:
        """Alternative text for readers who cannot see it."""

    @abstractmethod
    def draw(self, *, small: bool = False) -> alt.LayerChart | str:
        """An Altair chart, or an SVG whose texts are escaped; ``small``: for several pictures side by side."""

    @property
    def legend(self) -> tuple[str, ...]:
        """Names of the two series, if there are two."""
        return ()

    @property
    def details(self) -> Details | None:
        """All figures, to be unfolded below the picture."""
        return None

    @property
    def words(self) -> tuple[Words, ...]:
        """The same in words and numbers, for Markdown."""
        figures = (self.details.part,) if self.details else ()
        return (Subheading(self.title), Paragraph(self.caption), *figures)
