"""Draft policies for a file, with the reason for every guess as a comment. A draft is never applied automatically."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.errors import SourceError
from shoal.schema.suggest import Suggestion, missing_words, suggest
from shoal.sources import ReadOptions, check_writable, compression_of, read
from shoal.sources.options import SNIFF

if TYPE_CHECKING:
    from shoal.sources import LoadedTable
    from shoal.sources.text_dates import WrittenDates

DEFAULT_K = 5
# Detected options of an ordinary CSV, which need not be written down. The delimiter is left out: it is always detected.
USUAL_OPTIONS: dict[str, tuple[object, ...]] = {
    "quote": ('"',),
    "encoding": ("utf-8", "utf-8-sig"),
    "decimal": (".",),
    "header": (True,),
}


@dataclass(frozen=True)
class Proposal:
    """A draft policy for a file."""

    text: str
    """The text of the policy.toml."""
    suggestions: tuple[Suggestion, ...]
    notes: tuple[str, ...]
    """Sentences for the user about what was decided while reading the file."""


def propose(table: Any, *, policy: str | Path = "policy.toml", options: ReadOptions = SNIFF) -> Proposal:
    """A draft policy for ``table`` (a file or any dataframe): a role and a kind for every column, with the reasons.

    ``policy`` is the file that the draft is meant for; nothing is written. ``options`` of reading are kept, the others
    are detected.
    """
    from shoal.sources.text_dates import WrittenDates, detect_date_format

    first = read(table, options)
    first.check_named()
    words = missing_words(first.table)
    loaded = read(table, options.model_copy(update={"missing": ("", *words)}), kinds="infer")
    is_typed = loaded.origin.format != "csv"
    dates = WrittenDates() if options.date_format else detect_date_format(loaded.table, is_typed=is_typed)
    suggestions = suggest(loaded.table, _reasons(dates))
    source = _source(options, loaded, dates, words)
    text = _text(protect_command_line(table, Path(policy)), _name_of(table), source, suggestions)
    return Proposal(text, tuple(suggestions), (*loaded.origin.notes, *dates.notes))


def protect_command_line(table: Any, policy: Path) -> str:
    """The command that produces a release once the policy is finished: of the shell, or of Python for a dataframe."""
    if not isinstance(table, str | os.PathLike):
        return f"shoal.protect(table, {str(policy)!r})"
    data = Path(table)
    return (
        f"shoal protect {_shell_word(data)} --policy {_shell_word(policy)} --output {_shell_word(_release_path(data))}"
    )


def _name_of(table: Any) -> str:
    return Path(table).name if isinstance(table, str | os.PathLike) else "the dataframe"


def _shell_word(path: Path) -> str:
    """The path quoted for a shell, on one line."""
    return shlex.quote(str(path)) if str(path).isprintable() else ascii(str(path))


def _release_path(data: Path) -> Path:
    """A file name with the extension of the data; release.csv where Shoal cannot write that format."""
    release = Path("release" + "".join(data.suffixes[-2:] if compression_of(data) else data.suffixes[-1:]))
    try:
        check_writable(release)
    except SourceError:
        return Path("release.csv")
    return release


def _reasons(dates: WrittenDates) -> dict[str, str]:
    return {
        name: f"dates written {dates.date_format}"
        + (f", except for {n} cells: correct them, or declare them missing" * (n > 0))
        for name, n in dates.n_misfits.items()
    }


def _source(
    requested: ReadOptions, loaded: LoadedTable, dates: WrittenDates, words: Sequence[str]
) -> dict[str, tuple[Any, str]]:
    """The [source] table, each value with its comment: the requested options, and unusual detected ones."""
    settled = loaded.origin.options
    chosen = {name: getattr(requested, name) for name in ReadOptions.model_fields if name in requested.model_fields_set}
    source: dict[str, tuple[Any, str]] = {name: (value, "as given") for name, value in chosen.items()}
    if loaded.origin.format == "csv":
        for name, ordinary in USUAL_OPTIONS.items():
            if getattr(settled, name) not in ordinary:
                source.setdefault(name, (getattr(settled, name), "detected in the file"))
    if dates.date_format is not None:
        source["date_format"] = (dates.date_format, "for all columns of kind date; default: ISO 8601")
    if words:
        source["missing"] = (["", *words], "found in the file; check that all of these words mean 'missing'")
    return source


def _text(command: str, name: str, source: Mapping[str, tuple[Any, str]], suggestions: Sequence[Suggestion]) -> str:
    import tomlkit
    from tomlkit import comment, document, nl

    policy = document()
    shown = name if name.isprintable() else ascii(name)
    for line in (
        f"Draft policy for {shown}, guessed from column names and values: check every line before you use it.",
        f"Then: {command}",
    ):
        policy.add(comment(line))
    policy.add(nl())
    policy["seed"] = 0
    policy["seed"].comment("the same policy, data, seed and key give the same release")
    if source:
        policy["source"] = _commented(source)
    requirements = tomlkit.aot()
    requirements.append(
        _commented(
            {
                "name": ("k_anonymity", ""),
                "k": (DEFAULT_K, "every record shares its quasi-identifiers with k - 1 others"),
            }
        )
    )
    policy["requirements"] = requirements
    policy["method"] = _commented(
        {"name": ("mdav", "microaggregation: groups of at least k similar records, released as their centroid")}
    )
    policy["suppression"] = _commented(
        {"limit": (0.0, "largest share of the records that may be suppressed where a requirement fails")}
    )
    policy["output"] = _commented(
        {"shuffle": (True, "random order: the original order of the records may reveal who is who")}
    )
    policy["columns"] = _columns(suggestions)
    return tomlkit.dumps(policy) + _diversity_hint([s.name for s in suggestions if s.role == "sensitive"])


def _commented(lines: Mapping[str, tuple[Any, str]]) -> Any:
    """A TOML table: each key with its value and a comment, which may be empty."""
    from tomlkit import item, table

    made = table()
    for key, (value, comment) in lines.items():
        entry = item(value)
        made.add(key, entry.comment(comment) if comment else entry)
    return made


def _columns(suggestions: Sequence[Suggestion]) -> object:
    from tomlkit import comment, table

    columns = table(is_super_table=True)
    for suggestion in suggestions:
        column = table()
        column.add(comment(suggestion.reason))
        column["role"] = suggestion.role
        column["kind"] = suggestion.kind
        columns[suggestion.name] = column
    return columns


def _diversity_hint(sensitive: Sequence[str]) -> str:
    if not sensitive:
        return ""
    from tomlkit import string

    name = string(sensitive[0]).as_string()  # quoted and escaped, on one line
    return (
        f"\n# To require also several values of {name} in every class:\n"
        f'# [[requirements]]\n# name = "distinct_l_diversity"\n# l = 2\n# column = {name}\n'
    )
