"""The command ``shoal compare``: the same table under many policies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from shoal.cli.console import print_json, print_line, progress_bars
from shoal.cli.edition_option import EDITION
from shoal.errors import SourceError

WIDTH = 80  # of a stream that is no terminal


def compare(
    data: Annotated[Path, typer.Argument(help="The table: CSV, Parquet, Arrow, SPSS, Stata, SAS or Excel.")],
    policy: Annotated[list[Path], typer.Option("--policy", "-p", help="A policy.toml; may be repeated.")],
    grid: Annotated[
        list[str] | None,
        typer.Option(
            "--grid",
            help="A setting to vary in every policy, such as method.k=3,5,10 or requirements.0.k=3,5, where 0 is the "
            "first of a list; repeat it to try all combinations.",
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write a report to this file: .html, .md or .json.")
    ] = None,
    pair: Annotated[
        list[str] | None,
        typer.Option(
            "--pair", help="Say which of two policies is better, by their numbers from 1, such as 2,5; may be repeated."
        ),
    ] = None,
    edition: EDITION = "internal",
    force: Annotated[
        bool, typer.Option("--force", help="Replace an existing report; inputs are never replaced.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Compare the disclosure risk and the information loss of several policies. Nothing is released."""
    from shoal.cli.outline_screen import print_outline
    from shoal.pipeline.compare import compare as compare_policies
    from shoal.report.comparison_outline import narrow_comparison_outline

    pairs = [_pair(entry) for entry in pair or []]
    with progress_bars():
        comparison = compare_policies(data, policy, grid=_grid(grid or []), report=report, force=force, edition=edition)
    if as_json:
        print_json(comparison.to_list())
    else:
        print_outline(narrow_comparison_outline(comparison, data.name, pairs or None), WIDTH)
        if report is not None:
            print_line(f"The report was written to {report}.")
    raise typer.Exit(0 if comparison.points else 1)


def _grid(entries: list[str]) -> dict[str, list[Any]]:
    grid = {}
    for entry in entries:
        key, equals, values = entry.partition("=")
        if not equals or not key or not values:
            raise SourceError.wrong_option("--grid", "give it as key=value,value, such as method.k=3,5,10")
        grid[key] = [_value(text.strip()) for text in values.split(",")]
    return grid


def _pair(entry: str) -> tuple[int, int]:
    numbers = [text.strip() for text in entry.split(",")]
    if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
        raise SourceError.wrong_option("--pair", "give it as two numbers of policies, such as 2,5")
    return int(numbers[0]), int(numbers[1])


def _value(text: str) -> Any:
    """The value as TOML reads it; a word needs no quotes."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        return tomlkit.value(text).unwrap()
    except TOMLKitError:
        return text
