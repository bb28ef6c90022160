"""What stands before every request: its size, its client's rate, its line in the log, its count."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from contextlib import suppress
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from colde.serve.rate_limits import RateLimit, ServeLimits
from colde.serve.responses import json_answer

logger = logging.getLogger("colde.serve.requests")

FREE = ("/health", "/ready", "/metrics")
"""Paths that are neither limited nor logged."""


class Metrics:
    """Counts and times of requests, for Prometheus."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ["path", "status"]
        self.requests = Counter(
            "colde_requests", "Requests by path and status.", labels, registry=self.registry
        )
        self.seconds = Histogram(
            "colde_request_seconds",
            "Seconds of a request by path.",
            ["path"],
            buckets=(0.1, 0.3, 1, 3, 10, 30, 100, 300),
            registry=self.registry,
        )
        self.in_hand = Gauge("colde_in_hand", "Requests at work or waiting.", registry=self.registry)
        self.restarts = Gauge(
            "colde_worker_restarts", "Worker processes that ended and were replaced.", registry=self.registry
        )


_GRACE = 1.0
"""Seconds in which a part of a body that is under way may come, however late it is."""


class Refused(Exception):
    """The body has more bytes than a request may have, or does not come in the time that one may take."""


class Guard:
    """Middleware: refuses what is too large or too often, and writes one line of JSON a request, without any text."""

    def __init__(self, app: ASGIApp, limits: ServeLimits, metrics: Metrics) -> None:
        self.app = app
        self.limits = limits
        self.metrics = metrics
        self.rate = RateLimit(limits.a_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in FREE:
            await self.app(scope, receive, send)
            return
        begun = time.perf_counter()
        client = scope["client"][0] if scope.get("client") else ""
        status, taken, whole = 500, 0, False
        begun_to_answer = refusing = False
        refusal: Response | None = None

        async def counted() -> Message:
            nonlocal taken, whole, refusal
            left = None if whole else max(_GRACE, self.limits.seconds - (time.perf_counter() - begun))
            try:
                message = await asyncio.wait_for(receive(), left)
            except TimeoutError:
                refusal = self._too_slow()
                raise Refused from None
            taken += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if taken > self.limits.body:
                refusal = self._too_large()
                raise Refused
            return message

        async def noted(message: Message) -> None:
            nonlocal status, begun_to_answer
            if refusal is not None and not begun_to_answer and not refusing:
                return  # what the app makes of half a body is not the answer
            if message["type"] == "http.response.start":
                status, begun_to_answer = message["status"], True
            await send(message)

        try:
            refused = self._refuse(scope, client)
            if refused is not None:
                await refused(scope, receive, noted)
                return
            with suppress(Refused):
                await self.app(scope, counted, noted)
            if refusal is not None and not begun_to_answer:
                refusing = True
                await refusal(scope, receive, noted)
        finally:
            seconds = time.perf_counter() - begun
            route = scope.get("route")
            path = getattr(route, "path", "other")
            self.metrics.requests.labels(path, str(status)).inc()
            self.metrics.seconds.labels(path).observe(seconds)
            line: dict[str, Any] = {
                "method": scope["method"],
                "path": path,
                "status": status,
                "client": client,
            }
            logger.info(json.dumps({**line, "bytes": taken, "seconds": round(seconds, 3)}))

    def _refuse(self, scope: Scope, client: str) -> Response | None:
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if length.isdigit() and int(length) > self.limits.body:
            return self._too_large()
        seconds = self.rate.wait(client)
        if seconds:
            message = f"more than {self.limits.a_minute} requests in a minute: wait {seconds:.0f} seconds"
            text = json.dumps({"error": {"reason": "busy", "message": message}})
            return json_answer(text, 429, {"Retry-After": str(int(seconds) + 1)})
        return None

    def _too_slow(self) -> Response:
        message = (
            f"the request did not come whole in {self.limits.seconds:g} seconds, which is the limit here"
        )
        text = json.dumps({"error": {"reason": None, "message": message}})
        return json_answer(text, 408, {"Connection": "close"})

    def _too_large(self) -> Response:
        message = f"more than {self.limits.body:,} bytes, which is the limit here"
        return json_answer(json.dumps({"error": {"reason": "too_large", "message": message}}), 413)
