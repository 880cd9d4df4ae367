"""Every door that takes a seed says what is wrong with one that is none, in words of Shoal."""

import inspect

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.errors import ShoalError
from survey_example import desk, shell

X = np.random.default_rng(0).normal(size=(30, 2))
CODES = np.arange(30) % 3
TABLE = pa.table({"a": X[:, 0], "b": X[:, 1]})

DOORS = {
    "Intruder": lambda seed: shoal.Intruder(persons=0.5, seed=seed),
    "data_swap": lambda seed: shoal.data_swap(CODES, seed=seed),
    "date_shift": lambda seed: shoal.date_shift(X, CODES, seed=seed),
    "genetic": lambda seed: shoal.genetic(X, 3, generations=1, seed=seed),
    "impute": lambda seed: shoal.impute(np.where(X > 1, np.nan, X), how="hot_deck", seed=seed),
    "link": lambda seed: shoal.link(TABLE, TABLE, truth="position", blocking="auto", seed=seed),
    "micro_som": lambda seed: shoal.micro_som(X, 3, seed=seed),
    "microaggregate": lambda seed: shoal.microaggregate(X, 3, proposals=10, seed=seed),
    "noise": lambda seed: shoal.noise(X, seed=seed),
    "pram": lambda seed: shoal.pram(CODES, np.eye(3), seed=seed),
    "rank_swap": lambda seed: shoal.rank_swap(X, seed=seed),
    "record_swap": lambda seed: shoal.record_swap(CODES, np.arange(30), [CODES], seed=seed),
    "refine": lambda seed: shoal.refine(X, shoal.mdav(X, 3), 3, proposals=10, seed=seed),
    "Rng": lambda seed: shoal.Rng(b"", seed),
    "repair": lambda seed: shoal.repair(X, shoal.mdav(X, 3), 3, seed=seed),
    "blocking_table": lambda seed: shoal.blocking_table(TABLE, TABLE, truth="position", seed=seed),
    "round_to": lambda seed: shoal.round_to(X, 0.5, unbiased=True, seed=seed),
    "som": lambda seed: shoal.som(X, seed=seed),
    "som_blocks": lambda seed: shoal.som_blocks(X, 3, seed=seed),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("seed", [-1, 0.5, "1", None])
def test_a_seed_is_a_whole_number_from_0_on(door, seed):
    with pytest.raises(ShoalError, match="seed"):
        DOORS[door](seed)


@pytest.mark.parametrize("door", DOORS)
def test_a_seed_of_numpy_is_one(door):
    DOORS[door](np.int64(3))


def test_no_door_with_a_seed_is_left_out():
    doors = {name for name in shoal.__all__ if _takes_a_seed(getattr(shoal, name))}
    assert doors - set(DOORS) == {"Policy", "Proposal"}  # read by pydantic


def _takes_a_seed(door):
    is_error = isinstance(door, type) and issubclass(door, Exception)
    return callable(door) and not is_error and "seed" in inspect.signature(door).parameters


@pytest.mark.parametrize("command", ["link", "assess", "som", "demo"])
def test_the_shell_takes_no_seed_below_0(tmp_path, command):
    place = desk(tmp_path)
    words = {"link": [place.data, place.data, "--truth", "position"], "assess": [place.data, place.data]}
    words |= {"som": [place.data], "demo": ["--folder", tmp_path / "demo"]}
    said = shell(command, *words[command], "--seed", "-1")
    assert said.code == 2
    assert "--seed" in said.err
    assert "should not happen" not in said.err


@pytest.mark.parametrize("k", [0, -1])
def test_an_intruder_guesses_at_least_once(k):
    with pytest.raises(ShoalError, match="k must be"):
        shoal.link(TABLE, TABLE, truth="position", k=k)
