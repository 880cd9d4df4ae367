"""Journalist and marketer risk against a table of the population (k-map): the search, the gate and an intruder agree
with a twin that compares every person with every written record."""

from __future__ import annotations

import hashlib
import json
from datetime import date, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pytest

import shoal
from reference.population import fitting_persons, persons_of_records
from shoal.errors import ManifestError, PolicyError, RequirementError, TableError
from shoal.gate.written_counts import WrittenCounts
from shoal.pipeline.population_table import gate_population
from shoal.policy import dump

NAMES = ("age", "zip", "sex", "grade", "born")
ORDER = ("low", "mid", "high")
COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi_identifier", "kind": "numeric"},
    "zip": {"role": "quasi_identifier", "kind": "nominal", "taxonomy": {"prefixes": [2, 1]}},
    "sex": {"role": "quasi_identifier", "kind": "nominal"},
    "grade": {"role": "quasi_identifier", "kind": "ordinal", "order": list(ORDER)},
    "born": {"role": "quasi_identifier", "kind": "date"},
    "illness": {"role": "sensitive", "kind": "nominal"},
}
Policy = dict[str, Any]
METHODS: dict[str, dict[str, Any]] = {
    "levels": {"name": "global_recoding"},
    "suppressing": {"name": "global_recoding", "suppression": 0.2},
    "cuts": {"name": "global_recoding", "scheme": "cuts", "loss": "certainty"},
    "strict": {"name": "mondrian"},
    "greedy": {"name": "mondrian", "mode": "greedy"},
    "subsets": {"name": "mondrian", "unordered": "subsets"},
}
MAXIMUM = 0.1
LEAST = 10  # persons: 1 / MAXIMUM
JOURNALIST = {"name": "journalist_risk", "maximum": MAXIMUM}
MARKETER = {"name": "marketer_risk", "average": MAXIMUM}
AT_RISK = {"name": "records_at_risk", "share": 0.1, "threshold": MAXIMUM}


def population_of(seed: int, n: int = 200) -> pa.Table:
    """Persons; the sample that is released lacks many of their combinations, and some of their values."""
    rng = np.random.default_rng(seed)
    first = date(1950, 1, 1)
    return pa.table(
        {
            "age": pa.array(rng.integers(18, 70, n), mask=rng.random(n) < 0.05),
            "zip": rng.choice(["1011", "1012", "1021", "2011", "2012", "3033"], n),
            "sex": rng.choice(["f", "m", "x"], n, p=[0.5, 0.45, 0.05]),
            "grade": rng.choice(list(ORDER), n),
            "born": [first + timedelta(int(days)) for days in rng.integers(0, 900, n) * 20],
        }
    )


def sample_of(population: pa.Table, n: int = 40) -> pa.Table:
    rng = np.random.default_rng(7)
    some = population.take(rng.choice(len(population), n, replace=False))
    return some.append_column("illness", pa.array(rng.choice(list("abc"), n)))


def policy_of(folder: Path, population: pa.Table, *asked: Policy, method: str = "strict", **more: Any) -> Policy:
    """A policy that names the population, whose file is written."""
    pc.write_csv(population, folder / "population.csv")
    requirements = [{**each, "population": str(folder / "population.csv")} for each in asked]
    limit = METHODS[method].get("suppression", 0.0)
    return {
        "columns": COLUMNS,
        "requirements": requirements,
        "method": METHODS[method],
        "suppression": {"limit": limit},
        **more,
    }


def where(table: pa.Table, name: str, value: str, *, wanted: bool) -> pa.Array:
    return pa.array([(cell == value) == wanted for cell in table[name].to_pylist()])


def labels_of(population: pa.Table) -> dict[str, dict[str, list[str]]]:
    """The nodes above every postcode, as its taxonomy of prefixes has them."""
    codes = population["zip"].unique().to_pylist()
    return {"zip": {code: [code, f"{code[:2]}**", f"{code[:1]}***", "*"] for code in codes}}


def persons(records: pa.Table, population: pa.Table, columns: tuple[str, ...] = NAMES) -> list[int]:
    labels = labels_of(population)
    return persons_of_records(records.to_pylist(), population.to_pylist(), {"grade": ORDER}, labels, columns)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.gate(but=["levels-0", "strict-0"])
def test_every_released_record_may_be_that_of_enough_persons(tmp_path, method, seed):
    """An intruder who holds the population finds at least 1 / maximum persons for every record, also where a class has
    a single record: the persons outside the sample count."""
    population = population_of(seed)
    policy = policy_of(tmp_path, population, JOURNALIST, method=method)
    release = shoal.protect(sample_of(population), policy, key=b"1" * 32)
    assert release.records is not None
    found = persons(release.records, population)
    assert min(found) >= LEAST
    sizes = release.records.group_by(list(NAMES)).aggregate([([], "count_all")])["count_all"].to_pylist()
    assert len(sizes) > 1
    assert min(sizes) < LEAST


@pytest.mark.parametrize("asked", [MARKETER, AT_RISK], ids=lambda each: each["name"])
def test_a_figure_of_the_whole_release_is_that_of_the_twin(tmp_path, asked):
    population = population_of(3)
    release = shoal.protect(sample_of(population), policy_of(tmp_path, population, asked), key=b"1" * 32)
    found = np.array(persons(release.records, population))
    figure = np.mean(1 / found) if asked is MARKETER else np.mean(1 / found > MAXIMUM)
    assert figure <= MAXIMUM + 1e-9
    proof = shoal.verify(release.records, release.policy)
    assert proof.verdicts[0].reached == pytest.approx(figure)


def test_the_gate_counts_as_the_twin(tmp_path):
    """Every form of a cell, in every combination: a value, an interval, a span, a set, a node, ``*`` and missing."""
    population = population_of(4, 60)
    policy = policy_of(tmp_path, population, JOURNALIST)
    cells = {
        "age": ["30", "[20, 40)", "[-inf, 35)", "[35, 36)", "[36, inf)", "*", None],
        "zip": ["1011", "10**", "1***", "*"],
        "sex": ["f", "{f, x}", "*"],
        "grade": ["low", "[low .. mid]", "*"],
        "born": ["[1950-01-01, 1980-06-10)", "[-inf, 1975-01-01)", "*"],
    }
    rows = [dict(zip(NAMES, row, strict=True)) for row in product(*cells.values())]
    written = WrittenCounts.of(pa.Table.from_pylist(rows).append_column("n", pa.array([0] * len(rows))))
    counted = gate_population(shoal.Policy.model_validate(policy))
    assert counted is not None
    found = counted.in_classes(written, np.arange(len(rows)), NAMES)
    orders, labels = {"grade": ORDER}, labels_of(population)
    assert found.astype(int).tolist() == fitting_persons(rows, population.to_pylist(), orders, labels, NAMES)


@pytest.mark.parametrize("method", METHODS)
def test_the_search_counts_everybody(tmp_path, method):
    """What all persons of the population together satisfy is released, as one class: values that the sample does not
    have, and missing ones, are in it. One person more cannot be had, and is refused."""
    population = population_of(5)
    sample = sample_of(population.filter(population["age"].is_valid()), 15)
    only = policy_of(tmp_path, population, JOURNALIST | {"maximum": 1 / len(population)}, method=method)
    release = shoal.protect(sample, only, key=b"1" * 32)
    assert set(persons(release.records, population)) == {len(population)}
    more = policy_of(tmp_path, population, JOURNALIST | {"maximum": 1 / (len(population) + 1)}, method=method)
    with pytest.raises((PolicyError, RequirementError), match=r"journalist_risk"):
        shoal.protect(sample, more, key=b"1" * 32)


@pytest.mark.parametrize("engine", ["memory", "duckdb", "processes"])
@pytest.mark.gate(but="duckdb")
def test_engines_and_both_forms_of_a_population_give_the_same_release(tmp_path, engine):
    population = population_of(6)
    sample = sample_of(population)
    pc.write_csv(sample, tmp_path / "sample.csv")
    policy = policy_of(tmp_path, population, JOURNALIST, method="greedy")
    shoal.protect(tmp_path / "sample.csv", policy, key=b"1" * 32, output=tmp_path / "one.csv")
    counts = population.group_by(list(NAMES)).aggregate([([], "count_all")])
    pc.write_csv(counts.rename_columns([*NAMES, "count"]), tmp_path / "population.csv")
    shoal.protect(tmp_path / "sample.csv", policy, key=b"1" * 32, output=tmp_path / "other.csv", engine=engine)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "other.csv").read_bytes()
    assert shoal.verify(tmp_path / "other.csv", policy, engine=engine)


def test_strata_and_values_recoded_by_hand(tmp_path):
    """Population values are recoded as those of the table; persons of a stratum that the sample lacks count nowhere."""
    population = population_of(8, 400)
    zips = tmp_path / "zips.csv"
    zips.write_text("1011;10;*\n1012;10;*\n1021;10;*\n2011;20;*\n2012;20;*\n", encoding="utf-8")  # 3033 is not there
    changes: dict[str, Any] = {
        "age": {"recode": {"width": 10}},
        "zip": {"taxonomy": {"file": str(zips)}},
        "sex": {"recode": {"merge": {"other": ["m", "x"]}}},
        "born": {"recode": {"date_part": "quarter"}},
    }
    columns = {name: {**rule, **changes.get(name, {})} for name, rule in COLUMNS.items()}
    policy = policy_of(tmp_path, population, JOURNALIST, columns=columns, within=["grade"])
    known = population.filter(where(population, "zip", "3033", wanted=False))
    sample = sample_of(known.filter(where(known, "grade", "high", wanted=False)))
    release = shoal.protect(sample, policy | {"suppression": {"limit": 0.5}}, key=b"1" * 32)
    rows = []
    for row in population.to_pylist():
        age, sex, born = row["age"], row["sex"], row["born"]
        low = None if age is None else age // 10 * 10
        age_text = None if low is None else f"[{low}, {low + 10})"
        quarter = f"{born.year}-Q{(born.month + 2) // 3}"
        rows.append(row | {"age": age_text, "sex": "f" if sex == "f" else "other", "born": quarter})
    quarters = sorted({row["born"] for row in rows})
    labels = {"zip": {code: [code, code[:2], "*"] for code in population["zip"].unique().to_pylist()}}
    assert release.records is not None
    found = persons_of_records(release.records.to_pylist(), rows, {"grade": ORDER, "born": quarters}, labels, NAMES)
    assert min(found) >= LEAST
    assert shoal.verify(release.records, policy).verdicts[0].reached == pytest.approx(1 / min(found))


def test_values_of_strata_are_read_as_they_are(tmp_path):
    """They are released unchanged: a comma in one of them is no part of a set."""
    population = pa.table({"age": list(range(20, 50)), "sex": ["x, y", "f", "f"] * 10})
    columns = {name: COLUMNS[name] for name in ("age", "sex")}
    policy = policy_of(tmp_path, population, JOURNALIST, columns=columns, within=["sex"])
    release = shoal.protect(population.slice(0, 6), policy, key=b"1" * 32)
    assert release.records is not None
    assert release.records["sex"].to_pylist().count("x, y") == 2


def test_what_no_person_of_the_population_has_holds_nobody(tmp_path):
    """A value of a stratum, a node above nobody and a text that is no node: else the class would hold everybody."""
    population = pa.table({"zip": ["1011", "1011", "2011"], "sex": ["f", "m", "f"]})
    (tmp_path / "zips.csv").write_text("1011;10;*\n2011;20;*\n3011;30;*\n", encoding="utf-8")
    columns = {"zip": COLUMNS["zip"] | {"taxonomy": {"file": str(tmp_path / "zips.csv")}}, "sex": COLUMNS["sex"]}
    policy = policy_of(tmp_path, population, JOURNALIST, columns=columns, within=["sex"])
    counted = gate_population(shoal.Policy.model_validate(policy))
    assert counted is not None
    cells = {("10", "f"): 1, ("*", "f"): 2, ("*", "x"): 0, ("30", "f"): 0, ("40", "f"): 0}
    rows = [{"zip": node, "sex": value, "n": 1} for node, value in cells]
    written = WrittenCounts.of(pa.Table.from_pylist(rows))
    assert counted.in_classes(written, np.arange(len(rows)), ("zip", "sex")).tolist() == [*cells.values()]


def test_a_requirement_on_some_columns_counts_their_classes(tmp_path):
    population = population_of(9)
    some = JOURNALIST | {"columns": ["age", "zip"]}
    policy = policy_of(tmp_path, population, some, JOURNALIST | {"maximum": 0.5})
    policy |= {"output": {"ends": True}}
    release = shoal.protect(sample_of(population), policy, key=b"1" * 32)
    assert release.records is not None
    assert min(persons(release.records, population, ("age", "zip"))) >= LEAST
    assert min(persons(release.records, population)) >= 2


def narrowed(records: pa.Table) -> pa.Table:
    """The release with the classes of one record written as their original ages, as a careless tool would."""
    ages = ["[20, 21)" if at == 0 else age for at, age in enumerate(records["age"].to_pylist())]
    return records.set_column(records.column_names.index("age"), "age", pa.array(ages))


def test_a_forged_release_fails(tmp_path):
    population = population_of(2)
    policy = policy_of(tmp_path, population, JOURNALIST)
    release = shoal.protect(sample_of(population), policy, key=b"1" * 32)
    assert release.records is not None
    assert shoal.verify(release.records, policy)
    forged = narrowed(release.records)
    assert min(persons(forged, population)) < LEAST
    proof = shoal.verify(forged, policy)
    assert not proof
    assert not proof.verdicts[0].holds
    assert proof.verdicts[0].n_records_failing == 1


def test_a_population_that_lacks_the_persons_of_a_class_fails(tmp_path):
    """The gate reads the population itself: not that with which the release was made, but the file as it is now."""
    population = population_of(2)
    policy = policy_of(tmp_path, population, JOURNALIST)
    release = shoal.protect(sample_of(population), policy, key=b"1" * 32)
    pc.write_csv(population.slice(0, 20), tmp_path / "population.csv")
    assert not shoal.verify(release.records, policy)


def test_without_the_population_nothing_is_proved(tmp_path):
    """It does not hold silently: the proof fails, and says that it was not proved. Other requirements are counted."""
    population = population_of(2)
    policy = policy_of(tmp_path, population, JOURNALIST)
    policy |= {"requirements": [*policy["requirements"], {"name": "k_anonymity", "k": 2}]}
    release = shoal.protect(sample_of(population), policy, key=b"1" * 32)
    (tmp_path / "population.csv").unlink()
    proof = shoal.verify(release.records, policy)
    assert not proof
    assert [verdict.requirement for verdict in proof.verdicts] == ["k_anonymity"]
    assert [fault.split(",")[0] for fault in proof.faults] == ["not proved: journalist_risk = 0.1"]
    with pytest.raises(shoal.errors.ShoalError):
        shoal.protect(sample_of(population), policy, key=b"1" * 32)


def test_no_count_of_the_population_is_published(tmp_path):
    """The public manifest states what was asked, not what was reached: with another population of which the release is
    the same, it is the same to the letter."""
    population, found = population_of(2), []
    pc.write_csv(sample_of(population), tmp_path / "sample.csv")
    asked = JOURNALIST | {"maximum": 1 / 190}
    for n in (200, 190):
        policy = policy_of(tmp_path, population.slice(0, n), asked, MARKETER, method="levels")
        output = tmp_path / "release.csv"
        release = shoal.protect(tmp_path / "sample.csv", policy, key=b"1" * 32, output=output, force=True)
        assert release.manifest.counts["n_classes"] == 1
        manifest = json.loads((tmp_path / "release.manifest.json").read_text(encoding="utf-8"))
        assert [verdict["reached"] for verdict in manifest["proof"]["verdicts"]] == [None, None]
        found.append({key: value for key, value in manifest.items() if key not in ("cost", "made")})
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"method": {"name": "mdav"}}, "Use global_recoding or mondrian"),
        ({"method": {"name": "gensearch"}}, "Use global_recoding or mondrian"),
        ({"output": {"representation": "centroids"}}, "representation = 'extents'"),
        ({"local_suppression": {}}, "Remove \\[local_suppression\\]"),
        ({"perturbations": [{"name": "noise", "columns": ["age"]}]}, "Remove the perturbations"),
    ],
)
def test_what_cannot_be_counted_is_refused(tmp_path, changes, says):
    population = population_of(2)
    with pytest.raises(PolicyError, match=says):
        shoal.protect(sample_of(population), policy_of(tmp_path, population, JOURNALIST) | changes)


def test_several_populations_and_sources_are_refused(tmp_path):
    policy = policy_of(tmp_path, population_of(2), JOURNALIST)
    other = JOURNALIST | {"population": "other.csv"}
    with pytest.raises(PolicyError, match="names 2 files"):
        shoal.protect(sample_of(population_of(2)), policy | {"requirements": [*policy["requirements"], other]})
    with pytest.raises(PolicyError, match="Keep one"):
        shoal.requirements.JournalistRisk(0.1, sampling_fraction=0.5, population="register.csv")


def test_a_single_method_says_that_it_reads_no_population():
    table, schema = pa.table({"age": [1, 2, 3]}), shoal.Schema([shoal.Column("age", "quasi_identifier", "numeric")])
    with pytest.raises(PolicyError, match=r"Call shoal\.protect with a policy"):
        shoal.mondrian(table, schema, [shoal.requirements.JournalistRisk(0.5, population="population.csv")])


def test_the_file_is_beside_the_policy_has_all_columns_and_is_kept(tmp_path):
    population = population_of(2)
    policy = policy_of(tmp_path, population, JOURNALIST)
    policy["requirements"][0]["population"] = "population.csv"
    (tmp_path / "policy.toml").write_text(dump(shoal.Policy.model_validate(policy)), encoding="utf-8")
    sample = sample_of(population)
    with pytest.raises(shoal.errors.ShoalError, match=r"population\.csv"):
        shoal.protect(sample, tmp_path / "policy.toml", output=tmp_path / "population.csv", force=True)
    assert shoal.protect(sample, tmp_path / "policy.toml").records
    pc.write_csv(population.drop_columns("age"), tmp_path / "population.csv")
    with pytest.raises(TableError, match="no column age"):
        shoal.protect(sample, tmp_path / "policy.toml")


def test_k_map_as_arx_defines_it(tmp_path):
    """Two women of thirty are in the file: two classes of one record each, of three persons in the population. The file
    is not 2-anonymous, and 3-map protected as it is."""
    persons = pa.table({"age": [30, 30, 30, 40, 40, 40, 50], "sex": ["f", "f", "f", "m", "m", "m", "m"]})
    sample = pa.table({"age": [30, 40], "sex": ["f", "m"]})
    pc.write_csv(persons, tmp_path / "population.csv")
    columns = {name: COLUMNS[name] for name in ("age", "sex")}
    asked = {"name": "journalist_risk", "maximum": 1 / 3, "population": str(tmp_path / "population.csv")}
    policy = {"columns": columns, "requirements": [asked], "method": {"name": "global_recoding"}}
    release = shoal.protect(sample, policy, key=b"1" * 32)
    assert release.records is not None
    assert sorted(release.records["sex"].to_pylist()) == ["f", "m"]
    assert release.manifest.counts["n_classes"] == 2
    four = policy | {"requirements": [asked | {"maximum": 1 / 4}]}
    assert shoal.protect(sample, four, key=b"1" * 32).manifest.counts["n_classes"] == 1


def test_the_private_manifest_knows_which_population_was_counted(tmp_path):
    """With another one a replay would count other persons: it says so, instead of another release."""
    population, file = population_of(2), tmp_path / "population.csv"
    policy = policy_of(tmp_path, population, JOURNALIST)
    (tmp_path / "policy.toml").write_text(dump(shoal.Policy.model_validate(policy)), encoding="utf-8")
    pc.write_csv(sample_of(population), tmp_path / "sample.csv")
    shoal.protect(tmp_path / "sample.csv", tmp_path / "policy.toml", output=tmp_path / "release.csv", key=b"1" * 32)
    private = json.loads((tmp_path / "release.private.json").read_text(encoding="utf-8"))
    assert private["population_sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert "population_sha256" not in (tmp_path / "release.manifest.json").read_text(encoding="utf-8")
    assert shoal.replay(tmp_path / "release.manifest.json", key=b"1" * 32).manifest.counts["n_records"] == 40
    pc.write_csv(population.slice(1), file)
    with pytest.raises(ManifestError, match="the population is not the one"):
        shoal.replay(tmp_path / "release.manifest.json", key=b"1" * 32)
