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
    typer.Option(
        "--policy",
        "-p",
        help="The policy.toml of the release. The release is produced again to learn which record belongs to whom.",
    ),
]
IDENTIFIER = Annotated[
    str | None,
    typer.Option("--id", help="For a release of another tool: a column of both files that identifies the persons."),
]
TRUTH = Annotated[
    str | None,
    typer.Option(
        "--truth",
        help="For a release of another tool: 'position' if both files have the same records in the same order, or a "
        "file with the columns released and original.",
    ),
]
KEY = Annotated[Path | None, typer.Option("--key", help="The private key of the release. Default: next to the policy.")]
PRECISION = Annotated[
    list[str] | None,
    typer.Option(
        "--precision",
        help="How precisely the intruder knows a column, as column=width, such as age=5; may be repeated.",
    ),
]
POPULATION = Annotated[
    Path | None,
    typer.Option(
        "--population",
        help="Everybody whom the persons are from, for membership: a table with the quasi-identifiers, one person a "
        "row, or with a column 'count'.",
    ),
]
PERSONS = Annotated[float, typer.Option("--persons", help="Share of the persons that the intruder knows about.")]

EARLIER = Annotated[
    list[Path] | None,
    typer.Option(
        "--earlier",
        help="An earlier release of the same persons, with its private manifest next to it; may be repeated, the "
        "latest last.",
    ),
]
PERSON = Annotated[
    str | None,
    typer.Option(
        "--person",
        help="The column of the originals that identifies a person across releases. Default: the only identifier of "
        "the policy.",
    ),
]


def link(
    original: Annotated[Path, typer.Argument(help="The original file, as the knowledge of the intruder.")],
    released: Annotated[Path, typer.Argument(help="The release.")],
    policy: POLICY = None,
    identifier: IDENTIFIER = None,
    truth: TRUTH = None,
    known: Annotated[
        list[str] | None,
        typer.Option(
            "--known",
            help="A column that the intruder knows; may be repeated. Default: every column that both files share, "
            "except identifiers, weights and households.",
        ),
    ] = None,
    precision: PRECISION = None,
    persons: PERSONS = 1.0,
    by: Annotated[str, typer.Option("--by", help="Method: distance, mahalanobis, rank or probabilistic.")] = "distance",
    blocking: Annotated[
        str | None, typer.Option("--blocking", help="standard, sorted, fuzzy or auto. Default: all pairs are compared.")
    ] = None,
    guesses: Annotated[int, typer.Option("--guesses", "-k", min=1, help="Number of guesses per person.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the random numbers of the attack.")] = 0,
    key: KEY = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Link the original with its release as an intruder would, and report how many persons are found."""
    from shoal.linkage.intruder import Intruder
    from shoal.pipeline.link import link as link_files
    from shoal.report.words import name_list

    intruder = Intruder(tuple(known or ()), read_precision(precision or []), persons, seed)
    with progress_bars():
        linked = link_files(
            original, released, policy, intruder=intruder, by=by, blocking=blocking, id=identifier, truth=truth,
            k=guesses, seed=seed, key=key,
        )  # fmt: skip
    if as_json:
        print_json(linked.to_dict())
        return
    chosen = "given by --known" if known else "every column that both files share and that can be compared"
    print_line(f"The intruder of linkage knows {name_list(linked.columns)} ({chosen}).")
    for note in linked.notes:
        print_line(f"note: {note}")
    for finding in linked.findings:
        print_line(finding_line(finding))
        print_line(f"  {finding.meaning}")


def read_precision(entries: list[str]) -> dict[str, float]:
    widths = {}
    for entry in entries:
        name, equals, width = entry.rpartition("=")
        try:
            widths[name] = float(width)
        except ValueError:
            equals = ""
        if not equals:
            raise SourceError.wrong_option("--precision", "give it as column=width, such as age=5")
    return widths
