"""One gate: what is forged is noticed whatever the representation, and methods make what it lets pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from method_examples import METHODS as METHOD_EXAMPLES
from method_examples import methods_of
from requirement_examples import REQUIREMENTS
from shoal.encode.count_table import CountTable
from shoal.errors import PolicyError, RequirementError
from shoal.pipeline.verify.prove_file import prove_source
from shoal.pipeline.verify.written_release import release_read_options
from shoal.policy import Policy, load
from shoal.requirements.judge import sensitive_domains
from shoal.schema.helper_columns import HELPERS
from survey_example import as_parquet, carrier, write_csv, write_policy

GRADES = ["low", "middle", "high"]
REPRESENTATIONS: dict[str, dict[str, Any]] = {
    "centroids": {},
    "extents": {"output": {"representation": "extents"}},
    "anatomy": {"output": {"representation": "anatomy"}},
    "permute": {"output": {"permute": True}},
}


def people(n: int = 60) -> pa.Table:
    draw = np.random.default_rng(5)
    return pa.table(
        {
            "person": [f"P{at:03}" for at in range(n)],
            "age": draw.integers(20, 80, n),
            "zip": draw.choice(["01067", "04103", "99084"], n),
            "illness": draw.choice(["HIV", "flu", "gout"], n),
            "grade": draw.choice(GRADES, n),
            "site": draw.choice(["lung", "skin", "liver"], n),
            "note": draw.choice(["a", "b"], n),
        }
    )


def rules(folder: Path, representation: str) -> dict[str, Any]:
    (folder / "sites.csv").write_text("lung;inside;*\nliver;inside;*\nskin;outside;*\n")
    (folder / "secret.key").write_text("0123456789abcdef")
    return {
        "columns": {
            "person": {"role": "identifier", "pseudonym": "secret.key"},
            "age": {"role": "quasi_identifier", "kind": "numeric"},
            "zip": {"role": "quasi_identifier"},
            "illness": {"role": "sensitive"},
            "grade": {"role": "sensitive", "kind": "ordinal", "order": GRADES},
            "site": {"role": "sensitive", "taxonomy": "sites.csv"},
            "note": {"role": "other"},
        },
        "requirements": [
            {"name": "k_anonymity", "k": 4},
            {"name": "distinct_l_diversity", "l": 2, "column": "illness"},
            {"name": "t_closeness", "t": 0.6, "column": "grade", "distance": "ordered"},
            {"name": "t_closeness", "t": 0.7, "column": "site", "distance": "hierarchical"},
        ],
        "source": {"missing": ["", "unknown"]},
        **REPRESENTATIONS[representation],
    }


@dataclass(frozen=True)
class Tables:
    """A release in the hands of a forger."""

    records: pa.Table
    sensitive: pa.Table | None

    def changed(self, name: str, change: Callable[[list[Any]], list[Any]]) -> Tables:
        """Of a column, wherever it stands, the cells."""
        table = self.records if name in self.records.column_names else self.sensitive
        assert table is not None
        cells = pa.array(change(table[name].to_pylist()))
        forged = table.set_column(table.column_names.index(name), name, cells)
        return replace(self, records=forged) if table is self.records else replace(self, sensitive=forged)


def names_for_pseudonyms(tables: Tables) -> Tables:
    return tables.changed("person", lambda cells: [f"Smith {at}" for at in range(len(cells))])


def one_name_among_pseudonyms(tables: Tables) -> Tables:
    return tables.changed("person", lambda cells: ["Smith", *cells[1:]])


def column_added(tables: Tables) -> Tables:
    return replace(tables, records=tables.records.append_column("extra", tables.records["note"]))


def column_removed(tables: Tables) -> Tables:
    return replace(tables, records=tables.records.drop_columns("note"))


def other_spellings(tables: Tables) -> Tables:
    ways = ("HIV", "HIV ", "hiv", "H\u200bIV", "\uff28IV")
    return tables.changed("illness", lambda cells: [ways[at % 5] for at in range(len(cells))])


def words_for_missing(tables: Tables) -> Tables:
    return tables.changed("illness", lambda cells: ["HIV" if at % 2 else "unknown" for at in range(len(cells))])


def grade_of_no_order(tables: Tables) -> Tables:
    return tables.changed("grade", lambda cells: ["superb", *cells[1:]])


def site_of_no_taxonomy(tables: Tables) -> Tables:
    return tables.changed("site", lambda cells: ["elbow", *cells[1:]])


def a_class_of_its_own_grade(tables: Tables) -> Tables:
    """All others have another."""
    table = tables.records.select(["age", "zip"]) if tables.sensitive is None else tables.sensitive.select(["group"])
    classes = table.to_pylist()
    return tables.changed("grade", lambda _: ["high" if each == classes[0] else "low" for each in classes])


FORGED: dict[Callable[[Tables], Tables], str] = {
    names_for_pseudonyms: "values that are not pseudonyms",
    one_name_among_pseudonyms: "the identifier column 'person' holds 1 values that are not pseudonyms",
    column_added: "the column 'extra' is in the release but not in the policy",
    column_removed: "the column 'note' is not in the release",
    other_spellings: "distinct_l_diversity of illness = 2 does not hold: 1 reached",
    words_for_missing: "distinct_l_diversity of illness = 2 does not hold",
    grade_of_no_order: "the column 'grade' holds 1 values that are not in its order",
    site_of_no_taxonomy: "the column 'site' holds 1 values that are not in its taxonomy",
    a_class_of_its_own_grade: "t_closeness of grade = 0.6 (distance = ordered) does not hold",
}


@pytest.fixture(scope="module", params=REPRESENTATIONS)
def honest(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Policy, Tables]:
    """A release that the gate lets pass."""
    folder = tmp_path_factory.mktemp("honest")
    policy = load(write_policy(rules(folder, request.param), folder / "policy.toml"))
    release = shoal.protect(people(), policy)
    assert shoal.verify(release.records, policy, sensitive=release.sensitive)
    return policy, Tables(release.records, release.sensitive)


@pytest.mark.gate(
    but=(
        "centroids-column_removed",
        "centroids-names_for_pseudonyms",
        "anatomy-names_for_pseudonyms",
        "centroids-other_spellings",
    )
)
@pytest.mark.parametrize("forge", FORGED, ids=lambda forge: forge.__name__)
def test_each_forged_fault_is_noticed_for_every_representation(
    tmp_path: Path, honest: tuple[Policy, Tables], forge: Callable[[Tables], Tables]
) -> None:
    policy, tables = honest
    forged = forge(tables)
    records = as_parquet(forged.records, tmp_path / "release.parquet")
    second = as_parquet(forged.sensitive, tmp_path / "second.parquet") if forged.sensitive else None
    for name in ("memory", "duckdb"):
        with carrier(name, tmp_path) as engine:
            proof = prove_source(records, release_read_options(policy), policy, engine, second)
        assert not proof.holds
        assert any(FORGED[forge] in failure for failure in proof.failures), (name, proof.failures)


@pytest.mark.parametrize("representation", REPRESENTATIONS)
def test_a_missing_pseudonym_is_none_that_is_wrong(tmp_path: Path, representation: str) -> None:
    policy = load(write_policy(rules(tmp_path, representation), tmp_path / "policy.toml"))
    table = people()
    unnamed = pa.array([None, *table["person"].to_pylist()[1:]], pa.string())
    release = shoal.protect(table.set_column(0, "person", unnamed), policy)
    assert release.records["person"].null_count == 1
    assert shoal.verify(release.records, policy, sensitive=release.sensitive)


def test_tables_that_are_not_tied_are_refused(tmp_path: Path) -> None:
    policy = load(write_policy(rules(tmp_path, "anatomy"), tmp_path / "policy.toml"))
    release = shoal.protect(people(), policy)
    assert release.sensitive is not None
    proof = shoal.verify(release.records.slice(1), policy, sensitive=release.sensitive)
    assert proof.faults == ("1 groups have another number of records in the sensitive table",)


def test_a_word_for_missing_is_none_where_only_what_is_written_counts() -> None:
    policy = {
        "columns": {"x": {"role": "quasi_identifier"}, "s": {"role": "sensitive", "as_written": True}},
        "requirements": [{"name": "distinct_l_diversity", "l": 2, "column": "s"}],
        "source": {"missing": ["", "unknown"]},
    }
    known, unknown = (pa.table({"x": [1, 1], "s": ["HIV", word]}) for word in ("Unknown", "unknown"))
    assert shoal.verify(known, policy)
    assert not shoal.verify(unknown, policy)


# What methods make, the gate lets pass

ASKED = [entry for each in REQUIREMENTS.values() if each.of_s.reads != "extents" for entry in each.loose]
WORDS = ["flu", "Flu", "FLU", "gout", "GOUT", "hiv", "01", "1", "unknown", "Unknown"]
TREE = "".join(f"{word};{'ab'[at % 2]};*\n" for at, word in enumerate(WORDS))
METHODS: list[dict[str, Any]] = [
    {"method": {"name": "mdav"}, "output": {"representation": "anatomy"}},
    *({"method": {"name": name}, **(example.besides or {})} for name, example in METHOD_EXAMPLES.items()),
]


@pytest.mark.gate(but="{'method': {'name': 'mdav'}, 'output': {'representation': 'anatomy'}}")
@pytest.mark.gate(
    but=(
        "{'method': {'name': 'mdav'}, 'output': {'representation': 'anatomy'}}",
        "{'method': {'name': 'mdav'}}",
        "{'method': {'name': 'vmdav'}}",
    )
)
@pytest.mark.parametrize("method", METHODS, ids=str)
@settings(max_examples=examples(5))
@given(
    cells=st.lists(st.tuples(st.integers(0, 4), st.sampled_from([*WORDS, None])), min_size=12, max_size=30),
    asked=st.lists(st.sampled_from(ASKED), min_size=1, max_size=2),
    as_written=st.booleans(),
)
def test_methods_make_what_the_gate_lets_pass(
    tmp_path_factory: pytest.TempPathFactory,
    cells: list[tuple[int, str | None]],
    asked: list[dict[str, Any]],
    method: dict[str, Any],
    as_written: bool,
) -> None:
    """Or nothing holds even for all records together, and they say so."""
    folder = tmp_path_factory.getbasetemp()
    (folder / "tree.csv").write_text(TREE)
    policy = {
        "columns": {
            "x": {"role": "quasi_identifier", "kind": "numeric"},
            "s": {"role": "sensitive", "kind": "ordinal", "order": WORDS, "as_written": as_written},
        },
        "requirements": [{"name": "k_anonymity", "k": 2}, *({**each, "column": "s"} for each in asked)],
        "source": {"missing": ["unknown"]},
        "suppression": {"limit": 0.5},
        **method,
    }
    policy["columns"]["s"]["taxonomy"] = str(folder / "tree.csv")
    table = pa.table({"x": [x for x, _ in cells], "s": pa.array([s for _, s in cells], pa.string())})
    assert "the gate is closed" not in refusal(table, policy)


def refusal(table: pa.Table, policy: dict[str, Any]) -> str:
    """Why there is no release; nothing where there is one."""
    try:
        shoal.protect(table, policy)
    except (RequirementError, PolicyError) as reason:
        return str(reason)
    return ""


@pytest.mark.gate
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_every_engine_reads_alike(tmp_path: Path, method: dict[str, Any]) -> None:
    draw = np.random.default_rng(1)
    source = write_csv(
        pa.table({"x": draw.integers(0, 9, 300), "s": draw.choice(["flu", "Flu", "flu ", "gout", "HIV"], 300)}),
        tmp_path / "original.csv",
    )
    policy = {
        "columns": {"x": {"role": "quasi_identifier", "kind": "numeric"}, "s": {"role": "sensitive"}},
        "requirements": [{"name": "k_anonymity", "k": 3}, {"name": "distinct_l_diversity", "l": 3, "column": "s"}],
        "suppression": {"limit": 0.5},
        **method,
    }
    for engine in ("memory", "duckdb"):
        shoal.protect(source, policy, output=tmp_path / f"{engine}.csv", engine=engine)
    one, other = ((tmp_path / f"{engine}.csv").read_bytes() for engine in ("memory", "duckdb"))
    assert one == other


@pytest.mark.gate(but=("mdav", "vmdav", "mu_approx"))
@pytest.mark.parametrize("method", [*methods_of("groups"), *methods_of("cuts")])
def test_groups_are_those_of_the_table_whose_spellings_were_tidied(method: str) -> None:
    """Diversity of what is read is stricter than of what is written, and all that a spelling costs."""
    draw = np.random.default_rng(4)
    tidy = draw.choice(["flu", "gout", "hiv"], 120, p=[0.8, 0.1, 0.1])
    spelled = [word.upper() if upper else f"{word} " for word, upper in zip(tidy, draw.random(120) < 0.5, strict=True)]
    known = draw.integers(0, 40, 120)
    asked = [{"name": "k_anonymity", "k": 3}, {"name": "distinct_l_diversity", "l": 2, "column": "s"}]
    columns = {"x": {"role": "quasi_identifier", "kind": "numeric"}, "s": {"role": "sensitive"}}
    policy = {"columns": columns, "requirements": asked, "method": {"name": method}, "suppression": {"limit": 0.5}}
    one, other = (shoal.protect(pa.table({"x": known, "s": values}), policy) for values in (tidy, spelled))
    assert one.records["x"].equals(other.records["x"])
    assert one.manifest.counts == other.manifest.counts
    assert 1 < one.manifest.counts["n_groups"] < 40


def test_a_requirement_must_hold_as_written_too() -> None:
    """Spellings that become one make a class look like the whole; who reads letter by letter sees another one."""
    table = pa.table({"x": [1, 1, 2, 2], "s": ["flu", "flu", "flu ", "flu "]})
    policy = {
        "columns": {"x": {"role": "quasi_identifier"}, "s": {"role": "sensitive"}},
        "requirements": [{"name": "t_closeness", "t": 0.2, "column": "s"}],
    }
    (verdict,) = shoal.verify(table, policy).verdicts
    assert (verdict.holds, verdict.reached) == (False, 0.5)


def test_where_all_values_read_differently_nothing_is_judged_twice() -> None:
    schema = shoal.Schema([shoal.Column("s", "sensitive", missing=("",))])
    asked = [shoal.DistinctLDiversity(2, "s")]
    plain, spelled = (
        CountTable.of(pa.table({"s": values, "n": [1, 1]})) for values in (["flu", "gout"], ["flu", "Flu"])
    )
    assert [form for *_, form in sensitive_domains(schema, asked, lambda _: plain)] == ["as written"]
    assert [form for *_, form in sensitive_domains(schema, asked, lambda _: spelled)] == ["as written", "as read"]


def test_words_of_several_scripts_are_noted_and_not_shown(tmp_path: Path) -> None:
    mixed = "c\u0430ncer"  # its second letter is Cyrillic
    table = pa.table({"x": [1, 1, 1, 1], "s": ["cancer", mixed, "flu", "flu"]})
    policy = {
        "columns": {"x": {"role": "quasi_identifier"}, "s": {"role": "sensitive"}},
        "requirements": [{"name": "distinct_l_diversity", "l": 3, "column": "s"}],
        "method": {"name": "mdav", "k": 2},
    }
    release = shoal.protect(table, policy)
    (note,) = [note for note in release.manifest.notes if "Cyrillic" in note]
    assert note.startswith("s: 1 value has a word that mixes")
    assert mixed not in note
    assert shoal.verify(table, policy).notes == (note,)


def anatomy_of_one_record_groups(name):
    """Two persons, each alone in a group; ``name``: of their sensitive column, whose values are 50."""
    records = pa.table({"age": [1, 2], "group": ["1", "2"]})
    sensitive = pa.table({"group": ["1", "2"], name: [50, 50], "count": [1, 1]})
    policy = {
        "columns": {
            "age": {"role": "quasi_identifier", "kind": "numeric"},
            name: {"role": "sensitive", "kind": "numeric"},
        },
        "requirements": [{"name": "k_anonymity", "k": 5}],
        "output": {"representation": "anatomy"},
    }
    return records, sensitive, policy


@pytest.mark.parametrize("name", HELPERS)
def test_no_cell_of_a_release_counts_in_the_place_of_the_gate(name):
    records, sensitive, policy = anatomy_of_one_record_groups(name)
    proof = shoal.verify(records, policy, sensitive=sensitive)
    assert not proof.holds
    assert f"reserves these column names: {name}. Rename" in " ".join(proof.faults)
    records, sensitive, policy = anatomy_of_one_record_groups("income")
    assert not shoal.verify(records, policy, sensitive=sensitive).holds
