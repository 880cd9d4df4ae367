"""Perturbative methods: they change values individually and guarantee no k; protection is measured, not proven."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from shoal.methods.perturbation.coding import TopBottomCode
from shoal.methods.perturbation.data_swap import DataSwap
from shoal.methods.perturbation.imputation import Imputation
from shoal.methods.perturbation.lossy_image import LossyImage
from shoal.methods.perturbation.mic import Mic
from shoal.methods.perturbation.noise import Noise
from shoal.methods.perturbation.perturbation_method import PerturbationMethod
from shoal.methods.perturbation.pram import Pram
from shoal.methods.perturbation.rank_swap import RankSwap
from shoal.methods.perturbation.record_swap import RecordSwap
from shoal.methods.perturbation.rounding import Rounding

__all__ = [
    "AnyPerturbation",
    "DataSwap",
    "Imputation",
    "LossyImage",
    "Mic",
    "Noise",
    "PerturbationMethod",
    "Pram",
    "RankSwap",
    "RecordSwap",
    "Rounding",
    "TopBottomCode",
]

AnyPerturbation = Annotated[
    RankSwap | Noise | LossyImage | Mic | DataSwap | RecordSwap | Pram | TopBottomCode | Rounding | Imputation,
    Field(discriminator="name"),
]
