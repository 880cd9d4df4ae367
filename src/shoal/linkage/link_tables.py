"""Record linkage: how many persons of the original an intruder finds in the release.

two tables, true pairs -> Linkage
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.codes import has_codes, to_codes
from shoal.encode.embedding import MAX_VALUES
from shoal.encode.number_column import are_numbers, to_numbers
from shoal.encode.whiten import whiten
from shoal.errors import LinkageError, PolicyError, TableError
from shoal.kernels import Labels, Vector
from shoal.linkage.blocking_choice import choose_blocking
from shoal.linkage.candidates import Candidates
from shoal.linkage.fuzzy_blocking import FuzzyBlocking
from shoal.linkage.intruder import Intruder
from shoal.linkage.linkage_blocking import LinkageBlocking, blocking_quality
from shoal.linkage.linkage_by_distance import nearest_links
from shoal.linkage.linkage_by_rank import ranked
from shoal.linkage.linkage_risk import Linkage
from shoal.linkage.linkage_tables import LinkageTables, check_single, have_one_type, sides_of_tables
from shoal.linkage.metric import WeightedPoints
from shoal.linkage.probabilistic_linkage import probabilistic_linkage
from shoal.linkage.record_links import Links
from shoal.linkage.sorted_neighborhood import SortedNeighborhood
from shoal.linkage.standard_blocking import StandardBlocking
from shoal.schema import Column, Schema
from shoal.schema.suggest import suggest

MEASURES = ("distance", "mahalanobis", "rank", "probabilistic")
BLOCKINGS = ("standard", "sorted", "fuzzy", "auto")
NOT_KNOWN = ("identifier", "weight", "household")  # roles that are not compared, unless the intruder names the column


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
    """The linkage of two tables: ``truth`` is the released record of every original one, ``known`` the columns that are
    compared."""
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


def _attack(by: str, sides: LinkageTables, truth: Labels, k: int, candidates: Candidates | None) -> Links:
    if by == "probabilistic":
        return probabilistic_linkage(sides, truth, k=k, candidates=candidates)[0]
    return nearest_links(_measured(by, sides), truth, k=k, candidates=candidates)


def _measured(by: str, sides: LinkageTables) -> WeightedPoints:
    match by:
        case "rank":
            return ranked(sides)
        case "mahalanobis":
            return WeightedPoints.plain(*whiten(*sides.points))
    return sides.measured


def _blocking(blocking: LinkageBlocking | str, sides: LinkageTables, truth: Labels, seed: int) -> LinkageBlocking:
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
    """The columns of the original as declared; guessed from names and values where nothing is declared."""
    guessed = (Column(s.name, s.role, s.kind) for s in suggest(original))
    return Schema(schema[c.name] if schema and c.name in schema else c for c in guessed)


def declared_or_known(original: pa.Table, schema: Schema | None) -> Schema:
    """The columns of the original as declared; undeclared ones are quasi-identifiers of a guessed kind."""
    return Schema(
        c if schema and c.name in schema else Column(c.name, "quasi_identifier", c.kind)
        for c in roles_of(original, schema).columns
    )


def known_to(
    intruder: Intruder,
    original: pa.Table,
    released: pa.Table,
    roles: Schema,
    by: str,
    id: str | None,  # noqa: A002
) -> tuple[Schema, tuple[str, ...]]:
    """The columns that the intruder compares, as quasi-identifiers, and notes on those left out; columns that the
    intruder names are never left out."""
    there = set(released.column_names)
    shared = [name for name in original.column_names if name in there and name != id]
    for name in intruder.columns:
        if name not in shared:
            raise LinkageError.unknown_column(name, shared)
        check_single(name, original, released)
    if intruder.columns:
        return compared(roles, intruder.columns), ()
    reasons = {name: _left_out(roles[name], original[name], released[name], by) for name in shared}
    wanted = [name for name in shared if not reasons[name]]
    if not wanted:
        raise LinkageError.no_common_column(original.num_columns, released.num_columns)
    notes = tuple(f"{name} is left out: {reason}." for name, reason in reasons.items() if reason)
    return compared(roles, wanted), notes


def _left_out(column: Column, original: pa.ChunkedArray[Any], released: pa.ChunkedArray[Any], by: str) -> str:
    """The reason why a column is not compared; empty where it is."""
    if column.role in NOT_KNOWN:
        return f"the schema says {column.role}"
    if not (has_codes(original.type) and has_codes(released.type)):
        return "its cells are no single values"
    if any(cells.null_count == len(cells) for cells in (original, released)):
        return "it is all missing"
    if len(original.unique()) == 1:
        return "it tells nobody apart"
    if not have_one_type(original, released):
        return f"it holds {original.type} in the original and {released.type} in the release"
    if column.kind in ("numeric", "date") and not are_numbers(original, released):
        return "its numbers are too large for a distance"
    n_values = len(original.unique()) if column.kind == "nominal" and not column.taxonomy else 0
    if n_values > MAX_VALUES and by != "probabilistic":
        return f"{n_values} different texts are too many for a distance; link by probabilistic"
    return ""


def compared(roles: Schema, names: Iterable[str]) -> Schema:
    """The named columns as quasi-identifiers."""
    columns = [roles[name] for name in names]
    return Schema(Column(c.name, "quasi_identifier", c.kind, c.taxonomy, c.order) for c in columns)


def weights_of(original: pa.Table, roles: Schema, persons: Labels) -> Vector:
    for column in roles.with_role("weight"):
        numbers = to_numbers(column.name, original[column.name])
        unfit = int((numbers.missing | ~(numbers.values > 0)).sum())
        if unfit:
            raise TableError.invalid_weights(column.name, unfit)
        return numbers.values[persons]
    return np.ones(len(persons))


def households_of(original: pa.Table, roles: Schema, persons: Labels) -> Labels | None:
    """(n_persons,) household numbers 0, 1, ...; a person without one is a household of their own."""
    for column in roles.with_role("household"):
        codes = to_codes(column.name, original[column.name]).codes[persons]
        alone = codes < 0
        codes[alone] = codes.max(initial=0) + 1 + np.arange(alone.sum())
        return np.unique(codes, return_inverse=True)[1]
    return None
