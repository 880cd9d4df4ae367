"""Parts: the Parquet files that are one table together, in a folder or under a pattern such as data/*.parquet.

Their order is that of their names, character by character. Hidden files and those that begin with _ (as _SUCCESS) are
no parts. A table that is written to a folder is asked for by the extension .parts.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

from shoal.errors import PartsError, SourceError

EXTENSION = ".parts"
PARQUET = (".parquet", ".pq")
WILDCARDS = "*?["
MOST_PARTS = 100_000  # names of more would not be in the order of their numbers


def has_parts(path: Path) -> bool:
    """Whether the path names several files: a folder, or a pattern in its last component."""
    return path.is_dir() or is_pattern(path)


def is_pattern(path: Path) -> bool:
    return any(sign in path.name for sign in WILDCARDS) and not path.exists()


def is_written_in_parts(path: Path) -> bool:
    return path.suffix.lower() == EXTENSION


def is_parquet(path: Path) -> bool:
    """Whether what is written to this path is Parquet."""
    return is_written_in_parts(path) or path.suffix.lower() in PARQUET


def part_name(number: int) -> str:
    """The name of a part that is written; ``number``: from 0 on."""
    if number >= MOST_PARTS:
        raise PartsError.too_many(MOST_PARTS)
    return f"part-{number:05}.parquet"


def parts_of(path: Path) -> list[Path]:
    """The parts of a folder or pattern, or the file itself. Raises PartsError where there are none, or where something
    else is there: Shoal does not guess what belongs to a table."""
    if not has_parts(path):
        return [path]
    found = _entries(path)
    folders = [each.name for each in found if each.is_dir() and not each.name.startswith(".")]
    if folders:
        raise PartsError.nested(path, folders)
    parts = [each for each in found if not is_ignored(each)]
    others = [each.name for each in parts if each.suffix.lower() not in PARQUET]
    if others:
        raise PartsError.not_parquet(path, others)
    if not parts:
        raise PartsError.no_match(path) if is_pattern(path) else PartsError.no_parts(path)
    return parts


def is_ignored(path: Path) -> bool:
    """Whether a file of a folder is none of its parts by its name."""
    return path.name.startswith((".", "_"))


def would_be_part(path: Path, source: Path) -> bool:
    """Whether a file that gets this path is then one of the files that ``source`` names."""
    if source.is_dir():
        return path.parent.samefile(source)
    return (
        is_pattern(source)
        and source.parent.is_dir()
        and path.parent.samefile(source.parent)
        and fnmatchcase(path.name, source.name)
    )


def _entries(path: Path) -> list[Path]:
    try:
        found = path.iterdir() if path.is_dir() else path.parent.glob(path.name)
        return sorted(found, key=lambda each: each.name)
    except PermissionError:
        raise SourceError.no_permission(path) from None
