"""What earlier runs gave and took is told apart by models, and a few tasks do not count for all."""

import pytest

from synth.core.store import Store
from synth.generation import run_history
from synth.generation.proposals.tasks import Learned
from synth.models.chat.base import Completion, RawReply
from synth.models.chat.usage import Accounts

PURPOSE = "proposals/propose"


def spent(calls=10, again=0, written=30):
    accounts = Accounts()
    for _ in range(calls):
        accounts.call(PURPOSE)
        accounts.reply(PURPOSE, RawReply(text="", prompt_tokens=500, completion_tokens=written))
    for _ in range(again):
        accounts.retry("unparsable")
    return accounts.summary()


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "s.sqlite") as opened:
        yield opened


def keep(store, tasks, who="m", model=None):
    run_history.keep(store, who, tasks, model or spent())


def expected(store, kind="propose", who="m"):
    return run_history.read(store, who).learned.expected(kind)


def test_many_tasks_say_what_one_gives_and_a_single_one_changes_little(store):
    general = Learned().expected("propose")
    assert expected(store) == general
    keep(store, {"propose": (1, 0)})
    assert 0.7 * general < expected(store) < general
    keep(store, {"propose": (400, 200), "across": (100, 300)}, model=spent(calls=11))
    assert expected(store) == pytest.approx(0.5, abs=0.04)
    assert expected(store, "across") == pytest.approx(3, abs=0.1)
    assert run_history.read(store, "m").runs == 2


def test_models_are_told_apart(store):
    keep(store, {"propose": (400, 0)})
    assert expected(store) < 0.1
    assert expected(store, who="another model") == Learned().expected("propose")


def test_a_run_that_is_repeated_counts_once(store):
    for _ in range(3):
        keep(store, {"propose": (10, 5)})
    assert run_history.read(store, "m").learned.tasks["propose"] == 10


def test_calls_that_mend_others_and_their_tokens_are_counted(store):
    general = run_history.read(store, "m")
    assert (general.calls_a_request, general.written("unheard/of")) == (1.0, 100.0)
    keep(store, {"propose": (1, 1)}, model=spent(calls=150, again=50))
    known = run_history.read(store, "m")
    assert known.calls_a_request == pytest.approx(1.5, abs=0.05)
    assert known.written(PURPOSE) == pytest.approx(30, rel=0.3)
    assert known.written("filters/open") == general.written("filters/open")


def test_a_run_that_asked_nothing_tells_nothing(store):
    keep(store, {"propose": (500, 0)}, model=spent(calls=0))
    assert run_history.read(store, "m") == run_history.RunHistory()


def test_answers_that_were_kept_count_as_if_they_had_been_made(store):
    accounts = Accounts()
    accounts.call(PURPOSE)
    accounts.reply(PURPOSE, RawReply(text="", prompt_tokens=5, completion_tokens=40))
    for _ in range(99):
        accounts.cached(PURPOSE, Completion(text="", prompt_tokens=5, completion_tokens=40))
    keep(store, {"propose": (1, 1)}, model=accounts.summary())
    assert run_history.read(store, "m").written(PURPOSE) == pytest.approx(40, rel=0.32)
