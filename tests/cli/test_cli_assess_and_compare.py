"""shoal assess and shoal compare."""

import json
import re
import shutil
from contextlib import contextmanager

import pytest

import shoal
from shoal import progress
from shoal.report.figure_families import worst_findings
from shoal.report.finding_subjects import ATTRIBUTE, IDENTITY, LOSS, PARTIAL, SCORE, SUBJECTS
from survey_example import Desk, desk, of_records, shell, survey_policy, write_policy


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    at = desk(tmp_path_factory.mktemp("first"), policy=of_records(survey_policy()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shoal.sources.key_file.new_secret", lambda: bytes(range(32)))
        shoal.protect(at.data, at.policy, output=at.release, key=at.policy.with_suffix(".key"))
    return at


@pytest.fixture
def made(first, tmp_path):
    """A copy of the files of one release, to which a test may add others."""
    shutil.copytree(first.folder, tmp_path, dirs_exist_ok=True)
    return Desk(tmp_path)


@pytest.mark.gate
def test_the_shell_assesses_as_python_does(made):
    said = shell("assess", made.data, made.release, "--policy", made.policy, "--json")
    assert said.code == 0
    found = shoal.assess(made.data, made.release, made.policy)
    assert json.loads(said.out) == json.loads(json.dumps(found.to_dict()))
    assert found.findings["k reached"].estimate >= 3


@pytest.mark.gate
def test_words_and_a_report(made):
    page = made.folder / "assess.html"
    said = shell("assess", made.data, made.release, "--policy", made.policy, "--report", page)
    assert said.code == 0
    for word in ("k reached", "linked persons, distance", "score", "information loss", "The report was written to"):
        assert word in said.out
    text = page.read_text(encoding="utf-8")
    for title in ("The score", "Remaining disclosure risk", "Information loss"):
        assert title in text
    again = shell("assess", made.data, made.release, "--truth", "position", "--report", page)
    assert again.code == 2
    assert page.read_text(encoding="utf-8") == text


@pytest.mark.gate
def test_limits_of_the_policy_are_answered_everywhere(made):
    rules = {**of_records(survey_policy()), "limits": {"linked_persons": 0.01, "suppressed": 1.0}}
    policy, page = write_policy(rules, made.folder / "limits.toml"), made.folder / "assess.md"
    command = ("assess", made.data, made.release, "--policy", policy, "--key", made.policy.with_suffix(".key"))
    said = shell(*command, "--report", page)
    assert re.search(r"limit linked_persons, at most 1\s%: .* \(not met\)", said.out)
    assert re.search(r"limit suppressed, at most 100\s%: .* \(met\)", said.out)
    assert "The policy sets risk limits" in page.read_text(encoding="utf-8")
    assert [each["met"] for each in json.loads(shell(*command, "--json").out)["limits"]] == [False, True]


@pytest.mark.gate
def test_what_the_intruder_knows_can_be_said(made):
    said = shell("assess", made.data, made.release, "--policy", made.policy, "--known", "age", "--precision", "age=10",
                 "--persons", 0.5, "--json")  # fmt: skip
    linked = json.loads(said.out)["linkages"]["distance"]
    assert (linked["columns"], linked["n_known"]) == (["age"], 20)


def test_bad_files_are_told(made):
    short = made.folder / "short.csv"
    short.write_text("".join(made.release.read_text().splitlines(keepends=True)[:9]))
    said = shell("assess", made.data, short, "--policy", made.policy)
    assert (said.code, "was not made from this original" in said.err) == (2, True)
    said = shell("assess", made.data, short, "--truth", "position")
    assert (said.code, "which records belong together" in said.err) == (2, True)


@pytest.mark.gate
def test_the_shell_compares_as_python_does(made):
    said = shell("compare", made.data, "--policy", made.policy, "--grid", "requirements.0.k=3,4",
                 "--grid", "method.name=mdav,mondrian", "--json")  # fmt: skip
    lines = json.loads(said.out)
    assert said.code == 0
    assert [tuple(line["settings"].values()) for line in lines] == [
        (3, "mdav"), (3, "mondrian"), (4, "mdav"), (4, "mondrian"),
    ]  # fmt: skip
    grid = {"requirements.0.k": [3, 4], "method.name": ["mdav", "mondrian"]}
    found = shoal.compare(made.data, made.policy, grid=grid)
    assert [line["release"]["score"] for line in lines] == [tried.outcome.score.to_dict() for tried in found.policies]
    assert [line["on_frontier"] for line in lines].count(True) == len(found.frontier)


@pytest.mark.gate
def test_assess_and_compare_give_the_same_bounded_score(made):
    """assess also prints the published one, and says of each what it is."""
    said = shell("assess", made.data, made.release, "--policy", made.policy)
    (compared,) = json.loads(shell("compare", made.data, "--policy", made.policy, "--json").out)
    lines = said.out.splitlines()
    for name, value in (
        ("score", compared["release"]["score"]["score"]),
        ("bounded score", compared["release"]["bounded_score"]),
    ):
        at = lines.index(f"  {name}: {value:.4g}")
        assert "half" in lines[at + 1]


@pytest.mark.gate
def test_the_shell_groups_the_findings_by_subject(made):
    """Every finding once, of four columns the worst, under its subject, in the order of the subjects."""
    lines = shell("assess", made.data, made.release, "--policy", made.policy).out.splitlines()
    found = shoal.assess(made.data, made.release, made.policy)
    names = [finding.name for finding in worst_findings(found.findings, found.not_measured)]
    assert len(names) < len(found.findings)
    assert "The worst of several columns stands for all of them; --json prints the figures of all." in lines
    shown = [subject for subject in SUBJECTS if subject in lines]
    at = [lines.index(subject) for subject in shown]
    assert at == sorted(at)
    printed = [line.strip().split(": ")[0] for line in lines[at[0] :] if line.startswith("  ")]
    assert sorted(name for name in printed if name in names) == sorted(names)
    place = {name: lines.index(next(line for line in lines if line.startswith(f"  {name}: "))) for name in names}
    for name, subject in (
        ("k reached", IDENTITY),
        ("linked persons, distance", IDENTITY),
        ("interval disclosure of age", ATTRIBUTE),
        ("unique on two columns", PARTIAL),
        (next(name for name in names if name.startswith("information loss of ")), LOSS),
        ("suppressed records", LOSS),
        ("bounded score", SCORE),
    ):
        assert at[shown.index(subject)] < place[name] < [*at, len(lines)][shown.index(subject) + 1]


@pytest.mark.gate
def test_every_long_stage_of_an_assessment_is_reported(made):
    stages = []

    @contextmanager
    def listener(what, total):
        stages.append(what)
        yield lambda done: None

    with progress.report_to(listener):
        shoal.assess(made.data, made.release, made.policy)
    for what in ("reading both tables", "repeating the release", "counting classes and losses", "distance linkage",
                 "estimating weights of agreement", "rank linkage", "comparing numbers"):  # fmt: skip
        assert what in stages


@pytest.mark.gate
def test_the_shell_says_first_what_the_intruder_knows(made):
    """assess: the quasi-identifiers; link: all columns; both: what --known names."""
    pair = (made.data, made.release, "--policy", made.policy)
    start = "The intruder of linkage knows"
    assert shell("assess", *pair).out.startswith(f"{start} zip, age, grade and born (all quasi-identifiers).")
    linked = shell("link", *pair).out.splitlines()[0]
    assert linked.startswith(f"{start} household, zip, age, grade, born, disease, amount and note (every column")
    for command in ("assess", "link"):
        assert shell(command, *pair, "--known", "age").out.startswith(f"{start} age (given by --known).")


@pytest.mark.gate
def test_any_two_policies_are_compared_by_their_numbers(made):
    said = shell("compare", made.data, "--policy", made.policy, "--grid", "requirements.0.k=3,5", "--pair", "2,1")
    assert said.code == 0
    section = said.out.partition("Which of two is better\n")[2].partition("\n\n")[0]
    assert re.match(r"- [12] loses .* than [12]", section)
    for wrong in ("2", "1,x", "1,2,3"):
        refused = shell("compare", made.data, "--policy", made.policy, "--pair", wrong)
        assert (refused.code, "two numbers of policies" in refused.err) == (2, True)
    refused = shell("compare", made.data, "--policy", made.policy, "--pair", "1,2")
    assert (refused.code, "are not two releases of the comparison" in refused.err) == (2, True)


@pytest.mark.gate
def test_a_policy_that_cannot_be_met_is_a_line(made):
    far = write_policy(survey_policy(1000), made.folder / "far.toml")
    words = shell("compare", made.data, "--policy", made.policy, "--policy", far)
    assert words.code == 0
    assert {"1. policy", "2. far"} <= set(words.out.splitlines())
    first, second = (line.split() for line in words.out.splitlines() if re.match(r" *[12]  ", line))
    assert first[:3] == ["1", "3", "yes"]
    assert second == ["2", "not", "met"]


@pytest.mark.gate
def test_figures_are_a_plain_table_of_80_columns(made):
    """No markup, no line is cut or wider than a terminal, and every column of figures ends at one place."""
    said = shell("compare", made.data, "--policy", made.policy, "--grid", "requirements.0.k=3,4,5,6,7",
                 "--grid", "method.name=mdav,mondrian")  # fmt: skip
    assert said.code == 0
    assert max(map(len, said.out.splitlines())) <= 80
    assert not [mark for mark in ("|", "**", "##", "<br>") if mark in said.out]
    rows = [line for line in said.out.splitlines() if re.match(" *[0-9]+  .*\u00a0s *$", line)]
    assert len(rows) == 10
    assert "10. policy (k = 7, method = mondrian)" in said.out
    ends = [{match.end() for match in re.finditer(r"yes|[0-9.]+\u00a0[%s]", row)} for row in rows]
    assert all(end == ends[0] for end in ends)
    assert "warning" in said.out.lower()


def test_nothing_met_is_a_failure_and_bad_words_are_told(made):
    far = write_policy(survey_policy(1000), made.folder / "far.toml")
    assert shell("compare", made.data, "--policy", far).code == 1
    for grid in ("method.k", "=3", "method.k="):
        said = shell("compare", made.data, "--policy", made.policy, "--grid", grid)
        assert (said.code, "key=value" in said.err) == (2, True)


def test_a_setting_that_no_policy_has_is_an_error(made):
    said = shell("compare", made.data, "--policy", made.policy, "--grid", "method.kk=3,5")
    assert (said.code, "method.kk: there is no such key" in said.err) == (2, True)


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "{data}", "--policy", "{policy}", "--report", "{page}"],
        ["assess", "{data}", "{data}", "--report", "{page}"],
        ["protect", "{data}", "--policy", "{policy}", "--output", "{folder}/x.csv", "--report", "{page}"],
        ["som", "{data}", "--output", "{page}"],
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("page", ["page.pdf", "page.htmlx", "page"])
def test_a_page_of_another_format_is_refused_before_any_work(made, words, page):
    names = {"data": made.data, "policy": made.policy, "folder": made.folder, "page": made.folder / page}
    before = set(made.folder.iterdir())
    said = shell(*(word.format(**names) for word in words))
    assert (said.code, "It can be written as .html" in said.err) == (2, True)
    assert set(made.folder.iterdir()) == before


@pytest.mark.gate
def test_a_reason_that_many_figures_share_is_printed_once(made):
    lines = shell("assess", made.data, made.release).out.splitlines()
    unmeasured = lines[lines.index("Not measured") + 1 :]
    assert sum("needs --policy (for a release of another tool: --id or --truth)" in line for line in unmeasured) == 1
    found = shoal.assess(made.data, made.release)
    for figure in found.not_measured:
        assert sum(figure.name in line.split(": ")[0].strip().split("; ") for line in unmeasured) == 1
