"""Record linkage: how many persons of the original an intruder finds in the release.

two files or tables -> Linkage
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.assess.intruder import Intruder
from shoal.assess.risk.distance import distance_linkage
from shoal.assess.risk.linkage import Linkage
from shoal.assess.risk.links import Links
from shoal.assess.risk.probabilistic import probabilistic_linkage
from shoal.assess.risk.rank import rank_points
from shoal.assess.truth import true_records
from shoal.blocking.candidates import Candidates
from shoal.blocking.choose import choose_blocking
from shoal.blocking.fuzzy import FuzzyBlocking
from shoal.blocking.linkage_blocking import LinkageBlocking, blocking_quality
from shoal.blocking.sorted_neighborhood import SortedNeighborhood
from shoal.blocking.standard import StandardBlocking
from shoal.encode.codes import to_codes
from shoal.encode.numbers import to_numbers
from shoal.encode.sides import Sides, sides_of_tables
from shoal.encode.whiten import whiten
from shoal.errors import LinkageError, PolicyError, TableError
from shoal.kernels import Labels, Vector
from shoal.schema import Column, Schema
from shoal.schema.suggest import suggest
from shoal.sources import read

MEASURES = ("distance", "mahalanobis", "rank", "probabilistic")
BLOCKINGS = ("standard", "sorted", "fuzzy", "auto")
NOT_KNOWN = ("identifier", "weight", "household")  # roles that no intruder compares


def link(
    original: Any,
    released: Any,
    *,
    schema: Schema | None = None,
    intruder: Intruder | None = None,
    by: str = "distance",
    blocking: LinkageBlocking | str | None = None,
    id: str | None = None,  # noqa: A002
    k: int = 1,
    seed: int = 0,
) -> Linkage:
    """The risk that an intruder finds persons of ``original`` in ``released``; both are files or any dataframes.

    schema    roles and kinds; guessed from the original if it is not given
    intruder  what they know, how precisely, of whom; at worst everything of everybody
    by        distance: Euclidean, standardized by both files together; mahalanobis; rank; probabilistic
    blocking  None: every pair; "standard", "sorted", "fuzzy", "auto" (the best at 1,000 pairs per person), or your own
    id        a column that says who is who; without it record i is record i
    k         guesses for every person
    """
    if by not in MEASURES:
        raise PolicyError.unknown_choice("by", by, MEASURES)
    who = intruder or Intruder()
    before, after = read_both(original, released, id)
    roles = roles_of(before, schema)
    known = _known(before, after, roles, who, id)
    truth = true_records(before, after, id)
    return linked(before, after, truth, roles, known, who, by=by, blocking=blocking, k=k, seed=seed)


def read_both(original: Any, released: Any, id: str | None) -> tuple[pa.Table, pa.Table]:  # noqa: A002
    """Both files as they tell themselves. One of them says what its columns are called: shared names are no cells."""
    before, after = read(original, kinds="infer"), read(released, kinds="infer")
    for each in (before, after):
        each.check_columns([id] if id else [])
    if after.origin.names_in_doubt:
        before.check_named()
    return before.table, after.table


def linked(
    original: pa.Table,
    released: pa.Table,
    truth: Labels,
    roles: Schema,
    known: Schema,
    who: Intruder,
    *,
    by: str,
    blocking: LinkageBlocking | str | None = None,
    k: int = 1,
    seed: int = 0,
) -> Linkage:
    """The same of tables: ``truth`` is the released record of every original one, ``known`` what is compared."""
    persons = who.whom(len(original))
    true = truth[persons]
    sides = sides_of_tables(who.knowledge(original, known).take(persons), released, known)
    candidates = None if blocking is None else _blocking(blocking, sides, true, seed).candidates(sides)
    return Linkage(
        persons,
        true,
        _attack(by, sides, true, k, candidates),
        weights_of(original, roles, persons),
        households_of(original, roles, persons),
        len(released),
        k,
        known.quasi_identifiers,
        None if candidates is None else blocking_quality(candidates, true),
    )


def _attack(by: str, sides: Sides, truth: Labels, k: int, candidates: Candidates | None) -> Links:
    if by == "probabilistic":
        return probabilistic_linkage(sides, truth, k=k, candidates=candidates)[0]
    points = rank_points(sides) if by == "rank" else sides.points
    if by == "mahalanobis":
        points = whiten(*points)
    return distance_linkage(*points, truth, k=k, candidates=candidates)


def _blocking(blocking: LinkageBlocking | str, sides: Sides, truth: Labels, seed: int) -> LinkageBlocking:
    match blocking:
        case "standard":
            return StandardBlocking()
        case "sorted":
            return SortedNeighborhood()
        case "fuzzy":
            return FuzzyBlocking()
        case "auto":
            return choose_blocking(sides, truth, seed=seed).blocking
        case str():
            raise PolicyError.unknown_choice("blocking", blocking, BLOCKINGS)
    return blocking


def roles_of(original: pa.Table, schema: Schema | None) -> Schema:
    """The columns of the original as declared; guessed by name and values where nothing is declared."""
    guessed = (Column(s.name, s.role, s.kind) for s in suggest(original))
    return Schema(schema[c.name] if schema and c.name in schema else c for c in guessed)


def _known(original: pa.Table, released: pa.Table, roles: Schema, intruder: Intruder, id: str | None) -> Schema:  # noqa: A002
    """What the intruder compares, as quasi-identifiers."""
    there = set(released.column_names)
    shared = [name for name in original.column_names if name in there and name != id]
    for name in intruder.columns:
        if name not in shared:
            raise LinkageError.unknown_column(name, shared)
    wanted = intruder.columns or [name for name in shared if roles[name].role not in NOT_KNOWN]
    if not wanted:
        raise LinkageError.no_common_column(original.num_columns, released.num_columns)
    return compared(roles, wanted)


def compared(roles: Schema, names: Iterable[str]) -> Schema:
    """These columns as quasi-identifiers."""
    columns = [roles[name] for name in names]
    return Schema(Column(c.name, "quasi_identifier", c.kind, c.taxonomy, c.order) for c in columns)


def weights_of(original: pa.Table, roles: Schema, persons: Labels) -> Vector:
    for column in roles.with_role("weight"):
        numbers = to_numbers(column.name, original[column.name])
        unfit = int((numbers.missing | ~(numbers.values > 0)).sum())
        if unfit:
            raise TableError.unfit_weights(column.name, unfit)
        return numbers.values[persons]
    return np.ones(len(persons))


def households_of(original: pa.Table, roles: Schema, persons: Labels) -> Labels | None:
    """Numbered 0, 1, ...; a person without one is a household of their own."""
    for column in roles.with_role("household"):
        codes = to_codes(column.name, original[column.name]).codes[persons]
        alone = codes < 0
        codes[alone] = codes.max(initial=0) + 1 + np.arange(alone.sum())
        return np.unique(codes, return_inverse=True)[1]
    return None
