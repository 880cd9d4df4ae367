"""Determined cells of a release: counted as a twin counts them, by every engine alike, told with a remedy."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from itertools import product
from operator import add
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import shoal
from shoal.assessment.risk import determined_cells
from shoal.assessment.risk.public_range import PublicRange
from shoal.assessment.risk.sampled_classes import ClassSample
from shoal.encode.steps import Steps
from shoal.pipeline.protect.determined_cell_search import determined_cells_of_tables
from shoal.policy import ReleasePlan, load
from shoal.report import render_html, render_markdown
from shoal.schema import Column, Schema
from survey_example import shell, write_csv, write_policy

AGE = "determined cells, age"
LOW, HIGH = 20, 26
FINE = 9  # decimals: means that tell all


def table(n: int = 90, seed: int = 4) -> pa.Table:
    """Some weights are shared. Everybody lives in a street of their own, so that no two groups become one class."""
    draw = np.random.default_rng(seed)
    return pa.table(
        {
            "age": draw.integers(LOW, HIGH + 1, n),
            "street": [f"S{number:04}" for number in draw.permutation(n)],
            "weight": np.where(draw.random(n) < 0.2, 50.0, np.round(draw.uniform(10, 90, n), 4)),
            "illness": draw.choice(["flu", "gout", "none"], n),
        }
    )


def policy(decimals: int | None = FINE, **more: Any) -> dict[str, Any]:
    age: dict[str, Any] = {"role": "quasi_identifier", "kind": "numeric"}
    return {
        "columns": {
            "age": age if decimals is None else age | {"decimals": decimals},
            "street": {"role": "quasi_identifier"},
            "weight": {"role": "weight", "kind": "numeric"},
            "illness": {"role": "sensitive"},
        },
        "requirements": [{"name": "k_anonymity", "k": 3}],
        "warn": {"unique": 1, "homogeneous": 1},
    } | more


def members(records: pa.Table, names: list[str]) -> Iterator[list[int]]:
    found: dict[Any, list[int]] = {}
    for at, row in enumerate(records.select(names).to_pylist()):
        found.setdefault(tuple(row.values()), []).append(at)
    return iter(found.values())


def percent_by_trying(records: pa.Table, off: float) -> float:
    """Every vector of every class; a record is determined where all that fit agree on it."""
    means, weights = records["age"].to_numpy(), records["weight"].to_numpy()
    n = 0
    for places in members(records, ["age", "street"]):
        all_vectors = np.array(list(product(range(LOW, HIGH + 1), repeat=len(places))))
        away = np.abs(all_vectors @ weights[places] / weights[places].sum() - means[places[0]])
        fits = all_vectors[away < off]
        n += int((fits == fits[0]).all(axis=0).sum())
    return 100 * n / len(records)


@pytest.mark.parametrize("decimals", [FINE, 1, 0])
def test_the_share_is_that_of_trying_every_vector(decimals: int) -> None:
    release = shoal.protect(table(), policy(decimals))
    assert release.records is not None
    found = release.findings[AGE]
    assert found.estimate == pytest.approx(percent_by_trying(release.records, 10.0**-decimals))
    assert found.interval is None  # counted
    assert (found.estimate > 50) == (decimals == FINE)
    assert (found.estimate == 0) == (decimals == 0)


@pytest.mark.gate
@pytest.mark.parametrize("more", [{}, {"within": ["illness"]}, {"method": {"name": "mondrian"}}])
def test_every_engine_finds_the_same(tmp_path: Path, more: dict[str, Any]) -> None:
    if "method" in more:
        more = more | {"output": {"representation": "centroids"}}
    data = write_csv(table(240), tmp_path / "data.csv")
    here, there = (
        shoal.protect(data, policy(**more), output=tmp_path / f"{engine}.csv", engine=engine)
        for engine in ("memory", "duckdb")
    )
    assert here.findings[AGE] == there.findings[AGE]
    assert here.assessment.exposures == there.assessment.exposures


def test_assess_finds_what_protect_found(tmp_path: Path) -> None:
    data, rules = write_csv(table(), tmp_path / "data.csv"), write_policy(policy(), tmp_path / "policy.toml")
    made = shoal.protect(data, rules, output=tmp_path / "release.csv")
    found = shoal.assess(data, tmp_path / "release.csv", rules)
    assert found.findings[AGE] == made.findings[AGE]
    assert found.exposures == made.assessment.exposures


@pytest.mark.gate
def test_the_banner_warns_and_its_lines_mend_it(tmp_path: Path) -> None:
    release = shoal.protect(table(), policy())
    (exposure,) = release.assessment.exposures
    assert (exposure.kind, exposure.columns, exposure.limit) == ("determined", ("age",), 1)
    assert exposure.share == release.findings[AGE].estimate
    assert exposure.remedy == "[columns.age]\ndecimals = 0"
    page, text = (render(release.manifest, release.assessment) for render in (render_html, render_markdown))
    assert '<div class="verdict warns">' in page
    for told in (page, text):
        assert "can be computed from the release" in told
        assert "decimals = 0" in told
        assert "Another kind of intruder does not search for a particular person" in told
    mended = shoal.protect(table(), policy(decimals=0))
    assert mended.assessment.exposures == ()
    assert '<div class="verdict holds">' in render_html(mended.manifest, mended.assessment)


def test_the_shell_warns_with_a_remedy(tmp_path: Path) -> None:
    data, rules = write_csv(table(), tmp_path / "data.csv"), write_policy(policy(), tmp_path / "policy.toml")
    said = shell("protect", data, "--policy", rules, "--output", tmp_path / "release.csv")
    assert said.code == 0
    assert "of the released values of 'age' can be computed from the release" in " ".join(said.out.split())
    assert "    decimals = 0" in said.out


@pytest.mark.parametrize(("limit", "n_warnings"), [(1.0, 0), (0.0, 1)])
def test_the_limit_decides_the_warning_and_no_release(limit: float, n_warnings: int) -> None:
    warn = {"unique": 1, "homogeneous": 1, "determined": limit}
    release = shoal.protect(table(), policy(warn=warn))
    assert len(release.assessment.exposures) == n_warnings
    assert release.findings[AGE].goal == 100 * limit
    assert release.manifest.policy["sha256"] == shoal.protect(table(), policy()).manifest.policy["sha256"]


def test_means_of_equal_weights_are_determined_at_the_ends_of_the_range_alone() -> None:
    ages = [20, 20, 20, 22, 23, 24, 26, 26, 26]
    unweighted = {name: rule for name, rule in policy()["columns"].items() if name in ("age", "illness")}
    plain = pa.table({"age": ages, "illness": ["flu", "gout", "none"] * 3})
    release = shoal.protect(plain, policy(columns=unweighted))
    assert release.findings[AGE].estimate == pytest.approx(100 * 6 / 9)
    rounded = unweighted | {"age": unweighted["age"] | {"decimals": 0}}
    assert shoal.protect(plain, policy(columns=rounded)).findings[AGE].estimate == 0


SCHEMA = Schema([Column("age", "quasi_identifier", "numeric"), Column("illness", "sensitive")])


def of_extents(texts: list[str], ages: list[int]) -> float:
    """The share that is determined where ages are told so."""
    columns = {"age": policy()["columns"]["age"], "illness": {"role": "sensitive"}}
    rules = load(policy(None, columns=columns, output={"representation": "extents"}))
    before, after = (pa.table({"age": cells, "illness": ["flu"] * len(texts)}) for cells in (ages, texts))
    return determined_cells_of_tables(ReleasePlan.of(rules, SCHEMA), SCHEMA, before, after).findings[AGE].estimate


def test_exact_ends_give_two_values_of_a_class_back() -> None:
    ages = [20, 24, 29, 33, 34, 39, 40, 40, 40, 47, 50, 53]
    texts = ["[20, 29]"] * 3 + ["[33, 39]"] * 3 + ["40"] * 3 + ["[47, 53]"] * 3
    assert of_extents(texts, ages) == pytest.approx(100 * (2 + 2 + 3 + 2) / 12)


def test_ends_that_were_rounded_outward_give_none_back() -> None:
    starts = range(20, 70, 5)
    texts = [f"[{start}, {start + 10}]" for start in starts for _ in range(3)]
    assert of_extents(texts, [start + at for start in starts for at in (1, 3, 6)]) == 0


def test_what_was_perturbed_or_blanked_is_left_out() -> None:
    noise = [{"name": "noise", "alpha": 0.5, "columns": ["age"]}]
    for more in ({"perturbations": noise, "method": {"name": "mdav"}}, {"local_suppression": {}}):
        assert AGE not in [finding.name for finding in shoal.protect(table(), policy(**more)).findings]


def test_a_class_that_nothing_fits_is_not_decided() -> None:
    """Gaps are in no mean, and nobody sees where they were."""
    rules = load(policy(columns={"age": policy()["columns"]["age"], "illness": {"role": "sensitive"}}))
    before = pa.table({"age": [20, 22, 23, None, 31, 30], "illness": ["flu"] * 6})
    after = pa.table({"age": [65 / 3] * 4 + [30.5] * 2, "illness": ["flu"] * 6})
    exposed = determined_cells_of_tables(ReleasePlan.of(rules, SCHEMA), SCHEMA, before, after)
    assert exposed.findings[AGE].estimate == 0
    assert exposed.findings[AGE].interval == pytest.approx((0, 100 * 4 / 6))
    assert exposed.exposures[0].share == pytest.approx(100 * 4 / 6)


def test_many_classes_are_sampled_and_the_interval_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = shoal.protect(table(240), policy()).findings[AGE]
    monkeypatch.setattr(determined_cells, "MOST_CLASSES", 40)
    some = shoal.protect(table(240), policy()).findings[AGE]
    assert whole.interval is None
    assert some.interval is not None
    assert some.interval[0] <= whole.estimate <= some.interval[1]
    assert "Computed from 40 of " in some.meaning


@pytest.mark.gate
def test_the_interval_of_a_sample_of_classes_covers_at_least_at_the_stated_rate() -> None:
    """Of 1,000 samples of 60 of 400 classes; a tenth has four times as many cells, and half of these is determined."""
    chance = np.random.default_rng(4)
    cells = np.where(np.arange(400) < 40, 12.0, 3.0)
    determined = np.where(np.arange(400) % 20 < 10, cells, 0.0) * (cells > 3)
    n_covered = 0
    for _ in range(1000):
        drawn = chance.choice(400, 60, replace=False)
        found = determined_cells.DeterminedCells("age", cells[drawn], determined[drawn], np.zeros(60), 400)
        low, high = found.finding(None).interval or (0, 0)
        n_covered += low <= 100 * determined.sum() / cells.sum() <= high
    assert n_covered >= 936


def test_work_is_bounded_by_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(determined_cells, "MOST_WORK", 200)
    once, again = (shoal.protect(table(240), policy()).findings[AGE] for _ in range(2))
    assert once == again
    assert once.interval is not None


@given(st.integers(0, 9), st.integers(1, 40), st.integers(1, 5))
def test_the_sampled_classes_hang_on_no_piece_and_no_order(seed: int, most: int, n_pieces: int) -> None:
    draw = np.random.default_rng(seed)
    n = 60
    counts = pa.table(
        {
            "age": pa.array(np.arange(n) // 2 / 3, mask=np.arange(n) // 2 == 7),
            "town": [f"T{at % 7}" for at in np.arange(n) // 2],
            "weight": draw.random(n),
            "n": draw.integers(1, 4, n),
        }
    )
    whole = ClassSample.of(2, most, counts).in_order()
    pieces = np.arange(n) // 2 % n_pieces
    apart = reduce(
        add, [ClassSample.of(2, most, counts.filter(pa.array(pieces == at))) for at in draw.permutation(n_pieces)]
    ).in_order()
    assert (len(whole), whole.n_classes) == (min(most, n // 2), n // 2) == (len(apart), apart.n_classes)
    by = [("age", "ascending"), ("weight", "ascending")]
    assert whole.counts.to_table().sort_by(by).equals(apart.counts.to_table().sort_by(by))


@given(st.lists(st.lists(st.integers(-50, 50), max_size=5), min_size=1, max_size=4), st.sampled_from([1, 5, 100]))
def test_range_and_step_add_up_over_pieces(pieces: list[list[int]], scale: int) -> None:
    steps, whole = Steps(), [Fraction(value, scale) for piece in pieces for value in piece]
    for piece in pieces:
        steps.add_numbers(np.array(piece, dtype=float) / scale)
    found = PublicRange.of(steps)
    assume(len(set(whole)) > 1)
    assert found is not None
    assert (found.low, found.high) == (min(whole), max(whole))
    apart = [(value - min(whole)) / found.step for value in whole]
    assert all(each.denominator == 1 for each in apart)
    assert np.gcd.reduce([int(each) for each in apart]) == 1


def test_numbers_with_all_digits_have_no_step() -> None:
    steps = Steps()
    steps.add_numbers(np.random.default_rng(0).random(20))
    assert PublicRange.of(steps) is None
    assert PublicRange(Fraction(0), Fraction(3), Fraction(1, 2)).n_steps == 6


COLUMNS = {"1 and 11": (1, 11), "0.1 and 0.7": (0.1, 0.7), "fifths": (0.0, 0.2, 0.4, 1.0), "fifties": (25, 75, 175)}


@pytest.mark.gate(but=("1 and 11-float64-None", "1 and 11-float64-0", "1 and 11-float32-None"))
@pytest.mark.parametrize("decimals", [None, 0])
@pytest.mark.parametrize("type_", [np.float64, np.float32])
@pytest.mark.parametrize("values", COLUMNS.values(), ids=COLUMNS)
def test_means_go_by_the_step_that_the_intruder_knows(
    values: tuple[float, ...], type_: Any, decimals: int | None
) -> None:
    """No class is solved, in any type, whether digits are asked for or not."""
    draw = np.random.default_rng(1)
    cells = draw.choice(np.array(values, dtype=type_), 60)
    number: dict[str, Any] = {"role": "quasi_identifier", "kind": "numeric"}
    age = number if decimals is None else number | {"decimals": decimals}
    rules = {"columns": {"age": age, "b": number}, "requirements": [{"name": "k_anonymity", "k": 3}]}
    release = shoal.protect(pa.table({"age": cells, "b": draw.permutation(60)}), rules, key=bytes(32))
    assert release.findings[AGE].estimate == 0
    assert release.findings[AGE].interval is None


def of_declared_grid(texts: list[str], ages: list[int]) -> float:
    columns = {"age": policy()["columns"]["age"] | {"grid": 1}, "illness": {"role": "sensitive"}}
    rules = load(policy(None, columns=columns, output={"representation": "extents"}))
    before, after = (pa.table({"age": cells, "illness": ["flu"] * len(texts)}) for cells in (ages, texts))
    return determined_cells_of_tables(ReleasePlan.of(rules, SCHEMA), SCHEMA, before, after).findings[AGE].estimate


def test_ends_on_a_grid_that_is_as_fine_as_the_values_give_them_back() -> None:
    """The open end of the first class tells nothing; all of the last have one value."""
    texts = ["[-inf, 30)"] * 3 + ["[33, 40)"] * 3 + ["[47, 48)"] * 3
    assert of_declared_grid(texts, [20, 24, 29, 33, 34, 39, 47, 47, 47]) == pytest.approx(100 * (1 + 2 + 3) / 9)


def test_ends_on_a_coarser_grid_give_none_back() -> None:
    starts = range(20, 70, 5)
    texts = [f"[{start}, {start + 10})" for start in starts for _ in range(3)]
    assert of_declared_grid(texts, [start + at for start in starts for at in (1, 3, 6)]) == 0


def test_a_declared_grid_of_single_values_is_warned_of() -> None:
    columns = policy()["columns"] | {"age": policy()["columns"]["age"] | {"grid": 1}}
    release = shoal.protect(table(240), policy(columns=columns, output={"representation": "extents"}))
    assert release.findings[AGE].estimate > 20
    assert "determined" in [each.kind for each in release.assessment.exposures]
