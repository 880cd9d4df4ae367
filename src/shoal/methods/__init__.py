"""Methods: each turns the arrays of one block, or a table of counts, into a small plan. No method modifies a table.

METHODS    the classes that a policy can name as its method, in the order of its JSON Schema
AnyMethod  the type of the method of a policy: one of them, selected by its ``name``
"""

from __future__ import annotations

from dataclasses import is_dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from shoal.methods.method import Method

# A method is registered by its import here. A new one comes last.
# isort: off
from shoal.methods.microaggregation.mdav import Mdav as Mdav
from shoal.methods.microaggregation.vmdav import VMdav as VMdav
from shoal.methods.microaggregation.mu_approx import MuApprox as MuApprox
from shoal.methods.microaggregation.micro_som import MicroSom as MicroSom
from shoal.methods.microaggregation.auto import Microaggregate as Microaggregate
from shoal.methods.generalization.mondrian import Mondrian as Mondrian
from shoal.methods.generalization.gensearch import Gensearch as Gensearch
from shoal.methods.generalization.global_recoding import GlobalRecoding as GlobalRecoding
from shoal.methods.no_method import NoMethod as NoMethod
from shoal.methods.microaggregation.mhm import Mhm as Mhm
from shoal.methods.microaggregation.mst_partition import MstPartition as MstPartition
from shoal.methods.microaggregation.genetic import Genetic as Genetic
# isort: on

METHODS: tuple[type[Any], ...] = tuple(filter(is_dataclass, globals().values()))

if TYPE_CHECKING:
    AnyMethod = Method
else:
    AnyMethod = Annotated[reduce(or_, METHODS), Field(discriminator="name")]
