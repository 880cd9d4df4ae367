"""Comparison of the proof and counts in a manifest with those counted from the release itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isclose
from typing import Any

from shoal.gate.common_candidates import EARLIER
from shoal.gate.gate import Proof
from shoal.policy import ReleasePlan
from shoal.policy.column_treatment import Summary
from shoal.release.manifest import Manifest
from shoal.requirements.requirement import reads_numbers

ROUNDING = 1e-9  # relative tolerance of shares summed by different engines
ASKED_BY = ("columns", "requirements", "representation", "rules")
OF_RECORDS = ("n_records", "n_released")  # compared under any policy

Figures = dict[str, Any]  # by their path in the manifest


def figure_mismatches(
    name: str, manifest: Manifest, proof: Proof, plan: ReleasePlan, policy: Summary
) -> tuple[str, ...]:
    """A fault for each figure of the manifest called ``name`` that differs from what was counted under the policy."""
    stated, counted = _stated(manifest, plan), _counted(proof)
    whole = is_of_policy(manifest, policy) and not plan.hides_units
    compared = counted if whole else [key for key in counted if key.endswith(OF_RECORDS)]
    return tuple(
        f"{name} says {key} = {_shown(stated.get(key))}, but {_shown(counted[key])} was counted"
        for key in compared
        if not _is_equal(stated.get(key), counted[key])
    )


def is_of_policy(manifest: Manifest, policy: Summary) -> bool:
    """Whether the manifest was made with this policy, or one with the same columns, requirements, representation and
    code."""
    summary = json.loads(json.dumps(policy))
    same = all(manifest.policy.get(key) == summary.get(key) for key in ASKED_BY)
    return same or manifest.policy.get("sha256") == summary["sha256"]


def other_code_notes(name: str, manifest: Manifest, policy: Summary) -> tuple[str, ...]:
    """A note if the manifest called ``name`` states another hash of the rules that users wrote."""
    stated, used = manifest.policy.get("rules"), policy.get("rules")
    hashes = [found.get("sha256") if isinstance(found, Mapping) else None for found in (stated, used)]
    if not isinstance(used, Mapping) or hashes[0] == hashes[1]:
        return ()
    return (f"{name} was made with other code than {used['file']}, which this proof ran (SHA-256 {hashes[1]}).",)


def _counted(proof: Proof) -> Figures:
    """Figures of the proof, by their path in a manifest."""
    found = json.loads(json.dumps(proof.to_dict()))
    return {
        "output.n_records": proof.n_records,
        "counts.n_released": proof.n_records,
        "counts.n_classes": proof.n_classes,
        "k_reached": proof.k_reached,
        **{f"proof.{key}": found[key] for key in ("n_records", "n_classes", "k_reached", "holds")},
        **_of_verdicts(found["verdicts"]),
    }


def _stated(manifest: Manifest, plan: ReleasePlan) -> Figures:
    """The same figures from a manifest, whose contents may be malformed; without verdicts that only a run can give."""
    counts = manifest.counts if isinstance(manifest.counts, Mapping) else {}
    proof = manifest.proof if isinstance(manifest.proof, Mapping) else {}
    return {
        "output.n_records": manifest.output.n_records,
        **{f"counts.{key}": value for key, value in counts.items()},
        "k_reached": manifest.k_reached,
        **{f"proof.{key}": value for key, value in proof.items()},
        **_of_verdicts(_without_hidden(proof.get("verdicts"), plan)),
    }


def _without_hidden(verdicts: Any, plan: ReleasePlan) -> Any:
    """The verdicts that can be counted from a release: not those on amounts that it does not show, nor on earlier
    releases."""
    if not isinstance(verdicts, list):
        return verdicts
    hidden = {
        (each.name, each.column)
        for each in plan.requirements
        if each.column in plan.amounts_before and reads_numbers(each.reads)
    }
    return [
        each
        for each in verdicts
        if not isinstance(each, Mapping) or not (_key(each) in hidden or EARLIER in (each.get("besides") or ()))
    ]


def _key(verdict: Mapping[str, Any]) -> tuple[Any, Any]:
    return verdict.get("requirement"), verdict.get("column")


def _of_verdicts(verdicts: Any) -> Figures:
    entries = verdicts if isinstance(verdicts, list) else []
    return {
        "the number of proof.verdicts": len(entries),
        **{
            f"proof.verdicts[{at}].{key}": value
            for at, verdict in enumerate(entries)
            for key, value in (verdict.items() if isinstance(verdict, Mapping) else ())
        },
    }


def _is_equal(stated: Any, counted: Any) -> bool:
    if isinstance(stated, float) and isinstance(counted, int | float):
        return isclose(stated, counted, rel_tol=ROUNDING)
    return bool(stated == counted)


def _shown(value: Any) -> str:
    """Numbers and truth values as text; other contents of a manifest are not repeated in messages."""
    return str(value) if isinstance(value, int | float) else "something else" if value is not None else "nothing"
