"""Transition probabilities of PRAM, so that analyses can be corrected for it."""

from __future__ import annotations

from shoal.assessment.assessment import Assessment
from shoal.assessment.utility.pram_matrix import PramMatrix
from shoal.release.manifest import Manifest
from shoal.report.outline_nodes import Part, Section
from shoal.report.text_nodes import Cell, Paragraph, Table
from shoal.report.words import isolate

RARER = "rarer values"


def section(manifest: Manifest, assessment: Assessment) -> Section | None:
    if not assessment.matrices:
        return None
    text = Paragraph(
        "PRAM replaced values at random. A row gives the probabilities with which the value on the left was replaced "
        "by each value at the top. An analysis can be corrected with them. Values of few records are not named."
    )
    parts = [part for matrix in assessment.matrices for part in (_matrix_name(matrix), _table(matrix))]
    return Section("pram", "How PRAM changed values", (text, *parts))


def _matrix_name(matrix: PramMatrix) -> Part:
    shared = " and ".join(f"{isolate(name)} = {isolate(value or 'missing')}" for name, value in matrix.stratum.items())
    of = f" There is one matrix for each of {matrix.n_strata:,} strata; this one is for the largest stratum, {shared}."
    return Paragraph(f"Matrix of '{isolate(matrix.column)}'.{of * bool(matrix.stratum)}")


def _table(matrix: PramMatrix) -> Table:
    with_rest = bool(matrix.rest.any())
    head = ("value", *matrix.values, *((RARER,) * with_rest))
    rows = tuple(
        (Cell(value), *(Cell(f"{chance:.3f}") for chance in (*row, *((rest,) * with_rest))))
        for value, row, rest in zip(matrix.values, matrix.chances.tolist(), matrix.rest.tolist(), strict=True)
    )
    return Table(head, rows, "l" + "r" * (len(head) - 1))
