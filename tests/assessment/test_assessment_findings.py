"""Findings say what they mean, and risks from counts are what counting gives."""

import pytest

from shoal.assessment.risk.class_sizes import ClassSizes
from shoal.assessment.risk.count_risks import count_risks
from shoal.findings import Finding, Findings


def test_risks_from_class_sizes():
    findings = count_risks(ClassSizes.of([1, 1, 1, 5]), ClassSizes.of([3, 5]), k=3)
    assert findings["k reached"].estimate == 3
    assert findings["highest prosecutor risk"].estimate == pytest.approx(100 / 3)
    assert findings["mean prosecutor risk"].estimate == pytest.approx(100 * 2 / 8)
    assert findings["unique records"].estimate == 0
    assert findings["unique records"].baseline == pytest.approx(100 * 3 / 8)


def test_findings_are_found_by_name_and_add_up():
    both = Findings((Finding("a", 1, "one"),)) + Findings((Finding("b", 2, "two", unit="%", goal=3),))
    assert [finding.name for finding in both] == ["a", "b"]
    assert both["b"].shown(both["b"].estimate) == "2 %"
    with pytest.raises(KeyError):
        both["c"]


def test_html_escapes():
    page = Findings((Finding("<b>", 1, "a & b"),))._repr_html_()
    assert "&lt;b&gt;" in page
    assert "a &amp; b" in page


def test_sizes_of_different_classes_add_up():
    together = ClassSizes.of([1, 1, 4]) + ClassSizes.of([]) + ClassSizes.of([4, 2])
    assert (together.n_records, together.n, together.smallest, together.n_unique) == (12, 5, 1, 2)
    assert together.sizes.tolist() == [1, 2, 4]
