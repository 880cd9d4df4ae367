"""The experiments of GenSearch: the paper's numbers of splits, and two searches that agree."""

import json
from collections import Counter

import pytest

from shoal import datasets
from shoal.methods.generalization.enumeration.enumerate_partitions import enumerate_partitions
from shoal.methods.generalization.gensearch import gensearch
from shoal.reproduce.gensearch.experiment_data import ADULT, FIVES, Privacy, adult, census_income
from shoal.reproduce.gensearch.experiments import CENSUS, COARSE, COMBINED, FINER
from shoal.reproduce.gensearch.gensearch_paper import StudyLimits
from survey_example import shell

pytestmark = pytest.mark.slow


@pytest.mark.usefixtures("reference_data")
def test_the_numbers_of_splits_are_the_paper_s():
    assert adult().n_splits == 101  # Experiments 1 and 2
    assert adult(ages=(18, *FIVES)).n_splits == 102  # 4
    assert adult([name for name in ADULT if name != "native-country"], FINER).n_splits == 66  # 7
    assert census_income(CENSUS).n_splits == 30  # 3 and 6
    assert census_income(COARSE).n_splits == 21  # 5


@pytest.mark.usefixtures("reference_data")
def test_enumeration_and_search_over_boxes_prove_the_same_optimum():
    ground = census_income(COARSE)
    wanted = ground.requirements(COMBINED[0])
    one = enumerate_partitions(ground.table, ground.schema, wanted, cuts=ground.cuts, start=None)
    other = gensearch(ground.table, ground.schema, wanted, cuts=ground.cuts)
    assert one.is_optimal
    assert other.is_optimal
    assert one.cost == other.cost == 3_569_500_034


@pytest.mark.usefixtures("reference_data")
def test_the_command_runs_through_with_the_least_limits(tmp_path, monkeypatch):
    """All rows are there, from the runs and from every study, and what they say is what the files say."""
    whole = datasets.adult(), datasets.census_income()
    monkeypatch.setattr("shoal.reproduce.gensearch.experiment_data.datasets.adult", lambda: whole[0].slice(0, 1500))
    monkeypatch.setattr(
        "shoal.reproduce.gensearch.experiment_data.datasets.census_income", lambda: whole[1].slice(0, 2000)
    )
    monkeypatch.setattr("shoal.reproduce.gensearch.gensearch_paper.QUICK", StudyLimits(0.01, 0.01, 0.01, 10))
    monkeypatch.setattr("shoal.methods.generalization.enumeration.limits.NODES_PER_CHECK", 16)
    lenient = Privacy(1000, l=2, t=0.3), Privacy(500, l=2, t=0.3, sigma=500), Privacy(100)
    monkeypatch.setattr("shoal.reproduce.gensearch.experiments.COMBINED", lenient)
    monkeypatch.setattr("shoal.reproduce.gensearch.studies.NINTH", Privacy(500, l=2, t=0.3))
    said = shell("reproduce", "gensearch", "-o", tmp_path, "--json")
    rows = json.loads(said.out)
    assert said.code == int(not all(row["holds"] for row in rows))
    assert Counter(row["table"] for row in rows) == {
        "Experiment 1": 8,
        "Experiment 2": 6,
        "Experiment 3": 7,
        "Experiment 4": 6,
        "Experiment 5": 7,
        "Experiment 6": 6,
        "Experiment 7": 6,
        "Experiment 8": 1,
        "Experiment 9": 1,
        "Figure 23": 2,
        "Figure 24": 2,
        "Scalability": 12,
    }
    (folder,) = tmp_path.iterdir()
    runs = json.loads((folder / "runs.json").read_text())
    assert len(runs) == 21
    boxes = [row["ours"] for row in rows if row["column"] == "Mondrian / boxes"][: len(runs)]
    assert boxes == [pytest.approx(one["mondrian"] / one["gensearch"]) for one in runs]
    assert all(one["lower_bound"] <= one["gensearch"] for one in runs)
