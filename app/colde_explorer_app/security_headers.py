"""Headers that tell the browser what to allow, and paths that the server does not answer."""

from __future__ import annotations

import json

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:",  # components come as scripts in the page
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "frame-src 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
    ]
)
"""Nothing is loaded from or sent to other servers, and no other page can frame this one."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

HIDDEN_PATHS = ("/_stcore/metrics",)
"""Paths that report how much the server is used."""

BASE_URL_SCRIPT = b"<script>window.__streamlit={BACKEND_BASE_URL:location.origin+%s}</script>"
"""Tells Streamlit's page where its server is. Otherwise a page that is opened by its own address, such as /collection,
looks for the server below that address first, and the browser logs two errors 404."""


class Headers:
    """Adds `HEADERS` to every answer and `BASE_URL_SCRIPT` to the page; answers 404 to `HIDDEN_PATHS`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        asked = dict(scope["headers"])
        if b"text/html" in asked.get(b"accept", b"") and b"accept-encoding" in asked:
            kept = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
            scope = {**scope, "headers": kept}  # the page is changed below, so it must not be compressed
        page_start: Message | None = None  # sent with the body, since its length changes

        async def with_headers(message: Message) -> None:
            nonlocal page_start
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if _is_page(headers, message["status"]):
                    page_start = message
                    return
            elif page_start is not None and message["type"] == "http.response.body":
                start, page_start = page_start, None
                body = message.get("body", b"").replace(b"<head>", b"<head>" + _base_url_script(), 1)
                headers = MutableHeaders(scope=start)
                if "content-length" in headers:
                    more = len(body) - len(message.get("body", b""))
                    headers["content-length"] = str(int(headers["content-length"]) + more)
                await send(start)
                message = {**message, "body": body}
            await send(message)

        hidden = scope["path"].rstrip("/").endswith(HIDDEN_PATHS)
        app = PlainTextResponse("Not found", status_code=404) if hidden else self._app
        await app(scope, receive, with_headers)


def _is_page(headers: MutableHeaders, status: int) -> bool:
    kind = headers.get("content-type", "")
    return status == 200 and kind.startswith("text/html") and "content-encoding" not in headers


def _base_url_script() -> bytes:
    base = str(config.get_option("server.baseUrlPath") or "").strip("/")
    return BASE_URL_SCRIPT % json.dumps(f"/{base}" if base else "").encode()
