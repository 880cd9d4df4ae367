"""The experiments of GenSearch: the paper's numbers of splits, and two searches that agree."""

import json
from collections import Counter

import pytest

from shoal import datasets
from shoal.methods.generalization.enumeration.enumerate_partitions import enumerate_partitions
from shoal.methods.generalization.gensearch import gensearch
from shoal.reproduce.gensearch.enumerations import Enumerations
from shoal.reproduce.gensearch.experiment_data import ADULT, FIVES, Privacy, adult, census_income
from shoal.reproduce.gensearch.experiments import CENSUS, COARSE, FINER
from shoal.reproduce.gensearch.gensearch_paper import StudyLimits
from shoal.reproduce.gensearch.mondrians import mondrian_tree, problem_of
from shoal.reproduce.gensearch.studies import KEYS
from survey_example import shell


@pytest.mark.gate
@pytest.mark.usefixtures("reference_data")
def test_the_numbers_of_splits_are_the_paper_s():
    assert adult().n_splits == 101  # Experiments 1 and 2
    assert adult(ages=(18, *FIVES)).n_splits == 102  # 4
    assert adult([name for name in ADULT if name != "native-country"], FINER).n_splits == 66  # 7
    assert census_income(CENSUS).n_splits == 30  # 3 and 6
    assert census_income(COARSE).n_splits == 21  # 5


@pytest.mark.gate
@pytest.mark.usefixtures("reference_data")
def test_enumeration_and_search_over_boxes_prove_the_same_optimum():
    ground = census_income(COARSE)
    wanted = ground.requirements(Privacy(1000, l=2, t=0.1, sigma=10_000))
    one = enumerate_partitions(ground.table, ground.schema, wanted, cuts=ground.cuts, start=None)
    other = gensearch(ground.table, ground.schema, wanted, cuts=ground.cuts)
    assert one.is_optimal
    assert other.is_optimal
    assert one.cost == other.cost == 3_569_500_034


@pytest.mark.gate
@pytest.mark.usefixtures("reference_data")
@pytest.mark.parametrize("loss", ["discernibility", "volume"])
def test_searches_that_share_their_boxes_find_what_each_finds_alone(loss):
    ground, privacy = census_income(CENSUS), Privacy(1000, l=2, t=0.1)
    together = Enumerations(problem_of(ground, privacy, loss))
    for length in (50, 1000):
        for key in KEYS:
            one = together.search(600, length, key)
            alone = enumerate_partitions(
                ground.table,
                ground.schema,
                ground.requirements(privacy),
                loss=loss,
                cuts=ground.cuts,
                priority=key,
                nodes=600,
                max_size=length,
                start=None,
            )
            figures = [(each.cost, each.lower_bound, each.n_nodes, each.n_dropped) for each in (one, alone)]
            assert figures[0] == figures[1]


@pytest.mark.long
@pytest.mark.usefixtures("reference_data")
def test_the_command_runs_through_with_the_least_limits(tmp_path, monkeypatch):
    """All rows are there, from the runs and from every study, and what they say is what the files say."""
    whole = datasets.adult(), datasets.census_income()
    monkeypatch.setattr("shoal.reproduce.gensearch.experiment_data.datasets.adult", lambda: whole[0].slice(0, 1500))
    monkeypatch.setattr(
        "shoal.reproduce.gensearch.experiment_data.datasets.census_income", lambda: whole[1].slice(0, 2000)
    )
    monkeypatch.setattr("shoal.reproduce.gensearch.gensearch_paper.QUICK", StudyLimits(60, 100, 60))
    lenient = Privacy(500, l=2, t=0.3), Privacy(100)
    monkeypatch.setattr("shoal.reproduce.gensearch.experiments.COMBINED", lenient)
    monkeypatch.setattr("shoal.reproduce.gensearch.studies.STATED", lenient[0])
    said = shell("reproduce", "gensearch", "-o", tmp_path, "--json")
    rows = json.loads(said.out)
    assert said.code == int(not all(row["holds"] for row in rows))
    assert Counter(row["table"] for row in rows) == {
        "Experiment 1": 8,
        "Experiment 2": 6,
        "Experiment 3": 12,
        "Experiment 4": 6,
        "Experiment 5": 6,
        "Experiment 6": 6,
        "Experiment 7": 6,
        "Experiment 8": 2,
        "Experiment 9": 3,
        "Figure 23": 2,
        "Figure 24": 10,
        "Scalability": 12,
    }
    (folder,) = tmp_path.iterdir()
    runs = json.loads((folder / "runs.json").read_text())
    assert len(runs) == 3 + 3 + 5 * len(lenient)
    for search, cost in (
        ("boxes", lambda one: one["boxes"]),
        ("enumeration", lambda one: max(one["enumerations"].values())),
    ):
        of_row = {
            row["row"]: row["ours"] for row in rows if f"/ {search}" in row["column"] and row["table"] == "Experiment 1"
        }
        for name in ("strict", "steepest", "greedy"):
            ratios = [one["mondrians"][name] / cost(one) for one in runs if one["experiment"] == "1"]
            assert of_row[f"{name} Mondrian"] == pytest.approx(min(ratios))
    assert all(one["lower_bound"] <= min(one["boxes"], *one["enumerations"].values()) for one in runs)
    table = (folder / "table.md").read_text()
    assert table.count("\n| 5 |") == len(lenient)  # the whole grid is printed
    assert all(f"{one['mondrians']['steepest']:,.0f}" in table for one in runs)
    for name in ("figure_21", "figure_23", "figure_24", "costs"):
        assert (folder / f"{name}.svg").read_text().startswith("<svg")


@pytest.mark.gate
@pytest.mark.usefixtures("reference_data")
def test_the_steepest_mondrian_takes_the_cheapest_split_of_every_block():
    data = census_income(COARSE)
    problem = problem_of(data, Privacy(1000), "discernibility")
    tree = mondrian_tree("steepest", problem)
    sizes = tree.partition(data.table).sizes
    assert problem.cost(tree) == (sizes**2).sum()
    assert sizes.min() >= 1000

    def cheapest(boxes, box):
        """The slow twin: blocks are divided one at a time, by all splits that are admissible."""
        choices = boxes[box].choices
        if not choices:
            return boxes[box].cost
        split = min(choices, key=lambda one: (choices[one][0], one))
        return sum(cheapest(boxes, part) for part in boxes.space.children(box, split))

    assert problem.cost(tree) == cheapest(problem.box_table(ties=False), 0)
    assert problem.cost(tree) >= gensearch(data.table, data.schema, problem.wanted, cuts=data.cuts).cost
