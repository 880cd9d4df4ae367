"""shoal verify: the gate alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.console import bars, complain, print_json, say


def verify(
    file: Annotated[Path, typer.Argument(help="The release: CSV, Parquet, Arrow, SPSS, Stata, SAS or Excel.")],
    policy: Annotated[Path, typer.Option("--policy", "-p", help="The policy.toml that the release must hold.")],
    memory: Annotated[
        str | None, typer.Option("--memory", help="What may be taken, e.g. 2GB. Default: half of what is free.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the proof for machines.")] = False,
) -> None:
    """Prove from the file alone that a release holds what its policy demands."""
    from shoal.run import verify as prove

    with bars():
        proof = prove(file, policy, memory=memory)
    if as_json:
        print_json(proof.to_dict())
    else:
        classes = f" in {proof.n_classes:,} classes, the smallest of {proof.k_reached}" if proof.n_classes else ""
        say(f"{file}: {proof.n_records:,} records{classes}")
        for verdict in proof.verdicts:
            say(f"  {'holds' if verdict.holds else 'FAILS'}  {verdict}")
        for fault in proof.faults:
            say(f"  FAILS  {fault}")
        if proof.holds:
            say("Proven." if proof.verdicts else "Structure checked, nothing promised: the policy asks for nothing.")
        else:
            complain("the release does not hold what the policy demands.")
    raise typer.Exit(0 if proof.holds else 1)
