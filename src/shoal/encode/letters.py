"""Text as a place between 0 and 1 that a typing error moves but little: the mean of its letters and digits.

a is 0, z is 1, digits from 0 to 1 likewise; case, accents and all other characters count for nothing. Two letters
swapped leave the mean alone, one wrong letter among n moves it by less than 1 / n.
"""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.kernels import Vector

PLACES = {
    **{letter: at / 25 for at, letter in enumerate("abcdefghijklmnopqrstuvwxyz")},
    **{digit: at / 9 for at, digit in enumerate("0123456789")},
}
NOTHING = 0.5  # a text of no letter and no digit


def mean_letters(values: pa.Array[Any]) -> Vector:
    """(n_values,) of the values of a column; text of other writing systems is in the middle."""
    return np.array([_mean_letter(str(value)) for value in values.to_pylist()], dtype=np.float64)


def _mean_letter(text: str) -> float:
    plain = unicodedata.normalize("NFKD", text.casefold())
    places = [PLACES[character] for character in plain if character in PLACES]
    return sum(places) / len(places) if places else NOTHING
