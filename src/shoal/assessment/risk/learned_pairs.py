"""Pairs of persons and records after an intruder learned how released columns depend on known ones.

candidates, values of both -> LearnedPairs
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from shoal.assessment.risk.informed.candidate_pairs import CandidatePairs
from shoal.assessment.risk.regression_candidates import PersonCandidates
from shoal.assessment.risk.regression_coordinates import RegressionTable
from shoal.assessment.risk.regression_posterior import regression_posterior
from shoal.assessment.risk.value_tables import ValueTable, table_posterior, value_tables
from shoal.kernels import Labels
from shoal.schema import Schema


@dataclass(frozen=True, eq=False)
class LearnedPairs:
    """``posteriors``: by a regression, and by tables; none where nothing can be learned."""

    chosen: PersonCandidates
    truth: Labels  # (n_persons,) the place of the record of each person; -1 where it is not among them
    posteriors: tuple[CandidatePairs, ...]
    tables: tuple[ValueTable, ...]
    persons: RegressionTable  # what is known of them
    records: RegressionTable  # what they show

    @classmethod
    def of(
        cls,
        chosen: PersonCandidates,
        tables: tuple[pa.Table, pa.Table],
        schema: Schema,
        names: tuple[Sequence[str], Sequence[str]],
        truth: Labels,
    ) -> LearnedPairs:
        """``tables``: the persons and the records; ``names``: what is known of the persons, and what records show;
        ``truth``: (n_persons,) as below."""
        (persons, records), (known, shown) = tables, names
        of_persons, of_records = (RegressionTable(table, schema) for table in tables)
        coordinates = of_records.coordinates(shown)
        posteriors = []
        if coordinates.shape[1]:
            known_coordinates = of_persons.coordinates(known, ranks=True)
            posteriors.append(regression_posterior(chosen.pairs, known_coordinates, coordinates))
        used = value_tables(persons, records, known, shown, truth)
        if used:
            posteriors.append(table_posterior(chosen.pairs, used, len(records)))
        return cls(chosen, truth, tuple(posteriors), tuple(used), of_persons, of_records)
