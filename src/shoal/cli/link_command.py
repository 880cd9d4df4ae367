"""The command ``shoal link``: record linkage as an intruder would try it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli.console import finding_line, print_json, print_line, progress_bars
from shoal.errors import SourceError

if TYPE_CHECKING:
    from shoal.linkage.blocking_options import BlockingOptions
    from shoal.linkage.blocking_table import BlockingTable

OPTION_NAMES = {
    "quantifier": "--quantifier",
    "decimals": "--decimals",
    "n_blocks": "--blocks",
    "keys": "--block-key",
    "window": "--window",
}

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
    by: Annotated[
        str, typer.Option("--by", help="Method: distance, mahalanobis, rank, probabilistic or extents.")
    ] = "distance",
    blocking: Annotated[
        list[str] | None,
        typer.Option(
            "--blocking",
            help="none, standard, sorted, fuzzy, twod_tree, som or auto; may be repeated for several passes. Default: "
            "[linkage.blocking] of the policy, else all pairs are compared.",
        ),
    ] = None,
    quantifier: Annotated[
        list[str] | None,
        typer.Option("--quantifier", help="Of fuzzy blocking, such as 'power 1.2'; repeated: one pass for each."),
    ] = None,
    decimals: Annotated[
        int | None, typer.Option("--decimals", help="Keys are scaled to 0..1 and rounded to so many decimals.")
    ] = None,
    n_blocks: Annotated[int | None, typer.Option("--blocks", help="Number of blocks, instead of decimals.")] = None,
    block_key: Annotated[
        list[str] | None,
        typer.Option(
            "--block-key",
            help="Column that is a blocking key, or several joined by +, such as sex+age; may be repeated: several "
            "passes.",
        ),
    ] = None,
    window: Annotated[
        str | None, typer.Option("--window", help="Of sorted: a share of the records, 0.05, or positions, 50.")
    ] = None,
    table: Annotated[
        bool,
        typer.Option(
            "--blocking-table", help="Print recall against pairs of every quantifier, key and window; link nothing."
        ),
    ] = False,
    pairs: Annotated[
        int | None,
        typer.Option("--pairs", min=1, help="With --blocking-table: pairs to keep. Default: 1,000 per person."),
    ] = None,
    one_to_one: Annotated[
        bool,
        typer.Option("--one-to-one", help="Link every record to one person at most, at the least sum of distances."),
    ] = False,
    guesses: Annotated[int, typer.Option("--guesses", "-k", min=1, help="Number of guesses per person.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the random numbers of the attack.")] = 0,
    key: KEY = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Link the original with its release as an intruder would, and report how many persons are found."""
    from shoal.linkage.intruder import Intruder
    from shoal.pipeline.link import blocking_table
    from shoal.pipeline.link import link as link_files
    from shoal.report.words import name_list

    intruder = Intruder(tuple(known or ()), read_precision(precision or []), persons, seed)
    if table:
        if blocking or quantifier or n_blocks or block_key or window or one_to_one:
            raise SourceError.wrong_option("--blocking-table", "it takes --pairs or --decimals, and no other blocking")
        with progress_bars():
            found = blocking_table(
                original, released, policy, intruder=intruder, n_pairs=pairs, decimals=decimals, id=identifier,
                truth=truth, seed=seed, key=key,
            )  # fmt: skip
        if as_json:
            print_json(found.to_dict())
        else:
            print_blocking_table(found)
        return
    if pairs is not None:
        raise SourceError.wrong_option("--pairs", "it belongs to --blocking-table")
    given = {
        "quantifier": tuple(quantifier or ()),
        "decimals": decimals,
        "n_blocks": n_blocks,
        "keys": tuple(_key_of(text) for text in block_key or ()),
        "window": _window_of(window),
    }
    with progress_bars():
        linked = link_files(
            original, released, policy, intruder=intruder, by=by, blocking=read_blockings(blocking or [], given),
            one_to_one=one_to_one, id=identifier, truth=truth, k=guesses, seed=seed, key=key,
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


def print_blocking_table(table: BlockingTable) -> None:
    """Rows in the order of their methods, the highest recall of each first; then the means of the methods."""
    sampled = ", a sample" if table.sampled else ""
    print_line(f"Recall of blockings: {table.n_persons:,} persons{sampled}, {table.n_records:,} released records.")
    width = max(len(row.by) for row in table.rows)
    methods = list(dict.fromkeys(row.method for row in table.rows))
    for row in sorted(table.rows, key=lambda row: (methods.index(row.method), -row.recall)):
        found = f"{100 * row.recall:6.2f} % of true pairs ({row.n_found:,})"
        print_line(f"  {row.method:<9} {row.by:<{width}} {found} in {100 * row.pair_share:.2f} % of all pairs")
    for method, mean in table.means.items():
        print_line(f"mean of {method}: {mean:,.1f} true pairs ({100 * mean / table.n_persons:.2f} %)")


def read_blockings(methods: list[str], given: dict[str, Any]) -> list[BlockingOptions] | None:
    """One blocking for every method named; each takes those options that it has."""
    from shoal.linkage.blocking_options import METHODS_WITH, BlockingOptions

    options = {name: value for name, value in given.items() if value not in (None, ())}
    for name in options:
        if not any(method in METHODS_WITH[name] for method in methods):
            needed = " or ".join(METHODS_WITH[name])
            raise SourceError.wrong_option(OPTION_NAMES[name], f"it needs --blocking {needed}")
    taken = [{name: value for name, value in options.items() if method in METHODS_WITH[name]} for method in methods]
    return [BlockingOptions(method, **mine) for method, mine in zip(methods, taken, strict=True)] or None


def _key_of(text: str) -> str | tuple[str, ...]:
    return tuple(text.split("+")) if "+" in text else text


def _window_of(text: str | None) -> float | int | None:
    if text is None:
        return None
    try:
        return int(text) if text.isdigit() else float(text)
    except ValueError:
        raise SourceError.wrong_option("--window", "give a share such as 0.05, or a number of positions") from None


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
