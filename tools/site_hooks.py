"""What the site adds to the pages of docs/ while mkdocs builds it: pages of the root, the reference of all public names
from their docstrings, and a table in place of the drawing of imports, which a browser could only draw with a script.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import shoal

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests")]
from namespaces import names_of  # noqa: E402

ROOT_PAGES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}
NAMESPACES = ("microaggregation", "generalization", "requirements", "perturbation", "linkage", "risk", "utility")
FURTHER = ("datasets", "errors")
PICTURE = re.compile(r"!\[([^\]]*)\]\((pictures/[\w.]+\.svg)\)")
SECTION = re.compile(r"```mermaid\ngraph TD\n(.*?)```", re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for source, page in ROOT_PAGES.items():
        files.append(File.generated(config, page, content=_moved((ROOT / source).read_text(encoding="utf-8"))))
    for name in ("workflow", *NAMESPACES, *FURTHER):
        files.append(File.generated(config, f"reference/{name}.md", content="\n".join(reference(name))))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    for source, target in ROOT_PAGES.items():
        markdown = markdown.replace(f"](../{source}", f"]({target}")
    markdown = re.sub(r"\[([^\]]*)\]\(\.\./(?!api)[^)]*\)", r"\1", markdown)  # files that the site does not have
    markdown = PICTURE.sub(_drawing, markdown)
    return SECTION.sub(lambda found: _import_table(found[1]), markdown)


def _drawing(found: re.Match[str]) -> str:
    """The picture as a part of the page, so that it has the colors of the page."""
    drawing = (ROOT / "docs" / found[2]).read_text(encoding="utf-8")
    return f'<figure class="drawing">\n{drawing}<figcaption>{found[1]}</figcaption>\n</figure>\n'


def _moved(text: str) -> str:
    """A page of the root with its links as they are within docs/."""
    text = text.replace("](docs/", "](")
    for source, target in ROOT_PAGES.items():
        text = text.replace(f"]({source}", f"]({target}")
    return text


def _import_table(graph: str) -> str:
    arrows: dict[str, list[str]] = {}
    for one, other in re.findall(r"(\w+) --> (\w+)", graph):
        arrows.setdefault(one, []).append(other)
    rows = [f"| `{one}` | {', '.join(f'`{other}`' for other in others)} |" for one, others in arrows.items()]
    return "\n".join(["| package | imports |", "|---|---|", *rows])


def reference(name: str) -> Iterator[str]:
    """The page of a namespace: every public name with its docstring."""
    title = "shoal" if name == "workflow" else f"shoal.{name}"
    yield from [
        f"# `{title}`",
        "",
        "[The Python API](../api.md) says what is stable; this page is written from the docstrings.",
        "",
    ]
    for each, value in sorted(public_names(name).items(), key=lambda item: item[0].lower()):
        yield from [*_documented(f"{title}.{each}", value), ""]


def _documented(name: str, value: Any) -> Iterator[str]:
    """What mkdocstrings replaces by a heading, the signature and the docstring; of a constant, its type."""
    if not hasattr(value, "__qualname__"):
        yield from [f"## {name}", "", f"A constant: `{type(value).__name__}`."]
        return
    yield f"::: {value.__module__}.{value.__qualname__}"
    yield from ["    options:", f"      heading: {name}", "      show_root_heading: true", "      heading_level: 2"]
    yield "      show_root_toc_entry: true"


def public_names(name: str) -> dict[str, Any]:
    """Functions and classes of a namespace; of the workflow, those that no namespace has."""
    if name != "workflow":
        namespace: ModuleType = getattr(shoal, name)
        return {each: getattr(namespace, each) for each in names_of(namespace)}
    placed = {each for space in NAMESPACES for each in names_of(getattr(shoal, space))}
    found = {each: getattr(shoal, each) for each in shoal.__all__ if each not in placed}
    return {each: value for each, value in found.items() if not inspect.ismodule(value)}
