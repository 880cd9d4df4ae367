"""Columns: which of those there are to be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from shoal.errors import SourceError


def chosen(where: object, there: Sequence[str], wanted: Iterable[str] | None) -> list[str]:
    """The wanted columns, in the order asked for; all of them where none are named. A damaged file may have columns
    without a name."""
    unfit = [place for place, name in enumerate(there, start=1) if not isinstance(name, str) or not _is_unicode(name)]
    if unfit:
        raise SourceError.unfit_names(where, unfit)
    n_named = Counter(there)
    repeated = [place for place, name in enumerate(there, start=1) if n_named[name] > 1]
    if repeated:
        raise SourceError.repeated_columns(where, repeated)
    names = list(there) if wanted is None else list(dict.fromkeys(wanted))
    unknown = [name for name in names if name not in n_named]
    if unknown:
        raise SourceError.unknown_columns(where, unknown, there)
    return names


def _is_unicode(name: str) -> bool:
    """A Python text may hold halves of characters, which no file can."""
    return not any("\ud800" <= character <= "\udfff" for character in name)
