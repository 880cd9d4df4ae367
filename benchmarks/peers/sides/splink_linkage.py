"""Probabilistic linkage of two files of persons by splink on DuckDB: the same blocks and columns."""

import pandas as pd
import splink.comparison_library as cl
from side import report, table_file
from splink import DuckDBAPI, Linker, SettingsCreator, block_on

TEXTS = ("given_name", "surname", "address_1", "suburb")
CODES = ("street_number", "postcode", "state", "date_of_birth")

left, right = (pd.read_csv(table_file(place), dtype=str) for place in (1, 2))


def link():
    settings = SettingsCreator(
        link_type="link_only",
        unique_id_column_name="person",
        comparisons=[
            *(cl.JaroWinklerAtThresholds(name, [0.9]) for name in TEXTS),
            *(cl.ExactMatch(name) for name in CODES),
        ],
        blocking_rules_to_generate_predictions=[block_on("given_name"), block_on("postcode")],
    )
    database = DuckDBAPI()
    linker = Linker([database.register(left), database.register(right)], settings, log_level=None)
    linker.training.estimate_probability_two_random_records_match([block_on("given_name", "surname")], recall=0.7)
    linker.training.estimate_u_using_random_sampling(max_pairs=1e6, seed=1)
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("given_name"))
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("postcode"))
    return linker.inference.predict().as_pandas_dataframe()


def found(pairs):
    best = pairs.loc[pairs.groupby("person_l")["match_weight"].idxmax()]
    return {"persons found, %": 100 * float((best["person_l"] == best["person_r"]).sum()) / len(left)}


report(link, found)
