"""assess: a release held beside its original, as files or any dataframes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from shoal import progress
from shoal.assess.aligned import Aligned
from shoal.assess.assessment import Assessment
from shoal.assess.intruder import Intruder
from shoal.assess.link import read_both, roles_of
from shoal.assess.side_by_side import side_by_side
from shoal.assess.truth import true_records
from shoal.engines.memory import MemoryEngine
from shoal.policy import Policy, load
from shoal.report import render_assessment
from shoal.run.assessing import asked_k
from shoal.run.original import Original
from shoal.run.proving import PolicyLike, as_released
from shoal.run.release import Release
from shoal.schema import Schema
from shoal.sources import CellKind, read, whole_file


def assess(
    original: Any,
    released: Any,
    schema: Schema | PolicyLike | None = None,
    *,
    intruder: Intruder | None = None,
    id: str | None = None,  # noqa: A002
    report: str | Path | None = None,
    force: bool = False,
) -> Assessment:
    """Risk and utility of ``released``, held beside ``original``; both are files or any dataframes.

    schema    roles and kinds of the columns, or the policy of the release; guessed from the original if not given
    intruder  what they know, how precisely, of whom; at worst all quasi-identifiers of everybody
    id        a column that says who is who; without it record i is record i
    report    where an HTML page goes; ``force`` replaces an older one
    """
    if report is None:
        return _assessed(original, released, schema, intruder or Intruder(), id)
    inputs = [Path(source) for source in (original, released) if isinstance(source, str | Path)]
    with whole_file(Path(report), force=force, inputs=inputs) as draft:
        assessment = _assessed(original, released, schema, intruder or Intruder(), id)
        draft.write_text(render_assessment(assessment, named(released)), encoding="utf-8")
    return assessment


def _assessed(
    original: Any,
    released: Any,
    schema: Schema | PolicyLike | None,
    who: Intruder,
    id: str | None,  # noqa: A002
) -> Assessment:
    with progress.stage("reading both tables", 0):
        policy = None if schema is None or isinstance(schema, Schema) else load(schema)
        if policy is None:
            before, after = read_both(original, released, id)
            roles = roles_of(before, schema if isinstance(schema, Schema) else None)
        else:
            before, after, roles = _by_policy(original, released, policy)
    truth = true_records(before, after, id)
    aligned = Aligned.of(before, after, roles, truth, policy.by_extents if policy else ())
    return side_by_side(aligned, who, asked_k(policy) if policy else None)


def beside_original(source: Any, release: Release, who: Intruder) -> Assessment:
    """The same of a release that has just been made in memory, its records in the order of the original."""
    assert release.records is not None, "made in memory"
    assert release.groups is not None, "made in memory"
    original = Original.read(MemoryEngine(), source, release.policy)
    kept = release.groups["group"].is_valid().to_numpy()
    truth = np.where(kept, np.cumsum(kept) - 1, -1)
    before = original.engine.collect(original.frame)
    aligned = Aligned.of(before, release.records, original.schema, truth, release.policy.by_extents)
    return side_by_side(aligned, who, asked_k(release.policy))


def _by_policy(original: Any, released: Any, policy: Policy) -> tuple[pa.Table, pa.Table, Schema]:
    known = Original.read(MemoryEngine(), original, policy)
    told: dict[str, CellKind] = dict.fromkeys(policy.by_extents, "text")
    after = read(released, as_released(policy), kinds={**policy.cell_kinds, **told}).table
    return known.engine.collect(known.frame), after, known.schema


def named(source: Any) -> str:
    return Path(source).name if isinstance(source, str | Path) else "a table in memory"
