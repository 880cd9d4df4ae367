"""The choice of the columns to be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from shoal.errors import SourceError


def select_columns(where: object, available: Sequence[str], requested: Iterable[str] | None) -> list[str]:
    """The requested columns, each once and in their order; all columns where ``requested`` is None.

    Raises SourceError if a requested column does not exist, or if the source has repeated or invalid names: a damaged
    file may have columns without a name."""
    invalid = [position for position, name in enumerate(available, start=1) if not _is_unicode(name)]
    if invalid:
        raise SourceError.invalid_names(where, invalid)
    n_by_name = Counter(available)
    repeated = [position for position, name in enumerate(available, start=1) if n_by_name[name] > 1]
    if repeated:
        raise SourceError.repeated_columns(where, repeated)
    names = list(available) if requested is None else list(dict.fromkeys(requested))
    unknown = [name for name in names if name not in n_by_name]
    if unknown:
        raise SourceError.unknown_columns(where, unknown, available)
    return names


def _is_unicode(name: object) -> bool:
    """Whether the name is a text without lone surrogates, which a Python text may hold and no file can."""
    return isinstance(name, str) and not any("\ud800" <= character <= "\udfff" for character in name)
