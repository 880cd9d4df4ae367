"""The change of every subtotal is shown: by strata, or by the columns that the policy names; small cells are not."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import shoal
from firms_example import INDUSTRIES, firm_policy, firms
from shoal.errors import PolicyError
from shoal.policy import load
from shoal.report import render_html, render_markdown
from shoal.sources import read
from survey_example import shell, write_csv, write_policy


def within(*requirements, **more):
    rules = firm_policy(*requirements, **({"within": ["nace"]} | more))
    rules["columns"]["nace"]["role"] = "other"
    rules["columns"]["weight"]["role"] = "weight"
    return rules


def change(original, released, name, industry, *, weighted):
    """In percent of the release."""
    sums = []
    for table in (original, released):
        amounts = np.array(table[name]) * (np.array(table["weight"]) if weighted else 1.0)
        sums.append(amounts[np.array(table["nace"].to_pylist()) == industry].sum())
    return 100 * abs(sums[0] - sums[1]) / abs(sums[1])


def test_every_industry_keeps_its_total_within_ten_percent():
    table = firms(400)
    release = shoal.protect(table, within())
    found = release.assessment.subtotals
    assert (found.by, found.names) == (("nace",), ("staff", "turnover"))
    assert [cell.values for cell in found.cells] == [(industry,) for industry in INDUSTRIES]
    for cell in found.cells:
        for name, bound in zip(found.names, cell.changes, strict=True):
            assert change(table, release.records, name, cell.values[0], weighted=True) <= bound <= 10


def test_the_change_is_that_of_the_values_as_released():
    """Without strata an industry is the most frequent one of a group: the subtotals change, and that is shown."""
    table, rules = firms(400), firm_policy(output={"totals_by": ["nace"], "shuffle": False})
    release = shoal.protect(table, rules)
    cells = release.assessment.subtotals.cells
    worst = max(change(table, release.records, "turnover", cell.values[0], weighted=False) for cell in cells)
    assert worst > 1
    for cell in cells:
        exact = change(table, release.records, "turnover", cell.values[0], weighted=False)
        assert exact <= cell.changes[1] <= max(2 * exact, 1)
        assert cell.n_records == release.records["nace"].to_pylist().count(cell.values[0])


@pytest.mark.gate(but="memory")
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_the_change_includes_what_top_codes_took(tmp_path, engine):
    """Half of the firms lose what they have above the median, by industries that are recoded as well."""
    table = firms(400)
    rules = firm_policy(output={"totals_by": ["nace"], "shuffle": False})
    rules["columns"]["nace"] |= {"role": "other", "recode": {"merge": {"goods": ["A", "C"]}}}
    rules["columns"]["turnover"]["recode"] = {"top": float(np.median(table["turnover"]))}
    file = tmp_path / "release.csv"
    release = shoal.protect(write_csv(table, tmp_path / "firms.csv"), rules, output=file, engine=engine)
    merged = ["goods" if industry in "AC" else industry for industry in table["nace"].to_pylist()]
    table = table.set_column(2, "nace", pa.array(merged))
    found = release.assessment.subtotals
    assert [cell.values for cell in found.cells] == [("F",), ("G",), ("goods",)]
    for cell in found.cells:
        exact = change(
            table, read(file, kinds={"turnover": "numeric"}).table, "turnover", cell.values[0], weighted=False
        )
        assert 100 < exact <= cell.changes[1] <= 2 * exact


def test_a_missing_value_is_no_category_of_that_name():
    table = firms(400)
    cells = table["nace"].to_pylist()
    cells[:40] = [None, "missing"] * 20
    release = shoal.protect(table.set_column(2, "nace", pa.array(cells)), within())
    found = {cell.values: cell.n_records for cell in release.assessment.subtotals.cells}
    assert (found["missing",], found[None,]) == (20, 20)
    assert list(found)[-1] == (None,)
    assert render_markdown(release.manifest, release.assessment).count("| missing | 20 |") == 2


def test_the_report_and_json_show_them():
    release = shoal.protect(firms(400), within())
    for text in (
        render_html(release.manifest, release.assessment),
        render_markdown(release.manifest, release.assessment),
    ):
        assert "By how much each weighted subtotal by nace changed at most" in text
    shown = release.assessment.to_dict()["subtotals"]
    assert [cell["values"] for cell in shown["cells"]] == [[industry] for industry in INDUSTRIES]


def test_cells_of_few_records_are_not_shown():
    table = firms(400)
    rare = ["rare branch"] * 2 + table["nace"].to_pylist()[2:]
    table = table.set_column(2, "nace", pa.array(rare))
    rules = within(suppression={"limit": 0.1})
    release = shoal.protect(table, rules)
    found = release.assessment.subtotals
    assert found.n_hidden == 1
    assert "rare branch" not in str(found.to_dict())
    page = render_markdown(release.manifest, release.assessment)
    assert "1 cell of fewer than 3 records is not shown" in page
    assert "rare branch" not in page


@pytest.mark.gate
def test_the_engines_agree_and_the_release_does_not_depend_on_it(tmp_path):
    data = write_csv(firms(400), tmp_path / "firms.csv")
    made = {}
    for by in (["nace"], []):
        rules = firm_policy(output={"totals_by": by, "shuffle": False})
        for engine in ("memory", "duckdb"):
            file = tmp_path / f"{engine}{len(by)}.csv"
            release = shoal.protect(data, rules, output=file, engine=engine, key=b"s" * 32)
            made[engine, len(by)] = file.read_bytes(), release.assessment.subtotals
    assert len({cells for cells, _ in made.values()}) == 1
    assert made["memory", 1][1] == made["duckdb", 1][1]
    assert made["memory", 0][1] is None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("firm", "must have role 'quasi_identifier' or 'sensitive' or 'other', but it has role 'identifier'"),
        ("nowhere", "the policy has no column 'nowhere'"),
        ("staff", "has means or intervals of 'staff' instead of its values"),
    ],
)
def test_a_column_without_cells_is_refused(name, words):
    with pytest.raises(PolicyError, match=words):
        load(firm_policy(output={"totals_by": [name]}))


def test_neither_manifest_nor_digest_depends_on_it():
    """An option of the report changes nothing that is published."""
    asked, plain = (load(firm_policy(output={"totals_by": by, "shuffle": False})) for by in (["nace"], []))
    assert asked.summary() == plain.summary()
    assert asked.digest_of_values() == plain.digest_of_values()


@pytest.mark.gate(but="csv")
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_assess_finds_the_subtotals_of_protect(tmp_path, ending):
    """By strata, weighted, with top codes and recoded industries, from the written file alone."""
    table, key = firms(400), b"s" * 32
    rules = within(output={"totals_by": ["nace"]})
    rules["columns"]["nace"]["recode"] = {"merge": {"goods": ["A", "C"]}}
    rules["columns"]["turnover"]["recode"] = {"top": float(np.median(table["turnover"]))}
    file = tmp_path / f"release.{ending}"
    own = shoal.protect(table, rules, output=file, key=key).assessment.subtotals
    found = shoal.assess(table, file, rules, key=key, report=tmp_path / "page.md").subtotals
    assert found == own
    assert [cell.values for cell in found.cells] == [("F",), ("G",), ("goods",)]
    assert "weighted subtotal by nace" in (tmp_path / "page.md").read_text()


def test_assess_finds_the_subtotals_of_an_anatomy():
    """Its second table has the sensitive numbers, group by group."""
    rules = within(turnover="sensitive", output={"representation": "anatomy"})
    release = shoal.protect(firms(400), rules)
    found = shoal.assess(firms(400), release.records, rules, key=release.key.secret).subtotals
    assert found == release.assessment.subtotals
    assert "turnover" in found.names


def test_assess_without_pairs_compares_subtotals_of_another_tool():
    """A policy of roles; one industry lost a tenth of its turnover, and the release has another order."""
    table = firms(400)
    scaled = np.where(np.array(table["nace"].to_pylist()) == "F", 0.9, 1.0) * np.array(table["turnover"])
    released = table.set_column(4, "turnover", pa.array(scaled)).take(list(range(399, -1, -1)))
    rules = firm_policy(output={"totals_by": ["nace"]}, method={"name": "none"}, requirements=[])
    found = shoal.assess(table, released, rules, truth=np.arange(399, -1, -1)).subtotals
    assert {cell.values[0]: cell.changes[1] for cell in found.cells} == {"A": 0, "C": 0, "F": 20, "G": 0}


@pytest.mark.gate(but="memory")
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_subtotals_of_intervals_are_said_to_be_not_measured(tmp_path, engine):
    """In the report, in JSON and in the shell; those of other columns are given."""
    data, file = write_csv(firms(400), tmp_path / "firms.csv"), tmp_path / "release.csv"
    rules = within(turnover="other", output={"representation": "extents"})
    release = shoal.protect(data, rules, output=file, engine=engine, key=b"s" * 32)
    found = release.assessment.subtotals
    assert found.names == ("turnover",)
    assert [str(each) for each in found.not_measured] == [
        "subtotals by nace of staff: not measured: released as intervals, which cannot be added up"
    ]
    assert found.cells
    words = str(found.not_measured[0])
    assert words in render_markdown(release.manifest, release.assessment)
    assert words in render_html(release.manifest, release.assessment)
    (shown,) = found.to_dict()["not_measured"]
    assert (shown["name"], shown["estimate"]) == ("subtotals by nace of staff", None)
    assert words not in str(release.manifest.notes)  # an option of the report changes nothing that is published
    assert shoal.assess(data, file, rules, key=b"s" * 32).subtotals == found


def test_a_release_of_intervals_alone_has_no_cells_and_says_why():
    rules = within(output={"representation": "extents"})
    release = shoal.protect(firms(400), rules)
    found = release.assessment.subtotals
    assert (found.names, found.cells) == ((), ())
    assert [each.name for each in found.not_measured] == ["subtotals by nace of staff, turnover"]
    assert str(found.not_measured[0]) in render_markdown(release.manifest, release.assessment)


def assessed(table, released):
    rules = firm_policy(output={"totals_by": ["nace"]}, method={"name": "none"}, requirements=[])
    return shoal.assess(table, released, rules, truth="position").subtotals


@pytest.mark.gate
def test_what_another_tool_left_out_is_said():
    """Without a number, with intervals instead of numbers, and without the column to add up by."""
    table = firms(400)
    ranges = pa.array(
        [f"[{number // 500 * 500:.0f}, {number // 500 * 500 + 500:.0f})" for number in table["turnover"].to_pylist()]
    )
    for released, told in (
        (table.drop_columns(["turnover"]), "not in the release"),
        (table.set_column(4, "turnover", ranges), "some cells are no numbers, which cannot be added up"),
    ):
        found = assessed(table, released)
        assert found.cells
        assert "turnover" not in found.names
        assert [str(each) for each in found.not_measured] == [f"subtotals by nace of turnover: not measured: {told}"]
    found = assessed(table, table.drop_columns(["nace"]))
    assert (found.names, found.cells) == ((), ())
    assert [each.reason for each in found.not_measured] == [
        "not measured: the release does not have all columns to add up by"
    ]


def test_cells_that_are_all_too_small_are_said_to_be():
    table = firms(12)
    alone = table.set_column(2, "nace", pa.array([f"branch {at}" for at in range(12)]))
    rules = firm_policy(output={"totals_by": ["nace"], "shuffle": False})
    rules["columns"]["nace"]["role"] = "other"
    release = shoal.protect(alone, rules)
    assert (release.assessment.subtotals.cells, release.assessment.subtotals.n_hidden) == ((), 12)
    words = "No subtotal is shown: every cell is of fewer than 3 records."
    assert words in render_markdown(release.manifest, release.assessment)


@pytest.mark.gate
def test_the_shell_says_which_subtotals_are_not_measured(tmp_path):
    data, file = write_csv(firms(400), tmp_path / "firms.csv"), tmp_path / "release.csv"
    policy = write_policy(within(output={"representation": "extents"}), tmp_path / "policy.toml")
    shoal.protect(data, policy, output=file)
    lines = shell("assess", data, file, "--policy", policy).out.splitlines()
    told = "  subtotals by nace of staff, turnover: not measured: released as intervals, which cannot be added up"
    assert lines.index("Not measured") < lines.index(told)
