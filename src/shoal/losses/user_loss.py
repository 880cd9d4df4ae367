"""Base of losses that users write in Python: a frozen dataclass with ``loss``, what each block adds to the cost.

An object of such a class has passed the search for counterexamples (``user_loss_laws.py``), as a requirement has.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from shoal.errors import RuleError
from shoal.kernels import Ints, Vector
from shoal.losses.measures import Measures
from shoal.user_rule import UserRule


@dataclass(frozen=True)
class UserLoss(UserRule):
    """What a class of the user states; ``least`` has a default.

    loss   (n_blocks,) what every block adds: 0 or more, 0 without records, and at least what the parts of the block
           would add together; depends on each of them alone
    least  (n,) what n records cost at least, however they are divided into blocks of k records or more: the better
           this bound, the sooner a search proves its result
    """

    @property
    def name(self) -> str:
        """The class with its parameters."""
        return repr(self)

    @property
    def rests_on(self) -> str:
        """What a proof by a search takes on trust."""
        from shoal.losses.user_loss_laws import N_BLOCKS

        return (
            f"additivity of {type(self).__name__}: declared by its author, no counterexample among {N_BLOCKS:,} random "
            "blocks"
        )

    def check_laws(self) -> None:
        from shoal.losses.user_loss_laws import check_laws

        check_laws(self)

    @abstractmethod
    def loss(self, blocks: Measures) -> Vector:
        """(n_blocks,) what every block adds."""

    def least(self, n: Ints, k: int) -> Vector:
        """(n_numbers,) what n records cost at least."""
        return np.zeros(len(n))

    def of_blocks(self, blocks: Measures) -> Vector:
        lost = self.loss(blocks)
        check_answer(f"{type(self).__name__}.loss", lost, len(blocks.totals))
        return lost

    def of_suppressed(self, blocks: Measures) -> float:
        """What a record costs where all records are one block."""
        whole = Measures(
            np.array([blocks.n_records]),
            blocks.n_records,
            None if blocks.classes is None else blocks.classes.sum(axis=0, keepdims=True),
            None if blocks.n_cells is None else blocks.n_cells[None],
            None if blocks.widths is None else np.ones((1, blocks.widths.shape[1])),
            blocks.n_cells,
            blocks.weights,
        )
        return float(self.of_blocks(whole)[0]) / max(blocks.n_records, 1)


def check_answer(where: str, answer: object, n_blocks: int) -> None:
    """Raises RuleError unless it is an array of finite numbers, 0 or more, one for every block."""
    expected = f"a float64 array ({n_blocks},), one number for every block"
    if not isinstance(answer, np.ndarray):
        raise RuleError.wrong_answer(where, expected, type(answer).__name__)
    if answer.dtype != np.float64 or answer.shape != (n_blocks,):
        raise RuleError.wrong_answer(where, expected, f"{answer.dtype} {answer.shape}")
    if not np.isfinite(answer).all() or (answer < 0).any():
        raise RuleError.wrong_answer(where, "finite numbers, 0 or more", "others")
