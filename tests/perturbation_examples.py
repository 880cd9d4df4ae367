"""One example of every perturbation: the only list of them in the tests.

Tests of the pipeline, of the policy and of the soak take their parameters from here, so that whatever is added here is
tested by all of them. Columns are those of the survey (tests/survey_example.py). ``tests/registry/test_examples.py``
compares the names with those that a policy knows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import shoal
from shoal.methods.perturbation.perturbation_method import PerturbationMethod

Entry = dict[str, Any]  # of a policy


@dataclass(frozen=True)
class PerturbationExample:
    """A perturbing method of a policy.

    written  every key of it and a value; columns are those of the policy of tests/policy_examples.py
    survey   the same for columns of the survey
    numbers  parameters that change a column of numbers and one of dates
    words    parameters that change a column of words
    entry    for any column of the kinds it serves: its name and the names of the others; nothing where they do not fit
    serves   "numbers", "words" or "all": the columns for which ``entry`` is meant
    draws    another seed gives other values
    """

    written: tuple[Entry, ...]
    survey: tuple[Entry, ...] = ()
    numbers: tuple[PerturbationMethod, ...] = ()
    words: tuple[PerturbationMethod, ...] = ()
    entry: Callable[[str, list[str]], list[Entry]] | None = None
    serves: str = "numbers"
    draws: bool = False


PERTURBATIONS = {
    "rank_swap": PerturbationExample(
        written=({"name": "rank_swap", "columns": ["age"], "p": 5, "window": "centered"},),
        survey=({"name": "rank_swap", "columns": ["age"], "p": 5, "window": "centered"},),
        numbers=(shoal.RankSwap(p=20), shoal.RankSwap(p=20, window="centered")),
        entry=lambda name, _: [{"name": "rank_swap", "columns": [name], "p": 20}],
        draws=True,
    ),
    "noise": PerturbationExample(
        written=({"name": "noise", "columns": ["age"], "alpha": 0.1, "kind": "correlated", "corrected": True},),
        survey=({"name": "noise", "columns": ["age"], "alpha": 0.1, "kind": "correlated", "corrected": True},),
        numbers=(shoal.Noise(kind="correlated"),),
        entry=lambda name, _: [{"name": "noise", "columns": [name], "alpha": 0.1}],
        draws=True,
    ),
    "lossy_image": PerturbationExample(
        written=({"name": "lossy_image", "columns": ["age"], "quality": 50, "image": "jpeg", "height": 1000},),
        numbers=(shoal.LossyImage(),),
    ),
    "mic": PerturbationExample(
        written=({"name": "mic", "columns": ["age"], "v": 1, "k": 3},),
        survey=({"name": "mic", "columns": ["age"], "v": 1, "k": 3},),
        numbers=(shoal.Mic(v=1, k=3),),
        entry=lambda name, _: [{"name": "mic", "columns": [name], "v": 1, "k": 3}],
    ),
    "top_bottom_code": PerturbationExample(
        written=(
            {"name": "top_bottom_code", "columns": ["age"], "bottom": 20, "top": 80, "put": "mean"},
            {"name": "top_bottom_code", "columns": ["age"], "bottom_share": 0.01, "top_share": 0.02},
        ),
        survey=({"name": "top_bottom_code", "columns": ["age"], "bottom": 20, "top": 80, "put": "mean"},),
        numbers=(shoal.TopBottomCode(top_share=0.1),),
        entry=lambda name, _: [{"name": "top_bottom_code", "columns": [name], "bottom_share": 0.1, "top_share": 0.1}],
    ),
    "rounding": PerturbationExample(
        written=({"name": "rounding", "columns": ["age"], "base": 5, "unbiased": True},),
        survey=({"name": "rounding", "columns": ["age"], "base": 5, "unbiased": True},),
        numbers=(shoal.Rounding(base=7, unbiased=True),),
        entry=lambda name, _: [{"name": "rounding", "columns": [name], "base": 5, "unbiased": True}],
        draws=True,
    ),
    "pram": PerturbationExample(
        written=({"name": "pram", "columns": ["job"], "stay": 0.9, "invariant": True, "level": 1},),
        survey=({"name": "pram", "columns": ["zip"], "stay": 0.9, "invariant": True},),
        words=(shoal.Pram(stay=0.3),),
        entry=lambda name, _: [{"name": "pram", "columns": [name], "stay": 0.8}],
        serves="words",
        draws=True,
    ),
    "data_swap": PerturbationExample(
        written=({"name": "data_swap", "columns": ["job"], "rate": 0.1, "level": 1},),
        survey=({"name": "data_swap", "columns": ["zip"], "rate": 0.1, "level": 1},),
        numbers=(shoal.DataSwap(rate=0.5),),
        words=(shoal.DataSwap(rate=0.8),),
        entry=lambda name, _: [{"name": "data_swap", "columns": [name], "rate": 0.3}],
        serves="words",
        draws=True,
    ),
    "record_swap": PerturbationExample(
        written=({"name": "record_swap", "region": "town", "keys": ["age"], "similar": ["job"], "k": 3, "rate": 0.01},),
        survey=({"name": "record_swap", "region": "zip", "keys": ["age"], "similar": ["grade"], "k": 3, "rate": 0.01},),
        entry=lambda name, others: (
            [{"name": "record_swap", "region": name, "keys": others, "rate": 0.1}] if others else []
        ),
        serves="words",
    ),
    "date_shift": PerturbationExample(
        written=({"name": "date_shift", "columns": ["age"], "days": 14, "step": 7},),
        survey=({"name": "date_shift", "columns": ["born"], "days": 14},),
        draws=True,
    ),
    "imputation": PerturbationExample(
        written=(
            {"name": "imputation", "columns": ["age"], "how": "deductive", "by": ["job"], "sums": [["age", "age"]]},
        ),
        survey=({"name": "imputation", "columns": ["age"], "how": "hot_deck", "by": ["zip"]},),
        entry=lambda name, _: [{"name": "imputation", "columns": [name], "how": "hot_deck"}],
        serves="all",
    ),
}
