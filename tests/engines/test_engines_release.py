"""The same policy on the same data: the same release, whoever carries the records."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shapes
import shoal
from shoal.datasets import uniform
from shoal.engines.duckdb import DuckdbEngine
from shoal.engines.memory import MemoryEngine
from shoal.engines.memory_budget import LEAST_BYTES, Budget
from shoal.errors import EngineError, PolicyError
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.block_assignment import BlockAssignment
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.protect import protect_by
from shoal.policy import load
from shoal.sources.piece_sizes import PieceSizes
from survey_example import GRADES, as_parquet, carrier, survey, survey_policy, write_csv

K = {"name": "k_anonymity", "k": 3}
DIVERSE = {"name": "distinct_l_diversity", "l": 2, "column": "disease"}

POLICIES = {
    "households": {},
    "records": {"method": {"split_households": True}},
    "strata": {"within": ["zip"], "method": {"split_households": True}},
    "small strata": {
        "within": ["zip", "grade"],
        "requirements": [{**K, "k": 25}],
        "suppression": {"limit": 0.9},
        "method": {"split_households": True},
    },
    "shuffled": {"output": {"shuffle": True}},
    "sensitive": {"requirements": [K, DIVERSE], "suppression": {"limit": 0.5}},
    "failing groups": {
        "requirements": [K, {"name": "t_closeness", "t": 0.45, "column": "disease"}],
        "method": {"merge": False},
        "suppression": {"limit": 1.0},
    },
    "decoys": {"requirements": [K, DIVERSE], "method": {"decoys": 0.5}},
    "decoys in blocks": {
        "requirements": [K, DIVERSE],
        "blocking": {"method": "twod_tree", "limit": 40, "repair": True},
        "method": {"decoys": 0.5, "split_households": True},
    },
    "permuted": {"output": {"permute": True, "shuffle": True}},
    "blocks": {"blocking": {"method": "twod_tree", "limit": 40}, "method": {"split_households": True}},
    "blocks in strata": {
        "blocking": {"method": "twod_tree", "limit": 30},
        "within": ["zip"],
        "method": {"split_households": True},
    },
    "repaired blocks": {
        "blocking": {"method": "twod_tree", "limit": 40, "repair": True},
        "method": {"split_households": True},
        "output": {"permute": True},
    },
    "blocks repaired twice": {
        "blocking": {"method": "twod_tree", "limit": 40, "repair": True, "passes": 2},
        "method": {"split_households": True},
    },
    "blocks of some dimensions": {
        "blocking": {"method": "twod_tree", "limit": 40, "dimensions": ["age", "born"], "fuse": "supervised"},
        "method": {"split_households": True},
    },
    "blocks of one column": {
        "blocking": {"method": "univariate", "limit": 40, "dimensions": ["age"]},
        "method": {"split_households": True},
    },
    "blocks of a map": {
        "blocking": {"method": "som", "limit": 40, "map": {"size": [3, 2]}},
        "method": {"split_households": True},
    },
    "repaired blocks in strata": {
        "blocking": {"method": "twod_tree", "limit": 30, "repair": True},
        "within": ["zip"],
        "requirements": [K, DIVERSE],
        "method": {"split_households": True},
        "suppression": {"limit": 0.5},
    },
}


def protected(source, policy, folder, engine, suffix):
    folder.mkdir()
    output, mapping = folder / f"release.{suffix}", folder / "mapping.csv"
    with carrier(engine, folder) as carried:
        release = protect_by(carried, source, load(policy), Targets.of(output, None, mapping), None, force=False)
    beside = {"release.manifest.json", "release.private.json", "mapping.csv"}
    assert {path.name for path in folder.iterdir()} == {output.name} | beside
    return release, output.read_bytes(), mapping.read_bytes()


def told(manifest):
    """All that does not differ from run to run, or by its engine."""
    kept = ("input", "output", "policy", "counts", "k_reached", "proof", "notes")
    return {name: json.loads(json.dumps(vars(manifest)[name], default=vars)) for name in kept}


# Parts of these are in other policies, too.
OTHER_POLICIES = (
    "strata",
    "sensitive",
    "permuted",
    "blocks",
    "blocks of some dimensions",
    "small strata",
    "shuffled",
    "decoys",
    "blocks in strata",
    "blocks repaired twice",
    "repaired blocks",
)
# The kept releases are CSV on every engine, so that here a few suffice.
CASES = [
    *(pytest.param("parquet", name, marks=[pytest.mark.long] * (name in OTHER_POLICIES)) for name in POLICIES),
    *(("csv", name) for name in ("records", "households", "blocks")),
]


@pytest.mark.gate
@pytest.mark.parametrize(("suffix", "name"), CASES)
def test_every_engine_makes_the_same_release(tmp_path, suffix, name):
    table = survey(400)
    source = tmp_path / f"survey.{suffix}"
    write_csv(table, source) if suffix == "csv" else as_parquet(table, source)
    policy = survey_policy() | POLICIES[name]
    plain, *files = protected(source, policy, tmp_path / "memory", "memory", suffix)
    large, *others = protected(source, policy, tmp_path / "duckdb", "duckdb", suffix)
    assert others == files
    assert told(large.manifest) == told(plain.manifest)
    assert (plain.manifest.engine, large.manifest.engine) == ("memory", "duckdb")
    assert large.records is None
    assert large.table.equals(plain.table)


SHAPED = {
    "blocks": {"blocking": {"method": "twod_tree", "limit": 20}},
    "blocks in strata": {"blocking": {"method": "twod_tree", "limit": 20}, "within": ["grade"]},
    "repaired blocks": {"blocking": {"method": "twod_tree", "limit": 20, "repair": True}},
    "diverse": {"requirements": [K, DIVERSE], "suppression": {"limit": 0.5}},
    "mondrian": {"method": {"name": "mondrian"}},
    "global recoding": {"method": {"name": "global_recoding"}, "suppression": {"limit": 0.5}},
    "local suppression": {"local_suppression": {}},
    "vmdav in blocks": {"method": {"name": "vmdav"}, "blocking": {"method": "twod_tree", "limit": 40}},
}


# Blocks depend on the shape of a table most; for all else one shape suffices.
SHAPED_CASES = [
    pytest.param(shape, name, marks=[pytest.mark.long] * (name != "blocks" and shape != "nested"))
    for shape in shapes.POINTS
    for name in SHAPED
    if "blocks" in name or shape == "nested"
]


@pytest.mark.gate
@pytest.mark.parametrize(("shape", "name"), SHAPED_CASES)
def test_every_engine_makes_the_same_release_of_every_shape(tmp_path, shape, name):
    source, policy = as_parquet(shapes.table(shape, 250), tmp_path / "records.parquet"), shapes.policy() | SHAPED[name]
    plain, *files = protected(source, policy, tmp_path / "memory", "memory", "parquet")
    large, *others = protected(source, policy, tmp_path / "duckdb", "duckdb", "parquet")
    assert others == files
    assert told(large.manifest) == told(plain.manifest)


IN_PIECES = [
    pytest.param(shape, marks=[pytest.mark.long] * (shape not in ("nested", "skewed"))) for shape in shapes.POINTS
]


@pytest.mark.gate
@pytest.mark.parametrize("shape", IN_PIECES)
def test_blocks_are_the_same_where_a_piece_has_no_record_in_an_open_cell(tmp_path, shape):
    """Incomes in their order, piece by piece: the last pieces lie where the tree is done already."""
    table = pa.table(dict(zip(("income", "age"), shapes.points(shape, 300, 2).T, strict=True)))
    policy = shapes.policy(blocking={"method": "twod_tree", "limit": 6})
    policy["columns"] = {name: policy["columns"][name] for name in table.column_names}
    source = as_parquet(table, tmp_path / "records.parquet")
    with DuckdbEngine(
        Budget(LEAST_BYTES), tmp_path, PieceSizes(most_records=10, fewest_records=10, summed_bytes=1)
    ) as engine:
        small = divided(FittedTable.read(engine, source, load(policy)))
    whole = divided(FittedTable.read(MemoryEngine(), source, load(policy)))
    assert whole.blocks.n_blocks > 5
    assert small.mark(table).equals(whole.mark(table))
    assert small.notes == whole.notes


@pytest.mark.gate
@pytest.mark.parametrize("form", ["of a 2^d-tree", "of a self-organizing map"])
def test_automatic_blocks_are_the_same_in_memory_and_in_pieces(tmp_path, form):
    chance = np.random.default_rng(7)
    centers = chance.random((20, 3))[chance.integers(0, 20, 4000)] * (form == "of a self-organizing map")
    table = pa.table(dict(zip("abc", (centers + chance.random((4000, 3)) / 20).T, strict=True)))
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in "abc"}
    policy = load({"columns": columns, "requirements": [K], "blocking": {"limit": 200}})
    source = as_parquet(table, tmp_path / "records.parquet")
    with DuckdbEngine(
        Budget(LEAST_BYTES), tmp_path, PieceSizes(most_records=170, fewest_records=170, summed_bytes=1)
    ) as engine:
        small = divided(FittedTable.read(engine, source, policy), most_undivided=1000)
    whole = divided(FittedTable.read(MemoryEngine(), source, policy), most_undivided=1000)
    assert form in whole.notes[0]
    assert small.notes == whole.notes
    assert small.mark(table).equals(whole.mark(table))


@pytest.mark.gate
def test_categories_of_a_parquet_file_stay_categories(tmp_path):
    table = survey(200)
    at = table.column_names.index("note")
    table = table.set_column(at, "note", table["note"].combine_chunks().dictionary_encode())
    source = as_parquet(table, tmp_path / "survey.parquet")
    policy = survey_policy()
    _, plain, _ = protected(source, policy, tmp_path / "memory", "memory", "parquet")
    _, large, _ = protected(source, policy, tmp_path / "duckdb", "duckdb", "parquet")
    assert large == plain
    assert pa.types.is_dictionary(pq.read_schema(tmp_path / "duckdb" / "release.parquet").field("note").type)


@pytest.mark.gate
def test_a_release_is_proved_and_repeated_by_another_engine(tmp_path):
    source, policy = write_csv(survey(200), tmp_path / "survey.csv"), tmp_path / "policy.json"
    policy = tmp_path / "policy.toml"
    from survey_example import write_policy

    write_policy(survey_policy(), policy)
    release = tmp_path / "release.csv"
    shoal.protect(source, policy, output=release, engine="duckdb", key=tmp_path / "policy.key")
    proofs = [shoal.verify(release, policy, engine=engine).to_dict() for engine in ("memory", "duckdb")]
    assert proofs[0] == proofs[1]
    assert proofs[0]["holds"]
    again = shoal.replay(tmp_path / "release.manifest.json")
    assert again.manifest.engine == "memory"


def divided(original, **sizes):
    strata = original.division.strata
    return BlockAssignment.of(original.plan, original.schema, strata, original.embedding, original.total, **sizes)


def large(n_records, policy):
    original = FittedTable.read(MemoryEngine(), uniform(n_records, 2), load(policy))
    return divided(original, most_undivided=1000)


def test_large_tables_are_divided_and_it_is_said():
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in ("x1", "x2")}
    policy = {"columns": columns, "requirements": [K]}
    assert large(1000, policy).notes == ()
    note, repaired = large(5000, policy).notes
    assert note.startswith("5,000 records were grouped within ")
    assert "in a pilot" in note
    assert "exchanged records" in repaired
    assert large(5000, policy | {"blocking": {"method": "none"}}).notes == ()


@pytest.mark.parametrize(
    ("n_others", "times", "is_divided"), [(0, 100, False), (30, 100, True), (30, 70, False), (0, 500, True)]
)
def test_tables_of_many_cells_or_records_are_divided(n_others, times, is_divided):
    """A hundred times 2,500 records with two quasi-identifiers are grouped whole, unless there are many others."""
    table = uniform(2500, 2 + n_others)
    columns = {
        name: {"role": "quasi_identifier" if name in ("x1", "x2") else "other", "kind": "numeric"}
        for name in table.column_names
    }
    original = FittedTable.read(MemoryEngine(), table, load({"columns": columns, "requirements": [K]}))
    assert bool(original.division_of_many(times).blocks.rules) == is_divided


def test_what_is_said_of_blocks_is_in_the_manifest():
    policy = survey_policy(blocking={"method": "twod_tree", "limit": 40}, method={"split_households": True})
    (note,) = (note for note in shoal.protect(survey(400), policy).manifest.notes if "grouped within" in note)
    assert note.startswith("400 records were grouped within ")


def test_groups_do_not_reach_over_strata_nor_borders(tmp_path):
    table = survey(400)
    policy = survey_policy(
        blocking={"method": "twod_tree", "limit": 30}, within=["zip"], method={"split_households": True}
    )
    release = shoal.protect(table, policy)
    zips = {}
    for group, code in zip(release.groups["group"].to_pylist(), table["zip"].to_pylist(), strict=True):
        zips.setdefault(group, set()).add(code)
    assert all(len(found) == 1 for found in zips.values())
    assert any("each of 4 strata by itself" in note for note in release.manifest.notes)


def test_blocks_that_would_part_households_are_refused():
    with pytest.raises(PolicyError, match="would separate the members of a household"):
        shoal.protect(survey(400), survey_policy(blocking={"method": "twod_tree", "limit": 30}))
    households = FittedTable.read(MemoryEngine(), survey(400), load(survey_policy()))
    (note,) = divided(households, most_undivided=100).notes
    assert "not divided into blocks" in note


def test_a_block_must_hold_two_groups():
    with pytest.raises(PolicyError, match=r"blocking.limit must be 6 or more"):
        shoal.protect(survey(), survey_policy(blocking={"limit": 5}))


def test_an_engine_that_holds_nothing_needs_a_file(tmp_path):
    with pytest.raises(EngineError, match="never holds it in memory"):
        shoal.protect(write_csv(survey(), tmp_path / "survey.csv"), survey_policy(), engine="duckdb")


@pytest.mark.gate
def test_grades_are_as_the_policy_orders_them(tmp_path):
    """An order that is not that of the alphabet, through both engines: the median of low, middle, high."""
    table = survey(400)
    source = write_csv(table, tmp_path / "survey.csv")
    _, plain, _ = protected(source, survey_policy(10), tmp_path / "memory", "memory", "csv")
    _, large, _ = protected(source, survey_policy(10), tmp_path / "duckdb", "duckdb", "csv")
    assert plain == large
    assert all(grade.encode() in large for grade in GRADES)
