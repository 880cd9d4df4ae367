"""The sections of a report, in their order.

manifest, assessment -> Outline
"""

from __future__ import annotations

from collections.abc import Callable

from shoal.assessment.assessment import Assessment
from shoal.release.manifest import Manifest
from shoal.report.nodes import Outline, Section
from shoal.report.sections import glossary, intruder, lost, making, plan, population, pram, proof, released, spread
from shoal.report.verdict import proof_of, verdict
from shoal.report.words import counted, moment

SECTIONS: tuple[Callable[[Manifest, Assessment], Section | None], ...] = (
    proof.section,
    released.section,
    pram.section,
    intruder.section,
    lost.section,
    spread.section,
    plan.section,
    population.section,
    making.section,
    glossary.section,
)


def outline(manifest: Manifest, assessment: Assessment) -> Outline:
    name = manifest.output.path or "a table in memory"
    return Outline(
        "Release report",
        f"{name}, {counted(manifest.output.n_records, 'record')}, made {moment(manifest.made)}",
        verdict(proof_of(manifest), assessment.exposures),
        tuple(found for section in SECTIONS if (found := section(manifest, assessment))),
    )
