"""How far long work has come: whoever works says it, whoever shows it listens.

Without a listener nothing happens, so a method may report as often as its steps allow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

Advance = Callable[[int], None]  # told how many of the total are done
Listener = Callable[[str, int], AbstractContextManager[Advance]]  # (what is done, total) -> where to say it

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
def heard_by(listener: Listener) -> Iterator[None]:
    """Every stage inside is told to ``listener``."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
