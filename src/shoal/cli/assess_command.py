"""The command ``shoal assess``: a release compared with its original."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shoal.cli.console import finding_line, print_json, print_line, print_warnings, progress_bars
from shoal.cli.edition_option import EDITION
from shoal.cli.link_command import (
    EARLIER,
    IDENTIFIER,
    KEY,
    PERSON,
    PERSONS,
    POLICY,
    POPULATION,
    PRECISION,
    TRUTH,
    read_precision,
)

if TYPE_CHECKING:
    from shoal.assessment.assessment import Assessment
    from shoal.assessment.utility.usefulness import Usefulness
    from shoal.findings import UnmeasuredFigure


ALL_FIGURES = "The worst of several columns stands for all of them; --json prints the figures of all."


def assess(
    original: Annotated[Path, typer.Argument(help="The original file.")],
    released: Annotated[Path, typer.Argument(help="The release.")],
    policy: POLICY = None,
    identifier: IDENTIFIER = None,
    truth: TRUTH = None,
    known: Annotated[
        list[str] | None,
        typer.Option(
            "--known", help="A column that the intruder knows; may be repeated. Default: all quasi-identifiers."
        ),
    ] = None,
    precision: PRECISION = None,
    persons: PERSONS = 1.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the random numbers of the attack.")] = 0,
    key: KEY = None,
    population: POPULATION = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write a report to this file: .html, .md or .json.")
    ] = None,
    edition: EDITION = "internal",
    earlier: EARLIER = None,
    person: PERSON = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace an existing report; inputs are never replaced.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure the disclosure risk and the information loss of a release, and its score."""
    from shoal.assessment.risk_limits import check_limits
    from shoal.linkage.intruder import Intruder
    from shoal.pipeline.assess import assess as assess_files

    intruder = Intruder(tuple(known or ()), read_precision(precision or []), persons, seed)
    with progress_bars():
        found = assess_files(
            original,
            released,
            policy,
            intruder=intruder,
            id=identifier,
            truth=truth,
            report=report,
            force=force,
            key=key,
            population=population,
            edition=edition,
            earlier=earlier or (),
            person=person,
        )
    if as_json:
        limits = [check.to_dict() for check in check_limits(found.limits, found)]
        print_json({**found.to_dict(), **({"limits": limits} if limits else {})})
        return
    if found.linkages:
        _print_intruder(found, "given by --known" if known else "all quasi-identifiers")
    _print_figures(found)
    if report is not None:
        print_line(f"The report was written to {report}.")


def _print_intruder(found: Assessment, chosen: str) -> None:
    from shoal.report.words import name_list

    columns = max((linkage.columns for linkage in found.linkages.values()), key=len)
    print_line(f"The intruder of linkage knows {name_list(columns)} ({chosen}).")


def _print_figures(found: Assessment) -> None:
    from shoal.assessment.risk.partial_knowledge import UNIQUE_ON
    from shoal.assessment.score import BOUNDED_SCORE
    from shoal.report.figure_families import worst_findings
    from shoal.report.finding_subjects import by_subject

    for note in found.notes:
        print_line(f"note: {note}")
    n_shown = 0
    for subject, findings in by_subject(found.findings, found.attacks).items():
        print_line()
        print_line(subject)
        worst = worst_findings(findings, found.not_measured)
        n_shown += len(worst)
        for finding in worst:
            print_line(f"  {finding_line(finding)}")
            if finding.name in ("score", BOUNDED_SCORE) or finding.name.startswith(UNIQUE_ON):
                print_line(f"    {finding.meaning}")
    if n_shown < len(found.findings):
        print_line()
        print_line(ALL_FIGURES)
    if found.usefulness:
        _print_usefulness(found.usefulness)
    parts = [found, *(part for part in (found.usefulness, found.subtotals) if part)]
    _print_unmeasured([figure for part in parts for figure in part.not_measured])
    _print_limits(found)
    if found.exposures:
        print_line()
    print_warnings(found.exposures)


def _print_limits(found: Assessment) -> None:
    from shoal.assessment.risk_limits import check_limits
    from shoal.report.limit_table import limit_sentence

    checks = check_limits(found.limits, found)
    if checks:
        print_line()
    for check in checks:
        print_line(limit_sentence(check))


def _print_unmeasured(figures: Iterable[UnmeasuredFigure]) -> None:
    """Figures that are not given, with their reason, which is printed once where several share it."""
    by_reason: dict[str, list[str]] = {}
    for figure in figures:
        by_reason.setdefault(figure.reason, []).append(figure.name)
    if by_reason:
        print_line()
        print_line("Not measured")
    for reason, names in by_reason.items():
        print_line(f"  {'; '.join(names)}: {reason}")


def _print_usefulness(found: Usefulness) -> None:
    from shoal.assessment.utility.analyses.analysis_result import AnalysisResult

    print_line()
    print_line("Usefulness for analyses")
    for analysis in found.analyses:
        if isinstance(analysis, AnalysisResult):
            print_line(f"  {analysis.verdict}")
    for finding in found.findings:
        print_line(f"  {finding_line(finding)}")
    for note in found.notes:
        print_line(f"  note: {note}")
