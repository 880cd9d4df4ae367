"""The table of recodings: a column of reasons only where the policy gives some; and the order of the attacks."""

from types import SimpleNamespace

import pytest

from shoal.assessment.recoding_summary import RecodingSummary
from shoal.assessment.risk.attack import Attack
from shoal.findings import Finding
from shoal.report.attack_table import attack_table
from shoal.report.sections.recoding_section import section
from shoal.report.text_nodes import Table


@pytest.mark.parametrize(("reasons", "shown"), [({}, False), ({"zip": "regions are enough"}, True)])
def test_reasons_are_a_column_only_where_there_are_some(reasons, shown):
    """A column of empty cells would push the others out of the page."""
    manifest = SimpleNamespace(policy={"columns": {"zip": {"recode": {"prefix": 2}}}})
    recodings = (RecodingSummary(column="zip", n_before=9, n_after=3, changed=100.0, loss=None, unused=()),)
    made = section(manifest, SimpleNamespace(recodings=recodings, reasons=reasons))
    (table,) = (part for part in made.parts if isinstance(part, Table))
    assert ("Reason" in table.head) == shown
    assert {len(row) for row in table.rows} == {len(table.head)} == {len(table.align)}


def test_one_column_stands_before_two_and_three():
    names = {"partial knowledge": ("two", "three"), "outside columns": ("untouched", "one")}
    attacks = [
        Attack(subject, "an acquaintance", "columns", Finding(name, 0.0, "a share"))
        for subject, listed in names.items()
        for name in listed
    ]
    assert [row[0].text for row in attack_table(attacks).rows] == ["untouched", "one", "two", "three"]
