"""Conversion of a cut tree to JSON and back. The JSON contains values of the data: it is for internal use only."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from shoal.errors import TableError
from shoal.plan.domain import CategoricalDomain, CodeRanges, Domain, NumericDomain

if TYPE_CHECKING:
    from shoal.plan.cut_tree import CutTree

FORMAT = "shoal cut tree 1"


def tree_to_json(tree: CutTree) -> str:
    return json.dumps(
        {
            "format": FORMAT,
            "columns": [_column(domain, parts) for domain, parts in zip(tree.domains, tree.parts, strict=True)],
            "parents": tree.parents.tolist(),
            "cut_on": tree.cut_on.tolist(),
            "part_of": tree.part_of.tolist(),
        },
        ensure_ascii=False,
    )


def tree_from_json(text: str) -> CutTree:
    from shoal.plan.cut_tree import CutTree

    try:
        found = json.loads(text)
        if found["format"] != FORMAT:
            raise TableError.invalid_cut_tree()
        columns = found["columns"]
        domains, parts = tuple(map(_domain, columns)), tuple(map(_parts, columns))
        if not all(domain.has(part) for domain, some in zip(domains, parts, strict=True) for part in some):
            raise TableError.invalid_cut_tree()
        nodes = (np.array(found[name], dtype=np.int64) for name in ("parents", "cut_on", "part_of"))
        return CutTree(domains, parts, *nodes)
    except (ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError):
        raise TableError.invalid_cut_tree() from None


def _column(domain: Domain, parts: tuple[CodeRanges, ...]) -> dict[str, Any]:
    described: dict[str, Any] = {"name": domain.name, "has_missing": domain.has_missing}
    if isinstance(domain, NumericDomain):
        described |= {"cuts": domain.cuts, "is_date": domain.is_date}
    elif isinstance(domain, CategoricalDomain):
        described |= {"paths": domain.paths, "is_ordered": domain.is_ordered}
    return {**described, "parts": [[part.level, *part.ranges] for part in parts]}


def _domain(column: dict[str, Any]) -> Domain:
    common = (str(column["name"]), bool(column["has_missing"]))
    if "cuts" in column:
        return NumericDomain(*common, tuple(map(float, column["cuts"])), bool(column["is_date"]))
    paths = tuple(tuple(map(str, path)) for path in column["paths"])
    if len(set(map(len, paths))) > 1 or () in paths:
        raise TableError.invalid_cut_tree()
    return CategoricalDomain(*common, paths, bool(column["is_ordered"]))


def _parts(column: dict[str, Any]) -> tuple[CodeRanges, ...]:
    return tuple(
        CodeRanges(tuple((int(a), int(b)) for a, b in ranges), int(level)) for level, *ranges in column["parts"]
    )
