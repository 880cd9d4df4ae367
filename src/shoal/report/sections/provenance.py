"""How the release was made, so that it can be repeated."""

from __future__ import annotations

import json

from shoal.assessment.assessment import Assessment
from shoal.release.manifest import Cost, Manifest
from shoal.report.outline_nodes import Section
from shoal.report.text_nodes import Items, Paragraph, Table, digest, facts
from shoal.report.words import utc_time
from shoal.sources.private import PRIVATE_FILES_NOTE


def section(manifest: Manifest, assessment: Assessment) -> Section:
    text = Paragraph("The same policy, data, seed and key give the same release, on every engine and machine.")
    notes = (Paragraph("Notes:"), Items(manifest.notes)) if manifest.notes else ()
    return Section(
        "making", "How the release was produced", (text, _facts(manifest), *notes, Paragraph(PRIVATE_FILES_NOTE))
    )


def _facts(manifest: Manifest) -> Table:
    policy = manifest.policy
    return facts(
        ("Method", _method(policy.get("method", {}))),
        ("SHA-256 of the policy", digest(policy.get("sha256", ""))),
        ("Engine", manifest.engine),
        ("Versions", ", ".join(f"{name} {number}" for name, number in manifest.versions.items())),
        ("Cost", _cost(manifest.cost)),
        ("Produced", utc_time(manifest.made)),
    )


def _method(method: dict[str, object]) -> str:
    given = [f"{name} = {json.dumps(value)}" for name, value in method.items() if name != "name" and value is not None]
    return ", ".join([str(method.get("name", "unknown")), *given])


def _cost(cost: Cost) -> str:
    memory = f"peak memory {cost.peak_memory_mib:,.0f} MiB"
    return f"{cost.seconds:,.1f} s, {cost.cpu_seconds:,.1f} s of CPU time, {memory}"
