"""A trial of a draft: what protect would refuse is found for all columns at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from shoal.encode.count_table import CountTable
from shoal.encode.embedding import MAX_BYTES, fit_embedding
from shoal.errors import ShoalError
from shoal.policy.load import load
from shoal.policy.policy import Policy
from shoal.policy.recodings import recodings
from shoal.policy.resolve import resolve

LARGEST_BLOCK = 200_000  # records that are compared with each other at most, see blocking
STAND_IN = {"role": "quasi_identifier", "kind": "numeric"}  # of a column tried without the quasi-identifiers


@dataclass(frozen=True)
class Trial:
    """How every released column of a draft fares by itself."""

    refusals: Mapping[str, str]
    """The columns that are refused, and why."""
    widths: Mapping[str, int]
    """Coordinates of the quasi-identifiers that are not."""

    @classmethod
    def of(cls, policy: Policy, table: pa.Table) -> Trial:
        """``table``: read as the policy declares."""
        tried = {
            name: _width(policy, name, table) for name, rule in policy.columns.items() if rule.role != "identifier"
        }
        return cls(
            {name: found for name, found in tried.items() if isinstance(found, str)},
            {name: found for name, found in tried.items() if isinstance(found, int)},
        )

    def too_wide(self, n_records: int) -> tuple[str, ...]:
        """The widest columns, without which the others fit into memory."""
        names = sorted(self.widths, key=lambda name: self.widths[name])
        most = MAX_BYTES // (8 * min(n_records, LARGEST_BLOCK))
        while names and sum(self.widths[name] for name in names) > most:
            names.pop()
        return tuple(name for name in self.widths if name not in names)


def _width(policy: Policy, name: str, table: pa.Table) -> int | str:
    """The coordinates of a column, or why it is refused."""
    stand_in = f"{name} "
    rule = policy.columns[name].model_copy(update={"level": None})
    draft = load({"columns": {name: rule, stand_in: STAND_IN}, "source": policy.source})
    try:
        alone = pa.table({name: _recoded(draft, name, table), stand_in: _stand_in(len(table))})
        schema = resolve(draft, (name, stand_in), lambda _, add: add(alone), lambda each: _counts(alone, each))
        return fit_embedding(alone, schema).width - 1
    except ShoalError as error:
        return str(error).removeprefix(f"columns.{name}: ")


def _stand_in(n_records: int) -> pa.Array[Any]:
    """One known number, which costs nothing to fit."""
    return pa.concat_arrays([pa.array([0.0]), pa.nulls(n_records - 1, pa.float64())])


def _recoded(draft: Policy, name: str, table: pa.Table) -> Any:
    """The cells of a column after the recoding of the draft."""
    recoding = recodings(draft, [name], lambda each: _counts(table, each)).get(name)
    return recoding.recode(name, table[name]) if recoding else table[name]


def _counts(table: pa.Table, name: str) -> CountTable:
    values, n = table.group_by(name).aggregate([([], "count_all")]).columns
    return CountTable(pa.table({name: values}), n.to_numpy())
