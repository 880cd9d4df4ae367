"""The command ``shoal protect``: the whole pipeline from table to verified release."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli.console import print_json, print_line, print_text, progress_bars

if TYPE_CHECKING:
    from shoal.pipeline.files.release import Release
    from shoal.pipeline.protect.forecast import Forecast


def protect(
    data: Annotated[Path | None, typer.Argument(help="The table: CSV, Parquet, Arrow, SPSS, Stata or Excel.")] = None,
    policy: Annotated[
        Path | None, typer.Option("--policy", "-p", help="The policy.toml; 'shoal init' writes one.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Where the release goes.")] = None,
    report: Annotated[Path | None, typer.Option("--report", help="Write an HTML report there.")] = None,
    mapping: Annotated[
        Path | None, typer.Option("--mapping", help="Write record -> group there, for you alone.")
    ] = None,
    memory: Annotated[
        str | None, typer.Option("--memory", help="What may be taken, e.g. 2GB. Default: half of what is free.")
    ] = None,
    engine: Annotated[
        str, typer.Option("--engine", help="auto, memory or duckdb (a table larger than memory).")
    ] = "auto",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say which engine, time, memory and disk it would take; do nothing.")
    ] = False,
    replay: Annotated[Path | None, typer.Option("--replay", help="Repeat the release of this manifest.")] = None,
    key: Annotated[
        Path | None,
        typer.Option("--key", help="The private key; if left out the one beside the policy. Made if it is not there."),
    ] = None,
    spreadsheet_safe: Annotated[
        bool, typer.Option("--spreadsheet-safe", help="In a CSV: an apostrophe before texts that begin with = + - @.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace older files, never an input.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the manifest for machines.")] = False,
) -> None:
    """Make a release that holds what the policy demands, proved on the written file; or nothing at all."""
    from shoal.pipeline.protect.forecast import forecast
    from shoal.pipeline.protect.protect import protect as make_release
    from shoal.pipeline.replay import replay as repeat
    from shoal.sources.key_file import key_path
    from shoal.sources.private import NEVER_HANDED_OUT

    extras: dict[str, Any] = {"report": report, "mapping": mapping, "force": force}
    how: dict[str, Any] = {"memory": memory, "engine": engine}
    if dry_run:
        if data is None or policy is None or replay is not None:
            raise typer.BadParameter("data and --policy are needed, and no --replay.")
        _foretell(forecast(data, policy, output=output, **how), as_json)
        return
    is_new = False
    with progress_bars():
        if replay is not None:
            if data is not None or policy is not None:
                raise typer.BadParameter("a manifest names data and policy itself: give --replay alone.")
            release = repeat(replay, output=output, memory=memory, key=key, **extras)
        else:
            if data is None or policy is None or output is None:
                raise typer.BadParameter("data, --policy and --output are needed (or --replay MANIFEST).")
            key = key or key_path(policy)
            is_new = not key.exists()
            release = make_release(
                data, policy, output=output, spreadsheet_safe=spreadsheet_safe, key=key, **extras, **how
            )
    if as_json:
        print_json(asdict(release.manifest))
    else:
        _summarize(release, output, replay)
        if is_new:
            print_line(f"Made the key {key}. Keep it: only with it can the release be made once more.")
        for name, path in (("report", report), ("mapping", mapping)):
            if path is not None:
                print_line(f"Wrote the {name} to {path}.")
        if output is not None:
            print_line(NEVER_HANDED_OUT)


def _foretell(forecast: Forecast, as_json: bool) -> None:
    if as_json:
        print_json(asdict(forecast))
    else:
        print_text(str(forecast))


def _summarize(release: Release, output: Path | None, replay: Path | None) -> None:
    from shoal.report.exposure_words import exposure_caution
    from shoal.report.sections.plan_section import proof_sentence
    from shoal.report.words import number_of

    manifest, counts = release.manifest, release.manifest.counts
    for note in (*release.private.notes, *manifest.notes):
        print_line(f"note: {note}")
    print_line(f"{number_of(counts['n_released'], 'record')} released, {counts['n_suppressed']:,} suppressed")
    print_line(f"k reached {manifest.k_reached}")
    print_line(f"information loss {release.findings['information loss'].estimate:.4g} %")
    for exposure in release.assessment.exposures:
        found = exposure_caution(exposure)
        print_line(f"warning: {found.text}")
        for line in found.lines:
            print_line(f"    {line}")
    for verdict in manifest.proof["verdicts"]:
        of = f" of {verdict['column']}" if verdict["column"] else ""
        print_line(f"  holds  {verdict['requirement']}{of} = {verdict['asked']:g}, reached {verdict['reached']:g}")
    for plan in release.assessment.plans:
        if plan.search:
            print_line(f"  {proof_sentence(plan.search)}")
    if replay is not None:
        print_line("The same release, bit by bit.")
    if output is not None:
        from shoal.pipeline.files.file_names import certificate_path, manifest_path, private_path

        print_line(
            f"Wrote {output} and {manifest_path(output)}, proved as written; {private_path(output)} is for you alone."
        )
        if release.certificates:
            print_line(f"Wrote the certificate to {certificate_path(output)}.")
