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
from colde.serve.responses import json_response

logger = logging.getLogger("colde.serve.requests")

UNLIMITED_PATHS = ("/health", "/ready", "/metrics")
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
        self.active_requests = Gauge("colde_in_hand", "Requests at work or waiting.", registry=self.registry)
        self.restarts = Gauge(
            "colde_worker_restarts", "Worker processes that ended and were replaced.", registry=self.registry
        )


BODY_GRACE_SECONDS = 1.0
"""Seconds in which a part of a body that is under way may come, however late it is."""


class RequestRefused(Exception):
    """The body has more bytes than a request may have, or does not come in the time that one may take."""


class RequestGuard:
    """Middleware: refuses what is too large or too often, and writes one line of JSON a request, without any text."""

    def __init__(self, app: ASGIApp, limits: ServeLimits, metrics: Metrics) -> None:
        self.app = app
        self.limits = limits
        self.metrics = metrics
        self.rate = RateLimit(limits.per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in UNLIMITED_PATHS:
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        client = scope["client"][0] if scope.get("client") else ""
        status, received_bytes, body_complete = 500, 0, False
        response_started = refusing = False
        error_response: Response | None = None

        async def limited_receive() -> Message:
            nonlocal received_bytes, body_complete, error_response
            left = (
                None
                if body_complete
                else max(BODY_GRACE_SECONDS, self.limits.seconds - (time.perf_counter() - started))
            )
            try:
                message = await asyncio.wait_for(receive(), left)
            except TimeoutError:
                error_response = self._too_slow()
                raise RequestRefused from None
            received_bytes += len(message.get("body", b""))
            body_complete = not message.get("more_body", False)
            if received_bytes > self.limits.body:
                error_response = self._too_large()
                raise RequestRefused
            return message

        async def recorded_send(message: Message) -> None:
            nonlocal status, response_started
            if error_response is not None and not response_started and not refusing:
                return  # what the app makes of half a body is not the answer
            if message["type"] == "http.response.start":
                status, response_started = message["status"], True
            await send(message)

        try:
            refused = self._rejection(scope, client)
            if refused is not None:
                await refused(scope, receive, recorded_send)
                return
            with suppress(RequestRefused):
                await self.app(scope, limited_receive, recorded_send)
            if error_response is not None and not response_started:
                refusing = True
                await error_response(scope, receive, recorded_send)
        finally:
            seconds = time.perf_counter() - started
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
            logger.info(json.dumps({**line, "bytes": received_bytes, "seconds": round(seconds, 3)}))

    def _rejection(self, scope: Scope, client: str) -> Response | None:
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if length.isdigit() and int(length) > self.limits.body:
            return self._too_large()
        seconds = self.rate.wait(client)
        if seconds:
            message = f"more than {self.limits.per_minute} requests in a minute: wait {seconds:.0f} seconds"
            text = json.dumps({"error": {"reason": "busy", "message": message}})
            return json_response(text, 429, {"Retry-After": str(int(seconds) + 1)})
        return None

    def _too_slow(self) -> Response:
        message = (
            f"the request did not come whole in {self.limits.seconds:g} seconds, which is the limit here"
        )
        text = json.dumps({"error": {"reason": None, "message": message}})
        return json_response(text, 408, {"Connection": "close"})

    def _too_large(self) -> Response:
        message = f"more than {self.limits.body:,} bytes, which is the limit here"
        return json_response(json.dumps({"error": {"reason": "too_large", "message": message}}), 413)
