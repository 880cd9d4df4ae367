"""The intruder who knows the method and its parameters, against slow twins and against releases of every method."""

import datetime as dt

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import shoal
from informed_example import N, all_ratios, attack_on, numbers, schema_of, words
from perturbation_examples import PERTURBATIONS
from reference import informed as reference
from shoal.assessment.linkage_attacks import linkage_attacks
from shoal.assessment.risk.informed import candidate_pairs, informed_linkage, joint_posterior
from shoal.assessment.risk.informed.informed_linkage import InformedAttack
from shoal.assessment.risk.informed.published_methods import PublishedMethods
from shoal.assessment.table_pair import TablePair
from shoal.encode.codes import to_codes
from shoal.linkage.intruder import Intruder
from shoal.methods.perturbation.perturbation_method import rng_from_seed
from shoal.schema import Column, Schema


def rows(table):
    return np.column_stack([table[name].to_numpy() for name in table.column_names])


def twin_ratios(aligned, ratio):
    """Sums of ``ratio(original column, released column, own value, shown value)`` over the columns."""
    total = 0.0
    for name in aligned.original.column_names:
        own, shown = aligned.original[name].to_pylist(), aligned.released[name].to_pylist()
        total = total + np.array([[ratio(own, shown, one, other) for other in shown] for one in own])
    return total


@pytest.mark.parametrize("window", ["upward", "centered"])
def test_ratios_of_rank_swapping(window):
    attack, aligned = attack_on(numbers(), shoal.RankSwap(p=20, window=window))
    upward, reach = window == "upward", 12 if window == "upward" else 6
    twin = twin_ratios(aligned, lambda own, _, a, b: reference.rank_swap_ratio(own, a, b, reach, upward=upward))
    np.testing.assert_allclose(all_ratios(attack, N, own_only=True), twin, rtol=1e-9)


@pytest.mark.gate(but="False-independent")
@pytest.mark.parametrize("kind", ["independent", "correlated"])
@pytest.mark.parametrize("corrected", [False, True])
def test_ratios_of_noise(kind, corrected):
    attack, aligned = attack_on(numbers(), shoal.Noise(alpha=0.4, kind=kind, corrected=corrected))
    original, released = rows(aligned.original), rows(aligned.released)
    if corrected:
        released = original.mean(axis=0) + (released - original.mean(axis=0)) * np.sqrt(1.4)
    is_correlated = kind == "correlated"
    twin = np.array(
        [[reference.noise_ratio(original, a, b, 0.4, correlated=is_correlated) for b in released] for a in original]
    )
    found = all_ratios(attack, N)
    np.testing.assert_allclose(found - found[0, 0], twin - twin[0, 0], rtol=1e-6, atol=1e-8)


def test_ratios_of_pram_are_the_posterior_by_its_matrix():
    method = shoal.Pram(stay=0.6)
    attack, aligned = attack_on(words(), method, "nominal")

    columns = [aligned.original[name] for name in aligned.original.column_names]
    matrices = {tuple(c.to_pylist()): method.matrix(Column("v"), to_codes("v", c)).tolist() for c in columns}

    def ratio(own, _, a, b):
        values = sorted(set(own))
        codes = [values.index(value) for value in own]
        return reference.transition_ratio(codes, values.index(a), values.index(b), matrices[tuple(own)])

    np.testing.assert_allclose(all_ratios(attack, N), twin_ratios(aligned, ratio), rtol=1e-9)


def test_ratios_of_data_swapping():
    attack, aligned = attack_on(words(), shoal.DataSwap(rate=0.3), "nominal")
    twin = twin_ratios(aligned, lambda _, shown, a, b: reference.data_swap_ratio(shown, a, b, 0.3))
    np.testing.assert_allclose(all_ratios(attack, N, own_only=True), twin, rtol=1e-9)


def test_ratios_of_unbiased_rounding():
    attack, aligned = attack_on(numbers(), shoal.Rounding(base=0.5, unbiased=True))
    twin = twin_ratios(aligned, lambda _, shown, a, b: reference.rounding_ratio(shown, a, b, 0.5))
    np.testing.assert_allclose(all_ratios(attack, N), twin, rtol=1e-6)


@pytest.mark.parametrize("drop", [0, 9])
@pytest.mark.parametrize("method", [shoal.RankSwap(p=40), shoal.Noise(alpha=1.0), shoal.DataSwap(rate=0.5)])
def test_who_is_found_is_what_the_dense_twin_finds(method, drop, monkeypatch):
    monkeypatch.setattr(candidate_pairs, "BATCH_SIZE", 150)  # several batches, each of whole persons
    monkeypatch.setattr(joint_posterior, "N_EXCHANGES", 0)  # likelihoods of partners count, their posteriors do not
    attack, aligned = attack_on(numbers(), method, drop=drop)
    ratios, truth = all_ratios(attack, N - drop), aligned.truth
    everybody, some = np.arange(N), np.arange(0, N, 2)
    np.testing.assert_allclose(attack.links(some).chances, reference.chances_found(ratios[some], truth[some]))
    with np.errstate(divide="ignore"):
        joint = np.log(reference.joint_posteriors(ratios, suppressed=drop > 0))
    np.testing.assert_allclose(attack.links(everybody).chances, reference.chances_found(joint, truth))


def test_noise_of_many_records_is_searched_for_by_a_tree_with_the_same_result(monkeypatch):
    attack, _ = attack_on(numbers(), shoal.Noise(alpha=0.5))
    persons = np.arange(0, N, 2)
    by_pairs = attack.links(persons)
    monkeypatch.setattr(informed_linkage, "MOST_COMPARED", 10)
    by_tree = attack.links(persons)
    assert (by_tree.records == by_pairs.records).all()
    assert (by_tree.chances == by_pairs.chances).all()


def test_distances_of_swapped_ranks_have_the_density_that_the_likelihood_takes():
    """The share of partners within half of the window is 2^0.5 - 1, not 0.5."""
    n, p = 20_000, 10
    ranks = np.arange(n, dtype=np.float64)[:, None]
    distances = np.abs(shoal.rank_swap(ranks, p=p, seed=3) - ranks)[n // 10 : -n // 10, 0] / (n * p / 100)
    for share in (0.25, 0.5, 0.75):
        assert np.mean(distances < share) == pytest.approx(2**share - 1, abs=0.015)


MIXED = pa.table(
    {
        "age": pa.array(
            np.random.default_rng(1).integers(18, 90, 200), mask=np.random.default_rng(2).random(200) < 0.05
        ),
        "rent": np.random.default_rng(3).gamma(2, 300, 200).round(),
        "born": [dt.date(1950, 1, 1) + dt.timedelta(int(d)) for d in np.random.default_rng(4).integers(0, 9000, 200)],
        "zip": np.random.default_rng(5).choice(list("abcdef"), 200),
        "region": np.random.default_rng(6).choice(["north", "south"], 200),
    }
)
KINDS = {"age": "numeric", "rent": "numeric", "born": "date", "zip": "nominal"}


def policy_with(*perturbations, **more):
    columns = {name: {"role": "quasi_identifier", "kind": kind} for name, kind in KINDS.items()}
    columns["region"] = {"role": "other"}
    return {"columns": columns, "perturbations": list(perturbations), **more}


CASES = {
    "rank_swap": {"name": "rank_swap", "columns": ["age", "rent", "born"], "p": 15},
    "noise": {"name": "noise", "columns": ["age", "rent", "born"], "alpha": 0.2, "corrected": True},
    "mic": {"name": "mic", "columns": ["age", "rent"], "v": 2, "k": 3},
    "top_bottom_code": {"name": "top_bottom_code", "columns": ["age", "rent"], "top_share": 0.2, "put": "mean"},
    "rounding": {"name": "rounding", "columns": ["rent"], "base": 50},
    "unbiased rounding": {"name": "rounding", "columns": ["rent", "born"], "base": 40, "unbiased": True},
    "pram": {"name": "pram", "columns": ["zip"], "stay": 0.5},
    "data_swap": {"name": "data_swap", "columns": ["zip", "rent"], "rate": 0.5},
    "date_shift": {"name": "date_shift", "columns": ["born"], "days": 60},
    "imputation": {"name": "imputation", "columns": ["age"], "how": "hot_deck"},
    "record_swap": {"name": "record_swap", "region": "zip", "keys": ["age"], "rate": 0.2},
    "lossy_image": {"name": "lossy_image", "columns": ["rent"], "quality": 50},
}


def test_every_perturbation_has_a_case():
    assert {case["name"] for case in CASES.values()} == set(PERTURBATIONS)


@pytest.mark.gate(but=("noise-within1", "rank_swap-within0", "rank_swap-within1"))
@pytest.mark.parametrize("within", [[], ["region"]])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_no_true_record_is_excluded_and_the_informed_intruder_finds_no_fewer(case, within):
    assessment = shoal.protect(MIXED, policy_with(case, within=within), key=bytes(32)).assessment
    assert not any("cannot come from the published methods" in note for note in assessment.notes)
    informed, strongest = assessment.linkages["informed"], assessment.strongest_linkage[1]
    assert informed.risk == strongest.risk == max(each.risk for each in assessment.linkages.values())
    attacks = {attack.figure.name: attack for attack in assessment.attacks if attack.subject == "linkage"}
    figure = attacks["linked persons, informed"].figure
    assert figure == assessment.findings["linked persons, informed"]
    assert figure.estimate == pytest.approx(100 * strongest.risk)


def test_a_policy_of_another_release_is_noticed():
    table = numbers()
    schema = schema_of(table, "numeric")
    released = shoal.RankSwap(p=60).perturb(table, schema, rng_from_seed(1))
    aligned = TablePair.of(table, released, schema).aligned(np.arange(N))
    narrow = PublishedMethods((shoal.RankSwap(p=5),))
    found = linkage_attacks(aligned, Intruder(), table.column_names, ("informed",), published=narrow)
    assert any("Is this the policy of the release?" in note for note in found.notes)


def test_two_random_methods_on_one_column_leave_it_out():
    methods = [{"name": "noise", "columns": ["rent"]}, {"name": "rank_swap", "columns": ["rent"]}]
    assessment = shoal.protect(MIXED, policy_with(*methods), key=bytes(32)).assessment
    assert "rent" not in assessment.linkages["informed"].columns
    assert any("leaves out rent: several methods" in note for note in assessment.notes)


HOMES = np.arange(len(MIXED)) // 2
SHARED = MIXED.set_column(1, "rent", MIXED["rent"].take(HOMES)).append_column("home", pa.array(HOMES.astype(str)))


@pytest.mark.parametrize("within", [[], ["region"]])
def test_groups_of_values_that_households_share_are_formed_again(within):
    table = SHARED.set_column(4, "region", MIXED["region"].take(HOMES))
    policy = policy_with(CASES["mic"], within=within)
    policy["columns"]["rent"]["level"], policy["columns"]["home"] = "household", {"role": "household"}
    assessment = shoal.protect(table, policy, key=bytes(32)).assessment
    assert set(assessment.linkages["informed"].columns) == set(KINDS)
    assert not any("cannot come from the published methods" in note for note in assessment.notes)


def test_values_of_households_that_the_release_does_not_show_are_left_out():
    columns = [Column("age", "quasi_identifier", "numeric"), Column("home", "household")]
    schema = Schema([*columns, Column("rent", "quasi_identifier", "numeric", level="household")])
    method = shoal.Mic(columns=("age", "rent"), v=2, k=3)
    released = method.perturb_by_level(SHARED, schema, rng_from_seed(1)).drop_columns(["home"])
    aligned = TablePair.of(SHARED, released, schema).aligned(np.arange(len(SHARED)))
    found = InformedAttack.of(aligned, PublishedMethods((method,)), ("age", "rent"))
    assert found == "its method changed households as one, which the release does not show"


IMPUTE, SWAP = (
    {"name": "imputation", "columns": ["age"], "how": "hot_deck"},
    {**CASES["data_swap"], "columns": ["rent"]},
)


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        (IMPUTE, CASES["mic"], {"age", "rent"}),
        (SWAP, CASES["mic"], {"age", "rent"}),
        (IMPUTE, CASES["top_bottom_code"], {"age"}),
    ],
)
def test_what_is_computed_from_random_values_is_left_out(before, after, names):
    assessment = shoal.protect(MIXED, policy_with(before, after), key=bytes(32)).assessment
    assert set(assessment.linkages["informed"].columns) == set(KINDS) - names
    assert not any("cannot come from the published methods" in note for note in assessment.notes)


def test_imputed_values_may_be_rounded():
    rounded = {"name": "rounding", "columns": ["age"], "base": 5}
    assessment = shoal.protect(MIXED, policy_with(IMPUTE, rounded), key=bytes(32)).assessment
    assert "age" in assessment.linkages["informed"].columns
    assert not any("cannot come from the published methods" in note for note in assessment.notes)


def test_an_intruder_with_rough_knowledge_does_not_try_it():
    table = numbers()
    aligned = TablePair.of(table, table, schema_of(table, "numeric")).aligned(np.arange(N))
    rough = Intruder(precision={"x": 1.0})
    found = linkage_attacks(aligned, rough, table.column_names, published=PublishedMethods((shoal.RankSwap(p=20),)))
    assert "informed" not in found.linkages
    assert any("only roughly" in note for note in found.notes)


GROUPS = {"method": {"name": "mdav", "k": 3}, "requirements": [{"name": "k_anonymity", "k": 3}]}


@pytest.mark.parametrize("method", ["mdav", "mondrian"])
def test_groups_formed_again_leave_the_size_of_the_class(method):
    policy = policy_with(method={"name": method}, requirements=GROUPS["requirements"])
    release = shoal.protect(MIXED, policy | {"output": {"representation": "centroids"}}, key=bytes(32))
    n_classes = len(release.records.select(list(KINDS)).group_by(list(KINDS)).aggregate([]))
    assert release.assessment.linkages["informed"].risk == pytest.approx(n_classes / len(MIXED))


def test_a_column_that_distinguishes_nobody_does_not_keep_groups_from_being_formed_again():
    same = MIXED.append_column("country", pa.array([1.0] * len(MIXED)))
    policy = policy_with(**GROUPS)
    policy["columns"]["country"] = {"role": "quasi_identifier", "kind": "numeric"}
    release = shoal.protect(same, policy, key=bytes(32))
    n_classes = len(release.records.select(list(KINDS)).group_by(list(KINDS)).aggregate([]))
    assert release.assessment.linkages["informed"].risk == pytest.approx(n_classes / len(MIXED))


@pytest.mark.gate
def test_who_lacks_a_column_does_not_form_groups_again():
    policy = policy_with(**GROUPS)
    release = shoal.protect(MIXED, policy, key=bytes(32))
    found = shoal.assess(MIXED, release.records, policy, intruder=Intruder(columns=("age", "rent")), key=bytes(32))
    assert "informed" not in found.linkages
    assert any("columns that the intruder does not hold" in note for note in found.notes)


@pytest.mark.parametrize("blanks", ["value", "wildcard"])
def test_of_blanked_cells_the_compatible_records_are_left(blanks):
    """An intruder who takes a blank for any value finds at least those who fit one record only."""
    table = words(n=150)
    columns = {name: {"role": "quasi_identifier"} for name in table.column_names}
    requirements = [{"name": "k_anonymity", "k": 2}]
    policy = {"columns": columns, "requirements": requirements, "local_suppression": {"blanks": blanks}}
    released = shoal.protect(table, policy, key=bytes(32)).records
    found = shoal.assess(table, released, policy, key=bytes(32))
    persons, records = (list(zip(*each.to_pydict().values(), strict=True)) for each in (table, released))
    fits = np.array(
        [[all(b in (None, a) for a, b in zip(one, other, strict=True)) for other in records] for one in persons]
    )
    truth = found.linkages["informed"].truth
    alone = (fits.sum(axis=1) == 1) & (truth >= 0)
    assert fits[alone, truth[alone]].all()
    np.testing.assert_array_equal(found.linkages["informed"].chances[alone], 1)
    assert found.linkages["informed"].risk >= max(each.risk for each in found.linkages.values())


def test_groups_that_depend_on_sensitive_values_are_not_formed_again():
    table = MIXED.append_column("disease", pa.array(np.random.default_rng(7).choice(["flu", "gout"], 200)))
    policy = policy_with(**GROUPS)
    policy["columns"]["disease"] = {"role": "sensitive"}
    policy["requirements"] = [*GROUPS["requirements"], {"name": "distinct_l_diversity", "l": 2, "column": "disease"}]
    assessment = shoal.protect(table, policy, key=bytes(32)).assessment
    assert "informed" not in assessment.linkages
    assert any("groups depend on sensitive values" in note for note in assessment.notes)


def test_without_a_policy_it_is_said_not_to_be_measured():
    table = numbers()
    found = shoal.assess(table, table, schema_of(table, "numeric"), truth="position")
    assert "linked persons, informed" in [figure.name for figure in found.not_measured]
    assert found.strongest_linkage[1].risk == 1


@pytest.mark.gate
def test_both_engines_have_the_same_figure(tmp_path):
    source = tmp_path / "in.csv"
    pyarrow.csv.write_csv(MIXED, source)
    policy = policy_with(CASES["rank_swap"], CASES["pram"], within=["region"])
    risks = [
        shoal.protect(source, policy, output=tmp_path / f"{engine}.csv", engine=engine, key=bytes(32))
        .assessment.linkages["informed"]
        .risk
        for engine in ("memory", "duckdb")
    ]
    assert risks[0] == risks[1]


@pytest.mark.gate
@pytest.mark.usefixtures("reference_data")
@pytest.mark.parametrize(("p", "bar"), [(15, 0.85), pytest.param(20, 0.60, marks=pytest.mark.long)])
def test_census_is_found_as_often_as_the_window_allows(p, bar):
    """The bars are those of an attack that only excludes records outside of the window."""
    census = shoal.datasets.census()
    for seed in range(3):
        attack, _ = attack_on(census, shoal.RankSwap(p=p), seed=seed)
        assert not attack.notes
        everybody = attack.links(np.arange(len(census))).chances.mean()
        alone = attack.links(np.arange(1, len(census))).chances.mean()  # without the rule that records have one person
        assert everybody >= alone > bar


def test_the_bounded_score_takes_the_strongest_linkage_and_the_published_one_does_not():
    score = shoal.Score(20, 40, 10, 6, other_linkage=90)
    assert score.disclosure_risk == 0.5 * 40 + 0.25 * 10 + 0.25 * 6
    assert score.bounded_risk == 0.5 * 40 + 0.5 * 90
    assert score.bounded(10) == 0.5 * 10 + 0.5 * score.bounded_risk
