"""What cannot be seen, or turns and hides what is around it, is written out: on pages and in the shell."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import shoal
from shoal.errors import visible
from shoal.report import render_assessment, render_comparison, render_html, render_map, render_map_svg, render_markdown
from survey_example import shell, write_csv, write_policy

UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
NAME = "pay\u202eevil\x1b[31m\x85 \u2066x\u200f\u2028\x07y\u2069"
SHOWN = r"pay\u202eevil\x1b[31m\x85 \u2066x\u200f\u2028\x07y\u2069"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain, e\u0301, 年齢, 🐟", "plain, e\u0301, 年齢, 🐟"),
        (NAME, SHOWN),
        ("a\nb\tc", r"a\nb\tc"),
        ("\u2068a\u2069", r"\u2068a\u2069"),
        ("of \u2068\u05d2\u05d9\u05dc\u2069 and", "of \u2068\u05d2\u05d9\u05dc\u2069 and"),  # as pages isolate a name
        ("of \u2068\u0639\u0645\u0631\u2069 and", "of \u2068\u0639\u0645\u0631\u2069 and"),
        ("\u2068\u05d2\u202e\u05dc\u2069", "\\u2068\u05d2\\u202e\u05dc\\u2069"),
        ("\u2068\u05d2\u2068\u05dc\u2069", "\\u2068\u05d2\u2068\u05dc\u2069"),
        ("\udc80", r"\udc80"),
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),  # a joiner is part of how a word is written
    ],
)
def test_only_what_misleads_is_written_out(text: str, expected: str) -> None:
    assert visible(text) == expected


def table(n: int = 60) -> pa.Table:
    half = [at % 2 for at in range(n)]
    return pa.table(
        {
            NAME: pa.array([float(at % 20) for at in range(n)]),
            "job": [NAME if at else "clerk" for at in half],
            "\u202eill": ["flu" if at else NAME for at in half],
        }
    )


def policy(method: str = "mdav", **more: Any) -> dict[str, Any]:
    return {
        "columns": {
            NAME: {"role": "quasi_identifier", "kind": "numeric"},
            "job": {"role": "quasi_identifier"},
            "\u202eill": {"role": "sensitive"},
        },
        "requirements": [{"name": "k_anonymity", "k": 3}],
        "method": {"name": method},
    } | more


@cache
def pages() -> dict[str, str]:
    made = {method: shoal.protect(table(), policy(method)) for method in ("mdav", "mondrian")}
    from shoal.pipeline.som import chart as map_of

    chart = map_of(table(), policy("micro_som"), label="job")
    comparison = shoal.compare(table(), [policy()])
    assessment = shoal.assess(table(), made["mdav"].records, policy())
    return {
        **{f"report of {name}": render_html(one.manifest, one.assessment) for name, one in made.items()},
        **{f"text of {name}": render_markdown(one.manifest, one.assessment) for name, one in made.items()},
        "assessment": render_assessment(assessment, f"{NAME}.csv"),
        "comparison": render_comparison(comparison, f"{NAME}.csv"),
        "comparison as text": render_comparison(comparison, f"{NAME}.csv", form="md"),
        "map": render_map(chart, f"{NAME}.csv"),
        "drawing": render_map_svg(chart),
        "notebook": made["mdav"]._repr_html_(),
    }


@pytest.mark.gate
def test_no_page_holds_what_cannot_be_seen() -> None:
    for name, page in pages().items():
        assert not UNSEEN.search(page), name
        assert "u202eevil" in page, name  # told, and not left out


def test_the_shell_writes_it_out(tmp_path: Path) -> None:
    data, rules = write_csv(table(), tmp_path / "a\x1b[2J\u202eb.csv"), write_policy(policy(), tmp_path / "policy.toml")
    said = shell("protect", data, "--policy", rules, "--output", tmp_path / "out\u202e.csv")
    assert said.code == 0, said.err
    assert not UNSEEN.search(said.out + said.err)
    assert r"out\u202e.csv" in said.out
    proposed = shell("init", data, "--output", tmp_path / "first.toml")
    assert not UNSEEN.search(proposed.out)
    assert r"pay\u202eevil\x1b" in proposed.out


def test_an_error_writes_it_out(tmp_path: Path) -> None:
    data = write_csv(table(), tmp_path / "data.csv")
    rules = policy()
    rules["columns"]["no\x9b31m\u202e\nsuch"] = {"role": "other"}
    said = shell("protect", data, "--policy", write_policy(rules, tmp_path / "p.toml"), "--output", tmp_path / "o.csv")
    assert said.code == 2
    assert not UNSEEN.search(said.err)
    assert said.err.count("\n") == 1
    assert r"no\x9b31m\u202e\nsuch" in said.err


def test_json_for_machines_says_the_same_without_it(tmp_path: Path) -> None:
    data, rules = write_csv(table(), tmp_path / "data.csv"), write_policy(policy(), tmp_path / "policy.toml")
    said = shell("protect", data, "--policy", rules, "--output", tmp_path / "out.csv", "--json")
    assert not UNSEEN.search(said.out)
    assert NAME in json.loads(said.out)["policy"]["columns"]


@pytest.mark.gate(but="\\U0001f41f")
@pytest.mark.parametrize("letter", ["\U0001f41f", "\U00020000"])
def test_long_names_with_letters_beyond_the_plane_are_drawn(letter: str) -> None:
    from shoal.report.sections.information_loss import loss_by_column
    from shoal.report.svg import svg

    for n_before in range(0, 24, 3):
        assert f">{letter}" in svg(loss_by_column({letter + "x" * n_before + letter * 30: 2.0, "age": 1.0}))


@pytest.mark.gate
def test_every_page_says_what_it_may_do() -> None:
    found = {name: page for name, page in pages().items() if page.startswith("<!doctype html>")}
    assert set(found) == {
        "report of mdav", "report of mondrian", "assessment", "comparison", "map",
    }  # fmt: skip
    for name, page in found.items():
        assert page.index("Content-Security-Policy") < page.index("<style>"), name
        (allowed,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
        (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
        rules = dict(rule.split(" ", 1) for rule in unescape(allowed).split("; "))
        digest = b64encode(sha256(style.encode()).digest()).decode()
        assert rules.pop("style-src") == f"'sha256-{digest}'", name
        assert rules == {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}, name
        assert not re.search(r"<[^>]*\sstyle=|<script|javascript:", page), f"{name}: blocked by its own policy"


def test_reports_studio_and_the_page_of_reproductions_have_one_template_each() -> None:
    package = Path(shoal.__file__).parent
    doors = [path.name for path in package.rglob("*") if path.is_file() and b"<!doctype" in path.read_bytes().lower()]
    assert sorted(doors) == ["overview.html.j2", "report.html.j2", "shell.html.j2"]
