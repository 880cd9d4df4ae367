"""The command ``shoal demo``: the whole pipeline on a synthetic census."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.console import print_line, print_warnings, progress_bars
from shoal.errors import SourceError, install

PERSONS = 100_000
OPENING = "# The policy of the demo"


def demo(
    folder: Annotated[Path, typer.Option("--folder", help="Folder for all files.")] = Path("shoal-demo"),
    persons: Annotated[int, typer.Option("--persons", min=1000, help="Number of persons in the census.")] = PERSONS,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Seed of the census: another seed gives another census.")
    ] = 0,
) -> None:
    """Generate a census, protect it, prove and assess the release, and write all files to a folder."""
    from shoal.pipeline.files.file_names import manifest_path
    from shoal.pipeline.protect.protect import protect
    from shoal.pipeline.verify.verify import verify
    from shoal.report.charts import check_charts, has_charts
    from shoal.report.page_file import page_form
    from shoal.sources.key_file import key_path

    if has_charts():
        check_charts()
    _check_folder(folder)
    _create(folder)
    data, policy, release_file = folder / "census.csv", folder / "policy.toml", folder / "release.csv"
    with progress_bars():
        print_line(f"1. Generated a census of {persons:,} fictitious persons: {data}")
        _write_census(data, policy, persons, seed)
        print_line(f"2. Protected it with {policy}")
        release = protect(data, policy, output=release_file, force=True, key=key_path(policy))
        counts, cost = release.manifest.counts, release.manifest.cost
        print_line(
            f"   {counts['n_released']:,} records in {counts['n_groups']:,} groups, "
            f"{counts['n_suppressed']:,} suppressed, {cost.seconds:.1f} s, {cost.peak_memory_mib:,.0f} MiB"
        )
        print_line(f"3. Proved the release again from the file alone: {release_file}")
        proof = verify(release_file, policy)
        for verdict in proof.verdicts:
            print_line(f"   {'holds' if verdict.holds else 'FAILS'}  {verdict}")
        print_line("4. Assessed the release")
        for name in ("k reached", "highest prosecutor risk", "unique records", "information loss"):
            finding = release.findings[name]
            print_line(f"   {name}: {finding.shown(finding.estimate)} (baseline {finding.shown(finding.baseline)})")
        print_warnings(release.assessment.exposures, indent="   ")
        report = folder / ("report.html" if has_charts() else "report.md")
        _write_report(report, release.report(page_form(report)))
    print_line()
    if not has_charts():
        print_line(f"The report has no charts. {install('report')}")
    print_line(f"The report is {report}; the evidence for a disclosure board is in {manifest_path(release_file)}.")
    print_line(f"Next: shoal init YOUR.csv, or shoal verify {release_file} --policy {policy}")
    raise typer.Exit(0 if proof.holds else 1)


def _check_folder(folder: Path) -> None:
    """Raises SourceError if the folder is neither empty nor that of an earlier demo."""
    policy = folder / "policy.toml"
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    if not policy.is_file() or not policy.read_text(encoding="utf-8").startswith(OPENING):
        raise SourceError.folder_not_empty(folder)


def _create(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError.no_demo_folder(folder, error.strerror) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise SourceError.no_demo_folder(folder, "no permission")


def _write_census(data: Path, policy: Path, persons: int, seed: int) -> None:
    from shoal.datasets import CENSUS_EDUCATION_ORDER, census_taxonomies, synthetic_census
    from shoal.sources import whole_file, write_table

    census_taxonomies(data.parent)
    with whole_file(data, force=True) as draft:
        write_table(synthetic_census(persons, seed=seed), draft)
    text = files("shoal.cli").joinpath("demo_policy.toml").read_text(encoding="utf-8")
    order = "[" + ", ".join(f'"{level}"' for level in CENSUS_EDUCATION_ORDER) + "]"
    with whole_file(policy, force=True) as draft:
        draft.write_text(text.replace("ORDER", order), encoding="utf-8")


def _write_report(path: Path, page: str) -> None:
    from shoal.sources import whole_file

    with whole_file(path, force=True, private=True) as draft:
        draft.write_text(page, encoding="utf-8")
