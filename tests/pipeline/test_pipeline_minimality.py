"""protect runs the minimality attack on its own release: what it finds, when it warns, and that its line mends it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
import tomlkit

import shoal
from shoal.engines.protocol import PART
from shoal.errors import SourceError
from shoal.methods.microaggregation.merge import merge_failing
from survey_example import as_parquet, shell, write_policy

NUMBER = {"role": "quasi_identifier", "kind": "numeric", "decimals": 9}  # so that groups alone make the loss
L_DIVERSITY = {"name": "distinct_l_diversity", "column": "illness", "l": 2}
FOUND, GONE = "minimality, illness", "minimality of the suppressed, illness"


def people(n=2000, seed=0):
    chance = np.random.default_rng(seed)
    return pa.table(
        {
            "height": chance.normal(172, 9, n),
            "weight": chance.normal(75, 12, n),
            "illness": chance.choice(["flu", "HIV"], n, p=[0.7, 0.3]),
        }
    )


def policy(asked=(L_DIVERSITY,), **more):
    return {
        "requirements": [{"name": "k_anonymity", "k": 3}, *asked],
        "columns": {"height": NUMBER, "weight": NUMBER, "illness": {"role": "sensitive"}},
        **more,
    }


def names(release):
    return [finding.name for finding in release.findings]


def warned(release):
    return {exposure.kind for exposure in release.assessment.exposures}


def test_merging_by_cost_is_measured_and_warned_of():
    release = shoal.protect(people(), policy())
    found = release.findings[FOUND]
    assert found.interval[0] > found.baseline
    assert found.estimate == pytest.approx(90, abs=5)  # as in docs/minimality.md
    assert "minimality" in warned(release)
    assert FOUND in [finding["name"] for finding in release.private.findings]
    assert "The proof holds, with a warning" in release.report()


def test_the_attack_measures_distances_as_the_grouping_does():
    """A column of weight 0 forms no group, and so the intruder merges as if it were not there."""
    shoes = pa.array(np.random.default_rng(9).normal(42, 3, 800))
    table, weightless, other = people(800).append_column("shoe", shoes), policy(), policy()
    weightless["columns"]["shoe"] = {**NUMBER, "weight": 0}
    other["columns"]["shoe"] = {"role": "other", "kind": "numeric"}
    one, two = (shoal.protect(table, rules, key=bytes(32)) for rules in (weightless, other))
    assert one.groups.equals(two.groups)
    assert one.findings[FOUND] == two.findings[FOUND]


def test_the_line_mends_it_and_its_loss_is_told():
    by_cost = shoal.protect(people(), policy())
    (exposure,) = (each for each in by_cost.assessment.exposures if each.kind == "minimality")
    mended = shoal.protect(people(), {**policy(), **tomlkit.parse(exposure.remedy).unwrap()})
    assert mended.policy.method.decoys == "auto"
    assert "minimality" not in warned(mended)
    loss = mended.findings["SSE / SST of groups merged by pairs"]
    assert loss.baseline == pytest.approx(by_cost.findings["information loss"].estimate, rel=1e-6)
    assert loss.estimate == pytest.approx(mended.findings["information loss"].estimate, rel=1e-6)
    assert loss.estimate > loss.baseline


def test_who_was_suppressed_is_warned_of_and_the_line_keeps_them():
    release = shoal.protect(people(), policy(method={"merge": False}, suppression={"limit": 0.9}))
    found = release.findings[GONE]
    assert found.interval[0] > 85 > 65 > found.baseline
    (exposure,) = release.assessment.exposures
    assert exposure.kind == "suppressed"
    mended = shoal.protect(people(), {**policy(), **tomlkit.parse(exposure.remedy).unwrap()})
    assert mended.manifest.counts["n_suppressed"] == 0
    assert GONE not in names(mended)


@pytest.mark.gate(but="gone")
@pytest.mark.parametrize("method", [{"merge": False}, {}, {"decoys": "auto"}], ids=["gone", "by cost", "pairs"])
def test_small_tables_get_no_figure_that_names_values(method):
    """Of 45 persons a share of 100 % would say of everybody who is missing what they have."""
    for seed in range(10):
        release = shoal.protect(people(45, seed), policy(method=method, suppression={"limit": 1.0}))
        found = [each for each in release.findings if each.name in (FOUND, GONE)]
        assert not [each for each in found if "Nobody can be accused" not in each.meaning]
        assert not warned(release) & {"minimality", "suppressed"}
        untold = [each.name for each in release.assessment.not_measured if "fewer than 30" in each.reason]
        assert [each for each in (FOUND, GONE) if each in (*names(release), *untold)]


def test_where_nobody_looks_at_sensitive_values_there_is_nothing_to_replay():
    assert not [name for name in names(shoal.protect(people(), policy(asked=()))) if name.startswith("minimality")]


def test_where_nothing_was_merged_nobody_is_accused():
    diverse = people().set_column(2, "illness", pa.array([f"illness {at}" for at in range(2000)]))
    assert FOUND not in names(shoal.protect(diverse, policy()))


@pytest.mark.gate
def test_what_is_measured_is_the_same_on_every_engine(tmp_path):
    data, rules = as_parquet(people(600), tmp_path / "people.parquet"), policy(method={"decoys": 0.4})
    made = [
        shoal.protect(data, rules, output=tmp_path / f"{engine}.parquet", engine=engine)
        for engine in ("memory", "duckdb")
    ]
    assert made[0].manifest.output.sha256 == made[1].manifest.output.sha256
    assert made[0].private.findings == made[1].private.findings


def test_missing_values_are_nobody_s_guess():
    some = people().set_column(2, "illness", pa.array([None, *people()["illness"].to_pylist()[1:]]))
    assert 0 < shoal.protect(some, policy()).findings[FOUND].estimate < 100


def test_the_shell_says_what_and_which_line(tmp_path):
    data, rules = as_parquet(people(), tmp_path / "people.parquet"), write_policy(policy(), tmp_path / "policy.toml")
    said = shell("protect", data, "--policy", rules, "--output", tmp_path / "out.csv")
    assert (
        "warning: An intruder who knows the policy and the quasi-identifiers of everybody can form the groups again"
        in said.out
    )
    assert '    decoys = "auto"' in said.out


def test_decoys_merge_more_and_draw_the_same_pairs_every_time():
    auto, some, again = (shoal.protect(people(), policy(method={"decoys": share})) for share in ("auto", 0.3, 0.3))
    assert some.manifest.counts["n_groups"] < auto.manifest.counts["n_groups"]
    assert some.groups.equals(again.groups)


def test_every_pair_a_decoy_halves_the_groups():
    """Where all groups hold already, so that pairs alone decide."""
    rules = policy(asked=())
    plain, doubled = (shoal.protect(people(600), {**rules, "method": more}) for more in ({}, {"decoys": 1.0}))
    assert doubled.manifest.counts["n_groups"] == plain.manifest.counts["n_groups"] // 2


def test_the_column_of_parts_is_reserved():
    with pytest.raises(SourceError, match=PART):
        shoal.protect(people().append_column(PART, people()["height"]), policy())


def test_without_decoys_groups_are_merged_as_before():
    release = shoal.protect(people(600), policy())
    parts = shoal.protect(people(600), policy(asked=())).groups["group"].to_numpy()
    ill = np.unique(people(600)["illness"].to_numpy(), return_inverse=True)[1]

    def holds(partition):
        counted = np.bincount(partition.labels, weights=ill)
        return (counted > 0) & (counted < partition.sizes)

    points = np.column_stack([people(600)[name].to_numpy() for name in ("height", "weight")])
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    expected = merge_failing(points, shoal.Partition(parts), holds).labels
    pairs = set(zip(expected.tolist(), release.groups["group"].to_pylist(), strict=True))
    assert len(pairs) == expected.max() + 1 == release.manifest.counts["n_groups"]


@pytest.mark.parametrize("method", ["global_recoding", pytest.param("gensearch", marks=pytest.mark.gate)])
def test_public_notes_do_not_tell_why_a_stratum_is_missing(method):
    """Eight records of one region, all of them ill alike, or of two regions with too few: what is published is the same
    but for figures of the release; the office reads in the internal report that somebody can be accused."""
    chance, found = np.random.default_rng(1), []
    ages = chance.integers(20, 80, 128)
    for others in (["C"] * 8, ["C", "C", "D", "D", "E", "E", "F", "F"]):
        illness = ["HIV" if at % 2 or at >= 120 else "flu" for at in range(128)]
        table = pa.table({"region": ["A"] * 60 + ["B"] * 60 + others, "age": ages, "illness": illness})
        rules = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "region": {"role": "other"}}
        asked = {"columns": rules | {"illness": {"role": "sensitive"}}, "within": ["region"]}
        asked |= {"method": {"name": method, "suppression": 0.2}, "suppression": {"limit": 0.3}}
        found.append(shoal.protect(table, policy() | asked, key=bytes(32)))
    accused, others = found
    assert [any("can be accused" in note for note in each.manifest.notes) for each in found] == [False, False]
    assert "can be accused" in accused.report("md")
    assert accused.manifest.counts["n_suppressed"] >= 8 <= others.manifest.counts["n_suppressed"]
