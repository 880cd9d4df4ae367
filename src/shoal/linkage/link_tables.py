"""Record linkage: how many persons of the original an intruder finds in the release.

two tables, true pairs -> Linkage
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.codes import has_codes, to_codes
from shoal.encode.embedding import MAX_VALUES
from shoal.encode.number_column import are_numbers, to_numbers
from shoal.encode.whiten import whiten
from shoal.errors import LinkageError, TableError
from shoal.kernels import Labels, Vector
from shoal.linkage.blocking_options import AnyBlocking, resolve_blocking
from shoal.linkage.candidates import Candidates
from shoal.linkage.intruder import Intruder
from shoal.linkage.linkage_blocking import blocking_quality
from shoal.linkage.linkage_by_distance import nearest_links
from shoal.linkage.linkage_by_rank import rank_points
from shoal.linkage.linkage_risk import Linkage
from shoal.linkage.linkage_tables import (
    LinkageTables,
    check_single_values,
    encode_linkage_tables,
    have_comparable_types,
)
from shoal.linkage.metric import WeightedPoints
from shoal.linkage.one_to_one import MOST_RECORDS, one_to_one_links
from shoal.linkage.probabilistic_linkage import probabilistic_linkage
from shoal.linkage.record_links import Links
from shoal.linkage.released_classes import ReleasedClasses
from shoal.schema import Column, Schema
from shoal.schema.suggest import suggest

MEASURES = ("distance", "mahalanobis", "rank", "probabilistic")
UNCOMPARED_ROLES = (
    "identifier",
    "weight",
    "household",
    "unit",
)  # roles that are not compared, unless the intruder names the column


def link_tables(
    original: pa.Table,
    released: pa.Table,
    truth: Labels,
    roles: Schema,
    known: Schema,
    intruder: Intruder,
    *,
    by: str,
    blocking: AnyBlocking | Sequence[AnyBlocking] | None = None,
    one_to_one: bool = False,
    k: int = 1,
    seed: int = 0,
    everybody: Labels | None = None,
) -> Linkage:
    """The linkage of two tables: ``truth`` is the released record of every original one, ``known`` the columns that are
    compared. ``everybody``: whom the intruder knows, ascending, where only a sample of them is searched for."""
    persons = intruder.known_persons(len(original))
    true = truth[persons]
    ranked = persons if everybody is None or by != "rank" else everybody
    knowledge = intruder.knowledge(original, known)
    some = knowledge if len(ranked) == len(knowledge) else knowledge.take(ranked)
    tables = encode_linkage_tables(some, released, known)
    if len(ranked) > len(persons):
        tables = tables.sample(np.searchsorted(ranked, persons))
    if one_to_one:
        _check_one_to_one(by, k)
        blocking = _blocking_of_many(blocking, len(persons), len(released))
    resolved = resolve_blocking(blocking, tables, true, seed)
    candidates = None if resolved is None else resolved.candidates(tables)
    if one_to_one:
        links = one_to_one_links(_weighted_points(by, tables), true, candidates).links
    elif candidates is None and by != "mahalanobis":
        classes = ReleasedClasses.of(tables)
        links = classes.links(_attack(by, classes.tables, classes.truth(true), k, None))
    else:
        links = _attack(by, tables, true, k, candidates)
    quality = None if candidates is None else blocking_quality(candidates, true)
    return Linkage(
        persons,
        true,
        links,
        person_weights(original, roles, persons),
        household_numbers(original, roles, persons),
        len(released),
        k,
        known.quasi_identifiers,
        quality,
        _one_to_one_notes(one_to_one, quality is not None),
    )


def _check_one_to_one(by: str, k: int) -> None:
    if by == "probabilistic":
        raise LinkageError.not_one_to_one(by)
    if k > 1:
        raise LinkageError.one_guess(k)


def _blocking_of_many(
    blocking: AnyBlocking | Sequence[AnyBlocking] | None, n_persons: int, n_records: int
) -> AnyBlocking | Sequence[AnyBlocking] | None:
    """The blocking as given; without one, the 2^d-tree where there are too many records for one block."""
    return "twod_tree" if blocking is None and max(n_persons, n_records) > MOST_RECORDS else blocking


def _one_to_one_notes(one_to_one: bool, in_blocks: bool) -> tuple[str, ...]:
    over = "the pairs of every block" if in_blocks else "all pairs"
    note = f"Links are one to one: their sum of distances is proven to be the least over {over}."
    return (note,) if one_to_one else ()


def _attack(by: str, tables: LinkageTables, truth: Labels, k: int, candidates: Candidates | None) -> Links:
    if by == "probabilistic":
        return probabilistic_linkage(tables, truth, k=k, candidates=candidates)[0]
    return nearest_links(_weighted_points(by, tables), truth, k=k, candidates=candidates)


def _weighted_points(by: str, tables: LinkageTables) -> WeightedPoints:
    match by:
        case "rank":
            return rank_points(tables)
        case "mahalanobis":
            return WeightedPoints.unscaled(*whiten(*tables.points))
    return tables.weighted_points


def column_roles(original: pa.Table, schema: Schema | None) -> Schema:
    """The columns of the original as declared; guessed from names and values where nothing is declared."""
    guessed = (Column(s.name, s.role, s.kind) for s in suggest(original))
    return Schema(schema[c.name] if schema and c.name in schema else c for c in guessed)


def declared_or_quasi_identifiers(original: pa.Table, schema: Schema | None) -> Schema:
    """The columns of the original as declared; undeclared ones are quasi-identifiers of a guessed kind."""
    return Schema(
        c if schema and c.name in schema else Column(c.name, "quasi_identifier", c.kind)
        for c in column_roles(original, schema).columns
    )


def known_columns(
    intruder: Intruder,
    original: pa.Table,
    released: pa.Table,
    roles: Schema,
    by: str,
    id: str | None,  # noqa: A002
    extents: Collection[str] = (),
) -> tuple[Schema, tuple[str, ...]]:
    """The columns that the intruder compares, as quasi-identifiers, and notes on those left out; columns that the
    intruder names are never left out. ``extents``: columns of which a cell contains a value or not, whatever its
    type."""
    there = set(released.column_names)
    shared = [name for name in original.column_names if name in there and name != id]
    for name in intruder.columns:
        if name not in shared:
            raise LinkageError.unknown_column(name, shared)
        check_single_values(name, original, released)
    if intruder.columns:
        return as_quasi_identifiers(roles, intruder.columns), ()
    reasons = {
        name: _reason_by_role(roles[name])
        or ("" if name in extents else _reason_by_values(roles[name], original[name], released[name], by))
        for name in shared
    }
    compared = [name for name in shared if not reasons[name]]
    if not compared:
        raise LinkageError.no_common_column(original.num_columns, released.num_columns)
    notes = tuple(f"{name} is left out: {reason}." for name, reason in reasons.items() if reason)
    return as_quasi_identifiers(roles, compared), notes


def _reason_by_role(column: Column) -> str:
    """The reason why a column is not compared; empty where it is."""
    return f"its role is {column.role}" if column.role in UNCOMPARED_ROLES else ""


def _reason_by_values(column: Column, original: pa.ChunkedArray[Any], released: pa.ChunkedArray[Any], by: str) -> str:
    """The same for cells that are single values."""
    if not (has_codes(original.type) and has_codes(released.type)):
        return "its cells are not single values"
    if any(cells.null_count == len(cells) for cells in (original, released)):
        return "all of its values are missing"
    if len(original.unique()) == 1:
        return "it distinguishes nobody"
    if not have_comparable_types(original, released):
        return f"it holds {original.type} in the original and {released.type} in the release"
    if column.kind in ("numeric", "date") and not are_numbers(original, released):
        return "its numbers are too large for a distance"
    n_values = len(original.unique()) if column.kind == "nominal" and not column.taxonomy else 0
    if n_values > MAX_VALUES and by != "probabilistic":
        return f"{n_values} different texts are too many for a distance; use probabilistic linkage"
    return ""


def as_quasi_identifiers(roles: Schema, names: Iterable[str]) -> Schema:
    """The named columns as quasi-identifiers."""
    columns = [roles[name] for name in names]
    return Schema(Column(c.name, "quasi_identifier", c.kind, c.taxonomy, c.order) for c in columns)


def person_weights(original: pa.Table, roles: Schema, persons: Labels) -> Vector:
    for column in roles.with_role("weight"):
        numbers = to_numbers(column.name, original[column.name])
        unfit = int((numbers.missing | ~(numbers.values > 0)).sum())
        if unfit:
            raise TableError.invalid_weights(column.name, unfit)
        return numbers.values[persons]
    return np.ones(len(persons))


def household_numbers(original: pa.Table, roles: Schema, persons: Labels) -> Labels | None:
    """(n_persons,) household numbers 0, 1, ...; a person without one is a household of their own."""
    for column in roles.with_role("household"):
        codes = to_codes(column.name, original[column.name]).codes[persons]
        alone = codes < 0
        codes[alone] = codes.max(initial=0) + 1 + np.arange(alone.sum())
        return np.unique(codes, return_inverse=True)[1]
    return None
