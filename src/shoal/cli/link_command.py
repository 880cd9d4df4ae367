"""The command ``shoal link``: record linkage as an intruder would try it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shoal.cli.blocking_option import (
    BLOCK_KEY,
    BLOCKING,
    DECIMALS,
    N_BLOCKS,
    ONE_TO_ONE,
    PAIRS,
    QUANTIFIER,
    TABLE,
    WINDOW,
    check_table_options,
    given_options,
    read_blockings,
)
from shoal.cli.console import finding_line, print_json, print_line, progress_bars
from shoal.errors import SourceError

if TYPE_CHECKING:
    from shoal.linkage.blocking_options import BlockingOptions
    from shoal.linkage.blocking_table import BlockingTable
    from shoal.linkage.intruder import Intruder
    from shoal.linkage.linkage_risk import Linkage

ABOVE = "above the budget"  # of a blocking that keeps more pairs than it may

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
KNOWN = Annotated[
    list[str] | None,
    typer.Option(
        "--known",
        help="A column that the intruder knows; may be repeated. Default: every column that both files share, "
        "except identifiers, weights and households.",
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
    known: KNOWN = None,
    precision: PRECISION = None,
    persons: PERSONS = 1.0,
    by: Annotated[
        str, typer.Option("--by", help="Method: distance, mahalanobis, rank, probabilistic or extents.")
    ] = "distance",
    blocking: BLOCKING = None,
    quantifier: QUANTIFIER = None,
    decimals: DECIMALS = None,
    n_blocks: N_BLOCKS = None,
    block_key: BLOCK_KEY = None,
    window: WINDOW = None,
    table: TABLE = False,
    pairs: PAIRS = None,
    one_to_one: ONE_TO_ONE = False,
    guesses: Annotated[int, typer.Option("--guesses", "-k", min=1, help="Number of guesses per person.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the random numbers of the attack.")] = 0,
    key: KEY = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Link the original with its release as an intruder would, and report how many persons are found."""
    from shoal.linkage.intruder import Intruder

    intruder = Intruder(tuple(known or ()), read_precision(precision or []), persons, seed)
    files = _Files(original, released, policy, identifier, truth, key)
    given = given_options(quantifier, decimals, n_blocks, block_key, window)
    if table:
        check_table_options(blocking or (), given, one_to_one=one_to_one)
        _show_table(files, intruder, pairs, decimals, seed, as_json=as_json)
        return
    if pairs is not None:
        raise SourceError.wrong_option("--pairs", "it belongs to --blocking-table")
    blockings = read_blockings(blocking or [], given)
    linked = _link(files, intruder, by, blockings, guesses, seed, one_to_one=one_to_one)
    if as_json:
        print_json(linked.to_dict())
    else:
        _print_linkage(linked, is_chosen=bool(known))


@dataclass(frozen=True)
class _Files:
    """Both files, and what pairs their records."""

    original: Path
    released: Path
    policy: Path | None
    id: str | None
    truth: str | None
    key: Path | None


def _link(
    files: _Files,
    intruder: Intruder,
    by: str,
    blocking: list[BlockingOptions] | None,
    guesses: int,
    seed: int,
    *,
    one_to_one: bool,
) -> Linkage:
    from shoal.pipeline.link import link as link_files

    with progress_bars():
        return link_files(
            files.original, files.released, files.policy, intruder=intruder, by=by, blocking=blocking,
            one_to_one=one_to_one, id=files.id, truth=files.truth, k=guesses, seed=seed, key=files.key,
        )  # fmt: skip


def _print_linkage(linked: Linkage, *, is_chosen: bool) -> None:
    from shoal.report.words import name_list

    chosen = "given by --known" if is_chosen else "every column that both files share and that can be compared"
    print_line(f"The intruder of linkage knows {name_list(linked.columns)} ({chosen}).")
    for note in linked.notes:
        print_line(f"note: {note}")
    for finding in linked.findings:
        print_line(finding_line(finding))
        print_line(f"  {finding.meaning}")


def _show_table(
    files: _Files, intruder: Intruder, pairs: int | None, decimals: int | None, seed: int, *, as_json: bool
) -> None:
    from shoal.pipeline.link import blocking_table

    with progress_bars():
        found = blocking_table(
            files.original, files.released, files.policy, intruder=intruder, n_pairs=pairs, decimals=decimals,
            id=files.id, truth=files.truth, seed=seed, key=files.key,
        )  # fmt: skip
    if as_json:
        print_json(found.to_dict())
    else:
        print_blocking_table(found)


def print_blocking_table(table: BlockingTable) -> None:
    """Rows in the order of their methods, the highest recall of each first, and those above the budget last; then the
    means of the methods."""
    sampled = ", a sample" if table.sampled else ""
    print_line(f"Recall of blockings: {table.n_persons:,} persons{sampled}, {table.n_records:,} released records.")
    if table.budget is not None:
        above = f" Blockings that keep more are marked '{ABOVE}'." if any(r.exceeds_budget for r in table.rows) else ""
        print_line(f"The budget is {100 * table.budget:.4g} % of all pairs.{above}")
    width = max(len(row.by) for row in table.rows)
    methods = list(dict.fromkeys(row.method for row in table.rows))
    for row in sorted(table.rows, key=lambda row: (methods.index(row.method), row.exceeds_budget, -row.recall)):
        found = f"{100 * row.recall:6.2f} % of true pairs ({row.n_found:,})"
        above = f", {ABOVE}" if row.exceeds_budget else ""
        print_line(f"  {row.method:<9} {row.by:<{width}} {found} in {100 * row.pair_share:.2f} % of all pairs{above}")
    for method, mean in table.means.items():
        print_line(f"mean of {method}: {mean:,.1f} true pairs ({100 * mean / table.n_persons:.2f} %)")


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
