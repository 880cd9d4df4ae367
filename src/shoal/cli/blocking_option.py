"""Options of ``shoal link`` that select the pairs of records to compare, and the blockings that they name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.errors import SourceError

if TYPE_CHECKING:
    from shoal.linkage.blocking_options import BlockingOptions

OPTION_NAMES = {
    "quantifier": "--quantifier",
    "decimals": "--decimals",
    "n_blocks": "--blocks",
    "keys": "--block-key",
    "window": "--window",
}

BLOCKING = Annotated[
    list[str] | None,
    typer.Option(
        "--blocking",
        help="none, standard, sorted, fuzzy, twod_tree, som or auto; may be repeated for several passes. Default: "
        "linkage.blocking of the policy, else all pairs are compared.",
    ),
]
QUANTIFIER = Annotated[
    list[str] | None,
    typer.Option("--quantifier", help="Of fuzzy blocking, such as 'power 1.2'; repeated: one pass for each."),
]
DECIMALS = Annotated[
    int | None, typer.Option("--decimals", help="Keys are scaled to 0..1 and rounded to so many decimals.")
]
N_BLOCKS = Annotated[int | None, typer.Option("--blocks", help="Number of blocks, instead of decimals.")]
BLOCK_KEY = Annotated[
    list[str] | None,
    typer.Option(
        "--block-key",
        help="Column that is a blocking key, or several joined by +, such as sex+age; may be repeated: several passes.",
    ),
]
WINDOW = Annotated[
    str | None, typer.Option("--window", help="Of sorted: a share of the records, 0.05, or positions, 50.")
]
TABLE = Annotated[
    bool,
    typer.Option(
        "--blocking-table", help="Print recall against pairs of every quantifier, key and window; link nothing."
    ),
]
PAIRS = Annotated[
    int | None,
    typer.Option(
        "--pairs", min=1, help="With --blocking-table: pairs to keep. Default: 1,000 per person, at most a tenth."
    ),
]
ONE_TO_ONE = Annotated[
    bool, typer.Option("--one-to-one", help="Link every record to one person at most, at the least sum of distances.")
]


def given_options(
    quantifier: list[str] | None,
    decimals: int | None,
    n_blocks: int | None,
    block_key: list[str] | None,
    window: str | None,
) -> dict[str, Any]:
    """The options of blockings that were given, by their names in a policy."""
    options = {
        "quantifier": tuple(quantifier or ()),
        "decimals": decimals,
        "n_blocks": n_blocks,
        "keys": tuple(_key_of(text) for text in block_key or ()),
        "window": _window_of(window),
    }
    return {name: value for name, value in options.items() if value not in (None, ())}


def check_table_options(blocking: Sequence[str], given: dict[str, Any], *, one_to_one: bool) -> None:
    if blocking or one_to_one or given.keys() - {"decimals"}:
        raise SourceError.wrong_option("--blocking-table", "it takes --pairs or --decimals, and no other blocking")


def read_blockings(methods: list[str], given: dict[str, Any]) -> list[BlockingOptions] | None:
    """One blocking for every method named; each takes those options that it has."""
    from shoal.linkage.blocking_options import METHODS_WITH, BlockingOptions

    for name in given:
        if not any(method in METHODS_WITH[name] for method in methods):
            needed = " or ".join(METHODS_WITH[name])
            raise SourceError.wrong_option(OPTION_NAMES[name], f"it needs --blocking {needed}")
    taken = [{name: value for name, value in given.items() if method in METHODS_WITH[name]} for method in methods]
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
