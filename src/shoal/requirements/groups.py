"""What a requirement may look at: how many records a group has, and how its sensitive values are spread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from shoal.kernels import Labels

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True)
class Groups:
    """Groups of records, by counts alone.

    A missing sensitive value is in the total of its group but in no count: what is not known makes nothing diverse.
    """

    totals: Labels  # (n_groups,) records
    counts: csr_array[np.int64] | None = None  # (n_groups, n_sensitive_values) records; None: no sensitive column

    @classmethod
    def of(cls, labels: Labels, n: Labels, values: Labels | None = None) -> Self:
        """From rows of (group, n records, sensitive value); a value of -1 is missing."""
        n_groups = int(labels.max()) + 1
        totals = np.bincount(labels, weights=n, minlength=n_groups).astype(np.int64)
        if values is None:
            return cls(totals)
        from scipy.sparse import coo_array

        known = values >= 0
        shape = (n_groups, int(values.max(initial=0)) + 1)
        counts = coo_array((n[known], (labels[known], values[known])), shape=shape).tocsr()
        return cls(totals, counts)

    @property
    def n_groups(self) -> int:
        return int(self.totals.size)
