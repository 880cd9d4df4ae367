"""The passages of an HTML page: texts, attributes, comments, styles other than those of every page, odd elements."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

from shoal.gate.page.fixed_texts import fixed_texts, is_fixed_part
from shoal.gate.page.passages import BREAK, Passage, are_scale, plain

INLINE = ("b", "small", "abbr", "span", "td", "th", "code", "strong", "em", "i", "a", "tspan", "br")  # within a block
VOID = ("meta", "br", "img", "input", "link", "hr")
SECTIONS = ["proof", "released", "attacks", "lost", "spread", "making", "omitted", "glossary", "frontier", "figures"]
CLASSES = (
    r"verdict|holds|warns|fails|open|caution|quiet|tiles|terms|table|l|r|wide|gallery|key|original|release|root|marks|"
    r"background|foreground|mark-(group|rect|rule|text|symbol|line|path|area)|role-(frame|mark|scope|group-title|title)|"
    r"role-(axis|legend)(-(domain|grid|label|title|tick|entry|symbol))?|(layer_\d{1,2}_)+marks"
)
HEADINGS = ("h1", "h2", "h3", "title")

# Attributes that only draw or lay out, where their value has no more than this grammar.
DRAWING = {
    **dict.fromkeys(
        ("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height", "dx", "dy", "rx", "ry"),
        r"-?[\d.e+-]+(px|%)?",
    ),
    **dict.fromkeys(("viewbox", "points", "stroke-dasharray"), r"[\d.,e+\s-]+"),
    **dict.fromkeys(("opacity", "fill-opacity", "stroke-opacity", "stroke-width", "stroke-miterlimit"), r"[\d.]+(px)?"),
    "d": r"[MmLlHhVvCcSsQqTtAaZz\d.,e+\s-]*",
    "transform": r"((translate|rotate|scale|matrix)\([\d.,e+\s-]*\)\s*)+",
    "font-size": r"[\d.]+(px|em|rem|pt)?",
    "font-weight": r"normal|bold|[1-9]00",
    "font-family": r"Arial, Helvetica, Liberation Sans, sans-serif|sans-serif",
    **dict.fromkeys(("fill", "stroke"), r"none|currentColor|transparent|#[0-9a-fA-F]{3,8}"),
    "text-anchor": r"start|middle|end",
    **dict.fromkeys(("stroke-linecap", "stroke-linejoin"), r"round|butt|square|miter|bevel"),
    "xmlns": r"http://www\.w3\.org/2000/svg",
    "xmlns:xlink": r"http://www\.w3\.org/1999/xlink",
    "version": r"1\.1",
    "aria-hidden": r"true|false",
    "aria-roledescription": r"(group|rect|rule|text|symbol|line|path|area) mark( container)?|axis|legend|visualization",
    "pointer-events": r"none",
    "display": r"none",
    "role": r"img|graphics-(object|symbol|document)",
    "class": rf"(({CLASSES})( |$))*",
    "id": "|".join(SECTIONS),
    "scope": r"col|row",
    "lang": r"en",
    "charset": r"utf-8",
    "name": r"viewport",
    "http-equiv": r"Content-Security-Policy",
}
META = (
    re.compile(r"width=device-width, initial-scale=1"),
    re.compile(r"default-src 'none'; style-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'none'"),
)
# What a page is built of; anything else may run, load or hide something.
ELEMENTS = re.compile(
    "html|head|meta|title|style|body|header|main|section|h[123]|p|b|strong|em|i|small|span|code|abbr|a|br|hr|ul|ol|li|"
    "dl|dt|dd|div|table|thead|tbody|tr|th|td|figure|figcaption|details|summary|svg|g|path|rect|circle|line|text|tspan|"
    "polyline|polygon|defs|clippath"
)
JOINED = ("b", "strong", "em", "i", "small", "span", "code", "abbr", "a", "tspan")  # a word may go on behind them
END_TAG = re.compile(r"</[^>]*>?")
BARE_END_TAG = re.compile(r"</[A-Za-z][\w:-]*\s*>")
KNOWN_NAMES = re.compile(r"data-head|aria-label|content|title|summary|open")  # of attributes
CSS_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?")


def html_passages(page: str) -> tuple[Passage, ...]:
    reader = _HtmlReader()
    reader.feed(page)
    reader.close()
    reader.end_run()
    return (*reader.found, *_odd_end_tags(page))


def _odd_end_tags(page: str) -> list[Passage]:
    """End tags with more than a name: a browser and the parser ignore the rest, a reader of the source does not."""
    odd = [tag for tag in END_TAG.findall(page) if not BARE_END_TAG.fullmatch(tag)]
    return [Passage(plain(tag), "", -1 - at, "", is_odd=True) for at, tag in enumerate(odd)]


class _HtmlReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Passage] = []
        self.block = 0
        self.place = ""
        self.open: list[str] = []
        self.figures: list[tuple[int, str]] = []  # first passage, and the title as far as it is read
        self.axes: list[tuple[int, int]] = []  # of the labels of an axis: depth and first passage
        self.word = ""  # that the last text ended with, if what follows may continue it
        self.run: list[str] = []  # texts that only elements within a line divide

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._element(tag)
        if tag not in INLINE:
            self.block += 1
        if tag == "figure":
            self.figures.append((len(self.found), ""))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "g" and "role-axis-label" in (dict(attrs).get("class") or ""):
            self.axes.append((len(self.open), len(self.found)))
        for name, value in attrs:
            self._attribute(tag, name, value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._element(tag)
        self.block += 1
        for name, value in attrs:
            self._attribute(tag, name, value or "")

    def _element(self, tag: str) -> None:
        self.word = self.word if tag in JOINED else ""
        if tag not in JOINED or tag == "small":  # which is a line of its own, such as names below a requirement
            self.end_run()
        if not ELEMENTS.fullmatch(tag):
            self.found.append(Passage(plain(tag), "", self.block, self.place, is_odd=True))

    def handle_endtag(self, tag: str) -> None:
        self._element(tag)
        if tag not in self.open:
            return
        if self.axes and tag == "g" and self.axes[-1][0] == len(self.open):
            self._end_axis(self.axes.pop()[1])
        while self.open.pop() != tag:
            pass
        if tag not in INLINE:
            self.block += 1
        if tag == "figure" and self.figures:
            first, title = self.figures.pop()
            self.found[first:] = [replace(passage, subject=title) for passage in self.found[first:]]

    def _end_axis(self, first: int) -> None:
        if are_scale([passage.text for passage in self.found[first:]]):
            self.found[first:] = [replace(passage, is_scale=True) for passage in self.found[first:]]

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "style":
            if sha256(data.encode()).hexdigest() not in fixed_texts().styles:
                self._add(data)
                self._add(CSS_ESCAPE.sub(_unescaped, data))
            return
        text = self._add(data)
        self._join(data)
        self.run.append(data)
        if text and self.open and self.open[-1] in HEADINGS:
            self.place = text
        if text and self.figures and "figcaption" in self.open and self.open[-1] == "b" and not self.figures[-1][1]:
            self.figures[-1] = (self.figures[-1][0], text)

    def _join(self, data: str) -> None:
        """Reads a word that elements divide as a whole, too."""
        head, tail = re.findall(r"^\w*", data)[0], re.findall(r"\w*$", data)[0]
        if self.word and head:
            self._add(self.word + head)
        self.word = self.word + head if head == data else tail

    def end_run(self) -> None:
        """Reads what elements divide as a whole, too: <b>298</b> records."""
        parts, self.run = self.run, []
        if sum(bool(part.strip()) and not is_fixed_part(part) for part in parts) > 1:
            self._add("".join(BREAK if is_fixed_part(part) else part for part in parts))

    def handle_comment(self, data: str) -> None:
        self.block += 1
        self._add(data)

    def handle_decl(self, decl: str) -> None:
        if decl.lower() != "doctype html":
            self._add(decl)

    def unknown_decl(self, data: str) -> None:
        self._add(data)

    def handle_pi(self, data: str) -> None:
        self._add(data)

    def _attribute(self, tag: str, name: str, value: str) -> None:
        if tag == "meta" and name == "content" and any(known.fullmatch(value) for known in META):
            return
        if name not in DRAWING or not re.fullmatch(DRAWING[name], value):
            self._add(value)
            if name not in DRAWING:
                self._add_name(name)

    def _add_name(self, name: str) -> None:
        if not KNOWN_NAMES.fullmatch(name):
            self._add(re.sub("^(data|aria)-", "", name))

    def _add(self, text: str) -> str:
        shown = plain(text)
        if shown:
            self.found.append(Passage(shown, "", self.block, self.place))
        return shown


def _unescaped(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    return chr(code) if code <= sys.maxunicode else ""
