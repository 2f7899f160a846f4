"""Access control of the review server: checks of host, origin and token, and security headers."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "synth_review"
HEADER = "x-synth-token"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_LOCAL = ("localhost", "127.0.0.1", "[::1]")


class Guard:
    """ASGI middleware that refuses requests from other sites and from people without the token.

    With an empty `access`, the server answers requests to loopback host names only, so that no other site can pose as
    the server. Otherwise visitors need the token `access`: first in the address (`/?token=…`), later in a cookie.

    Requests that change data must be JSON with the token `csrf` in a header. Only the page itself knows that token.
    """

    def __init__(self, app: App, *, csrf: str, access: str = "") -> None:
        self._app, self._csrf, self._access = app, csrf, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        brought = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if self._access and scope["path"] == "/" and _same(brought, self._access):
            cookie = f"{COOKIE}={self._access}; Path=/; HttpOnly; SameSite=Lax"
            await _answer(send, 303, "", [("location", "/"), ("set-cookie", cookie)])
            return
        refusal = self._refusal(scope["method"], headers)
        if refusal:
            await _answer(send, *refusal)
            return
        await self._app(scope, receive, _with_headers(send))

    def _refusal(self, method: str, headers: MutableMapping[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if self._access:
            if not _same(_cookie(headers.get("cookie", "")), self._access):
                return 401, "The access token is missing or wrong. Open the full address that the server printed."
        elif host.rsplit(":", 1)[0] not in _LOCAL and host not in _LOCAL:
            return 403, "This server can be opened under the name localhost only."
        if method in ("GET", "HEAD"):
            return None
        origin = headers.get("origin", "")
        if origin and origin.partition("://")[2] != host:
            return 403, "Requests from another site are refused."
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return 415, "The request must have the content type application/json."
        if not _same(headers.get(HEADER, ""), self._csrf):
            return 403, "The page is from an earlier run of the server; load it again."
        return None


def is_loopback(host: str) -> bool:
    """Return whether an address to listen on can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _same(presented: str, expected: str) -> bool:
    return hmac.compare_digest(presented.encode("utf-8", "replace"), expected.encode())


def _cookie(header: str) -> str:
    try:
        cookie = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return cookie.value if cookie else ""


async def _answer(send: Send, status: int, text: str, headers: Sequence[tuple[str, str]] = ()) -> None:
    every = [("content-type", "text/plain; charset=utf-8"), *HEADERS.items(), *headers]
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in every]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": text.encode()})


def _with_headers(send: Send) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            more = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in HEADERS.items()]
            message["headers"] = [*message.get("headers", ()), *more]
        await send(message)

    return sending
