"""What the Micro-SOM paper prints and claims."""

import json

import numpy as np
import pytest

import shoal
from shoal import datasets
from shoal.reproduce.micro_som import epochs, loss_figures, micro_som_paper, topologies, training_steps


@pytest.mark.gate
def test_table_1_is_reached_and_flat_in_k():
    losses = [row for row in micro_som_paper.table_1(micro_som_paper.uniform(100_000)) if "loss" in row.table]
    assert len(losses) == 10
    assert [row for row in losses if not row.holds] == []


@pytest.mark.gate
def test_refined_micro_som_comes_near_to_mdav():
    X = micro_som_paper.uniform(100_000)
    assert shoal.micro_som(X, 3, refined=True).check(3).information_loss(X) <= 0.075
    assert shoal.micro_som(X, 3, refined=True, rules=shoal.MapRules(size=300)).information_loss(X) <= 0.068


@pytest.mark.gate
@pytest.mark.usefixtures("reference_data")
def test_the_claims_of_figure_2():
    points = loss_figures.points()
    assert len(points) == 72
    rows = micro_som_paper.claims(points)
    assert len(rows) == 12
    assert [row for row in rows if not row.holds] == []
    assert set(loss_figures.files(points)) == {"figures.json", "figure2.svg", "figure3.svg"}


@pytest.mark.gate
def test_one_rough_and_one_fine_epoch_are_not_enough():
    made = epochs.files(micro_som_paper.uniform(5000))
    losses = [found["loss"] for found in json.loads(made["epochs.json"])["losses"]]
    assert losses[0] > 1.5 * losses[-1]
    assert made["epochs.svg"].startswith("<svg")


@pytest.mark.gate
def test_the_six_panels_of_figure_1():
    made = training_steps.files()
    steps = json.loads(made["steps.json"])
    assert {point["panel"][0] for point in steps["points"]} == set("abcdef")
    low = [point for point in steps["points"] if point["panel"][0] == "c" and point["look"] == "low"]
    assert low
    assert steps["lines"]
    assert made["steps.svg"].startswith("<svg")


@pytest.mark.gate
def test_the_study_of_topologies():
    X = shoal.standardize(datasets.uniform_array(600, 3, seed=0))
    made = topologies.files_of({"uniform": X})
    maps = {found["topology"]: found for found in json.loads(made["topologies.json"])["maps"]}
    assert len(maps) == 13
    assert maps["4 x the units"]["loss"] < maps["0.25 x the units"]["loss"]
    assert all(np.isfinite([found["loss"], found["refined"], found["combined"]]).all() for found in maps.values())
    assert made["topologies.md"].count("\n") == 15
