"""Losses that users write: what their laws refuse, and with which counterexample."""

from dataclasses import dataclass

import numpy as np
import pytest

from shoal.errors import RuleError
from shoal.losses import LOSSES, Measures, UserLoss, total
from shoal.losses.user_loss_laws import N_BLOCKS, random_cuts
from user_rule_examples import TWINS, OwnSquares


def rule(loss, **more):
    return dataclass(frozen=True)(type("Own", (UserLoss,), {"__annotations__": {}, "loss": loss, **more}))


def test_a_thousand_blocks_are_cut():
    cuts = list(random_cuts())
    assert sum(len(each.whole.totals) for each in cuts) == N_BLOCKS == 1_000
    for each in cuts:
        one, other = each.parts
        assert (one.totals + other.totals == each.whole.totals).all()
        assert (one.classes + other.classes == each.whole.classes).all()
        assert (one.cells.prod(axis=1) + other.cells.prod(axis=1) == each.whole.cells.prod(axis=1)).all()
        assert ((one.widths <= each.whole.widths) & (other.widths <= each.whole.widths)).all()
    assert any((each.parts[0].totals == 0).any() for each in cuts)


@pytest.mark.parametrize("name", TWINS)
def test_the_laws_hold_of_what_shoal_has_and_of_its_twins(name):
    """A fault in the random blocks would show here: they keep all laws."""
    for cuts in random_cuts():
        whole, one, other = (LOSSES[name].of_blocks(blocks) for blocks in (cuts.whole, *cuts.parts))
        assert (one + other <= whole * (1 + 1e-9)).all()
        assert np.allclose(TWINS[name].of_blocks(cuts.whole), whole)
        if name != "classification":
            assert TWINS[name].of_suppressed(cuts.whole) == pytest.approx(LOSSES[name].of_suppressed(cuts.whole))


@pytest.mark.parametrize(
    ("loss", "more", "message"),
    [
        (lambda self, blocks: blocks.totals**0.5, {}, "grows when a block is cut: .* cost .*, cut into .* and "),
        (lambda self, blocks: np.where(blocks.totals > 0, 1.0, 0.0), {}, "grows when a block is cut"),
        (lambda self, blocks: blocks.totals / blocks.cells.sum(axis=1), {}, "grows when a block is cut"),
        (lambda self, blocks: blocks.totals + 1.0, {}, "of a block without records must be 0, got 1"),
        (lambda self, blocks: blocks.totals / blocks.totals.sum(), {}, "depends on the others"),
        (lambda self, blocks: -1.0 * blocks.totals, {}, "finite numbers, 0 or more"),
        (lambda self, blocks: np.where(blocks.totals > 0, np.inf, 0.0), {}, "finite numbers, 0 or more"),
        (lambda self, blocks: blocks.totals, {}, "must return a float64 array .* got int64"),
        (lambda self, blocks: float(blocks.totals.sum()), {}, "must return a float64 array .* got float"),
        (lambda self, blocks: blocks.nothing, {}, "does not run: AttributeError"),
        (lambda self, blocks: blocks.totals**2.0, {"least": lambda self, n, k: n**2.0}, "say.* cost no less than"),
    ],
)
def test_what_breaks_a_law_is_refused(loss, more, message):
    with pytest.raises(RuleError, match=message):
        rule(loss, **more)()


def test_a_wrong_answer_for_a_table_is_an_error_too():
    """A loss that behaves on random blocks alone."""
    odd = rule(lambda self, blocks: np.where(blocks.totals == 7_777, np.nan, blocks.totals))()
    with pytest.raises(RuleError, match="finite numbers"):
        total(odd, Measures(np.array([7_777]), 7_777))


def test_its_name_has_its_parameters():
    assert OwnSquares(3.0).name == "OwnSquares(power=3.0)"
    assert "additivity of OwnSquares: declared by its author" in OwnSquares(3.0).rests_on
