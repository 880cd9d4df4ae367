"""Units counted exactly: by values of an anatomy, by stratum, by what reads alike, and by the first record of each."""

import math
import random
from collections import defaultdict

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.engines.duckdb import DuckdbEngine
from shoal.engines.memory import MemoryEngine
from shoal.errors import RequirementError, TableError
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.protect import protect_by
from shoal.pipeline.verify.prove_file import prove_source
from shoal.policy import load
from shoal.report.exposure_words import exposure_caution
from survey_example import SMALL_PIECES, write_csv

KEY = bytes(range(32))
SHARES = [
    {"name": "entropy_l_diversity", "l": 1.5, "column": "dis"},
    {"name": "recursive_l_diversity", "c": 3, "l": 2, "column": "dis"},
    {"name": "alpha_k_anonymity", "alpha": 0.8, "k": 2, "column": "dis"},
    {"name": "t_closeness", "t": 0.4, "column": "dis"},
    {"name": "beta_likeness", "beta": 1.5, "column": "dis"},
    {"name": "delta_disclosure", "delta": 1.6, "column": "dis"},
]


def policy_of(role, *requirements, k=2, **more):
    columns = {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "dis": {"role": "sensitive"},
        "h": {"role": role},
    }
    asked = [{"name": "k_anonymity", "k": k}, *requirements]
    return {"columns": columns, "requirements": asked, "suppression": {"limit": 1.0}} | more


ANATOMY = {"output": {"representation": "anatomy", "shuffle": False}}


def people(seed, n=40):
    draw = random.Random(seed)
    return pa.table(
        {
            "age": [draw.randint(20, 29) for _ in range(n)],
            "dis": [draw.choice("abc") for _ in range(n)],
            "h": [str(draw.randint(0, n // 2)) for _ in range(n)],
        }
    )


def units_by_value(table, made):
    """Of every group, the different units of each value, by hand."""
    found = defaultdict(lambda: defaultdict(set))
    at = np.flatnonzero(made.groups["group"].is_valid())
    values, units = table["dis"].to_pylist(), table["h"].to_pylist()
    for group, record in zip(made.records["group"].to_pylist(), at, strict=True):
        found[group][values[record]].add(units[record])
    return [{value: len(units) for value, units in each.items()} for each in found.values()]


def entropy_l(counts):
    shares = np.array(list(counts.values())) / sum(counts.values())
    return math.exp(-(shares * np.log(shares)).sum())


def forged():
    """Household 1 has nine records of a, nine households one of b each: shares of units are 1 to 9, of records even."""
    records = pa.table({"age": list(range(18)), "h": [1] * 9 + list(range(2, 11)), "group": ["1"] * 18})
    return records, pa.table({"group": ["1", "1"], "dis": ["a", "b"], "count": [9, 9]})


@pytest.mark.parametrize("wanted", SHARES, ids=lambda wanted: wanted["name"])
def test_shares_of_units_are_not_proved_from_the_two_tables(wanted):
    records, sensitive = forged()
    proof = shoal.verify(records, policy_of("household", wanted, **ANATOMY), sensitive=sensitive)
    assert [verdict.requirement for verdict in proof.verdicts] == ["k_anonymity"]
    assert any("shares of values" in note for note in proof.notes)
    assert proof.k_reached == 10


@pytest.mark.gate(but="unit-entropy_l_diversity")
@pytest.mark.parametrize("wanted", SHARES, ids=lambda wanted: wanted["name"])
@pytest.mark.parametrize("role", ["unit", pytest.param("household", marks=pytest.mark.long)])
def test_the_run_that_knows_the_units_of_an_anatomy_counts_them(role, wanted):
    """What the method made is never refused by a gate that counts less exactly."""
    notes = [made.manifest.notes for seed in range(6) if (made := attempted(people(seed), policy_of(role, wanted)))]
    assert notes
    assert all(any("shares of values" in note for note in each) == (role == "household") for each in notes)


def attempted(table, policy):
    """An anatomy, or None where the method suppresses everybody: never one that the gate refuses."""
    try:
        return shoal.protect(table, policy | ANATOMY, key=KEY)
    except RequirementError as error:
        if "the gate is closed" in str(error):
            raise
        return None


@pytest.mark.gate
def test_the_proof_of_an_anatomy_says_what_units_reach(tmp_path):
    source, policy = write_csv(people(3, 60), tmp_path / "people.csv"), load(policy_of("unit", SHARES[0], **ANATOMY))
    by_hand = min(map(entropy_l, units_by_value(people(3, 60), shoal.protect(source, policy, key=KEY))))
    with DuckdbEngine("1GB", tmp_path, SMALL_PIECES) as duckdb:
        for name, engine in (("memory", MemoryEngine()), ("duckdb", duckdb)):
            targets = Targets.of(tmp_path / f"{name}.csv", None, None)
            release = protect_by(engine, source, policy, targets, KEY, force=False)
            assert release.manifest.proof["verdicts"][1]["reached"] == pytest.approx(by_hand)


@pytest.mark.gate
def test_an_anatomy_that_is_written_later_is_proved_of_its_units(tmp_path):
    release = shoal.protect(people(3, 60), policy_of("unit", SHARES[0], **ANATOMY), key=KEY)
    assert release.write(tmp_path / "out").exists()
    assert len(release.holders) > 0


def test_units_that_fail_close_the_gate_of_an_anatomy():
    """The very table that looks even by records, where it is told beside it who has what."""
    records, sensitive = forged()
    units, holders = (
        np.array([0] * 9 + list(range(1, 10))),
        pa.table({"row": [0] + [1] * 9, "unit": list(range(10)), "n": [9] + [1] * 9}),
    )
    policy = load(policy_of("household", {"name": "entropy_l_diversity", "l": 2, "column": "dis"}, **ANATOMY))
    proof = prove_source(records, policy.source, policy, MemoryEngine(), sensitive, units=units, holders=holders)
    assert not proof.holds
    assert proof.verdicts[1].reached == pytest.approx(entropy_l({"a": 1, "b": 9}))
    wrong = holders.set_column(2, "n", pa.array([8] + [1] * 9))
    assert prove_source(records, policy.source, policy, MemoryEngine(), sensitive, units=units, holders=wrong).faults


def test_a_column_of_the_level_of_households_in_an_anatomy():
    table = people(1).append_column("region", pa.array(["north"] * 40))
    policy = policy_of("household", **ANATOMY)
    policy["columns"]["region"] = {"role": "quasi_identifier", "level": "household"}
    assert shoal.protect(table, policy, key=KEY).manifest.k_reached >= 2


CUTTING = ["mondrian", "gensearch", "global_recoding"]


@pytest.mark.gate(but=("unit-mondrian", "unit-gensearch", "unit-global_recoding"))
@pytest.mark.parametrize("method", [*CUTTING, "mdav"])
@pytest.mark.parametrize("role", ["unit", "household"])
def test_a_stratum_without_the_first_record_of_any_unit(role, method):
    """All that is second in its household is a stratum of its own."""
    table = pa.table({"h": [at // 2 for at in range(40)], "age": range(20, 60), "sex": ["m", "f"] * 20})
    policy = policy_of(role, k=3, within=["sex"], method={"name": method})
    policy["columns"] = policy["columns"] | {"sex": {"role": "quasi_identifier"}}
    del policy["columns"]["dis"]
    assert shoal.protect(table, policy, key=KEY).manifest.counts["n_released"] == 40


SIDE_BY_SIDE = pa.table({"age": [20, 20, 30, 30, 40, 40], "dis": ["a", "b"] * 3, "h": ["0", "0", "1", "1", "2", "2"]})


@pytest.mark.parametrize("method", CUTTING)
def test_shares_of_first_records_are_compared_with_those_of_all_first_records(method):
    """Everybody has both values, so that nobody's share differs."""
    wanted = {"name": "t_closeness", "t": 0.3, "column": "dis"}
    release = shoal.protect(SIDE_BY_SIDE, policy_of("unit", wanted, method={"name": method}), key=KEY)
    assert release.manifest.counts["n_released"] == 6


def test_what_first_records_fail_and_all_records_satisfy_is_released_as_one_class():
    wanted = {"name": "distinct_l_diversity", "l": 2, "column": "dis"}
    release = shoal.protect(SIDE_BY_SIDE, policy_of("unit", wanted, method={"name": "mondrian"}), key=KEY)
    assert (release.manifest.counts["n_groups"], release.manifest.counts["n_suppressed"]) == (1, 0)
    assert shoal.protect(SIDE_BY_SIDE, policy_of("unit", wanted), key=KEY).manifest.k_reached >= 2


def test_where_first_records_fail_as_a_whole_a_part_of_them_is_released():
    """Six of ten units have c: too many for one class of all, none of them in the class of the others."""
    table = pa.table({"age": [20] * 4 + [40] * 6, "dis": [*"aabb", *"c" * 6], "h": [str(at) for at in range(10)]})
    wanted = {"name": "alpha_k_anonymity", "alpha": 0.5, "k": 2, "column": "dis"}
    method = {"name": "global_recoding", "widths": {"age": [10]}, "suppression": 0.6}
    release = shoal.protect(table, policy_of("unit", wanted, method=method), key=KEY)
    assert sorted(release.table["dis"].to_pylist()) == [*"aabb"]


@pytest.mark.parametrize("limit", [0.0, 1.0])
def test_where_units_are_too_few_their_column_is_named(limit):
    policy = policy_of("unit", k=4, suppression={"limit": limit})
    with pytest.raises(
        RequirementError, match=r"one class, where each unit of 'h' counts once\. Require k = 3 or less"
    ):
        shoal.protect(SIDE_BY_SIDE, policy, key=KEY)


SPELLED = pa.table(
    {"age": [30] * 12, "dis": ["HIV", "hiv"] * 4 + ["flu"] * 4, "h": [0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7]}
)
EVEN = {"name": "t_closeness", "t": 0.1, "column": "dis"}


@pytest.mark.parametrize(("role", "method"), [("household", "mdav"), ("household", "mondrian"), ("unit", "mondrian")])
def test_what_reads_alike_is_had_once_by_a_unit(role, method):
    """Four units write HIV in two ways, four have the flu: one class has the shares of the whole, however it reads."""
    release = shoal.protect(SPELLED, policy_of(role, EVEN, method={"name": method}), key=KEY)
    assert release.manifest.counts["n_released"] == 12
    assert release.manifest.proof["verdicts"][1]["reached"] == 0


def test_the_number_of_records_must_not_reveal_the_value_of_a_unit():
    """All units of two records have HIV; without their second records, one of its spellings is gone from the class."""
    with pytest.raises(RequirementError, match="all 12 records are in groups that fail t_closeness of 'dis'"):
        shoal.protect(SPELLED, policy_of("unit", EVEN, method={"name": "mdav"}), key=KEY)


def with_persons(names, **rule):
    policy = policy_of("other")
    policy["columns"]["person"] = {"role": "identifier"} | rule
    return people(1).append_column("person", pa.array(names)), policy


def secret(folder):
    (folder / "secret.key").write_bytes(KEY)
    return {"pseudonym": str(folder / "secret.key")}


STAYS = [f"P{at // 2}" if at < 10 else f"Q{at}" for at in range(40)]  # five persons of two records


def test_pseudonyms_that_repeat_are_refused(tmp_path):
    table, policy = with_persons(STAYS, **secret(tmp_path))
    with pytest.raises(TableError, match=r"columns\.person: 5 of its values.*10 in all.*role = 'unit'.*'household'"):
        shoal.protect(table, policy, key=KEY)
    asks_nothing = policy | {"requirements": [], "perturbations": [{"name": "noise", "columns": ["age"]}]}
    assert shoal.protect(table, asks_nothing, key=KEY).records["person"].null_count == 0


def test_pseudonyms_of_different_persons_pass_and_no_other_ones(tmp_path):
    table, policy = with_persons([*map(str, range(39)), None], **secret(tmp_path))
    records = shoal.protect(table, policy, key=KEY).records
    assert shoal.verify(records, policy).holds
    names = records["person"].to_pylist()
    one, other = [name for name in names if name is not None][:2]
    forged_names = pa.array([one if name == other else name for name in names])
    at = records.column_names.index("person")
    faults = shoal.verify(records.set_column(at, "person", forged_names), policy).faults
    assert faults == ("the identifier column 'person' holds 1 pseudonyms that link several records",)


def test_a_dropped_identifier_that_repeats_is_told():
    table, policy = with_persons(STAYS)
    told = [note for note in shoal.protect(table, policy, key=KEY).manifest.notes if note.startswith("person:")]
    assert len(told) == 1
    assert "5 values stand in several records, 10 in all" in told[0]
    assert "columns.person.role = 'unit'" in told[0]
    policy["columns"]["h"]["role"] = "unit"
    assert not any(note.startswith("person:") for note in shoal.protect(table, policy, key=KEY).manifest.notes)


def weighed_households(n=60):
    draw = random.Random(5)
    at = [number // 3 for number in range(3 * n)]
    ages = [draw.randint(0, 90) for _ in at]
    return pa.table({"age": ages, "dis": ["a"] * len(at), "h": at, "weight": [100.25 + 7 * each for each in at]})


@pytest.mark.parametrize(("role", "method"), [("unit", "mdav"), ("unit", "mondrian"), ("household", "mondrian")])
@pytest.mark.parametrize("weights", ["kept", "stratum"])
def test_weights_that_tie_units_again_are_told(role, method, weights):
    policy = policy_of(role, method={"name": method}, output={"weights": weights})
    policy["columns"]["weight"] = {"role": "weight", "kind": "numeric"}
    release = shoal.protect(weighed_households(), policy, key=KEY)
    told = [note for note in release.manifest.notes if "ties units" in note]
    assert len(told) == (weights == "kept")
    cautions = [exposure_caution(each).text for each in release.assessment.exposures if each.kind == "retied"]
    assert len(cautions) == (weights == "kept")
    assert all("only records of the same unit have" in text and "'weight'" in text for text in cautions)
    assert all("weight ties units again: in " in note and "output.weights = 'rounded'" in note for note in told)


def test_weights_of_households_that_are_tied_anyway_are_not_told():
    policy = policy_of("household")
    policy["columns"]["weight"] = {"role": "weight", "kind": "numeric"}
    release = shoal.protect(weighed_households(), policy, key=KEY)
    assert not any("lost their number" in note or "ties units" in note for note in release.manifest.notes)
