"""Requests of web pages elsewhere: their host and origin are checked, so that a page in a browser cannot use a server.

A browser names the page that a request comes from (`Origin`, `Sec-Fetch-Site`); other programs name none and are let
through. A page elsewhere can give its own name the address of this machine, so a name counts as ours only where it is
known (`is_loopback`), allowed, or an address, to which no name leads.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

Refuse = Callable[[int, str], Response]

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing and start no work."""


def is_loopback(host: str) -> bool:
    """Whether a name or an address is one of this machine: `localhost`, `127.0.0.0/8`, `::1`, `::ffff:127.0.0.1`."""
    name = host.strip("[]").rstrip(".").lower()
    return name == "localhost" or name.endswith(".localhost") or _is_address(name, loopback=True)


def _is_address(name: str, *, loopback: bool = False) -> bool:
    try:
        address = ip_address(name.strip("[]").partition("%")[0])
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return not loopback or (mapped or address).is_loopback


class CrossSiteGuard:
    """Middleware: answers 403 to requests of pages of another origin, and 400 to foreign names.

    Args:
        refuse: makes an answer of a status and a message.
        local: whether the server is for this machine alone and answers to its names only (`is_loopback`).
        origins: pages that may send requests, as `https://notes.example`.
        reads: whether requests that only read are checked, too; a link to the server may always be followed.
    """

    def __init__(
        self,
        app: ASGIApp,
        refuse: Refuse,
        *,
        local: bool = True,
        origins: Collection[str] = (),
        reads: bool = True,
    ) -> None:
        self.app = app
        self.refuse = refuse
        self.local = local
        self.origins = frozenset(origin.rstrip("/").lower() for origin in origins)
        self.reads = reads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._refusal(scope) if scope["type"] in ("http", "websocket") else None
        if refused is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(1008)
        else:
            await refused(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self.local and not is_loopback(_name_of(host)):
            return self.refuse(400, "this server answers to the names of this machine only")
        reading = scope["type"] == "http" and scope["method"] in SAFE_METHODS
        if reading and (not self.reads or headers.get("sec-fetch-mode") == "navigate"):
            return None
        origins = headers.getlist("origin")
        if all(self._is_allowed(origin, host) for origin in origins):
            site = headers.get("sec-fetch-site", "none")
            if site in ("same-origin", "none") or any(o.lower() in self.origins for o in origins):
                return None
        return self.refuse(403, "requests of web pages of another origin are refused")

    def _is_allowed(self, origin: str, host: str) -> bool:
        if origin.lower() in self.origins:
            return True
        name = _name_of(host)
        return _place_of(origin) == _place_of(f"//{host}") and (is_loopback(name) or _is_address(name))


def _name_of(host: str) -> str:
    """The name in a `Host` header, without the port."""
    place = _place_of(f"//{host}")
    return place[0] if place else ""


def _place_of(url: str) -> tuple[str, int | None] | None:
    """Name and port of a URL, without the port that its scheme implies; None for what has none, such as `null`."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if not parts.hostname or parts.username is not None:
        return None
    implied = {"http": 80, "https": 443, "ws": 80, "wss": 443}.get(parts.scheme, 80)
    return parts.hostname.lower(), None if port == implied else port
