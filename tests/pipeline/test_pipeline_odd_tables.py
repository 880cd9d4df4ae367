"""Tables that break what is not careful: names that something else bears, columns and strata with nothing in them."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shapes
import shoal
from shoal import kernels
from shoal.engines.choose import choose, open_engine
from shoal.errors import EngineError, PolicyError, RequirementError, SourceError
from shoal.requirements import KAnonymity
from shoal.schema import Column, Schema
from shoal.schema.helper_columns import HELPERS
from survey_example import as_parquet

pytestmark = [pytest.mark.linkage]

ENGINES = ("memory", "duckdb")
K = {"name": "k_anonymity", "k": 3}
DIVERSE = {"name": "distinct_l_diversity", "l": 2, "column": "disease"}
CUTTING = {
    "mondrian": {"name": "mondrian"},
    "gensearch": {"name": "gensearch", "nodes": 500},
    "global_recoding": {"name": "global_recoding"},
}
METHODS = {"mdav": {"name": "mdav"}, "vmdav": {"name": "vmdav"}, **CUTTING}


def released(folder, table, policy, engine):
    """The release as a table, by either engine."""
    source, output = as_parquet(table, folder / "records.parquet"), folder / f"{engine}.parquet"
    memory = "1GB" if engine == "duckdb" else None
    shoal.protect(source, policy, output=output, engine=engine, memory=memory, force=True)
    return pq.read_table(output)


def by_all(folder, table, policy):
    """The release that every engine makes."""
    first, *others = (released(folder, table, policy, engine) for engine in ENGINES)
    assert all(other.equals(first) for other in others)
    return first


def renamed(policy, old, new):
    columns = {new if name == old else name: rule for name, rule in policy["columns"].items()}
    asked = [{**one, "column": new} if one.get("column") == old else one for one in policy["requirements"]]
    return {**policy, "columns": columns, "requirements": asked}


WAYS = {name: {"method": method} for name, method in METHODS.items()} | {"local_suppression": {"local_suppression": {}}}


@pytest.mark.gate
@pytest.mark.parametrize(
    ("name", "old", "how"),
    [
        ("n", "income", "mondrian"),
        ("n", "region", "gensearch"),
        ("n", "disease", "global_recoding"),
        ("n", "grade", "local_suppression"),
        ("n", "disease", "mdav"),
        *(
            pytest.param(name, "disease", "mondrian", marks=[pytest.mark.long] * (name not in ("c0", "piece")))
            for name in ("record_id", "group", "block", "record", "c0", "piece", "row", "0")
        ),
    ],
)
def test_a_column_may_bear_any_name(tmp_path, name, old, how):
    """The release is that of the same table under its own name, with every engine."""
    table = shapes.table("nested", 40)
    policy = shapes.policy(requirements=[K, DIVERSE], suppression={"limit": 0.9}, **WAYS[how])
    names = [name if column == old else column for column in table.column_names]
    found = by_all(tmp_path, table.rename_columns(names), renamed(policy, old, name))
    wanted = released(tmp_path, table, policy, "memory").rename_columns(names)
    rounded = ["income", "age"] if how == "mdav" else []  # up or down by chance, which hangs on the policy
    assert found.drop_columns(rounded).equals(wanted.drop_columns(rounded))
    for column in rounded:
        assert np.abs(found[column].to_numpy() - wanted[column].to_numpy()).max() <= 1


@pytest.mark.parametrize("name", HELPERS)
@pytest.mark.parametrize("engine", ENGINES)
def test_names_that_the_road_needs_are_refused(tmp_path, name, engine):
    table = shapes.table("nested", 60).rename_columns([name, "age", "region", "grade", "disease"])
    with pytest.raises(SourceError, match=f"reserves these column names: {name}. Rename"):
        released(tmp_path, table, renamed(shapes.policy(), "income", name), engine)


@pytest.mark.parametrize("method", [shoal.mondrian, shoal.gensearch, shoal.global_recoding])
def test_methods_take_a_column_of_any_name(method):
    """Without a policy, too: the column of counts is nobody's."""
    table = pa.table({"n": [1, 1, 2, 2, 5, 5], "x": [0, 1, 0, 1, 0, 1]})
    schema = Schema(Column(name, "quasi_identifier", "numeric") for name in ("n", "x"))
    method(table, schema, [KAnonymity(2)])
    taken = table.rename_columns(["__n__", "x"])
    schema = Schema(Column(name, "quasi_identifier", "numeric") for name in ("__n__", "x"))
    with pytest.raises(SourceError, match="__n__"):
        method(taken, schema, [KAnonymity(2)])


MISSING = {"grade": pa.string(), "region": pa.string(), "age": pa.float64()}


@pytest.mark.gate(but="mdav-grade")
@pytest.mark.parametrize("name", MISSING)
@pytest.mark.parametrize(
    "way", ["mdav", "mondrian", *(pytest.param(w, marks=pytest.mark.long) for w in ("blocks", "extents"))]
)
def test_a_column_may_be_missing_in_a_whole_stratum(tmp_path, name, way):
    table = shapes.table("nested", 60)
    land = [code[:2] for code in table["region"].to_pylist()]
    known = [None if where == "00" else cell for cell, where in zip(table[name].to_pylist(), land, strict=True)]
    table = table.set_column(table.column_names.index(name), name, pa.array(known, MISSING[name]))
    more = {
        "blocks": {"blocking": {"method": "twod_tree", "limit": 6}},
        "extents": {"output": {"representation": "extents"}},
    }.get(way, {"method": METHODS.get(way)})
    policy = shapes.policy(within=["land"], **more)
    policy["columns"]["land"] = {"role": "other"}
    found = by_all(tmp_path, table.append_column("land", pa.array(land)), policy)
    told = dict.fromkeys(found.filter(pa.array(np.array(land) == "00"))[name].to_pylist())
    assert set(told) <= {None, "?", "*"} or way in CUTTING


def too_small(k=20, **more):
    return shapes.policy(k, within=["region", "grade"], suppression={"limit": 1.0}, **more)


@pytest.mark.gate(but=("False-memory-mdav", "False-memory-vmdav", "False-memory-mondrian"))
@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("permute", [False, True])
def test_strata_all_too_small_leave_nothing(tmp_path, method, engine, permute):
    policy = too_small(method=method, output={"permute": permute})
    with pytest.raises(RequirementError, match="all 60 records"):
        released(tmp_path, shapes.table("nested", 60), policy, engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "more", [{"perturbations": [{"name": "pram", "columns": ["grade"]}]}, {"local_suppression": {}}]
)
@pytest.mark.parametrize(
    ("output", "where"),
    [
        ({"permute": True}, "output.permute"),
        ({"ends": True}, "output.ends"),
        ({"ends": True, "representation": "extents"}, "output.ends"),
        ({"representation": "extents"}, "output.representation"),
    ],
)
def test_what_is_told_of_groups_needs_a_method(tmp_path, engine, more, output, where):
    with pytest.raises(PolicyError, match=f"{where} applies to groups of records, but method 'none' forms no groups"):
        released(tmp_path, shapes.table("nested", 30), shapes.policy(output=output, requirements=[], **more), engine)


@pytest.mark.parametrize("representation", ["centroids", "anatomy"])
def test_only_extents_have_ends(tmp_path, representation):
    policy = shapes.policy(method={"name": "mdav"}, output={"representation": representation, "ends": True})
    with pytest.raises(PolicyError, match=f"released as {representation}. Remove it, or set"):
        released(tmp_path, shapes.table("nested", 30), policy, "memory")


@pytest.mark.gate(but="memory")
@pytest.mark.parametrize("engine", ENGINES)
def test_a_perturbed_value_may_be_that_of_a_suppressed_record(tmp_path, engine):
    """Of the records that are left, none had it before."""
    table = shapes.table("nested", 30)
    policy = shapes.policy(
        requirements=[K, {"name": "t_closeness", "t": 0.3, "column": "disease"}],
        perturbations=[{"name": "pram", "columns": ["disease", "region"], "stay": 0.1}],
        method={"name": "mdav", "merge": False},
        within=["grade"],
        suppression={"limit": 0.95},
    )
    assert len(released(tmp_path, table, policy, engine))


class Famine:
    """A library or a kernel that gets no memory."""

    def __init__(self, error):
        self.error = error

    def __call__(self, *words, **more):
        raise self.error


@pytest.mark.gate(
    but=(
        "shoal.pipeline.protect.protected_table.generalize_table-error0-memory",
        "shoal.pipeline.protect.protected_table.generalize_table-error0-duckdb",
        "shoal.pipeline.protect.protected_table.generalize_table-error1-memory",
    )
)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("error", [MemoryError("std::bad_alloc"), pa.ArrowMemoryError("malloc of size 64 failed")])
@pytest.mark.parametrize(
    "place",
    [
        "shoal.pipeline.protect.protected_table.generalize_table",
        "shoal.pipeline.protect.fitted_table.resolve",
        "shoal.pipeline.protect.protect.assess_release",
    ],
)
def test_too_little_memory_is_said(tmp_path, monkeypatch, engine, error, place):
    monkeypatch.setattr(place, Famine(error))
    policy = shapes.policy(method={"name": "mondrian"})
    with pytest.raises(EngineError, match="this machine has no memory left"):
        released(tmp_path, shapes.table("nested", 30), policy, engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_kernel_that_gets_no_memory_says_so(engine):
    """Also beside DuckDB, which is bound by the same library and would make the error of a kernel one of its own."""
    import duckdb  # noqa: F401

    with (
        pytest.raises(EngineError, match="this machine has no memory left"),
        open_engine(choose(shapes.table("nested", 5), engine, None)),
    ):
        kernels.group_sums(np.zeros((1, 1)), np.zeros(1, dtype=np.int64), 2**50)
