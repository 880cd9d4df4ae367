"""The taxonomy of a column as a tree to be drawn and edited, and the file that an edited one is written to."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.errors import StudioError, TaxonomyError
from shoal.policy import taxonomy_of
from shoal.policy.policy import Policy
from shoal.schema.taxonomy import ROOT, Taxonomy
from shoal.sources import read, whole_file

MOST_VALUES = 2_000  # of a tree that is drawn
Paths = Sequence[Sequence[str]]


@dataclass(frozen=True)
class ColumnTaxonomy:
    column: str
    tree: Taxonomy
    file: Path | None  # that it was read from
    is_editable: bool  # a rule of the policy, such as prefixes, has no tree of its own to be edited

    @classmethod
    def of(cls, data: Path, policy: Policy, column: str) -> ColumnTaxonomy:
        """That of the policy; without one, all values below the root."""
        rule = policy.columns[column].taxonomy
        if rule is not None and rule.file is not None:
            file = policy.path_of(rule.file)
            return cls(column, Taxonomy.read(file), file, is_editable=True)
        values = read(data, policy.source, columns=[column], kinds={column: policy.cell_kinds[column]}).table[column]
        tree = taxonomy_of(policy, column, values)
        if tree is None:
            known = sorted({str(value) for value in values.unique().to_pylist() if value is not None})
            tree = Taxonomy(tuple((value, ROOT) for value in known), column)
        return cls(column, tree, None, is_editable=rule is None)

    def to_dict(self) -> dict[str, Any]:
        paths = self.tree.depth_first
        return {
            "column": self.column,
            "file": self.file.name if self.file else None,
            "levels": self.tree.height + 1,
            "cut": len(paths) > MOST_VALUES,
            "editable": self.is_editable and len(paths) <= MOST_VALUES,
            "root": _node(ROOT, [path[::-1] for path in paths[:MOST_VALUES]], 1),
        }


def _node(text: str, paths: Sequence[Sequence[str]], depth: int) -> dict[str, Any]:
    """The node with all that is below it; ``paths``: from the root down."""
    below: dict[str, list[Sequence[str]]] = {}
    for path in paths:
        if depth < len(path):
            below.setdefault(path[depth], []).append(path)
    return {"text": text, "parts": [_node(name, found, depth + 1) for name, found in below.items()]}


def hierarchy_file(policy: Policy, column: str, folder: Path) -> Path:
    """The file of an edited taxonomy: that of the policy, else a new one in ``folder``."""
    rule = policy.columns[column].taxonomy
    if rule is None:
        name = "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in column)
        return folder / f"{name}_hierarchy.csv"
    if rule.file is None:
        raise StudioError.no_taxonomy(column)
    return policy.path_of(rule.file)


def write_hierarchy(file: Path, paths: Paths, *, force: bool) -> None:
    """Writes a hierarchy file. Raises TaxonomyError where the paths are no tree, or are not read again as they are."""
    cells = tuple(tuple(cell.strip() for cell in path) for path in paths)
    wanted = Taxonomy(cells, file.name)
    with whole_file(file, force=force) as draft:
        with draft.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, delimiter=";", lineterminator="\n").writerows(wanted.paths)
        if Taxonomy.read(draft).paths != wanted.paths:
            raise TaxonomyError.not_written(file.name)
