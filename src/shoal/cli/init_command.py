"""The command ``shoal init``: a proposed policy to start from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli.console import print_line, progress_bars
from shoal.errors import SourceError

if TYPE_CHECKING:
    from shoal.policy.propose import Proposal
    from shoal.sources import ReadOptions

FORMAT = Annotated[
    str | None,
    typer.Option("--format", help="Format of the file, whatever its extension: csv, parquet, spss, stata, xlsx, ..."),
]
TABS = {"\\t": "\t", "tab": "\t"}  # hard to type in a shell


def init(
    data: Annotated[Path, typer.Argument(help="The table: CSV, Parquet, Arrow, SPSS, Stata, SAS or Excel.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="File for the policy.")] = Path("policy.toml"),
    format_: FORMAT = None,
    delimiter: Annotated[
        str | None, typer.Option("--delimiter", help="Separator between the cells of a CSV, or 'tab'.")
    ] = None,
    encoding: Annotated[str | None, typer.Option("--encoding", help="Encoding of the text, such as cp1252.")] = None,
    header: Annotated[
        bool | None, typer.Option("--header/--no-header", help="Whether the first line contains the column names.")
    ] = None,
    names: Annotated[
        str | None,
        typer.Option("--names", help="Names of all columns, separated by commas, where the first line is a record."),
    ] = None,
    sheet: Annotated[str | None, typer.Option("--sheet", help="Sheet of an Excel file. Default: the first.")] = None,
    decimal: Annotated[str | None, typer.Option("--decimal", help="The decimal mark: . or ,")] = None,
    thousands: Annotated[
        str | None, typer.Option("--thousands", help="The mark of thousands: . or , or ' or a blank.")
    ] = None,
    trim: Annotated[
        bool | None, typer.Option("--trim/--no-trim", help="Whether blanks around cells are no part of them.")
    ] = None,
    date_format: Annotated[
        str | None, typer.Option("--date-format", help="Format of dates, such as %d.%m.%Y. Default: ISO 8601.")
    ] = None,
    scenario: Annotated[
        str | None,
        typer.Option("--scenario", help="Thresholds: public-use, scientific-use, internal or hipaa-safe-harbor."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing policy.")] = False,
) -> None:
    """Propose a commented policy: a role and a kind for every column, each with its reason."""
    from shoal.policy.propose import propose, protect_command_line
    from shoal.sources import whole_file
    from shoal.sources.key_file import Key, key_path

    options = read_options(
        format=format_,
        delimiter=TABS.get(delimiter or "", delimiter),
        encoding=encoding,
        header=header,
        names=None if names is None else [name.strip() for name in names.split(",")],
        sheet=sheet,
        decimal=decimal,
        thousands=thousands,
        trim=trim,
        date_format=date_format,
    )
    with progress_bars(), whole_file(output, force=force, inputs=[data]) as draft:
        proposal = propose(data, policy=output, options=options, scenario=scenario)
        draft.write_text(proposal.text, encoding="utf-8")
    key = Key.for_file(key_path(output)).store()
    _print_proposal(proposal)
    print_line(f"The private key is {key.file}. Keep it, and do not give it to anybody.")
    print_line(f"The policy was written to {output}. Its roles and kinds are guesses: check and correct them, then run")
    print_line(f"  {protect_command_line(data, output)}")


def _print_proposal(proposal: Proposal) -> None:
    for note in proposal.notes:
        print_line(f"note: {note}")
    for line in proposal.lines():
        print_line(line)
    print_line()
    for look in proposal.first_looks:
        print_line(f"Look first at {look}")
    for question in proposal.questions:
        print_line(f"please decide: {question}")
    for hint in proposal.hints:
        print_line(f"hint: {hint}")


def read_options(**options: Any) -> ReadOptions:
    """Read options with those set that are not None."""
    from pydantic import ValidationError

    from shoal.sources import ReadOptions

    try:
        return ReadOptions(**{name: value for name, value in options.items() if value is not None})
    except ValidationError as invalid:
        error = invalid.errors()[0]
        option = "--" + str(error["loc"][0] if error["loc"] else "delimiter").replace("_", "-")
        raise SourceError.wrong_option(option, str(error.get("ctx", {}).get("error", error["msg"]))) from None
