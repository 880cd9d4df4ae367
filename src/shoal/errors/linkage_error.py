"""Errors of record linkage between two files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from shoal.errors.base import ShoalError, listed, nearest


class LinkageError(ShoalError, ValueError):
    """Two files cannot be linked as requested. Messages show counts and names of columns, never values."""

    @classmethod
    def no_common_column(cls, n_original: int, n_released: int) -> Self:
        """Column names are not shown: the first line of a file may be a record."""
        return cls(
            f"the files have no column in common that an intruder could know, of {n_original} in the original and "
            f"{n_released} in the release. Rename columns that mean the same; names stand in the first line of a file."
        )

    @classmethod
    def unknown_column(cls, name: str, known: Sequence[str]) -> Self:
        return cls(f"'{name}' is no column that both files share.{nearest(name, known)} They share: {listed(known)}.")

    @classmethod
    def other_width(cls, n_original: int, n_released: int) -> Self:
        return cls(f"the original has {n_original} columns, the release {n_released}: they must have the same.")

    @classmethod
    def other_type(cls, name: str, original: str, released: str) -> Self:
        return cls(
            f"column '{name}' holds {original} in the original and {released} in the release: nothing to compare. "
            f"Convert one of them, or leave it out of what the intruder knows."
        )

    @classmethod
    def no_single_values(cls, name: str) -> Self:
        return cls(
            f"column '{name}': its cells are no single values, so nobody can compare them. "
            f"Leave it out of what the intruder knows."
        )

    @classmethod
    def all_missing(cls, name: str, file: str) -> Self:
        return cls(f"column '{name}': every value of the {file} is missing. Leave it out of what the intruder knows.")

    @classmethod
    def constant(cls, name: str) -> Self:
        return cls(
            f"column '{name}': all records of the original have the same value, so it tells nobody apart. "
            f"Leave it out of what the intruder knows."
        )

    @classmethod
    def no_truth(cls, n_original: int, n_released: int) -> Self:
        return cls(
            f"the original has {n_original} records, the release {n_released}, so their order does not say who is who. "
            f"Name a column that identifies the persons in both: id='person_id', in the shell --id."
        )

    @classmethod
    def nobody_paired(cls) -> Self:
        return cls(
            "nobody said which record of the release is whose, so linkage cannot be measured. Give --policy, the one "
            "that Shoal made the release with; or for a release of another tool --id, a column of both files that says "
            "who is who, or --truth position where both have the same records in the same order."
        )

    @classmethod
    def two_truths(cls) -> Self:
        return cls("id and truth both say who is who. Give one of them.")

    @classmethod
    def not_made_so(cls, reason: str = "") -> Self:
        because = f" ({reason.rstrip('.')})" if reason else ""
        return cls(
            "this release was not made from this original with this policy, seed and key: made once more, it is "
            f"another one{because}. Give the files that it was made from, by the same version of Shoal, and its key by "
            "--key where that does not lie beside the policy. If it was made with "
            "--spreadsheet-safe and its manifest is not beside it, say so in the policy: spreadsheet_safe = true under "
            "[output]. If only the roles of the policy are meant, say who is who by --id or --truth."
        )

    @classmethod
    def no_pairs(cls, n_columns: int) -> Self:
        """Column names are not shown: the first line of a file may be a record."""
        return cls(
            "truth: a file of pairs has the columns 'released' and 'original', a record's numbers in both, from 1. "
            f"It has {n_columns} columns, and not these two; names stand in the first line."
        )

    @classmethod
    def bad_pairs(cls, name: str, most: int) -> Self:
        return cls(f"truth: the column '{name}' must hold numbers of records, 1 to {most}, each once.")

    @classmethod
    def no_id(cls, name: str, file: str, n_columns: int) -> Self:
        return cls(f"id: the {file} has no column '{name}' among its {n_columns}.")

    @classmethod
    def no_single_id(cls, name: str, file: str) -> Self:
        return cls(f"id '{name}': its cells in the {file} are no single values. Name a column of texts or numbers.")

    @classmethod
    def unfit_id(cls, name: str, file: str, n: int) -> Self:
        return cls(f"id '{name}': {n} records of the {file} have none, or share theirs with others. An id is unique.")

    @classmethod
    def nobody(cls) -> Self:
        return cls("the intruder knows nobody: give a share above 0, or the records of at least one person.")

    @classmethod
    def bad_persons(cls, n_records: int) -> Self:
        return cls(f"Intruder.persons must be a share from 0 to 1, or records from 0 to {n_records - 1}, each once.")

    @classmethod
    def bad_precision(cls, name: str, width: object) -> Self:
        return cls(f"Intruder.precision of '{name}' must be a width above 0, got {width!r}.")

    @classmethod
    def no_precision(cls, name: str, kind: str) -> Self:
        return cls(f"Intruder.precision of '{name}': a width is for numeric and date columns, this one is {kind}.")

    @classmethod
    def bad_truth(cls, n_original: int, n_released: int) -> Self:
        return cls(
            f"truth must give for each of {n_original} records a record of the release, 0 to {n_released - 1}, or -1 "
            f"where it has none; no record of the release twice."
        )

    @classmethod
    def bad_labels(cls, n_labels: int, n_records: int) -> Self:
        return cls(f"there are blocks for {n_labels} records, the file has {n_records}.")

    @classmethod
    def bad_rounding(cls) -> Self:
        return cls("a rounding is given by decimals (0 to 12) or by n_blocks (1 or more): one of the two.")

    @classmethod
    def bad_window(cls, window: object) -> Self:
        return cls(f"window must be a share of the records, above 0 and up to 1, or a whole number, got {window!r}.")

    @classmethod
    def no_quantifier(cls, reason: str) -> Self:
        return cls(f"this is no non-decreasing fuzzy quantifier: {reason}. Q(0) = 0, Q(1) = 1, and Q never falls.")

    @classmethod
    def no_field(cls) -> Self:
        return cls("fuzzy blocking needs at least one column, and records with at least one known value.")

    @classmethod
    def too_many_pairs(cls, n_pairs: int, most: int) -> Self:
        return cls(
            f"{n_pairs:.3g} pairs of records would have to be compared one by one, more than {most:.3g}. "
            f"Give blocking='fuzzy' or 'auto', or a finer one; or link by distance, which needs no blocking."
        )

    @classmethod
    def no_blocking_fits(cls, most: int) -> Self:
        return cls(f"no blocking leaves {most:.3g} pairs or fewer. Allow more pairs.")

    @classmethod
    def no_pair(cls) -> Self:
        return cls("the blocking leaves no pair at all to compare. Take a coarser one: fewer decimals or blocks.")
