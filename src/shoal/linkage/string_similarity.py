"""Similarity of texts, from 0 to 1: Jaro-Winkler, or 1 - edit distance / longer length. Computed by rapidfuzz."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np

from shoal.errors import LinkageError, PolicyError
from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import distinct_combinations

SimilarityMeasure = Literal["jaro_winkler", "edit"]


def string_similarity(
    texts: Sequence[str], one: Labels, other: Labels, measure: SimilarityMeasure = "jaro_winkler"
) -> Vector:
    """(n_pairs,) similarity of the texts numbered ``one`` and ``other``. Equal pairs are compared once."""
    if measure not in get_args(SimilarityMeasure):
        raise PolicyError.unknown_choice("measure", measure, get_args(SimilarityMeasure))
    process, scorer = _rapidfuzz(measure)
    first, pair = distinct_combinations([one, other], len(one))
    first_texts, second_texts = ([texts[at] for at in side[first].tolist()] for side in (one, other))
    similarities: Vector = process.cpdist(first_texts, second_texts, scorer=scorer, dtype=np.float64)
    return similarities[pair]


def _rapidfuzz(measure: SimilarityMeasure) -> tuple[Any, Any]:
    """The module that compares many pairs, and what it compares them by."""
    try:
        from rapidfuzz import process
        from rapidfuzz.distance import JaroWinkler, Levenshtein
    except ImportError:
        raise LinkageError.missing_package() from None
    return process, (JaroWinkler if measure == "jaro_winkler" else Levenshtein).normalized_similarity
