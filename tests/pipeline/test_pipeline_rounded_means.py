"""Released means have no more digits than the original, and totals hardly move: on every engine, for every method."""

from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.protect import protect_by
from shoal.policy import load
from survey_example import carrier, in_order, read_cells, write_csv

N = 240
KEY = bytes(range(32))


def table(seed=0):
    """Whole numbers, cents, gaps, strata and weights with digits of their own."""
    draw = np.random.default_rng(seed)
    gaps = draw.random(N) < 0.1
    return pa.table(
        {
            "sex": draw.choice(["f", "m"], N),
            "age": draw.integers(18, 91, N),
            "children": pa.array(draw.poisson(0.8, N), mask=gaps),
            "rent": np.round(draw.lognormal(6, 0.5, N), 2),
            "weight": np.round(draw.uniform(200, 3000, N), 3),
        }
    )


def policy(**more):
    number = {"role": "quasi_identifier", "kind": "numeric"}
    columns = {"sex": {"role": "other"}, "age": number, "children": number, "rent": number}
    asked = {
        "requirements": [{"name": "k_anonymity", "k": 5}],
        "within": ["sex"],
        "columns": columns | {"weight": {"role": "weight", "kind": "numeric"}},
    }
    return in_order(asked | more)


PLACES = {"age": 0, "children": 0, "rent": 2}
METHODS = [
    {"name": "mdav"},
    {"name": "vmdav"},
    {"name": "mu_approx"},
    {"name": "microaggregate"},
    {"name": "micro_som"},
    {"name": "mondrian"},
]


def exact_means(original, groups, name):
    """(weight, mean) of the group of every record, as fractions; the mean is None where half of it is missing."""
    members = defaultdict(list)
    for record, group in zip(original.to_pylist(), groups, strict=True):
        members[group].append((record[name], Fraction(Decimal(str(record["weight"])))))
    found = {}
    for group, cells in members.items():
        known = [(Fraction(Decimal(str(value))), weight) for value, weight in cells if value is not None]
        weight = sum(weight for _, weight in known)
        mean = sum(value * w for value, w in known) / weight if 2 * len(known) > len(cells) else None
        found[group] = sum(weight for _, weight in cells), mean
    return found


@pytest.mark.gate(but="mdav")
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method["name"])
def test_a_mean_goes_to_the_step_below_or_above_and_totals_stay_within_the_step_of_one_group(method):
    original = table()
    output = {"output": {"representation": "centroids"}}
    release = shoal.protect(original, policy(method=method, **output))
    groups = release.groups["group"].to_pylist()
    stratum_of = dict(zip(groups, original["sex"].to_pylist(), strict=True))
    for name, places in PLACES.items():
        step = Fraction(1, 10**places)
        told = dict(zip(groups, release.records[name].to_pylist(), strict=True))
        moved, largest = defaultdict(Fraction), defaultdict(Fraction)
        for group, (weight, mean) in exact_means(original, groups, name).items():
            if mean is None:
                assert told[group] is None
                continue
            cell = Fraction(Decimal(str(told[group])))
            assert cell in (floor(mean / step) * step, ceil(mean / step) * step)
            moved[stratum_of[group]] += weight * (cell - mean)
            largest[stratum_of[group]] = max(largest[stratum_of[group]], weight * step)
        assert all(abs(moved[stratum]) < largest[stratum] for stratum in moved)


@pytest.mark.gate
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_both_engines_release_the_same_digits(tmp_path, kind):
    source = tmp_path / f"in.{kind}"
    if kind == "csv":
        write_csv(table(), source)
    else:
        pq.write_table(table(), source, row_group_size=50)
    found = []
    for name in ("memory", "duckdb"):
        (tmp_path / name).mkdir()
        with carrier(name, tmp_path) as engine:
            target = Targets.of(tmp_path / name / f"out.{kind}", None, None)
            protect_by(engine, source, load(policy()), target, KEY, force=False)
        found.append((tmp_path / name / f"out.{kind}").read_bytes())
    assert found[0] == found[1]


def test_a_csv_shows_no_more_digits_than_the_original(tmp_path):
    shoal.protect(write_csv(table(), tmp_path / "in.csv"), policy(), output=tmp_path / "out.csv")
    for record in read_cells(tmp_path / "out.csv"):
        for name, places in PLACES.items():
            assert len(record[name].partition(".")[2]) <= places


@pytest.mark.parametrize("method", ["noise", "lossy_image"])
def test_perturbed_numbers_have_no_further_digits_either(method):
    asked = policy(method={"name": "none"}, perturbations=[{"name": method}], requirements=[], within=[])
    released = shoal.protect(
        table().drop_columns("children"),
        asked | {"columns": {name: rule for name, rule in asked["columns"].items() if name != "children"}},
    ).records
    assert pa.types.is_integer(released["age"].type)
    assert released["age"] != table()["age"]
    assert all(Decimal(repr(cell)).as_tuple().exponent >= -2 for cell in released["rent"].to_pylist())


def test_multiples_of_a_base_that_is_finer_than_the_column_stay_multiples():
    rule = {"role": "quasi_identifier", "kind": "numeric"}
    asked = {"columns": {"a": rule}, "perturbations": [{"name": "rounding", "base": 2.5}]}
    assert shoal.protect({"a": [1, 2, 7, 8, 12]}, in_order(asked)).table["a"] == [0.0, 2.5, 7.5, 7.5, 12.5]


def test_numbers_without_bounds_keep_their_digits_and_a_note_says_so():
    rule = {"role": "quasi_identifier", "kind": "numeric"}
    release = shoal.protect({"a": [1e-30, 2e-30, 7e-30, 8e-30]}, {"method": {"k": 2}, "columns": {"a": rule}})
    assert release.manifest.decimals == {}
    assert len(set(release.table["a"])) == 2
    assert any(note.startswith("a: neither policy nor manifest says") for note in release.manifest.notes)


def test_a_divided_table_moves_by_less_than_a_step_of_one_group_for_every_block():
    original, asked = table(), policy(within=[], blocking={"method": "twod_tree", "limit": 40, "repair": False})
    release = shoal.protect(original, asked)
    n_blocks, groups = release.findings["blocks"].estimate, release.groups["group"].to_pylist()
    heaviest = max(weight for weight, _ in exact_means(original, groups, "age").values())
    moved = (release.records["age"].to_numpy() - original["age"].to_numpy()) @ np.array(original["weight"])
    assert n_blocks > 4
    assert abs(moved) < n_blocks * heaviest


def test_means_of_rents_that_go_by_fifties_go_by_fifties():
    """Or a class without rents would be the only one with a mean of 0."""
    rents = np.random.default_rng(3).choice([0, 0, 0, 200, 250, 400], 300)
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in ("rent", "age")}
    rules = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}]}
    table = pa.table({"rent": rents, "age": np.random.default_rng(4).integers(18, 90, 300)})
    released = shoal.protect(table, rules).records["rent"].to_numpy()
    assert (released % 50 == 0).all()
    assert (released % 100 != 0).any()
    assert abs(released.sum() - rents.sum()) < 50 * 5
    for decimals, step in ((0, 50), (-1, 50), (-2, 100)):  # what is asked for protects no less than what is not
        asked = columns | {"rent": columns["rent"] | {"decimals": decimals}}
        assert (shoal.protect(table, rules | {"columns": asked}).records["rent"].to_numpy() % step == 0).all()


def test_what_is_told_of_a_total_is_no_less_than_a_step_of_two_groups():
    """Of 60 rents of 25, 75 and 175, a step of 50 of 2 x 3 records is 300: percent of the total, one digit, up."""
    rents = np.random.default_rng(3).choice([25, 75, 175], 60)
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in ("rent", "age")}
    rules = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}]}
    release = shoal.protect(pa.table({"rent": rents, "age": np.arange(60)}), rules)
    total = release.records["rent"].to_numpy().sum()
    assert release.findings["total of rent"].estimate >= 100 * 300 / total
    assert release.manifest.steps == {"rent": {"step": "50", "offset": "25"}, "age": {"step": "1", "offset": "0"}}
