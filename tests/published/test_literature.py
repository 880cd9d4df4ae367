"""What the literature prints for Tarragona, beside our losses and their bound."""

import json

import pytest

from shoal.reproduce.literature.literature_tables import compare
from shoal.reproduce.literature.own_losses import ComparisonLimits, own_losses, z_scores
from shoal.reproduce.literature.printed_losses import NOT_CONFIRMED, SETS, SIZES, printed_losses

LEAST = ComparisonLimits(proposals=300_000, seconds=1)


@pytest.fixture(scope="module")
def tarragona(reference_data):
    return compare(LEAST, ["tarragona"], [3, 10])


@pytest.mark.gate
def test_ours_are_below_what_is_printed_and_above_the_bound(tarragona):
    assert {(row.row, row.column) for row in tarragona.rows} == {
        (method, f"k={k}") for method in ("MDAV", "V-MDAV, gamma 0", "V-MDAV") for k in (3, 10)
    }
    assert all(row.holds for row in tarragona.rows)
    for one in json.loads(tarragona.extra["losses.json"]):
        assert one["bound"] <= one["losses"]["microaggregate"] == min(one["losses"].values())
        assert one["gap"] == pytest.approx(100 * (one["losses"]["microaggregate"] / one["bound"] - 1))


@pytest.mark.gate
def test_our_losses_are_the_same_once_more(tarragona):
    first = json.loads(tarragona.extra["losses.json"])[0]
    assert own_losses("tarragona", z_scores("tarragona"), 3, LEAST).losses == first["losses"]
    assert first["losses"]["MDAV"] == pytest.approx(16.9326, abs=0.5e-4)


@pytest.mark.gate
def test_every_printed_figure_names_its_source_and_is_shown(tarragona):
    shown = tarragona.to_markdown()
    for one in printed_losses():
        assert "(200" in one.source
        for k in (3, 10):
            if ("tarragona", k) in one.losses:
                assert f"{one.losses['tarragona', k]:g}" in shown
                assert one.source in shown
    assert all(name in tarragona.note for name in NOT_CONFIRMED)


def test_losses_in_blocks_of_a_tree_are_the_printed_sse_over_the_number_of_cells():
    in_blocks = [one for one in printed_losses() if "2^d-tree" in one.method]
    assert [one.losses["eia", 3] for one in in_blocks] == pytest.approx([1.01494, 1.03214], abs=1e-5)
    assert {at for one in printed_losses() for at in one.losses} == {(name, k) for name in SETS for k in SIZES}
