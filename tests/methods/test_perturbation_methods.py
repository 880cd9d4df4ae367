"""What every perturbing method holds in a table: missing stays missing, other columns as they are, chance repeats."""

import numpy as np
import pyarrow as pa
import pytest
from pydantic import TypeAdapter, ValidationError

import shoal
from perturbation_examples import PERTURBATIONS
from shoal.methods.perturbation import AnyPerturbation
from shoal.rng import Rng

NUMBERS = [method for example in PERTURBATIONS.values() for method in example.numbers]
WORDS = [method for example in PERTURBATIONS.values() for method in example.words]
RANDOM = [name for name, example in PERTURBATIONS.items() if example.draws]


def table(n=60, seed=0):
    chance = np.random.default_rng(seed)
    gaps = chance.random((3, n)) < 0.15
    return pa.table(
        {
            "age": pa.array(chance.integers(18, 90, n), mask=gaps[0]),
            "born": pa.array(chance.integers(0, 9000, n).astype("int32"), mask=gaps[1]).cast(pa.date32()),
            "job": pa.array(chance.choice(["cook", "smith", "clerk"], n), mask=gaps[2]),
            "other": pa.array(chance.random(n)),
        }
    )


def schema(*protected):
    kinds = {"age": "numeric", "born": "date", "job": "nominal", "other": "numeric"}
    return shoal.Schema(
        [shoal.Column(name, "quasi_identifier" if name in protected else "other", kind) for name, kind in kinds.items()]
    )


CASES = [*((method, ("age", "born")) for method in NUMBERS), *((method, ("job",)) for method in WORDS)]
SHOWN = [f"{method.name} of {', '.join(names)}" for method, names in CASES]


@pytest.mark.parametrize(("method", "names"), CASES, ids=SHOWN)
def test_missing_stays_missing_and_all_else_as_it_was(method, names):
    before = table()
    after = method.perturb(before, schema(*names), Rng(b"", 0))
    assert after.column_names == before.column_names
    for name in before.column_names:
        assert after[name].equals(before[name]) == (name not in names), name
        if name in names and method.name != "mic":  # MIC hides a value that is alone in its group
            assert after[name].is_null().equals(before[name].is_null())
    assert after["born"].type == before["born"].type


@pytest.mark.parametrize(("method", "names"), CASES, ids=SHOWN)
def test_the_same_seed_and_table_give_the_same_release(method, names):
    before = table()
    release = method.perturb(before, schema(*names), Rng(b"", 3))
    assert release.equals(method.perturb(before, schema(*names), Rng(b"", 3)))
    if method.name in RANDOM:
        assert not release.equals(method.perturb(before, schema(*names), Rng(b"", 4)))


def test_who_knows_the_seed_and_not_the_key_cannot_draw_the_noise_again():
    rule = shoal.Noise(columns=("age",))
    drawn = [rule.perturb(table(), schema("age"), Rng(key, 0))["age"].to_pylist() for key in (b"one", b"other")]
    assert drawn[0] != drawn[1]


def test_named_columns_are_changed_whatever_their_role():
    before = table()
    after = shoal.Noise(columns=("other",)).perturb(before, schema("age"), Rng(b"", 0))
    assert after["age"].equals(before["age"])
    assert not after["other"].equals(before["other"])


def test_unfit_columns_are_refused():
    before = table()
    with pytest.raises(shoal.ShoalError, match="'job' is nominal"):
        shoal.Noise().perturb(before, schema("age", "job"), Rng(b"", 0))
    with pytest.raises(shoal.ShoalError, match="'age' is numeric"):
        shoal.Pram().perturb(before, schema("age"), Rng(b"", 0))
    with pytest.raises(shoal.ShoalError, match="no column 'agee'"):
        shoal.Noise(columns=("agee",)).perturb(before, schema("age"), Rng(b"", 0))
    with pytest.raises(shoal.ShoalError, match="the policy has no column 'other'"):
        shoal.Noise(columns=("other",)).perturb(before, shoal.Schema([schema("age")["age"]]), Rng(b"", 0))
    with pytest.raises(shoal.ShoalError, match="nothing to protect"):
        shoal.Noise().perturb(before, schema(), Rng(b"", 0))
    empty = before.set_column(0, "age", pa.nulls(60, pa.int64()))
    for method in NUMBERS:
        with pytest.raises(shoal.ShoalError, match="every value is missing"):
            method.perturb(empty, schema("age"), Rng(b"", 0))
    constant = before.set_column(0, "age", pa.array([7] * 60))
    with pytest.raises(shoal.ShoalError, match=r"columns\.age: all values are equal"):
        shoal.Noise().perturb(constant, schema("age"), Rng(b"", 0))


def test_decimals_of_the_schema_are_kept():
    one = shoal.Schema([shoal.Column("other", "quasi_identifier", "numeric", decimals=1)])
    drawn = shoal.Noise().perturb(table().select(["other"]), one, Rng(b"", 0))["other"].to_numpy()
    assert (drawn == drawn.round(1)).all()


def test_a_policy_reads_them_by_name():
    reader = TypeAdapter(AnyPerturbation)
    assert reader.validate_python({"name": "rank_swap", "p": 5, "columns": ["age"]}) == shoal.RankSwap(("age",), p=5)
    assert reader.validate_python({"name": "record_swap", "region": "r"}) == shoal.RecordSwap(region="r")
    with pytest.raises(ValidationError, match=r"noise\.beta"):
        reader.validate_python({"name": "noise", "beta": 1})
    with pytest.raises(ValidationError, match="percentage"):
        reader.validate_python({"name": "rank_swap", "p": 0})
