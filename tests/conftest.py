"""Fixtures for every test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from synth.corpus.documents import loading
from synth.corpus.documents.reader_process import ReaderProcess
from tests.llm.server import Act, Behaviour, ChatServer

# How busy the machine is decides no result.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def _one_reader_process() -> Iterator[None]:
    """One process for the parsers of all tests, not one for each call of `load`."""
    with ReaderProcess(60) as process, pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "ReaderProcess", lambda seconds: nullcontext(process))
        yield


@pytest.fixture
def serve() -> Iterator[Callable[[Behaviour | Act], ChatServer]]:
    """Starts chat servers that behave as told, and stops them after the test."""
    started: list[ChatServer] = []

    def start(behave: Behaviour | Act) -> ChatServer:
        started.append(ChatServer(behave))
        return started[-1]

    yield start
    for server in started:
        server.close()


class Bench:
    """The bench server of scripts/, in a process of its own."""

    def __init__(self, *options: str) -> None:
        root = Path(__file__).parents[1]
        command = [sys.executable, str(root / "scripts" / "bench_server.py"), "--plain", *options]
        environment = {**os.environ, "PYTHONPATH": str(root)}
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()

    def stats(self, *, forget: bool = False) -> dict[str, Any]:
        request = urllib.request.Request(self.url.removesuffix("/v1") + "/stats", method="POST" if forget else "GET")
        with urllib.request.urlopen(request) as reply:
            found: dict[str, Any] = json.load(reply)
        return found

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


@pytest.fixture
def bench() -> Iterator[Callable[..., Bench]]:
    """Starts bench servers with the options given, and stops them after the test."""
    started: list[Bench] = []

    def start(*options: str) -> Bench:
        started.append(Bench(*options))
        return started[-1]

    yield start
    for server in started:
        server.close()
