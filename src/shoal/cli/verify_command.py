"""The command ``shoal verify``: proof of a written release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shoal.cli.console import print_error, print_json, print_line, progress_bars
from shoal.cli.link_command import EARLIER, PERSON
from shoal.cli.rules_option import RULES

if TYPE_CHECKING:
    from shoal.gate.gate import Proof

OUTCOMES = {True: "holds", False: "FAILS", None: "open "}


def verify(
    file: Annotated[Path, typer.Argument(help="The release: CSV, Parquet, Arrow, SPSS, Stata or Excel.")],
    policy: Annotated[Path, typer.Option("--policy", "-p", help="The policy.toml that the release must satisfy.")],
    certificate: Annotated[
        Path | None,
        typer.Option("--certificate", help="Also check the certificate of the search: the release.certificate.json."),
    ] = None,
    original: Annotated[
        Path | None,
        typer.Option(
            "--original",
            help="The original: recount the certificate on it, and compute its bound again if it is small.",
        ),
    ] = None,
    earlier: EARLIER = None,
    person: PERSON = None,
    rules: RULES = None,
    memory: Annotated[
        str | None, typer.Option("--memory", help="Memory limit, such as 2GB. Default: half of the free memory.")
    ] = None,
    spreadsheet_safe: Annotated[
        bool,
        typer.Option(
            "--spreadsheet-safe",
            help="The release was produced with this option: leading apostrophes are not part of texts.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the proof as JSON.")] = False,
) -> None:
    """Prove from the file alone that a release satisfies its policy."""
    from shoal.pipeline.verify.verify import verify as verify_file

    with progress_bars():
        proof = verify_file(
            file,
            policy,
            certificate=certificate,
            original=original,
            memory=memory,
            spreadsheet_safe=spreadsheet_safe,
            earlier=earlier or (),
            person=person,
            rules=rules,
        )
    if as_json:
        print_json(proof.to_dict())
    else:
        _print_proof(file, proof)
        if proof.holds:
            print_line(_success(proof))
        else:
            print_error(_failure(proof, has_certificate=certificate is not None))
    raise typer.Exit(0 if proof.holds else 1)


def _print_proof(file: Path, proof: Proof) -> None:
    from shoal.report.words import number_of

    classes = number_of(proof.n_classes, "class", "classes")
    smallest = f" in {classes}, the smallest with {proof.k_reached}" if proof.n_classes else ""
    print_line(f"{file}: {number_of(proof.n_records, 'record')}{smallest}")
    for verdict in proof.verdicts:
        print_line(f"  {OUTCOMES[verdict.holds]}  {verdict.required}: {verdict.found}")
    for carrier in proof.carriers:
        print_line(f"besides its cells the file contains: {carrier}")
    for note in proof.notes:
        print_line(f"note: {note}")
    for fault in proof.faults:
        print_line(f"  FAILS  {fault}")
    for check in getattr(proof, "checks", ()):
        print_line(f"  {OUTCOMES[check.holds]}  {check}")


def _success(proof: Proof) -> str:
    is_open = any(check.holds is None for check in getattr(proof, "checks", ()))
    rest = " What is open is neither proven nor refuted." if is_open else ""
    no_requirement = "Structure checked; no requirement was proven, because the policy sets none."
    return ("Proven." if proof.verdicts else no_requirement) + rest


def _failure(proof: Proof, *, has_certificate: bool) -> str:
    from shoal.pipeline.verify.prove_file import NOT_PROVED

    of = ", or the certificate does not apply to it" if has_certificate else ""
    if all(failure.startswith(NOT_PROVED) for failure in proof.failures):
        return "not proven: nothing fails, but something could not be checked. See the lines that say FAILS."
    if proof.verdicts and all(verdict.holds for verdict in proof.verdicts):
        return (
            f"the release does not satisfy the policy, or its manifest does not describe it{of}. Every requirement "
            "holds: see the lines that say FAILS."
        )
    return f"the release does not satisfy the policy{of}."
