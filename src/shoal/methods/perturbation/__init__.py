"""Perturbative methods: they change values individually and guarantee no k; protection is measured, not proven.

PERTURBATIONS    the classes that a policy can name among its perturbations, in the order of its JSON Schema
AnyPerturbation  the type of a perturbation of a policy: one of them, selected by its ``name``
"""

from __future__ import annotations

from dataclasses import is_dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

# A method is registered by its import here. A new one comes last.
# isort: off
from shoal.methods.perturbation.rank_swap import RankSwap as RankSwap
from shoal.methods.perturbation.noise import Noise as Noise
from shoal.methods.perturbation.lossy_image import LossyImage as LossyImage
from shoal.methods.perturbation.mic import Mic as Mic
from shoal.methods.perturbation.data_swap import DataSwap as DataSwap
from shoal.methods.perturbation.record_swap import RecordSwap as RecordSwap
from shoal.methods.perturbation.pram import Pram as Pram
from shoal.methods.perturbation.coding import TopBottomCode as TopBottomCode
from shoal.methods.perturbation.rounding import Rounding as Rounding
from shoal.methods.perturbation.imputation import Imputation as Imputation
from shoal.methods.perturbation.date_shift import DateShift as DateShift
# isort: on

PERTURBATIONS: tuple[type[Any], ...] = tuple(filter(is_dataclass, globals().values()))

if TYPE_CHECKING:
    from shoal.methods.perturbation.perturbation_method import PerturbationMethod

    AnyPerturbation = PerturbationMethod
else:
    AnyPerturbation = Annotated[reduce(or_, PERTURBATIONS), Field(discriminator="name")]
