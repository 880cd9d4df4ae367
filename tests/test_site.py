"""The site: every page is in its navigation, and every public name, command, key and method has its page."""

import re
from pathlib import Path

import pytest

import shoal
from namespaces import names_of

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
NAVIGATION = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
LISTED = re.findall(r"([\w/]+\.md)$", NAVIGATION, re.MULTILINE)
OF_THE_ROOT = {"changelog.md", "contributing.md", "security.md"}


def test_every_page_is_in_the_navigation_once():
    assert len(LISTED) == len(set(LISTED))
    written = {page.name for page in DOCS.glob("*.md")}
    assert {page for page in LISTED if not page.startswith("reference/")} == written | OF_THE_ROOT


def test_every_public_name_is_in_the_reference():
    pytest.importorskip("mkdocs")
    from site_hooks import NAMESPACES, public_names

    namespaces = {name: set(public_names(name)) for name in NAMESPACES}
    assert all(found == names_of(getattr(shoal, name)) for name, found in namespaces.items())
    modules = {*NAMESPACES, "datasets", "errors"}
    assert set(public_names("workflow")).union(*namespaces.values(), modules) >= set(shoal.__all__)
    pages = {page.removesuffix(".md") for page in LISTED if page.startswith("reference/")}
    assert pages == {f"reference/{name}" for name in ("workflow", *modules)}


@pytest.mark.parametrize("tool", ["method_pages", "command_pages"])
def test_pages_from_the_code_are_current(tool):
    module = __import__(tool)
    if module.PAGE.read_text(encoding="utf-8") != module.page_text():
        pytest.fail(f"docs/{module.PAGE.name} is not that of the code: run make schema, and read what it changed.")


def test_every_command_has_its_section():
    from typer.main import get_command

    from shoal.cli.commands import app

    sections = re.findall(r"^## `shoal ([\w-]+)`$", (DOCS / "commands.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sections == list(get_command(app).commands)


def test_every_method_has_its_entry():
    from shoal.methods import METHODS
    from shoal.methods.perturbation import PERTURBATIONS

    entries = re.findall(r'^### `name = "(\w+)"`$', (DOCS / "methods.md").read_text(encoding="utf-8"), re.MULTILINE)
    names = [each.__dataclass_fields__["name"].default for each in (*METHODS, *PERTURBATIONS)]
    assert sorted(entries) == sorted(names)


def test_docstrings_in_two_columns_become_lists():
    pytest.importorskip("griffe")
    from docstring_lists import listed

    text = "What it does.\n\nreport  path of a report,\n        HTML or Markdown\nforce   replaces an older one\n\nEnd."
    assert listed(text).splitlines() == [
        "What it does.",
        "",
        "",
        "- `report`: path of a report, HTML or Markdown",
        "- `force`: replaces an older one",
        "",
        "End.",
    ]


def test_nothing_of_the_site_comes_from_elsewhere():
    assert "  font: false\n" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert "http" not in (DOCS / "site.css").read_text(encoding="utf-8")
    assert all("<script" not in page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))
