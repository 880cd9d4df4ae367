"""The gate for anatomy: proves from the two written tables that every group satisfies the requirements.

names and counts of both tables, schema, requirements -> Proof

Only what is specific to two linked tables is here; all other checks of a release apply as well. The groups take the
role of equivalence classes: the quasi-identifiers are public, and the group number is all that links a person to a
sensitive value. So a requirement is proved for every group, whichever quasi-identifiers it names: records that are
equal on some of these are in some of the groups. The gate uses neither the partition nor the original.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.gate.composition import Compositions, MemberHashes
from shoal.gate.file_contents import structure_faults
from shoal.gate.gate import Proof, prove_counts
from shoal.gate.written_counts import WrittenCounts
from shoal.requirements import Requirement
from shoal.schema import Column, Schema
from shoal.schema.helper_columns import COMPOSITION, N_UNITS, UNIT

GROUP, COUNT = "group", "count"  # column names as documented; not imported from the code that writes them


def prove_anatomy(
    members: pa.Table,
    sensitive: pa.Table,
    schema: Schema,
    requirements: Sequence[Requirement],
    units: pa.Table | None = None,
    holders: pa.Table | None = None,
) -> Proof:
    """The proof for two tables whose column names are correct.

    ``members``: the groups of the first table and, in the last column, their numbers of records. ``sensitive``: the
    second table as written. ``units``: the groups and, last, their numbers of distinct units; then ``requirements`` may
    only be about sizes and distinct values. ``holders``: row of the second table (from 0), unit with these values, and
    its number of records; with these, all requirements can be proved for units.
    """
    faults = _cell_faults(members, sensitive)
    if faults:
        return Proof(0, 0, 0, (), faults)
    counts = sensitive.select([GROUP, *schema.sensitive, COUNT])
    groups_as_classes = Schema([Column(GROUP, "quasi_identifier"), *schema.with_role("sensitive")])
    unit = schema.unit.name if schema.unit and (units or holders) else None
    if holders and not _add_up(holders, counts):
        return Proof(0, 0, 0, (), ("the counts of the sensitive table are not those of its units",))
    counted = _by_unit(counts, holders) if holders else _with_units(counts, units) if units else counts
    proof = prove_counts(counted, groups_as_classes, [_for_groups(requirement) for requirement in requirements], unit)
    return replace(proof, faults=_link_faults(members, sensitive))


def prove_units_of_anatomy(
    sensitive: pa.Table, schema: Schema, requirements: Sequence[Requirement], holders: pa.Table
) -> Proof:
    """The proof that the groups of all records of a unit together satisfy the requirements: units are compared with
    those whose records are in the same groups, in each as many. ``holders``: as for ``prove_anatomy``."""
    counts = sensitive.select([GROUP, *schema.sensitive, COUNT])
    counted = _by_composition(_by_unit(counts, holders))
    groups_as_classes = Schema([Column(GROUP, "quasi_identifier"), *schema.with_role("sensitive")])
    unit = schema.unit.name if schema.unit else None
    return prove_counts(counted, groups_as_classes, [_for_groups(requirement) for requirement in requirements], unit)


def _by_composition(counts: pa.Table) -> pa.Table:
    """The counts by unit with the composition of each, the groups of all its records; a record without a unit is
    one."""
    units: Any = counts[UNIT]
    n, is_known = counts[COUNT].to_numpy(), units.is_valid().to_numpy()
    rows = np.repeat(np.arange(len(n)), np.where(is_known, 1, n))  # a row for every record without a unit
    own = np.where(is_known[rows], units.fill_null(-1).to_numpy()[rows], -1 - np.arange(rows.size))
    of_rows = pa.table({UNIT: own, GROUP: counts[GROUP].take(rows), COUNT: np.where(is_known[rows], n[rows], 1)})
    numbers = Compositions.of(MemberHashes.of([GROUP], of_rows)).of_cells(of_rows[UNIT])
    alone = counts.drop_columns([UNIT, COUNT]).take(rows)
    return (
        alone.append_column(UNIT, of_rows[UNIT])
        .append_column(COMPOSITION, numbers)
        .append_column(COUNT, of_rows[COUNT])
    )


def _add_up(holders: pa.Table, counts: pa.Table) -> bool:
    """Whether the counts by unit add up to the counts of the second table, row by row."""
    rows, _, n = (column.to_numpy() for column in holders.columns)
    if rows.max(initial=-1) >= len(counts):
        return False
    return bool((np.bincount(rows, weights=n, minlength=len(counts)) == counts[COUNT].to_numpy()).all())


def _by_unit(counts: pa.Table, holders: pa.Table) -> pa.Table:
    """The second table with one row per unit, in a column before the counts."""
    rows, units, n = holders.columns
    return counts.drop_columns([COUNT]).take(rows).append_column(UNIT, units).append_column(COUNT, n)


def _with_units(counts: pa.Table, units: pa.Table) -> pa.Table:
    """The second table with the number of units of every group before the counts; 0 for a group without units."""
    n_units = _sizes(*units.columns)
    of_rows = [n_units.get(group, 0) for group in counts[GROUP].cast(pa.string()).to_pylist()]
    return counts.drop_columns([COUNT]).append_column(N_UNITS, pa.array(of_rows)).append_column(COUNT, counts[COUNT])


def name_faults(record_names: Sequence[str], sensitive_names: Sequence[str], schema: Schema) -> tuple[str, ...]:
    """Faults in the columns: the first table must have no sensitive column, the second only these, both the group."""
    leaked = [name for name in schema.sensitive if name in record_names]
    others = Schema(column for column in schema.columns if column.role != "sensitive")
    expected = (GROUP, *schema.sensitive, COUNT)
    return (
        *structure_faults([name for name in record_names if name not in (GROUP, *leaked)], others),
        *(f"the sensitive column '{name}' is in the table of records" for name in leaked),
        *((f"the column '{GROUP}' is not in the table of records",) if GROUP not in record_names else ()),
        *(f"the column '{name}' is not in the sensitive table" for name in expected if name not in sensitive_names),
        *(
            f"the column '{name}' must not be in the sensitive table"
            for name in sensitive_names
            if name not in expected
        ),
    )


def _cell_faults(members: pa.Table, sensitive: pa.Table) -> tuple[str, ...]:
    """Faults in cells, such as missing groups or counts below 1, that would invalidate all further checks."""
    nameless = WrittenCounts.of(members).values.null_count + sensitive[GROUP].null_count
    counts: Any = sensitive[COUNT]
    if not pa.types.is_integer(counts.type):
        return (f"the column '{COUNT}' of the sensitive table does not hold whole numbers",)
    n_unfit = len(counts) - (pc.sum(pc.greater(counts, pa.scalar(0))).as_py() or 0)
    return (
        *((f"{nameless} rows have no group",) if nameless else ()),
        *((f"{n_unfit} counts of the sensitive table are missing or below 1",) if n_unfit else ()),
    )


def _link_faults(members: pa.Table, sensitive: pa.Table) -> tuple[str, ...]:
    """Faults in the link: every group must be in both tables with the same size, and every combination counted once."""
    stated = _sizes(sensitive[GROUP], sensitive[COUNT])
    counted = _sizes(*members.columns)
    n_alone = len(stated.keys() ^ counted.keys())
    n_other = sum(stated[group] != counted[group] for group in stated.keys() & counted.keys())
    combinations = sensitive.drop_columns([COUNT])
    n_twice = len(combinations) - len(combinations.group_by(combinations.column_names).aggregate([]))
    return (
        *((f"{n_alone} groups are in only one of the two tables",) if n_alone else ()),
        *((f"{n_other} groups have another number of records in the sensitive table",) if n_other else ()),
        *((f"{n_twice} rows of the sensitive table repeat another row",) if n_twice else ()),
    )


def _sizes(groups: pa.ChunkedArray[Any], n: pa.ChunkedArray[Any]) -> dict[Any, int]:
    """Number of records by group. Groups are compared as text, since a file format may change the type of numbers."""
    counted: Any = pa.table({"group": groups.cast(pa.string()), "n": n}).group_by("group").aggregate([("n", "sum")])
    return dict(zip(counted["group"].to_pylist(), counted["n_sum"].to_pylist(), strict=True))


def _for_groups(requirement: Requirement) -> Requirement:
    parameters: Any = requirement
    whole: Requirement = replace(parameters, columns=None)
    return whole
