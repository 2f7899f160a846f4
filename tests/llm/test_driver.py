"""The driver with scripted models: order, look-ahead, failures, retries, cache, accounts."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from synth.core.errors import ConfigError, EndpointLost, ModelError
from synth.core.store import Store
from synth.models.chat.base import Completion, Fault, FaultKind, RawReply, Request, RequestFailed, Steps
from synth.models.chat.circuit_breaker import OPEN_AFTER
from synth.models.chat.concurrency import Slots
from synth.models.chat.driver import Driver, Job
from synth.models.chat.exchange import Sending
from synth.models.chat.reply_cache import MemoryCache
from synth.models.chat.retries import Retries
from synth.models.chat.scripted import Said, ScriptedModel

from .parts import ask, jobs, request, results, run_one


class Waits:
    """Stands for sleeping: remembers how long, takes no time."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


class Shuffled:
    """A model whose replies come in another order than they were asked for."""

    identity = "shuffled"

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.calls = 0

    async def reply(self, request: Request, *, timeout: float) -> RawReply:
        self.calls += 1
        for _ in range(self._random.randrange(40)):
            await asyncio.sleep(0)
        return RawReply(text=f"<{request.messages[-1].content}>")


class Stuck:
    """A model that never answers, and knows how many wait and how many were let go."""

    identity = "stuck"

    def __init__(self) -> None:
        self.asked = threading.Semaphore(0)
        self.cancelled = 0
        self.closed = False

    async def reply(self, request: Request, *, timeout: float) -> RawReply:
        self.asked.release()
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        raise AssertionError

    async def close(self) -> None:
        self.closed = True


def echo(request: Request) -> dict[str, str]:
    return {"answer": f"<{request.messages[-1].content}>"}


def network_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "synth-llm"]


@pytest.mark.parametrize("concurrency", [1, 3, 64])
@pytest.mark.parametrize("seed", [0, 1])
def test_outcomes_come_in_the_order_of_the_jobs(concurrency: int, seed: int) -> None:
    names = [f"第{n}题" for n in range(60)]
    driver = Driver({"author": Shuffled(seed)}, sending=Sending(slots=Slots(concurrency)))
    assert results(driver.run(jobs(*names, schema=None))) == [(name, f"<{name}>") for name in names]
    assert not network_threads()


def test_a_part_that_asks_nobody_needs_no_model_and_no_thread() -> None:
    def steps(n: int) -> Steps[int]:
        assert not network_threads()
        yield from ()
        return n * n

    driver = Driver({})
    assert [o.value for o in driver.run(Job(key=str(n), steps=steps(n)) for n in range(5))] == [0, 1, 4, 9, 16]


def test_jobs_that_ask_nobody_are_taken_one_by_one() -> None:
    taken = []

    def stream() -> Iterator[Job[int]]:
        for n in range(100):
            taken.append(n)
            yield Job(key=str(n), steps=_constant(n))

    outcomes = Driver({}).run(stream())
    next(outcomes)
    next(outcomes)
    assert taken == [0, 1]
    outcomes.close()


def _constant(n: int) -> Steps[int]:
    yield from ()
    return n


def test_no_more_jobs_are_begun_than_the_window_holds() -> None:
    begun = 0

    def stream() -> Iterator[Job[str]]:
        nonlocal begun
        for n in range(100):
            begun += 1
            yield Job(key=str(n), steps=ask(str(n)))

    outcomes = Driver({"author": ScriptedModel(echo)}, sending=Sending(slots=Slots(2)), window=5).run(stream())
    for done in range(1, 20):
        next(outcomes)
        assert begun <= 5 + done
    outcomes.close()
    assert not network_threads()


def test_stopping_early_cancels_what_is_under_way() -> None:
    model = Stuck()

    def quick_then_stuck() -> Iterator[Job[str]]:
        yield Job(key="quick", steps=_constant_text())
        yield from jobs("a", "b", "c", "d")

    driver = Driver({"author": model, "judge": ScriptedModel(echo)}, sending=Sending(slots=Slots(3)))
    outcomes = driver.run([Job(key="judged", steps=ask("x", role="judge")), *quick_then_stuck()])
    assert next(outcomes).value == "<x>"
    for _ in range(3):
        assert model.asked.acquire(timeout=5)
    outcomes.close()
    assert (model.cancelled, model.closed) == (3, True)
    assert not network_threads()


def _constant_text() -> Steps[str]:
    yield from ()
    return "at once"


def test_parts_that_are_not_through_are_ended_when_the_run_is() -> None:
    ended = []

    def steps() -> Steps[str]:
        try:
            yield request("a")
        finally:
            ended.append(True)
        return "never"

    model = Stuck()
    driver = Driver({"author": model, "judge": ScriptedModel(echo)})
    outcomes = driver.run([Job(key="j", steps=ask("x", role="judge")), Job(key="s", steps=steps())])
    next(outcomes)
    outcomes.close()
    assert ended == [True]


def test_several_requests_are_answered_together_and_in_order() -> None:
    def steps() -> Steps[list[str]]:
        first, failed, second = yield [request("a"), request("bad"), request("b")]
        assert isinstance(failed, RequestFailed)
        nothing = yield ()
        assert nothing == ()
        return [first.data["answer"], failed.kind, second.data["answer"]]

    def script(asked: Request) -> RawReply | dict[str, str]:
        return RawReply(text="no", finish_reason="refusal") if asked.messages[-1].content == "bad" else echo(asked)

    (outcome,) = Driver({"author": ScriptedModel(script)}).run([Job(key="k", steps=steps())])
    assert outcome.value == ["<a>", "refused", "<b>"]


def test_a_part_may_ask_again_and_again() -> None:
    def steps(start: str) -> Steps[str]:
        said = start
        for _ in range(4):
            completion: Completion = yield request(said)
            said = completion.data["answer"]
        return said

    driver = Driver({"author": ScriptedModel(echo)}, sending=Sending(slots=Slots(2)))
    outcomes = driver.run(Job(key=name, steps=steps(name)) for name in "abc")
    assert [o.value for o in outcomes] == ["<<<<a>>>>", "<<<<b>>>>", "<<<<c>>>>"]


def test_a_failure_costs_one_job_and_a_part_can_bear_it() -> None:
    def script(asked: Request) -> RawReply | dict[str, str]:
        return (
            RawReply(text="I must not.", finish_reason="refusal")
            if "bad" in asked.messages[-1].content
            else echo(asked)
        )

    def bearing() -> Steps[str]:
        try:
            yield request("bad too")
        except RequestFailed as failure:
            return f"bore {failure.kind}: {failure.reason}"
        return "not reached"

    driver = Driver({"author": ScriptedModel(script)})
    outcomes = list(driver.run([*jobs("a", "bad", "b"), Job(key="bearing", steps=bearing())]))
    assert results(outcomes) == [
        ("a", "<a>"),
        ("bad", "refused"),
        ("b", "<b>"),
        ("bearing", "bore refused: the model refused: I must not."),
    ]
    assert driver.accounts.summary()["failures"] == {"refused": 2}


@pytest.mark.parametrize("kind", ["throttled", "server", "connection", "timeout"])
def test_faults_of_the_line_are_tried_again_up_to_their_limit(kind: FaultKind) -> None:
    retries = Retries(limits={kind: 2})
    waits = Waits()
    script: list[Said] = [Fault(kind, "once"), Fault(kind, "twice"), {"answer": "at last"}]
    driver = Driver({"author": ScriptedModel(script)}, sending=Sending(retries=retries, sleep=waits))
    assert run_one(driver).value == "at last"
    assert driver.accounts.summary()["retries"] == {kind: 2}
    assert driver.accounts.total("calls") == 3
    assert 0.25 <= waits.seconds[0] <= 0.5 <= waits.seconds[1] <= 1.0

    spent = Driver(
        {"author": ScriptedModel([{"answer": "up"}, *[Fault(kind, "again")] * 3])},
        sending=Sending(retries=retries, sleep=waits),
    )
    assert run_one(spent, max_tokens=9).value == "up"
    failure = run_one(spent).failure
    assert failure is not None
    assert (failure.kind, failure.reason) == (kind, "again (3 tries)")


def test_limits_of_different_faults_are_counted_apart() -> None:
    script: list[Said] = [
        Fault("server", "a"),
        Fault("timeout", "b"),
        "no json",
        Fault("server", "c"),
        "",
        {"answer": "done"},
    ]
    retries = Retries(limits={"server": 2, "timeout": 1, "unparsable": 1, "empty": 1})
    driver = Driver({"author": ScriptedModel(script)}, sending=Sending(retries=retries, sleep=Waits()))
    assert run_one(driver).value == "done"
    assert driver.accounts.summary()["retries"] == {"empty": 1, "server": 2, "timeout": 1, "unparsable": 1}


def test_the_wait_an_endpoint_asks_for_is_kept_and_the_same_at_each_run() -> None:
    seen = []
    for _ in range(2):
        waits = Waits()
        script: list[Said] = [Fault("throttled", "slow down", 0.5), Fault("server", "oops"), {"answer": "ok"}]
        assert run_one(Driver({"author": ScriptedModel(script)}, sending=Sending(sleep=waits))).value == "ok"
        assert 0.5 <= waits.seconds[0] <= 0.55
        seen.append(waits.seconds)
    assert seen[0] == seen[1]


def test_a_wait_without_end_is_a_failure() -> None:
    waits = Waits()
    driver = Driver(
        {"author": ScriptedModel([Fault("throttled", "come back tomorrow", 86_400.0)])}, sending=Sending(sleep=waits)
    )
    failure = run_one(driver).failure
    assert failure is not None
    assert failure.reason == "come back tomorrow (asked to wait 86400 s)"
    assert waits.seconds == []


def test_a_bad_reply_gets_one_repair_round_and_then_fresh_tries() -> None:
    model = ScriptedModel(['{"reply": "no"}', "still not", {"answer": "好"}])
    driver = Driver({"author": model})
    assert run_one(driver).value == "好"
    first, repair, fresh = model.calls
    assert [m.role for m in repair.messages] == ["system", "user", "assistant", "user"]
    assert repair.messages[2].content == '{"reply": "no"}'
    assert "answer: Field required; reply: Extra inputs are not permitted" in repair.messages[3].content
    assert (fresh.messages, fresh.seed, fresh.temperature) == (first.messages, 8, 0.3)


def test_a_reply_that_is_never_good_names_what_is_wrong() -> None:
    failure = run_one(Driver({"author": ScriptedModel(lambda _: "{}")})).failure
    assert failure is not None
    assert failure.kind == "unparsable"
    assert failure.reason == "answer: Field required. (4 tries)"


def test_a_reply_that_was_cut_off_gets_more_room() -> None:
    cut = RawReply(text='{"answer": "thi', finish_reason="length")
    model = ScriptedModel([cut, cut, {"answer": "this"}])
    assert run_one(Driver({"author": model}), max_tokens=100).value == "this"
    assert [call.max_tokens for call in model.calls] == [100, 200, 400]


def test_reasoning_and_fences_never_reach_a_part() -> None:
    model = ScriptedModel(['<think>hm {</think>```json\n{"answer": "yes"}\n```', "<think>hm</think>free text"])
    driver = Driver({"author": model})
    assert run_one(driver).value == "yes"
    assert run_one(driver, schema=None).value == "free text"


def test_replies_are_kept_in_a_store_and_nothing_is_sent_twice(tmp_path: Path) -> None:
    first, second = ScriptedModel(echo), ScriptedModel(echo)
    with Store(tmp_path / "store.sqlite") as store:
        before = Driver({"author": first}, store)
        made = results(before.run(jobs("甲", "乙", "丙")))
        assert len(first.calls) == 3
    with Store(tmp_path / "store.sqlite") as store:
        after = Driver({"author": second}, store)
        assert results(after.run(jobs("甲", "乙", "丙"))) == made
    assert second.calls == []
    spent, kept = before.accounts.summary(), after.accounts.summary()
    assert (kept["calls"], kept["cached"], kept["prompt_tokens"]) == (0, 3, 0)
    assert kept["cached_prompt_tokens"] == spent["prompt_tokens"] > 0
    assert kept["cached_completion_tokens"] == spent["completion_tokens"] > 0


def test_a_kept_reply_says_so_and_starts_no_thread() -> None:
    cache = MemoryCache()

    def steps() -> Steps[Completion]:
        completion: Completion = yield request()
        return completion

    def run() -> Completion:
        (outcome,) = Driver({"author": ScriptedModel(echo)}, cache).run([Job(key="k", steps=steps())])
        assert outcome.value is not None
        return outcome.value

    fresh, kept = run(), run()
    assert (fresh.cached, kept.cached) == (False, True)
    assert (fresh.data, fresh.prompt_tokens) == (kept.data, kept.prompt_tokens)


@pytest.mark.parametrize(
    "change",
    [{"text": "hello!"}, {"max_tokens": 513}, {"temperature": 0.1}, {"seed": 8}, {"seed": None}, {"schema": None}],
)
def test_whatever_is_sent_differently_is_asked_anew(change: dict[str, object]) -> None:
    model = ScriptedModel(echo)
    driver = Driver({"author": model})
    run_one(driver)
    list(driver.run([Job(key="k", steps=ask(**{"text": "hello", **change}))]))  # type: ignore[arg-type]
    assert len(model.calls) == 2


def test_what_is_not_sent_is_not_asked_anew() -> None:
    model = ScriptedModel(echo)
    driver = Driver({"author": model})
    run_one(driver)
    assert run_one(driver, prompt="other@1", purpose="other").value == "<hello>"
    assert len(model.calls) == 1


def test_one_models_reply_is_never_given_to_another() -> None:
    cache = MemoryCache()
    author = ScriptedModel([{"answer": "from A"}], identity="A")
    judge = ScriptedModel([{"answer": "from B"}], identity="B")
    driver = Driver({"author": author, "judge": judge}, cache)
    assert run_one(driver).value == "from A"
    assert run_one(driver, role="judge").value == "from B"
    other = Driver({"author": ScriptedModel([{"answer": "from C"}], identity="C")}, cache)
    assert run_one(other).value == "from C"


def test_equal_requests_under_way_are_sent_once() -> None:
    model = Shuffled(3)
    driver = Driver({"author": model}, sending=Sending(slots=Slots(8)))
    outcomes = driver.run(Job(key=str(n), steps=ask("same", schema=None)) for n in range(10))
    assert [o.value for o in outcomes] == ["<same>"] * 10
    assert model.calls == 1
    assert driver.accounts.total("cached") == 9


def test_what_was_given_up_is_asked_again_only_on_demand() -> None:
    cache = MemoryCache()
    first = run_one(Driver({"author": ScriptedModel(lambda _: "nonsense")}, cache)).failure
    assert first is not None
    model = ScriptedModel(echo)
    again = Driver({"author": model}, cache)
    second = run_one(again).failure
    assert second is not None
    assert (second.kind, second.reason, model.calls) == (first.kind, first.reason, [])
    assert again.accounts.total("quarantined") == 1
    assert run_one(Driver({"author": model}, cache, Sending(resume=True))).value == "<hello>"
    assert run_one(Driver({"author": ScriptedModel([])}, cache)).value == "<hello>"


def test_replies_are_kept_when_the_run_is_interrupted() -> None:
    cache = MemoryCache()
    model = ScriptedModel(echo)
    outcomes = Driver({"author": model}, cache).run(jobs("a", "b", "c"))
    next(outcomes)
    with pytest.raises(KeyboardInterrupt):
        outcomes.throw(KeyboardInterrupt())
    again = ScriptedModel(echo)
    results(Driver({"author": again}, cache).run(jobs("a", "b", "c")))
    assert len(model.calls) + len(again.calls) == 3
    assert not network_threads()


def test_an_interrupt_inside_a_part_ends_the_run_cleanly() -> None:
    def steps() -> Steps[str]:
        yield request("a")
        raise KeyboardInterrupt

    driver = Driver({"author": ScriptedModel(echo)})
    with pytest.raises(KeyboardInterrupt):
        list(driver.run([Job(key="k", steps=steps())]))
    assert not network_threads()


def test_a_hopeless_endpoint_ends_the_run_at_once() -> None:
    model = ScriptedModel(lambda _: ModelError("wrong key"))
    driver = Driver({"author": model}, sending=Sending(slots=Slots(1)))
    with pytest.raises(ModelError, match="wrong key"):
        list(driver.run(jobs(*map(str, range(50)))))
    assert len(model.calls) == 1
    with pytest.raises(ModelError, match="wrong key"):
        list(driver.run(jobs("later")))
    assert len(model.calls) == 1


def test_an_endpoint_that_never_answered_and_cannot_be_reached_ends_the_run() -> None:
    model = ScriptedModel(lambda _: Fault("connection", "connection refused"), identity="m at http://h")
    with pytest.raises(ModelError, match="m at http://h: connection refused; check that the endpoint is up"):
        list(Driver({"author": model}, sending=Sending(slots=Slots(1), sleep=Waits())).run(jobs("a", "b", "c")))
    assert len(model.calls) == 3


def test_an_endpoint_that_dies_ends_the_run_after_a_few_requests() -> None:
    replies = iter([{"answer": "alive"}])
    model = ScriptedModel(lambda _: next(replies, Fault("server", "500")))
    driver = Driver(
        {"author": model}, sending=Sending(slots=Slots(1), sleep=Waits(), retries=Retries(limits={"server": 1}))
    )
    outcomes = driver.run(jobs(*map(str, range(50))))
    with pytest.raises(EndpointLost, match=f"{OPEN_AFTER} requests in a row") as ended:
        list(outcomes)
    assert ended.value.exit_code == 9
    assert len(model.calls) == 1 + 2 * OPEN_AFTER


def test_an_endpoint_that_is_too_slow_is_told_from_one_that_is_down() -> None:
    def message(kind: str) -> str:
        model = ScriptedModel(lambda _: Fault(kind, "no reply"))
        driver = Driver(
            {"author": model}, sending=Sending(slots=Slots(1), sleep=Waits(), retries=Retries(limits={kind: 0}))
        )
        with pytest.raises(ModelError) as ended:
            list(driver.run(jobs(*map(str, range(50)))))
        return str(ended.value)

    assert "a slow model needs a longer --timeout" in message("timeout")
    assert "--timeout" not in message("server")


def test_a_role_nobody_plays_is_named() -> None:
    with pytest.raises(ConfigError, match="role 'judge'; the run has models for: author"):
        run_one(Driver({"author": ScriptedModel(echo)}), role="judge")


def test_accounts_are_kept_by_purpose() -> None:
    driver = Driver(
        {"author": ScriptedModel(["bad", {"answer": "a"}, {"answer": "b"}])}, sending=Sending(slots=Slots(1))
    )
    run_one(driver, purpose="write")
    run_one(driver, purpose="judge", seed=8)
    run_one(driver, purpose="judge", seed=8)
    by_purpose = driver.accounts.summary()["by_purpose"]
    assert list(by_purpose) == ["judge", "write"]
    assert (by_purpose["write"]["calls"], by_purpose["write"]["cached"]) == (2, 0)
    assert (by_purpose["judge"]["calls"], by_purpose["judge"]["cached"]) == (1, 1)


def test_an_error_in_a_part_is_loud() -> None:
    def steps() -> Steps[str]:
        yield request()
        raise ZeroDivisionError("a bug")

    with pytest.raises(ZeroDivisionError):
        list(Driver({"author": ScriptedModel(echo)}).run([Job(key="k", steps=steps())]))
    assert not network_threads()


def test_an_error_in_a_model_is_loud() -> None:
    with pytest.raises(ZeroDivisionError):
        run_one(Driver({"author": ScriptedModel(lambda _: ZeroDivisionError("a bug"))}))
    assert not network_threads()


def test_runs_can_be_nested() -> None:
    driver = Driver({"author": ScriptedModel(echo)}, sending=Sending(slots=Slots(2)))
    seen = [
        (outer.value, [inner.value for inner in driver.run(jobs(f"{outer.value}1", f"{outer.value}2"))])
        for outer in driver.run(jobs("a", "b", "c"))
    ]
    assert seen == [(f"<{x}>", [f"<<{x}>1>", f"<<{x}>2>"]) for x in "abc"]
    assert not network_threads()


def test_a_script_that_is_too_short_says_so() -> None:
    with pytest.raises(EndpointLost, match="no reply left for test@0"):
        results(
            Driver({"author": ScriptedModel([{"answer": "a"}])}, sending=Sending(slots=Slots(1))).run(jobs("a", "b"))
        )


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        (lambda: Slots(0), "concurrency"),
        (lambda: Sending(timeout_s=0), "time-out"),
        (lambda: Driver({}, window=0), "window"),
    ],
)
def test_settings_are_checked(setting: Callable[[], object], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        setting()


def test_an_unknown_kind_of_fault_is_named() -> None:
    with pytest.raises(ConfigError, match="unknown kind of fault: severe"):
        Retries(limits={"severe": 1})


@pytest.mark.parametrize("name", ["first_pause", "longest_pause", "longest_wait"])
@pytest.mark.parametrize("value", [-1.0, float("nan")])
def test_pauses_are_checked(name: str, value: float) -> None:
    with pytest.raises(ConfigError, match=f"{name} must be at least 0"):
        Retries(**{name: value})
