"""An intruder who counts stars: prefixes filled to the length of the longest code tell of a code that is suppressed."""

import pyarrow as pa

from attacks.published import publish

CODES = [f"{at % 3}471{at % 7}" for at in range(60)]
LONGEST = "9471-0815"  # of the only record of its region, which no group of three can hold


def patients():
    places = ["north", "south"] * 30
    return pa.table(
        {"age": [20 + at % 40 for at in range(60)] + [95], "region": [*places, "isle"], "zip": [*CODES, LONGEST]}
    )


def policy():
    quasi = {"role": "quasi_identifier"}
    return {
        "columns": {"age": {**quasi, "kind": "numeric"}, "region": quasi, "zip": {**quasi, "recode": {"prefix": 2}}},
        "requirements": [{"name": "k_anonymity", "k": 3}],
        "within": ["region"],
        "suppression": {"limit": 0.05},
    }


def longest_shown(released):
    """What the stars tell of the lengths of codes."""
    return max(map(len, released))


def test_stars_do_not_tell_the_length_of_a_suppressed_code(tmp_path):
    table = patients()
    weak = [code[:2].ljust(max(map(len, table["zip"].to_pylist())), "*") for code in CODES]
    assert longest_shown(weak) == len(LONGEST)
    ours = publish(table, policy(), tmp_path).records
    assert len(ours) == len(CODES)
    assert longest_shown(ours["zip"].to_pylist()) == len("04*")
