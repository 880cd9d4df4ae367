"""Errors of record linkage between two files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from shoal.errors.base import ShoalError, different_cells, install, listed, nearest


class LinkageError(ShoalError, ValueError):
    """Two files cannot be linked as requested. Messages show counts and names of columns, never values."""

    @classmethod
    def no_common_column(cls, n_original: int, n_released: int) -> Self:
        """Column names are not shown: the first line of a file may be a record."""
        return cls(
            f"the files have no column in common that an intruder could know; the original has {n_original} columns, "
            f"the release {n_released}. Give columns with the same meaning the same name in the first line of both."
        )

    @classmethod
    def missing_package(cls) -> Self:
        return cls(
            f"texts are compared by rapidfuzz. {install('linkage')}. Or leave columns with many different texts out of "
            "what the intruder knows."
        )

    @classmethod
    def unknown_column(cls, name: str, known: Sequence[str]) -> Self:
        return cls(f"'{name}' is not a column of both files.{nearest(name, known)} Both have: {listed(known)}.")

    @classmethod
    def unknown_key(cls, name: str, known: Sequence[str]) -> Self:
        return cls(
            f"the intruder does not know '{name}', so it cannot be a key of blocks.{nearest(name, known)} They know: "
            f"{listed(known)}."
        )

    @classmethod
    def other_width(cls, n_original: int, n_released: int) -> Self:
        return cls(f"the original has {n_original} columns, the release {n_released}: both must have the same columns.")

    @classmethod
    def other_type(cls, name: str, original: str, released: str) -> Self:
        return cls(
            f"column '{name}' has the type {original} in the original and {released} in the release, which cannot be "
            f"compared. Convert one of them, or leave the column out of what the intruder knows."
        )

    @classmethod
    def no_single_values(cls, name: str) -> Self:
        return cls(
            f"column '{name}': its cells are not single values and cannot be compared. "
            f"Leave the column out of what the intruder knows."
        )

    @classmethod
    def all_missing(cls, name: str, file: str) -> Self:
        return cls(f"column '{name}': every value of the {file} is missing. Leave it out of what the intruder knows.")

    @classmethod
    def constant(cls, name: str) -> Self:
        return cls(
            f"column '{name}': all records of the original have the same value, so it distinguishes nobody. "
            f"Leave the column out of what the intruder knows."
        )

    @classmethod
    def no_truth(cls, n_original: int, n_released: int) -> Self:
        return cls(
            f"the original has {n_original} records, the release {n_released}, so their order does not show which "
            f"records belong together. Name a column that identifies the persons in both files: id='person_id', in the "
            f"shell --id."
        )

    @classmethod
    def wrong_pairing(cls) -> Self:
        return cls(
            "the stated pairs are wrong: the release holds records like those of the original, but on no column are "
            "they nearer to their own than to random ones. Either the order or the ids are not those of the original "
            "(a release is usually shuffled), or it is the release of another table. Give the policy of the release, "
            "or the right pairs by --id or --truth."
        )

    @classmethod
    def foreign_ids(cls, name: str, n_unknown: int, n_released: int) -> Self:
        return cls(
            f"id '{name}': {n_unknown} of the {n_released} ids of the release do not occur in the original, so it is "
            f"not a release of this table, or the files were given in the wrong order: shoal assess ORIGINAL RELEASE."
        )

    @classmethod
    def swapped_files(cls, name: str) -> Self:
        return cls(
            f"column '{name}': the original holds intervals or masked values where the release holds single values. "
            f"Were the files given in the wrong order? First the original, then the release."
        )

    @classmethod
    def more_records(cls, n_original: int, n_released: int) -> Self:
        return cls(
            f"the release has {n_released} records, more than the original with {n_original}. Either it is the release "
            f"of another table, or the files were given in the wrong order: first the original, then the release."
        )

    @classmethod
    def no_released_records(cls) -> Self:
        return cls("the release has no records, so there is nothing to compare with the original.")

    @classmethod
    def unreadable_cells(cls, name: str, n_values: int, notations: str) -> Self:
        return cls(
            f"column '{name}': {different_cells(n_values)} of the release are neither values nor in a notation that is "
            f"read: {notations}. Write them in one of these, or leave the column out of the release that is assessed."
        )

    @classmethod
    def ambiguous_cells(cls, name: str, n_values: int, why: str) -> Self:
        return cls(
            f"column '{name}': {different_cells(n_values)} of the release can be read in two ways: {why}. Write sets "
            f"as {{a, b}} and intervals as [20, 30) or [20, 29]."
        )

    @classmethod
    def unknown_pairs(cls) -> Self:
        return cls(
            "it is not known which released record belongs to which original one, so linkage cannot be measured. Give "
            "--policy, the policy of the release; for a release of another tool give --id, a column that identifies "
            "the persons in both files, or --truth position if both files have the same records in the same order."
        )

    @classmethod
    def id_and_truth(cls) -> Self:
        return cls("id and truth both state which records belong together. Give only one of them.")

    @classmethod
    def other_release(cls, reason: str = "") -> Self:
        because = f" ({reason.rstrip('.')})" if reason else ""
        return cls(
            "this release was not made from this original with this policy, seed and key: the release produced from "
            f"them is different{because}. Give the files that it was made from, use the same version of Shoal, and "
            "give its key by --key if the key is not next to the policy. If it was made with --spreadsheet-safe and "
            "its manifest is not next to it, set spreadsheet_safe = true under [output] in the policy. To use only the "
            "roles of the policy, state which records belong together by --id or --truth."
        )

    @classmethod
    def no_pairs(cls, n_columns: int) -> Self:
        """Column names are not shown: the first line of a file may be a record."""
        return cls(
            "truth: a file of pairs has the columns 'released' and 'original': the numbers of a record in both files, "
            f"counted from 1. This file has {n_columns} columns, but not these two. Name them in its first line."
        )

    @classmethod
    def bad_pairs(cls, name: str, most: int) -> Self:
        return cls(f"truth: the column '{name}' must hold numbers of records, 1 to {most}, each once.")

    @classmethod
    def no_id(cls, name: str, file: str, n_columns: int) -> Self:
        return cls(f"id: the {file} has no column '{name}'; it has {n_columns} columns. Name a column of both files.")

    @classmethod
    def no_single_id(cls, name: str, file: str) -> Self:
        return cls(f"id '{name}': its cells in the {file} are not single values. Name a column of texts or numbers.")

    @classmethod
    def unfit_id(cls, name: str, file: str, n: int) -> Self:
        return cls(f"id '{name}': {n} records of the {file} have no id or an id of another record. Ids must be unique.")

    @classmethod
    def no_persons(cls) -> Self:
        return cls("the intruder knows nobody. Give a share above 0, or the records of at least one person.")

    @classmethod
    def bad_persons(cls, n_records: int) -> Self:
        return cls(
            "the persons that the intruder knows are not a share from 0 to 1. Give one, such as --persons 0.5, or in "
            f"Python Intruder(persons=0.5) or record numbers from 0 to {n_records - 1}, each once."
        )

    @classmethod
    def bad_precision(cls, name: str, width: object) -> Self:
        return cls(f"Intruder.precision of '{name}' must be a width above 0, got {width!r}.")

    @classmethod
    def no_precision(cls, name: str, kind: str) -> Self:
        return cls(
            f"Intruder.precision of '{name}': only numeric and date columns have a width, but this column is {kind}."
        )

    @classmethod
    def bad_truth(cls, n_original: int, n_released: int) -> Self:
        return cls(
            f"truth must give a released record, 0 to {n_released - 1}, for each of the {n_original} original records, "
            f"or -1 if there is none; no released record may occur twice."
        )

    @classmethod
    def bad_labels(cls, n_labels: int, n_records: int) -> Self:
        return cls(
            f"there are blocks for {n_labels} records, but the file has {n_records} records. Give one for each record."
        )

    @classmethod
    def bad_rounding(cls) -> Self:
        return cls("a rounding needs exactly one of decimals (0 to 12) and n_blocks (1 or more).")

    @classmethod
    def bad_window(cls, window: object) -> Self:
        return cls(
            f"window must be a share of the records, above 0 and up to 1, or a number of positions, got {window!r}."
        )

    @classmethod
    def no_quantifier(cls, reason: str) -> Self:
        return cls(
            f"this is not a non-decreasing fuzzy quantifier: {reason}. Q(0) = 0, Q(1) = 1, and Q must never decrease."
        )

    @classmethod
    def no_blocking_values(cls) -> Self:
        return cls("fuzzy blocking needs at least one column, and records with at least one known value.")

    @classmethod
    def too_many_pairs(cls, n_pairs: int, most: int) -> Self:
        return cls(
            f"{n_pairs:.3g} pairs of records would have to be compared one by one, more than {most:.3g}. "
            f"Give blocking='fuzzy' or 'auto', use smaller blocks, or link by distance, which needs no blocking."
        )

    @classmethod
    def no_blocking_fits(cls, most: int) -> Self:
        return cls(f"no blocking leaves {most:.3g} pairs or fewer. Allow more pairs by n_pairs.")

    @classmethod
    def no_pair(cls) -> Self:
        return cls(
            "the blocking leaves no pair at all to compare. Use a coarser blocking, with fewer decimals or blocks."
        )

    @classmethod
    def overlapping_blocks(cls) -> Self:
        return cls(
            "one-to-one links need blocks that do not overlap: 'fuzzy' with one quantifier, 'standard' with one key, "
            "'twod_tree' or 'som', in a single pass. Choose one of these, or link without blocking."
        )

    @classmethod
    def block_too_large(cls, n: int, most: int) -> Self:
        return cls(
            f"one-to-one links are exact in blocks of up to {most:,} persons or records, but the largest block has "
            f"{n:,}. Use smaller blocks, by n_blocks or decimals, or blocking = 'twod_tree'."
        )

    @classmethod
    def bad_n_blocks(cls, n_blocks: object) -> Self:
        return cls(f"n_blocks must be 1 or more, got {n_blocks}.")

    @classmethod
    def unknown_quantifier(cls, text: str) -> Self:
        return cls(
            f"quantifier is {text!r}. It can be: 'power ALPHA' with a number above 0, 'logistic ALPHA' or 'threshold "
            f"ALPHA' with a number from 0, such as 'power 1.2'."
        )

    @classmethod
    def nested_keys(cls, where: str) -> Self:
        return cls(
            f"{where}.keys: fuzzy blocking averages the columns that are named, so a key of several columns has no "
            f"meaning. Write keys = ['age', 'income']."
        )

    @classmethod
    def not_one_to_one(cls, by: str) -> Self:
        return cls(
            f"one-to-one links minimize a sum of distances, which by = '{by}' has not. "
            f"Link by distance, mahalanobis or rank."
        )

    @classmethod
    def one_guess(cls, k: int) -> Self:
        return cls(f"one-to-one links are one guess for every person, but there are {k}. Leave out the guesses.")

    @classmethod
    def no_extents(cls) -> Self:
        return cls(
            "no column of the release that the intruder knows holds intervals, spans, nodes or sets, so nothing can be "
            "linked by extents. Link by distance."
        )

    @classmethod
    def no_blocks_of_extents(cls) -> Self:
        return cls(
            "linkage by extents compares every person with every class and takes no blocking, no second guess and no "
            "one-to-one links. Leave them out, or link by distance."
        )

    @classmethod
    def bad_budget(cls) -> Self:
        return cls("a table of blockings has a number of pairs, 1 or more, or a number of decimals, not both.")

    @classmethod
    def no_true_pair(cls) -> Self:
        return cls("no person of the original is in the release, so a blocking has no true pair to keep.")
