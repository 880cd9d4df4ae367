"""How the release was made, so that it can be repeated."""

from __future__ import annotations

import json

from shoal.assessment.assessment import Assessment
from shoal.policy.parts import BLOCKING_OPTIONS
from shoal.release.manifest import Cost, Manifest
from shoal.report.outline_nodes import Section
from shoal.report.text_nodes import Items, Paragraph, Table, digest, facts
from shoal.report.words import utc_time
from shoal.sources.private import PRIVATE_FILES_NOTE

PARTS = {  # of the policy, and how the report calls them
    "blocking": "Blocking",
    "suppression": "Suppression of records",
    "local_suppression": "Local suppression",
    "output": "Output",
}


def section(manifest: Manifest, assessment: Assessment) -> Section:
    text = Paragraph("The same policy, data, seed and key give the same release, on every engine and machine.")
    private = (str(each) for each in assessment.not_measured if each.is_private)
    known = tuple(dict.fromkeys((*manifest.notes, *private)))
    notes = (Paragraph("Notes:"), Items(known)) if known else ()
    return Section(
        "making", "How the release was produced", (text, _facts(manifest), *notes, Paragraph(PRIVATE_FILES_NOTE))
    )


def _facts(manifest: Manifest) -> Table:
    policy = manifest.policy
    return facts(
        ("Method", _options(policy.get("method", {}))),
        *((label, _options(_used(policy[key]))) for key, label in PARTS.items() if policy.get(key)),
        ("SHA-256 of the policy", digest(policy.get("sha256", ""))),
        ("Engine", manifest.engine),
        ("Versions", ", ".join(f"{name} {number}" for name, number in manifest.versions.items())),
        ("Cost", _cost(manifest.cost)),
        ("Produced", utc_time(manifest.made)),
    )


def _used(part: dict[str, object]) -> dict[str, object]:
    """The options that the method of a part has: those of a map, for example, only where there is one."""
    unused = {
        name for names, methods in BLOCKING_OPTIONS.items() if part.get("method") not in methods for name in names
    }
    return {name: value for name, value in part.items() if name not in unused} if "method" in part else part


def _options(part: dict[str, object]) -> str:
    """The options of a part of the policy, the name of a method first."""
    given = [f"{name} = {_value(value)}" for name, value in part.items() if name != "name" and value is not None]
    return ", ".join([*([str(part["name"])] if "name" in part else []), *given])


def _value(value: object) -> str:
    """A value as a policy writes it."""
    return f"{{{_options(value)}}}" if isinstance(value, dict) else json.dumps(value, ensure_ascii=False)


def _cost(cost: Cost) -> str:
    memory = f"peak memory {cost.peak_memory_mib:,.0f} MiB"
    return f"{cost.seconds:,.1f} s, {cost.cpu_seconds:,.1f} s of CPU time, {memory}"
