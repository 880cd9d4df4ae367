"""GenSearch compared with Mondrian: the experiments of Hore, Jammalamadaka, Mehrotra & D'Ascanio.

"Constrained generalization for data anonymization: a systematic search based approach". Their results are in figures;
the few numbers in the text are the rows here. All other comparisons of GenSearch with Mondrian are in the files.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from shoal.reproduce.gensearch import experiments, studies
from shoal.reproduce.gensearch.experiment_runs import Run
from shoal.reproduce.gensearch.gensearch_charts import charts
from shoal.reproduce.reproduction import Reproduction, Row

NOTE = (
    "The limits of the paper are 5 hours, 1 hour in Experiments 6 and 7 and 10 minutes in 9; ours are {seconds:g} s "
    "for each search ({longer:g} s in 9). 'Enumeration' is the published search, from the undivided space, at most "
    "10,000 partitions waiting (chosen after the study rooms.json: more room, no probes in our time); it holds when "
    "it costs no more than Mondrian by the steepest decrease. 'Boxes' is our search over boxes: it starts from "
    "Mondrian's partition, so it cannot be worse on the same splits, and holds only when it is better. The paper's "
    "claims 'up to 3 times' (3), 'twice on average' (5), 'almost 70 %' (8) are rows of their own and hold when we "
    "reach them; its privacy parameters are in figures that the text does not give, ours are others, so these are no "
    "fair test of its figures. In 5 the paper, too, has a case where Mondrian wins; it has {rival} splits there, not "
    "111: the test part has no more ages. A factor is cost over proven bound and holds when it is no larger than "
    "printed. Scalability is on age, sex and race of Adult, all as lines, where every split is a decision of its own; "
    "the paper does not say on what. l counts distinct values, because not even all of Adult has an entropy of log 2. "
    "Figure 24 is of the search over boxes. Seconds of a busy machine: rows near the line may tip over."
)
CLOSEST = 1.35  # Experiment 1, k = 1000
FARTHEST = 3.5  # factor for more than 10 splits
RIVAL = 105  # number of splits of Mondrian in Experiment 5
HALF_AN_HOUR = 1800.0  # seconds; for up to 10 splits, or 14
NEARLY = 1.05


@dataclass(frozen=True)
class StudyLimits:
    seconds: float  # per search
    longer: float  # per search in Experiment 9
    scaling: float  # per search in the scalability study
    nodes: int  # maximum number of partitions per search of a study


QUICK, FULL = StudyLimits(1.0, 5.0, 10.0, 20_000), StudyLimits(60.0, 600.0, 1800.0, 200_000)


def reproduce(*, full: bool) -> Reproduction:
    limits = FULL if full else QUICK
    runs = experiments.runs(limits.seconds, full=full)
    results: dict[str, Any] = {
        "improvements": experiments.improvements(limits.seconds),
        "queries": studies.queries(limits.longer),
        "keys": studies.costs_by_key(limits.nodes),
        "longer": studies.early_cost_ratios(5 * limits.seconds),
        "scalability": studies.scalability(limits.scaling),
        "rooms": studies.queue_sizes(limits.nodes),
    }
    files = {"runs.json": json.dumps([one.to_dict() for one in runs], indent=2)}
    files |= {f"{name}.json": json.dumps(found, indent=2) for name, found in results.items()}
    note = NOTE.format(seconds=limits.seconds, longer=limits.longer, rival=RIVAL)
    rows = (*_rows_of_runs(runs), *_rows_of_studies(results))
    return Reproduction("gensearch", "GenSearch and Mondrian", note, rows, {**files, **charts(runs, results)})


def _rows_of_runs(runs: list[Run]) -> list[Row]:
    rows = [row for one in runs for row in _comparison_rows(one)]
    first = runs[0]
    for name, cost in (("enumeration", first.enumeration), ("boxes", first.gensearch)):
        factor = first.factor(cost)
        rows.append(Row.of("Experiment 1", first.setting, f"factor, {name}", CLOSEST, factor, holds=factor <= CLOSEST))
    third = max(one.of_boxes for one in runs if one.experiment == "3")
    fifth = [one.of_boxes for one in runs if one.experiment == "5"]
    return [
        *rows,
        _row_if_reached("Experiment 3", "best of the settings", "Mondrian / boxes", 3.0, third),
        _row_if_reached("Experiment 5", "mean of the settings", "Mondrian / boxes", 2.0, sum(fifth) / len(fifth)),
    ]


def _comparison_rows(one: Run) -> list[Row]:
    table, paper = f"Experiment {one.experiment}", 1.0
    return [
        _row_if_reached(table, one.setting, "Mondrian / enumeration", paper, one.of_enumeration),
        Row.of(table, one.setting, "Mondrian / boxes", paper, one.of_boxes, holds=one.of_boxes > 1),
    ]


def _rows_of_studies(results: dict[str, Any]) -> list[Row]:
    gained = max(results["improvements"].values())
    off = {name: sum(one[name] for one in results["queries"]) / 6 for name in ("Mondrian", "GenSearch")}
    by_bound = results["keys"]["bound"]
    rows = [
        _row_if_reached("Experiment 8", "best of the settings", "gain of the enumeration, %", 70.0, gained),
        _row_if_reached(
            "Experiment 9", "six queries", "error of Mondrian / boxes", 1.0, off["Mondrian"] / off["GenSearch"]
        ),
    ]
    rows += [
        _row_if_reached("Figure 23", f"key {key}", "cost / cost by bound", 1.0, results["keys"][key] / by_bound)
        for key in ("cost", "ratio")
    ]
    rows += [
        Row.of("Figure 24", name, "cost after a fifth of the time / at the end", 1.0, late, holds=late <= NEARLY)
        for name, late in results["longer"].items()
    ]
    return rows + [_scalability_row(one) for one in results["scalability"]]


def _row_if_reached(table: str, row: str, column: str, paper: float, ours: float) -> Row:
    return Row.of(table, row, column, paper, ours, holds=ours >= paper)


def _scalability_row(one: dict[str, Any]) -> Row:
    name = f"{one['n_splits']} splits, k={one['k']}"
    if one["is_optimal"]:
        spent = one["cpu_seconds"]
        return Row.of("Scalability", name, "seconds", HALF_AN_HOUR, spent, holds=spent <= HALF_AN_HOUR)
    return Row.of("Scalability", name, "factor", FARTHEST, one["factor"], holds=one["factor"] <= FARTHEST)
