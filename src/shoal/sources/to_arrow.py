"""Python values, or those of another library, as one Arrow array."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from shoal.errors import SourceError


def to_array(where: object, name: str, values: Any) -> Any:
    """The values of one column; anything else is refused with an error that shows no cell."""
    if isinstance(values, str | bytes):
        raise SourceError.not_a_column(where, name)
    try:
        return pa.array(values, from_pandas=True)
    except UnicodeError:
        raise SourceError.not_unicode(where, name) from None
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        raise SourceError.mixed_column(where, name) from None
    except TypeError:  # not iterable
        raise SourceError.not_a_column(where, name) from None
