"""A folder of Parquet files, in and out: the same release as one file, the same bytes on every engine."""

import json
import shutil
import signal
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
import shoal.pipeline.protect.microaggregation_step
from shoal.engines.protocol import RECORD_ID
from shoal.errors import ManifestError, SourceError
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.protect import protect_by
from shoal.policy import load
from shoal.sources import ReadOptions, parquet, read, sha256_of, whole_file
from shoal.sources.table_parts import part_name, parts_of
from survey_example import carrier, shell, survey, survey_policy, write_policy
from yearly_example import policy as yearly_policy
from yearly_example import two_years

ENGINES = ["memory", "duckdb", "processes"]
N, N_OF_PART = 210, 64
KEY = bytes(range(32))
BLOCKS = {
    "blocking": {"method": "twod_tree", "limit": 40},
    "method": {"split_households": True},
    "output": {"shuffle": True},
    "requirements": [
        {"name": "k_anonymity", "k": 3},
        {"name": "distinct_l_diversity", "l": 3, "column": "disease"},
    ],
    "suppression": {"limit": 0.9},
}


@pytest.fixture(params=ENGINES)
def engine(request, tmp_path):
    spare = tmp_path / "spare"
    spare.mkdir()
    with carrier(request.param, spare) as made:
        yield made
    assert list(spare.iterdir()) == []


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    """Parts, and row groups, of few records."""
    monkeypatch.setattr(parquet, "MOST_RECORDS", N_OF_PART)


def in_parts(table, folder, ends=(1, 50, 50, 51, 130)):
    """The records in parts of different sizes, an empty one among them, and types that they have in common."""
    folder.mkdir()
    starts = (0, *ends)
    for number, (start, end) in enumerate(zip(starts, (*ends, len(table)), strict=True)):
        part = table.slice(start, end - start)
        at = part.column_names.index("age")
        kind = (pa.int32(), pa.int64())[number % 2]
        pq.write_table(
            part.set_column(at, "age", part["age"].cast(kind)), folder / f"{number}.parquet", row_group_size=20
        )
    (folder / "_SUCCESS").touch()
    return folder


def whole(table, path):
    pq.write_table(table, path, row_group_size=100)
    return path


# In.


def test_a_folder_is_read_as_the_same_records_in_one_file(engine, tmp_path):
    table = survey(N)
    folder, file = in_parts(table, tmp_path / "data"), whole(table, tmp_path / "data.parquet")
    of_folder, of_file = (engine.read(path, ReadOptions(), columns=None, kinds={}) for path in (folder, file))
    assert engine.collect(of_folder) == engine.collect(of_file) == read(folder).table
    assert of_folder.n_records == N
    assert engine.by_record(of_folder, ["person", RECORD_ID], str_of_ids)["text"].to_pylist() == [
        f"{person} {at}" for at, person in enumerate(table["person"].to_pylist())
    ]
    places = np.arange(0, N, 7)
    assert engine.sample(of_folder, places) == engine.sample(of_file, places)
    some = engine.read(folder / "[0-3].parquet", ReadOptions(), columns=["age", "zip"], kinds={})
    assert engine.collect(some) == table.select(["age", "zip"]).slice(0, 51)


def str_of_ids(piece):
    texts = [f"{a} {b}" for a, b in zip(piece["person"].to_pylist(), piece[RECORD_ID].to_pylist(), strict=True)]
    return pa.table({"text": texts})


def test_a_part_that_is_another_meanwhile_is_an_error(engine, tmp_path):
    for what in ("vanished", "changed"):
        folder = in_parts(survey(N), tmp_path / what)
        frame = engine.read(folder, ReadOptions(), columns=None, kinds={})
        if what == "vanished":
            (folder / "4.parquet").unlink()
        else:
            shutil.copy(folder / "5.parquet", folder / "4.parquet")
        with pytest.raises(SourceError, match="changed while it was being read"):
            frame.origin.check_unchanged() if engine.in_memory else engine.total(frame, ["age"], len)


@pytest.mark.parametrize("name", ENGINES)
def test_a_column_that_one_part_lacks_is_an_error_and_nothing_is_released(tmp_path, name):
    folder = in_parts(survey(N), tmp_path / "data")
    pq.write_table(survey(9).drop_columns("born"), folder / "7.parquet")
    with pytest.raises(SourceError, match=r"7.parquet has other columns than 0.parquet.* It has no column 'born'"):
        shoal.protect(folder, survey_policy(), output=tmp_path / "release.parts", engine=name)
    assert {path.name for path in tmp_path.iterdir()} == {"data"}


# Out.


def backwards(piece):
    ids = pa.array(-3 * piece[RECORD_ID].to_numpy() * 2**40 - 1)
    return piece.set_column(piece.schema.get_field_index(RECORD_ID), RECORD_ID, ids)


def every_other(piece):
    return piece.filter(pa.array(piece[RECORD_ID].to_numpy() % 2 == 0))


def nobody(piece):
    return piece.slice(0, 0)


@pytest.mark.gate(but=("memory", "processes"))
def test_a_folder_holds_what_one_file_would_in_parts_of_so_many_records(engine, tmp_path):
    read_frame = engine.read(in_parts(survey(N), tmp_path / "data"), ReadOptions(), columns=None, kinds={})
    for change in (None, backwards, every_other, nobody):
        frame = read_frame if change is None else engine.map_rows(read_frame, change)
        with (
            whole_file(tmp_path / "out.parts", force=True) as folder,
            whole_file(tmp_path / "out.parquet", force=True) as file,
        ):
            engine.write(frame, folder, None)
            engine.write(frame, file, None)
        parts = parts_of(tmp_path / "out.parts")
        assert [part.name for part in parts] == [part_name(number) for number in range(len(parts))]
        written = [pq.read_table(part) for part in parts]
        assert pa.concat_tables(written) == pq.read_table(tmp_path / "out.parquet")
        sizes = [len(part) for part in written]
        assert set(sizes[:-1]) <= {N_OF_PART}
        assert 0 < sizes[-1] <= N_OF_PART or change is nobody
        assert sum(sizes) == {None: N, backwards: N, every_other: N // 2, nobody: 0}[change]


def made(source, output, engine, folder, policy):
    folder.mkdir()
    with carrier(engine, folder) as carried:
        protect_by(carried, source, load(policy), Targets.of(folder / output, None, None), KEY, force=False)
    stem = output.partition(".")[0]
    assert {path.name for path in folder.iterdir()} == {output, f"{stem}.manifest.json", f"{stem}.private.json"}
    return folder / output


def bytes_of(folder):
    return {part.name: part.read_bytes() for part in parts_of(folder)}


@pytest.mark.gate
def test_every_engine_writes_the_same_folder_from_a_folder_or_a_file(tmp_path):
    """In blocks, shuffled, and with suppressed records."""
    table, policy = survey(N), survey_policy(**BLOCKS)
    folder, file = in_parts(table, tmp_path / "data"), whole(table, tmp_path / "data.parquet")
    found = [made(folder, "release.parts", engine, tmp_path / engine, policy) for engine in ENGINES]
    expected = bytes_of(found[0])
    assert len(expected) > 2
    assert [bytes_of(release) for release in found] == [expected] * len(ENGINES)
    single = made(file, "single.parquet", "memory", tmp_path / "single", policy)
    assert pa.concat_tables(map(pq.read_table, parts_of(found[0]))) == pq.read_table(single)
    again = made(folder, "single.parquet", "memory", tmp_path / "again", policy)
    assert again.read_bytes() == single.read_bytes()


@pytest.fixture(scope="module")
def made_once(tmp_path_factory):
    """A release in a folder, from a folder, by the engine of processes."""
    folder = tmp_path_factory.mktemp("made")
    in_parts(survey(N), folder / "data")
    write_policy(survey_policy(**BLOCKS), folder / "policy.toml")
    words = ["protect", folder / "data", "-p", folder / "policy.toml", "-o", folder / "release.parts"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "MOST_RECORDS", N_OF_PART)
        assert shell(*words, "--engine", "processes").code == 0
    return folder


@pytest.fixture
def place(made_once, tmp_path):
    shutil.copytree(made_once, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.mark.gate
def test_a_folder_is_verified_assessed_and_repeated(place):
    release, policy, manifest = place / "release.parts", place / "policy.toml", place / "release.manifest.json"
    stated = json.loads(manifest.read_text())
    assert (stated["output"]["path"], stated["output"]["sha256"]) == ("release.parts", sha256_of(release))
    assert [(file["path"], file["sha256"]) for file in stated["files"]] == [("release.parts", sha256_of(release))]
    proofs = [shoal.verify(release, policy, engine=engine) for engine in ENGINES]
    assert all(proof.holds and proof.notes == () for proof in proofs)
    assert len({json.dumps(proof.to_dict(), default=str) for proof in proofs}) == 1
    assert shell("verify", release, "-p", policy).code == 0
    again = shoal.replay(manifest, output=place / "again.parts")
    assert bytes_of(again.path) == bytes_of(release)
    assert again.table == read(release).table
    assert shell("assess", place / "data", release, "-p", policy, "--key", place / "policy.key").code == 0


@pytest.mark.gate
def test_a_part_that_is_changed_or_gone_is_a_fault(place):
    release, policy = place / "release.parts", place / "policy.toml"
    last = parts_of(release)[-1]
    content = last.read_bytes()
    last.unlink()
    said = shell("verify", release, "-p", policy)
    assert (said.code, "release.parts is not the file that release.manifest.json describes" in said.out) == (1, True)
    last.write_bytes(content)
    assert shell("verify", release, "-p", policy).code == 0
    (release / ".original.csv").write_text("mine")
    said = shell("verify", release, "-p", policy)
    assert (said.code, "files besides the parts (1): remove them from the folder" in said.out) == (1, True)


@pytest.mark.long
def test_a_forecast_and_a_profile_know_folders(place):
    said = shell("protect", place / "data", "-p", place / "policy.toml", "--dry-run")
    assert (said.code, f"about {N} records" in said.out) == (0, True)
    assert shell("profile", place / "data", "-p", place / "policy.toml").code == 0
    said = shell("init", place / "data", "-o", place / "proposed.toml")
    assert said.code == 0, said.err
    assert shell("protect", f"{place}/data/*.parquet", "-p", place / "policy.toml", "-o", place / "b.parts").code == 0
    assert bytes_of(place / "b.parts") == bytes_of(place / "release.parts")
    assert shell("protect", "--replay", place / "b.manifest.json").code == 0


@pytest.mark.gate
def test_a_release_in_memory_is_written_like_its_original(tmp_path):
    folder = in_parts(survey(N), tmp_path / "data")
    release = shoal.protect(folder, survey_policy(), key=KEY)
    release.write(tmp_path / "out")
    assert shoal.verify(tmp_path / "out" / "release.parts", survey_policy()).holds


@pytest.mark.long
def test_an_anatomy_and_a_mapping_have_folders_of_their_own(tmp_path):
    anatomy = survey_policy(
        output={"representation": "anatomy"},
        method={"name": "mdav", "k": 3},
        requirements=[{"name": "distinct_l_diversity", "l": 2, "column": "disease"}],
    )
    folder = in_parts(survey(N), tmp_path / "data")
    mapping = tmp_path / "mapping.parts"
    shoal.protect(folder, anatomy, output=tmp_path / "release.parts", mapping=mapping, key=KEY, engine="processes")
    assert len(parts_of(tmp_path / "release.sensitive.parts")) > 0
    assert shoal.verify(tmp_path / "release.parts", anatomy).holds
    assert (mapping.stat().st_mode & 0o777, len(read(mapping).table)) == (0o700, N)


@pytest.mark.gate
def test_a_folder_is_an_earlier_release(tmp_path):
    for name, table in zip(("year1", "year2"), two_years(300), strict=True):
        (tmp_path / name).mkdir()
        pq.write_table(table.slice(0, 100), tmp_path / name / "a.parquet")
        pq.write_table(table.slice(100), tmp_path / name / "b.parquet")
    rules = write_policy(yearly_policy(3), tmp_path / "policy.toml")
    old, manifest = tmp_path / "old.parts", tmp_path / "kept.manifest.json"
    shoal.protect(tmp_path / "year1", rules, output=old, key=tmp_path / "policy.key")
    kept = shoal.protect(
        tmp_path / "year2",
        rules,
        output=tmp_path / "kept.parts",
        key=tmp_path / "policy.key",
        earlier=[old],
        person="person",
    )
    assert kept.private.earlier["releases"] == [{"path": "old.parts", "sha256": sha256_of(old)}]
    assert shoal.verify(tmp_path / "kept.parts", rules, earlier=[old], person="person").holds
    shoal.replay(manifest)
    parts_of(old)[-1].unlink()
    with pytest.raises(ManifestError, match="earlier release is not the one"):
        shoal.replay(manifest)


# Faults.


@pytest.mark.gate(but="memory")
@pytest.mark.parametrize("name", ENGINES)
def test_an_error_while_it_is_proved_leaves_nothing(tmp_path, monkeypatch, name):
    folder = in_parts(survey(N), tmp_path / "data")

    def damage(source, *rest):
        with parts_of(source)[-1].open("r+b") as part:
            part.truncate(10)
        return prove(source, *rest)

    prove = shoal.pipeline.protect.proven_release.prove_with_units
    monkeypatch.setattr(shoal.pipeline.protect.proven_release, "prove_with_units", damage)
    with pytest.raises(SourceError, match=r"release.parts/part-\d+.parquet: this is not a valid .parquet file"):
        shoal.protect(folder, survey_policy(), output=tmp_path / "release.parts", engine=name)
    assert {path.name for path in tmp_path.iterdir()} == {"data"}


STOPPED = """
import os, signal, sys
import shoal
from shoal.pipeline.protect import proven_release

def stop(*args):
    os.kill(os.getpid(), getattr(signal, sys.argv[5]))

if __name__ == "__main__":
    proven_release.prove_with_units = stop
    shoal.protect(sys.argv[1], sys.argv[2], output=sys.argv[3], engine=sys.argv[4])
"""


@pytest.mark.gate
@pytest.mark.parametrize(("engine_name", "name"), [("processes", "SIGINT"), ("duckdb", "SIGKILL")])
@pytest.mark.usefixtures("ctrl_c_heard")
def test_who_is_stopped_when_parts_are_written_leaves_no_release(tmp_path, engine_name, name):
    folder = in_parts(survey(N), tmp_path / "data")
    write_policy(survey_policy(), tmp_path / "policy.toml")
    (tmp_path / "run.py").write_text(STOPPED)
    before = {path.name for path in tmp_path.iterdir()}
    output = tmp_path / "release.parts"
    words = [str(tmp_path / "run.py"), str(folder), str(tmp_path / "policy.toml"), str(output), engine_name, name]
    ran = subprocess.run([sys.executable, *words], stderr=subprocess.DEVNULL, check=False)
    assert ran.returncode == -getattr(signal, name)
    assert not output.exists()
    if name == "SIGKILL":
        shoal.protect(folder, tmp_path / "policy.toml", output=tmp_path / "other.parts")
        before |= {"other.parts", "other.manifest.json", "other.private.json"}
    assert {path.name for path in tmp_path.iterdir()} == before
