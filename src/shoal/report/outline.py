"""The sections of a report, in their order.

manifest, assessment -> Outline
"""

from __future__ import annotations

from collections.abc import Callable

from shoal.assessment.assessment import Assessment
from shoal.release.manifest import Manifest
from shoal.report.outline_nodes import Outline, Section
from shoal.report.sections import (
    before_after,
    disclosure_risk,
    glossary,
    information_loss,
    plan_section,
    population_map_section,
    pram_section,
    proof_section,
    provenance,
    recoding_section,
    released_columns,
    scenario_section,
    usefulness_section,
)
from shoal.report.verdict import read_proof, verdict
from shoal.report.words import number_of, utc_time

SECTIONS: tuple[Callable[[Manifest, Assessment], Section | None], ...] = (
    proof_section.section,
    scenario_section.section,
    released_columns.section,
    recoding_section.section,
    pram_section.section,
    disclosure_risk.section,
    information_loss.section,
    usefulness_section.section,
    before_after.section,
    plan_section.section,
    population_map_section.section,
    provenance.section,
    glossary.section,
)


def outline(manifest: Manifest, assessment: Assessment) -> Outline:
    name = manifest.output.path or "a table in memory"
    return Outline(
        "Release report",
        f"{name}, {number_of(manifest.output.n_records, 'record')}, produced {utc_time(manifest.made)}",
        verdict(read_proof(manifest), assessment.exposures, manifest.policy),
        tuple(found for section in SECTIONS if (found := section(manifest, assessment))),
    )
