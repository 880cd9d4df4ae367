"""The information losses that the literature prints for MDAV."""

import pytest


@pytest.mark.usefixtures("reference_data")
def test_the_twelve_losses_to_four_decimals():
    from shoal.reproduce import reproduction

    rows = reproduction("mdav").rows
    assert len(rows) == 12
    assert [row for row in rows if not row.holds] == []
