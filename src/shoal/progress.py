"""Progress reporting of long computations: methods report stages, a listener displays them.

Without a listener a report costs next to nothing, so a method may report after every step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

Advance = Callable[[int], None]  # called with the number of steps done so far
Listener = Callable[[str, int], AbstractContextManager[Advance]]  # (description, total) -> Advance, as a context

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def stage(what: str, total: int) -> Iterator[Advance]:
    """Work of ``total`` steps: ``with stage("grouping", n) as at: at(done)``."""
    listener = _listener.get()
    if listener is None:
        yield lambda done: None
        return
    with listener(what, total) as advance:
        yield advance


@contextmanager
def report_to(listener: Listener) -> Iterator[None]:
    """Reports every stage within the context to ``listener``."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
