"""shoal mend."""

import json
import stat

import pytest

import shoal
from shoal.pipeline.mend import mend_search
from survey_example import desk, shell, survey, survey_policy, write_policy

KEPT = ("zip", "grade", "disease", "amount")


def desk_to_mend(folder):
    policy = survey_policy()
    policy["columns"] |= {name: {"role": "identifier"} for name in policy["columns"] if name not in KEPT}
    made = desk(folder, survey(60), policy)
    made.key.write_bytes(b"k" * 32)
    made.key.chmod(0o600)
    return made


@pytest.fixture
def place(tmp_path):
    return desk_to_mend(tmp_path)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What Python finds on such a desk."""
    made = desk_to_mend(tmp_path_factory.mktemp("desk"))
    return shoal.mend(made.data, made.policy)


@pytest.mark.gate
def test_the_shell_mends_as_python_does(place, found):
    said = shell("mend", place.data, "-p", place.policy, "--json")
    assert said.code == 0
    assert json.loads(said.out) == json.loads(json.dumps(found.to_dict()))
    assert found.best is not None


@pytest.mark.gate
def test_words_a_report_and_a_policy(place, found):
    page, mended = place.folder / "mends.html", place.folder / "mended.toml"
    said = shell("mend", place.data, "-p", place.policy, "--report", page, "--write", mended)
    assert said.code == 0
    for word in ("Why records are at risk", "singled out by known columns", "Mend 1: ", "All changes that were tried",
                 *found.best.lines):  # fmt: skip
        assert word in said.out, word
    assert place.files() == {"survey.csv", "policy.toml", "policy.key", "mends.html", "mended.toml"}
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    text = page.read_text(encoding="utf-8")
    assert "for internal use" in text
    assert all(f"<code>{line.replace(chr(34), '&#34;')}</code>" in text for line in found.best.lines)
    release = shoal.protect(place.data, mended, key=place.key)
    assert release.assessment.exposures == ()


@pytest.mark.gate
def test_markdown_has_the_lines_in_a_fence(place, found):
    page = place.folder / "mends.md"
    assert shell("mend", place.data, "-p", place.policy, "--report", page).code == 0
    assert "\n".join(["```toml", *found.best.lines, "```"]) in page.read_text(encoding="utf-8")


def test_older_files_and_inputs_are_kept(place):
    page, before = place.folder / "mends.md", place.policy.read_text()
    page.write_text("mine")
    for words in (("--report", page), ("--write", page), ("--write", place.policy, "--force"),
                  ("--report", place.data, "--force"), ("--report", place.folder / "page.pdf")):  # fmt: skip
        said = shell("mend", place.data, "-p", place.policy, *words)
        assert (said.code, said.out) == (2, ""), words
    assert (page.read_text(), place.policy.read_text()) == ("mine", before)


def test_where_nothing_is_at_risk_nothing_is_written(place):
    policy = survey_policy()
    policy["columns"] = {name: {"role": "identifier"} for name in policy["columns"]} | {"zip": policy["columns"]["zip"]}
    write_policy(policy, place.policy)
    said = shell("mend", place.data, "-p", place.policy, "--write", place.folder / "mended.toml")
    assert said.code == 0
    assert "Nothing to mend" in said.out
    assert "mended.toml was not written" in said.out
    assert "mended.toml" not in place.files()


def test_where_no_change_helps_the_exit_code_says_so(place, monkeypatch):
    """Only changes of k are tried, which leave a column that nobody else has."""
    every = mend_search.candidate_changes

    def of_k(*arguments):
        return tuple(change for change in every(*arguments) if change.title.startswith("k = "))

    monkeypatch.setattr(mend_search, "candidate_changes", of_k)
    monkeypatch.setattr(mend_search, "joint_changes", lambda *_: ())
    monkeypatch.setattr(mend_search, "_advised", lambda _: [])
    mended = place.folder / "mended.toml"
    said = shell("mend", place.data, "-p", place.policy, "--write", mended)
    assert said.code == 1
    assert "No change that was tried removes the risk" in said.out
    assert "k = 6" in said.out
    assert not mended.exists()
