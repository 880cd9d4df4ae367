"""The same question by anonymeter: inference of the health of 2,000 persons from the nearest released record."""

import pandas as pd
from anonymeter.evaluators import InferenceEvaluator
from side import report, table_file

KEYS = ["region", "sex", "age", "education", "occupation"]
SECRET = "health_condition"
N_ATTACKS = 2000

original, released, others = (pd.read_csv(table_file(place)) for place in (1, 2, 3))


def attack():
    evaluator = InferenceEvaluator(
        ori=original, syn=released, control=others, aux_cols=KEYS, secret=SECRET, n_attacks=N_ATTACKS
    )
    return evaluator.evaluate(n_jobs=1).results()


def guessed(found):
    return {
        "right guesses, %": 100 * found.attack_rate.value,
        "baseline, %": 100 * found.baseline_rate.value,
    }


report(attack, guessed)
