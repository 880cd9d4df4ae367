"""The dictionary of an SPSS system file, record by record, as documented by PSPP.

Variables and value labels are read elsewhere; every other record is part of the structure of the file, or something
that is not a cell.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import IO

HEADER = 176  # bytes before the first record
END = 999  # type of the last record before the cells
# Extensions that describe the structure of the file: integers, reals, display widths, long names, long texts,
# number of records, encoding, labels and missing values of long texts.
KNOWN = {3, 4, 11, 13, 14, 16, 20, 21, 22}
UNKNOWN = -1


def n_unknown_records(path: Path) -> int:
    """Number of records that are not of variables, labels or structure. Documents are reported by the library
    itself."""
    with path.open("rb") as file:
        file.seek(HEADER)
        try:
            return sum(kind == UNKNOWN for kind in _kinds(file))
        except (struct.error, IndexError):
            return 1  # not as documented: its content is unknown


def _kinds(file: IO[bytes]) -> Iterator[int]:
    """The type of each record, up to the first cell."""
    while (kind := _int(file)) != END:
        match kind:
            case 2:  # a variable
                _skip_variable(file)
            case 3:  # labels of values
                _skip_labels(file)
            case 4:  # the variables that have them
                file.seek(4 * _count(file), 1)
            case 6:  # documents, in lines of 80 bytes
                file.seek(80 * _count(file), 1)
            case 7:  # an extension
                subtype, size, count = _int(file), _count(file), _count(file)
                file.seek(size * count, 1)
                kind = kind if subtype in KNOWN else UNKNOWN
            case _:
                yield UNKNOWN
                return
        yield kind


def _int(file: IO[bytes]) -> int:
    (number,) = struct.unpack("<i", file.read(4))
    return int(number)


def _count(file: IO[bytes]) -> int:
    """A number that is not negative, so that reading never moves back and always ends."""
    number = _int(file)
    if number < 0:
        raise struct.error
    return number


def _skip_variable(file: IO[bytes]) -> None:
    """Skips its width, whether it has a label, the number of missing values, two formats and its short name."""
    _, has_label, n_missing, _, _ = (_int(file) for _ in range(5))
    file.seek(8, 1)
    if has_label:
        n_bytes = _count(file)
        file.seek(-(-n_bytes // 4) * 4, 1)
    file.seek(8 * abs(n_missing), 1)


def _skip_labels(file: IO[bytes]) -> None:
    """Skips values of eight bytes, each with a padded text that is preceded by its length."""
    for _ in range(_count(file)):
        file.seek(8, 1)
        n_bytes = file.read(1)[0]
        file.seek(-(-(n_bytes + 1) // 8) * 8 - 1, 1)
