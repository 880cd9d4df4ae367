"""GenSearch: the optimum over all hierarchical partitions by enumerating them, as published.

a table of counts -> Enumerated(CutTree)

Hore, Jammalamadaka, Mehrotra & D'Ascanio (2011), Constrained generalization for data anonymization: a systematic search
based approach.

Partitions are made by splitting one block at a time, in an order that makes every partition once (``enumeration.py``,
kernel split_sequence.hpp); the most promising goes first (``search.py``), and bounds say which need not be looked at
(``bounds.py``). The search starts from Mondrian's partition and always holds a valid one. It is exhaustive: a dozen
splits are proven quickly; beyond, it stops with the best found and the factor that it is proven to be within.

Where the paper is silent, or we depart:
- of equal keys the partition that costs less goes first, then the one made first;
- blocks without records are allowed unless ``empty_blocks`` is False, and are split only where all optima are wanted;
- nominal values without a taxonomy are a line in sorted order; the paper's binary columns would count partitions twice;
- all losses are whole numbers, the volume in finest cells, so that ties are ties.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from shoal.errors import PolicyError, ShoalError
from shoal.methods.generalization.found import Moment
from shoal.methods.generalization.gensearch.bounds import LossName
from shoal.methods.generalization.gensearch.cut_tree import cut_tree
from shoal.methods.generalization.gensearch.enumerated import Enumerated
from shoal.methods.generalization.gensearch.enumeration import Priority
from shoal.methods.generalization.gensearch.limits import Limits
from shoal.methods.generalization.gensearch.problem import Problem
from shoal.methods.generalization.gensearch.search import KeyName, Search
from shoal.methods.generalization.splits import Cuts
from shoal.plan import CutTree
from shoal.requirements import Requirement
from shoal.schema import Schema


def enumerate_partitions(
    table: Any,
    schema: Schema,
    wanted: Sequence[Requirement],
    loss: LossName = "discernibility",
    *,
    target: str | None = None,
    cuts: Cuts | None = None,
    key: KeyName | Priority = "bound",
    seed: Literal["mondrian"] | None = "mondrian",
    seconds: float | None = None,
    nodes: int | None = None,
    factor: float = 1.0,
    approximation: float = 1.0,
    max_size: int = 1_000_000,
    empty_blocks: bool = True,
    all_optima: bool = False,
) -> Enumerated:
    """The cheapest partition of ``table`` (a file or any dataframe) whose blocks all hold what is ``wanted``.

    ``cuts`` as in :func:`shoal.mondrian`. It stops when the optimum is proven, after ``seconds`` or so many ``nodes``,
    or when the cost is proven to be within ``factor``. ``approximation`` does not look beneath partitions that are
    within that factor themselves. ``key`` says which partition is next: "bound", "cost", "ratio" or a function
    of cost, bound and number of splits, the least first. At most ``max_size`` partitions wait. ``all_optima`` lists
    every optimal partition.
    """
    _check(approximation, max_size, all_optima)
    limits = Limits(seconds, nodes, factor)
    problem = Problem.of(table, schema, wanted, loss, target, cuts, empty_blocks)
    search = Search(problem.ledger(ties=all_optima), key, approximation, max_size)
    known = problem.mondrian() if seed else None
    if known is not None and (cost := problem.cost(known)) < search.state.cost:
        search.start_below(cost)
    return _found(problem, search, known, limits.run(search))


def _check(approximation: float, max_size: int, all_optima: bool) -> None:
    if approximation < 1:
        raise PolicyError.too_small("approximation", 1, approximation, "nothing is better than the optimum")
    if max_size < 2:
        raise PolicyError.too_small("max_size", 2, max_size, "a partition must be able to wait beside another")
    if all_optima and approximation > 1:
        raise PolicyError.only_for("all_optima", "approximation = 1", f"approximation = {approximation:g}")


def _found(problem: Problem, search: Search, known: CutTree | None, history: tuple[Moment, ...]) -> Enumerated:
    """The best tree as a plan; its cost is counted again on the data."""
    space, state = search.ledger.space, search.state
    tree = known if search.best is None else cut_tree(search.best, space)
    if tree is None or problem.cost(tree) != state.cost:
        raise ShoalError.unforeseen(ArithmeticError())
    optima = tuple(cut_tree(one, space) for one in search.optima)
    return Enumerated(tree, state.cost, state.lower_bound, state.n_nodes, state.n_dropped, history, optima)
