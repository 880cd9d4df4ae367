"""Events: every tab is told the state of the sitting whenever it changes, so that all of them agree."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

PAUSE = 0.2  # seconds between two messages
ALIVE = 15.0  # seconds after which a silent stream says that it is alive
COMMENT, END = ": alive\n\n", "event: end\ndata: {}\n\n"


class EventStream:
    def __init__(self, state: Callable[[], dict[str, Any]]) -> None:
        self._state, self._next = state, asyncio.Event()
        self.revision, self._has_ended = 0, False

    def changed(self) -> None:
        """Wakes everybody who listens."""
        self.revision += 1
        last, self._next = self._next, asyncio.Event()
        last.set()

    def end(self) -> None:
        self._has_ended = True
        self.changed()

    async def listen(self) -> AsyncIterator[str]:
        """The state at once, then after every change, until Studio stops or the listener leaves."""
        seen = -1
        while not self._has_ended:
            if seen == self.revision:
                yield COMMENT
            else:
                seen = self.revision
                yield f"event: state\ndata: {json.dumps(self._state(), ensure_ascii=False)}\n\n"
                await asyncio.sleep(PAUSE)
            await self._wait(seen)
        yield END

    async def _wait(self, seen: int) -> None:
        if seen == self.revision and not self._has_ended:
            try:
                await asyncio.wait_for(self._next.wait(), ALIVE)
            except TimeoutError:
                return
