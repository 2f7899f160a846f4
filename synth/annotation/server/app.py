"""HTTP application of the review page: static files and the requests of the page."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from synth.annotation.context import ROOM
from synth.annotation.decisions import Overtaken
from synth.annotation.guideline import guideline
from synth.annotation.messages import wording
from synth.annotation.records import BEST, DIMENSIONS, REASONS
from synth.annotation.server.guard import Guard, is_loopback
from synth.annotation.server.review_queue import NoSuchRow, ReviewQueue, RowFull
from synth.core.errors import ConfigError, InputError, RecordError
from synth.core.extras import optional
from synth.text.language import LANGUAGES

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_PARTS = {
    "/": ("page.html", "text/html"),
    "/page.js": ("page.js", "text/javascript"),
    "/page.css": ("page.css", "text/css"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}
_MAX_BYTES = 1_000_000
_REQUEST_S = 30.0  # for a whole request to arrive
_ANYWHERE = ("0.0.0.0", "::", "[::]")

Action = Callable[[ReviewQueue, str, Mapping[str, Any]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Listening:
    """A server bound to its port but not yet serving; `url` is the address to open."""

    url: str
    bound: socket.socket
    server: Any

    def serve(self) -> None:
        """Answer requests until interrupted, or stopped from another thread."""
        self.server.run(sockets=[self.bound])

    def stop(self) -> None:
        """End `serve` after pending requests."""
        self.server.should_exit = True


def listen(queue: ReviewQueue, host: str, port: int) -> Listening:
    """Bind a review to an address. Raises ConfigError when the address is not available."""
    with optional("the review page"):
        import starlette  # noqa: F401
        import uvicorn

    access = "" if is_loopback(host) else secrets.token_urlsafe(24)
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        bound = socket.create_server((host.strip("[]"), port), family=family, backlog=128)
    except (OSError, OverflowError) as error:
        raise ConfigError(f"cannot listen on {host} port {port}: {error}; choose others with --host, --port") from error
    named = socket.gethostname() if host in _ANYWHERE else host
    shown = f"[{named}]" if ":" in named and not named.startswith("[") else named
    url = f"http://{shown}:{bound.getsockname()[1]}/" + (f"?token={access}" if access else "")
    settings = uvicorn.Config(
        application(queue, access=access),
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=2,
        http=_protocol(),
        ws="none",
    )
    return Listening(url, bound, uvicorn.Server(settings))


def _protocol() -> Any:
    """HTTP/1.1 that closes connections on which no whole request arrives, or whose answer nobody reads."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Impatient(H11Protocol):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._watch = self.loop.call_later(_REQUEST_S, self._close_stalled)

        def on_response_complete(self) -> None:
            self._watch.cancel()
            self._watch = self.loop.call_later(_REQUEST_S, self._close_stalled)
            super().on_response_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            self._watch.cancel()
            super().connection_lost(exc)

        def _close_stalled(self) -> None:
            request_begun: Any = self.cycle
            is_answering = request_begun is not None and not request_begun.response_complete
            if is_answering and not self.flow.write_paused:
                # The answer takes its time, or `_endpoint` waits for the rest of the request.
                self._watch = self.loop.call_later(_REQUEST_S, self._close_stalled)
            else:
                self.transport.abort()

    return Impatient


def application(queue: ReviewQueue, *, access: str = "") -> Guard:
    """The review as an ASGI application; a non-empty `access` is the token that visitors need."""
    from starlette.applications import Starlette
    from starlette.routing import Route

    csrf = secrets.token_urlsafe(24)
    routes = [Route(path, _part(*named), methods=["GET"]) for path, named in _PARTS.items()]
    routes.append(Route("/setting", _setting(queue, csrf), methods=["GET"]))
    routes += [Route(f"/{name}", _endpoint(queue, action), methods=["POST"]) for name, action in _ACTIONS.items()]
    return Guard(Starlette(routes=routes), csrf=csrf, access=access)


def _part(name: str, kind: str) -> Callable[[Request], Response]:
    from starlette.responses import Response

    content = files("synth.annotation.server").joinpath(name).read_bytes()
    return lambda request: Response(content, media_type=kind)


def _setting(queue: ReviewQueue, csrf: str) -> Callable[[Request], Response]:
    """The data that the page loads once: its token, the texts of every language, the choices."""

    def answer(request: Request) -> Response:
        task = queue.task
        return _json(
            {
                "token": csrf,
                "set": task.name,
                "language": task.language,
                "words": {name: wording(name) for name in LANGUAGES},
                "dimensions": DIMENSIONS,
                "best": BEST,
                "reasons": list(REASONS),
                "settle": task.adjudicate,
                "annotators": task.annotators,
                "room": ROOM,
            }
        )

    return answer


def _endpoint(queue: ReviewQueue, action: Action) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        body = b""
        try:
            async with asyncio.timeout(_REQUEST_S):
                async for piece in request.stream():
                    body += piece
                    if len(body) > _MAX_BYTES:
                        return _json({"error": f"more than {_MAX_BYTES} bytes"}, 413)
        except TimeoutError:
            return _json({"error": f"the request did not arrive within {_REQUEST_S:g} s"}, 408)
        return await run_in_threadpool(_acted, queue, action, body)

    return answer


def _acted(queue: ReviewQueue, action: Action, body: bytes) -> Response:
    try:
        given = json.loads(body)
        if not isinstance(given, dict):
            raise RecordError("the request must be an object")
        return _json(action(queue, queue.checked_name(given.get("annotator")), given))
    except (ValueError, RecursionError):
        return _json({"error": "the request is not JSON"}, 400)
    except RecordError as error:
        return _json({"error": str(error).removeprefix("the page: ")}, 400)
    except RowFull as error:
        return _json({"error": str(error)}, 409)
    except NoSuchRow as error:
        return _json({"error": str(error)}, 404)
    except InputError as error:
        return _json({"error": str(error)}, 503)
    except Overtaken as error:
        annotation = error.current.annotation
        return _json({"overtaken": queue.open(annotation.annotator, annotation.sample_id)}, 409)


def _json(value: Any, status: int = 200) -> Response:
    from starlette.responses import Response

    return Response(json.dumps(value).encode(), status, media_type="application/json")


def _next(queue: ReviewQueue, who: str, given: Mapping[str, Any]) -> dict[str, Any]:
    return {"row": queue.next(who), "progress": queue.progress(who)}


def _row(queue: ReviewQueue, who: str, given: Mapping[str, Any]) -> dict[str, Any]:
    room = given.get("room")
    return {"row": queue.open(who, str(given.get("id")), room if isinstance(room, int) else None)}


def _decide(queue: ReviewQueue, who: str, given: Mapping[str, Any]) -> dict[str, Any]:
    return {"kept": queue.decide(who, given), **_next(queue, who, given)}


def _undo(queue: ReviewQueue, who: str, given: Mapping[str, Any]) -> dict[str, Any]:
    taken = queue.undo(who)
    return {"undone": taken, "row": queue.open(who, taken["id"]) if taken else None, "progress": queue.progress(who)}


def _rows(queue: ReviewQueue, who: str, given: Mapping[str, Any]) -> dict[str, Any]:
    return {"rows": queue.rows(who)}


def _guideline(queue: ReviewQueue, who: str, given: Mapping[str, Any]) -> dict[str, Any]:
    language = given.get("language")
    blocks = guideline(queue.task.rows, language if language in LANGUAGES else "en")
    return {"blocks": [asdict(block) for block in blocks]}


_ACTIONS: Mapping[str, Action] = {
    "next": _next,
    "row": _row,
    "decide": _decide,
    "undo": _undo,
    "rows": _rows,
    "guideline": _guideline,
}
