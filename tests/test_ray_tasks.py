"""Reading on a cluster of Ray, with a stand-in for Ray in this process; scripts/check_machines.sh has the real one."""

import signal
import sys
from types import SimpleNamespace

import pytest

from synth.core.errors import ConfigError, InputError
from synth.core.store import STORE, Store
from synth.corpus import deep_reading, ray_tasks
from synth.corpus.deep_reading import KIND, DeepReading
from synth.corpus.documents.chunking import ChunkSettings, chunk
from synth.corpus.ray_tasks import RayTasks
from synth.workflows.settings import Settings
from tests.corpus import document
from tests.test_portions import DOCS


class RayError(Exception):
    pass


class RayTaskError(RayError):
    def __init__(self, cause):
        super().__init__(str(cause))
        self.cause = cause


class Ray:
    """Tasks that are run when their result is asked for; the numbers in `lost` never give one."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, lost=()):
        self.lost, self.sent, self.waiting, self.most_waiting, self.is_open = lost, 0, 0, 0, False

    def init(self, address, **_):
        if address == "127.0.0.1:1":
            raise ConnectionError("no\ncluster")
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        self.is_open = True

    def shutdown(self):
        self.is_open = False

    def cluster_resources(self):
        return {"CPU": 2.0}

    def put(self, value):
        return value

    def cancel(self, task):
        self.waiting -= 1

    def remote(self, **options):
        assert options == {"num_cpus": 1, "max_retries": 3}
        return lambda function: SimpleNamespace(remote=lambda *given: self._task(function, given))

    def _task(self, function, given):
        self.sent += 1
        self.waiting += 1
        self.most_waiting = max(self.most_waiting, self.waiting)
        return self.sent, function, given

    def get(self, task):
        number, function, given = task
        self.waiting -= 1
        if number in self.lost:
            raise RayError("the worker died")
        try:
            return function(*given)
        except Exception as error:
            raise RayTaskError(error) from error


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Reads eight documents, two a task, with a Ray of two processors; returns what the store has of them."""
    documents = [document(name, text) for name, text in list(DOCS.items())[:8]]
    chunks_of = {one.doc_id: chunk(one, ChunkSettings()) for one in documents}

    monkeypatch.setattr(deep_reading, "TOGETHER", 1)

    def run(ray, address="local"):
        monkeypatch.setitem(sys.modules, "ray", ray)
        place = tmp_path / f"w{len(list(tmp_path.iterdir()))}" / STORE
        with Store(place) as store:
            with DeepReading(store, [], executor=RayTasks(address) if ray else None) as reading:
                assert dict(reading.read(documents, chunks_of)) == dict.fromkeys(chunks_of, True)
            assert not (ray and ray.is_open)
            return [list(store.values(kind)) for kind in (KIND, "parse", "drafts", "language")]

    return run


def test_the_store_has_the_same_whatever_is_lost(read):
    alone = read(None)
    for ray in (Ray(), Ray(lost=(2,)), Ray(lost=range(100))):
        assert read(ray) == alone
        assert ray.sent == 4
        assert ray.most_waiting == 4, "no more is sent than two tasks for a processor"


def test_ctrl_c_is_heard_as_before(read):
    before = signal.getsignal(signal.SIGTERM)
    read(Ray())
    assert signal.getsignal(signal.SIGTERM) is before


def test_nodes_with_another_synth_are_told(read, monkeypatch):
    digests = iter(["mine", "theirs"])
    monkeypatch.setattr(ray_tasks, "source_digest", lambda _: next(digests))
    ray = Ray()
    with pytest.raises(InputError, match="a node of Ray cannot read documents: its version of synth differs; install"):
        read(ray)
    assert not ray.is_open
    assert ray.waiting == 0


def test_a_cluster_that_is_not_there_is_told(read):
    with pytest.raises(InputError, match=r"cannot join the Ray cluster at '127\.0\.0\.1:1': no cluster"):
        read(Ray(), "127.0.0.1:1")


@pytest.mark.parametrize("address", ["docs/", "host", "http://host:1", "ray://host:10001"])
def test_what_is_no_address_of_a_cluster_is_refused(address):
    with pytest.raises(ConfigError, match="ray must be HOST:PORT, auto or local"):
        Settings(ray=address)
    for known in ("", "local", "auto", "10.0.0.1:6379", "[::1]:6379"):
        assert Settings(ray=known).ray == known
    with pytest.raises(ConfigError, match="set only one of the two"):
        Settings(ray="auto", workers=2)
