"""A damaged file may have columns without a name: it is refused with a reason."""

import pytest

from shoal.errors import SourceError
from shoal.sources.columns import select_columns


def test_a_column_without_a_name_is_refused():
    with pytest.raises(SourceError, match="the names of columns 2 are not valid Unicode"):
        select_columns("damaged.sav", ["age", None], None)
