"""Local suppression: the fewest and least important cells are blanked until the records satisfy the requirements.

counts of combinations, schema, requirements -> Blanks

The problem is k-anonymity by suppression, which is NP-hard: Meyerson & Williams (2004), doi:10.1145/1055558.1055591.
The tool is known from mu-Argus and sdcMicro: Templ, Kowarik & Meindl (2015), doi:10.18637/jss.v067.i04.

Under ``blanks = "value"``, the rule of every release, a blank equals only a blank. Sets of columns are tried from
cheap to expensive: records that are equal except on the set, and number at least k together, lose it. Fewer equal
records may take in records of classes with more than k, if that costs fewer cells than the alternatives; whatever is
left at the end is blanked in all columns. Then records are moved where they have fewer blanks, and classes that all
members can leave are dissolved, as long as anything is gained. Once, blanked records that their classes can spare form
new classes in which they have fewer blanks. Where units are counted, k different units are needed instead of records.

Under ``blanks = "wildcard"``, sdcMicro's rule, a blank matches every value. A record loses the cheapest set of columns
without which k records match it, and its blanks make it match others, which then need no blank.

We depart from sdcMicro: importance is the cost of a cell, not a rank, all records are processed together and not one
after the other, and ties are resolved by the order of columns and combinations. A policy may have other requirements
besides k-anonymity: classes that fail one are blanked further. Several sets of quasi-identifiers are processed in turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from shoal import kernels, progress
from shoal.encode.count_table import CountTable
from shoal.encode.packed_combinations import Words
from shoal.errors import PolicyError, TableError
from shoal.kernels import Ints, Labels, Vector
from shoal.methods.local_suppression.blanked_combinations import SuppressionState
from shoal.methods.local_suppression.further_blanks import RequirementCheck, blank_further
from shoal.methods.local_suppression.suppression_key_set import SuppressionKeySet, key_sets
from shoal.plan import Blanks
from shoal.requirements import Requirement
from shoal.requirements.requirement import of_schema
from shoal.schema import Schema

Rule = Literal["value", "wildcard"]
OFFERS_PER_STEP = 8
MAX_PASSES = 20  # of improvement; three to five are usual


def local_suppression(
    counts: CountTable,
    schema: Schema,
    requirements: Sequence[Requirement],
    *,
    importance: Mapping[str, float] | None = None,
    blanks: Rule = "value",
) -> Blanks:
    """The cells to blank. ``counts``: of quasi-identifiers and sensitive columns, and of UNIT where units are counted.

    ``importance`` is the cost of a blanked cell by column, 1 by default.
    """
    columns, requirements = schema.quasi_identifiers, of_schema(requirements, schema)
    combinations = counts.combinations
    sets = key_sets(columns, requirements, importance or {})
    parts, is_stable = SuppressionState.of(combinations, columns, counts.n), False
    _check(requirements, sets, counts.n_records, blanks)
    _check_units(sets, parts.n_units)
    check = RequirementCheck.of(combinations, schema, requirements)
    while not is_stable:  # blanks for one set may remove a record from its class in another
        n_cells = parts.n_cells
        for key_set in sets:
            parts = _wildcards(parts, key_set) if blanks == "wildcard" else _values(parts, key_set, check)
        is_stable = len(sets) == 1 or parts.n_cells == n_cells
    return parts.blanks(combinations)


def _check(
    requirements: Sequence[Requirement], sets: Sequence[SuppressionKeySet], n_records: int, blanks: Rule
) -> None:
    if blanks not in ("value", "wildcard"):
        raise PolicyError.unknown_choice("blanks", blanks, ("value", "wildcard"))
    for requirement in requirements:
        if blanks == "wildcard" and requirement.reads != "totals":
            raise PolicyError.only_for("blanks = 'wildcard'", "k_anonymity", requirement.name)
    if _largest_k(sets) > n_records:
        raise TableError.k_above_n(_largest_k(sets), n_records)


def _check_units(sets: Sequence[SuppressionKeySet], n_units: int) -> None:
    if _largest_k(sets) > n_units:
        raise TableError.k_above_units(_largest_k(sets), n_units)


def _largest_k(sets: Sequence[SuppressionKeySet]) -> int:
    return max((key_set.k or 0 for key_set in sets), default=0)


def _values(parts: SuppressionState, key_set: SuppressionKeySet, check: RequirementCheck) -> SuppressionState:
    """A blank equals only a blank."""
    if key_set.k is not None:
        classes = parts.classes_by_unit(key_set.names)
        counted = _class_counts(parts, classes, key_set)
        state = kernels.LocalSuppression(*counted, key_set.masks, k=key_set.k, units=_class_units(parts, classes))
        n_offers = state.step(0)
        with progress.stage("blanking cells", n_offers) as at:
            while n_left := state.step(OFFERS_PER_STEP):
                at(n_offers - n_left)
            at(n_offers)
        _improve(state)
        if state.regroup():
            _improve(state)
        cells = parts.to_all_columns(key_set.names, key_set.cells(state.patterns()))
        parts = parts.divide_classes(classes, state.rows(), cells, state.records())
    return blank_further(parts, key_set, check)


def _improve(state: kernels.LocalSuppression) -> None:
    for _ in range(MAX_PASSES):
        if not state.improve():
            return


def _wildcards(parts: SuppressionState, key_set: SuppressionKeySet) -> SuppressionState:
    """A blank matches every value."""
    classes = parts.class_numbers(key_set.names)
    masks = kernels.wildcard_blanks(*_class_counts(parts, classes, key_set), key_set.masks, key_set.k or 0)
    return parts.add_blanks(parts.to_all_columns(key_set.names, key_set.cells(masks))[classes])


def _class_counts(
    parts: SuppressionState, classes: Labels, key_set: SuppressionKeySet
) -> tuple[Words, Ints, Words, Vector]:
    """Every class once, as input of the kernels: its key, number of records, and the columns with their costs."""
    first = np.unique(classes, return_index=True)[1]
    n = np.bincount(classes, weights=parts.n).astype(np.int64)
    fields = parts.packed.fields[parts.column_indices(key_set.names)]
    return np.ascontiguousarray(parts.keys(key_set.names)[first]), n, np.ascontiguousarray(fields), key_set.weights


def _class_units(parts: SuppressionState, classes: Labels) -> Labels:
    """(n_classes,) the unit of every class that was divided by units; -1: each of its records is one."""
    units = np.full(int(classes.max()) + 1, -1, dtype=np.int64)
    if parts.unit_of is not None:
        units[classes] = parts.unit_of
    return units
