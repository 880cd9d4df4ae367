"""Carriers of compressed files: gzip stores the name and time of the original file, zstd may hold arbitrary extra
frames."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from shoal.sources.carriers.carrier import Carrier, carrier_if_any
from shoal.sources.carriers.zstd_frames import frames_without_records

GZIP = b"\x1f\x8b"
EXTRA, NAME, COMMENT, CHECK = 4, 8, 16, 2  # flags of a gzip header, RFC 1952
CHUNK = 1 << 20
WITHOUT_NAME = "compress it again with 'gzip -n', which stores none of these"


def carriers(path: Path) -> Iterator[Carrier]:
    with path.open("rb") as file:
        match path.suffix.lower():
            case ".gz":
                yield from _gzip_carriers(file)
            case ".zst":
                yield from carrier_if_any(
                    "frames without records", sum(frames_without_records(file)), "compress it again with 'zstd'"
                )
            case _:
                return


@dataclass(frozen=True)
class Header:
    """What the header of one member of a gzip file contains."""

    has_name: bool
    has_comment: bool
    has_extra: bool
    has_time: bool
    n_bytes: int


NOT_A_MEMBER = Header(False, False, True, False, 0)  # bytes that are not a member: reading stops there


def _gzip_carriers(file: IO[bytes]) -> Iterator[Carrier]:
    headers = list(_headers(file))
    yield from carrier_if_any("names of compressed files", sum(header.has_name for header in headers), WITHOUT_NAME)
    yield from carrier_if_any("comments of gzip", sum(header.has_comment for header in headers), WITHOUT_NAME)
    yield from carrier_if_any("extra fields of gzip", sum(header.has_extra for header in headers), WITHOUT_NAME)
    yield from carrier_if_any("times of writing", sum(header.has_time for header in headers))


def _headers(file: IO[bytes]) -> Iterator[Header]:
    """The headers of all members: a file may have several, one after the other."""
    content = _skip_zeros(file.read(CHUNK), file)
    while content:
        header = _header(content) if content.startswith(GZIP) else NOT_A_MEMBER
        yield header
        if header is NOT_A_MEMBER:
            return
        content = _skip_zeros(_after_member(content[header.n_bytes :], file), file)


def _skip_zeros(content: bytes, file: IO[bytes]) -> bytes:
    """The content, or the next chunk that is not just zero padding."""
    while content and not content.lstrip(b"\0"):
        content = file.read(CHUNK)
    return content


def _header(content: bytes) -> Header:
    flags, at = int.from_bytes(content[3:4]), 10
    if flags & EXTRA:
        at += 2 + int.from_bytes(content[at : at + 2], "little")
    for flag in (NAME, COMMENT):
        if flags & flag:
            at = content.find(b"\0", at) + 1 or len(content)
    if flags & CHECK:
        at += 2
    return Header(bool(flags & NAME), bool(flags & COMMENT), bool(flags & EXTRA), any(content[4:8]), at)


def _after_member(packed: bytes, file: IO[bytes]) -> bytes:
    """What follows the member whose compressed bytes begin here, with enough bytes for the next header to be complete.
    Little is decompressed at a time, however much there is."""
    unpacked = zlib.decompressobj(-zlib.MAX_WBITS)
    while packed and not unpacked.eof:
        unpacked.decompress(packed, CHUNK)
        packed = unpacked.unused_data if unpacked.eof else unpacked.unconsumed_tail or file.read(CHUNK)
    rest = packed + file.read(CHUNK)
    return rest[8:]  # skips its checksum and length
