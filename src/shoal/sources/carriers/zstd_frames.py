"""Frames of a zstd file (RFC 8878). Nothing is decompressed: a frame states the lengths of its blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

ZSTD, SKIPPED = b"\x28\xb5\x2f\xfd", b"\x2a\x4d\x18"  # start of a frame; of a skippable one, from its second byte on
LENGTHS_OF_SIZE, LENGTHS_OF_DICTIONARY = (0, 2, 4, 8), (0, 1, 2, 4)  # in bytes, by their flags
ONE_SEGMENT, CHECK = 32, 4  # flags of a header
REPEATED, RESERVED = 1, 3  # kinds of blocks


def frames_without_records(file: IO[bytes]) -> Iterator[bool]:
    """For each frame, whether it holds no records: it is skippable, damaged or unknown."""
    n_bytes = file.seek(0, 2)
    file.seek(0)
    while start := file.read(4):
        if start == ZSTD:
            yield not _skip_frame(file) or file.tell() > n_bytes
        else:
            yield True
            if start[1:] != SKIPPED or not 0x50 <= start[0] <= 0x5F:
                return
            file.seek(int.from_bytes(file.read(4), "little"), 1)


def _skip_frame(file: IO[bytes]) -> bool:
    """Whether the frame is well formed; the file is positioned after it then."""
    flags = int.from_bytes(file.read(1))
    n_size = LENGTHS_OF_SIZE[flags >> 6] or bool(flags & ONE_SEGMENT)
    file.seek((not flags & ONE_SEGMENT) + LENGTHS_OF_DICTIONARY[flags & 3] + n_size, 1)
    is_last = False
    while not is_last:
        block = file.read(3)
        number = int.from_bytes(block, "little")
        is_last, kind, n_bytes = bool(number & 1), number >> 1 & 3, number >> 3
        if len(block) < 3 or kind == RESERVED:
            file.seek(0, 2)
            return False
        file.seek(1 if kind == REPEATED else n_bytes, 1)
    file.seek(4 if flags & CHECK else 0, 1)
    return True
