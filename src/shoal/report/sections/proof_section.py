"""Key figures, and the proof of each requirement."""

from __future__ import annotations

from shoal.assessment.assessment import Assessment
from shoal.assessment.risk_limits import check_limits
from shoal.gate import gate
from shoal.release.manifest import Manifest
from shoal.report.limit_table import limit_parts
from shoal.report.outline_nodes import Part, Section
from shoal.report.text_nodes import Cell, Items, Paragraph, Table, Tile, Tiles
from shoal.report.verdict import further_parameters, reached_text, read_proof, requirement_name
from shoal.report.words import (
    is_anatomy,
    name_list,
    noun_counted,
    number_of,
    percent,
    proved_sets,
    requirement_words,
)

# finding -> label and note of its tile; noun: record or unit; set: class, or group of an anatomy
FIRST = {
    "k reached": ("k reached", "{noun}s in the smallest {set}"),
    "highest prosecutor risk": ("Highest risk", "chance of a correct guess in a class"),
    "information loss": ("Information loss", "at 100 %, all records are alike"),
}
FIRST_OF_ANATOMY = FIRST | {
    "highest prosecutor risk": ("Highest risk", "chance of finding a person; sensitive values stay hidden in a group"),
    "information loss": ("Information loss", "of the quasi-identifiers, which are released unchanged"),
}


def section(manifest: Manifest, assessment: Assessment) -> Section:
    proved = _proved(read_proof(manifest), proved_sets(manifest.policy))
    limits = limit_parts(check_limits(manifest.policy.get("limits", {}), assessment))
    parts = (_tiles(manifest, assessment), *proved, *limits)
    return Section("proof", "Requirements and results", parts)


def _tiles(manifest: Manifest, assessment: Assessment) -> Tiles:
    n_suppressed, n_records = manifest.counts["n_suppressed"], manifest.counts["n_records"]
    note = f"{n_suppressed:,} suppressed ({percent(100 * n_suppressed / max(n_records, 1))})"
    first = FIRST_OF_ANATOMY if is_anatomy(manifest.policy) else FIRST
    found = [finding for finding in assessment.findings if finding.name in first]
    words = {"noun": noun_counted(manifest.policy), "set": proved_sets(manifest.policy)[0]}
    return Tiles(
        (
            Tile("Records released", f"{manifest.counts['n_released']:,}", note),
            *(Tile(first[f.name][0], f.shown(f.estimate), first[f.name][1].format(**words)) for f in found),
        )
    )


def _proved(proof: gate.Proof, sets: tuple[str, str]) -> tuple[Part, ...]:
    faults = (Items(proof.faults),) if proof.faults else ()
    besides = (
        (Paragraph(f"In addition to its cells, the file contains {name_list(proof.carriers)}."),)
        if proof.carriers
        else ()
    )
    if not proof.verdicts:
        summary = Paragraph("The policy sets no requirement, so the gate checked only the columns.")
        return (*faults, summary, *besides)
    summary = Paragraph(
        f"The gate counted the written release independently: {number_of(proof.n_records, 'record')} in "
        f"{number_of(proof.n_classes, *sets)}. It uses neither the original nor the method."
    )
    return (*faults, summary, _requirements(proof, sets[1]), *besides)


def _requirements(proof: gate.Proof, sets: str) -> Table:
    head = ("Requirement", "Required", "Reached", f"Failing {sets}", "Proof")
    return Table(head, tuple(_row(proved) for proved in proof.verdicts), "lrrrl")


def _row(proved: gate.Verdict) -> tuple[Cell, ...]:
    symbol = requirement_words(proved.requirement).symbol
    return (
        Cell(requirement_name(proved), note=f"on {name_list(proved.columns)}"),
        Cell(f"{symbol} = {proved.asked:g}{further_parameters(proved)}"),
        Cell(
            f"{symbol} = {reached_text(proved.reached, is_private=proved.is_private)}"
            if proved.n_classes
            else "no records"
        ),
        Cell(f"{proved.n_classes_failing:,} of {proved.n_classes:,}"),
        Cell("holds" if proved.holds else "fails"),
    )
