"""Business microdata: who dominates a class is repaired by merging, proved by the run, and not forgotten by verify."""

from __future__ import annotations

from collections import defaultdict

import pyarrow as pa
import pytest

import shoal
from firms_example import firm_policy, firms
from reference import requirements as twin
from shoal.engines.memory import MemoryEngine
from shoal.errors import PolicyError, RequirementError
from shoal.gate.gate import Proof
from shoal.pipeline.verify.prove_file import prove_source
from shoal.policy import load
from shoal.sources import ReadOptions
from survey_example import shell, write_csv, write_policy

DOMINANCE = {"name": "dominance", "share": 0.5, "column": "turnover"}
PERCENT = {"name": "p_percent", "p": 30, "column": "turnover"}
SEVERAL = {"name": "minimum_contributors", "n": 4, "column": "turnover"}
RULES = [DOMINANCE, DOMINANCE | {"contributors": 2, "share": 0.8}, PERCENT, SEVERAL]


def classes_of(release, original, unit=None):
    """The amounts of the contributors of every class of a release whose records are in the order of the original."""
    keys = ["nace", "staff"] + (["turnover"] if "turnover" in release.plan.quasi_identifiers else [])
    found = defaultdict(dict)
    kept = [at for at, group in enumerate(release.groups["group"].to_pylist()) if group is not None]
    rows = zip(*(release.records[name].to_pylist() for name in keys), strict=True)
    for at, key in zip(kept, rows, strict=True):
        who = original[unit][at].as_py() if unit else at
        found[key][who] = found[key].get(who, 0) + original["turnover"][at].as_py()
    return [list(amounts.values()) for amounts in found.values()]


def worst(rule, classes):
    if rule["name"] == "dominance":
        return max(twin.dominance(each, rule.get("contributors", 1)) for each in classes)
    return min((twin.p_percent if rule["name"] == "p_percent" else twin.contributors)(each) for each in classes)


def holds(rule, figure):
    if rule["name"] == "dominance":
        return figure <= rule["share"]
    return figure >= rule.get("p", rule.get("n"))


@pytest.mark.gate(
    but=("dominance-1-mdav-quasi_identifier", "dominance-1-mdav-sensitive", "dominance-1-mondrian-quasi_identifier")
)
@pytest.mark.parametrize("turnover", ["quasi_identifier", "sensitive"])
@pytest.mark.parametrize("method", ["mdav", "mondrian"])
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule['name']}-{rule.get('contributors', 1)}")
def test_classes_are_merged_until_nobody_dominates(rule, method, turnover):
    table = firms()
    loose = shoal.protect(table, firm_policy(turnover=turnover, method={"name": method}))
    assert not holds(rule, worst(rule, classes_of(loose, table)))  # what is asked is not there by itself
    release = shoal.protect(table, firm_policy(rule, turnover=turnover, method={"name": method}))
    figure = worst(rule, classes_of(release, table))
    assert holds(rule, figure)
    verdict = release.manifest.proof["verdicts"][1]
    assert (verdict["column"], verdict["holds"]) == ("turnover", True)
    assert verdict["reached"] == (None if turnover == "quasi_identifier" else pytest.approx(figure))


def test_a_holding_is_one_contributor():
    table, rules = firms(), firm_policy(DOMINANCE)
    rules["columns"]["holding"]["role"] = "unit"
    release = shoal.protect(table, rules | {"suppression": {"limit": 0.2}})
    assert max(twin.dominance(each, 1) for each in classes_of(release, table, "holding")) <= 0.5


@pytest.mark.gate(but="other-mdav")
@pytest.mark.parametrize("method", ["mdav", "mondrian"])
@pytest.mark.parametrize("weight", ["other", "weight"])
def test_the_engines_agree(tmp_path, weight, method):
    data, rules = write_csv(firms(), tmp_path / "firms.csv"), firm_policy(DOMINANCE, PERCENT, method={"name": method})
    rules["columns"]["weight"]["role"], rules["output"]["representation"] = weight, "centroids"
    made = [
        shoal.protect(data, rules, output=tmp_path / f"{engine}.csv", engine=engine, key=b"q" * 32)
        for engine in ("memory", "duckdb")
    ]
    assert (tmp_path / "memory.csv").read_bytes() == (tmp_path / "duckdb.csv").read_bytes()
    assert made[0].manifest.proof["verdicts"] == made[1].manifest.proof["verdicts"]


def proof_with(release, amounts) -> Proof:
    return prove_source(
        release.records, ReadOptions(), release.policy, MemoryEngine(), units=release.units, amounts=amounts
    )


def test_the_gate_counts_by_itself():
    """The same file with other amounts: one firm has more than all others, and the gate says so."""
    release = shoal.protect(firms(), firm_policy(DOMINANCE))
    assert proof_with(release, release.amounts).holds
    amounts = release.amounts["turnover"].to_pylist()
    amounts[7] = 1e9
    fooled = proof_with(release, pa.table({"turnover": amounts}))
    assert not fooled.holds
    assert "dominance of turnover = 0.5" in fooled.failures[0]
    assert "1 of" in fooled.failures[0]


def test_verify_says_what_the_release_does_not_show(tmp_path):
    data = write_csv(firms(), tmp_path / "firms.csv")
    rules = write_policy(firm_policy(DOMINANCE), tmp_path / "policy.toml")
    shoal.protect(data, rules, output=tmp_path / "release.csv")
    proof = shoal.verify(tmp_path / "release.csv", rules)
    assert proof.holds
    assert [verdict.requirement for verdict in proof.verdicts] == ["k_anonymity"]
    assert "single amounts of turnover" in " ".join(proof.notes)


def test_a_sensitive_amount_is_proved_from_the_file_alone(tmp_path):
    data = write_csv(firms(), tmp_path / "firms.csv")
    rules = write_policy(firm_policy(DOMINANCE, turnover="sensitive"), tmp_path / "policy.toml")
    shoal.protect(data, rules, output=tmp_path / "release.csv")
    assert [verdict.requirement for verdict in shoal.verify(tmp_path / "release.csv", rules).verdicts] == [
        "k_anonymity",
        "dominance",
    ]
    lines = (tmp_path / "release.csv").read_text().splitlines()
    cells = lines[5].split(",")
    lines[5] = ",".join([*cells[:2], "99999999", *cells[3:]])
    (tmp_path / "other.csv").write_text("\n".join(lines) + "\n")
    proof = shoal.verify(tmp_path / "other.csv", rules)
    assert [verdict.holds for verdict in proof.verdicts] == [True, False]


def test_what_is_not_a_number_or_not_there_is_refused():
    words = firm_policy({"name": "dominance", "share": 0.5, "column": "nace"})
    with pytest.raises(PolicyError, match=r"requirements\[2\]\.column: column 'nace' is nominal, and only numbers"):
        load(words)
    other = firm_policy(DOMINANCE, turnover="other")
    with pytest.raises(PolicyError, match="must have role 'sensitive' or 'quasi_identifier'"):
        load(other)
    with pytest.raises(PolicyError, match="dominance: gensearch needs a compiled test"):
        shoal.protect(firms(), firm_policy(DOMINANCE, method={"name": "gensearch", "nodes": 10}))
    with pytest.raises(PolicyError, match="is only allowed with a sensitive column where cells are blanked"):
        load(firm_policy(DOMINANCE, local_suppression={}))


def test_what_nobody_can_meet_names_the_nearest_share():
    table = firms(40)
    table = table.set_column(4, "turnover", pa.array([200.0] + [1.0] * 39))
    with pytest.raises(RequirementError, match=r"dominance of 'turnover': share = 0\.5 cannot be met") as said:
        shoal.protect(table, firm_policy(DOMINANCE))
    assert "Require share = 0.8369 or more" in str(said.value)


def test_the_shell_prints_a_figure_without_a_limit(tmp_path):
    """Nobody has any turnover: the others always have more than p percent of nothing."""
    table = firms(40).set_column(4, "turnover", pa.array([0.0] * 40))
    data = write_csv(table, tmp_path / "firms.csv")
    rules = write_policy(firm_policy(PERCENT, turnover="sensitive"), tmp_path / "policy.toml")
    said = shell("protect", data, "--policy", rules, "--output", tmp_path / "release.csv")
    assert (said.code, "p_percent of turnover = 30, reached infinity" in said.out) == (0, True)


def test_the_shell_does_not_take_a_private_figure_for_no_limit(tmp_path):
    data = write_csv(firms(40), tmp_path / "firms.csv")
    rules = write_policy(firm_policy(PERCENT, turnover="quasi_identifier"), tmp_path / "policy.toml")
    said = shell("protect", data, "--policy", rules, "--output", tmp_path / "release.csv")
    assert (said.code, "p_percent of turnover = 30, reached a value that is not published" in said.out) == (0, True)


@pytest.mark.gate(but="dominance0")
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["name"])
def test_a_figure_of_amounts_that_are_not_shown_is_not_published(rule):
    """A share with all of its digits is a ratio of whole numbers: the largest turnover could be solved from it."""
    release = shoal.protect(firms(), firm_policy(rule, turnover="quasi_identifier"))
    (verdict,) = (each for each in release.manifest.proof["verdicts"] if each["requirement"] == rule["name"])
    assert (verdict["holds"], verdict["reached"], verdict["is_private"]) == (True, None, True)
    assert "a value that is not published" in release.report()
    released = shoal.protect(firms(), firm_policy(rule, turnover="sensitive"))
    (shown,) = (each for each in released.manifest.proof["verdicts"] if each["requirement"] == rule["name"])
    assert shown["reached"] is not None
    assert "is_private" not in shown
