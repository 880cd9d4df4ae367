"""Similarity of texts, from 0 to 1: Jaro-Winkler, or 1 - edit distance / longer length. Computed by rapidfuzz."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from shoal.errors import PolicyError
from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import distinct_combinations

Likeness = Literal["jaro_winkler", "edit"]


def likeness(texts: Sequence[str], one: Labels, other: Labels, measure: Likeness = "jaro_winkler") -> Vector:
    """(n_pairs,) similarity of the texts numbered ``one`` and ``other``. Equal pairs are compared once."""
    from rapidfuzz import process
    from rapidfuzz.distance import JaroWinkler, Levenshtein

    if measure not in get_args(Likeness):
        raise PolicyError.unknown_choice("likeness", measure, get_args(Likeness))
    scorer = JaroWinkler.normalized_similarity if measure == "jaro_winkler" else Levenshtein.normalized_similarity
    first, pair = distinct_combinations([one, other], len(one))
    ones, others = ([texts[at] for at in side[first].tolist()] for side in (one, other))
    return process.cpdist(ones, others, scorer=scorer, dtype=np.float64)[pair]
