"""Random typing errors, one per text, vectorized over many texts.

Every text is a row of a character matrix; an error takes characters from shifted columns and may insert a new one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.datasets.random_draws import Generator

Texts = NDArray[np.str_]

WRONG, SWAPPED, LOST, EXTRA = range(4)


def with_typos(texts: Texts, alphabet: str, rng: Generator, *, keep_length: bool) -> Texts:
    """One character replaced, two transposed, one deleted or one inserted; only the first two with ``keep_length``.

    Some texts stay as they are: the new character may be the old one, and the last character has no next one.
    """
    if not len(texts):
        return texts
    width = texts.dtype.itemsize // 4 + 1  # one more character may be needed
    letters = texts.astype(f"U{width}").view(np.uint32).reshape(len(texts), width)
    lengths = np.maximum((letters > 0).sum(axis=1), 1)
    kind = rng.integers(2 if keep_length else 4, size=len(texts))[:, None]
    at = (rng.random(len(texts)) * lengths).astype(np.int64)[:, None]
    last = lengths[:, None] - 1
    here = np.arange(width)[None, :]
    taken_from = np.select(
        [
            (kind == LOST) & (here >= at),
            (kind == EXTRA) & (here > at),
            (kind == SWAPPED) & (here == at) & (at < last),
            (kind == SWAPPED) & (here == at + 1) & (at < last),
        ],
        [here + 1, here - 1, here + 1, here - 1],
        here,
    )
    typed = np.take_along_axis(letters, np.minimum(taken_from, width - 1), axis=1)
    new = np.array([ord(character) for character in alphabet], dtype=np.uint32)
    drawn = new[rng.integers(len(alphabet), size=len(texts))][:, None]
    typed = np.where((here == at) & ((kind == WRONG) | (kind == EXTRA)), drawn, typed)
    return _as_texts(typed)


def _as_texts(letters: NDArray[Any]) -> Texts:
    return np.ascontiguousarray(letters, dtype=np.uint32).view(f"U{letters.shape[1]}")[:, 0]
