"""The function ``mend``: why a release is at risk, and which small change of its policy removes it at the least loss.

Candidates come from the policy and from what the release shows; each is run with ``protect`` in memory. On a large
table they are tried on a sample, and the best are confirmed on all records.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from shoal.assessment.mend.mends import Mends
from shoal.pipeline.assess import source_name
from shoal.pipeline.mend.mend_search import MendSearch
from shoal.pipeline.mend.record_sample import MOST_RECORDS
from shoal.pipeline.verify.prove_file import PolicyLike
from shoal.policy import Policy, load
from shoal.policy.change.policy_change import policy_at
from shoal.report import render_mends
from shoal.report.charts import check_charts
from shoal.report.page_file import HTML, MARKDOWN, check_page
from shoal.sources import whole_file
from shoal.sources.key_file import Key, KeyLike, key_file
from shoal.sources.target import Target


def mend(
    table: Any,
    policy: PolicyLike,
    *,
    report: str | Path | None = None,
    write: str | Path | None = None,
    force: bool = False,
    key: KeyLike | None = None,
    most: int = MOST_RECORDS,
) -> Mends:
    """Why the release of ``table`` (a file or any dataframe) under ``policy`` is at risk, and the cheapest mends.

    report  path of a report for internal use, HTML or Markdown (.md): it names records of the original
    write   path of the policy with the best mend, a new file; nothing is written where no mend was found
    force   replaces older files, never an input
    key     the key of the release, a file or 32 bytes, if it is not next to the policy
    most    records that changes are tried on; the best ones are confirmed on all

    A risk is removed where no figure is above the limit of the policy (``warn``). Nothing is released.
    """
    loaded = load(policy)
    inputs = _inputs(table, loaded, key)
    if write is not None:
        Target.of(write).check(force, inputs)
    search = partial(MendSearch.found, table, loaded, _key(key, loaded), most)
    found = search() if report is None else _reported(search, table, Path(report), inputs, force)
    if write is not None and found.best is not None:
        with whole_file(write, force=force, inputs=inputs) as draft:
            draft.write_text(policy_at(found.best.text, loaded, Path(write)), encoding="utf-8")
    return found


def _reported(search: Callable[[], Mends], table: Any, report: Path, inputs: list[Path], force: bool) -> Mends:
    """What is found, with a page on it."""
    is_markdown = report.suffix.lower() in MARKDOWN
    if not is_markdown:
        check_charts()
    with whole_file(report, force=force, inputs=inputs, private=True) as draft:
        check_page(report, (*HTML, *MARKDOWN))
        found = search()
        draft.write_text(render_mends(found, source_name(table), is_markdown=is_markdown), encoding="utf-8")
    return found


def _inputs(table: Any, policy: Policy, key: KeyLike | None) -> list[Path]:
    kept = key_file(key, policy.file)
    return [*([Path(table)] if isinstance(table, str | Path) else []), *policy.files, *([kept] if kept else [])]


def _key(key: KeyLike | None, policy: Policy) -> Key:
    """The key of the release, so that the figures are those of ``protect``; else a new one for all trials. It is not
    stored."""
    return Key(Key.for_release(key, policy.file).secret)
