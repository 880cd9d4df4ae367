"""Three Mondrians to compare with: strict, by the steepest decrease of the loss, and Shoal's greedy one.

strict    at the median of the widest column, LeFevre, DeWitt & Ramakrishnan (2006)
steepest  every block by the split after which it costs least: the greedy algorithm that Hore et al. describe
greedy    mode "greedy" of Shoal, which departs from the steepest decrease for discernibility (docs/mondrian.md)
"""

from __future__ import annotations

from typing import Literal

from shoal.methods.generalization.enumeration.bounds import LossName
from shoal.methods.generalization.enumeration.enumerate_partitions import cut_tree
from shoal.methods.generalization.enumeration.probe import Probe
from shoal.methods.generalization.enumeration.problem import Problem
from shoal.methods.generalization.mondrian import Mondrian
from shoal.plan import CutTree
from shoal.reproduce.gensearch.experiment_data import ExperimentData, Privacy

MondrianName = Literal["strict", "steepest", "greedy"]
MONDRIANS: tuple[MondrianName, ...] = ("strict", "steepest", "greedy")


def problem_of(data: ExperimentData, privacy: Privacy, loss: LossName) -> Problem:
    target = data.sensitive if loss == "classification" else None
    return Problem.of(data.table, data.schema, data.requirements(privacy), loss, target, data.cuts, True)


def mondrian_tree(name: MondrianName, problem: Problem) -> CutTree:
    if name == "steepest":
        return _steepest(problem)
    mode = Mondrian(name, problem.loss, problem.target, problem.cuts)
    return mode.cut(problem.counts, problem.schema, problem.wanted)


def _steepest(problem: Problem) -> CutTree:
    boxes = problem.box_table(ties=False)
    division = Probe(boxes).divide_blocks((), lambda: False)
    assert division is not None  # it has no time limit
    return cut_tree(division.tree, boxes.space)
