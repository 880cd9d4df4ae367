"""What a report says of a cut tree and of the search for it."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.utility.cut_plan import SearchSummary
from shoal.methods.generalization.gensearch_result import SearchProgress
from shoal.report import render_html, render_markdown
from shoal.report.pictures.convergence import Convergence
from shoal.report.pictures.cut_tree_picture import CutTreePicture
from shoal.report.sections.plan_section import MOST_ROWS, proof_sentence, section
from shoal.report.text_nodes import Paragraph, Table
from survey_example import shell, write_csv, write_policy

HOSTILE = "<script>alert(1)</script>|*\x00"


def table(name="age", town="u", n=200):
    chance = np.random.default_rng(4)
    regions = [f"r{at}" for at in range(25)]
    return pa.table(
        {
            name: chance.integers(18, 60, n),
            "town": chance.choice([town, "v", "w"], n),
            "region": [regions[at % 25] for at in range(n)],
        }
    )


def release(method="mondrian", name="age", town="u", **more):
    columns = {
        name: {"role": "quasi_identifier", "kind": "numeric"},
        "town": {"role": "quasi_identifier"},
        "region": {"role": "other"},
    }
    how = {"name": method, "nodes": 2000} if method == "gensearch" else {"name": method}
    policy = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 4}], "method": how} | more
    return shoal.protect(table(name, town), policy)


def told(made):
    return section(made.manifest, made.assessment)


def part(found, kind):
    return next((part for part in found.parts if isinstance(part, kind)), None)


def prose(found):
    return " ".join(part.text for part in found.parts if isinstance(part, Paragraph)).replace("\u00a0", " ")


@pytest.mark.gate(but="mondrian")
@pytest.mark.parametrize("method", ["mondrian", "global_recoding", "gensearch"])
def test_every_method_that_cuts_has_its_tree_drawn(method):
    made = release(method)
    found = told(made)
    picture = part(found, CutTreePicture)
    assert picture.nodes[0].n_records == 200
    (plan,) = made.assessment.plans
    assert plan.n_blocks == made.manifest.counts["n_groups"]
    facts = {row[0].text: row[1].text for row in part(found, Table).rows}
    assert facts["Records per block"] == f"{plan.smallest} to {plan.largest}"
    page = render_html(made.manifest, made.assessment)
    assert '<section id="plan">' in page
    assert "count queries, median error" in page
    assert (part(found, Convergence) is not None) == (method == "gensearch" and len(plan.search.history) > 1)


def test_other_methods_have_none():
    made = shoal.protect(
        table(),
        {
            "columns": {
                "age": {"role": "quasi_identifier", "kind": "numeric"},
                "town": {"role": "other"},
                "region": {"role": "other"},
            },
            "requirements": [{"name": "k_anonymity", "k": 4}],
        },
    )
    assert told(made) is None


def test_markdown_tells_the_nodes_below_each_other():
    made = release()
    lines = render_markdown(made.manifest, made.assessment).splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("- all records, 200 records in"))
    assert re.match(r"  - (age|town): .*, \d+ records in \d+ blocks?$", lines[at + 1])
    assert re.match(r"    - ", lines[at + 2])


def test_the_picture_has_a_line_for_every_node_and_a_list_to_read():
    made = release()
    page = render_html(made.manifest, made.assessment)
    nodes = made.assessment.plans[0].nodes
    found = page[page.index('<section id="plan">') :]
    found = found[: found.index("</section>")]
    assert found.count("<li>") == len(nodes)
    assert 'role="img" aria-label="The first cuts: ' in found
    assert all(found.count(f">{node.n_records:,}<") for node in nodes)


@pytest.mark.gate
def test_names_and_values_of_the_user_are_only_text():
    made = release("gensearch", name=HOSTILE, town=HOSTILE)
    page = render_html(made.manifest, made.assessment)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "<script" not in render_markdown(made.manifest, made.assessment).replace("\\<", "")


def test_cuts_that_the_release_does_not_tell_are_not_told():
    made = release(output={"representation": "centroids"})
    assert made.assessment.plans[0].nodes == ()
    assert "not drawn" in prose(told(made))
    assert not any(finding.name.startswith("count queries") for finding in made.findings)


@pytest.mark.gate
def test_of_many_strata_the_largest_is_drawn_and_the_rest_counted():
    made = release("gensearch", within=["region"])
    found = told(made)
    assert len(made.assessment.plans) == 25
    assert sum(bool(plan.nodes) for plan in made.assessment.plans) == 1
    rows = part(found, Table).rows
    assert len(rows) == MOST_ROWS + 1
    assert rows[0][0].text.startswith("region = r")
    assert rows[-1][0].text == "5 more"
    assert "25 of the 25 plans are proven optimal for the loss discernibility" in prose(found)


SEARCH = SearchSummary(
    "discernibility",
    90.0,
    80.0,
    0.125,
    False,
    7,
    (SearchProgress(0.1, 1, 120.0, 70.0), SearchProgress(20.0, 7, 90.0, 80.0)),
)


def test_both_losses_of_the_plan_and_of_mondrian_stand_side_by_side():
    made = release("gensearch")
    (plan,) = made.assessment.plans
    assert plan.search.loss == "discernibility"
    table = [each for each in told(made).parts if isinstance(each, Table)][-1]
    assert [row[0].text for row in table.rows] == ["gensearch", "Mondrian, strict", "Mondrian, greedy"]
    assert table.rows[0][1].text == f"{plan.search.cost:,.0f}"
    assert table.rows[0][2].text == f"{plan.search.losses[0].certainty:,.0f}"


def test_one_sentence_says_what_was_proved():
    told = proof_sentence(SEARCH).replace("\u00a0", " ")
    assert told == "The cost is at most 12.5 % above the optimum for the loss discernibility."
    assert "is not known" in proof_sentence(replace(SEARCH, gap=float("inf")))
    best = proof_sentence(replace(SEARCH, is_optimal=True))
    assert best == "Proven optimal for the loss discernibility: no hierarchical partition with these cuts costs less."
    made = release()
    (plan,) = made.assessment.plans
    found = section(made.manifest, replace(made.assessment, plans=(replace(plan, search=SEARCH),)))
    assert "started from Mondrian's plan, which costs 120 (discernibility)" in prose(found)
    assert "25 % less" in prose(found)
    assert part(found, Convergence).steps == ((0.1, 120.0, 70.0), (20.0, 90.0, 80.0))


@pytest.mark.gate
@pytest.mark.parametrize("loss", ["discernibility", "certainty"])
def test_wherever_a_proof_is_told_its_loss_is_named(loss, tmp_path):
    data = write_csv(table(n=60), tmp_path / "data.csv")
    columns = {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "town": {"role": "quasi_identifier"},
        "region": {"role": "other"},
    }
    policy = {
        "columns": columns,
        "requirements": [{"name": "k_anonymity", "k": 4}],
        "method": {"name": "gensearch", "loss": loss},
    }
    said = shell(
        "protect", data, "-p", write_policy(policy, tmp_path / "p.toml"), "-o", tmp_path / "out.csv", "--report",
        tmp_path / "report.html",
    )  # fmt: skip
    assert said.code == 0, said.err
    page = (tmp_path / "report.html").read_text()
    for text in (said.out, page):
        sentences = re.findall(r"[^.>\n]*(?:[Pp]roven|optimum)[^.<\n]*", text)
        told = [sentence for sentence in sentences if "as written" not in sentence]
        assert told
        assert all(loss in sentence for sentence in told), told
