"""HTTP application of the review page and of the browse page."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from synth.annotation.browsing import SetBrowser
from synth.annotation.context import ROOM
from synth.annotation.decisions import Overtaken
from synth.annotation.guideline import guideline
from synth.annotation.messages import wording
from synth.annotation.page_pictures import PagePictures
from synth.annotation.records import BEST, DIMENSIONS, REASONS, whole
from synth.annotation.server.guard import Guard, is_loopback
from synth.annotation.server.review_queue import NoSuchRow, ReviewQueue, RowFull
from synth.core.errors import ConfigError, InputError, RecordError
from synth.core.extras import optional
from synth.text.language import LANGUAGES

if TYPE_CHECKING:
    from jinja2 import Environment
    from starlette.requests import Request
    from starlette.responses import Response

_PARTS = {
    "common.js": "text/javascript",
    "desk.js": "text/javascript",
    "page.css": "text/css",
    "icon.svg": "image/svg+xml",
}
"""Files that both pages load, with their media types."""
_MAX_BYTES = 1_000_000
_REQUEST_S = 30.0  # for a whole request to arrive
_ANYWHERE = ("0.0.0.0", "::", "[::]")

Action = Callable[[Mapping[str, Any]], dict[str, Any]]
"""Function that handles one kind of request of a page: it takes the values of the request and returns the reply."""
RowContent = Callable[[str, str], dict[str, Any]]
"""Function that returns the content of a row to display, given the name of the person and the row id."""


@dataclass(frozen=True, slots=True)
class Listening:
    """A server that is bound to its port but does not serve yet. `url` is the address to open."""

    url: str
    bound: socket.socket
    server: Any

    def serve(self) -> None:
        """Answer requests until interrupted, or until another thread calls `stop`."""
        self.server.run(sockets=[self.bound])

    def stop(self) -> None:
        """Stop the server after it has answered pending requests."""
        self.server.should_exit = True


def listen(queue: ReviewQueue, host: str, port: int) -> Listening:
    """Bind the review page to an address. Raises ConfigError if the address is not available."""
    return _listen(lambda access: application(queue, access=access), host, port)


def listen_to_view(browser: SetBrowser, pictures: PagePictures, host: str, port: int) -> Listening:
    """Bind the browse page to an address. Raises ConfigError if the address is not available."""
    return _listen(lambda access: view_application(browser, pictures, access=access), host, port)


def _listen(made: Callable[[str], Guard], host: str, port: int) -> Listening:
    """Bind an application to an address. `made` builds the application from an access token.

    The token is "" on a loopback address, where visitors need none.
    """
    with optional("the review page"):
        import starlette  # noqa: F401
        import uvicorn

    access = "" if is_loopback(host) else secrets.token_urlsafe(24)
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        bound = socket.create_server((host.strip("[]"), port), family=family, backlog=128)
    except (OSError, OverflowError) as error:
        raise ConfigError(
            f"cannot listen on {host} port {port}: {error}; set other values with --host and --port"
        ) from error
    named = socket.gethostname() if host in _ANYWHERE else host
    shown = f"[{named}]" if ":" in named and not named.startswith("[") else named
    url = f"http://{shown}:{bound.getsockname()[1]}/" + (f"?token={access}" if access else "")
    settings = uvicorn.Config(
        made(access),
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
    """Return an HTTP/1.1 protocol that closes stalled connections.

    A connection is stalled if no complete request arrives in time, or if the client does not read the response.
    """
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
                # The application is still computing the response, or `_endpoint` waits for the rest of the request.
                self._watch = self.loop.call_later(_REQUEST_S, self._close_stalled)
            else:
                self.transport.abort()

    return Impatient


def application(queue: ReviewQueue, *, access: str = "") -> Guard:
    """Return the review page as an ASGI application. Visitors need the token `access` unless it is ""."""
    return _guarded("review", queue, review_actions(queue), queue.open, access)


def view_application(browser: SetBrowser, pictures: PagePictures, *, access: str = "") -> Guard:
    """Return the browse page as an ASGI application. Visitors need the token `access` unless it is ""."""
    return _guarded("view", browser.queue, view_actions(browser, pictures), browser.row, access)


def view_actions(browser: SetBrowser, pictures: PagePictures) -> dict[str, Action]:
    """Return the request handlers of the browse page by name."""
    queue = browser.queue
    return {
        "contents": lambda given: browser.contents(),
        "find": lambda given: {"found": browser.find(str(given.get("text", "")))},
        "row": lambda given: {"row": browser.row(_name(queue, given), str(given.get("id")), _room(given))},
        "pictures": lambda given: {"pictures": pictures.of(browser.sample(str(given.get("id"))))},
        "name": _named(queue, lambda queue, who, given: {"annotator": who}),
        "decide": _named(queue, partial(_decide_in_view, browser)),
        "undo": _named(queue, partial(_undo_in_view, browser)),
    }


def _guarded(page: str, queue: ReviewQueue, actions: Mapping[str, Action], shown: RowContent, access: str) -> Guard:
    """Return the application of a page: its template, its scripts and its request handlers.

    `shown` returns the current content of a row if the person has meanwhile decided it in another window.
    """
    from starlette.applications import Starlette
    from starlette.routing import Route

    csrf = secrets.token_urlsafe(24)
    html = _templates().get_template(f"{page}.html").render(set=whole(queue.task.name))
    routes = [Route("/", _part(html.encode(), "text/html"), methods=["GET"])]
    parts = {**_PARTS, f"{page}.js": "text/javascript"}
    routes += [Route(f"/{name}", _part(_file(name).encode(), kind), methods=["GET"]) for name, kind in parts.items()]
    routes.append(Route("/setting", _setting(queue, csrf), methods=["GET"]))
    routes += [Route(f"/{name}", _endpoint(action, shown), methods=["POST"]) for name, action in actions.items()]
    return Guard(Starlette(routes=routes), csrf=csrf, access=access)


def _file(name: str) -> str:
    return files("synth.annotation.server").joinpath(name).read_text(encoding="utf-8")


def _templates() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(loader=FunctionLoader(_file), autoescape=True, undefined=StrictUndefined)


def _part(content: bytes, kind: str) -> Callable[[Request], Response]:
    from starlette.responses import Response

    return lambda request: Response(content, media_type=kind)


def _setting(queue: ReviewQueue, csrf: str) -> Callable[[Request], Response]:
    """Return the handler for the data that a page loads once: token, texts in every language, choices."""

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


def _endpoint(action: Action, shown: RowContent) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        body = b""
        try:
            async with asyncio.timeout(_REQUEST_S):
                async for piece in request.stream():
                    body += piece
                    if len(body) > _MAX_BYTES:
                        return _json({"error": f"the request exceeds {_MAX_BYTES} bytes; shorten the texts"}, 413)
        except TimeoutError:
            return _json({"error": f"the request did not arrive within {_REQUEST_S:g} s; try again"}, 408)
        return await run_in_threadpool(_acted, action, shown, body)

    return answer


def _acted(action: Action, shown: RowContent, body: bytes) -> Response:
    try:
        given = json.loads(body)
        if not isinstance(given, dict):
            raise RecordError("the request must be an object")
        return _json(action(given))
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
        return _json({"overtaken": shown(annotation.annotator, annotation.sample_id)}, 409)


def _json(value: Any, status: int = 200) -> Response:
    from starlette.responses import Response

    return Response(json.dumps(value).encode(), status, media_type="application/json")


def _named(queue: ReviewQueue, act: Callable[[ReviewQueue, str, Mapping[str, Any]], dict[str, Any]]) -> Action:
    """Return a handler that checks the person's name before it calls `act`."""
    return lambda given: act(queue, queue.checked_name(given.get("annotator")), given)


def _name(queue: ReviewQueue, given: Mapping[str, Any]) -> str:
    """Return the name of the person at the page, "" if they have not entered one yet."""
    return queue.checked_name(given["annotator"]) if given.get("annotator") else ""


def _room(given: Mapping[str, Any]) -> int | None:
    room = given.get("room")
    return room if isinstance(room, int) else None


def _next(queue: ReviewQueue, who: str, given: Mapping[str, Any]) -> dict[str, Any]:
    return {"row": queue.next(who), "progress": queue.progress(who)}


def _row(queue: ReviewQueue, who: str, given: Mapping[str, Any]) -> dict[str, Any]:
    return {"row": queue.open(who, str(given.get("id")), _room(given))}


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


def review_actions(queue: ReviewQueue) -> dict[str, Action]:
    """Return the request handlers of the review page by name."""
    actions = {
        "next": _next,
        "row": _row,
        "decide": _decide,
        "undo": _undo,
        "rows": _rows,
        "guideline": _guideline,
    }
    return {name: _named(queue, act) for name, act in actions.items()}


def _decide_in_view(browser: SetBrowser, queue: ReviewQueue, who: str, given: Mapping[str, Any]) -> dict[str, Any]:
    return {"kept": queue.decide(who, given), "row": browser.row(who, str(given["id"]))}


def _undo_in_view(browser: SetBrowser, queue: ReviewQueue, who: str, given: Mapping[str, Any]) -> dict[str, Any]:
    taken = queue.undo(who)
    return {"undone": taken, "row": browser.row(who, taken["id"]) if taken else None}
