"""A self-organizing map of the population: where records are many, where they differ, and which belong together.

It is trained on the original. Cells with few records are not shown: ``hits`` is 0 below ``fewest`` records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.blocking.som import Map, MapRules
from shoal.blocking.som.last_map import LAST_MAP
from shoal.blocking.som.quality import MapQuality, map_quality
from shoal.blocking.som.regions import Regions, map_regions
from shoal.encode.codes import to_codes
from shoal.encode.embedding import Embedding
from shoal.encode.number_column import to_numbers
from shoal.encode.standardize import moments, z_scores
from shoal.kernels import Labels, Matrix, Vector
from shoal.schema import Schema

OTHER = "other"
MOST_LABELS = 9  # besides "other": more colors could not be distinguished


@dataclass(frozen=True, eq=False)
class UnitLabels:
    """The most frequent value of another column in every cell; rarer values of the table are ``other``."""

    column: str
    names: tuple[str, ...]
    of_unit: Labels  # (n_units,) index in ``names``; -1 for cells that are not shown


@dataclass(frozen=True, eq=False)
class PopulationMap:
    map: Map
    planes: dict[str, Vector]  # (n_units,) by column: low to high, in standard deviations
    regions: Regions
    quality: MapQuality
    fewest: int
    labels: UnitLabels | None = None
    grouped: bool = False  # whether records were grouped by this map
    n_maps: int = 1  # maps by which records were grouped

    @property
    def hits(self) -> Labels:
        """(n_units,) records of a cell, 0 where they are fewer than ``fewest``."""
        return np.where(self.map.hits >= self.fewest, self.map.hits, 0)

    def with_labels(self, column: str, values: pa.ChunkedArray[Any]) -> PopulationMap:
        """With labels from a column of the records that the map was trained on."""
        codes = to_codes(column, values)
        frequent = np.argsort(-np.bincount(codes.codes + 1, minlength=codes.n_values + 1)[1:], kind="stable")
        names = [codes.texts[code] for code in frequent[:MOST_LABELS]]
        label_numbers = np.full(codes.n_values + 1, len(names))  # the last is for missing values, which label no cell
        label_numbers[frequent[:MOST_LABELS]] = np.arange(len(names))
        counts = np.zeros((self.map.n_units, len(names) + 1), dtype=np.int64)
        known = codes.codes >= 0
        np.add.at(counts, (self.map.labels[known], label_numbers[codes.codes[known]]), 1)
        of_unit = np.where((self.hits > 0) & (counts.sum(axis=1) > 0), np.argmax(counts, axis=1), -1)
        return replace(self, labels=UnitLabels(column, (*names, OTHER), of_unit.astype(np.int64)))


def map_of_quasi_identifiers(
    table: pa.Table, schema: Schema, embedding: Embedding, rules: MapRules, *, seed: int, fewest: int
) -> PopulationMap:
    """The map that Micro-SOM trains on a table; a plane for every column that is not nominal."""
    starts = np.cumsum([0, *(column.width for column in embedding.places)])[:-1]
    columns = {n: int(at) for n, at in zip(embedding.names, starts, strict=True) if schema[n].kind != "nominal"}
    return _train_map(embedding.points(table), columns, rules, seed, fewest)


def map_of_numbers(table: pa.Table, names: Sequence[str], rules: MapRules, *, seed: int, fewest: int) -> PopulationMap:
    """A map of numeric columns; where a value is missing, distances are over the other columns."""
    X = np.column_stack([_scores(name, table) for name in names])
    return _train_map(X, {name: at for at, name in enumerate(names)}, rules, seed, fewest)


def _scores(name: str, table: pa.Table) -> Vector:
    """(n_records,) z-scores of the known values, NaN for the others."""
    numbers = to_numbers(name, table[name])
    known = np.ascontiguousarray(numbers.values[~numbers.missing, None])
    scores = np.full(len(table), np.nan)
    scores[~numbers.missing] = z_scores(known, *moments(known))[:, 0]
    return scores


def _train_map(X: Matrix, columns: dict[str, int], rules: MapRules, seed: int, fewest: int) -> PopulationMap:
    trained_map = LAST_MAP.find_or_train(X, rules=rules, missing="known", seed=seed)
    planes = {name: trained_map.units[:, at] for name, at in columns.items()}
    regions, quality = map_regions(trained_map, seed=seed), map_quality(trained_map, X, missing="known")
    return PopulationMap(trained_map, planes, regions, quality, fewest)
