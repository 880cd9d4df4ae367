"""The external edition has nothing that is not declared for it, and the JSON twin says what the page says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import page_schema
import page_texts
import shoal
from page_examples import random_case
from shoal.assessment.comparison import ComparedPolicy, Comparison, PolicyOutcome
from shoal.assessment.risk.attack import Attack
from shoal.errors import PageError, SourceError
from shoal.findings import Finding
from shoal.gate.page.page_proof import PageProof
from shoal.linkage.linkage_risk import Linkage
from shoal.linkage.record_links import Links
from shoal.report import render_release
from shoal.report.external.external_outline import external_comparison
from shoal.report.external.share_steps import ShareSteps
from shoal.report.sections import glossary
from survey_example import shell, survey, survey_policy

FORMS = ("html", "md", "json")


def test_the_files_that_are_made_from_the_code_are_current():
    assert page_schema.PAGE.read_text() == page_schema.schema_text()
    assert page_texts.PAGE.read_text() == page_texts.fixed_texts()


@pytest.mark.parametrize("n_records", [1, 7, 30, 100, 499, 500, 10_000])
@pytest.mark.parametrize("k", [2, 3, 5, 20])
def test_a_step_stands_for_k_records(n_records, k):
    steps = ShareSteps(n_records, k)
    assert steps.step * n_records >= 100 * k or steps.step == 100
    assert 100 % steps.step == 0
    for share in (0.001, 3.3, 50.0, 99.9, 100.0):
        assert share <= steps.at_most(share) < share + steps.step + 1e-9
        assert abs(steps.nearest(share) - share) <= steps.step / 2
        assert steps.nearest(share) % steps.step == 0
    assert steps.up_to(0.0) == "none"
    assert steps.up_to(0.001) == f"up to {steps.step}\u00a0%"


def protected(**more):
    policy = survey_policy(k=3, columns={**survey_policy()["columns"], "household": {"role": "identifier"}}, **more)
    return shoal.protect(survey(200), policy)


@pytest.fixture(scope="module")
def release():
    return protected()


def test_a_new_section_is_not_in_the_external_edition(release, monkeypatch):
    def leaky(manifest, assessment):
        found = glossary.section(manifest, assessment)
        return replace(found, name="leaky", title="Canary of a new section")

    monkeypatch.setattr("shoal.report.outline.SECTIONS", (leaky,))
    made = (release.manifest, release.assessment, "md")
    pages = [render_release(*made, edition, 3) for edition in ("internal", "external")]
    assert ["Canary" in page for page in pages] == [True, False]


def test_an_attack_is_external_only_if_it_is_declared_to_be_about_all(release):
    figure = Finding("canary", 12.34, "Canary of an attack.", baseline=1.0, unit="%")
    attack = Attack("attribute", "a canary", "holds a canary", figure)
    bare = replace(release.assessment, attacks=())
    for is_over_all in (False, True):
        attacks = (replace(attack, is_over_all=is_over_all),)
        page = render_release(release.manifest, bare.with_attacks(attacks), "md", "external", 3)
        assert ("Learn a sensitive value" in page) is is_over_all
        assert "anary" not in page
        assert "12.34" not in page
        assert ("up to 14 %" in page) is is_over_all  # 200 records, k = 3: steps of 2 %


def external_page(release, *figures):
    """Of a release with attacks on sensitive values only."""
    attacks = tuple(Attack("attribute", "somebody", "holds", figure, is_over_all=True) for figure in figures)
    bare = replace(release.assessment, attacks=())
    return render_release(release.manifest, bare.with_attacks(attacks), "md", "external", 3)


def test_of_several_figures_the_one_that_the_release_adds_most_to_is_shown(release):
    """A value that most people share is guessed rightly without the release."""
    common = Finding("of a common value", 90.0, "", baseline=88.0, unit="%")
    rare = Finding("of a rare value", 50.0, "", baseline=10.0, unit="%")
    page = external_page(release, common, rare)
    (row,) = [line for line in page.splitlines() if "Learn a sensitive value" in line]
    assert row.endswith("| up to 50 % | up to 10 % |")


def test_a_share_of_persons_in_classes_of_two_values_is_no_rate_of_right_guesses(release):
    guess = Finding("right guesses of illness", 60.0, "", baseline=50.0, unit="%")
    of_two = Finding("in classes of at most two values of illness", 90.0, "", baseline=0.0, unit="%")
    page = external_page(release, guess, of_two)
    rows = {line.split(" | ")[0].strip("| "): line for line in page.splitlines() if "sensitive value" in line}
    assert rows["Learn a sensitive value"].endswith("| up to 60 % | up to 50 % |")
    assert rows["Narrow a sensitive value down"].endswith("| up to 90 % | none |")


def test_the_external_edition_is_worth_reading(release):
    page = release.report("md", "external")
    for words in ("The proof holds", "k-anonymity", "zip, age, grade, born", "Information loss", "### age", "Glossary"):
        assert words in page
    for secret in ("person", "household"):
        assert f" {secret}," not in page.split("## Glossary")[0]
    assert str(release.manifest.policy["sha256"])[:12] not in page
    assert release.manifest.input.hmac[:12] not in page


@pytest.mark.gate(but=("0-False", "1-False"))
@pytest.mark.parametrize(("n_rare", "is_told"), [(0, False), (1, False), (2, False), (5, True)])
def test_few_rare_or_missing_values_leave_no_trace(n_rare, is_told):
    """k = 5. A row of 0 % that is there with the first such record, and not without, would tell that there is one."""
    table = pa.table({"town": ["Bern", "Zug"] * 60 + [*"CDEFG"][:n_rare], "size": [1, 2] * 60 + [None] * n_rare})
    rules = {"town": {"role": "quasi_identifier"}, "size": {"role": "quasi_identifier", "kind": "numeric"}}
    asked = [{"name": "k_anonymity", "k": 5}]
    made = shoal.protect(table, {"requirements": asked, "method": {"name": "mdav"}, "columns": rules}, key=bytes(32))
    pages = {form: made.report(form, "external") for form in FORMS}
    assert {form: "rarer values" in page for form, page in pages.items()} == dict.fromkeys(FORMS, is_told)
    assert ("| missing |" in pages["md"]) is is_told


def test_nothing_is_written_if_the_proof_of_the_page_fails(tmp_path, monkeypatch):
    from shoal.report.external import public_columns

    monkeypatch.setattr(public_columns, "UNCHANGED", "released unchanged, such as P0001")
    out, page = tmp_path / "release.csv", tmp_path / "page.html"
    with pytest.raises(PageError, match="person") as error:
        shoal.protect(survey(60), survey_policy(), output=out, report=page, edition="external")
    assert "P0001" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_edition_is_refused(tmp_path):
    with pytest.raises(SourceError, match="internal, external"):
        shoal.protect(survey(60), survey_policy(), report=tmp_path / "page.html", edition="public")


def texts_of(node) -> set[str]:
    if isinstance(node, dict):
        return {text for each in node.values() for text in texts_of(each)}
    if isinstance(node, list):
        return {text for each in node for text in texts_of(each)}
    return {node} if isinstance(node, str) else set()


@pytest.mark.parametrize("edition", ["internal", "external"])
def test_the_json_twin_has_the_same_outline(release, edition):
    page, words = json.loads(release.report("json", edition)), release.report("md", edition)
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(page, json.loads(page_schema.PAGE.read_text()))
    assert [f"## {section['title']}" for section in page["sections"]] == [
        line for line in words.splitlines() if line.startswith("## ")
    ]
    assert page["edition"] == edition
    assert page["verdict"]["mark"] in words
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**page, "more": 1}, json.loads(page_schema.PAGE.read_text()))


@pytest.mark.gate
def test_commands_write_every_form_of_both_editions(tmp_path):
    import pyarrow.csv as pa_csv
    import tomlkit

    data, policy, out = tmp_path / "survey.csv", tmp_path / "policy.toml", tmp_path / "release.csv"
    pa_csv.write_csv(survey(80), data)
    policy.write_text(tomlkit.dumps(survey_policy()))
    commands = {
        "html": ("protect", data, "--policy", policy, "--output", out),
        "md": ("assess", data, out, "--policy", policy),
        "json": ("compare", data, "--policy", policy, "--grid", "method.k=3,4"),
    }
    for form, words in commands.items():
        for edition in ("internal", "external"):
            page = tmp_path / f"{edition}.{form}"
            said = shell(*words, "--report", page, "--edition", edition, "--force")
            assert said.code == 0, said
            if words[0] != "compare":  # whose page is proved where it is written: it is about no single release
                assert shoal.check_page(page, data, out, policy).holds is (edition == "external")
            assert page.stat().st_mode & 0o077 == (0o044 if edition == "external" else 0)


@pytest.mark.gate
def test_the_table_of_a_chart_of_policies_has_no_word_that_may_be_a_rare_value(tmp_path):
    table = survey(80)
    words = ["no", "yes", "risk", "frontier", "release", "policy", "up", "percent", *["frequent"] * 72]
    columns = {**survey_policy()["columns"], "word": {"role": "sensitive"}}
    page = tmp_path / "page.md"
    chosen = survey_policy(columns=columns)
    shoal.compare(
        table.append_column("word", pa.array(words)),
        chosen,
        grid={"method.k": [3, 4]},
        report=page,
        edition="external",
    )
    text = page.read_text()
    assert "| Policy | information loss, percent | risk, percent | The frontier |" in text
    assert text.count("Shares are rounded up.") == 1


@pytest.mark.gate
@pytest.mark.parametrize("form", FORMS)
def test_the_page_of_a_release_in_memory_has_no_hash_and_is_proved_again(tmp_path, form):
    page, policy = tmp_path / f"page.{form}", survey_policy()
    release = shoal.protect(survey(80), policy, report=page, edition="external")
    assert "not written to a file" in page.read_text()
    assert shoal.check_page(page, survey(80), release.table, policy)
    written = release.write(tmp_path / "out") / "release.parquet"
    assert shoal.check_page(page, survey(80), written, policy)


@pytest.mark.gate
@pytest.mark.parametrize("first", range(0, 15, 3))
def test_random_tables_have_an_external_edition(tmp_path, first):
    for seed, form in zip(range(first, first + 3), FORMS, strict=True):
        case = random_case(seed)
        page = tmp_path / f"page.{form}"
        shoal.protect(case.table, case.policy, report=page, edition="external", force=True)  # proved, or an error
        assert "secret" not in page.read_text().casefold().replace("secret number", "")


@pytest.mark.gate
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_the_page_is_proved_on_every_engine(tmp_path, engine):
    import pyarrow.parquet as pq

    data = tmp_path / "survey.parquet"
    pq.write_table(survey(300), data)
    policy = survey_policy(columns={**survey_policy()["columns"], "household": {"role": "identifier"}})
    page = tmp_path / f"{engine}.md"
    shoal.protect(
        data, policy, output=tmp_path / "r.parquet", report=page, engine=engine, edition="external", key=bytes(32)
    )
    assert "### age" in page.read_text()


ODD = {
    "one record": pa.table({"a": [1], "b": ["x"]}),
    "all equal": pa.table({"a": [7] * 20, "b": ["x"] * 20}),
    "all different": pa.table({"a": list(range(50)), "b": [f"w{at}" for at in range(50)]}),
    "mostly missing": pa.table({"a": pa.array([None] * 11 + [5], pa.int64()), "b": [*[None] * 11, "x"]}),
    "texts as numbers": pa.table({"a": [float(at) / 3 for at in range(40)], "b": [str(at % 9) for at in range(40)]}),
}


@pytest.mark.gate(but=("one record", "all equal", "mostly missing"))
@pytest.mark.parametrize("name", ODD)
def test_odd_tables(tmp_path, name):
    rules = {"a": {"role": "quasi_identifier", "kind": "numeric"}, "b": {"role": "quasi_identifier"}}
    k = min(3, len(ODD[name]))
    asked = [{"name": "k_anonymity", "k": k}] if k > 1 else []
    method = {} if asked else {"method": {"name": "none"}}
    policy = {"requirements": asked, "columns": rules, **method}
    shoal.protect(ODD[name], policy, report=Path(tmp_path) / "page.md", edition="external")


def test_the_proof_is_public():
    assert shoal.PageProof is PageProof


def linkage_of(n_found: int, n_searched: int, n_population: int) -> Linkage:
    chances = (np.arange(n_searched) < n_found).astype(np.float64)
    persons, ones = np.arange(n_searched), np.ones(n_searched, dtype=np.int64)
    links = Links(persons, np.zeros(n_searched), ones, chances)
    facts = (persons, persons, links, chances * 0 + 1, None, n_population, 1, ("age",), None)
    return Linkage(*facts, n_population=n_population)


def test_policies_are_compared_by_the_upper_end_of_an_estimated_risk(release):
    """The best estimate is a count, 18 %; but of 400 persons drawn from 9,000 another linkage finds 17.5 %, 14.1 % to
    21.5 %."""
    linkages = {"distance": linkage_of(1620, 9000, 9000), "informed": linkage_of(70, 400, 9000)}
    made = PolicyOutcome.of(replace(release.assessment, linkages=linkages), 3, proven=True, seconds=0.1)
    assert made.linked_persons == 18
    frontier, figures, *_ = external_comparison(Comparison((ComparedPolicy("p", {}, made),)), 9000, 5).sections
    assert frontier.parts[1].spots[0].y == 22
    assert figures.parts[1].rows[0][-1].text == "up to 22\u00a0%"


def test_a_counted_risk_has_no_interval_to_add(release):
    linkages = {"distance": linkage_of(1620, 9000, 9000)}
    made = PolicyOutcome.of(replace(release.assessment, linkages=linkages), 3, proven=True, seconds=0.1)
    _, figures, *_ = external_comparison(Comparison((ComparedPolicy("p", {}, made),)), 9000, 5).sections
    assert figures.parts[1].rows[0][-1].text == "up to 18\u00a0%"
