"""All reproductions on one page: verdicts on made-up rows, and small pieces of the real ones."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from shoal import datasets, reproduce
from shoal.encode.standardize import standardize
from shoal.errors import DatasetError
from shoal.methods.microaggregation.mdav import mdav
from shoal.reproduce import Reproduction, Row, mdav_tables
from shoal.reproduce.blocking import block_pictures
from shoal.reproduce.overview import PAPERS, overview
from shoal.reproduce.overview_page import page
from shoal.reproduce.vmdav import worked_example
from survey_example import shell

ROW = Row.of("Table 3: blocks", "univariate", "L=500", 5000, 5000, holds=True)
FAILING = replace(ROW, row="2^d-tree", ours=260, holds=False)
BLOCKING = Reproduction("blocking", "Blocking", "A note.", (ROW, FAILING), block_pictures.files())
VMDAV = Reproduction("vmdav", "V-MDAV", "A note.", tuple(worked_example.rows()), worked_example.files())


def items(found, name):
    paper = next(one for one in found.papers if one.paper.name == name)
    return {item.item.name: item for item in paper.items}


def test_every_item_has_its_verdict():
    found = items(overview({"blocking": BLOCKING}, {}), "blocking")
    assert found["Table 1"].verdict == "nothing to compute"
    assert found["Table 3"].verdict == "holds in part"
    assert found["Figure 1"].verdict == "drawn again"
    assert found["Figure 1"].picture.startswith("<svg")
    assert found["Table 5"].verdict == "cannot"
    only_failing = replace(BLOCKING, rows=(FAILING,))
    assert items(overview({"blocking": only_failing}, {}), "blocking")["Table 3"].verdict == "does not hold"
    only_holding = replace(BLOCKING, rows=(ROW,))
    assert items(overview({"blocking": only_holding}, {}), "blocking")["Table 3"].verdict == "holds"


def test_a_picture_that_is_not_there_was_not_drawn_again():
    lost = items(overview({"blocking": replace(BLOCKING, extra={})}, {}), "blocking")["Figure 1"]
    assert (lost.verdict, lost.reason) == ("cannot", "the reproduction has no row and no picture of it")


def test_rows_of_no_table_are_those_of_the_text():
    claim = replace(ROW, table="Verdicts: ratios of SSE", row="something new")
    found = overview({"blocking": replace(BLOCKING, rows=(ROW, claim))}, {})
    assert items(found, "blocking")["In the text"].rows == (claim,)
    assert (found.n_rows, found.n_held) == (2, 2)
    assert "In the text" not in items(overview({"blocking": BLOCKING}, {}), "blocking")


def test_the_worked_example_of_vmdav_holds():
    figure = items(overview({"vmdav": VMDAV}, {}), "vmdav")["Figure 1"]
    assert (figure.verdict, figure.n_held) == ("holds", 3)
    assert "<svg" in figure.picture


def test_the_page_links_every_paper_and_says_what_was_not_run():
    further = Reproduction("mdav", "MDAV on the CASC sets", "A note.", (ROW,))
    reasons = {"gensearch": "The file <adult.csv> is not here."}
    everything = overview({"blocking": BLOCKING, "vmdav": VMDAV, "mdav": further}, reasons)
    shown = page(everything)
    for name in ("blocking", "vmdav", "mdav"):
        assert f'href="{name}/table.md"' in shown
    assert "The file &lt;adult.csv&gt; is not here." in shown
    assert shown.count("data:image/svg+xml") == 2  # one of them shows Figures 1 to 3
    assert shown.count("Ours is drawn with Figure 1.") == 2
    assert "5 of 6 numbers hold" in shown
    assert "<script" not in shown
    found = json.loads(everything.to_json())
    assert (found["rows"], found["hold"]) == (6, 5)
    assert [paper["name"] for paper in found["papers"]] == [paper.name for paper in PAPERS]
    assert found["papers"][0]["counts"]["holds in part"] == 2  # Table 3 and Figure 4
    assert all(item["shows"] for paper in found["papers"] for item in paper["items"])


def test_every_figure_of_a_paper_is_described_once():
    for paper in PAPERS:
        names = [item.name for item in paper.items]
        assert len(set(names)) == len(names)
        assert all(item.explains or item.rows or item.picture for item in paper.items)
        assert paper.name in reproduce.NAMES
    assert [sum(item.name.startswith("Figure") for item in paper.items) for paper in PAPERS] == [8, 3, 3, 1, 29]


@pytest.fixture
def small_papers(monkeypatch):
    """Two papers that take no time, and one whose data are not here."""

    def small(name, *, full):
        if name == "mdav":
            raise DatasetError("The data are not here.")
        return {"blocking": BLOCKING, "vmdav": VMDAV}[name]

    monkeypatch.setattr(reproduce, "NAMES", ["blocking", "vmdav", "mdav"])
    monkeypatch.setattr(reproduce, "reproduction", small)


@pytest.mark.gate
def test_the_command_writes_the_page_and_every_paper(small_papers, tmp_path):
    said = shell("reproduce", "all", "--output", tmp_path)
    assert said.code == 1
    assert "mdav: not run. The data are not here." in said.out
    assert "4 of 5 numbers hold." in said.out
    assert {path.name for path in tmp_path.iterdir()} == {"index.html", "overview.json", "blocking", "vmdav"}
    assert (tmp_path / "blocking" / "table.md").exists()
    assert json.loads((tmp_path / "overview.json").read_text())["not_run"] == {"mdav": "The data are not here."}
    assert json.loads(shell("reproduce", "all", "--output", tmp_path, "--json").out)["hold"] == 4
    assert shell("reproduce", "all", "--topologies").code != 0


def test_what_could_not_run_is_a_failure(monkeypatch, tmp_path):
    """Also where every number of the others holds."""
    monkeypatch.setattr(reproduce, "NAMES", ["vmdav"])
    monkeypatch.setattr(reproduce, "reproduction", lambda name, *, full: VMDAV)
    assert shell("reproduce", "all", "--output", tmp_path).code == 0

    def absent(name, *, full):
        raise DatasetError("The data are not here.")

    monkeypatch.setattr(reproduce, "reproduction", absent)
    assert shell("reproduce", "all", "--output", tmp_path).code == 1


def test_every_figure_of_a_row_is_below_its_head():
    head, _, *rows = [line for line in BLOCKING.to_markdown().splitlines() if line.startswith("|")]
    names = [name.strip() for name in head.strip("|").split("|")]
    shown = [dict(zip(names, map(str.strip, row.strip("|").split("|")), strict=True)) for row in rows]
    assert [(row["paper"], row["ours"], row["holds"]) for row in shown] == [
        ("5000", "5000", "yes"),
        ("5000", "260", "NO"),
    ]


@pytest.mark.parametrize(("factor", "holds"), [(1 + 1e-7, True), (1.001, False), (0.999, False)])
def test_a_loss_of_mdav_holds_to_the_last_digit_printed(monkeypatch, factor, holds):
    """On one small set, whose loss is taken for the published one."""
    X = pa.table({"x": [float(n * n % 47) for n in range(40)], "y": [float(7 * n % 41) for n in range(40)]})
    Z = standardize(np.column_stack(X.columns))
    losses = [mdav(Z, k).information_loss(Z) * factor for k in mdav_tables.SIZES]
    monkeypatch.setattr(mdav_tables, "PUBLISHED", {"census": losses})
    monkeypatch.setattr(datasets, "census", lambda: X, raising=False)
    assert [row.holds for row in mdav_tables.reproduce(full=False).rows] == [holds] * len(losses)
