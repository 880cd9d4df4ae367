"""What attacks on units share: who stands where in a release that was not shuffled, and points to compare."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
from numpy.typing import NDArray

from attacks.published import Published, publish

Places = NDArray[np.int64]


def publish_in_order(table: pa.Table, policy: dict[str, Any], folder: Path, **how: Any) -> tuple[Published, Places]:
    """A release in the order of the original, and (n_released,) the original record of every released one."""
    kept_order = policy | {"output": policy.get("output", {}) | {"shuffle": False}}
    found = publish(table, kept_order, folder, mapping=folder / "mapping.csv", **how)
    groups = pyarrow.csv.read_csv(folder / "mapping.csv")["group"]
    return found, np.flatnonzero(groups.is_valid().to_numpy())


def points(known: pa.Table, released: pa.Table, numbers: Sequence[str], names: Sequence[str]) -> tuple[Any, Any]:
    """(n_known, d), (n_released, d): numbers by their spread, names by a place for every value; a blank is in the
    middle."""
    both: list[list[Any]] = [[], []]
    for name in numbers:
        here, there = (_numbers(table[name]) for table in (known, released))
        spread = max(float(np.nanstd(here)), 1e-9)
        for side, values in zip(both, (here, there), strict=True):
            side.append(np.nan_to_num((values - np.nanmean(here)) / spread)[:, None])
    for name in names:
        here, there = (np.array(table[name].cast(pa.string()).to_pylist(), dtype=object) for table in (known, released))
        for value in sorted({cell for cell in here if cell}):
            for side, cells in zip(both, (here, there), strict=True):
                side.append((cells == value).astype(float)[:, None])
    return np.hstack(both[0]), np.hstack(both[1])


def _numbers(cells: Any) -> Any:
    return np.array([float(cell) if cell not in (None, "") else np.nan for cell in cells.to_pylist()])
