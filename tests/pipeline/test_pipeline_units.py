"""Units: requirements count patients and households, and the written release is proved so, by hand as by the gate."""

from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.encode.units import compositions, first_records
from shoal.engines.duckdb import DuckdbEngine
from shoal.engines.memory import MemoryEngine
from shoal.errors import PolicyError, TableError
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.protect import protect_by
from shoal.policy import load
from shoal.requirements.groups import Groups
from survey_example import SMALL_PIECES, desk, read_cells, shell, survey, survey_policy, write_csv

KEYS = ("zip", "age", "grade", "born")
DIVERSE = [{"name": "k_anonymity", "k": 3}, {"name": "distinct_l_diversity", "l": 2, "column": "disease"}]
SETTINGS = {
    "mdav": {},
    "vmdav": {"method": {"name": "vmdav"}},
    "split": {"method": {"name": "mdav", "split_households": True}},
    "diverse": {"requirements": DIVERSE},
    "mondrian": {"method": {"name": "mondrian"}},
    "ends": {"method": {"name": "mondrian"}, "output": {"ends": True, "shuffle": True}},
    "global_recoding": {"method": {"name": "global_recoding"}},
    "blanked": {"local_suppression": {}},
    "key_sets": {
        "requirements": [
            {"name": "k_anonymity", "k": 3, "columns": ["zip", "age"]},
            {"name": "k_anonymity", "k": 2, "columns": ["grade", "born"]},
        ]
    },
}


def policy_of(role, **more):
    policy = survey_policy(**({"suppression": {"limit": 0.9}} | more))
    policy["columns"]["household"]["role"] = role
    return policy


def units_of(table, original_of):
    """Of every released record; who has none is alone."""
    names = table["household"].to_pylist()
    return [names[at] or f"alone {at}" for at in original_of]


def released(role, setting, tmp_path):
    """Cells as written, and whose they are."""
    table = survey(240)
    policy = policy_of(role, **SETTINGS[setting])
    policy["output"] = policy.get("output", {}) | {"shuffle": False}
    made = shoal.protect(table, policy, output=tmp_path / "release.csv")
    return read_cells(tmp_path / "release.csv"), units_of(table, np.flatnonzero(made.groups["group"].is_valid()))


def columns_of(setting, cells):
    asked = SETTINGS[setting].get("requirements", [{"k": 3}])
    ends = [name for name in cells[0] if name.endswith(("_min", "_max"))]
    return [(wanted["k"], wanted.get("columns", (*KEYS, *ends))) for wanted in asked if "k" in wanted]


@pytest.mark.gate(but=("mdav-unit", "mdav-household", "split-unit"))
@pytest.mark.parametrize("role", ["unit", "household"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_every_class_has_k_units_by_hand(role, setting, tmp_path):
    cells, units = released(role, setting, tmp_path)
    assert cells
    assert ("household" in cells[0]) == (role == "household")
    for k, columns in columns_of(setting, cells):
        found = defaultdict(set)
        for cell, unit in zip(cells, units, strict=True):
            found[tuple(cell[name] for name in columns)].add(unit)
        assert min(map(len, found.values())) >= k


@pytest.mark.gate(but=("ends", "global_recoding"))
@pytest.mark.parametrize("setting", SETTINGS)
def test_numbered_households_are_composed_like_k_others_by_hand(setting, tmp_path):
    cells, units = released("household", setting, tmp_path)
    for k, columns in columns_of(setting, cells):
        members = defaultdict(list)
        for cell in cells:
            if cell["household"]:
                members[cell["household"]].append(tuple(cell[name] for name in columns))
        alike = Counter(tuple(sorted(each)) for each in members.values())
        assert all(n >= k for n in alike.values())
        loose = defaultdict(set)
        for cell, unit in zip(cells, units, strict=True):
            if not cell["household"]:
                loose[tuple(cell[name] for name in columns)].add(unit)
        assert all(len(each) >= k for each in loose.values())


@pytest.mark.gate
@pytest.mark.parametrize("role", [pytest.param("unit", marks=pytest.mark.long), "household"])
@pytest.mark.parametrize("setting", ["mdav", "split", "diverse", "ends", "blanked"])
def test_every_engine_releases_the_same(role, setting, tmp_path):
    source = write_csv(survey(240), tmp_path / "survey.csv")
    policy = load(policy_of(role, **SETTINGS[setting]))
    texts = []
    with DuckdbEngine("1GB", tmp_path, SMALL_PIECES) as duckdb:
        for engine in (MemoryEngine(), duckdb):
            target = tmp_path / engine.name / "release.csv"
            target.parent.mkdir()
            protect_by(engine, source, policy, Targets.of(target, None, None), None, force=False)
            texts.append(target.read_bytes())
    assert texts[0] == texts[1]


def test_most_households_of_mdav_keep_their_number():
    table = survey(600)
    release = shoal.protect(table, survey_policy())
    lost = release.records["household"].null_count - table["household"].null_count
    assert lost < 0.2 * len(table)


def test_verify_says_what_it_cannot_see(tmp_path):
    requirements = [*DIVERSE, {"name": "alpha_k_anonymity", "alpha": 0.9, "k": 3, "column": "disease"}]
    policy = policy_of("unit", requirements=requirements)
    place = desk(tmp_path, survey(200), policy)
    release = shoal.protect(place.data, place.policy, output=place.release)
    assert release.manifest.proof["verdicts"][0]["besides"] == {"units": "household"}
    proof = shoal.verify(place.release, place.policy)
    assert proof.holds
    assert [verdict.requirement for verdict in proof.verdicts] == ["k_anonymity", "distinct_l_diversity"]
    assert any("household is not in the release, so its units cannot be counted" in note for note in proof.notes)
    said = shell("verify", place.release, "-p", place.policy)
    assert said.code == 0


def test_a_unit_in_the_release_is_a_fault(tmp_path):
    release = shoal.protect(survey(200), policy_of("unit"))
    with_units = release.records.append_column("household", survey(200)["household"])
    proof = shoal.verify(with_units, policy_of("unit"))
    assert "the unit column 'household' is in the release" in proof.failures


def test_the_gate_counts_households_as_they_are_composed():
    """Two classes of three households each: alike as records, but one household has a member more."""
    policy = {
        "requirements": [{"name": "k_anonymity", "k": 3}],
        "columns": {"h": {"role": "household"}, "age": {"role": "quasi_identifier", "kind": "numeric"}},
    }
    even = pa.table({"h": [1, 1, 2, 2, 3, 3], "age": [30, 40, 30, 40, 30, 40]})
    assert shoal.verify(even, policy).k_reached == 3
    odd = pa.table({"h": [1, 1, 2, 2, 3, 3, 3], "age": [30, 40, 30, 40, 30, 40, 40]})
    proof = shoal.verify(odd, policy)
    assert not proof.holds
    assert proof.k_reached == 1
    alone = pa.table({"h": [1, 1, 1, 1, 1], "age": [30] * 5})
    assert shoal.verify(alone, policy).k_reached == 1


def test_the_gate_fills_blanks_from_siblings():
    """Three households show a blank region beside the region: filled, the classes are those of the region."""
    region = {"role": "quasi_identifier"}
    rule = {"h": {"role": "household"}, "age": {"role": "quasi_identifier", "kind": "numeric"}, "region": region}
    policy = {"requirements": [{"name": "k_anonymity", "k": 2}], "columns": rule}
    cells = {"h": [1, 1, 2, 2, 3, 4], "age": [30] * 6, "region": ["A", None, "A", None, None, None]}
    assert shoal.verify(pa.table(cells), policy).n_classes == 3
    region["level"] = "household"
    assert shoal.verify(pa.table(cells), policy).n_classes == 2


def test_members_of_a_level_must_agree():
    policy = survey_policy(suppression={"limit": 0.9})
    policy["columns"]["zip"]["level"] = "household"
    with pytest.raises(TableError, match=r"members of \d+ households have different values"):
        shoal.protect(survey(), policy)


@pytest.mark.parametrize(
    ("columns", "more", "words"),
    [
        ({"note": {"role": "unit"}}, {}, "household or unit"),
        (
            {"household": {"role": "unit"}, "zip": {"role": "quasi_identifier", "level": "household"}},
            {},
            "no column has",
        ),
        ({"household": {"role": "unit"}}, {"local_suppression": {"blanks": "wildcard"}}, "records are counted and no"),
    ],
)
def test_nonsense_about_units_is_refused(columns, more, words):
    policy = survey_policy(**more)
    policy["columns"] |= columns
    with pytest.raises(PolicyError, match=words):
        load(policy)


def test_groups_of_an_anatomy_have_k_units(tmp_path):
    table = survey(200)
    policy = policy_of("unit", requirements=DIVERSE, output={"representation": "anatomy", "shuffle": False})
    made = shoal.protect(table, policy, output=tmp_path / "release.csv")
    units = units_of(table, np.flatnonzero(made.groups["group"].is_valid()))
    found = defaultdict(set)
    for group, unit in zip(made.records["group"].to_pylist(), units, strict=True):
        found[group].add(unit)
    assert min(map(len, found.values())) >= 3


@pytest.mark.gate
def test_a_certificate_is_about_the_first_records(tmp_path):
    policy = policy_of("unit", method={"name": "gensearch", "cuts": {"age": 4, "born": 3}, "nodes": 2000})
    place = desk(tmp_path, survey(120), policy)
    release = shoal.protect(place.data, place.policy, output=place.release)
    checked = shoal.verify(place.release, place.policy, certificate=release.certificates, original=place.data)
    assert checked.holds


rows = st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 4), st.integers(-1, 2), st.integers(0, 3)), min_size=1)


@given(rows)
def test_groups_count_different_units(rows):
    labels, units, values, n = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    found = Groups.of(labels, n, values, units=units)
    for group in range(int(labels.max()) + 1):
        inside = [(u if u >= 0 else (at, i), v) for at, (g, u, v, m) in enumerate(rows) if g == group for i in range(m)]
        assert found.totals[group] == len({unit for unit, _ in inside})
        assert found.known[group] == len({unit for unit, value in inside if value >= 0})
        for value in range(int(max(values.max(), 0)) + 1):
            assert found.counts[[group], [value]][0] == len({unit for unit, each in inside if each == value})


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), min_size=1))
def test_units_are_composed_alike_when_their_records_are(pairs):
    units, classes = (np.array(column, dtype=np.int64) for column in zip(*pairs, strict=True))
    found = compositions(units, classes)
    own = {unit: tuple(sorted(c for u, c in pairs if u == unit)) for unit in set(units.tolist())}
    for one in own:
        for other in own:
            assert (found[one] == found[other]) == (own[one] == own[other])


def test_the_first_record_of_every_unit_and_all_of_none():
    assert first_records(np.array([2, -1, 2, 0, -1, 0, 1])).tolist() == [0, 1, 3, 4, 6]
