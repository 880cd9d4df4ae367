"""Households stay as they are: k of them share a vector of members, position by position, and nobody is averaged with
members of the same household."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import shoal
from household_example import COLUMNS, KEYS, K, fewest_alike, fewest_households, household_policy, vectors
from method_examples import METHODS
from shoal import datasets
from shoal.errors import PolicyError
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.protect import protect_by
from shoal.policy import load
from survey_example import carrier, write_csv

DIVERSE = [{"name": "k_anonymity", "k": K}, {"name": "distinct_l_diversity", "l": 3, "column": "income"}]
TWO_SETS = [
    {"name": "k_anonymity", "k": K, "columns": ["region", "age", "sex"]},
    {"name": "k_anonymity", "k": 3, "columns": ["activity", "education"]},
]
SETTINGS = {
    "mdav": {},
    "diverse": {"requirements": DIVERSE},
    "pairs": {"requirements": DIVERSE, "method": {"name": "mdav", "decoys": 0.3}},
    "two sets": {"requirements": TWO_SETS},
    "extents": {"output": {"representation": "extents", "ends": True}},
}
UNLINKED = {"household": "unlinked"}
FEW = {"limit": 0.01}  # units of rare sizes are shortened where their values are protected


def keys_of(setting):
    asked = SETTINGS[setting].get("requirements", [{"k": K}])
    return [(each["k"], each.get("columns", KEYS)) for each in asked if "k" in each]


@pytest.fixture(scope="module")
def table():
    return datasets.household_survey(1500, seed=2)


@pytest.fixture(scope="module", params=SETTINGS)
def released(request, table):
    return request.param, shoal.protect(table, household_policy(**SETTINGS[request.param])).records


def with_number(records):
    return records.filter(records["hid"].is_valid())


@pytest.mark.gate(but="mdav")
def test_k_households_share_the_whole_vector(released):
    setting, records = released
    assert len(with_number(records)) > 0.6 * len(records)
    for k, columns in keys_of(setting):
        assert fewest_alike(records, columns) >= k


@pytest.mark.gate(but="mdav")
def test_persons_without_a_number_share_a_class_with_k_households(released, table):
    setting, records = released
    without = records["hid"].is_null()
    assert pc.any(without).as_py()  # some households are of a rare size
    for k, columns in keys_of(setting):
        households = table["hid"].filter(without).to_pylist()
        assert fewest_households(records.filter(without), households, columns) >= k


@pytest.mark.gate(but=("two sets", "extents"))
def test_members_of_a_household_share_what_is_of_the_household(released):
    _, records = released
    assert all(len(set(members)) == 1 for members in vectors(records, ["region"]).values())


def test_a_household_keeps_all_members_and_their_person_numbers(released, table):
    _, records = released
    tied = records["hid"].is_valid()
    pairs = set(zip(table["hid"].filter(tied).to_pylist(), records["hid"].filter(tied).to_pylist(), strict=True))
    assert len(pairs) == len({new for _, new in pairs}) == len({old for old, _ in pairs})
    sizes, kept = Counter(table["hid"].to_pylist()), Counter(records["hid"].to_pylist())
    assert all(sizes[old] == kept[new] for old, new in pairs)
    persons = list(zip(records["hid"].filter(tied).to_pylist(), records["pid"].filter(tied).to_pylist(), strict=True))
    assert len(set(persons)) == len(persons)


@pytest.mark.gate
@pytest.mark.parametrize("output", [{}, pytest.param(UNLINKED, marks=pytest.mark.long)], ids=["linked", "unlinked"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_every_engine_writes_the_same_households(setting, output, table, tmp_path):
    source = write_csv(table.slice(0, 600), tmp_path / "survey.csv")
    more = SETTINGS[setting] | {"output": SETTINGS[setting].get("output", {}) | output | {"shuffle": True}}
    policy, texts = load(household_policy(**more)), []
    for name in ("memory", "duckdb"):
        target = tmp_path / name / "release.csv"
        target.parent.mkdir()
        with carrier(name, tmp_path) as engine:
            protect_by(engine, source, policy, Targets.of(target, None, None), b"k" * 32, force=False)
        texts.append(target.read_bytes())
    assert texts[0] == texts[1]
    assert shoal.verify(tmp_path / "duckdb" / "release.csv", policy)


@pytest.mark.gate(but="household")
@pytest.mark.parametrize("role", ["household", "unit"])
def test_the_order_of_the_rows_changes_no_vector(role, table):
    """Who is grouped with whom depends on households and members, not on where their records are."""
    columns = COLUMNS | {"hid": {"role": role}, "region": {"role": "quasi_identifier"}}
    ages = table["age"].to_numpy() + np.random.default_rng(0).random(len(table)).round(6)  # no two members are equal
    table = table.set_column(5, "age", pa.array(ages))
    policy = household_policy(columns=columns, requirements=DIVERSE, suppression=FEW)
    order = np.random.default_rng(1).permutation(len(table))
    first, second = (shoal.protect(each, policy).groups["group"].to_numpy() for each in (table, table.take(order)))
    big = np.flatnonzero(np.isin(table["hid"].to_numpy(), frequent_sizes(table)))
    pairs = set(zip(first[big].tolist(), second[np.argsort(order)][big].tolist(), strict=True))
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


def frequent_sizes(table):
    """Households of one to four members."""
    return [household for household, n in Counter(table["hid"].to_pylist()).items() if n <= 4]


def test_members_are_ordered_as_declared():
    """Two members who differ in the declared column are never averaged with each other's counterpart."""
    n = 12
    table = pa.table(
        {
            "hid": np.repeat(np.arange(n), 2),
            "pid": [1, 2] * n,
            "age": [age for at in range(n) for age in ((40 + at, 41 + at) if at % 2 else (41 + at, 40 + at))],
        }
    )
    age = {"role": "quasi_identifier", "kind": "numeric"}
    for declared in (["pid"], None):
        rule = {"role": "household"} | ({"members": declared} if declared else {})
        policy = {
            "requirements": [{"name": "k_anonymity", "k": 3}],
            "columns": {"hid": rule, "pid": {"role": "other", "kind": "numeric"}, "age": age},
            "output": {"shuffle": False},
        }
        groups = shoal.protect(table, policy).groups["group"].to_numpy().reshape(n, 2)
        first = table["age"].to_numpy().reshape(n, 2).argmin(axis=1) if declared is None else np.zeros(n, dtype=int)
        ordered = np.where(first[:, None] == 0, groups, groups[:, ::-1])
        assert not set(ordered[:, 0]) & set(ordered[:, 1])


@pytest.mark.parametrize(
    ("columns", "output", "words"),
    [
        ({"hid": {"role": "household", "members": ["income"]}}, {}, "members cannot be ordered by 'income'"),
        ({"hid": {"role": "household", "members": ["agee"]}}, {}, "the policy has no column 'agee'"),
        ({"hid": {"role": "household", "members": ["age", "age"]}}, {}, "contains a value twice"),
        ({"pid": {"role": "other", "members": ["age"]}}, {}, "role = 'household' or 'unit'"),
        ({"hid": {"role": "unit"}, "region": {"role": "quasi_identifier"}}, UNLINKED, "a column of role = 'household'"),
    ],
)
def test_nonsense_about_members_is_refused(columns, output, words):
    with pytest.raises(PolicyError, match=words):
        load(household_policy(columns=COLUMNS | columns, output=output))


def test_unlinked_households_lose_their_number_and_their_persons_are_grouped_singly(table, tmp_path):
    policy = household_policy(output=UNLINKED)
    release = shoal.protect(table, policy, output=tmp_path / "release.csv")
    assert "hid" not in release.records.column_names
    assert fewest_households(release.records, table["hid"].to_pylist(), KEYS) >= K
    members = list(zip(table["hid"].to_pylist(), release.groups["group"].to_pylist(), strict=True))
    assert len(set(members)) > 0.7 * len(members)  # most members are in groups of their own
    assert shoal.verify(tmp_path / "release.csv", policy)
    with_numbers = release.records.append_column("hid", table["hid"])
    assert "the unit column 'hid' is in the release" in shoal.verify(with_numbers, policy).failures
    linked = shoal.protect(table, household_policy())
    assert release.findings["information loss"].estimate < linked.findings["information loss"].estimate


@pytest.mark.gate
def test_stays_are_grouped_singly_unless_their_values_are_protected(table):
    """What several classes of a patient have in common could reveal a value that each of them protects."""
    columns = COLUMNS | {"hid": {"role": "unit"}, "region": {"role": "quasi_identifier"}}
    plain, diverse = (
        shoal.protect(table, household_policy(columns=columns, suppression=FEW, **more))
        for more in ({}, {"requirements": DIVERSE})
    )
    assert plain.findings["information loss"].estimate < diverse.findings["information loss"].estimate
    released = [
        (household, group)
        for household, group in zip(table["hid"].to_pylist(), diverse.groups["group"].to_pylist(), strict=True)
        if group is not None
    ]
    assert fewest_households(plain.records, table["hid"].to_pylist(), KEYS) >= K
    assert fewest_households(diverse.records, [household for household, _ in released], KEYS) >= K
    together, sizes = {}, Counter(household for household, _ in released)
    for household, group in released:
        together.setdefault(group, set()).add(household)
    assert all(len({sizes[each] for each in group}) == 1 for group in together.values())


@pytest.mark.parametrize("sizes", [(1, 1, 1), (2, 2, 2, 2, 9), (3, 4, 5, 6, 7, 8)], ids=str)
def test_rare_sizes_take_no_more_households_with_them_than_needed(sizes):
    """Twenty households of two, and some of sizes that too few have."""
    members = np.array([2] * 20 + list(sizes))
    hid = np.repeat(np.arange(members.size), members)
    draw = np.random.default_rng(5)
    table = pa.table({"hid": hid, "age": draw.integers(0, 90, hid.size)})
    columns = {"hid": {"role": "household"}, "age": {"role": "quasi_identifier", "kind": "numeric"}}
    policy = {"requirements": [{"name": "k_anonymity", "k": K}], "columns": columns, "output": {"shuffle": False}}
    release = shoal.protect(table, policy)
    n_loose = len(set(hid[release.records["hid"].is_null().to_numpy()].tolist()))
    rare = sum(count < K for size, count in Counter(members.tolist()).items() for _ in range(count) if size != 2)
    assert release.manifest.counts["n_suppressed"] == 0
    assert rare <= n_loose <= (rare if rare >= K else rare + 2 * K)
    assert fewest_alike(release.records, ["age"]) >= K
    assert any(f"{n_loose} of {members.size} households lost their number" in note for note in release.manifest.notes)


# Without numbers, households are those of any method: one that groups, one that cuts and none suffice.
OF_METHODS = [
    pytest.param(
        name,
        role,
        marks=[pytest.mark.long] * (role == "unlinked" and name not in ("mdav", "mondrian", "none")),
    )
    for name in METHODS
    for role in ("household", "unlinked", "unit")
]


@pytest.mark.gate(but=("mdav-unlinked", "mdav-household"))
@pytest.mark.parametrize(("name", "role"), OF_METHODS)
def test_every_method_protects_households(name, role, table):
    example = METHODS[name]
    table = table.slice(0, 400)
    columns = COLUMNS | ({"hid": {"role": "unit"}, "region": {"role": "quasi_identifier"}} if role == "unit" else {})
    output = UNLINKED if role == "unlinked" else {}
    more = {"method": example.runs[0], "suppression": {"limit": 0.5}, "columns": columns, "output": output}
    policy = household_policy(3, **(more | (example.besides or {})))
    release = shoal.protect(table, policy)
    kept = release.groups["group"].is_valid()
    assert shoal.verify(release.table, policy)
    assert fewest_households(release.records, table["hid"].filter(kept).to_pylist(), KEYS) >= 3
    assert ("hid" in release.records.column_names) == (role == "household")
    if example.family == "groups" and role == "household":
        assert release.records["hid"].null_count < 0.2 * len(table)


def usefulness(table, **output):
    release = shoal.protect(table, household_policy(output=output))
    before, after = (np.asarray(each["age"], dtype=float).std() for each in (table, release.records))
    shares = [Counter(each["activity"].to_pylist()) for each in (table, release.records)]
    moved = {name: 100 * (shares[1][name] - shares[0][name]) / len(table) for name in shares[0]}
    return after / before, moved, release


@pytest.mark.parametrize("n_persons", [3000, pytest.param(15_000, marks=pytest.mark.long)])
def test_ages_and_activities_are_those_of_persons(n_persons):
    """Members that are averaged into each other have an age near 40: the spread of ages fell to 87 % of the original,
    and the employed rose by 11 points. Most frequent values still shift shares, by less than 5 points."""
    spread, moved, release = usefulness(datasets.household_survey(n_persons))
    assert 0.9 < spread < 1.1
    assert max(map(abs, moved.values())) < 5
    assert release.records["hid"].null_count < 0.05 * n_persons


@pytest.mark.parametrize("n_persons", [3000, pytest.param(15_000, marks=pytest.mark.long)])
def test_controlled_categories_keep_the_shares_of_activities(n_persons):
    spread, moved, release = usefulness(datasets.household_survey(n_persons), categories="controlled")
    assert 0.9 < spread < 1.1
    assert max(map(abs, moved.values())) < 3
    assert fewest_alike(release.records, KEYS) >= K


def test_a_rent_that_a_household_shares_has_one_value_whatever_its_members_weigh():
    """Means of a position would be weighted, and rounded at random, by position."""
    draw, n = np.random.default_rng(3), 60
    table = pa.table(
        {
            "hid": np.repeat(np.arange(n), 3),
            "rent": np.repeat(draw.integers(300, 2000, n), 3),
            "age": draw.integers(0, 90, 3 * n),
            "weight": draw.random(3 * n).round(3) + 0.1,
        }
    )
    number = {"role": "quasi_identifier", "kind": "numeric"}
    columns = {"hid": {"role": "household"}, "rent": number | {"level": "household"}, "age": number}
    columns["weight"] = {"role": "weight", "kind": "numeric"}
    release = shoal.protect(table, {"requirements": [{"name": "k_anonymity", "k": K}], "columns": columns})
    assert release.records["hid"].null_count == 0
    assert all(len(set(members)) == 1 for members in vectors(release.records, ["rent"]).values())


@pytest.mark.gate(but="vectors")
@pytest.mark.parametrize("split", [False, True], ids=["vectors", "persons"])
def test_a_requirement_without_a_size_counts_compositions_too(table, split):
    """l values in every class: of a household that is recognized by its members, a class of its own would show them."""
    diverse = [{"name": "distinct_l_diversity", "l": 3, "column": "income"}]
    method = {"name": "mdav", "k": K, "split_households": split}
    policy = household_policy(requirements=diverse, method=method, suppression={"limit": 0.1})
    release = shoal.protect(table, policy)
    alike, composition = {}, vectors(release.records, KEYS)
    for record in with_number(release.records).to_pylist():
        own = tuple(str(record[name]) for name in KEYS)
        alike.setdefault((composition[record["hid"]], own), set()).add(record["income"])
    assert all(len(values) >= 3 for values in alike.values())
    assert bool(alike) != split  # grouped one by one, hardly two households are alike: all lose their number
    assert shoal.verify(release.records, policy)
