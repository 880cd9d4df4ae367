"""Perturbation: each method as a function of arrays, and as a value for a policy."""

from __future__ import annotations

from shoal.methods.perturbation import (
    DataSwap,
    Imputation,
    LossyImage,
    Mic,
    Noise,
    Pram,
    RankSwap,
    RecordSwap,
    Rounding,
    TopBottomCode,
)
from shoal.methods.perturbation.coding import top_bottom_code
from shoal.methods.perturbation.data_swap import data_swap
from shoal.methods.perturbation.imputation import impute
from shoal.methods.perturbation.lossy_image import lossy_image
from shoal.methods.perturbation.mic import mic
from shoal.methods.perturbation.noise import noise
from shoal.methods.perturbation.pram import pram
from shoal.methods.perturbation.rank_swap import rank_swap
from shoal.methods.perturbation.record_swap import RecordSwaps, record_swap
from shoal.methods.perturbation.rounding import round_to
from shoal.methods.perturbation.transition import invariant_matrix

__all__ = [
    "DataSwap",
    "Imputation",
    "LossyImage",
    "Mic",
    "Noise",
    "Pram",
    "RankSwap",
    "RecordSwap",
    "RecordSwaps",
    "Rounding",
    "TopBottomCode",
    "data_swap",
    "impute",
    "invariant_matrix",
    "lossy_image",
    "mic",
    "noise",
    "pram",
    "rank_swap",
    "record_swap",
    "round_to",
    "top_bottom_code",
]
