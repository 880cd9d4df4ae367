"""Results in a notebook: the outline of their report as a part of another page."""

import re

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal import notebook
from shoal.linkage.linkage_risk import Linkage
from shoal.linkage.record_links import Links
from survey_example import of_records, survey, survey_policy

ODD = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def results():
    policy, table = of_records(survey_policy(limits={"linked_persons": 0.5})), survey()
    release = shoal.protect(table, policy)
    found = shoal.assess(table, release.records, truth="position")
    return {
        "Release report": release,
        "Risk and utility": found,
        "Comparison of policies": shoal.compare(table, policy, grid={"requirements.0.k": [3, 5]}),
        "Record linkage": found.linkages["distance"],
        "Profile of the original": shoal.profile(table, policy),
        "Why at risk, and what mends it": shoal.mend(table, policy),
    }


@pytest.mark.gate
def test_every_result_shows_the_outline_of_its_report(results):
    for title, result in results.items():
        shown = result._repr_html_()
        assert f"<h1>{title}</h1>" in shown
        assert shown.count("<details") == shown.count("</details>") > 0
        assert shown.count("<details open") == 1  # the first section


@pytest.mark.gate
def test_a_fragment_is_no_page_and_changes_nothing_else(results):
    """No script, no request, no rule outside of its own scope."""
    for result in results.values():
        shown = result._repr_html_()
        assert len(shown) < 300_000
        for part in ("<script", "<html", "<body", "<link", "src=", "url(", "@import"):
            assert part not in shown
        (style,) = re.findall(r"<style>(.*?)</style>", shown, re.DOTALL)
        assert style.startswith("@scope (.shoal) {")
        assert style.count("{") == style.count("}")
        assert not re.search(r"(^|[\s,{}])(body|:root)\b", style)


def test_names_of_columns_are_escaped():
    table = pa.table({ODD: np.arange(40.0), "y": np.arange(40.0) % 7})
    for shown in (
        shoal.link(table, table, truth="position")._repr_html_(),
        shoal.assess(table, table, truth="position")._repr_html_(),
    ):
        assert ODD not in shown
        assert "&lt;script&gt;" in shown


def test_without_a_renderer_the_text_is_shown(monkeypatch):
    monkeypatch.setattr(notebook, "RENDERERS", {})
    one = np.zeros(1, dtype=np.int64)
    links = Links(one, np.zeros(1), one + 1, np.ones(1))
    linkage = Linkage(one, one, links, np.ones(1), None, 1, 1, ("x",), None)
    assert linkage._repr_html_() is None
