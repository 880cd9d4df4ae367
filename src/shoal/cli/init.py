"""shoal init: a policy to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.console import bars, say


def init(
    data: Annotated[Path, typer.Argument(help="The table: CSV, Parquet, Arrow, SPSS, Stata, SAS or Excel.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where the policy goes.")] = Path("policy.toml"),
    force: Annotated[bool, typer.Option("--force", help="Replace an older policy.")] = False,
) -> None:
    """Propose a commented policy: a role and a kind for every column, each with its reason."""
    from shoal.policy.propose import propose
    from shoal.schema.suggest import missing_words, suggest
    from shoal.sources import ReadOptions, read, whole_file

    with bars(), whole_file(output, force=force, inputs=[data]) as draft:
        words = missing_words(read(data).table)
        loaded = read(data, ReadOptions(missing=("", *words)), kinds="infer")
        suggestions = suggest(loaded.table)
        draft.write_text(propose(data.name, suggestions, words), encoding="utf-8")
    for note in loaded.origin.notes:
        say(f"note: {note}")
    width = max(len(suggestion.name) for suggestion in suggestions)
    for s in suggestions:
        say(f"  {s.name:{width}}  {s.role:16}  {s.kind:8}  {s.reason}")
    say(f"\nWrote {output}. These are guesses: read and correct them, then")
    say(f"  shoal protect {data} --policy {output} --output release{data.suffix}")
