"""The gate: what was tampered with does not pass, and what does not pass is not there."""

import ast
import errno
import subprocess
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
import shoal.engines.choose
import shoal.gate.gate
import shoal.pipeline.files.release
import shoal.pipeline.protect.microaggregation_step
import shoal.pipeline.protect.protect
from example_numbers import examples
from shoal.errors import RequirementError, SourceError
from survey_example import desk, of_records, shell, survey, survey_policy, write_csv, write_policy

DIVERSE = [{"name": "k_anonymity", "k": 3}, {"name": "distinct_l_diversity", "l": 2, "column": "disease"}]


def diverse_policy():
    return of_records(survey_policy(requirements=DIVERSE, suppression={"limit": 0.5}))


def replaced(table, name, values):
    return table.set_column(table.column_names.index(name), name, values)


def class_broken_up(table):
    return replaced(table, "age", pa.array([1.5, *table["age"].to_pylist()[1:]]))


def identifier_put_back(table):
    return table.append_column("person", pa.array([f"P{i}" for i in range(len(table))]))


def column_removed(table):
    return table.drop_columns("note")


def quasi_identifier_removed(table):
    return table.drop_columns("age")


def column_added(table):
    return table.append_column("extra", pa.array(["x"] * len(table)))


def sensitive_made_uniform(table):
    first = {name: table[name][0].as_py() for name in ("zip", "age", "grade", "born")}
    alike = [all(record[name] == value for name, value in first.items()) for record in table.to_pylist()]
    values = zip(alike, table["disease"].to_pylist(), strict=True)
    return replaced(table, "disease", pa.array(["flu" if same else value for same, value in values]))


def sensitive_made_missing(table):
    return replaced(table, "disease", pa.nulls(len(table), pa.string()))


TAMPERINGS = {
    class_broken_up: "FAILS  k_anonymity = 3: 1 reached",
    identifier_put_back: "the identifier column 'person' is in the release",
    column_removed: "the column 'note' is not in the release",
    quasi_identifier_removed: "the column 'age' is not in the release",
    column_added: "the column 'extra' is in the release but not in the policy",
    sensitive_made_uniform: "distinct_l_diversity of disease = 2: 1 reached, 1 of",
    sensitive_made_missing: "distinct_l_diversity of disease = 2: 0 reached",
}


@pytest.mark.gate(but=("class_broken_up-.csv", "class_broken_up-.parquet"))
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda tamper: tamper.__name__)
def test_a_release_that_was_tampered_with_is_refused(tmp_path, tamper, suffix):
    from shoal.sources import write_table

    policy = write_policy(diverse_policy(), tmp_path / "policy.toml")
    release = tmp_path / f"release{suffix}"
    made = shoal.protect(survey(), policy, output=release)
    assert shell("verify", release, "-p", policy).code == 0
    write_table(tamper(made.records), release)
    said = shell("verify", release, "-p", policy)
    assert said.code == 1
    assert TAMPERINGS[tamper] in said.out
    assert "does not satisfy the policy" in said.err
    assert "Proven" not in said.out
    as_json = shell("verify", release, "-p", policy, "--json")
    assert as_json.code == 1
    assert '"holds": false' in as_json.out


def test_names_in_the_place_of_pseudonyms_are_refused(tmp_path):
    (tmp_path / "secret.key").write_text("0123456789abcdef")
    policy = of_records(survey_policy())
    policy["columns"]["person"]["pseudonym"] = "secret.key"
    file = write_policy(policy, tmp_path / "policy.toml")
    people = pa.array([None, *survey()["person"].to_pylist()[1:]], pa.string())
    release = shoal.protect(replaced(survey(), "person", people), file)
    assert shoal.verify(release.table, file)
    proof = shoal.verify(replaced(release.records, "person", people), file)
    assert not proof
    assert "39 values that are not pseudonyms" in proof.failures[0]
    assert "'person' is not in the release" in shoal.verify(release.records.drop_columns("person"), file).failures[0]


def left_alone(table, *how, **more):
    return table


def test_a_gate_that_stays_closed_leaves_nothing(tmp_path, monkeypatch):
    """An aggregation that does nothing is found out by the file it wrote."""
    monkeypatch.setattr(shoal.pipeline.protect.microaggregation_step, "aggregate", left_alone)
    place = desk(tmp_path, policy=of_records(survey_policy()))
    before = place.files()
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release)
    assert said.code == 1
    assert "the gate is closed, nothing was released" in said.err
    assert place.files() == before
    place.release.write_text("old")
    place.manifest.write_text("old manifest")
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release, "--force")
    assert said.code == 1
    assert (place.release.read_text(), place.manifest.read_text()) == ("old", "old manifest")
    assert place.files() == before | {place.release.name, place.manifest.name}
    with pytest.raises(RequirementError, match="gate is closed"):
        shoal.protect(survey(), of_records(survey_policy()))


def test_write_goes_through_the_gate_again(tmp_path, monkeypatch):
    release = shoal.protect(survey(), of_records(survey_policy()))
    object.__setattr__(release, "records", class_broken_up(release.records))
    with pytest.raises(RequirementError, match="gate is closed"):
        release.write(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_writer_that_writes_something_else_is_found_out(tmp_path, monkeypatch):
    """The gate reads what lies on the disk, not what was meant."""

    class Careless(shoal.engines.choose.MemoryEngine):
        def write(self, frame, path, like):
            broken = replace(frame, table=class_broken_up(frame.table))
            super().write(broken, path, like)

    monkeypatch.setattr(shoal.engines.choose, "MemoryEngine", Careless)
    place = desk(tmp_path)
    with pytest.raises(RequirementError, match="gate is closed"):
        shoal.protect(place.data, place.policy, output=place.release)
    assert not place.release.exists()


def test_a_full_disk_half_way_leaves_the_old_release(tmp_path, monkeypatch):
    class Full(shoal.engines.choose.MemoryEngine):
        def write(self, frame, path, like):
            super().write(replace(frame, table=frame.table.slice(0, frame.n_records // 2)), path, like)
            raise OSError(errno.ENOSPC, "No space left on device")

    def full(table, path, like):
        raise OSError(errno.ENOSPC, "No space left on device")

    place = desk(tmp_path)
    shoal.protect(place.data, place.policy, output=place.release)
    before, files = place.release.read_bytes(), place.files()
    monkeypatch.setattr(shoal.engines.choose, "MemoryEngine", Full)
    monkeypatch.setattr(shoal.pipeline.files.release, "write_table", full)
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release, "--force")
    assert said.code == 2
    assert "the disk is full. Nothing was written" in said.err
    assert place.release.read_bytes() == before
    assert place.files() == files
    with pytest.raises(SourceError, match="disk is full"):
        shoal.protect(survey(), of_records(survey_policy())).write(tmp_path / "out")
    assert not (tmp_path / "out").exists()


FOREIGN = {"methods", "encode", "assess", "engines", "blocking", "losses"}


def test_the_gate_names_no_method_and_no_encoding():
    tree = ast.parse(Path(shoal.gate.gate.__file__).read_text())
    named = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    named |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert {"shoal.requirements", "shoal.schema"} <= named
    assert not {room for name in named for room in name.split(".")} & FOREIGN


@pytest.mark.gate
def test_the_gate_loads_no_method_and_no_encoding():
    code = "import sys, shoal.gate.gate; print(*(name for name in sys.modules if name.startswith('shoal.')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "shoal.requirements" in loaded
    assert not {name.split(".")[1] for name in loaded} & FOREIGN


cell = st.sampled_from([None, "x", "y", "01"])
number = st.sampled_from([None, 1, 2, 10])


@pytest.mark.gate
@settings(max_examples=examples(40), deadline=None)
@given(
    records=st.lists(st.tuples(cell, number, cell, number), min_size=1, max_size=30),
    k=st.integers(2, 4),
    l=st.integers(2, 3),
)
def test_verify_agrees_with_counting_by_hand(tmp_path_factory, records, k, l):  # noqa: E741 the letter of the paper
    """In memory, in CSV and in Parquet; missing is equal to missing, and no value of its own where it is sensitive."""
    names = ("a", "b", "s", "t")
    types = (pa.string(), pa.int64(), pa.string(), pa.int64())
    columns = [pa.array(values, kind) for values, kind in zip(zip(*records, strict=True), types, strict=True)]
    table = pa.table(columns, names=list(names))
    policy = {
        "requirements": [
            {"name": "k_anonymity", "k": k},
            {"name": "distinct_l_diversity", "l": l, "column": "s"},
            {"name": "distinct_l_diversity", "l": l, "column": "t", "columns": ["a"]},
        ],
        "columns": {
            "a": {"role": "quasi_identifier"},
            "b": {"role": "quasi_identifier", "kind": "numeric"},
            "s": {"role": "sensitive"},
            "t": {"role": "sensitive", "kind": "numeric"},
        },
    }
    whole, by_a = defaultdict(list), defaultdict(list)
    for a, b, s, t in records:
        whole[a, b].append(s)
        by_a[a].append(t)
    sizes = [len(members) for members in whole.values()]
    reached = (
        min(sizes),
        min(len(set(members) - {None}) for members in whole.values()),
        min(len(set(members) - {None}) for members in by_a.values()),
    )
    folder = tmp_path_factory.mktemp("gate")
    pq.write_table(table, folder / "t.parquet")
    write_csv(table, folder / "t.csv")
    for source in (table, folder / "t.parquet", folder / "t.csv"):
        proof = shoal.verify(source, policy)
        assert tuple(verdict.reached for verdict in proof.verdicts) == reached
        assert (proof.n_records, proof.n_classes, proof.k_reached) == (len(records), len(whole), min(sizes))
        assert bool(proof) == (reached[0] >= k and reached[1] >= l and reached[2] >= l)
        assert proof.verdicts[0].n_records_failing == sum(size for size in sizes if size < k)
