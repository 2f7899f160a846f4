"""A request that another process is asking is waited for, and a killed process holds up nobody."""

import subprocess
import sys
from pathlib import Path

from synth.core.records import digest
from synth.models.chat import reply_cache
from synth.models.chat.base import Completion, Message, Request
from synth.models.chat.driver import Driver, Job
from synth.models.chat.exchange import Sending
from synth.models.chat.leases import FileLeases
from synth.models.chat.reply_cache import MemoryCache
from synth.models.chat.scripted import ScriptedModel

ROOT = Path(__file__).parents[2]
HOLDER = """
import sys
from pathlib import Path
from synth.models.chat.leases import FileLeases
leases = FileLeases(Path(sys.argv[1]))
print(leases.take(sys.argv[2]), flush=True)
sys.stdin.read()
"""


def test_a_lease_excludes_another_process_until_it_is_killed(tmp_path):
    path, key, other = tmp_path / "asking.lock", digest("a"), digest("b")
    command = [sys.executable, "-c", HOLDER, str(path), key]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as holder:
        assert holder.stdout.readline() == "True\n"
        leases = FileLeases(path)
        assert not leases.take(key)
        assert leases.take(other)
        holder.kill()
        holder.wait()
        assert leases.take(key)
        leases.close()


def test_a_reply_that_another_process_was_paid_for_is_not_asked_again():
    request = Request(purpose="q", prompt="p", role="author", messages=(Message("user", "hi"),))
    model, cache, waits = ScriptedModel(lambda *_: "mine"), MemoryCache(), []
    key = reply_cache.reply_key(model.identity, request)

    class Others:
        """Leases of which another process has that of the request until its reply is stored."""

        def take(self, wanted):
            return wanted != key or bool(waits)

        def give_back(self, key):
            pass

        def close(self):
            pass

    async def sleep(seconds):
        waits.append(seconds)
        reply_cache.keep(cache, key, Completion(text="theirs", data=None, prompt_tokens=1, completion_tokens=1))

    def steps():
        completion = yield request
        return completion.text

    driver = Driver({"author": model}, cache, Sending(leases=Others(), sleep=sleep))
    (outcome,) = driver.run([Job(key="a", steps=steps())])
    assert outcome.value == "theirs"
    assert len(waits) == 1
    assert driver.accounts.total("calls") == 0
