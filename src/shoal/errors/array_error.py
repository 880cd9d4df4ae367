"""Errors of array arguments and of parameters passed with them."""

from __future__ import annotations

from typing import Self

from shoal.errors.base import ShoalError


class ArrayError(ShoalError, ValueError):
    """An array argument has the wrong shape, type or values, or a parameter does not fit it."""

    @classmethod
    def not_a_matrix(cls, name: str, shape: tuple[int, ...]) -> Self:
        return cls(f"{name} must have two dimensions, (n_records, n_columns), got shape {shape}.")

    @classmethod
    def not_a_vector(cls, name: str, shape: tuple[int, ...]) -> Self:
        return cls(f"{name} must have one dimension, one value per record, got shape {shape}.")

    @classmethod
    def not_numeric(cls, name: str, dtype: object) -> Self:
        return cls(f"{name} must hold numbers, got dtype {dtype}. Encode categories first, or use shoal.protect.")

    @classmethod
    def empty(cls, name: str, shape: tuple[int, ...]) -> Self:
        return cls(f"{name} is empty: its shape is {shape}. Pass at least one record and one column.")

    @classmethod
    def not_finite(cls, name: str, n_unfit: int, n_nan: int) -> Self:
        return cls(
            f"{name} has {n_nan} NaN and {n_unfit - n_nan} infinite values. Array functions accept neither: "
            f"impute or drop them first, or use shoal.protect, which handles missing values."
        )

    @classmethod
    def nothing_known(cls, what: str, n: int) -> Self:
        return cls(f"{n} {what}s contain only NaN, so no distance can be computed for them. Drop them first.")

    @classmethod
    def masked(cls, name: str) -> Self:
        return cls(
            f"{name} is a masked array, and the mask would be ignored. Fill it, or drop the masked records first."
        )

    @classmethod
    def out_of_scale(cls, name: str) -> Self:
        return cls(
            f"{name} has a range above 1e140 or below 1e-140: squared distances would overflow or underflow. "
            f"Rescale the columns, e.g. with shoal.standardize after a change of units."
        )

    @classmethod
    def not_labels(cls, shape: tuple[int, ...], dtype: object) -> Self:
        return cls(f"labels must be one integer per record, got shape {shape} and dtype {dtype}.")

    @classmethod
    def labels_with_gaps(cls) -> Self:
        return cls("labels must number the groups 0, 1, ... without gaps: no group may be empty.")

    @classmethod
    def bad_members(cls, n_units: int, shape: tuple[int, ...], dtype: object) -> Self:
        return cls(
            f"members must be an integer of 1 or more for each of {n_units} rows, got shape {shape} and dtype {dtype}."
        )

    @classmethod
    def other_length(cls, n_labels: int, n_records: int) -> Self:
        return cls(
            f"The partition has {n_labels} records, but the array has {n_records}. Pass the array that was grouped."
        )

    @classmethod
    def other_width(cls, n_grouped: int, n_columns: int) -> Self:
        return cls(f"Expected an array of {n_grouped} columns, got {n_columns}. Pass the same columns as before.")

    @classmethod
    def other_columns(cls, n_columns: int, got: int) -> Self:
        return cls(
            f"The blocking rule is for {n_columns} columns, but the array has {got}. Pass the columns it was built on."
        )

    @classmethod
    def bad_dimensions(cls, n_columns: int) -> Self:
        return cls(f"dimensions must be different columns of the array, numbered 0 to {n_columns - 1}.")

    @classmethod
    def limit_not_kept(cls, limit: int, n_small: int) -> Self:
        return cls(
            f"{n_small} blocks have fewer than k records, and none can be fused with another within the limit of "
            f"{limit}. Raise the limit, or use fuse='nearest', which lets blocks exceed it."
        )

    @classmethod
    def bad_k(cls, k: object) -> Self:
        return cls(f"k must be an integer of 2 or more, got {k!r}: a group of one record protects nobody.")

    @classmethod
    def bad_seed(cls, seed: object) -> Self:
        return cls(f"seed must be an integer of 0 or more, got {seed!r}.")

    @classmethod
    def k_above_n(cls, k: int, n_records: int) -> Self:
        return cls(f"k = {k} needs at least {k} records, but there are {n_records}. Lower k or add records.")

    @classmethod
    def too_small(cls, name: str, least: int, given: object) -> Self:
        return cls(f"{name} must be {least} or more, got {given!r}.")

    @classmethod
    def two_budgets(cls) -> Self:
        return cls("Pass either seconds or proposals, not both: a search has one budget.")

    @classmethod
    def listed_proposals(cls) -> Self:
        return cls("With blocks, proposals must be a single number, which is divided by block size, not a list.")

    @classmethod
    def group_below_k(cls, k: int, smallest: int, n_small: int) -> Self:
        return cls(f"{n_small} groups have fewer than k = {k} records; the smallest has {smallest}.")

    @classmethod
    def other_shape(cls, first: tuple[int, ...], second: tuple[int, ...]) -> Self:
        return cls(f"original and release must have the same records and columns, got shapes {first} and {second}.")

    @classmethod
    def too_few_records(cls, what: str, least: int, got: int) -> Self:
        return cls(f"{what} needs at least {least} records, but there are {got}.")

    @classmethod
    def no_sampling_fraction(cls, got: float) -> Self:
        return cls(
            f"the sampling fraction must be above 0 and below 1, got {got:g}: without the share of the population that "
            f"is in the table, nothing can be said about the population. Give it, or declare a column of weights."
        )

    @classmethod
    def not_from_to(cls, name: str, least: float, most: float, got: object) -> Self:
        return cls(f"{name} must be from {least:g} to {most:g}, got {got}.")

    @classmethod
    def not_codes(cls, shape: tuple[int, ...], dtype: object) -> Self:
        return cls(f"codes must be integers, (n_records, n_columns), got shape {shape} and dtype {dtype}.")

    @classmethod
    def bad_counts(cls, n_unfit: int) -> Self:
        return cls(
            f"f must contain the number of sample records of each key, 1 or more, and the population the number of "
            f"persons, above 0; {n_unfit} of the counts are outside."
        )

    @classmethod
    def bad_class_sizes(cls, n_unfit: int) -> Self:
        return cls(
            "class_sizes must be the numbers of records of the classes of the sample, whole numbers of 1 or more; "
            f"{n_unfit} {'is' if n_unfit == 1 else 'are'} not."
        )

    @classmethod
    def nothing_varies(cls) -> Self:
        return cls("original: fewer than two columns vary, so there is no correlation. Pass two or more that do.")
