"""Thread with an event loop for the network, so that replies arrive while the caller's thread works."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

_PATIENCE_S = 1.5  # applied twice in `close`, so that a stopped run ends within 5 s even if the thread hangs


class NetworkThread:
    """Event loop in a thread, running until `close`.

    It keeps deadlines and stores replies while the caller's thread is busy.
    """

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="synth-llm", daemon=True)
        self._thread.start()

    def call(self, function: Callable[..., object], *arguments: object) -> None:
        """Schedule a call of `function` on the loop, after all earlier calls."""
        self.loop.call_soon_threadsafe(function, *arguments)

    def close(self, farewell: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Cancel the remaining tasks, run `farewell()` on the loop, and close the loop.

        Waits for three seconds at most.
        """
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
