"""Linkage of assess within the blocks that the policy names."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.comparison import ComparedPolicy, Comparison, PolicyOutcome
from shoal.errors import LinkageError
from shoal.linkage.linkage_risk import NOT_COMPARED
from shoal.report.comparison_outline import comparison_outline
from shoal.report.external import public_attacks
from shoal.report.external.external_outline import external_comparison
from shoal.report.external.share_steps import ShareSteps

STEPS = ShareSteps(300, 3)
NUMBERS = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in ("a", "b", "c d")}


def people(n=300):
    rng = np.random.default_rng(0)
    values = {name: rng.normal(size=n).round(3) for name in NUMBERS}
    return pa.table({**values, "town": rng.choice(["x", "y", "z"], n), "pay": rng.integers(0, 9, n)})


def policy_with(*blockings):
    return {
        "columns": {**NUMBERS, "town": {"role": "quasi_identifier", "kind": "nominal"}, "pay": {"role": "sensitive"}},
        "perturbations": [{"name": "rank_swap", "p": 12, "columns": list(NUMBERS)}],
        "requirements": [],
        "linkage": {"blocking": list(blockings)},
        "seed": 3,
    }


def assessed(*blockings):
    policy = policy_with(*blockings)
    release = shoal.protect(people(), policy)
    return shoal.assess(people(), release.table, policy), release, policy


FUZZY = {"method": "fuzzy", "keys": ["a", "b", "c d"], "n_blocks": 8}


@pytest.mark.gate
@pytest.mark.linkage
def test_attacks_search_within_the_blocks_and_say_so():
    free, _, _ = assessed()
    found, release, policy = assessed(FUZZY)
    for by in ("distance", "rank", "probabilistic"):
        linkage = found.linkages[by]
        recall = linkage.blocking.recall
        assert linkage.risk <= recall < 1  # nobody outside of the blocks is found
        assert f"{100 * recall:.4g} % of the true" in found.findings[f"linked persons, {by}"].meaning
        assert found.findings[f"recall of the blocking, {by}"].estimate == pytest.approx(100 * recall)
        assert any(note.startswith(f"{by.capitalize()} linkage searched within") for note in found.notes)
        linked = shoal.link(people(), release.table, policy, by=by, intruder=shoal.Intruder(columns=linkage.columns))
        assert linked.risk == linkage.risk
        assert free.linkages[by].blocking is None
    for notes in (found.notes, release.assessment.notes):  # one of each linkage
        assert all("searched within" in note for note in notes if "true pairs" in note)
    assert release.assessment.linkages["distance"].to_dict() == found.linkages["distance"].to_dict()
    assert found.linkages["informed"].risk == free.linkages["informed"].risk  # has no blocks
    assert found.strongest_linkage[1].risk == max(linkage.risk for linkage in found.linkages.values())


def test_pages_and_the_comparison_count_whom_the_blocks_lose():
    everything, _, _ = assessed(FUZZY)
    found = replace(everything, linkages={by: everything.linkages[by] for by in ("rank", "distance")}, attacks=())
    worst = 100 * max(linkage.highest_risk for linkage in found.linkages.values())
    rows = public_attacks.section(found, STEPS).parts[1].rows
    (linked,) = [row for row in rows if row[0].text == "Link persons with records"]
    assert (linked[2].text, linked[2].note) == (STEPS.up_to(worst), NOT_COMPARED)
    outcome = PolicyOutcome.of(found, 1, proven=False, seconds=0.1)
    comparison = Comparison((ComparedPolicy("p", {}, outcome),))
    assert outcome.linked_persons < worst
    assert comparison.points[0].risk == pytest.approx(worst)
    for outline in (comparison_outline(comparison, "people"), external_comparison(comparison, 300, 3)):
        notes = [cell.note for row in figure_rows(outline) for cell in row]
        assert any(NOT_COMPARED in note for note in notes)


def figure_rows(outline):
    (section,) = [section for section in outline.sections if section.name == "figures"]
    return section.parts[1].rows


@pytest.mark.gate
def test_keys_that_the_intruder_does_not_know_leave_all_pairs():
    free, _, _ = assessed()
    found, _, _ = assessed({"method": "standard", "keys": ["pay", "town"]})
    assert found.linkages["distance"].risk == free.linkages["distance"].risk
    assert found.linkages["distance"].blocking is None
    assert any("compared all pairs" in note and "pay" in note for note in found.notes)


def test_link_takes_the_blocks_of_the_policy_only_where_the_intruder_knows_the_keys():
    _, release, policy = assessed({"method": "standard", "keys": ["town"]})
    partly, wholly = shoal.Intruder(columns=("a", "b")), shoal.Intruder(columns=("a", "town"))
    linked = shoal.link(people(), release.table, policy, intruder=partly)
    assert linked.blocking is None
    assert [note for note in linked.notes if "compared all pairs" in note and "town" in note]
    assert linked.risk == shoal.link(people(), release.table, policy, intruder=partly, blocking="none").risk
    assert shoal.link(people(), release.table, policy, intruder=wholly).blocking is not None
    by_hand = shoal.StandardBlocking(("town",))
    with pytest.raises(LinkageError, match=r"the intruder does not know 'town'.* They know: a, b"):
        shoal.link(people(), release.table, policy, intruder=partly, blocking=by_hand)


@pytest.mark.gate
def test_several_passes_keep_more():
    window = {"method": "sorted", "keys": ["a"], "window": 0.1}
    one, two = (assessed(*rules)[0].linkages["distance"].blocking for rules in ((FUZZY,), (FUZZY, window)))
    assert one.recall < two.recall
    assert one.n_pairs < two.n_pairs
