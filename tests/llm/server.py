"""A small OpenAI-compatible server on loopback that answers, or misbehaves, as it is told."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """A chat completion."""

    text: str | None
    finish: str = "stop"
    refusal: str | None = None
    usage: bool = True


@dataclass(frozen=True)
class Status:
    """An error status with an API error, or with a body of its own."""

    code: int
    message: str = "it went wrong"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    error_code: str | None = None


@dataclass(frozen=True)
class Body:
    """A status of 200 with anything but a completion."""

    text: str
    content_type: str = "text/html"


@dataclass(frozen=True)
class Misdeed:
    """ "reset": the connection is cut; "hang": no byte ever comes; "drip": bytes come, but never the last."""

    kind: str


Act = Reply | Status | Body | Misdeed | str
Behaviour = Callable[[dict[str, Any], int], Act]


class ChatServer:
    """Serves chat completions and embeddings; `behave(body, number)` says what comes of the request `number` (from 0)."""

    def __init__(self, behave: Behaviour | Act) -> None:
        self.behave: Behaviour = behave if callable(behave) else lambda _body, _number: behave
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self.in_flight = 0
        self.most_in_flight = 0
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._http.daemon_threads = True
        self._http.block_on_close = False
        self._http.handle_error = lambda *_: None  # type: ignore[method-assign]  # clients that hang up are no news
        self._http.chat = self  # type: ignore[attr-defined]
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def close(self) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        chat: ChatServer = self.server.chat  # type: ignore[attr-defined]
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with chat.lock:
            number = len(chat.bodies)
            chat.bodies.append(body)
            chat.headers.append({name.lower(): value for name, value in self.headers.items()})
            chat.in_flight += 1
            chat.most_in_flight = max(chat.most_in_flight, chat.in_flight)
        try:
            act = (
                Status(404, "no such path")
                if not self.path.partition("?")[0].endswith(("/v1/chat/completions", "/v1/embeddings"))
                else chat.behave(body, number)
            )
            self._do(act, body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            with chat.lock:
                chat.in_flight -= 1

    def _do(self, act: Act, body: dict[str, Any]) -> None:
        if isinstance(act, str):
            act = Reply(act)
        if isinstance(act, Reply):
            self._send(200, json.dumps(_completion(act, body)), "application/json", {})
        elif isinstance(act, Status):
            error = {"error": {"message": act.message, "type": "error", "code": act.error_code}}
            kind = "application/json" if act.body is None else "text/html"
            self._send(act.code, json.dumps(error) if act.body is None else act.body, kind, act.headers)
        elif isinstance(act, Body):
            self._send(200, act.text, act.content_type, {})
        else:
            self._misbehave(act.kind)

    def _send(self, status: int, text: str, kind: str, headers: Mapping[str, str]) -> None:
        data = text.encode()
        self.send_response_only(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _misbehave(self, kind: str) -> None:
        chat: ChatServer = self.server.chat  # type: ignore[attr-defined]
        self.close_connection = True
        if kind == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        elif kind == "hang":
            chat.stopping.wait(10)
        elif kind == "drip":
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", "100000")
            self.end_headers()
            while not chat.stopping.wait(0.02):
                self.wfile.write(b" ")
                self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        pass


def _completion(reply: Reply, body: dict[str, Any]) -> dict[str, Any]:
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [
            {
                "index": 0,
                "finish_reason": reply.finish,
                "message": {"role": "assistant", "content": reply.text, "refusal": reply.refusal},
            }
        ],
        **({"usage": usage} if reply.usage else {}),
    }
