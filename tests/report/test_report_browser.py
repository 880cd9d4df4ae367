"""Pages in a real browser: nothing is requested or complained about, nothing is wider than the window, print is whole.

Skipped where there is no Chromium; SHOAL_REQUIRE=browser makes that an error.
"""

from __future__ import annotations

import re

import pytest

import page_views
import shoal
from conftest import lacking
from survey_example import survey, survey_policy


@pytest.fixture(scope="module")
def browser():
    program = page_views.find_browser()
    if program is None:
        lacking("browser", "no Chromium was found")
    with page_views.opened_browser(program) as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    columns = {**survey_policy()["columns"], "household": {"role": "identifier"}}
    for edition in ("internal", "external"):
        report = folder / f"{edition}.html"
        shoal.protect(survey(200), survey_policy(columns=columns), report=report, edition=edition)
    return folder


@pytest.mark.gate
@pytest.mark.parametrize("edition", ["internal", "external"])
def test_a_page_needs_nothing_and_fits_every_width(browser, pages, edition):
    assert page_views.faults_of(browser, pages / f"{edition}.html", None) == []


def test_what_is_wrong_with_a_page_is_seen(browser, tmp_path):
    page = tmp_path / "bad.html"
    page.write_text("<script>console.error('x')</script><img src='missing.png'><div style='width:2000px'>wide</div>")
    found = " ".join(page_views.faults_of(browser, page, None))
    for fault in ("missing.png", "pixels wider than 390", "'x'"):
        assert fault in found


def test_print_is_light_and_shows_whole_hashes(browser, pages):
    browser.open_page(pages / "internal.html")
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    browser.call("Emulation.setEmulatedMedia", media="print", features=dark)
    style = "getComputedStyle(document.body)"
    assert browser.evaluate(f"{style}.color") == "rgb(0, 0, 0)"
    assert browser.evaluate(f"{style}.backgroundColor") == "rgb(255, 255, 255)"
    whole = "[...document.querySelectorAll('figure, tr')].every(e => getComputedStyle(e).breakInside == 'avoid')"
    assert browser.evaluate(whole)
    printed = browser.evaluate("getComputedStyle(document.querySelector('abbr'), '::after').content")
    assert re.fullmatch(r'"[0-9a-f]{64}"', printed)
    assert browser.printed().startswith(b"%PDF")


@pytest.mark.gate
def test_figures_of_many_columns_unfold_on_the_screen_and_print_says_where_they_are(browser, pages):
    browser.open_page(pages / "internal.html")
    browser.show(390, "light")
    assert browser.evaluate("document.querySelectorAll('.families details').length") > 0
    said = "getComputedStyle(document.querySelector('.printed')).display"
    assert browser.evaluate(said) == "none"
    browser.evaluate("document.querySelectorAll('.families details').forEach(each => each.open = true)")
    assert browser.overflow() == 0
    browser.call("Emulation.setEmulatedMedia", media="print", features=[])
    assert browser.evaluate(said) == "block"
    assert browser.evaluate("getComputedStyle(document.querySelector('.families details')).display") == "none"
