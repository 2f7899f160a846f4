"""Driver: runs many parts concurrently, sends their requests to chat models, and returns their results in order.

A part is a generator that asks a chat model, such as an author of questions or a filter (see `base.Steps`).
"""

from __future__ import annotations

import asyncio
import queue
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from synth.core import interruption
from synth.core.checks import check_least
from synth.core.errors import RunStopped
from synth.core.store import Cache
from synth.models.chat.base import ChatModel, Completion, Request, RequestFailed, Round, Steps, advanced, begun
from synth.models.chat.exchange import Exchange, Sending
from synth.models.chat.network_thread import NetworkThread
from synth.models.chat.reply_cache import MemoryCache
from synth.models.chat.usage import Accounts

T = TypeVar("T")

_LOOK_AHEAD = 4
_POLL_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Job(Generic[T]):
    """Unit of work: `steps`, a generator that yields requests, and a `key` that identifies the outcome."""

    key: str
    steps: Steps[T]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOutcome(Generic[T]):
    """Outcome of a job: the `value` that its generator returned, or the `failure` that the generator did not catch."""

    key: str
    value: T | None = None
    failure: RequestFailed | None = None


class Driver:
    """Runner of jobs against models. Only the driver sends, retries, stores and counts requests.

    `models` maps each role ("author", "judge") to its model. It may be empty if no part asks a model. `cache` stores
    replies and must be safe for two threads. By default, replies are kept in memory. `window` is the maximum number of
    jobs that are started and not yet returned. The default is four per slot of `sending`.

    Parts run in the caller's thread, and only while the caller waits for an outcome. The network has its own thread,
    which starts with the first request and ends with the last run.
    """

    def __init__(
        self,
        models: Mapping[str, ChatModel],
        cache: Cache | None = None,
        sending: Sending | None = None,
        *,
        window: int | None = None,
    ) -> None:
        sending = sending or Sending()
        self.concurrency = sending.slots.places
        self.window = self.concurrency * _LOOK_AHEAD if window is None else window
        check_least("the window", self.window, 1)
        self.accounts = Accounts()
        self.budget = sending.budget
        self._exchange = Exchange(models, MemoryCache() if cache is None else cache, self.accounts, sending)
        self._line: NetworkThread | None = None
        self._runs = 0

    def run(self, jobs: Iterable[Job[T] | None]) -> Generator[JobOutcome[T], None, None]:
        """Run `jobs` and yield their outcomes in the same order. Jobs are taken as needed.

        A None among the jobs means that the next job depends on an outcome. No further job is taken before an outcome
        is yielded.

        A failed request fails only its own job. Closing the iterator, an exception or Ctrl-C cancels the calls in
        progress. Replies that have arrived stay in the cache. Raises ModelError at once when an endpoint cannot answer
        any request. Raises RunStopped when the budget is used up, or when an endpoint that answered before is lost.
        RunStopped comes after the outcomes of all calls in progress.
        """
        run = _JobRun(self, self._exchange, iter(jobs))
        try:
            yield from run.outcomes()
        finally:
            run.close()

    @property
    def unusable(self) -> tuple[str, ...]:
        """Messages on the purposes whose replies stayed unusable, if `Sending.tolerant` let the run go on."""
        return self._exchange.unusable

    def connect(self) -> NetworkThread:
        """Return the network thread for one run, which must call `disconnect` at its end."""
        if self._line is None:
            self._line = NetworkThread()
        self._runs += 1
        return self._line

    def disconnect(self) -> None:
        """End the use of the network thread by one run. The last run closes the thread."""
        self._runs -= 1
        if self._line is not None and not self._runs:
            line, self._line = self._line, None
            line.close(self._exchange.close)


class _Item(Generic[T]):
    """Started job, with the answers received so far and, at the end, its outcome."""

    def __init__(self, job: Job[T], turn: int) -> None:
        self.job = job
        self.turn = turn
        self.outcome: JobOutcome[T] | None = None
        self.dropped = False
        self._round: Round | None = None
        self._answers: dict[int, Completion | RequestFailed] = {}

    def step(self) -> tuple[Request, ...]:
        """Resume the part with its answers. Return the next requests of the part, or none if it has ended."""
        try:
            self._round = self._next()
        except StopIteration as end:
            self.outcome = JobOutcome(key=self.job.key, value=end.value)
            return ()
        except RequestFailed as failure:
            self.outcome = JobOutcome(key=self.job.key, failure=failure)
            return ()
        self._answers = {}
        return self._round.requests

    def _next(self) -> Round:
        if self._round is None:
            return begun(self.job.steps)
        return advanced(self.job.steps, self._round, [answer for _, answer in sorted(self._answers.items())])

    def take(self, place: int, answer: Completion | RequestFailed) -> None:
        """Record the answer to request number `place`, counted from 0."""
        self._answers[place] = answer

    @property
    def is_answered(self) -> bool:
        """Whether every request of the part has an answer."""
        return self._round is not None and len(self._answers) == len(self._round.requests)

    @property
    def is_over(self) -> bool:
        """Whether the run dropped the job and every request that it had sent has been answered.

        The run waits for these answers, because they are already paid for.
        """
        return self.dropped and self.is_answered


class _JobRun(Generic[T]):
    """State of one `Driver.run` over a stream of jobs."""

    def __init__(self, driver: Driver, exchange: Exchange, jobs: Iterator[Job[T] | None]) -> None:
        self._driver = driver
        self._exchange = exchange
        self._jobs = jobs
        self._begun: deque[_Item[T]] = deque()
        self._next_turn = 0
        self._waiting = 0
        self._more = True
        self._stopped: RunStopped | None = None
        self._line: NetworkThread | None = None
        self._tasks: set[asyncio.Task[Completion]] = set()
        self._replies: queue.SimpleQueue[tuple[_Item[T], int, Completion | BaseException]] = queue.SimpleQueue()

    def outcomes(self) -> Iterator[JobOutcome[T]]:
        while True:
            self._listen(wait=False)
            self._fill()
            if not self._begun:
                break
            while (outcome := self._begun[0].outcome) is None and not self._begun[0].is_over:
                self._listen(wait=True)
            item = self._begun.popleft()
            if outcome is None:
                item.job.steps.close()
            else:
                yield outcome
        if self._stopped is not None:
            raise self._stopped

    def close(self) -> None:
        """Cancel the calls in progress and close the unfinished parts."""
        if self._line is not None:
            self._line.call(_cancel, self._tasks)
            self._driver.disconnect()
        for item in self._begun:
            item.job.steps.close()

    def _fill(self) -> None:
        """Start jobs until the window is full. If no job waits for a reply, start only the next job."""
        while self._more and len(self._begun) < self._driver.window and (self._waiting or not self._begun):
            try:
                job = next(self._jobs)
            except StopIteration:
                self._more = False
                return
            if job is None:
                return
            item = _Item(job, self._next_turn)
            self._next_turn += 1
            self._begun.append(item)
            self._advance(item)
            if self._waiting >= self._driver.concurrency:
                # Every slot is taken: jobs with new answers go on before more jobs start.
                self._listen(wait=False)

    def _advance(self, item: _Item[T]) -> None:
        """Run a part until it waits for the network or has ended. Stored answers are sent to it at once."""
        while True:
            requests = item.step()
            if item.outcome is not None:
                return
            to_send = []
            for place, request in enumerate(requests):
                key = self._exchange.key(request)
                if (kept := self._exchange.kept(key, request)) is not None:
                    item.take(place, kept)
                else:
                    to_send.append((key, request, place))
            if to_send:
                self._waiting += 1
                self._send(item, to_send)
                return

    def _send(self, item: _Item[T], requests: Sequence[tuple[str, Request, int]]) -> None:
        if self._line is None:
            self._line = self._driver.connect()
        for key, request, place in requests:
            self._line.call(self._begin, item, key, request, place)

    def _begin(self, item: _Item[T], key: str, request: Request, place: int) -> None:
        """Send a request, and queue its answer or exception. Runs on the network thread."""
        task = asyncio.ensure_future(self._exchange.answer(key, request, item.turn))
        self._tasks.add(task)

        def queue_result(done: asyncio.Task[Completion]) -> None:
            self._tasks.discard(done)
            if not done.cancelled():
                self._replies.put((item, place, done.exception() or done.result()))

        task.add_done_callback(queue_result)

    def _listen(self, *, wait: bool) -> None:
        """Process the queued answers. With `wait`, wait until the first one arrives."""
        while True:
            interruption.check()
            if wait and self._line is not None:
                self._line.call(self._exchange.flush)
            try:
                # A wait with a time-out lets Ctrl-C and SIGTERM through on every system.
                item, place, answer = self._replies.get(block=wait, timeout=_POLL_S)
            except queue.Empty:
                if wait:
                    continue
                return
            wait = False
            if isinstance(answer, RunStopped):
                # Calls in progress are paid for: wait for them, and start nothing new.
                self._stopped, self._more, item.dropped = answer, False, True
                answer = RequestFailed("refused", str(answer))
            if not isinstance(answer, Completion | RequestFailed):
                raise answer
            item.take(place, answer)
            if item.is_answered:
                self._waiting -= 1
                if not item.dropped:
                    self._advance(item)


def _cancel(tasks: set[asyncio.Task[Completion]]) -> None:
    for task in tuple(tasks):
        task.cancel()
