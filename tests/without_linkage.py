"""Tests that ask what is released, and not what is measured of it, do not search their releases for all persons, ask
them no count queries, and leave the second lock to other rooms (`tests/verifier`, `tests/golden`, `tests/engines`).

All of this takes most of the time of a small release and changes nothing in it (`test_pipeline_own_linkage.py`). What
asks for figures, or for whatever goes wrong on the way, has the mark ``linkage``.
"""

from __future__ import annotations

from typing import Any

import pytest

from shoal.assessment.assessment import Assessment
from shoal.findings import Findings
from shoal.pipeline.protect import own_assessment, plan_report, proven_release


@pytest.fixture(autouse=True)
def without_linkage(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.node.get_closest_marker("linkage"):
        monkeypatch.setattr(own_assessment, "_with_linkage", _as_it_is)
        monkeypatch.setattr(plan_report, "_query_findings", lambda *_: Findings())
        monkeypatch.setattr(proven_release, "check_by_verifier", lambda *_: None)


def _as_it_is(assessment: Assessment, *_: Any) -> Assessment:
    return assessment
