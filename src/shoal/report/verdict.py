"""The summary sentence of a report: whether the proof holds, what was required and what was reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

from shoal.assessment.exposure import Exposure
from shoal.gate import gate
from shoal.release.manifest import Manifest
from shoal.report.exposure_words import exposure_caution
from shoal.report.outline_nodes import Headline
from shoal.report.words import isolate, name_list, noun_counted, number_of, proved_sets, requirement_words


def read_proof(manifest: Manifest) -> gate.Proof:
    """The proof in a manifest, converted from plain data."""
    fields = {name: value for name, value in manifest.proof.items() if name != "holds"}
    verdicts = tuple(
        gate.Verdict(**{**verdict, "columns": tuple(verdict["columns"])}) for verdict in fields["verdicts"]
    )
    return gate.Proof(**{**fields, "verdicts": verdicts, "faults": tuple(fields.get("faults", ()))})


def verdict(proof: gate.Proof, exposures: Sequence[Exposure], policy: dict[str, Any]) -> Headline:
    """The verdict, which is a warning if there are exposures, unless the proof fails; ``policy`` as in the manifest."""
    found = _headline(proof, policy)
    cautions = tuple(map(exposure_caution, exposures))
    if not cautions or found.outcome == "fails":
        return replace(found, cautions=cautions)
    warnings = "a warning" if len(cautions) == 1 else f"{len(cautions)} warnings"
    return replace(found, outcome="warns", mark=f"{found.mark}, with {warnings}", cautions=cautions)


def _headline(proof: gate.Proof, policy: dict[str, Any]) -> Headline:
    if not proof.holds:
        return Headline("fails", "The proof fails", _failure_sentence(proof, proved_sets(policy)))
    if not proof.n_records:
        return Headline(
            "open",
            "Nothing was released",
            "The release contains no record, so every requirement holds vacuously.",
        )
    if not proof.verdicts:
        return Headline(
            "open",
            "Structure checked, no requirement set",
            "The release has the columns that the policy names. The policy sets no requirement, so nothing "
            f"was proved about its records. The smallest {proved_sets(policy)[0]} has "
            f"{number_of(proof.k_reached, noun_counted(policy))}.",
        )
    reached = name_list([_reached_requirement(proved) for proved in proof.verdicts])
    return Headline(
        "holds",
        "The proof holds",
        f"The gate read the written release and proved every requirement of the policy: {reached}."
        f"{f' {gate.NO_K}' if gate.NO_K in proof.notes else ''}",
    )


def requirement_name(proved: gate.Verdict) -> str:
    of = f" of '{isolate(proved.column)}'" if proved.column else ""
    return requirement_words(proved.requirement).name + of


def further_parameters(proved: gate.Verdict) -> str:
    """Further parameters of a requirement, such as: , c = 4"""
    return "".join(f", {name} = {value}" for name, value in proved.besides.items())


def reached_text(reached: float | None, *, is_private: bool = False) -> str:
    """The value reached as text; None stands for infinity, which a manifest cannot hold, or for a private figure."""
    if is_private:
        return "a value that is not published"
    return "infinity" if reached is None or not isfinite(reached) else f"{reached:g}"


def _reached_requirement(proved: gate.Verdict) -> str:
    symbol = requirement_words(proved.requirement).symbol
    required = f"{symbol} = {proved.asked:g}{further_parameters(proved)}"
    reached = reached_text(proved.reached, is_private=proved.is_private)
    return f"{requirement_name(proved)} with {required} ({reached} reached)"


def _failure_sentence(proof: gate.Proof, sets: tuple[str, str]) -> str:
    failing = [_failed_requirement(proved, sets) for proved in proof.verdicts if not proved.holds]
    return f"Do not publish this release: {'; '.join([*proof.faults, *failing])}."


def _failed_requirement(proved: gate.Verdict, sets: tuple[str, str]) -> str:
    required = f"{requirement_words(proved.requirement).symbol} = {proved.asked:g}{further_parameters(proved)}"
    reached = reached_text(proved.reached, is_private=proved.is_private)
    return (
        f"{requirement_name(proved)} requires {required}, but {reached} is reached: "
        f"{proved.n_classes_failing:,} of {number_of(proved.n_classes, *sets)} fail, "
        f"with {number_of(proved.n_records_failing, 'record')}"
    )
