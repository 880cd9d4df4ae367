"""Whose record is whose: known by a replay or said by the caller, never guessed."""

import json
import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from shoal import datasets
from shoal.assessment.pairing_check import pairing_warnings
from shoal.assessment.table_pair import TablePair
from shoal.errors import KeyFileError, LinkageError
from shoal.linkage.true_pairs import pair_by_id
from shoal.schema import Column, Schema
from survey_example import desk, of_records, shell, survey, survey_policy, write_csv

KEEP = 600  # records of a large set, so that a test takes seconds


def numeric(names):
    return {name: {"role": "quasi_identifier", "kind": "numeric"} for name in names}


def census():
    table = datasets.census()
    return table, {"columns": numeric(table.column_names), "method": {"name": "mdav"}}


def adult():
    table = datasets.adult().take(np.arange(0, 30_000, 50))
    roles = {name: {"role": "quasi_identifier", "kind": "nominal"} for name in table.column_names}
    roles |= {"age": {"role": "quasi_identifier", "kind": "numeric"}, "salary-class": {"role": "sensitive"}}
    return table, {"columns": roles, "method": {"name": "mondrian"}}


def households():
    roles = {
        "household_id": {"role": "household"},
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "sex": {"role": "quasi_identifier", "kind": "nominal"},
        "income": {"role": "quasi_identifier", "kind": "numeric"},
        "rent": {"role": "other", "kind": "numeric"},
        "weight": {"role": "weight", "kind": "numeric"},
    }
    table = datasets.synthetic_census(KEEP, seed=3).select(list(roles))
    return table, {"columns": roles, "method": {"name": "mdav"}, "suppression": {"limit": 0.9}}


def with_k(policy, shuffle):
    return {**policy, "requirements": [{"name": "k_anonymity", "k": 4}], "output": {"shuffle": shuffle}}


def figures(found):
    return json.dumps(found.to_dict(), sort_keys=True)


@pytest.mark.gate
@pytest.mark.parametrize(
    "made", [pytest.param(census, marks=pytest.mark.long), pytest.param(adult, marks=pytest.mark.long), households]
)
def test_the_order_of_a_release_changes_no_figure(made, tmp_path, request):
    if made is not households:
        request.getfixturevalue("reference_data")
    table, policy = made()
    original = tmp_path / "original.parquet"
    pq.write_table(table, original)
    assessed, linked = [], []
    for shuffle in (False, True):
        rules, release = with_k(policy, shuffle), tmp_path / f"{shuffle}.csv"
        shoal.protect(original, rules, output=release)
        assessed.append(shoal.assess(original, release, rules))
        linked.append(shoal.link(original, release, rules))
    assert (tmp_path / "True.csv").read_bytes() != (tmp_path / "False.csv").read_bytes()
    assert figures(assessed[0]) == figures(assessed[1])
    assert figures(linked[0]) == figures(linked[1])
    assert linked[0].chances.tolist() == linked[1].chances.tolist()
    known = shoal.Intruder(columns=assessed[1].linkages["distance"].columns)
    same = shoal.link(original, tmp_path / "True.csv", with_k(policy, True), intruder=known)
    assert same.risk == assessed[1].linkages["distance"].risk


def test_a_replay_knows_who_was_suppressed_and_where_the_others_went():
    policy = of_records(survey_policy(3, suppression={"limit": 0.9}, method={"name": "mdav", "merge": False}))
    policy["requirements"].append({"name": "distinct_l_diversity", "l": 3, "column": "disease"})
    release = shoal.protect(survey(), policy)
    suppressed = np.flatnonzero(release.groups["group"].is_null().to_numpy())
    assert 0 < len(suppressed) < len(survey())
    linked = shoal.link(survey(), release.table, policy)
    assert np.flatnonzero(linked.truth < 0).tolist() == suppressed.tolist()
    untouched = ["code", "amount", "note"]
    kept = np.flatnonzero(linked.truth >= 0)
    assert (
        survey()
        .select(untouched)
        .take(kept)
        .equals(release.records.select(untouched).take(linked.truth[kept]).cast(survey().select(untouched).schema))
    )


def with_two_records_swapped(at):
    lines = at.release.read_text().splitlines(keepends=True)
    swapped = at.folder / "swapped.csv"
    swapped.write_text("".join([lines[0], lines[2], lines[1], *lines[3:]]))
    return swapped


def test_a_release_that_was_made_from_something_else_is_refused(tmp_path):
    at = desk(tmp_path, policy=survey_policy(output={"shuffle": True}))
    shoal.protect(at.data, at.policy, output=at.release, key=at.key)
    swapped = with_two_records_swapped(at)
    for released, policy in (
        (swapped, at.policy),
        (at.release, survey_policy(seed=1, output={"shuffle": True})),
        (at.release, survey_policy(4)),
        (at.data, at.policy),
    ):
        for door in (shoal.assess, shoal.link):
            with pytest.raises(LinkageError, match="was not made from this original with this policy, seed and key"):
                door(at.data, released, policy)


@pytest.mark.gate(but="assess")
@pytest.mark.parametrize("door", [shoal.assess, shoal.link])
def test_whoever_gives_the_key_is_not_told_that_it_is_lost(tmp_path, door):
    at = desk(tmp_path, policy=survey_policy(output={"shuffle": True}))
    release = shoal.protect(at.data, at.policy, output=at.release)
    swapped = with_two_records_swapped(at)
    with pytest.raises(
        KeyFileError,
        match=r"there is no such key, .* in Python without a key, none was stored: give key = release\.key",
    ):
        door(at.data, swapped, at.policy)
    for key in (release.key, release.key.secret):
        with pytest.raises(LinkageError, match="was not made from this original with this policy, seed and key"):
            door(at.data, swapped, at.policy, key=key)


@pytest.mark.gate
def test_another_format_of_the_same_cells_is_the_same_release(tmp_path):
    at = desk(tmp_path, policy=survey_policy(output={"shuffle": True}))
    release = shoal.protect(at.data, at.policy, output=at.release)
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    pq.write_table(release.table, at.folder / "release.parquet")
    quoted = at.folder / "quoted.csv"
    quoted.write_text(at.release.read_text().replace("flu", '"flu"'))
    found = figures(shoal.link(at.data, at.release, at.policy))
    for same in (at.folder / "release.parquet", quoted, release.table, release.table.to_pandas(),
                 polars.from_arrow(release.table)):  # fmt: skip
        assert figures(shoal.link(at.data, same, at.policy)) == found
    assert pandas is not None


@pytest.mark.gate
def test_without_a_word_on_who_is_who_nothing_is_guessed(tmp_path):
    at = desk(tmp_path, policy=survey_policy(output={"shuffle": True}))
    shoal.protect(at.data, at.policy, output=at.release)
    found = shoal.assess(at.data, at.release)
    assert found.notes[0].startswith("Roles were guessed")
    assert (found.linkages, found.losses, found.score) == ({}, {}, None)
    assert found.findings["k reached"].estimate >= 1
    said = json.loads(shell("assess", at.data, at.release, "--json").out)
    unmeasured = {line["name"]: line["meaning"] for line in said["findings"] if line["estimate"] is None}
    assert {"linked persons, distance", "information loss", "score"} <= set(unmeasured)
    of_population = {name for name, reason in unmeasured.items() if reason == "not measured: needs --population"}
    assert of_population == {"highest presence", "highest journalist risk, population"}
    others = {name: reason for name, reason in unmeasured.items() if name not in of_population}
    assert all("not measured: needs --policy" in reason for reason in others.values())
    measured = {f.name for f in shoal.assess(at.data, at.release, at.policy).findings}
    families = {"interval disclosure", "mean variation", "persons at high risk", "linked households"}
    assert set(others) - families <= measured
    words = shell("assess", at.data, at.release).out
    line = next(line for line in words.splitlines() if "linked persons, distance" in line)
    assert "not measured: needs --policy" in words[words.index(line) :]
    refused = shell("link", at.data, at.release)
    assert (refused.code, "it is not known which released record" in refused.err) == (2, True)


@pytest.mark.gate
def test_what_needs_no_pairs_is_the_same_without_them(tmp_path):
    """In a table of persons: which household a record is of is known by the pairs where its number was blanked."""
    at = desk(tmp_path, policy=of_records(survey_policy()))
    shoal.protect(at.data, at.policy, output=at.release)
    columns = of_records(survey_policy())["columns"].items()
    roles = Schema(Column(name, rule["role"], rule.get("kind", "nominal")) for name, rule in columns)
    paired = shoal.assess(at.data, at.release, roles, truth="position")
    unpaired = shoal.assess(at.data, at.release, roles)
    assert {f.name for f in unpaired.findings} >= {"k reached", "suppressed records", "below 3-map"}
    for finding in unpaired.findings:
        assert finding == paired.findings[finding.name]


def test_pairs_can_be_given_as_a_file(tmp_path):
    at = desk(tmp_path, policy=survey_policy(output={"shuffle": True}))
    release = shoal.protect(at.data, at.policy, output=at.release)
    known = shoal.link(at.data, at.release, at.policy)
    kept = np.flatnonzero(known.truth >= 0)
    pairs = write_csv(pa.table({"released": known.truth[kept] + 1, "original": kept + 1}), tmp_path / "pairs.csv")
    pairs.chmod(0o600)
    said = json.loads(shell("link", at.data, at.release, "--policy", at.policy, "--truth", pairs, "--json").out)
    assert said == json.loads(json.dumps(known.to_dict()))
    assert len(kept) == len(release.records)
    for broken, words in (({"released": [1, 1], "original": [1, 2]}, "each once"), ({"a": [1]}, "has the columns"),
                          ({"released": [0, 1], "original": [1, 2]}, "numbers of records"),
                          ({"released": [1, 2], "original": [0, 1]}, "numbers of records"),
                          ({"released": [len(release.records) + 1], "original": [1]}, "numbers of records"),
                          ({"released": [1.5], "original": [1]}, "numbers of records")):  # fmt: skip
        bad = write_csv(pa.table(broken), tmp_path / "bad.csv")
        refused = shell("link", at.data, at.release, "--truth", bad)
        assert (refused.code, words in refused.err) == (2, True)


@pytest.mark.gate
def test_a_wrong_pairing_raises_an_alarm(tmp_path):
    """Shuffled, but said to be in order: columns that are released unchanged leave no doubt."""
    at = desk(tmp_path, survey(400), survey_policy(output={"shuffle": True}))
    shoal.protect(at.data, at.policy, output=at.release)
    for door in (shoal.assess, shoal.link):
        with pytest.raises(LinkageError, match="the stated pairs are wrong"):
            door(at.data, at.release, at.policy, truth="position")
    right = shoal.assess(at.data, at.release, at.policy)
    told = shoal.assess(at.data, at.release, at.policy, truth=right.linkages["distance"].truth)
    for found in (right, told):
        assert not any("pairing is probably wrong" in note for note in found.notes)


def alarms(original, released):
    """Of the column x, said to be in order."""
    schema = Schema([Column("x", "quasi_identifier", "numeric")])
    tables = TablePair.of(pa.table({"x": original}), pa.table({"x": released}), schema)
    return pairing_warnings(tables.aligned(np.arange(len(original))), ["x"])


def test_gaps_tell_who_is_who():
    known = [1.0 if at % 2 else None for at in range(60)]
    assert alarms(known, known) == ()
    assert len(alarms(known, [*known[1:], known[0]])) == 1


def test_records_are_apart_by_at_most_all_of_it():
    """However far one of them is off."""
    values = np.random.default_rng(3).normal(size=100)
    (note,) = alarms(values, [1e12, *values[:0:-1]])
    shares = [float(number) for number in re.findall(r"([^\s(]+) %", note)]
    assert len(shares) == 2
    assert all(0 < share < 100 for share in shares)


def test_an_id_that_one_record_lacks_is_none():
    whole, gap = pa.table({"id": [1, 2, 3]}), pa.table({"id": [1, None, 3]})
    for original, released in ((whole, gap), (gap, whole)):
        with pytest.raises(LinkageError, match="1 records of the"):
            pair_by_id(original, released, "id")


def test_a_release_of_equal_records_raises_none():
    table = survey()
    alike = pa.table({"age": [40] * 40, "zip": ["0"] * 40})
    schema = Schema([Column("age", "quasi_identifier", "numeric"), Column("zip", "quasi_identifier", "nominal")])
    assert not any("probably wrong" in note for note in shoal.assess(table, alike, schema, truth="position").notes)


def test_a_file_of_pairs_that_is_none_shows_no_cell(tmp_path):
    """Its first line may be a record."""
    at = desk(tmp_path)
    names = tmp_path / "names.csv"
    names.write_text("Meier;Ulm\nHuber;Bonn\n")
    for door in ("assess", "link"):
        refused = shell(door, at.data, at.data, "--truth", names)
        assert (refused.code, "truth: a file of pairs has the columns" in refused.err) == (2, True)
        assert not {word for word in ("Meier", "Ulm", "Huber", "Bonn") if word in refused.err}
        assert "2 columns" in " ".join(refused.err.split())


@pytest.mark.parametrize("cells", [["x", "y"], [True, False], [1.0, 1e300], [1.0, float("inf")]], ids=str)
def test_pairs_that_are_no_numbers_of_records_say_what_they_must_be(tmp_path, cells):
    at = desk(tmp_path)
    for name, other in (("released", "original"), ("original", "released")):
        pairs = tmp_path / "pairs.parquet"
        pq.write_table(pa.table({name: cells, other: [1, 2]}), pairs)
        with pytest.raises(LinkageError, match=f"truth: the column '{name}' must hold numbers of records, 1 to 40"):
            shoal.link(at.data, at.data, truth=pairs)


def said_wrongly(found):
    return any("pairing is probably wrong" in note for note in found.notes)


@pytest.mark.gate(but="4-2")
@pytest.mark.parametrize(("n", "k"), [(4, 2), (12, 3), (12, 6), (20, 5), (20, 10), (50, 25)])
def test_a_right_pairing_of_few_records_raises_no_alarm(n, k):
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in ("age", "income")}
    policy = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": k}], "output": {"shuffle": False}}
    for seed in range(10):
        chance = np.random.default_rng(seed)
        table = pa.table({"age": chance.integers(18, 90, n), "income": chance.integers(1000, 9000, n)})
        release = shoal.protect(table, policy)
        assert not said_wrongly(shoal.assess(table, release.records, truth="position"))


def test_few_pairs_of_equal_records_raise_no_alarm():
    table = pa.table({"a": np.arange(60), "b": np.arange(60)})
    for n_known in (0, 1, 3, 20):
        truth = np.where(np.arange(60) < n_known, np.arange(60), -1)
        assert not said_wrongly(shoal.link(table, table, truth=truth))


def drawn_persons(n, seed):
    chance = np.random.default_rng(seed)
    return pa.table({"age": chance.integers(18, 90, n), "income": chance.integers(1000, 9000, n)})


def in_threes(table, *, shuffle):
    """Seed 1: with seed 0, one of the shuffled releases is the one of a hundred that goes unnoticed."""
    rules = {"columns": numeric(table.column_names), "requirements": [{"name": "k_anonymity", "k": 3}]}
    return rules | {"seed": 1, "output": {"shuffle": shuffle}}


@pytest.mark.gate(but="60")
@pytest.mark.parametrize("n", [60, 200])
def test_a_shuffled_release_in_small_groups_is_noticed(n):
    for seed in range(5):
        table = drawn_persons(n, seed)
        policy = in_threes(table, shuffle=True)
        release = shoal.protect(table, policy)
        assert said_wrongly(shoal.link(table, release.records, truth="position"))
        assert not said_wrongly(shoal.link(table, release.records, truth=truth_of(table, release, policy)))


@pytest.mark.long
@pytest.mark.parametrize("n", [60, 200])
def test_of_a_hundred_random_pairings_one_goes_unnoticed(n):
    """A pairing is compared with 99 at random: of 500, a binomial draw is above 13 once in 1,500 times."""
    chance, unnoticed = np.random.default_rng(99), 0
    for seed in range(5):
        table = drawn_persons(n, seed)
        released = shoal.protect(table, in_threes(table, shuffle=False)).records
        schema = Schema([Column(name, "quasi_identifier", "numeric") for name in table.column_names])
        aligned = TablePair(table, released, schema, (), ()).aligned
        assert pairing_warnings(aligned(np.arange(n)), table.column_names) == ()
        wrong = (aligned(chance.permutation(n)) for _ in range(100))
        unnoticed += sum(pairing_warnings(pairs, table.column_names) == () for pairs in wrong)
    assert unnoticed <= 13


def truth_of(table, release, policy):
    return shoal.link(table, release.records, policy).truth


def test_bytes_that_write_no_text_tell_who_is_who():
    chance = np.random.default_rng(0)
    table = pa.table({"a": [bytes([200 + at]) for at in chance.integers(0, 9, 60)], "b": chance.integers(0, 50, 60)})
    assert not said_wrongly(shoal.assess(table, table, truth="position"))
    (note,) = shoal.link(table, table, truth="position").notes
    assert note.startswith("Both files are the same")
    order = np.roll(np.arange(60), 7)
    with pytest.raises(LinkageError, match="the stated pairs are wrong"):
        shoal.link(table, table.take(order), truth="position")


def test_categories_are_compared_by_what_they_say():
    """The release lacks the first of them, so that every other has another code there."""
    chance = np.random.default_rng(0)
    words = [f"word {at}" for at in chance.integers(0, 5, 100)]
    kept = ["word 5" if word == "word 0" else word for word in words]
    schema = Schema([Column("x", "quasi_identifier", "nominal")])
    right, wrong = np.arange(100), np.roll(np.arange(100), 3)
    aligned = TablePair(pa.table({"x": words}), pa.table({"x": kept}), schema, (), ()).aligned
    assert pairing_warnings(aligned(right), ["x"]) == ()
    assert len(pairing_warnings(aligned(wrong), ["x"])) == 1


@pytest.mark.gate(but="mondrian")
@pytest.mark.parametrize("method", ["mdav", "mondrian"])
def test_every_figure_that_needs_pairs_is_named_without_them(method):
    """By its own name, or by that of which it is a part: of a column, by a measure."""
    table, policy = survey(), of_records(survey_policy(method={"name": method}))
    released = shoal.protect(table, policy).records
    roles = Schema(Column(name, rule["role"], rule.get("kind", "nominal")) for name, rule in policy["columns"].items())
    paired, unpaired = (shoal.assess(table, released, roles, truth=truth) for truth in ("position", None))
    given, named = {f.name for f in unpaired.findings}, {figure.name for figure in unpaired.not_measured}
    needed = {f.name for f in paired.findings} - given
    parts = {name for name in needed - named if any(name.startswith((f"{whole} of ", f"{whole}, ")) for whole in named)}
    assert needed - named - parts == set()
    assert not given & named
    assert "IL1s, capped" in named


@pytest.mark.parametrize(("role", "of_households"), [("household", True), ("identifier", False)])
def test_where_there_are_households_their_links_are_named_too(role, of_households):
    table = pa.table({"age": [31, 32, 33, 34], "home": [1, 1, 2, 2]})
    roles = Schema([Column("age", "quasi_identifier", "numeric"), Column("home", role)])
    named = {figure.name for figure in shoal.assess(table, table, roles, truth=None).not_measured}
    assert ({"linked persons, households", "linked households"} <= named) == of_households
