"""The laws of a loss that a user wrote, and the search for counterexamples among random blocks.

    nothing   a block without records costs 0
    alone     what a block costs does not depend on the other blocks
    additive  a block costs at least what its parts cost together, so that no cut makes a plan dearer
    least     no plan of n records costs less than ``least`` says

The blocks are drawn in batches of different numbers of records, classes and columns, always the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from shoal.errors import RuleError
from shoal.kernels import Ints, Matrix, Vector
from shoal.losses.measures import Measures
from shoal.losses.user_loss import UserLoss, check_answer

N_BLOCKS = 1_000  # random blocks, each cut in two
BATCH = 50  # blocks that are asked for together
SIZES = (4, 12, 40, 200, 2_000)  # largest numbers of records
SLACK = 1e-9  # rounding tolerance
SMALLEST = (1, 2, 5)  # sizes of blocks for which ``least`` is tried


@dataclass(frozen=True)
class CutBlocks:
    """Blocks that are each cut into two parts."""

    whole: Measures
    parts: tuple[Measures, Measures]


def random_cuts() -> Iterator[CutBlocks]:
    """``N_BLOCKS`` blocks in batches."""
    chance = np.random.default_rng(0)
    rows = np.arange(BATCH)
    for at in range(N_BLOCKS // BATCH):
        d, n_classes, n_codes = (int(chance.integers(1, most)) for most in (5, 5, 12))
        ends = np.sort(chance.random((d, 2 * (n_codes + 1))), axis=1)  # codes with gaps between them
        lows, highs = (ends - ends[:, :1])[:, ::2], (ends - ends[:, :1])[:, 1::2]
        start = chance.integers(0, n_codes, (BATCH, d))
        stop = start + 1 + (chance.random((BATCH, d)) * (n_codes + 1 - start)).astype(np.int64)
        column = chance.integers(0, d, BATCH)
        stop[rows, column] = np.maximum(stop[rows, column], start[rows, column] + 2)  # it can be cut there
        cut = chance.integers(start[rows, column] + 1, stop[rows, column])
        n = chance.integers(0, SIZES[at % len(SIZES)] + 1, BATCH)
        classes = chance.multinomial(n, chance.dirichlet(np.ones(n_classes), BATCH))
        left = chance.binomial(classes, chance.choice([0.0, 0.2, 0.5, 0.9, 1.0], (BATCH, 1)))
        n_records = int(n.sum())
        at_cut = np.arange(d) == column[:, None]
        inner_stop, inner_start = np.where(at_cut, cut[:, None], stop), np.where(at_cut, cut[:, None], start)
        whole, *parts = (
            _measures(of_class, n_records, first, last, lows, highs)
            for of_class, first, last in (
                (classes, start, stop),
                (left, start, inner_stop),
                (classes - left, inner_start, stop),
            )
        )
        yield CutBlocks(whole, (parts[0], parts[1]))


def _measures(classes: Ints, n_records: int, start: Ints, stop: Ints, lows: Matrix, highs: Matrix) -> Measures:
    d, n_codes = lows.shape
    columns = np.arange(d)
    return Measures(
        classes.sum(axis=1),
        n_records,
        classes,
        (stop - start).astype(np.float64),
        highs[columns, stop - 1] - lows[columns, start],
        np.full(d, float(n_codes)),
        np.ones(d),
    )


def check_laws(loss: UserLoss) -> None:
    """Raises RuleError with the first counterexample."""
    for cuts in random_cuts():
        lost, *of_parts = (_answer(loss, blocks) for blocks in (cuts.whole, *cuts.parts))
        for blocks, answer in zip((cuts.whole, *cuts.parts), (lost, *of_parts), strict=True):
            _check_nothing(loss, blocks, answer)
            _check_alone(loss, blocks, answer)
        _check_additive(loss, cuts, lost, of_parts[0], of_parts[1])
        _check_least(loss, cuts, lost, of_parts[0] + of_parts[1])


def _answer(loss: UserLoss, blocks: Measures) -> Vector:
    where = f"{type(loss).__name__}.loss"
    try:
        answer = loss.loss(blocks)
    except RuleError as error:
        if isinstance(error.__cause__, Exception):
            raise RuleError.failed(where, error.__cause__) from error.__cause__
        raise
    check_answer(where, answer, len(blocks.totals))
    return answer


def _check_nothing(loss: UserLoss, blocks: Measures, lost: Vector) -> None:
    found = lost[(blocks.totals == 0) & (lost > 0)]
    if found.size:
        raise RuleError.of_nothing(f"{type(loss).__name__}.loss", float(found[0]))


def _check_alone(loss: UserLoss, blocks: Measures, lost: Vector) -> None:
    """Every third of the blocks in the other order: the same answers, up to rounding."""
    some = np.arange(len(blocks.totals))[::-3]
    fewer = replace(
        blocks,
        totals=blocks.totals[some],
        classes=None if blocks.classes is None else blocks.classes[some],
        cells=None if blocks.cells is None else blocks.cells[some],
        widths=None if blocks.widths is None else blocks.widths[some],
    )
    if not np.allclose(_answer(loss, fewer), lost[some], rtol=SLACK, atol=0):
        raise RuleError.depends_on_others(f"{type(loss).__name__}.loss", "a block")


def _check_additive(loss: UserLoss, cuts: CutBlocks, lost: Vector, one: Vector, other: Vector) -> None:
    found = np.flatnonzero(one + other > lost * (1 + SLACK))
    if found.size:
        at = int(found[0])
        one_text, other_text = (
            _shown(blocks, at, float(part[at])) for blocks, part in zip(cuts.parts, (one, other), strict=True)
        )
        raise RuleError.grows(
            f"{type(loss).__name__}.loss", _shown(cuts.whole, at, float(lost[at])), (one_text, other_text)
        )


def _check_least(loss: UserLoss, cuts: CutBlocks, whole: Vector, of_parts: Vector) -> None:
    """A plan of one block, and one of both parts, where these are large enough."""
    n = cuts.whole.totals
    for k in SMALLEST:
        least = loss.least(n, k)
        check_answer(f"{type(loss).__name__}.least", least, len(n))
        both = np.minimum(*(blocks.totals for blocks in cuts.parts)) >= k
        for plan, fits in ((whole, n >= k), (of_parts, both)):
            found = np.flatnonzero(fits & (least > plan * (1 + SLACK)))
            if found.size:
                at = int(found[0])
                raise RuleError.least_too_high(type(loss).__name__, int(n[at]), k, float(least[at]), float(plan[at]))


def _shown(blocks: Measures, at: int, lost: float) -> str:
    cells = [] if blocks.cells is None else blocks.cells[at].astype(int).tolist()
    classes = [] if blocks.classes is None else blocks.classes[at].tolist()
    n = int(blocks.totals[at])
    return f"{n:,} {'record' if n == 1 else 'records'} of classes {classes} in {cells} cells cost {lost:g}"
