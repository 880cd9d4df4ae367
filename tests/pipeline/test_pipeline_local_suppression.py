"""Local suppression in the pipeline: alone and after a recoding, proved by the declared rule for blanks."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.errors import PolicyError
from survey_example import in_order


def table(n=300):
    rng = np.random.default_rng(6)
    return pa.table(
        {
            "age": rng.integers(20, 60, n) // 4 * 4,
            "sex": rng.choice(["f", "m"], n),
            "job": rng.choice(["nurse", "clerk", "lawyer", "smith"], n, p=[0.5, 0.3, 0.15, 0.05]),
            "disease": rng.choice(["flu", "gout"], n),
        }
    )


def policy(k=4, **more):
    columns = {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "sex": {"role": "quasi_identifier"},
        "job": {"role": "quasi_identifier"},
        "disease": {"role": "sensitive"},
    }
    made = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": k}], "local_suppression": {}}
    return in_order(made | more)


def n_blank(records):
    return {name: records[name].null_count for name in ("age", "sex", "job")}


def test_known_cells_stay_as_they_are_and_classes_hold(tmp_path):
    original, out = table(), tmp_path / "release.parquet"
    release = shoal.protect(original, policy(), output=out)
    for name in ("age", "sex", "job"):
        pairs = zip(original[name].to_pylist(), release.records[name].to_pylist(), strict=True)
        assert all(after is None or after == before for before, after in pairs)
    classes = Counter(zip(*(release.records[name].to_pylist() for name in ("age", "sex", "job")), strict=True))
    assert min(classes.values()) >= 4
    assert shoal.verify(out, policy()).holds
    blanked = {name: n for name, n in n_blank(release.records).items() if n}
    assert blanked
    assert all(f"{name}: {n} cells were blanked." in release.manifest.notes for name, n in blanked.items())


def test_categories_are_blanked_as_the_texts_that_they_are():
    plain = table()
    categories = plain.set_column(2, "job", plain["job"].dictionary_encode())
    release = shoal.protect(categories, policy()).records
    assert release["job"].to_pylist() == shoal.protect(plain, policy()).records["job"].to_pylist()


def test_what_is_important_is_kept():
    plain = n_blank(shoal.protect(table(), policy()).records)
    most = max(plain, key=plain.get)
    dear = n_blank(shoal.protect(table(), policy(local_suppression={"importance": {most: 50}})).records)
    assert dear[most] < plain[most]


def test_wildcards_cost_fewer_cells_and_are_proved_by_their_own_rule():
    rules = policy(local_suppression={"blanks": "wildcard"})
    release = shoal.protect(table(), rules)
    assert sum(n_blank(release.records).values()) < sum(n_blank(shoal.protect(table(), policy()).records).values())
    assert release.manifest.proof["verdicts"][0]["besides"] == {"blanks": "wildcard"}
    assert not shoal.verify(release.records, policy()).holds
    known = release.records.set_column(0, "age", table()["age"])
    assert not shoal.verify(known, rules).holds


def test_wildcards_go_with_k_anonymity_alone():
    asked = [{"name": "distinct_l_diversity", "l": 2, "column": "disease"}]
    with pytest.raises(PolicyError, match="wildcard"):
        shoal.protect(table(), policy(local_suppression={"blanks": "wildcard"}, requirements=asked))


def test_a_recoding_before_leaves_less_to_blank():
    coarser = [{"name": "rounding", "columns": ["age"], "base": 20}]
    alone = shoal.protect(table(), policy()).records
    after = shoal.protect(table(), policy(perturbations=coarser))
    assert after.manifest.proof["holds"]
    assert sum(n_blank(after.records).values()) < sum(n_blank(alone).values())


def test_other_requirements_hold_as_well():
    asked = [{"name": "k_anonymity", "k": 4}, {"name": "distinct_l_diversity", "l": 2, "column": "disease"}]
    assert shoal.protect(table(), policy(requirements=asked)).manifest.proof["holds"]


def test_a_household_level_column_that_no_requirement_names_is_not_blanked():
    n, draw = 60, np.random.default_rng(0)
    table = pa.table(
        {
            "household": [i // 2 for i in range(n)],
            "rooms": [i // 2 % 4 for i in range(n)],
            "age": draw.integers(20, 30, n),
            "sex": draw.choice(["f", "m"], n),
        }
    )
    policy = {
        "columns": {
            "household": {"role": "household"},
            "rooms": {"role": "quasi_identifier", "kind": "numeric", "level": "household"},
            "age": {"role": "quasi_identifier", "kind": "numeric"},
            "sex": {"role": "quasi_identifier"},
        },
        "local_suppression": {},
        "requirements": [{"name": "k_anonymity", "k": 2, "columns": ["age", "sex"]}],
    }
    released = shoal.protect(table, policy, key=bytes(32)).records
    assert released["rooms"].null_count == 0
    counts = Counter(zip(released["age"].to_pylist(), released["sex"].to_pylist(), strict=True))
    assert min(counts.values()) >= 2
