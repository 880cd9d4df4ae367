"""The outline as HTML and as Markdown."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import Any

import pytest

from shoal.report import render_html, render_markdown

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "quotes": "\"><img src=x onerror='alert(1)'>",
    "expression": "']+alert(1)+['",
    "template": "{{ 7 * 7 }}{% raw %}",
    "markdown": "a|b*c_d`e[f](javascript:g)",
    "long": "x" * 3000,
    "unicode": "年齢 \u202eabc\u202c 🐟 \u2028é",
    "control": "a\x01b\nc\td",
    "no character": "\x00 \uffff \x7f \x85 \U0001fffe",
}
VOID = {"meta"}


class Tags(HTMLParser):
    """Which elements there are, and whether each is closed in its turn."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.seen if name == tag]


def page_of(made: Any) -> str:
    return render_html(made.manifest, made.assessment)


@pytest.mark.gate(but="expression")
@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE.keys())
def test_names_and_values_of_the_user_are_only_text(making: Any, name: str) -> None:
    hostile = making(number=name, name=f"{name} 2", values=(name, f"{name} 3"))
    plain = making()
    tags, expected = Tags(page_of(hostile)), Tags(page_of(plain))
    assert {tag for tag, _ in tags.seen} == {tag for tag, _ in expected.seen}
    assert not any(attribute.startswith("on") for _, found in tags.seen for attribute in found)
    assert tags.all("figure") == expected.all("figure")


def test_a_hostile_name_is_still_shown(making: Any) -> None:
    page = page_of(making(number=HOSTILE["script"]))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script" not in page


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE.keys())
def test_names_do_not_break_markdown(making: Any, name: str) -> None:
    hostile = making(number=name, name=f"{name} 2", values=(name, f"{name} 3"))
    lines, expected = (render_markdown(made.manifest, made.assessment).splitlines() for made in (hostile, making()))
    columns = [len(re.findall(r"(?<!\\)\|", line)) for line in lines]
    assert columns == [len(re.findall(r"(?<!\\)\|", line)) for line in expected]
    assert not re.search(r"(?<!\\)<(?!br>)", "\n".join(lines))


def test_the_page_needs_nothing_else(made: Any) -> None:
    page = re.sub(r'xmlns(:\w+)?="[^"]*"', "", page_of(made))
    assert not re.search(r"https?://|url\(|@import", page)
    tags = Tags(page)
    assert not {tag for tag, _ in tags.seen} & {"script", "link", "img", "iframe", "object", "image"}
    assert not any({"src", "href", "xlink:href"} & set(found) for _, found in tags.seen)


def test_charts_are_drawn_and_described(made: Any) -> None:
    charts = [found for found in Tags(page_of(made)).all("svg") if found.get("role") == "img"]
    labels = [str(found["aria-label"]) for found in charts]
    starts = ["Records by the size of their class", "Information loss by column", "age", "job"]
    assert [label.split(":")[0] for label in labels] == starts


def test_charts_take_the_color_of_the_page(made: Any) -> None:
    charts = "".join(re.findall(r"<svg role=.*?</svg>", page_of(made), re.DOTALL))
    colors = set(re.findall(r'(?:fill|stroke)="([^"]+)"', charts))
    assert colors <= {"currentColor", "none", "transparent", "#2f7fd6"}
    assert ">k = 5</text>" in charts


@pytest.mark.parametrize(
    ("words", "changes"),
    [
        ("The proof holds", {}),
        ("Structure checked, no requirement set", {"requirements": ()}),
        ("Nothing was released", {"n_records": 0}),
    ],
)
def test_the_verdict_stands_on_both(making: Any, words: str, changes: dict[str, Any]) -> None:
    made = making(**changes)
    assert f"<strong>{words}</strong>" in page_of(made)
    assert f"{words}.**" in render_markdown(made.manifest, made.assessment)


def test_a_failure_stands_out(failing: Any) -> None:
    assert '<div class="verdict fails">' in page_of(failing)
    assert "**✗ The proof fails.**" in render_markdown(failing.manifest, failing.assessment)


def test_the_same_release_gives_the_same_report(made: Any) -> None:
    assert page_of(made) == page_of(made)
    assert render_markdown(made.manifest, made.assessment) == render_markdown(made.manifest, made.assessment)


def test_hashes_are_whole_on_hover_and_in_markdown(made: Any) -> None:
    assert f'<abbr title="{"b" * 64}">' in page_of(made)
    assert "b" * 64 in render_markdown(made.manifest, made.assessment)


def test_markdown_has_the_sections_of_the_page(made: Any) -> None:
    page, text = page_of(made), render_markdown(made.manifest, made.assessment)
    assert re.findall(r"<h2>(.*?)</h2>", page) == re.findall(r"^## (.*)$", text, re.MULTILINE)


def test_the_room_is_cheap_to_enter() -> None:
    heavy = "{'altair', 'jinja2', 'vl_convert'}"
    code = f"import sys, shoal.report; sys.exit(bool({heavy} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.gate
def test_markdown_draws_nothing() -> None:
    code = "import sys, shoal.report.markdown, shoal.report.outline; sys.exit('altair' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
