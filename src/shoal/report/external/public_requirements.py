"""The verdict of the external edition, and the requirements that were proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from shoal.gate import gate
from shoal.gate.common_candidates import EARLIER
from shoal.gate.invariance import PERSONS
from shoal.release.manifest import Manifest
from shoal.report.external.public_columns import released_names
from shoal.report.outline_nodes import Caution, Headline, Section
from shoal.report.text_nodes import Cell, Paragraph, Table
from shoal.report.verdict import read_proof
from shoal.report.words import isolate, name_list, requirement_words

K = "k_anonymity"
HOLDS = "The proof holds"
WARNS = "The proof holds, with warnings"
EMPTY = ("Nothing was released", "The release contains no record, so every requirement holds vacuously.")
NO_REQUIREMENT = (
    "Structure checked, no requirement set",
    "The release has the columns that the policy names. The policy sets no requirement, so nothing was proved about "
    "its records.",
)
BY_GATE = (
    "The gate is a check of its own: it counted the written release, and used neither the original nor the method. "
    "Every class of equal records satisfies these requirements."
)
OF_UNITS = "The requirements count persons, firms or households with several records once."
TOGETHER = " together with earlier releases"
OF_TURNOVER = " for persons who left or joined"
NOTHING = "The policy sets no requirement, so only the columns were checked."


def headline(manifest: Manifest, warnings: Sequence[str], *, has_warnings: bool) -> Headline:
    """The verdict; ``warnings``: in words of this edition, ``has_warnings``: whether there are any, shown or not."""
    found = _headline(manifest)
    if not has_warnings or found.outcome == "fails":
        return found
    mark = WARNS if found.outcome == "holds" else found.mark
    return replace(found, outcome="warns", mark=mark, cautions=tuple(Caution(text, ()) for text in warnings))


def _headline(manifest: Manifest) -> Headline:
    proof = read_proof(manifest)
    if not proof.n_records:
        return Headline("open", *EMPTY)
    if not proof.verdicts:
        return Headline("open", *NO_REQUIREMENT)
    proved = name_list([_sentence(verdict, manifest.policy) for verdict in proof.verdicts])
    alone = f" {gate.NO_K}" if gate.NO_K in proof.notes else ""
    sentence = f"The written release was read again and satisfies every requirement: {proved}.{alone}"
    return Headline("holds", HOLDS, sentence)


def _sentence(verdict: gate.Verdict, policy: Mapping[str, Any]) -> str:
    return f"{_name(verdict, policy)} with {parameters(verdict)}"


def _name(verdict: gate.Verdict, policy: Mapping[str, Any]) -> str:
    of = f" of '{isolate(verdict.column)}'" if verdict.column in released_names(policy) else ""
    together = TOGETHER if EARLIER in verdict.besides else ""
    whom = OF_TURNOVER if PERSONS in verdict.besides else ""
    return f"{requirement_words(verdict.requirement).name}{of}{together}{whom}"


def parameters(verdict: gate.Verdict) -> str:
    """The numbers that were required, such as: c = 4, l = 3"""
    words = requirement_words(verdict.requirement)
    others = (f"{name} = {value:g}" for name, value in verdict.besides.items() if _is_number(value))
    return ", ".join((f"{words.symbol} = {verdict.asked:g}", *others))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def section(manifest: Manifest) -> Section:
    proof = read_proof(manifest)
    if not proof.verdicts:
        return Section("proof", "Requirements", (Paragraph(NOTHING),))
    has_units = any(rule["role"] in ("household", "unit") for rule in manifest.policy.get("columns", {}).values())
    rows = tuple(_row(verdict, manifest.policy) for verdict in proof.verdicts)
    table = Table(("Requirement", "Required", "Reached", "Proof"), rows, "lrrl")
    return Section("proof", "Requirements", (Paragraph(BY_GATE), table, *((Paragraph(OF_UNITS),) if has_units else ())))


def _row(verdict: gate.Verdict, policy: Mapping[str, Any]) -> tuple[Cell, ...]:
    columns = [isolate(name) for name in verdict.columns if name in released_names(policy)]
    reached = f"k = {verdict.reached:g}" if verdict.requirement == K and verdict.reached else "at least that"
    return (
        Cell(_name(verdict, policy), note=", ".join(columns)),
        Cell(parameters(verdict)),
        Cell(reached),
        Cell("holds" if verdict.holds else "fails"),
    )
