"""The choice of the columns to be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from shoal.errors import SourceError


def chosen(where: object, there: Sequence[str], wanted: Iterable[str] | None) -> list[str]:
    """The wanted columns, in the requested order; all of them where ``wanted`` is None. Raises SourceError for unknown,
    repeated or unfit names: a damaged file may have columns without a name."""
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
    """Whether the name has no lone surrogates, which a Python text may hold and no file can."""
    return not any("\ud800" <= character <= "\udfff" for character in name)
