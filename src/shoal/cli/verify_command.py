"""The command ``shoal verify``: proof of a written release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.console import print_error, print_json, print_line, progress_bars

OUTCOMES = {True: "holds", False: "FAILS", None: "open "}


def verify(
    file: Annotated[Path, typer.Argument(help="The release: CSV, Parquet, Arrow, SPSS, Stata, SAS or Excel.")],
    policy: Annotated[Path, typer.Option("--policy", "-p", help="The policy.toml that the release must hold.")],
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="Check what was proved, too: the release.certificate.json.")
    ] = None,
    original: Annotated[
        Path | None, typer.Option("--original", help="Recount the certificate on this table, and its bound if small.")
    ] = None,
    memory: Annotated[
        str | None, typer.Option("--memory", help="What may be taken, e.g. 2GB. Default: half of what is free.")
    ] = None,
    spreadsheet_safe: Annotated[
        bool, typer.Option("--spreadsheet-safe", help="The release was made so: its apostrophes are no part of texts.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the proof for machines.")] = False,
) -> None:
    """Prove from the file alone that a release holds what its policy demands."""
    from shoal.pipeline.verify.verify import verify as prove
    from shoal.report.words import number_of

    with progress_bars():
        proof = prove(
            file,
            policy,
            certificate=certificate,
            original=original,
            memory=memory,
            spreadsheet_safe=spreadsheet_safe,
        )
    if as_json:
        print_json(proof.to_dict())
    else:
        classes = number_of(proof.n_classes, "class", "classes")
        smallest = f" in {classes}, the smallest of {proof.k_reached}" if proof.n_classes else ""
        print_line(f"{file}: {number_of(proof.n_records, 'record')}{smallest}")
        for verdict in proof.verdicts:
            print_line(f"  {'holds' if verdict.holds else 'FAILS'}  {verdict}")
        for carrier in proof.carriers:
            print_line(f"besides cells: {carrier}")
        for note in proof.notes:
            print_line(f"note: {note}")
        for fault in proof.faults:
            print_line(f"  FAILS  {fault}")
        for check in getattr(proof, "checks", ()):
            print_line(f"  {OUTCOMES[check.holds]}  {check}")
        if proof.holds:
            is_open = any(check.holds is None for check in getattr(proof, "checks", ()))
            rest = " What is open is neither proved nor refuted." if is_open else ""
            nothing = "Structure checked, nothing promised: the policy asks for nothing."
            print_line(("Proven." if proof.verdicts else nothing) + rest)
        else:
            of = "" if certificate is None else ", or the certificate is not true of it"
            print_error(f"the release does not hold what the policy demands{of}.")
    raise typer.Exit(0 if proof.holds else 1)
