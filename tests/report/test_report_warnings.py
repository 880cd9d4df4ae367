"""What lies open beside the classes is said: on top of the report, in the findings and in the shell."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import tomlkit

import shoal
from shoal.assessment.exposure import HOMOGENEOUS, UNIQUE, n_homogeneous_by_wildcards
from shoal.encode.count_table import CountTable
from shoal.report import render_html, render_markdown
from shoal.report.exposure_words import exposure_caution
from survey_example import shell, write_csv, write_policy

N = 240


def table(seed: int = 3, n: int = N) -> pa.Table:
    draw = random.Random(seed)
    return pa.table(
        {
            "age": [draw.randint(18, 80) for _ in range(n)],
            "job": [draw.choice(["clerk", "nurse", "cook"]) for _ in range(n)],
            "pay": [round(draw.uniform(1, 5000), 2) for _ in range(n)],
            "rent": [draw.randint(1, 150) for _ in range(n)],
            "shoes": [draw.randint(1, 3) for _ in range(n)],
            "illness": [draw.choice(["flu", "gout"]) for _ in range(n)],
            "ward": [draw.choice(["A", "B", "C", "D", "E", "F", "G"]) for _ in range(n)],
        }
    )


def policy(method: str = "mdav", **more: Any) -> dict[str, Any]:
    return {
        "columns": {
            "age": {"role": "quasi_identifier", "kind": "numeric", "decimals": 0},
            "job": {"role": "quasi_identifier"},
            "pay": {"role": "other", "kind": "numeric"},
            "rent": {"role": "other", "kind": "numeric"},
            "shoes": {"role": "other", "kind": "numeric"},
            "illness": {"role": "sensitive"},
            "ward": {"role": "sensitive"},
        },
        "requirements": [{"name": "k_anonymity", "k": 3}],
        "method": {"name": method},
    } | more


def records(release: Any, names: list[str]) -> list[tuple[Any, ...]]:
    return list(zip(*(release.records[name].to_pylist() for name in names), strict=True))


def percent_unique(release: Any, names: list[str]) -> float:
    counts = Counter(records(release, names))
    return 100 * sum(1 for n in counts.values() if n == 1) / len(release.records)


def percent_homogeneous(release: Any, name: str) -> float:
    shown: dict[Any, set[Any]] = {}
    rows = records(release, ["age", "job", name])
    for age, job, value in rows:
        shown.setdefault((age, job), set()).add(value)
    return 100 * sum(len(shown[age, job]) == 1 for age, job, _ in rows) / len(rows)


@pytest.mark.parametrize("method", ["mdav", "mondrian"])
def test_the_figures_are_those_of_a_plain_count(method: str) -> None:
    release = shoal.protect(table(), policy(method))
    names = ["pay", "rent", "shoes", "illness", "ward"]
    assert release.findings[UNIQUE].estimate == pytest.approx(percent_unique(release, names))
    for name in ("illness", "ward"):
        found = release.findings[f"{HOMOGENEOUS}, {name}"].estimate
        assert found == pytest.approx(percent_homogeneous(release, name))
    unique, homogeneous = release.assessment.exposures
    assert (unique.kind, unique.columns, unique.limit) == ("unique", ("pay", "rent"), 5)
    assert (homogeneous.kind, homogeneous.limit) == ("homogeneous", 1)
    assert homogeneous.columns[0] == "illness"
    assert homogeneous.share == pytest.approx(percent_homogeneous(release, "illness"))


@pytest.mark.gate
@pytest.mark.parametrize("more", [{}, {"output": {"representation": "anatomy"}}, {"output": {"permute": True}}])
def test_every_engine_warns_alike(tmp_path: Path, more: dict[str, Any]) -> None:
    data = write_csv(table(), tmp_path / "data.csv")
    here, there = (
        shoal.protect(data, policy(**more), output=tmp_path / f"{engine}.csv", engine=engine)
        for engine in ("memory", "duckdb")
    )
    assert here.assessment.exposures == there.assessment.exposures
    assert here.findings == there.findings


def test_nothing_is_said_below_the_limits() -> None:
    release = shoal.protect(table(), policy(warn={"unique": 1, "homogeneous": 1}))
    assert release.assessment.exposures == ()
    page = render_html(release.manifest, release.assessment)
    assert '<div class="verdict holds">' in page
    assert release.findings[UNIQUE].estimate > 50


def test_the_limits_decide_no_release() -> None:
    quiet, loud = (shoal.protect(table(), policy(warn={"unique": at})) for at in (0.0, 1.0))
    assert quiet.manifest.output == loud.manifest.output
    assert quiet.manifest.policy["sha256"] == loud.manifest.policy["sha256"]


def test_columns_that_were_changed_are_not_counted() -> None:
    noise = [{"name": "noise", "alpha": 0.5, "columns": ["pay", "rent"]}]
    release = shoal.protect(table(), policy(perturbations=noise))
    assert release.findings[UNIQUE].estimate == pytest.approx(percent_unique(release, ["shoes", "illness", "ward"]))
    permuted = shoal.protect(table(), policy(output={"permute": True}))
    assert permuted.findings[UNIQUE].estimate == pytest.approx(percent_unique(permuted, ["pay", "rent", "shoes"]))


def test_gaps_that_are_filled_leave_a_column_as_it_is() -> None:
    filled = [{"name": "imputation", "how": "mode", "columns": ["pay"]}]
    release = shoal.protect(table(), policy(perturbations=filled))
    assert release.assessment.exposures[0].columns[0] == "pay"


def merged(into: dict[str, Any], lines: str) -> dict[str, Any]:
    """The policy with the lines of a warning."""
    for key, value in tomlkit.parse(lines).unwrap().items():
        if key == "columns":
            into["columns"] |= value
        elif isinstance(value, list):
            into[key] = into.get(key, []) + value
        else:
            into[key] = {**into.get(key, {}), **value}
    return into


@pytest.mark.gate(but="mdav")
@pytest.mark.parametrize(
    "rules",
    [
        policy(),
        policy("mondrian"),
        policy("none", requirements=[]),
        policy(requirements=[{"name": "k_anonymity", "k": 3, "columns": ["age", "job"]}]),
        policy("none", requirements=[{"name": "k_anonymity", "k": 2}], local_suppression={"blanks": "wildcard"}),
    ],
    ids=["mdav", "mondrian", "nothing asked", "key sets", "wildcards"],
)
def test_the_lines_mend_it(rules: dict[str, Any]) -> None:
    exposures = shoal.protect(table(), rules).assessment.exposures
    assert [exposure.kind for exposure in exposures] == ["unique", "homogeneous"]
    for exposure in exposures:
        mended = shoal.protect(table(), merged({**rules, "columns": {**rules["columns"]}}, exposure.remedy))
        assert exposure.kind not in {left.kind for left in mended.assessment.exposures}


def pasted(text: str, lines: Sequence[str]) -> str:
    """The policy with the lines of a warning as a steward would write them: below the head that a comment names, in
    place of a line of the same key; what begins a list is added at the end."""
    policy_lines, added = text.splitlines(), []
    head = ""
    for line in lines:
        if line.startswith("# in "):
            head = line.removeprefix("# in ").removesuffix(":")
            if head not in policy_lines:
                policy_lines += ["", head]
        elif line.startswith("[[") or not head:
            head = ""
            added.append(line)
        elif line:
            at = policy_lines.index(head) + 1
            end = next((i for i in range(at, len(policy_lines)) if policy_lines[i].startswith("[")), len(policy_lines))
            same = [i for i in range(at, end) if policy_lines[i].split(" =")[0] == line.split(" =")[0]]
            policy_lines[at:end] = [line, *(policy_lines[i] for i in range(at, end) if i not in same)]
    return "\n".join([*policy_lines, *added])


def test_the_lines_shown_fit_into_a_policy_that_has_their_sections() -> None:
    """No head of a section is repeated, which TOML refuses, and the policy with these lines has no such warning."""
    rules = policy(output={"shuffle": False})
    rules["columns"]["pay"]["role"] = "sensitive"
    text = tomlkit.dumps(rules)
    exposures = shoal.protect(table(), rules).assessment.exposures
    assert "[output]" in exposures[0].remedy
    for exposure in exposures:
        lines = exposure_caution(exposure).lines
        assert lines
        heads = [line for line in lines if line.startswith("[") and not line.startswith("[[")]
        assert heads == []
        mended = shoal.protect(table(), tomlkit.parse(pasted(text, lines)).unwrap())
        assert exposure.kind not in {left.kind for left in mended.assessment.exposures}


def test_report_and_shell_name_the_columns_and_the_lines(tmp_path: Path) -> None:
    data, rules = write_csv(table(), tmp_path / "data.csv"), write_policy(policy(), tmp_path / "policy.toml")
    said = shell("protect", data, "--policy", rules, "--output", tmp_path / "out.csv")
    assert said.code == 0
    warnings = [line for line in said.out.splitlines() if line.startswith("warning: ")]
    assert len(warnings) == 2
    assert "'pay' and 'rent'" in warnings[0]
    assert "'illness'" in warnings[1]
    assert "    # in [columns.pay]:" in said.out.splitlines()
    release = shoal.protect(data, rules)
    page, text = (render(release.manifest, release.assessment) for render in (render_html, render_markdown))
    assert '<div class="verdict warns">' in page
    assert "The proof holds, with 2 warnings" in page
    assert "<code># in [columns.pay]:</code>" in page
    assert "**! The proof holds, with 2 warnings.**" in text
    assert page.count('class="caution"') == 2


def test_a_class_without_a_known_value_gives_nothing_away() -> None:
    people = pa.table({"age": [1, 1, 2, 2, 3, 3], "ill": [None, None, "flu", None, "flu", "gout"]})
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "ill": {"role": "sensitive"}}
    release = shoal.protect(people, {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}]})
    assert release.findings[f"{HOMOGENEOUS}, ill"].estimate == pytest.approx(100 / 3)


def test_a_column_with_one_value_tells_nothing_new() -> None:
    people = pa.table({"age": [1, 1, 2, 2], "ill": ["flu"] * 4})
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric", "decimals": 0}, "ill": {"role": "sensitive"}}
    release = shoal.protect(people, {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}]})
    assert release.assessment.exposures == ()


def test_a_limit_that_is_just_reached_is_kept() -> None:
    """Nobody is unique, and no class shares a value: that is not more than nothing."""
    people = pa.table({"age": [1, 1, 2, 2], "ill": ["flu", "gout"] * 2, "town": ["x"] * 4})
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric", "decimals": 0}, "ill": {"role": "sensitive"}}
    columns["town"] = {"role": "other"}
    rules = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}]}
    release = shoal.protect(people, rules | {"warn": {"unique": 0, "homogeneous": 0}})
    assert release.findings[UNIQUE].estimate == release.findings[f"{HOMOGENEOUS}, ill"].estimate == 0
    assert release.assessment.exposures == ()


def test_of_an_anatomy_the_classes_are_its_groups() -> None:
    """Its quasi-identifiers are as they were; who finds a record finds its group."""
    release = shoal.protect(table(), policy(output={"representation": "anatomy"}))
    shown: dict[Any, set[Any]] = {}
    groups = release.groups["group"].to_pylist()
    for group, illness in zip(groups, table()["illness"].to_pylist(), strict=True):
        shown.setdefault(group, set()).add(illness)
    percent = 100 * sum(len(shown[group]) == 1 for group in groups) / N
    assert release.findings[f"{HOMOGENEOUS}, illness"].estimate == pytest.approx(percent)


def test_of_several_sets_of_quasi_identifiers_the_worst_is_told() -> None:
    asked = [{"name": "k_anonymity", "k": 3, "columns": [name]} for name in ("age", "job")]
    release = shoal.protect(table(), policy(requirements=asked))

    def percent(name: str) -> float:
        shown: dict[Any, set[Any]] = {}
        rows = records(release, [name, "illness"])
        for key, illness in rows:
            shown.setdefault(key, set()).add(illness)
        return 100 * sum(len(shown[key]) == 1 for key, _ in rows) / N

    by_age, by_job = percent("age"), percent("job")
    assert by_age > by_job
    assert release.findings[f"{HOMOGENEOUS}, illness"].estimate == pytest.approx(by_age)


def illnesses(cells: Any) -> Any:
    return np.array([-1 if cell is None else ("flu", "gout").index(cell) for cell in cells.to_pylist()])


def test_where_a_blank_may_be_any_value_an_unknown_one_gives_nothing_away() -> None:
    counts = pa.table({"age": ["1", "2", "3", "3"], "ill": [None, "flu", "flu", "gout"], "n": [2, 3, 1, 1]})
    assert n_homogeneous_by_wildcards(CountTable.of(counts), illnesses) == 3


@pytest.mark.parametrize("seed", range(20))
def test_where_a_blank_may_be_any_value_a_class_is_all_that_match(seed: int) -> None:
    """Record by record; who has no known value of their own is found out by those that they match."""
    chance = np.random.default_rng(seed)
    rows = [(*chance.choice([None, *"12345"], 2), chance.choice([None, "flu", "gout"])) for _ in range(12)]
    exposed = 0
    for own in rows:
        matched = [
            row for row in rows if all(a is None or b is None or a == b for a, b in zip(own[:2], row[:2], strict=True))
        ]
        exposed += len({ill for _, _, ill in matched} - {None}) == 1
    counts = Counter(rows)
    columns = {name: [row[at] for row in counts] for at, name in enumerate(("age", "job", "ill"))}
    counted = CountTable.of(pa.table({**columns, "n": list(counts.values())}))
    assert n_homogeneous_by_wildcards(counted, illnesses) == exposed


def test_the_lines_keep_the_kind_of_a_column() -> None:
    unique, _ = shoal.protect(table(), policy()).assessment.exposures
    assert tomlkit.parse(unique.remedy).unwrap()["columns"]["pay"] == {"role": "quasi_identifier", "kind": "numeric"}


def test_no_line_takes_a_column_from_its_requirement() -> None:
    """Only its role would close it, which a requirement needs."""
    rules = policy("none", local_suppression={"blanks": "value"})
    rules["requirements"].append({"name": "distinct_l_diversity", "column": "ward", "l": 2})
    rules["columns"] = {name: rule for name, rule in rules["columns"].items() if name in ("age", "job", "ward")}
    people = table().select(["age", "job"]).append_column("ward", pa.array([f"w{at}" for at in range(N)]))
    unique = shoal.protect(people, rules).assessment.exposures[0]
    assert (unique.kind, unique.columns, unique.remedy) == ("unique", ("ward",), "")


def wide(n_columns: int, role: str) -> tuple[pa.Table, dict[str, Any]]:
    """Many columns: others are unique for every record, sensitive ones alike in every pair."""
    draw = np.random.default_rng(1)
    names = [f"v{at}" for at in range(n_columns)]
    cells = {name: draw.permutation(40) if role == "other" else np.repeat(draw.permutation(20), 2) for name in names}
    columns = {name: {"role": role, **({"kind": "numeric"} if role == "other" else {})} for name in names}
    age = {"role": "quasi_identifier", "kind": "numeric", "decimals": 0}
    asked = {"columns": {"age": age, **columns}}
    return pa.table({"age": np.repeat(np.arange(20), 2), **cells}), policy(**asked, requirements=TWO)


TWO = [{"name": "k_anonymity", "k": 2}]


@pytest.mark.gate(but="other-unique")
@pytest.mark.parametrize(("role", "what"), [("other", "unique"), ("sensitive", "homogeneous")])
def test_of_many_columns_a_few_are_shown_and_the_others_counted(tmp_path: Path, role: str, what: str) -> None:
    data, rules = wide(60, role)
    release = shoal.protect(data, rules)
    (exposure,) = (e for e in release.assessment.exposures if e.kind == what)
    n_blocks = sum(line.startswith("[") for line in exposure.remedy.splitlines())
    assert n_blocks > 50
    files = write_csv(data, tmp_path / "data.csv"), write_policy(rules, tmp_path / "policy.toml")
    said = shell("protect", files[0], "-p", files[1], "-o", tmp_path / "out.csv", "--report", tmp_path / "r.html")
    _, told = said.out.split("in the policy resolve it")
    shown = [line for line in told.splitlines() if line.startswith(("    [[", "    # in ["))]
    assert len(shown) == 5
    assert f"    # and {n_blocks - 5:,} more blocks like these: " in told
    for page in (
        render_html(release.manifest, release.assessment),
        render_markdown(release.manifest, release.assessment),
    ):
        assert page.count("columns.v") < 2 * 5 + 1
        assert f"and {n_blocks - 5} more blocks like these" in page
    assert len(said.out.splitlines()) < 60


def test_the_meaning_of_a_finding_names_some_columns_and_counts_the_others() -> None:
    data, rules = wide(60, "other")
    meaning = shoal.protect(data, rules).findings[UNIQUE].meaning
    assert meaning.endswith("and 48 more.")
    assert meaning.count(", v") == 11
