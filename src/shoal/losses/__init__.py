"""Information losses of a plan, as sums over its groups.

    discernibility   every record costs the number of records in its group           Bayardo & Agrawal (2005)
    classification   every record outside the majority class of its group costs 1    Iyengar (2002)
    volume           every record costs the unit cells that its group covers         Hore et al.
    certainty        every record costs the share of each column its group covers    Xu et al. (2006)
    sse              squared distances to the means of groups

A loss is a sum over blocks, so that a search may compare parts of a plan: ``of_blocks`` is what each block adds, and
``of_suppressed`` what one suppressed record adds. No loss grows when a block is divided. ``UserLoss`` is the base of
losses that users write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

from shoal.kernels import Vector
from shoal.losses.certainty import Certainty
from shoal.losses.classification import Classification
from shoal.losses.discernibility import Discernibility
from shoal.losses.measures import Measures, measure
from shoal.losses.sse import SSE
from shoal.losses.user_loss import UserLoss
from shoal.losses.volume import Volume

__all__ = [
    "LOSSES",
    "SSE",
    "AnyLoss",
    "Certainty",
    "Classification",
    "Discernibility",
    "Loss",
    "LossName",
    "Measures",
    "UserLoss",
    "Volume",
    "loss_of",
    "measure",
    "total",
]

LossName = Literal["discernibility", "classification", "volume", "certainty"]
if TYPE_CHECKING:
    AnyLoss = LossName | UserLoss
else:
    AnyLoss = LossName  # what a policy can name


class Loss(Protocol):
    @property
    def name(self) -> str: ...
    def of_blocks(self, blocks: Measures) -> Vector: ...
    def of_suppressed(self, blocks: Measures) -> float: ...


LOSSES: dict[LossName, Loss] = {
    "discernibility": Discernibility(),
    "classification": Classification(),
    "volume": Volume(),
    "certainty": Certainty(),
}


def loss_of(loss: AnyLoss) -> Loss:
    """The loss itself."""
    return loss if isinstance(loss, UserLoss) else LOSSES[loss]


def total(loss: Loss, blocks: Measures, n_suppressed: int = 0) -> float:
    """The loss of a plan: of its blocks and of its suppressed records."""
    return float(loss.of_blocks(blocks).sum()) + n_suppressed * loss.of_suppressed(blocks)
