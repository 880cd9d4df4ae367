"""Writes docs/methods.md: every method that a policy can name, from its class and from the opening of its page."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from shoal.methods import METHODS
from shoal.methods.perturbation import PERTURBATIONS

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = DOCS / "methods.md"
METHOD_PAGES = {  # page -> methods, perturbations or blocking that it describes
    "mdav": ["mdav"],
    "vmdav": ["vmdav"],
    "mu_approx": ["mu_approx"],
    "micro_som": ["micro_som"],
    "refine": ["microaggregate"],
    "mondrian": ["mondrian"],
    "gensearch": ["gensearch"],
    "global_recoding": ["global_recoding"],
    "baselines": ["mhm", "mst_partition", "genetic"],
    "noise": ["noise"],
    "rank_swap": ["rank_swap"],
    "pram": ["pram"],
    "coding": ["top_bottom_code"],
    "rounding": ["rounding"],
    "imputation": ["imputation"],
    "data_swap": ["data_swap"],
    "record_swap": ["record_swap"],
    "date_shift": ["date_shift"],
    "lossy_image": ["lossy_image"],
    "mic": ["mic"],
    "local_suppression": ["none"],
    "twod_tree": [],
    "univariate_blocks": [],
}
PAPER = re.compile(
    r"(?P<paper>[A-Z][\w.-]+(?:(?:, | & )[\w.' -]+?)* \((?:19|20)\d\d\))(?:[^;]*?(?P<doi>doi:[^\s;,]+))?"
)
KINDS = {"numeric": "numbers", "date": "dates", "ordinal": "ordinal", "nominal": "nominal"}
INTRODUCTION = """# All methods

Every method that a policy can name. `make schema` writes this page from the classes of the methods and the openings of
their pages. [Which method when](choose.md) helps to choose, [policy_keys.md](policy_keys.md) lists all keys of each.
"""
PROVED = "k and every requirement of the policy, proved on the written file"
MEASURED = "none by itself: what an intruder could do is measured"


def page_text() -> str:
    groups = [each for each in METHODS if each.forms_groups]
    cuts = [each for each in METHODS if each.finds_cuts]
    neither = [each for each in METHODS if each not in [*groups, *cuts]]
    sections = [
        *_section("Microaggregation", "Groups of at least k similar records are released with common values.", groups),
        *_section("Generalization", "Values become intervals, spans or nodes of a taxonomy.", cuts),
        *_section("Local suppression", "Single cells become missing; the method itself changes nothing.", neither),
        *_section(
            "Perturbation", "Values are changed one by one ([what all have in common](perturbation.md)).", PERTURBATIONS
        ),
    ]
    return "\n".join([INTRODUCTION, *sections]) + "\n"


def _section(title: str, words: str, methods: Iterable[type[Any]]) -> Iterator[str]:
    yield from [f"## {title}", "", words, ""]
    for method in methods:
        yield from [f'### `name = "{_name(method)}"`', "", *_entry(method), ""]


def _entry(method: type[Any]) -> Iterator[str]:
    (page,) = [page for page, names in METHOD_PAGES.items() if _name(method) in names]
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    title = re.match(r"# (.*)", text)
    assert title, page
    yield f"- **Page**: [{title[1]}]({page}.md)"
    yield f"- **What it decides**: {_decision(method)}"
    yield f"- **When**: {_when(text)}"
    yield f"- **Columns**: {_columns(method)}"
    yield f"- **Guarantee**: {_guarantee(method)}"
    yield f"- **Paper**: {_paper(method)}"


def _name(method: type[Any]) -> str:
    return str(method.__dataclass_fields__["name"].default)


def _document(method: type[Any]) -> str:
    return sys.modules[method.__module__].__doc__ or ""


def _decision(method: type[Any]) -> str:
    return _document(method).partition("\n\n")[0].partition(": ")[2].replace("\n", " ").replace("``", "`")


def _when(text: str) -> str:
    """The first sentence of the opening of a page."""
    found = re.search(r"\*\*When to use it\.\*\* (.*?[.:])(?=\s)", text, re.DOTALL)
    assert found, text[:80]
    return " ".join(found[1].split()).rstrip(":.") + "."


def _columns(method: type[Any]) -> str:
    kinds = getattr(method, "applies_to", tuple(KINDS))
    return ", ".join(KINDS[kind] for kind in kinds)


def _guarantee(method: type[Any]) -> str:
    if method in PERTURBATIONS:
        return MEASURED
    best = "; a certificate says how much less any other cut tree could cost" if method.issues_certificates else ""
    return PROVED + best


def _paper(method: type[Any]) -> str:
    found = PAPER.search(" ".join(_document(method).split()))
    if found is None:
        return "see the page"
    return found["paper"] + (f", {found['doi'].rstrip('.')}" if found["doi"] else "")


if __name__ == "__main__":
    PAGE.write_text(page_text(), encoding="utf-8")
