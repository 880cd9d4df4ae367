"""Earlier releases in the external edition: what may leave the house is there, and no name, path or small number."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
import tomlkit

import shoal
from shoal.assessment.risk.earlier_summary import EarlierSummary, PersonShare
from shoal.errors import PageError
from shoal.report.external import public_earlier
from shoal.report.external.share_steps import ShareSteps
from yearly_example import policy, write_years

K, N = 5, 300
INVARIANT = [{"name": "k_anonymity", "k": K}, {"name": "m_invariance", "m": 2, "column": "condition"}]
STEPS = ShareSteps(1000, K)


def shown(summary: EarlierSummary, steps: ShareSteps = STEPS) -> dict[str, list[str]]:
    _, told, attacks = public_earlier.section(summary, steps).parts
    return {row[0].text: [cell.text for cell in row[1:]] for row in (*told.rows, *attacks.rows)}


@pytest.mark.parametrize(
    ("summary", "told"),
    [
        (EarlierSummary(1), ["one", "not measured", "not required"]),
        (EarlierSummary(2, K, 2, True), ["two", "k = 5", "m = 2 holds"]),
        (EarlierSummary(3, 7, 3, False), ["three", "k = 7", "m = 3 fails"]),
        (EarlierSummary(11, K - 1, 2), ["more than ten", "fewer than k", "m = 2 not measured"]),
        (EarlierSummary(10, 0), ["ten", "fewer than k", "not required"]),
    ],
)
def test_what_is_told_has_no_number_below_k(summary, told):
    assert [cells[0] for cells in shown(summary).values()][:3] == told


def test_a_release_that_stands_alone_has_no_such_section():
    assert public_earlier.section(None, STEPS) is None


def test_the_strongest_attack_is_rounded_up_in_steps_of_k_of_the_persons_attacked():
    chance = np.random.default_rng(4)
    for _ in range(300):
        n_records, k = int(chance.integers(10, 3000)), int(chance.integers(2, 12))
        shares = tuple(
            PersonShare(100 * int(chance.integers(n + 1)) / n, 100 * int(chance.integers(n + 1)) / n, n)
            for n in chance.integers(1, n_records + 1, 3).tolist()
        )
        found = shown(EarlierSummary(1, below_k=shares), ShareSteps(n_records, k))["Find a person"]
        known = [each for each in shares if each.n_persons >= k]
        if not known:
            assert found == ["not measured", "not measured"]
            continue
        worst = max(known, key=lambda each: (each.share - each.baseline, each.share))
        for text, share in zip(found, (worst.share, worst.baseline), strict=True):
            number = 0.0 if text == "none" else float(re.search(r"\d+", text)[0])
            assert number >= share - 1e-9
            assert (text == "none") == (share == 0)
            assert number in (0.0, 100.0) or min(number, 100 - number) * worst.n_persons >= 100 * k


@pytest.fixture(scope="module")
def years(tmp_path_factory):
    """Originals of two years, the first release, and the second one made alone and with the first."""
    folder = tmp_path_factory.mktemp("years")
    first, _ = write_years(folder, N)
    rules = policy(K, requirements=INVARIANT, suppression={"limit": 0.7})
    (folder / "policy.toml").write_text(tomlkit.dumps(rules), encoding="utf-8")
    protect(folder, first, "Altbestand.csv")
    protect(folder, folder / "year2.csv", "alone.csv")
    return folder


def protect(folder, source, name, **how):
    return shoal.protect(source, folder / "policy.toml", output=folder / name, key=folder / "policy.key", **how)


def assess(folder, name, report):
    return shoal.assess(
        folder / "year2.csv", folder / name, folder / "policy.toml", key=folder / "policy.key",
        earlier=[folder / "Altbestand.csv"], report=report, edition="external",
    )  # fmt: skip


@pytest.mark.gate
def test_both_commands_show_it_and_name_nothing(years, tmp_path):
    for form in ("html", "json"):
        page, of_alone = tmp_path / f"kept.{form}", tmp_path / f"alone.{form}"
        name = f"kept_{form}.csv"
        protect(years, years / "year2.csv", name, earlier=[years / "Altbestand.csv"], report=page, edition="external")
        assess(years, "alone.csv", of_alone)
        for written, told in ((page, ("k = 5", "m = 2 holds")), (of_alone, ("fewer than k", "m = 2 fails"))):
            text = written.read_text(encoding="utf-8")
            assert "Earlier releases that were regarded" in text
            assert all(words in text for words in told)
            assert not re.search(r"altbestand|\.csv|/tmp|person 2", text, re.I)
        assert "k-anonymity together with earlier releases" in page.read_text(encoding="utf-8")
        proof = shoal.check_page(page, years / "year2.csv", years / name, years / "policy.toml")
        assert proof, [str(fault) for fault in proof.faults]


@pytest.mark.gate
def test_the_share_is_that_of_the_findings(years, tmp_path):
    found = assess(years, "alone.csv", tmp_path / "page.json")
    page = json.loads((tmp_path / "page.json").read_text(encoding="utf-8"))
    (section,) = (each for each in page["sections"] if each["name"] == "earlier")
    rows = {row[0]["text"]: [cell["text"] for cell in row[1:]] for row in section["parts"][-1]["rows"]}
    names = ("condition pinned down by earlier releases", *(f"condition of {of} persons pinned down" for of in
             ("departed", "new")))  # fmt: skip
    worst = max((found.findings[name] for name in names), key=lambda each: each.estimate - each.baseline)
    number = int(re.search(r"\d+", rows["Learn a sensitive value"][0])[0])
    assert worst.estimate <= number < worst.estimate + 25
    of_persons = [share.share for share in found.earlier.below_k]
    names = (
        "persons below k, earlier releases",
        "persons below k, linked records",
        "new persons below k, linked records",
    )
    assert sorted(of_persons) == sorted(found.findings[name].estimate for name in names)


@pytest.mark.gate(but="_number-<lambda>0")
@pytest.mark.parametrize(
    ("name", "leaky"),
    [
        ("_number", lambda n: str(n)),
        ("_number", lambda n: f"{n}, of Altbestand.csv"),
        ("_left", lambda summary, k: f"{max(summary.left, 1)} records"),
        ("_row", lambda what, shares, steps: tuple(public_earlier.Cell(t) for t in ("share", "0.31 %", "none"))),
    ],
)
def test_a_leaky_section_fails_the_proof(years, tmp_path, monkeypatch, name, leaky):
    monkeypatch.setattr(public_earlier, name, leaky)
    with pytest.raises(PageError):
        assess(years, "alone.csv", tmp_path / "page.md")
    assert not (tmp_path / "page.md").exists()
