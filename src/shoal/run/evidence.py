"""What a manifest says: where things are, how they hash, what the reader must know besides the figures."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from shoal.engines.protocol import Engine, F
from shoal.errors import SourceError, listed
from shoal.policy import Policy
from shoal.release.manifest import Content
from shoal.run.original import Original
from shoal.schema import Column, Schema
from shoal.sources import sha256_of, sha256_of_table
from shoal.sources.private import is_private

ANATOMY = (
    "Anatomy: quasi-identifiers are released as they are, so who is in the table can be seen; what is hidden is which "
    "of the sensitive values of a group is whose. Requirements hold for every group."
)


def input_content(original: Original[F], output: Path | None) -> Content:
    """The hash is of the bytes that were read: taken before, the same afterwards, and nobody touched them between."""
    frame, origin, digest = original.frame, original.frame.origin, original.sha256
    if digest is None or origin.path is None:
        digest = sha256_of_table(original.engine.collect(frame))
    elif sha256_of(origin.path) != digest:
        raise SourceError.changed(origin.path)
    origin.check_unchanged()
    return Content(origin.format, seen_from(output, origin.path), digest, frame.n_records, len(frame.names))


def output_content(engine: Engine[F], released: F, n_records: int, draft: Path | None, output: Path | None) -> Content:
    """``draft`` is the release as written, before it takes the name ``output``."""
    digest = sha256_of(draft) if draft else sha256_of_table(engine.collect(released))
    format_, name = (format_of_release(output), output.name) if output else ("dataframe", None)
    return Content(format_, name, digest, n_records, len(released.names))


def format_of_release(output: Path) -> str:
    return "".join(output.suffixes).lstrip(".")


def seen_from(output: Path | None, file: Path | None) -> str | None:
    """The path of a file from the folder of the release; None where one of them is no file."""
    return os.path.relpath(file, output.parent) if output and file else None


def of_formulas(formulas: Mapping[str, int], policy: Policy) -> tuple[str, ...]:
    """What is said of texts that a spreadsheet would run."""
    if not formulas:
        return ()
    begin = f"{sum(formulas.values())} text cells of {listed(formulas)} begin with a formula sign (= + - @)"
    if policy.output.spreadsheet_safe:
        return (f"{begin}: an apostrophe stands before each, so that no spreadsheet runs it.",)
    return (f"{begin}: a spreadsheet may run them. With --spreadsheet-safe an apostrophe is put before each.",)


def notes(schema: Schema, policy: Policy, n_imputed: Mapping[str, int]) -> tuple[str, ...]:
    """What the reader of a release must know besides the figures."""
    unordered = [c for c in schema.columns if c.kind == "ordinal" and c.order is None]
    households = [c.name for c in schema.with_role("household")]
    together = "by whole households, which share a group" if policy.keeps_households else "one by one"
    unused = [c.name for c in schema.columns if c.taxonomy and not policy.uses_taxonomy(c)]
    anatomy = policy.representation == "anatomy"
    open_keys = [c.name for c in schema.columns if c.key_file and not is_private(c.key_file)]
    return (
        *((ANATOMY,) if anatomy else ()),
        *(f"{name}: {n} missing values were imputed." for name, n in n_imputed.items()),
        *(f"{name}: its taxonomy is checked but not used." for name in unused),
        *map(_of_order, unordered),
        *(
            f"{name}: households got new numbers, so who belongs together can still be seen; "
            f"records are protected {together}."
            for name in households
        ),
        *(f"{name}: others may read the key of its pseudonyms. Give its file the mode 0600." for name in open_keys),
        *(("No requirement was asked for: structure checked, nothing promised.",) if not policy.requirements else ()),
    )


def _of_order(column: Column) -> str:
    """The order of categories is lost in most files, so whoever proves a release could not follow it."""
    if not column.own_order:
        return f"{column.name}: ordinal without an order; its sorted values are taken."
    return (
        f"{column.name}: ordinal without an order in the policy. Groups, cuts and proofs take its sorted values; "
        f"medians and ranks follow the order of its categories. Give it as columns.{column.name}.order, so that all do."
    )
