"""Fixtures for every test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.llm.server import Act, Behaviour, ChatServer


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
