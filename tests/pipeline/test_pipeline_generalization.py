"""Releases by Mondrian: what is written reads like categories, covers every record, and is proved as written."""

from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.errors import PolicyError, RequirementError
from shoal.gate.extent_reader import read_extents
from survey_example import in_order, write_csv

TREE = "nurse;health;*\ndoctor;health;*\nclerk;office;*\nlawyer;office;*\n"
ORDER = ["low", "middle", "high"]
K = {"name": "k_anonymity", "k": 5}


def table(n=400, seed=2):
    rng = np.random.default_rng(seed)
    days = np.datetime64("1950-01-01") + rng.integers(0, 20_000, n)
    return pa.table(
        {
            "age": pa.array(rng.integers(18, 90, n), mask=rng.random(n) < 0.03),
            "born": pa.array(days),
            "job": rng.choice(["nurse", "doctor", "clerk", "lawyer"], n),
            "grade": pa.array(rng.choice([*ORDER, None], n)),
            "region": rng.choice(["north", "south", "west"], n, p=[0.5, 0.3, 0.2]),
            "disease": rng.choice(["flu", "gout", "cold", "ache"], n),
        }
    )


@pytest.fixture
def columns(tmp_path):
    (tmp_path / "jobs.csv").write_text(TREE)
    return {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "born": {"role": "quasi_identifier", "kind": "date"},
        "job": {"role": "quasi_identifier", "taxonomy": str(tmp_path / "jobs.csv")},
        "grade": {"role": "quasi_identifier", "kind": "ordinal", "order": ORDER},
        "region": {"role": "quasi_identifier"},
        "disease": {"role": "sensitive"},
    }


def policy(columns, *requirements, mode="strict", **more):
    made = {"columns": columns, "requirements": [K, *requirements], "method": {"name": "mondrian", "mode": mode}}
    return in_order(made | more)


def covers(extent, value, tree):
    """Whether a written extent stands for a value, told by hand."""
    match extent:
        case shoal.plan.AnyExtent():
            return True
        case shoal.plan.MissingExtent():
            return value is None
        case shoal.plan.Interval(low, high, closed):
            number = value if isinstance(value, int) else (value - np.datetime64(0, "D").astype(object)).days
            below = True if high is None else number <= high if closed else number < high
            return (low is None or low <= number) and below
        case shoal.plan.TaxonomyNode(label, level):
            return tree[value][level] == label
        case _:
            return value in extent.values


@pytest.mark.parametrize("mode", ["strict", "greedy"])
def test_what_is_written_covers_every_record(columns, mode):
    original = table()
    release = shoal.protect(original, policy(columns, mode=mode)).records
    schema = shoal.Schema(
        [
            shoal.Column("age", "quasi_identifier", "numeric"),
            shoal.Column("born", "quasi_identifier", "date"),
            shoal.Column("job", "quasi_identifier", taxonomy=shoal.Taxonomy.read(columns["job"]["taxonomy"])),
            shoal.Column("grade", "quasi_identifier", "ordinal", order=tuple(ORDER)),
            shoal.Column("region", "quasi_identifier"),
        ]
    )
    tree = {path[0]: path for path in schema["job"].taxonomy.paths}
    for column in schema.columns:
        extents = read_extents(release[column.name], column).extents
        values = original[column.name].to_pylist()
        assert all(covers(extent, value, tree) for extent, value in zip(extents, values, strict=True))
    classes = Counter(zip(*(release[name].to_pylist() for name in schema.quasi_identifiers), strict=True))
    assert min(classes.values()) >= 5
    assert len(classes) > 10
    assert release["disease"].to_pylist() == original["disease"].to_pylist()


REQUIREMENTS = [
    {"name": "distinct_l_diversity", "l": 3, "column": "disease"},
    {"name": "entropy_l_diversity", "l": 2, "column": "disease"},
    {"name": "recursive_l_diversity", "c": 2, "l": 2, "column": "disease"},
    {"name": "alpha_k_anonymity", "alpha": 0.6, "k": 6, "column": "disease"},
    {"name": "t_closeness", "t": 0.25, "column": "disease"},
    {"name": "delta_disclosure", "delta": 1.5, "column": "disease"},
    {"name": "beta_likeness", "beta": 1.5, "column": "disease"},
    {"name": "epsilon_privacy", "epsilon": 10, "sigma": 100, "b": 1, "column": "disease"},
    {"name": "minimum_length", "width": 10, "column": "age"},
    {"name": "minimum_length", "width": 1000, "column": "born"},
    {"name": "minimum_length", "width": 1, "column": "job"},
]


@pytest.mark.gate(but="distinct_l_diversity-disease")
@pytest.mark.parametrize("asked", REQUIREMENTS, ids=lambda asked: f"{asked['name']}-{asked['column']}")
def test_every_requirement_is_proved_on_the_written_file(columns, tmp_path, asked):
    source = write_csv(table(), tmp_path / "table.csv")
    rules = policy(columns, asked)
    out = tmp_path / "release.csv"
    release = shoal.protect(source, rules, output=out)
    proof = shoal.verify(out, rules)
    assert proof.holds
    assert [verdict.requirement for verdict in proof.verdicts] == ["k_anonymity", asked["name"]]
    assert proof.n_classes > 1
    looser = shoal.protect(source, policy(columns))
    assert release.manifest.counts["n_groups"] <= looser.manifest.counts["n_groups"]


def test_a_class_that_is_told_too_precisely_is_found_out(columns):
    rules = policy(columns, {"name": "minimum_length", "width": 10, "column": "age"})
    release = shoal.protect(table(), rules).records
    ages = pa.array(["[30, 35)" if age == release["age"][0].as_py() else age for age in release["age"].to_pylist()])
    proof = shoal.verify(release.set_column(0, "age", ages), rules)
    assert not proof.holds
    assert proof.verdicts[1].reached == 5
    assert "minimum_length of age = 10 does not hold" in str(proof.verdicts[1])


def test_what_is_no_extent_is_found_out(columns):
    rules = policy(columns)
    release = shoal.protect(table(), rules).records
    ages = pa.array(["about 30"] * len(release))
    assert shoal.verify(release.set_column(0, "age", ages), rules).faults == (
        "the column 'age' holds 1 values that are not extents of its kind",
    )


def test_the_ends_are_columns_and_belong_to_the_class(columns):
    rules = policy(columns, output={"ends": True})
    release = shoal.protect(table(), rules).records
    assert release.column_names[:4] == ["age", "age_min", "age_max", "born"]
    for text, low, high in zip(*(release[name].to_pylist() for name in ("age", "age_min", "age_max")), strict=True):
        if text and text != "*":
            assert text == f"[{'-inf' if low is None else low}, {'inf' if high is None else high})"
    assert pa.types.is_date(release["born_min"].type)
    told_apart = pa.array([1, *release["age_min"].to_pylist()[1:]])
    broken = shoal.verify(release.set_column(1, "age_min", told_apart), rules)
    assert (broken.holds, broken.k_reached) == (False, 1)


@pytest.mark.gate(but="mdav")
@pytest.mark.parametrize("method", ["mondrian", "mdav"])
def test_any_partition_has_any_representation(columns, method):
    """Mondrian where the policy says it: left alone, extents are cut on a grid and centroids anywhere."""
    cuts = {"cuts": {"age": [30, 45, 60, 75], "born": ["1970-01-01", "1990-01-01"]}} if method == "mondrian" else {}
    by = {"method": {"name": method, **cuts}}
    means = shoal.protect(table(), policy(columns) | by | {"output": {"representation": "centroids"}})
    spans = shoal.protect(table(), policy(columns) | by | {"output": {"representation": "extents"}})
    assert means.groups.equals(spans.groups)
    assert pa.types.is_integer(means.records["age"].type)
    assert pa.types.is_string(spans.records["age"].type)
    assert means.manifest.proof["holds"]
    assert spans.manifest.proof["holds"]


def test_permutation_keeps_the_values_of_every_group(columns):
    original = table()
    plain = shoal.protect(original, policy(columns))
    dealt = shoal.protect(original, policy(columns, output={"permute": True}))
    assert dealt.records.drop_columns("disease").equals(plain.records.drop_columns("disease"))
    assert dealt.records["disease"] != plain.records["disease"]
    before, after = defaultdict(Counter), defaultdict(Counter)
    for group, one, other in zip(
        plain.groups["group"].to_pylist(),
        plain.records["disease"].to_pylist(),
        dealt.records["disease"].to_pylist(),
        strict=True,
    ):
        before[group][one] += 1
        after[group][other] += 1
    assert before == after


@pytest.mark.parametrize("method", ["mondrian", "mdav"])
def test_no_group_reaches_over_a_stratum(columns, method):
    original = table()
    release = shoal.protect(original, policy(columns) | {"method": {"name": method}, "within": ["region"]})
    assert release.records["region"].to_pylist() == original["region"].to_pylist()
    regions = defaultdict(set)
    for group, region in zip(release.groups["group"].to_pylist(), original["region"].to_pylist(), strict=True):
        regions[group].add(region)
    assert all(len(found) == 1 for found in regions.values())
    assert release.manifest.proof["holds"]


@pytest.mark.parametrize("method", ["mondrian", "mdav"])
def test_small_strata_are_suppressed_or_complained_of(columns, method):
    original = table(60)
    few = original.set_column(4, "region", pa.array(["north"] * 56 + ["CANARY"] * 4))
    rules = policy(columns) | {"method": {"name": method}, "within": ["region"]}
    with pytest.raises(RequirementError, match="1 strata have fewer than 5 records, 4 in all") as caught:
        shoal.protect(few, rules)
    assert "CANARY" not in str(caught.value)
    release = shoal.protect(few, rules | {"suppression": {"limit": 0.1}})
    assert release.manifest.counts["n_suppressed"] == 4
    assert "CANARY" not in str(release.records.to_pydict())


@pytest.mark.parametrize("method", ["mondrian", "gensearch", "global_recoding", "mdav"])
def test_where_every_stratum_is_too_small_nothing_is_left(method):
    table = pa.table({"age": range(10), "town": list("abcdefghij")})
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "town": {"role": "other"}}
    policy = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}], "method": {"name": method}}
    with pytest.raises(RequirementError, match="all 10 records are in groups that fail"):
        shoal.protect(table, policy | {"within": ["town"], "suppression": {"limit": 1.0}})


def test_t_closeness_of_strata_refers_to_the_whole_release(columns):
    original = table(600)
    wanted = {"name": "t_closeness", "t": 0.3, "column": "disease"}
    for method in ("mondrian", "mdav"):
        rules = policy(columns, wanted) | {"method": {"name": method}, "within": ["region"]}
        assert shoal.protect(original, rules).manifest.proof["holds"]


@pytest.mark.parametrize("method", ["mondrian", "mdav"])
def test_key_sets_have_groups_of_their_own(columns, method):
    original = table()
    rules = policy(columns) | {
        "method": {"name": method},
        "requirements": [
            {"name": "k_anonymity", "k": 10, "columns": ["age", "born", "grade"]},
            {"name": "k_anonymity", "k": 3, "columns": ["job", "region"]},
        ],
    }
    release = shoal.protect(original, rules)
    verdicts = release.manifest.proof["verdicts"]
    assert [verdict["reached"] >= asked for verdict, asked in zip(verdicts, (10, 3), strict=True)] == [True, True]
    assert release.manifest.k_reached < 10


def test_a_column_in_no_key_set_is_complained_of(columns):
    asked = [{"name": "k_anonymity", "k": 3, "columns": ["age", "born", "grade", "job"]}]
    with pytest.raises(PolicyError, match="none names region"):
        shoal.protect(table(), policy(columns) | {"requirements": asked})


def test_what_nothing_can_meet_is_said_with_what_can_be(columns):
    wanted = {"name": "distinct_l_diversity", "l": 9, "column": "disease"}
    with pytest.raises(shoal.ShoalError, match="distinct_l_diversity") as caught:
        shoal.protect(table(), policy(columns, wanted))
    assert "4" in str(caught.value)


def test_lengths_of_centroids_are_refused(columns):
    wanted = {"name": "minimum_length", "width": 5, "column": "age"}
    for change in ({"method": {"name": "mdav"}}, {"output": {"representation": "centroids"}}):
        with pytest.raises(PolicyError, match="not intervals"):
            shoal.protect(table(), policy(columns, wanted) | change)


@pytest.mark.gate(but=".parquet-mondrian")
@pytest.mark.parametrize("method", ["mondrian", "mdav"])
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".csv.gz"])
def test_an_anatomy_is_two_tables_tied_by_the_group_alone(columns, tmp_path, method, suffix):
    wanted = {"name": "distinct_l_diversity", "l": 3, "column": "disease"}
    rules = policy(columns, wanted, output={"representation": "anatomy"}) | {"method": {"name": method}}
    original, out = table(), tmp_path / f"release{suffix}"
    release = shoal.protect(original, rules, output=out)
    second = tmp_path / f"release.sensitive{suffix}"
    assert second.exists()
    assert release.records.column_names == ["age", "born", "job", "grade", "region", "group"]
    assert release.records["age"].to_pylist() == original["age"].to_pylist()
    counted = Counter(zip(release.records["group"].to_pylist(), original["disease"].to_pylist(), strict=True))
    assert {(r["group"], r["disease"]): r["count"] for r in release.sensitive.to_pylist()} == counted
    assert shoal.verify(out, rules).holds
    assert shoal.verify(release.records, rules, sensitive=release.sensitive).holds
    folder = release.write(tmp_path / "again")
    assert shoal.verify(folder / "release.parquet", rules).holds
    less = release.sensitive.slice(1)
    assert not shoal.verify(release.records, rules, sensitive=less).holds
    with pytest.raises(PolicyError, match="second table"):
        shoal.verify(release.records, rules)
