"""Methods: each turns the arrays of one block, or a table of counts, into a small plan. No method modifies a table."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from shoal.methods.generalization.gensearch import Gensearch
from shoal.methods.generalization.global_recoding import GlobalRecoding
from shoal.methods.generalization.mondrian import Mondrian
from shoal.methods.microaggregation.auto import Microaggregate
from shoal.methods.microaggregation.mdav import Mdav
from shoal.methods.microaggregation.micro_som import MicroSom
from shoal.methods.microaggregation.mu_approx import MuApprox
from shoal.methods.microaggregation.vmdav import VMdav
from shoal.methods.no_method import NoMethod

__all__ = [
    "AnyMethod",
    "Gensearch",
    "GlobalRecoding",
    "Mdav",
    "MicroSom",
    "Microaggregate",
    "Mondrian",
    "MuApprox",
    "NoMethod",
    "VMdav",
]

AnyMethod = Annotated[
    Mdav | VMdav | MuApprox | MicroSom | Microaggregate | Mondrian | Gensearch | GlobalRecoding | NoMethod,
    Field(discriminator="name"),
]
