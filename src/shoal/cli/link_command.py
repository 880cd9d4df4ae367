"""The command ``shoal link``: record linkage as an intruder would try it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.console import finding_line, print_json, print_line, progress_bars
from shoal.errors import SourceError

# Options of the intruder, shared by all commands with an attack.
POLICY = Annotated[
    Path | None,
    typer.Option("--policy", "-p", help="The policy.toml of the release, which is made once more to know who is who."),
]
IDENTIFIER = Annotated[
    str | None, typer.Option("--id", help="Of a release of another tool: column of both that says who is who.")
]
TRUTH = Annotated[
    str | None,
    typer.Option("--truth", help="The same: 'position' where record i is record i, or a file of released,original."),
]
KEY = Annotated[
    Path | None, typer.Option("--key", help="The key of the release, where it does not lie beside the policy.")
]
PRECISION = Annotated[
    list[str] | None, typer.Option("--precision", help="How precisely, as column=width: age=5; repeat it.")
]
PERSONS = Annotated[float, typer.Option("--persons", help="Share of the persons whom the intruder knows.")]


def link(
    original: Annotated[Path, typer.Argument(help="What the intruder may hold: the original file.")],
    released: Annotated[Path, typer.Argument(help="The release.")],
    policy: POLICY = None,
    identifier: IDENTIFIER = None,
    truth: TRUTH = None,
    known: Annotated[
        list[str] | None,
        typer.Option(
            "--known",
            help="A column that the intruder knows; repeat it. If left out: every column that both files share, but "
            "identifiers, weights and households.",
        ),
    ] = None,
    precision: PRECISION = None,
    persons: PERSONS = 1.0,
    by: Annotated[str, typer.Option("--by", help="distance, mahalanobis, rank or probabilistic.")] = "distance",
    blocking: Annotated[
        str | None, typer.Option("--blocking", help="standard, sorted, fuzzy or auto; every pair if left out.")
    ] = None,
    guesses: Annotated[int, typer.Option("--guesses", "-k", min=1, help="Guesses for every person.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Where all chance of the attack comes from.")] = 0,
    key: KEY = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures for machines.")] = False,
) -> None:
    """Link the original with its release as an intruder would, and say how many persons are found."""
    from shoal.linkage.intruder import Intruder
    from shoal.pipeline.link import link as attack

    who = Intruder(tuple(known or ()), read_precision(precision or []), persons, seed)
    with progress_bars():
        linked = attack(
            original, released, policy, intruder=who, by=by, blocking=blocking, id=identifier, truth=truth, k=guesses,
            seed=seed, key=key,
        )  # fmt: skip
    if as_json:
        print_json(linked.to_dict())
        return
    for note in linked.notes:
        print_line(f"note: {note}")
    for finding in linked.findings:
        print_line(finding_line(finding))
        print_line(f"  {finding.meaning}")


def read_precision(given: list[str]) -> dict[str, float]:
    read_precision = {}
    for entry in given:
        name, equals, width = entry.rpartition("=")
        try:
            read_precision[name] = float(width)
        except ValueError:
            equals = ""
        if not equals:
            raise SourceError.wrong_option("--precision", "give it as column=width, such as age=5")
    return read_precision
