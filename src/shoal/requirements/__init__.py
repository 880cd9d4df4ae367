"""Privacy requirements: predicates on groups of records, shared by the methods and the final check of a release.

What a requirement consists of: see ``shoal.requirements.requirement``.

REQUIREMENTS    the classes that a policy can name among its requirements, in the order of its JSON Schema
AnyRequirement  the type of a requirement of a policy: one of them, selected by its ``name``
"""

from __future__ import annotations

from dataclasses import is_dataclass as _is_dataclass
from functools import reduce as _reduce
from operator import or_ as _or
from typing import TYPE_CHECKING
from typing import Annotated as _Annotated
from typing import Any as _Any

from pydantic import Field as _Field

from shoal.requirements.requirement import Reads as Reads
from shoal.requirements.requirement import Requirement as Requirement
from shoal.requirements.user_requirement import UserRequirement as UserRequirement

# A requirement is registered by its import here. A new one comes last.
# isort: off
from shoal.requirements.k_anonymity import KAnonymity as KAnonymity
from shoal.requirements.distinct_l_diversity import DistinctLDiversity as DistinctLDiversity
from shoal.requirements.entropy_l_diversity import EntropyLDiversity as EntropyLDiversity
from shoal.requirements.recursive_l_diversity import RecursiveLDiversity as RecursiveLDiversity
from shoal.requirements.alpha_k_anonymity import AlphaKAnonymity as AlphaKAnonymity
from shoal.requirements.t_closeness import TCloseness as TCloseness
from shoal.requirements.delta_disclosure import DeltaDisclosure as DeltaDisclosure
from shoal.requirements.beta_likeness import BetaLikeness as BetaLikeness
from shoal.requirements.epsilon_privacy import EpsilonPrivacy as EpsilonPrivacy
from shoal.requirements.minimum_length import MinimumLength as MinimumLength
from shoal.requirements.prosecutor_risk import ProsecutorRisk as ProsecutorRisk
from shoal.requirements.journalist_risk import JournalistRisk as JournalistRisk
from shoal.requirements.marketer_risk import MarketerRisk as MarketerRisk
from shoal.requirements.records_at_risk import RecordsAtRisk as RecordsAtRisk
from shoal.requirements.dominance import Dominance as Dominance
from shoal.requirements.p_percent import PPercent as PPercent
from shoal.requirements.minimum_contributors import MinimumContributors as MinimumContributors
from shoal.requirements.m_invariance import MInvariance as MInvariance
# isort: on

REQUIREMENTS: tuple[type[_Any], ...] = tuple(
    filter(_is_dataclass, (each for each in globals().values() if each is not UserRequirement))
)

if TYPE_CHECKING:
    AnyRequirement = Requirement
else:
    AnyRequirement = _Annotated[_reduce(_or, REQUIREMENTS), _Field(discriminator="name")]
