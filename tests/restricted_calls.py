"""Functions that a restricted process runs in tests."""

import os
import socket
from pathlib import Path

from synth.core.errors import RecordError


def environment(_data):
    yield dict(os.environ)


def connects(_data, port):
    with socket.create_connection(("127.0.0.1", port)):
        yield "connected"


def connects_by_the_system(_data, port):
    """A connection that the interpreter does not see."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    handle = libc.socket(2, 1, 0)
    address = (2).to_bytes(2, "little") + port.to_bytes(2, "big") + bytes([127, 0, 0, 1]) + bytes(8)
    yield "connected" if libc.connect(handle, address, 16) == 0 else os.strerror(ctypes.get_errno())


def reads_environment_of(_data, process):
    try:
        yield Path(f"/proc/{process}/environ").read_bytes().decode()
    except OSError as error:
        yield error.strerror


def writes(_data, path):
    try:
        Path(path).write_text("stolen")
        yield "written"
    except OSError as error:
        yield error.strerror


def namespaces(_data):
    yield os.readlink("/proc/self/ns/net")


def numbers(data, most):
    for number in range(most):
        yield [number, data.decode()]


def fails_late(_data):
    yield from ({"n": n, "text": "a" * 1000} for n in range(200))
    raise RecordError("set.jsonl:201: damaged")


def endless(_data):
    while True:
        yield "a" * 10_000


def greedy(_data):
    yield len(bytearray(2_000_000_000))
