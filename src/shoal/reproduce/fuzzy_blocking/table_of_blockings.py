"""Tables 1 and 2 once more, by the table of blockings that ``shoal link --blocking-table --decimals 1`` prints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np

from shoal.kernels import Matrix
from shoal.linkage.blocking_table import blocking_table
from shoal.linkage.linkage_tables import encode_linkage_arrays

NEARLY = 0.05


@dataclass(frozen=True)
class TableCell:
    """A printed mean of true pairs kept, and that of the table of blockings."""

    masked: str
    method: str
    paper: float
    ours: float

    @property
    def is_near(self) -> bool:
        return abs(self.ours / self.paper - 1) <= NEARLY


def table_cells(name: str, X: Matrix, masked: Matrix, printed: Mapping[str, float]) -> list[TableCell]:
    """``printed``: by method, the count of the paper."""
    means = blocking_table(encode_linkage_arrays(X, masked), np.arange(len(X)), decimals=1).means
    return [TableCell(name, method, paper, means[method]) for method, paper in printed.items()]


def files(cells: list[TableCell]) -> dict[str, str]:
    rows = [{**asdict(cell), "within_5_percent": cell.is_near} for cell in cells]
    return {"blocking_table.json": json.dumps(rows, indent=2), "blocking_table.md": _markdown(cells)}


def _markdown(cells: list[TableCell]) -> str:
    head = "| masked file | blocking | paper | ours | within 5 % |\n|---|---|---:|---:|---|\n"
    body = "".join(
        f"| {c.masked} | {c.method} | {c.paper:g} | {c.ours:.1f} | {'yes' if c.is_near else 'NO'} |\n" for c in cells
    )
    n_near = sum(cell.is_near for cell in cells)
    return f"# Tables 1 and 2 by --blocking-table\n\n{head}{body}\n{n_near} of {len(cells)} are within 5 %.\n"
