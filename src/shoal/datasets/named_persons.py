"""A roster of fictitious persons with names and addresses, for record linkage without masking.

seed -> pa.Table | record batches

Names are composed of syllables; a few are very frequent and most are rare, as in real populations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.datasets.batches import stream
from shoal.datasets.random_draws import CHUNK, Chunk, Generator

GIVEN_NAMES = tuple(
    a + b + c
    for c, b, a in product(("", "na", "rio", "ta"), ("la", "me", "vi", "ro", "ni"), ("Ma", "E", "Jo", "Ka", "A"))
)
SURNAMES = tuple(
    a + b + c + d
    for d, c, b, a in product(
        ("", "sen", "mann"),
        ("dal", "berg", "rik", "ow"),
        ("", "len", "ter", "mo"),
        ("Hol", "Bran", "Sol", "Vin", "Ler", "Kas", "Ny", "Dor", "Fel", "Gru", "Wes", "Tam"),
    )
)
STREETS = tuple(f"{a}{b}" for b, a in product((" Street", " Lane", " Road", "gate"), SURNAMES[:60]))
TOWNS = tuple(
    a + b for b, a in product(("ville", "ford", "stad"), ("Oak", "Ash", "Mill", "Brook", "Elm", "Stone", "North"))
)
BIRTH_YEARS = (1935, 2008)

_TYPES: dict[str, pa.DataType] = {
    "person_id": pa.int64(),
    "given_name": pa.string(),
    "surname": pa.string(),
    "street": pa.string(),
    "town": pa.string(),
    "birth_year": pa.int64(),
}
ROSTER_SCHEMA = pa.schema(list(_TYPES.items()))


def roster(n_persons: int = 10_000, seed: int = 0) -> pa.Table:
    """Persons with given name, surname, street, town and year of birth."""
    return pa.Table.from_batches(roster_batches(n_persons, seed), schema=ROSTER_SCHEMA)


def roster_batches(n_persons: int = 10_000, seed: int = 0, batch_size: int = CHUNK) -> Iterator[pa.RecordBatch]:
    return stream(n_persons, seed, batch_size, _make)


def _make(rng: Generator, chunk: Chunk) -> pa.RecordBatch:
    columns = [
        pa.array(chunk.start + 1 + np.arange(chunk.size)),
        *(_draw_names(rng, names, chunk.size) for names in (GIVEN_NAMES, SURNAMES, STREETS, TOWNS)),
        pa.array(rng.integers(*BIRTH_YEARS, size=chunk.size)),
    ]
    return pa.record_batch(columns, schema=ROSTER_SCHEMA)


def _draw_names(rng: Generator, names: Sequence[str], n: int) -> pa.Array[Any]:
    """``n`` names; the name at index i is drawn with probability proportional to 1 / (i + 3)."""
    shares = 1 / (3 + np.arange(len(names)))
    return pa.array(names).take(rng.choice(len(names), n, p=shares / shares.sum()))
