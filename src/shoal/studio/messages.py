"""What the process of a job tells Studio. Every message is a frozen value that can be pickled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shoal.assessment.comparison import ComparedPolicy
from shoal.report.outline_nodes import Outline
from shoal.schema.suggest import Suggestion


@dataclass(frozen=True)
class StageBegan:
    number: int
    what: str
    total: int  # 0: not known


@dataclass(frozen=True)
class StageAt:
    number: int
    done: int


@dataclass(frozen=True)
class StageEnded:
    number: int


@dataclass(frozen=True)
class Failed:
    """The job cannot do what it was asked: lines of its error."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Canceled:
    """It was stopped, and cleaned up."""


@dataclass(frozen=True)
class Done:
    pass


@dataclass(frozen=True)
class Answered:
    """A part of the result; a job may have several."""

    value: Any


Message = StageBegan | StageAt | StageEnded | Failed | Canceled | Done | Answered


@dataclass(frozen=True)
class Proposed:
    """A draft policy, and what is to be known about it."""

    text: str
    suggestions: tuple[Suggestion, ...]
    questions: tuple[str, ...]
    hints: tuple[str, ...]


@dataclass(frozen=True)
class Profiled:
    """The outline of a profile, and the summaries of its columns."""

    outline: Outline
    columns: tuple[Any, ...]
    n_records: int


@dataclass(frozen=True)
class Released:
    """A release whose files are written and proved."""

    outline: Outline
    digest: str  # of the policy
    k_reached: int
    n_released: int
    n_suppressed: int
    loss: float
    seconds: float


@dataclass(frozen=True)
class Measured:
    """The figures by which one of several releases is compared; ``at``: its place among those asked for."""

    at: int
    compared: ComparedPolicy


@dataclass(frozen=True)
class NotExternal:
    """Why there is no report that may leave the house."""

    reason: str
