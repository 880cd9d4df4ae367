"""Transition probabilities by which PRAM changed a column: an analyst who knows them can correct for the changes.

No value of few records is named: such values share one column and have no row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from shoal.encode.codes import Codes
from shoal.kernels import Matrix, Vector

MOST_VALUES = 12  # shown


@dataclass(frozen=True, eq=False)
class PramMatrix:
    column: str
    values: tuple[str, ...]
    chances: Matrix  # (n_values, n_values) probability that value i becomes value j
    rest: Vector  # (n_values,) probability that value i becomes a rarer one
    n_strata: int = 1
    stratum: Mapping[str, str | None] = field(default_factory=dict)  # to which it applies, where there are several

    @classmethod
    def of(
        cls, column: str, codes: Codes, chances: Matrix, fewest: int, n_strata: int, stratum: Mapping[str, str | None]
    ) -> PramMatrix:
        """The matrix of the most frequent values, without those of fewer than ``fewest`` records."""
        counts = np.bincount(codes.codes[codes.codes >= 0], minlength=codes.n_values)
        frequent = np.argsort(-counts, kind="stable")[:MOST_VALUES]
        shown = np.sort(frequent[counts[frequent] >= fewest])
        rest = chances[shown].sum(axis=1) - chances[np.ix_(shown, shown)].sum(axis=1)
        rest = rest if len(shown) < codes.n_values else np.zeros(len(shown))
        texts = codes.texts
        return cls(column, tuple(texts[at] for at in shown), chances[np.ix_(shown, shown)], rest, n_strata, stratum)
