"""An intruder who sees which records belong together, against a slow twin and against releases that show it or not."""

import datetime as dt

import numpy as np
import pyarrow as pa
import pytest

import shoal
from informed_example import all_ratios
from reference import households as reference
from reference.informed import chances_found, joint_posteriors
from shoal.assessment.linkage_attacks import linkage_attacks
from shoal.assessment.risk.informed import household_linkage
from shoal.assessment.risk.informed.household_linkage import HouseholdAttack
from shoal.assessment.risk.informed.informed_linkage import InformedAttack
from shoal.assessment.risk.informed.member_posterior import MOST_EXACT, MemberPosterior
from shoal.assessment.risk.informed.published_methods import PublishedMethods
from shoal.assessment.risk_limits import check_limits
from shoal.assessment.table_pair import TablePair
from shoal.linkage.intruder import Intruder
from shoal.methods.perturbation.perturbation_method import rng_from_seed
from shoal.schema import Column, Schema

KEY = bytes(32)
NUMBER = {"role": "quasi_identifier", "kind": "numeric"}
NOISE = {"name": "noise", "alpha": 0.3, "columns": ["x", "y"]}


def people(sizes, seed=0):
    rng = np.random.default_rng(seed)
    hh = np.repeat(np.arange(len(sizes)), sizes)
    return pa.table({"hh": hh + 100, "x": rng.normal(size=len(hh)).round(3), "y": rng.normal(size=len(hh)).round(3)})


def policy(*perturbations, hh=None, **columns):
    known = {"hh": hh or {"role": "household"}, "x": NUMBER, "y": NUMBER} | columns
    return {"columns": known, "method": {"name": "none"}, "perturbations": list(perturbations)}


def linkages(table, rules):
    return shoal.protect(table, rules, key=KEY).assessment.linkages


def attack_on(table, method=None, drop=0, seed=1, level=None):
    """The attack on a release in random order, without the last ``drop`` records; and its aligned tables. ``level``: of
    the column x."""
    method = method or shoal.Noise(alpha=0.3, columns=("x", "y"))
    x, y = (Column(name, "quasi_identifier", "numeric", level=of) for name, of in (("x", level), ("y", None)))
    schema = Schema([Column("hh", "household"), x, y])
    released, n = method.perturb(table, schema, rng_from_seed(seed)), len(table)
    order = np.random.default_rng(seed).permutation(n - drop)
    truth = np.full(n, -1)
    truth[order] = np.arange(n - drop)
    aligned = TablePair.of(table, released.take(order), schema).aligned(truth)
    informed = InformedAttack.of(aligned, PublishedMethods((method,)), ("x", "y"))
    found = HouseholdAttack.of(aligned, informed)
    assert found is not None
    return found, aligned


def rows_of(table):
    numbers = table["hh"].to_numpy()
    return [np.flatnonzero(numbers == number) for number in np.unique(numbers)]


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_all_assignments_are_counted(size):
    ratios = np.random.default_rng(size).normal(scale=2, size=(7, size, size))
    ratios[1, 0, : size - 1] = -np.inf
    ratios[2, 0] = -np.inf  # a member who can be none of the records
    found = MemberPosterior(ratios)
    for at, each in enumerate(ratios):
        total, shares = reference.assignment_sum(each)
        assert np.exp(found.log_sums[at]) == pytest.approx(total)
        np.testing.assert_allclose(found.posteriors[at], shares, atol=1e-12)


def test_large_households_are_approximated():
    ratios = np.random.default_rng(4).normal(scale=4, size=(20, MOST_EXACT, MOST_EXACT))
    ratios[0, 0] = -np.inf
    exact, scaled = MemberPosterior(ratios), MemberPosterior(ratios)
    np.testing.assert_allclose(scaled._scaled[0][1:].sum(axis=(1, 2)), MOST_EXACT)
    assert np.isneginf(scaled._log_scales[0])
    assert np.corrcoef(scaled._log_scales[1:], (exact.log_sums - exact._peaks.sum(axis=1))[1:])[0, 1] > 0.9
    assert (scaled._scaled[0].argmax(axis=2) == exact.posteriors.argmax(axis=2))[1:].mean() > 0.85


def test_members_of_large_households_are_found():
    found = linkages(people([MOST_EXACT + 4] * 15), policy(NOISE | {"alpha": 0.05}))
    assert found["households"].risk > 2 * found["informed"].risk


@pytest.mark.parametrize("drop", [0, 3])
def test_who_is_found_is_what_the_twin_finds(drop, monkeypatch):
    monkeypatch.setattr(household_linkage, "BATCH_SIZE", 100)  # several batches, each of whole households
    table = people([3, 1, 2, 3, 4, 2, 1, 3, 2, 4, 2, 3])
    attack, aligned = attack_on(table, drop=drop)
    ratios = all_ratios(attack.informed, len(aligned.released))
    twin = reference.posteriors(ratios, rows_of(aligned.original), rows_of(aligned.released))
    some = np.arange(0, len(table), 2)
    with np.errstate(divide="ignore"):
        expected = chances_found(np.log(twin[some]), aligned.truth[some])
    np.testing.assert_allclose(attack.links(some).chances, expected)


def test_a_released_household_is_that_of_one_household_only():
    """Where everybody is searched for, sums over assignments are scaled as the ratios of single records are."""
    table = people([2] * 30, seed=3)
    attack, aligned = attack_on(table, shoal.Noise(alpha=2.0, columns=("x", "y")))
    ratios, ours, theirs = all_ratios(attack.informed, 60), rows_of(table), rows_of(aligned.released)
    parts = [[reference.assignment_sum(ratios[np.ix_(a, b)]) for b in theirs] for a in ours]
    with np.errstate(divide="ignore"):
        joint = joint_posteriors(np.log([[total for total, _ in row] for row in parts]), suppressed=False)
        scores = np.zeros((60, 60))
        for a, b in np.ndindex(30, 30):
            scores[np.ix_(ours[a], theirs[b])] = joint[a, b] * parts[a][b][1]
        expected = chances_found(np.log(scores), aligned.truth)
    everybody = attack.links(np.arange(60)).chances
    np.testing.assert_allclose(everybody, expected)
    single = np.concatenate([attack.links(np.arange(30)).chances, attack.links(np.arange(30, 60)).chances])
    assert (single != everybody).any()


def test_members_together_are_found_where_none_is_alone():
    found = linkages(people([2, 3, 4] * 40), policy(NOISE | {"alpha": 0.1}))
    assert found["households"].risk > 0.8 > 5 * found["informed"].risk


def test_a_pseudonym_of_several_records_shows_who_belongs_together(tmp_path):
    table = people([3] * 60)
    key_file = tmp_path / "pseudonyms.key"
    key_file.write_text("0" * 64)
    rules = policy(NOISE, hh={"role": "identifier", "pseudonym": str(key_file)})
    made = shoal.protect(table, rules, key=KEY)
    stated = made.assessment.linkages["households"].risk
    assert stated > 3 * made.assessment.linkages["informed"].risk
    assert shoal.assess(table, made.records, rules, key=KEY).linkages["households"].risk == pytest.approx(stated)


@pytest.mark.parametrize("role", ["identifier", "unit"])
def test_without_household_numbers_nothing_changes(role):
    """What is dropped tells nobody who belongs together, and other linkages have the figures that they had."""
    table = people([3] * 60)
    found = linkages(table, policy(NOISE, hh={"role": role}))
    without = shoal.protect(table.drop_columns("hh"), policy(NOISE) | {"columns": {"x": NUMBER, "y": NUMBER}}, key=KEY)
    assert set(found) == set(without.assessment.linkages) == {"distance", "informed"}
    attack, aligned = attack_on(table)
    persons = np.arange(len(table))
    measures = ("distance", "informed")
    published = PublishedMethods((shoal.Noise(alpha=0.3, columns=("x", "y")),))
    before = linkage_attacks(aligned, Intruder(), ("x", "y"), measures, published=published)
    after = linkage_attacks(aligned, Intruder(), ("x", "y"), (*measures, "households"), published=published)
    assert [before.linkages[by].risk for by in measures] == [after.linkages[by].risk for by in measures]
    assert after.linkages["households"].risk == attack.links(persons).chances.mean()


def test_numbers_of_one_record_each_show_nothing():
    assert "households" not in linkages(people([1] * 90), policy(NOISE))


def test_households_of_another_size_are_not_found_and_this_is_said():
    table = people([3] * 20)
    attack, _ = attack_on(table, drop=1)
    assert not attack.links(np.arange(60)).chances[-3:].any()
    assert attack.notes[0].startswith("Households linkage does not find 3 of 60 persons")
    assert not attack_on(table)[0].notes


def test_the_assessment_of_a_file_states_the_same():
    table, rules = people([2, 3] * 40), policy(NOISE)
    made = shoal.protect(table, rules, key=KEY)
    found = shoal.assess(table, made.records, rules, key=KEY)
    assert found.linkages["households"].risk == pytest.approx(made.assessment.linkages["households"].risk)
    assert found.strongest_linkage[0] == "households"


def test_the_limit_is_not_met_where_households_are_found():
    made = shoal.protect(people([2, 3, 4] * 40), policy(NOISE) | {"limits": {"linked_persons": 0.1}}, key=KEY)
    (check,) = check_limits({"linked_persons": 0.1}, made.assessment)
    assert not check.is_met
    assert made.assessment.linkages["informed"].risk < 0.1


def test_households_without_a_number_are_not_taken_to_be_shown():
    """A requirement that takes the numbers of some households leaves their members alone, before the release is written
    as in the file."""
    rng = np.random.default_rng(2)
    columns = {"sex": rng.choice(["f", "m"], 400), "job": rng.choice(["a", "b"], 400, p=[0.9, 0.1])}
    table = pa.table({"hh": np.repeat(np.arange(200), 2), **columns})
    rules = {
        "columns": {
            "hh": {"role": "household"},
            "sex": {"role": "quasi_identifier"},
            "job": {"role": "quasi_identifier"},
        },
        "method": {"name": "none"},
        "perturbations": [{"name": "pram", "stay": 0.7, "columns": ["sex"]}],
        "requirements": [{"name": "k_anonymity", "k": 5}],
    }
    made = shoal.protect(table, rules, key=KEY)
    assert 0 < made.records["hh"].null_count < len(table)
    found = shoal.assess(table, made.records, rules, key=KEY).linkages["households"]
    assert made.assessment.linkages["households"].risk == pytest.approx(found.risk)


def test_a_value_that_members_share_counts_once():
    attack, _ = attack_on(people([2, 3] * 15), level="household")
    shared, own = sorted(attack.informed.search.likelihoods, key=lambda each: each.columns)
    assert attack.shared == {shared}
    ours, theirs = np.array([[2, 3, 4]]), np.array([[5, 6, 7]])
    pairs = np.repeat(ours, 3), np.tile(theirs, (1, 3)).ravel()
    expected = shared.log_ratios(*pairs) / 3 + own.log_ratios(*pairs)
    np.testing.assert_allclose(attack._ratios(ours, theirs).ravel(), expected)


def test_dates_of_a_household_have_one_shift():
    rng = np.random.default_rng(7)
    days = [dt.date(2020, 1, 1) + dt.timedelta(int(day)) for day in rng.integers(0, 60, 150)]
    table = pa.table({"hh": np.repeat(np.arange(50), 3), "day": days})
    columns = {"hh": {"role": "household"}, "day": {"role": "quasi_identifier", "kind": "date"}}
    rules = {
        "columns": columns,
        "method": {"name": "none"},
        "perturbations": [{"name": "date_shift", "days": 30, "columns": ["day"]}],
    }
    found = linkages(table, rules)
    assert found["households"].risk > 0.8 > 10 * found["informed"].risk


def test_large_files_are_sampled(monkeypatch):
    table = people([2, 3] * 60)
    everybody = linkages(table, policy(NOISE))["households"]
    monkeypatch.setattr(household_linkage, "MOST_COMPARED", 45_000)
    some = linkages(table, policy(NOISE))["households"]
    assert everybody.is_counted
    assert 100 <= len(some.persons) < len(table)
    assert some.interval[0] < everybody.risk + 0.1


def test_too_large_files_are_not_searched_and_this_is_said(monkeypatch):
    monkeypatch.setattr(household_linkage, "MOST_COMPARED", 500)
    made = shoal.protect(people([2, 3] * 60), policy(NOISE), key=KEY)
    assert "households" not in made.assessment.linkages
    assert any(note.startswith("Households linkage was not tried") for note in made.assessment.notes)
