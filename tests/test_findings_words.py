"""How figures are written: never as powers of ten."""

import pytest

from shoal.findings import Finding, four_digits
from shoal.report.words import percent


@pytest.mark.parametrize(
    ("figure", "shown"),
    [
        (4e-06, "0.000004"),
        (1234567.0, "1,235,000"),
        (12.34567, "12.35"),
        (0, "0"),
        (100.0, "100"),
        (-0.00001, "-0.00001"),
        (1e-130, "0"),
    ],
)
def test_a_figure_has_four_digits_and_no_power_of_ten(figure, shown):
    assert four_digits(figure) == shown
    assert percent(figure) == f"{shown}\u00a0%"
    assert Finding("loss", figure, "", unit="%").shown(figure) == f"{shown} %"
