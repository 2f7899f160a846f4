"""The network thread: an event loop of its own, so that replies arrive while parts work."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

_PATIENCE_S = 1.5  # twice at the end: a run that is stopped ends within 5 s, whatever the thread still does


class NetworkThread:
    """An event loop in a thread, running until `close`.

    Deadlines hold and replies are stored while the caller's thread is busy.
    """

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="synth-llm", daemon=True)
        self._thread.start()

    def call(self, function: Callable[..., object], *arguments: object) -> None:
        """Have the loop call `function` after all earlier calls."""
        self.loop.call_soon_threadsafe(function, *arguments)

    def close(self, farewell: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Cancel the remaining tasks, run `farewell`, stop the loop and close it; waits for some seconds at most."""
        future = asyncio.run_coroutine_threadsafe(_end(farewell), self.loop)
        try:
            future.result(_PATIENCE_S)
        except TimeoutError:
            future.cancel()
        self.call(self.loop.stop)
        self._thread.join(_PATIENCE_S)

    def _serve(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
        finally:
            self.loop.close()


async def _end(farewell: Callable[[], Coroutine[Any, Any, None]]) -> None:
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await farewell()
