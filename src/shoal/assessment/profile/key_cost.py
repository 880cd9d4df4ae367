"""What each key costs: how many violations of k-anonymity remain without it, or with its values one level coarser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shoal import progress
from shoal.assessment.profile.key_table import KeyTable
from shoal.assessment.profile.violations import SIZES, records_below
from shoal.kernels import Ints


@dataclass(frozen=True)
class KeyCost:
    """Records that violate k-anonymity for k = 2, 3 and 5, counted in units where the table has some.

    key       the key
    n_values  its distinct values
    left_out  the violations if nobody knew it
    coarser   the violations if its values were those of the next level of its taxonomy; None without a taxonomy
    """

    key: str
    n_values: int
    left_out: tuple[int, ...]
    coarser: tuple[int, ...] | None


def key_costs(table: KeyTable, coarser: Mapping[str, Ints]) -> tuple[KeyCost, ...]:
    """``coarser``: for keys with a taxonomy, the code of every value one level up, by the code of the value."""
    codes = table.codes
    found = []
    with progress.stage("counting without each key", len(codes)) as at:
        for place, name in enumerate(table.names):
            others = [*codes[:place], *codes[place + 1 :]]
            level = coarser.get(name)
            recoded = None if level is None else [*others, level[table.columns[place].codes]]
            found.append(
                KeyCost(
                    name,
                    table.columns[place].n_values,
                    _violations(table, others),
                    None if recoded is None else _violations(table, recoded),
                )
            )
            at(place + 1)
    return tuple(found)


def _violations(table: KeyTable, codes: Sequence[Ints]) -> tuple[int, ...]:
    sizes, n = table.sizes(codes)
    return tuple(records_below(k, sizes, n) for k in SIZES)
