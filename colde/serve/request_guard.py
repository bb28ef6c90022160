"""Checks of every request (its size, how fast it comes, its client's rate), its line in the log, and its metrics."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from contextlib import suppress

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from colde.serve.body_budget import BodyBudget, HeldBody
from colde.serve.rate_limits import RateLimit, ServeLimits
from colde.serve.responses import refusal

logger = logging.getLogger("colde.serve.requests")

BODY = "held_body"
"""Key of a request's `HeldBody` in its state."""

UNLIMITED_PATHS = ("/health", "/ready", "/metrics")
"""Paths that are neither limited nor logged."""


class Metrics:
    """Counts and times of requests, for Prometheus."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        by_path, buckets = ["path"], (0.1, 0.3, 1, 3, 10, 30, 100, 300)
        self.requests = Counter(
            "colde_requests", "Requests by path and status.", ["path", "status"], registry=registry
        )
        self.seconds = Histogram(
            "colde_request_seconds",
            "Seconds of a request by path.",
            by_path,
            buckets=buckets,
            registry=registry,
        )
        self.active_requests = Gauge("colde_in_hand", "Requests at work or waiting.", registry=registry)
        self.restarts = Gauge(
            "colde_worker_restarts", "Worker processes that ended and were replaced.", registry=registry
        )


class RequestRefused(Exception):
    """The body has more bytes than a request may have, or does not come in the time that one may take."""


class RequestGuard:
    """Middleware: refuses what is too large or too often, and writes one line of JSON a request, without any text."""

    def __init__(self, app: ASGIApp, limits: ServeLimits, metrics: Metrics, budget: BodyBudget) -> None:
        self.app = app
        self.limits = limits
        self.metrics = metrics
        self.rate = RateLimit(limits.per_minute)
        self.budget = budget

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in UNLIMITED_PATHS:
            await self.app(scope, receive, send)
            return
        client = scope["client"][0] if scope.get("client") else ""
        held = HeldBody(self.budget)
        scope["state"] = {**scope.get("state", {}), BODY: held}
        exchange = _Exchange(self.limits, held, receive, send)
        try:
            refused = self._rejection(scope, client)
            if refused is not None:
                await refused(scope, receive, exchange.send)
                return
            with suppress(RequestRefused):
                await self.app(scope, exchange.receive, exchange.send)
            await exchange.refuse(scope)
        finally:
            held.let_go()
            self._note(scope, client, exchange)

    def _rejection(self, scope: Scope, client: str) -> Response | None:
        length = dict(scope["headers"]).get(b"content-length", b"0")
        announced = int(length) if length.isdigit() and len(length) < 20 else 0
        if announced > self.limits.body:
            return _too_large(self.limits)
        if not self.budget.fits(announced):
            return _no_room()
        seconds = self.rate.wait(client)
        if seconds:
            message = f"more than {self.limits.per_minute} requests in a minute: wait {seconds:.0f} seconds"
            return refusal(429, message, "busy", {"Retry-After": str(int(seconds) + 1)})
        return None

    def _note(self, scope: Scope, client: str, exchange: _Exchange) -> None:
        path = getattr(scope.get("route"), "path", "other")
        seconds = exchange.seconds()
        self.metrics.requests.labels(path, str(exchange.status)).inc()
        self.metrics.seconds.labels(path).observe(seconds)
        line = {"method": scope["method"], "path": path, "status": exchange.status, "client": client}
        logger.info(json.dumps({**line, "bytes": exchange.bytes, "seconds": round(seconds, 3)}))


class _Exchange:
    """The messages of one request and its answer: its status, and the bytes of the body that were received."""

    def __init__(self, limits: ServeLimits, held: HeldBody, receive: Receive, send: Send) -> None:
        self.limits, self._held, self._receive, self._send = limits, held, receive, send
        self.status, self.bytes = 500, 0
        self._begun = time.perf_counter()
        self._body_complete = self._response_started = False
        self._refusal: Response | None = None

    def seconds(self) -> float:
        """Since the request began."""
        return time.perf_counter() - self._begun

    async def receive(self) -> Message:
        """The next message; raises `RequestRefused` for a body that is too large or too late, or finds no room."""
        if self._refusal is not None:
            raise RequestRefused
        left = None if self._body_complete else max(0.0, self.limits.body_seconds - self.seconds())
        try:
            message = await asyncio.wait_for(self._receive(), left)
        except TimeoutError:
            self._refusal = _too_slow(self.limits)
            raise RequestRefused from None
        self.bytes += len(message.get("body", b""))
        self._body_complete = not message.get("more_body", False)
        if self.bytes > self.limits.body:
            self._refusal = _too_large(self.limits)
            raise RequestRefused
        if not self._held.add(len(message.get("body", b""))):
            self._refusal = _no_room()
            raise RequestRefused
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the answer, but for one that the app makes of half a body."""
        if self._refusal is not None and not self._response_started:
            return
        if message["type"] == "http.response.start":
            self.status, self._response_started = message["status"], True
        await self._send(message)

    async def refuse(self, scope: Scope) -> None:
        """Answer a request whose body was refused, unless the answer has begun."""
        refused, self._refusal = self._refusal, None
        if refused is not None and not self._response_started:
            await refused(scope, self._receive, self.send)


_CLOSE = {"Connection": "close"}  # the rest of the body is not read


def _too_slow(limits: ServeLimits) -> Response:
    message = f"the request did not arrive completely within {limits.body_seconds:g} seconds, the limit here"
    return refusal(408, message, headers=_CLOSE)


def _too_large(limits: ServeLimits) -> Response:
    return refusal(413, f"more than {limits.body:,} bytes, which is the limit here", "too_large", _CLOSE)


def _no_room() -> Response:
    message = (
        "the requests that are being processed take all memory that requests may have: try again in a moment"
    )
    return refusal(503, message, "busy", {"Retry-After": "5", **_CLOSE})
