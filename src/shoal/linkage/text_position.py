"""The mean letter of a text: a number between 0 and 1 that a typing error changes little.

a is 0, z is 1, and digits likewise run from 0 to 1; case, accents and all other characters are ignored. Swapping two
letters does not change the mean; one wrong letter among n changes it by at most 1 / n.
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
NOTHING = 0.5  # for a text without letters and digits


def mean_letters(values: pa.Array[Any]) -> Vector:
    """(n_values,) the mean letter of each value; 0.5 for text in other writing systems."""
    return np.array([_mean_letter(str(value)) for value in values.to_pylist()], dtype=np.float64)


def _mean_letter(text: str) -> float:
    plain = unicodedata.normalize("NFKD", text.casefold())
    places = [PLACES[character] for character in plain if character in PLACES]
    return sum(places) / len(places) if places else NOTHING
