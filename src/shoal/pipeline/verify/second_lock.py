"""The second lock: a release must be proved by the verifier as well, which shares no line with what made it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from shoal.errors import RequirementError
from shoal.pipeline.files.promises import Promises
from shoal.policy import Policy
from shoal.policy.load import text_as_given
from shoal.sources import read
from shoal.verifier.refused import RefusedError
from shoal.verifier.stated import Manifest
from shoal.verifier.verify import verify

NO_PROMISES = Promises()


def check_by_verifier(written: Any, policy: Policy, sensitive: Any = None, promises: Promises = NO_PROMISES) -> None:
    """Raises RequirementError where the verifier does not prove a release, a file or a table in memory."""
    found = faults_of_verifier(written, policy, sensitive, promises)
    if found:
        raise RequirementError.gate_closed(found)


def faults_of_verifier(
    written: Any, policy: Policy, sensitive: Any = None, promises: Promises = NO_PROMISES, *, is_published: bool = False
) -> list[str]:
    """What the verifier finds wrong with a release. It is given the policy as its author wrote it, and the manifest
    beside a release that ``is_published``; before that, the promises of the run as a manifest will state them."""
    tables = [_path_or_table(each) for each in (written, sensitive)]
    stated = {
        "decimals": dict(promises.decimals),
        "steps": {name: step.to_dict() for name, step in promises.steps.items()},
        "grids": {name: grid.to_dict() for name, grid in promises.grids.items()},
    }
    try:
        proof = verify(
            text_as_given(policy),
            tables[0],
            folder=policy.file.parent if policy.file else Path(),
            second=tables[1],
            manifest=Manifest.beside(tables[0]) if is_published else Manifest("the run", {"output": {}, **stated}),
        )
    except RefusedError as reason:
        return [str(reason)]
    return list(proof.failures)


def _path_or_table(source: Any) -> Any:
    """A file as its path, any dataframe as an Arrow table."""
    if isinstance(source, str | os.PathLike):
        return Path(source)
    return None if source is None else read(source).table
