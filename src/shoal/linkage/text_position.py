"""The position of a text, the mean of its letters: a number between 0 and 1 that a typing error changes little.

a is 0, z is 1, and digits likewise run from 0 to 1; case, accents and all other characters are ignored. Swapping two
letters does not change the mean; one wrong letter among n changes it by at most 1 / n.
"""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.kernels import Vector

CHARACTER_POSITIONS = {
    **{letter: at / 25 for at, letter in enumerate("abcdefghijklmnopqrstuvwxyz")},
    **{digit: at / 9 for at, digit in enumerate("0123456789")},
}
NO_CHARACTERS = 0.5  # for a text without letters and digits


def text_positions(values: pa.Array[Any]) -> Vector:
    """(n_values,) the position of each value; 0.5 for text in other writing systems."""
    return np.array([_text_position(str(value)) for value in values.to_pylist()], dtype=np.float64)


def _text_position(text: str) -> float:
    plain = unicodedata.normalize("NFKD", text.casefold())
    positions = [CHARACTER_POSITIONS[character] for character in plain if character in CHARACTER_POSITIONS]
    return sum(positions) / len(positions) if positions else NO_CHARACTERS
