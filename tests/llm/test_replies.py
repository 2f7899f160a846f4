"""Replies in the store: two threads at once, and what is kept is read by the schema of who asks."""

from __future__ import annotations

import threading
from pathlib import Path

from synth.core.store import Store
from synth.models.chat import reply_cache
from synth.models.chat.base import Completion

from .parts import SCHEMA, request


def test_the_store_bears_the_network_thread_beside_the_callers(tmp_path: Path) -> None:
    wrong: list[BaseException | bytes | None] = []
    with Store(tmp_path / "store.sqlite") as store:

        def keep(name: str) -> None:
            try:
                for n in range(400):
                    store.put("reply", f"{name}{n}", b"value")
                    if (found := store.get("reply", f"{name}{n}")) != b"value":
                        wrong.append(found)
            except BaseException as error:
                wrong.append(error)

        threads = [threading.Thread(target=keep, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        for n in range(100):
            store.put_all("vector", [(f"{n}-{m}", b"row") for m in range(5)])
        for thread in threads:
            thread.join()
        assert wrong == []
        assert (store.count("reply"), store.count("vector")) == (800, 500)


def test_a_reply_put_while_a_batch_fails_is_not_lost(tmp_path: Path) -> None:
    with Store(tmp_path / "store.sqlite") as store:
        thread = threading.Thread(target=store.put, args=("reply", "paid", b"for"))
        try:
            with store.batch():
                thread.start()
                store.put("vector", "v", b"row")
                raise KeyError
        except KeyError:
            thread.join()
        assert (store.get("reply", "paid"), store.get("vector", "v")) == (b"for", None)


def test_a_kept_text_is_read_anew_and_must_still_fit() -> None:
    cache = reply_cache.MemoryCache()
    reply_cache.keep(cache, "k", Completion(text='{"answer": "港"}', prompt_tokens=3, completion_tokens=2))
    found = reply_cache.find(cache, "k", request())
    assert found == Completion(
        text='{"answer": "港"}', data={"answer": "港"}, prompt_tokens=3, completion_tokens=2, cached=True
    )
    stricter = {**SCHEMA, "required": ["answer", "quote"]}
    assert reply_cache.find(cache, "k", request(schema=stricter)) is None
    assert reply_cache.find(cache, "other", request()) is None


def test_a_key_depends_on_the_model_and_the_order_of_turns_but_not_on_the_order_of_names() -> None:
    one, other = request(), request(schema=dict(reversed(SCHEMA.items())))
    assert reply_cache.reply_key("A", one) == reply_cache.reply_key("A", other)
    assert reply_cache.reply_key("A", one) != reply_cache.reply_key("B", one)
