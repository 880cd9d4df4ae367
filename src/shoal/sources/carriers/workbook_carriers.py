"""Carriers of Excel workbooks: every part of the archive that is not a cell of the one sheet.

Every part, element or property that a plain table of cells does not need is a carrier: comments, links, named ranges,
filters, rules that contain values, pictures, caches, names of people.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from shoal.errors import SourceError
from shoal.sources.carriers.carrier import Carrier, carrier_if_any

SHEET, STRINGS, BOOK, STYLES = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/workbook.xml", "xl/styles.xml"
CORE, APP = "docProps/core.xml", "docProps/app.xml"
PARTS = {
    "[Content_Types].xml", "_rels/.rels", "xl/_rels/workbook.xml.rels", "xl/theme/theme1.xml",
    SHEET, STRINGS, BOOK, STYLES, CORE, APP,
}  # fmt: skip
ELEMENTS: Mapping[str, set[str]] = {
    SHEET: {
        "worksheet", "sheetPr", "outlinePr", "pageSetUpPr", "tabColor", "dimension", "sheetViews", "sheetView", "pane",
        "selection", "sheetFormatPr", "cols", "col", "sheetData", "row", "c", "v", "is", "t", "pageMargins",
        "pageSetup", "printOptions",
    },
    BOOK: {
        "workbook", "fileVersion", "workbookPr", "workbookProtection", "bookViews", "workbookView", "sheets", "sheet",
        "definedNames", "calcPr",
    },
    STRINGS: {"sst", "si", "t"},
}  # fmt: skip
WELL_KNOWN = {
    "autoFilter", "conditionalFormatting", "dataValidations", "definedName", "extLst", "f", "headerFooter",
    "hyperlinks",
}  # fmt: skip
TAG = re.compile(rb"<(?:\w+:)?([A-Za-z]\w*)")
TEXT = re.compile(rb"<(?:\w+:)?(\w+)[^>]*>([^<]+)<")
COMMENT = re.compile(rb"<!|<\?(?!xml\s)")
SHARED = re.compile(rb"<(?:\w+:)?c\b[^>]*\bt=[\"']s[\"'][^>]*>\s*<(?:\w+:)?v>(\d+)<")
HIDDEN = re.compile(rb"\bstate=[\"'](?:hidden|veryHidden)[\"']")
OUTSIDE = re.compile(rb"TargetMode=[\"']External[\"']")
FORMAT = re.compile(rb"\bformatCode=(?:\"([^\"]*)\"|'([^']*)')")
HARMLESS_FORMAT = re.compile(rb"(?:General|AM/PM|[ymdhsYMDHS0#?.,:;/+() @%_*\\E\[\]-])*")
STYLE = re.compile(rb"<(?:\w+:)?cellStyle\b(?![^>]*\bbuiltinId=)")
TIMES, PROGRAM = {b"created", b"modified"}, {b"Application", b"AppVersion"}
PROGRAM_NAMES = {b"openpyxl"}  # a program's name where a person's would be

PLAIN = "copy the cells, values only, into a new workbook"
NO_PROPERTIES = "remove document properties and personal information, or copy the cells into a new workbook"


def carriers(path: Path) -> Iterator[Carrier]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield from _archive_carriers(archive)
            parts = {name: archive.read(name) for name in archive.namelist() if name in PARTS}
    except (zipfile.BadZipFile, NotImplementedError, EOFError, zlib.error):
        raise SourceError.damaged(path) from None
    yield from _part_carriers(parts)


def _archive_carriers(archive: zipfile.ZipFile) -> Iterator[Carrier]:
    entries = archive.infolist()
    unexpected = [entry for entry in entries if entry.filename not in PARTS]
    comments = sum(bool(entry.comment) for entry in entries) + bool(archive.comment)
    extra = sum(bool(entry.extra) for entry in entries)
    n_before = min((entry.header_offset for entry in entries), default=0)
    yield from carrier_if_any(
        "parts other than cells, such as comments, drawings or further sheets", len(unexpected), PLAIN
    )
    yield from carrier_if_any("comments of the archive", comments, PLAIN)
    yield from carrier_if_any("extra fields of the archive", extra, PLAIN)
    yield from carrier_if_any(
        "parts with the same name", len(entries) - len({entry.filename for entry in entries}), PLAIN
    )
    yield from carrier_if_any("bytes before the archive", n_before, PLAIN)


def _part_carriers(parts: Mapping[str, bytes]) -> Iterator[Carrier]:
    unexpected = {tag for name in ELEMENTS for tag in _tags(parts.get(name, b"")) - ELEMENTS[name]}
    yield from carrier_if_any(_element_names(unexpected), len(unexpected), PLAIN)
    yield from carrier_if_any(
        "comments in its parts", sum(len(COMMENT.findall(part)) for part in parts.values()), PLAIN
    )
    yield from carrier_if_any("parts that are not in UTF-8", sum(b"\0" in part for part in parts.values()), PLAIN)
    yield from carrier_if_any("hidden sheets", len(HIDDEN.findall(parts.get(BOOK, b""))), "delete them")
    yield from carrier_if_any(
        "links", sum(len(OUTSIDE.findall(part)) for name, part in parts.items() if name.endswith(".rels")), PLAIN
    )
    yield from carrier_if_any("texts that no cell shows", _n_unused(parts), PLAIN)
    yield from carrier_if_any("number formats that contain text", _n_formats(parts.get(STYLES, b"")), PLAIN)
    yield from carrier_if_any("named styles", len(STYLE.findall(parts.get(STYLES, b""))), PLAIN)
    yield from _property_carriers(parts)


def _element_names(unexpected: set[str]) -> str:
    """Names those elements that are well known."""
    known = sorted(unexpected & WELL_KNOWN)
    return "elements other than cells" + (f", among them {', '.join(known)}" if known else "")


def _tags(part: bytes) -> set[str]:
    return {tag.decode() for tag in set(TAG.findall(part))}


def _n_unused(parts: Mapping[str, bytes]) -> int:
    """Number of shared strings that no cell of the sheet shows."""
    n_listed = len(re.findall(rb"<(?:\w+:)?si\b", parts.get(STRINGS, b"")))
    return n_listed - len({int(number) for number in SHARED.findall(parts.get(SHEET, b""))} & set(range(n_listed)))


def _n_formats(styles: bytes) -> int:
    return sum(HARMLESS_FORMAT.fullmatch(one or other) is None for one, other in FORMAT.findall(styles))


def _property_carriers(parts: Mapping[str, bytes]) -> Iterator[Carrier]:
    texts = [found for name in (CORE, APP) for found in TEXT.findall(parts.get(name, b"")) if found[1].strip()]
    times = [tag for tag, _ in texts if tag in TIMES]
    program = [tag for tag, text in texts if tag in PROGRAM or text in PROGRAM_NAMES]
    yield from carrier_if_any("document properties", len(texts) - len(times) - len(program), NO_PROPERTIES)
    yield from carrier_if_any("times of writing", len(times))
    yield from carrier_if_any("names of the program", len(program))
