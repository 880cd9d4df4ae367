"""shoal protect: the whole road."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shoal.cli.console import bars, print_json, say

if TYPE_CHECKING:
    from shoal.run import Release


def protect(
    data: Annotated[Path | None, typer.Argument(help="The table: CSV, Parquet, Arrow, SPSS, Stata or Excel.")] = None,
    policy: Annotated[
        Path | None, typer.Option("--policy", "-p", help="The policy.toml; 'shoal init' writes one.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Where the release goes.")] = None,
    report: Annotated[Path | None, typer.Option("--report", help="Write an HTML report there.")] = None,
    mapping: Annotated[
        Path | None, typer.Option("--mapping", help="Write record -> group there. For internal use only.")
    ] = None,
    replay: Annotated[Path | None, typer.Option("--replay", help="Repeat the release of this manifest.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace older files, never an input.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the manifest for machines.")] = False,
) -> None:
    """Make a release that holds what the policy demands, proved on the written file; or nothing at all."""
    from shoal import run

    with bars(), ExitStack() as files:
        inputs = _inputs(data, policy, replay)
        extras = _draft_extras(files, output, report, mapping, inputs, force)
        if replay is not None:
            if data is not None or policy is not None:
                raise typer.BadParameter("a manifest names data and policy itself: give --replay alone.")
            release = run.replay(replay, output=output, force=force)
        else:
            if data is None or policy is None or output is None:
                raise typer.BadParameter("data, --policy and --output are needed (or --replay MANIFEST).")
            release = run.protect(data, policy, output=output, force=force)
        _write_extras(release, *extras)
    if as_json:
        print_json(asdict(release.manifest))
    else:
        _summarize(release, output, replay)


def _inputs(data: Path | None, policy: Path | None, replay: Path | None) -> list[Path]:
    """All files that the release is made from: neither report nor mapping may take the place of one."""
    from shoal.policy import load
    from shoal.run import files_of_manifest

    named = load(policy).files if policy is not None else ()
    return [*([data] if data else []), *named, *(files_of_manifest(replay) if replay else [])]


def _draft_extras(
    files: ExitStack, output: Path | None, report: Path | None, mapping: Path | None, inputs: list[Path], force: bool
) -> list[Path | None]:
    """Where report and mapping may be written: known before any work is done."""
    from shoal.run import manifest_path
    from shoal.sources import check_writable, whole_file

    outputs = [output, output and manifest_path(output), report, mapping]
    places = [path.resolve() for path in outputs if path is not None]
    if len(set(places)) < len(places):
        raise typer.BadParameter("release, manifest, report and mapping must be different files.")
    if mapping is not None:
        check_writable(mapping)
    return [path and files.enter_context(whole_file(path, force=force, inputs=inputs)) for path in (report, mapping)]


def _write_extras(release: Release, report: Path | None, mapping: Path | None) -> None:
    from shoal.sources import write_table

    if report is not None:
        report.write_text(release.report(), encoding="utf-8")
    if mapping is not None:
        write_table(release.groups, mapping)


def _summarize(release: Release, output: Path | None, replay: Path | None) -> None:
    manifest, counts = release.manifest, release.manifest.counts
    for note in manifest.notes:
        say(f"note: {note}")
    say(f"{counts['n_released']:,} records released, {counts['n_suppressed']:,} suppressed")
    say(f"k reached {manifest.k_reached}")
    say(f"information loss {release.findings['information loss'].estimate:.4g} %")
    for verdict in manifest.proof["verdicts"]:
        of = f" of {verdict['column']}" if verdict["column"] else ""
        say(f"  holds  {verdict['requirement']}{of} = {verdict['asked']:g}, reached {verdict['reached']:g}")
    if replay is not None:
        say("The same release, bit by bit.")
    if output is not None:
        from shoal.run import manifest_path

        say(f"Wrote {output} and {manifest_path(output)}, proved as written.")
