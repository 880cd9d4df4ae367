"""Rules that users wrote, as the kernels call them: rows of whole numbers in, a number for each of them out.

A kernel may call from any of its threads, where an exception has nowhere to go: the first one is kept, and raised when
the kernel returns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from traceback import format_exception

import numpy as np

from shoal.kernels import Ints, Labels, Vector
from shoal.losses import Measures, UserLoss
from shoal.methods.generalization.attribute import Attribute, SplitRule
from shoal.requirements.groups import Groups
from shoal.requirements.user_requirement import UserRequirement

UserCall = Callable[[Ints], Vector]  # (n_rows, n_numbers) -> (n_rows,)


class RuleFailures:
    """The first exception of rules that a kernel calls."""

    def __init__(self) -> None:
        self.first: Exception | None = None

    def kept_of(self, call: UserCall) -> UserCall:
        """The same call, which answers 0 where it fails."""

        def answer(rows: Ints) -> Vector:
            try:
                return call(rows)
            except Exception as error:
                self.first = self.first or _without_frames(error)
                return np.zeros(len(rows))

        return answer

    def raise_first(self) -> None:
        error, self.first = self.first, None
        if error is not None:
            raise error


def _without_frames(error: Exception) -> Exception:
    """The error with its traceback as a note: frames would hold the kernel, which holds the rule that keeps it."""
    error.add_note("".join(format_exception(error)))
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


def requirement_call(requirement: UserRequirement, whole: Labels | None, tree: Labels | None) -> UserCall:
    """1 where groups hold. A row: records, then those of every value where ``whole`` is given."""
    from scipy.sparse import csr_array

    def answer(rows: Ints) -> Vector:
        totals = np.ascontiguousarray(rows[:, 0])
        groups = Groups(totals) if whole is None else Groups(totals, csr_array(rows[:, 1:]), whole, tree)
        return requirement.holds(groups).astype(np.float64)

    return answer


@dataclass(frozen=True)
class BlockRows:
    """Blocks as the kernels describe them, by rows of numbers: records, those of every class, and first code, end and
    node on every column."""

    attributes: Sequence[Attribute]
    n_classes: int
    n_records: int  # of the whole table
    weights: Vector  # (n_columns,)

    def measures(self, rows: Ints) -> Measures:
        spans = rows[:, 1 + self.n_classes :].reshape(len(rows), -1, 3)
        starts, stops, nodes = spans[:, :, 0], spans[:, :, 1], spans[:, :, 2]
        widths = [
            _widths(attribute, starts[:, at], stops[:, at], nodes[:, at])
            for at, attribute in enumerate(self.attributes)
        ]
        return Measures(
            np.ascontiguousarray(rows[:, 0]),
            self.n_records,
            np.ascontiguousarray(rows[:, 1 : 1 + self.n_classes]) if self.n_classes else None,
            (stops - starts).astype(np.float64),
            np.column_stack(widths),
            np.array([attribute.domain.n_codes for attribute in self.attributes], dtype=np.float64),
            self.weights,
        )


def loss_call(loss: UserLoss, blocks: BlockRows, grain: float = 0.0) -> UserCall:
    """What blocks cost, rounded down to multiples of ``grain``, so that sums of them are exact."""

    def answer(rows: Ints) -> Vector:
        lost = loss.of_blocks(blocks.measures(rows))
        return np.floor(lost / grain) * grain if grain else lost

    return answer


def _widths(attribute: Attribute, starts: Ints, stops: Ints, nodes: Ints) -> Vector:
    """(n_rows,) share of the column that a part covers; of a subset by the number of its values."""
    is_subset = np.array([node.rule == SplitRule.SUBSETS for node in attribute.nodes])[nodes]
    of_subset = (stops - starts - 1) / max(attribute.domain.n_codes - 1, 1)
    return np.where(is_subset, of_subset, attribute.widths(starts, stops, nodes))
