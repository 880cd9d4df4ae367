"""Lossy image compression, JPEG-q: the table is saved as a grayscale image with loss and read back.

arrays of one block -> masked columns

Domingo-Ferrer & Torra (2001), "Disclosure control methods and information loss for microdata", in Confidentiality,
Disclosure and Data Access; JPEG is ITU-T T.81, JPEG 2000 is ITU-T T.800.

A record is a line of the image, a column of the table a column of the image. Each column is scaled to gray values
0 .. 255 by its minimum and maximum, and scaled back afterwards, so that values stay in the column's range.

The paper is silent on the following. JPEG is limited to 65,500 lines, so images of ``height`` records are produced; its
squares of 8 x 8 do not cross them as long as the height is a multiple of 8. JPEG 2000 has no quality of 1 to 100: here
``quality`` q requests a compression of 1 to 100 / q. A missing value is drawn as the mean and stays missing.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from shoal import kernels
from shoal.encode.number_column import NumberColumn
from shoal.errors import PerturbationError, PolicyError
from shoal.kernels import Matrix
from shoal.methods.perturbation.perturbation_method import NUMBERS, PerturbationMethod, numbers_of, with_rounded_numbers
from shoal.rng import Rng
from shoal.schema import Schema

Image = Literal["jpeg", "jpeg2000"]

MAX_HEIGHT = 65_500  # maximum number of lines of a JPEG
HEIGHT = 65_496  # the largest multiple of 8 below


def lossy_image(X: ArrayLike, *, quality: int = 10, image: Image = "jpeg", height: int = HEIGHT) -> Matrix:
    """``X`` after compression in images of ``height`` records; ``quality``: 1 to 100, the lower the coarser."""
    return LossyImage(quality=quality, image=image, height=height).mask(kernels.as_matrix(X))


@dataclass(frozen=True)
class LossyImage(PerturbationMethod):
    """Lossy compression as the method of a policy.

    quality  1 to 100, the lower the coarser
    image    jpeg or jpeg2000
    height   records per image
    """

    quality: int = 10
    image: Image = "jpeg"
    height: int = HEIGHT
    name: Literal["lossy_image"] = "lossy_image"

    applies_to: ClassVar = NUMBERS
    produces_numbers: ClassVar = True
    replaces_all: ClassVar = True

    def __post_init__(self) -> None:
        if isinstance(self.quality, bool) or not isinstance(self.quality, int) or not 1 <= self.quality <= 100:
            raise PerturbationError.outside("lossy_image.quality", "a whole number from 1 to 100", self.quality)
        if self.image not in get_args(Image):
            raise PolicyError.unknown_choice("lossy_image.image", self.image, get_args(Image))
        if not 1 <= self.height <= MAX_HEIGHT:
            raise PerturbationError.outside("lossy_image.height", f"from 1 to {MAX_HEIGHT} records", self.height)

    def perturb(self, table: pa.Table, schema: Schema, rng: Rng) -> pa.Table:
        chosen = self.target_columns(table, schema)
        columns = [numbers_of(table, column) for column in chosen]
        masked = self.mask(np.column_stack([_without_missing(column) for column in columns]))
        for j, (column, numbers) in enumerate(zip(chosen, columns, strict=True)):
            table = with_rounded_numbers(table, column, NumberColumn(masked[:, j], numbers.missing))
        return table

    def mask(self, X: Matrix) -> Matrix:
        """(n, d) the values after compression; a constant column is unchanged."""
        low, high = X.min(axis=0), X.max(axis=0)
        span = high - low
        shares = (X - low) / np.where(span > 0, span, 1.0)
        gray = np.rint(255 * shares).astype(np.uint8)
        read = np.vstack([self._compress(gray[top : top + self.height]) for top in range(0, len(gray), self.height)])
        masked: Matrix = np.clip(low + read / 255 * span, low, high)
        return masked

    def _compress(self, gray: NDArray[np.uint8]) -> NDArray[np.uint8]:
        from PIL import Image as Picture
        from PIL import features

        if not features.check("jpg_2000" if self.image == "jpeg2000" else "jpg"):
            raise PerturbationError.no_format("JPEG 2000" if self.image == "jpeg2000" else "JPEG")
        file = io.BytesIO()
        Picture.fromarray(gray).save(file, self.image.upper(), **self._options())
        with Picture.open(io.BytesIO(file.getvalue())) as picture:
            return np.asarray(picture)

    def _options(self) -> dict[str, Any]:
        if self.image == "jpeg":
            return {"quality": self.quality}
        return {"quality_mode": "rates", "quality_layers": [100 / self.quality], "irreversible": True}


def _without_missing(numbers: NumberColumn) -> NDArray[np.float64]:
    """The values, with missing ones replaced by the mean of the known ones."""
    known = np.ascontiguousarray(numbers.values[~numbers.missing, None])
    return np.where(numbers.missing, kernels.column_sums(known)[0] / len(known), numbers.values)
