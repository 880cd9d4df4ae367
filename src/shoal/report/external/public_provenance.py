"""How the release was produced, in the external edition: the method and the versions; no seed, hash or path."""

from __future__ import annotations

import re

from shoal.release.manifest import Manifest
from shoal.report.outline_nodes import Section
from shoal.report.text_nodes import Items, facts

VERSION = re.compile(r"\d+(\.\d+){2,}\w*")  # with fewer parts it could be taken for a number
TITLE = "How the release was produced"
OMITTED = (
    "numbers of fewer than k records, and shares and differences that stand for so few",
    "figures of single records, classes or combinations, such as the highest risk of a record",
    "values that fewer than k records have, and the least and the greatest values of a column",
    "the names of columns that are not released",
    "parameters of the method, the seed, paths, and hashes other than that of the release",
    "warnings and sections that are not written for this edition",
)


def section(manifest: Manifest) -> Section:
    name = str(manifest.policy.get("method", {}).get("name", "none"))
    versions = [f"{package} {number}" for package, number in manifest.versions.items() if VERSION.fullmatch(number)]
    table = facts(
        ("Method", name.replace("_", " ")),
        ("Versions", ", ".join(versions)),
    )
    return Section("making", TITLE, (table,))


def omitted() -> Section:
    return Section("omitted", "What this edition leaves out", (Items(OMITTED),))
