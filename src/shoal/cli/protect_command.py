"""The command ``shoal protect``: the whole pipeline from table to verified release."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shoal.cli.console import finding_line, print_json, print_line, print_text, print_warnings, progress_bars
from shoal.cli.edition_option import EDITION
from shoal.cli.init_command import FORMAT, read_options
from shoal.cli.link_command import EARLIER, PERSON, POPULATION
from shoal.cli.rules_option import RULES

if TYPE_CHECKING:
    from shoal.pipeline.files.release import Release
    from shoal.policy import Policy


def protect(
    data: Annotated[
        Path | None,
        typer.Argument(
            help="The table: CSV, Parquet (or a folder of it), Arrow, SPSS, Stata, SAS or Excel; table:NAME of Spark."
        ),
    ] = None,
    policy: Annotated[
        Path | None, typer.Option("--policy", "-p", help="The policy.toml; 'shoal init' proposes one.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File for the release, or .parts for a folder.")
    ] = None,
    format_: FORMAT = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write a report to this file: .html, .md or .json.")
    ] = None,
    edition: EDITION = "internal",
    mapping: Annotated[
        Path | None, typer.Option("--mapping", help="Write the group of every record to this file. It is private.")
    ] = None,
    memory: Annotated[
        str | None, typer.Option("--memory", help="Memory limit, such as 2GB. Default: half of the free memory.")
    ] = None,
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            help="auto, memory, duckdb for a table larger than memory, processes for all cores, or spark.",
        ),
    ] = "auto",
    master: Annotated[str | None, typer.Option("--master", help="Where Spark runs. Default: local[*].")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Estimate engine, time, memory and disk space, and stop.")
    ] = False,
    replay: Annotated[Path | None, typer.Option("--replay", help="Produce the release of this manifest again.")] = None,
    key: Annotated[
        Path | None,
        typer.Option("--key", help="The private key file. Default: next to the policy; created if missing."),
    ] = None,
    population: POPULATION = None,
    earlier: EARLIER = None,
    person: PERSON = None,
    rules: RULES = None,
    spreadsheet_safe: Annotated[
        bool,
        typer.Option("--spreadsheet-safe", help="In a CSV, write an apostrophe before texts that begin with = + - @."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace existing files; inputs are never replaced.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the manifest and the warnings as JSON.")] = False,
) -> None:
    """Produce a release that satisfies the policy, proven on the written file; otherwise release nothing."""
    from shoal.pipeline.files.file_names import has_private_manifest
    from shoal.pipeline.protect.protect import protect as protect_table
    from shoal.pipeline.replay import replay as replay_manifest
    from shoal.sources.key_file import key_path

    extras: dict[str, Any] = {"report": report, "mapping": mapping, "force": force, "edition": edition}
    settings: dict[str, Any] = {"memory": memory, "engine": engine, "master": master}
    if dry_run:
        if data is None or policy is None or replay is not None:
            raise typer.BadParameter("--dry-run needs data and --policy, and cannot be combined with --replay.")
        _print_forecast(data, _policy(policy, format_, rules), as_json, output=output, **settings)
        return
    is_new_key, has_private_files = False, output is not None and has_private_manifest(output.parent)
    with progress_bars():
        if replay is not None:
            if any(given is not None for given in (data, policy, format_, population, earlier, person)):
                raise typer.BadParameter("give --replay alone: the manifest names data, policy, format, earlier files.")
            release = replay_manifest(replay, output=output, memory=memory, key=key, rules=rules, **extras)
        else:
            if data is None or policy is None or output is None:
                raise typer.BadParameter("data, --policy and --output are needed (or --replay MANIFEST).")
            key = key or key_path(policy)
            is_new_key = not key.exists()
            release = protect_table(
                data,
                _policy(policy, format_, rules),
                output=output,
                spreadsheet_safe=spreadsheet_safe,
                key=key,
                population=population,
                earlier=earlier or (),
                person=person,
                **extras,
                **settings,
            )
    if as_json:
        _print_manifest(release)
        return
    _summarize(release, output, replay)
    if is_new_key:
        print_line(f"Created the key {key}. Keep it: the release can be produced again only with this key.")
    _print_further_files({"report": report, "mapping": mapping})
    if output is not None:
        _print_private_note(is_known=has_private_files)


def _print_further_files(paths: dict[str, Path | None]) -> None:
    for name, path in paths.items():
        if path is not None:
            print_line(f"The {name} was written to {path}.")


def _print_manifest(release: Release) -> None:
    warnings = [exposure.to_dict() for exposure in release.assessment.exposures]
    print_json({**asdict(release.manifest), "warnings": warnings})


def _print_private_note(*, is_known: bool) -> None:
    """Which files are private; in short where the folder had such files before."""
    from shoal.sources.private import PRIVATE_FILES_NOTE, SHORT_PRIVATE_FILES_NOTE

    print_line(SHORT_PRIVATE_FILES_NOTE if is_known else PRIVATE_FILES_NOTE)


def _in_groups(release: Release) -> str:
    """What k is of in an anatomy."""
    is_anatomy = release.plan.representation.separates_sensitive
    return ", in groups: persons can be found, their sensitive values are hidden in a group" if is_anatomy else ""


def _policy(policy: Path, format_: str | None, rules: Path | None) -> Path | Policy:
    """The policy; one loaded already where the shell names the format of the data, or allows rules of users."""
    from shoal.policy import load

    if format_ is None and rules is None:
        return policy
    loaded = load(policy, rules)
    return loaded if format_ is None else loaded.read_as(read_options(format=format_).format)


def _print_forecast(data: Path, policy: Path | Policy, as_json: bool, **settings: Any) -> None:
    from shoal.pipeline.protect.forecast import forecast

    found = forecast(data, policy, **settings)
    if as_json:
        print_json(asdict(found))
    else:
        print_text(str(found))


def _summarize(release: Release, output: Path | None, replay: Path | None) -> None:
    from shoal.assessment.risk_limits import check_limits
    from shoal.findings import Finding
    from shoal.report import finding_subjects
    from shoal.report.figure_families import worst_findings
    from shoal.report.finding_subjects import by_subject
    from shoal.report.limit_table import limit_sentence
    from shoal.report.sections.plan_section import APPLIED, proof_sentence
    from shoal.report.verdict import reached_text
    from shoal.report.words import earlier_words, number_of

    manifest, counts = release.manifest, release.manifest.counts
    for note in (*release.private.notes, *manifest.notes):
        print_line(f"note: {note}")
    print_line(f"{number_of(counts['n_released'], 'record')} released, {counts['n_suppressed']:,} suppressed")
    print_line(f"k reached {manifest.k_reached}{_in_groups(release)}")
    print_line(f"information loss {release.findings['information loss'].estimate:.4g} %")
    print_warnings(release.assessment.exposures)
    for verdict in manifest.proof["verdicts"]:
        of = f" of {verdict['column']}" if verdict["column"] else ""
        reached = reached_text(verdict["reached"], is_private=verdict.get("is_private", False))
        earlier = earlier_words(verdict["besides"])
        print_line(f"  holds  {verdict['requirement']}{of} = {verdict['asked']:g}{earlier}, reached {reached}")
    by_earlier = by_subject(release.findings, release.assessment.attacks).get(finding_subjects.EARLIER, ())
    membership = [attack.figure for attack in release.assessment.attacks if attack.subject == "membership"]
    measured = [*by_earlier, *(figure for figure in membership if isinstance(figure, Finding))]
    for finding in worst_findings(measured, release.assessment.not_measured):
        print_line(f"  {finding_line(finding)}")
    for check in check_limits(manifest.policy.get("limits", {}), release.assessment):
        print_line(f"  {limit_sentence(check)}")
    for plan in release.assessment.plans:
        if plan.search:
            print_line(f"  {proof_sentence(plan.search)}")
    if replay is not None:
        print_line("The release is identical to that of the manifest, bit by bit.")
        if any(plan.search and not plan.search.was_searched for plan in release.assessment.plans):
            print_line(APPLIED)
    if output is not None:
        from shoal.pipeline.files.file_names import certificate_path, manifest_path, private_path, sensitive_path

        second = f", {sensitive_path(output)}" if release.sensitive is not None else ""
        outcome = "proven as written" if manifest.proof["verdicts"] else "checked as written"
        print_line(f"Wrote {output}{second} and {manifest_path(output)}, {outcome}; {private_path(output)} is private.")
        if release.certificates:
            print_line(f"The certificate was written to {certificate_path(output)}.")
