"""A table of counts as input of the search over boxes: distinct cells, their minimum costs, and the requirements.

Coded + loss -> kernels.AndOr

Costs are integers, for the loss of certainty integer multiples of 2^-20, for that of a user of a power of two that
depends on the cost of all records as one block: their sums are exact in any order.

A box is identified by its records alone, and shrunk to them, wherever that changes nothing: a part without records can
be cut off at no cost. Where a column has a minimum length, or empty blocks are forbidden and the loss or a taxonomy
depends on the part itself, the part of the column is kept as it was cut and belongs to the identity of the box.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np

from shoal import kernels
from shoal.errors import PolicyError
from shoal.kernels import Ints, Labels, Matrix, Vector
from shoal.kernels.combinations import distinct_combinations
from shoal.losses import AnyLoss, UserLoss
from shoal.methods.generalization.attribute import SplitRule
from shoal.methods.generalization.cell_prices import CellPrices
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.least_block_sizes import least_block_sizes
from shoal.methods.generalization.native_tests import (
    Firsts,
    calls_user,
    has_length,
    has_nodes,
    least_size,
    native_tests,
)
from shoal.methods.generalization.user_calls import RuleFailures
from shoal.methods.generalization.user_costs import UserCosts

EXACT = 2**53  # integers below this are exact as floats
GRAIN = 2**-20  # of widths: sums of multiples of it are exact, too
PRICE_WORK = 50_000_000  # boxes and cells read in a round of prices, at most
PRICE_WORK_PER_CELL = 5_000
N_REACHES = 15
NARROWEST = 2**-8  # share of all widths: below the least reach of prices


@dataclass(frozen=True, eq=False)
class Boxes:
    coded: CodedCounts
    loss: AnyLoss
    cells: Ints  # (n_cells, n_attributes) codes
    n: Ints  # (n_cells,) number of records
    classes: Ints  # (n_cells, n_classes) records; no column where the loss does not use classes
    sensitive: Ints  # (n_cells, n_values) of all sensitive columns, concatenated; last all records, if a user asks
    firsts: Firsts
    failures: RuleFailures = field(default_factory=RuleFailures)

    @classmethod
    def of(cls, coded: CodedCounts, loss: AnyLoss, classes: Labels | None) -> Self:
        """``classes``: (n_rows,) the class of every row, for the loss "classification"."""
        rows, cell = distinct_combinations(coded.codes.T, len(coded.codes))
        cells = coded.codes[rows]
        n = _counts_by_cell(cell, np.zeros_like(cell), coded.n, len(cells), 1)[:, 0]
        of_class = np.zeros((len(cells), 0), dtype=np.int64)
        if classes is not None:
            of_class = _counts_by_cell(cell, classes, coded.n, len(cells), int(classes.max()) + 1)
        firsts, columns, first = {}, [np.zeros((len(cells), 0), dtype=np.int64)], of_class.shape[1]
        for key, seen in coded.sensitive.items():
            known = seen.values >= 0
            columns.append(
                _counts_by_cell(cell[known], seen.values[known], coded.n[known], len(cells), seen.whole.size)
            )
            firsts[key] = first
            first += seen.whole.size
        if calls_user(coded):
            columns.append(n[:, None])
        return cls(coded, loss, np.ascontiguousarray(cells), n, of_class, np.hstack(columns), firsts)

    @cached_property
    def least(self) -> int:
        return least_size(self.coded)

    def search(self, empty_blocks: bool, n_bytes: int, suppressed: float | None = None) -> kernels.AndOr:
        """The kernel, ready to start. ``suppressed``: what a suppressed record costs, where some may be."""
        self._check_exact()
        costs = self._user_costs
        return kernels.AndOr(
            **self._problem,
            keeps=[self._keeps(column, empty_blocks) for column in range(len(self.coded.attributes))],
            empty_blocks=empty_blocks,
            floors=self._floors_of(suppressed),
            n_bytes=n_bytes,
            user_loss=None if costs is None else self.failures.kept_of(costs.call),
            least_of=self._least_of(suppressed),
            suppressed=np.inf if suppressed is None else suppressed,
        )

    @property
    def grain(self) -> float:
        """Costs are multiples of it."""
        if self._user_costs is not None:
            return self._user_costs.grain
        return GRAIN if self.loss == "certainty" else 1.0

    def rounded(self, cost: float) -> float:
        """A cost as the search adds it up."""
        return float(np.floor(cost / self.grain) * self.grain)

    @property
    def most_of_a_record(self) -> float:
        """Up to this cost of a record, sums over all records are exact."""
        return EXACT * self.grain / int(self.n.sum())

    def _floors_of(self, suppressed: float | None) -> Vector:
        """(n_cells,) minimum cost of a cell's records, where each may be suppressed. Rounded, for then costs are higher
        than ``floors`` has digits for."""
        if suppressed is None:
            return self.floors
        floors: Vector = np.floor(np.minimum(self.floors, self.n * suppressed) / self.grain) * self.grain
        return floors

    def _least_of(self, suppressed: float | None) -> Vector:
        """(n_records + 1,) what so many records cost at least; none where only their cells say it."""
        costs, sizes = self._user_costs, np.arange(int(self.n.sum()) + 1)
        if costs is not None:
            least = costs.least(self.least)
        elif self.loss == "discernibility" and suppressed is not None:
            least = _evenly(sizes, self.least)
        else:
            return np.zeros(0)
        if suppressed is None:
            return least
        released = np.where((sizes > 0) & (sizes < self.least), np.inf, least)
        found: Vector = np.minimum.accumulate(released - sizes * suppressed) + sizes * suppressed
        return found

    @cached_property
    def _problem(self) -> dict[str, Any]:
        """What the search and the prices of cells both read."""
        attributes = self.coded.attributes
        counts = np.ascontiguousarray(np.hstack([self.classes, self.sensitive]))
        return {
            "attributes": [attribute.kernel for attribute in attributes],
            "tests": native_tests(self.coded, self.firsts, counts.shape[1] - 1, self.failures),
            "widths": self._widths if self.loss == "certainty" else [[] for _ in attributes],
            "loss": kernels.LossKind.user if isinstance(self.loss, UserLoss) else kernels.LossKind[self.loss],
            "least": self.least,
            "n_classes": self.classes.shape[1],
            "codes": np.ascontiguousarray(self.cells, dtype=np.int32),
            "n": self.n,
            "counts": counts,
        }

    @cached_property
    def _user_costs(self) -> UserCosts | None:
        if not isinstance(self.loss, UserLoss):
            return None
        return UserCosts.of(self.coded, self.loss, self.cells, self.n, self.classes)

    @property
    def grain_of_loss(self) -> float:
        """Maximum effect of the rounding of widths, or of a user's loss, on a cost."""
        if self._user_costs is not None:
            return self._user_costs.rounding
        n_ends = 3 * self.cells.shape[1] if self.loss == "certainty" else 0
        return GRAIN * n_ends * int(self.n.sum())

    @cached_property
    def floors(self) -> Vector:
        """(n_cells,) what the records of a cell contribute at least to the cost of every box around it."""
        if self._user_costs is not None:
            return self._user_costs.floors
        if self.loss == "discernibility" and not self._problem["tests"]:
            return self._floors_by_cell  # the least number of records already
        return self._prices.prices()

    @property
    def _prices(self) -> CellPrices:
        most_work = min(PRICE_WORK, PRICE_WORK_PER_CELL * len(self.cells))

        def ratios(prices: Vector, reach: float) -> Vector:
            return kernels.box_ratios(**self._problem, prices=prices, reach=reach, most_work=most_work)

        n = self.n.astype(np.float64)
        whole = float(n.sum()) * self._most_per_record
        return CellPrices(ratios, n, self._floors_by_cell, whole, self.loss != "classification", self._reaches)

    @property
    def _reaches(self) -> Vector:
        """Loss per record up to which blocks are examined for prices, where there are too many of them; rounded, to be
        the same on every machine."""
        most, shares = self._most_per_record, np.arange(1, N_REACHES + 1) / (N_REACHES + 1)
        if self.loss == "volume":
            return np.rint(most**shares)
        widths = np.rint(most * NARROWEST ** (1 - shares) / GRAIN) * GRAIN
        return widths if self.loss == "certainty" else np.zeros(0)

    @property
    def _floors_by_cell(self) -> Vector:
        """(n_cells,) minimum cost of a cell's records: of a block with the whole cell and at least ``least`` records,
        or more where it must be long."""
        n: Vector = self.n.astype(np.float64)
        lost: Vector
        if self.loss == "discernibility":
            lost = n * least_block_sizes(self.coded, self.cells, self.n, self.least)
        elif self.loss == "classification":
            lost = n - self.classes.max(axis=1)
        elif self.loss == "volume":
            others = np.ceil(np.maximum(self.least - n, 0) / n.max())  # further cells that the block needs
            lost = n * (1 + others)
        else:
            widths = np.array([self._widths_of_codes(j)[self.cells[:, j]] for j in range(self.cells.shape[1])])
            lost = n * widths.sum(axis=0)
        return lost

    def _keeps(self, column: int, empty_blocks: bool) -> bool:
        """Whether the part of a column cannot be shrunk to the records of a box."""
        if empty_blocks or has_length(self.coded, column):
            return has_length(self.coded, column)
        reads_extents = self.loss in ("volume", "certainty") or isinstance(self.loss, UserLoss)
        return reads_extents or has_nodes(self.coded.attributes[column])

    @cached_property
    def _widths(self) -> list[list[float]]:
        """For every column: lows of the codes, their highs, widths of the nodes, all times the weight of the column;
        rounded, never above the true ones."""
        return [[*lows, *highs, *nodes] for lows, highs, nodes in map(self._rounded, range(len(self.coded.attributes)))]

    def _rounded(self, column: int) -> tuple[Vector, Vector, Vector]:
        attribute = self.coded.attributes[column]
        scale = attribute.weight / attribute.spread if attribute.spread > 0 else 0.0
        lows = np.ceil((attribute.lows - attribute.lows[0]) * scale / GRAIN) * GRAIN
        highs = np.floor((attribute.highs - attribute.lows[0]) * scale / GRAIN) * GRAIN
        is_empty = attribute.highs < attribute.lows  # width 0, not the distance to the next value
        highs = np.where(is_empty, highs, np.maximum(highs, lows))
        starts, stops = np.array([(node.start, node.stop) for node in attribute.nodes]).T
        widths = attribute.weight * attribute.widths(starts, stops, np.arange(len(starts)))
        nodes = np.floor(widths / GRAIN) * GRAIN
        return lows, highs, nodes

    def _widths_of_codes(self, column: int) -> Vector:
        """(n_codes,) width of every code of a line; 0 for a value of a taxonomy and for the missing one."""
        attribute = self.coded.attributes[column]
        lows, highs, _ = self._rounded(column)
        is_line = np.zeros(attribute.domain.n_codes, dtype=bool)
        for node in attribute.nodes:
            if node.rule == SplitRule.LINE:
                is_line[node.start : node.stop] = True
        return np.where(is_line, highs - lows, 0.0)

    def _check_exact(self) -> None:
        if isinstance(self.loss, UserLoss):
            return  # rounded such that it is exact
        if self.n.sum() * self._most_per_record / (GRAIN if self.loss == "certainty" else 1.0) >= EXACT:
            raise PolicyError.loss_too_large(self.loss)

    @property
    def _most_per_record(self) -> float:
        """Loss of a record where all of them are one block."""
        sizes: Matrix = np.array([attribute.domain.n_codes for attribute in self.coded.attributes], dtype=np.float64)
        most = {
            "discernibility": float(self.n.sum()),
            "volume": float(np.prod(sizes)),
            "certainty": float(self.coded.weights.sum()),
            "classification": 1.0,
        }
        return most[str(self.loss)]


def _evenly(sizes: Ints, k: int) -> Vector:
    """(n,) sums of squares of so many records, divided evenly among as many blocks of k as there can be."""
    n_blocks = np.maximum(sizes // k, 1)
    size, n_larger = sizes // n_blocks, sizes % n_blocks
    sums: Vector = (size**2 * (n_blocks - n_larger) + (size + 1) ** 2 * n_larger).astype(np.float64)
    return sums


def _counts_by_cell(cell: Ints, value: Ints, n: Ints, n_cells: int, n_values: int) -> Ints:
    """(n_cells, n_values) number of records."""
    flat = np.bincount(cell * n_values + value, weights=n, minlength=n_cells * n_values)
    return flat.astype(np.int64).reshape(n_cells, n_values)
