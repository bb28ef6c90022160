"""Which names are of this machine, and which origins may send requests to a server, also over a websocket."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from colde.serve.cross_site import CrossSiteGuard, is_loopback


@pytest.mark.parametrize(
    "name",
    ["localhost", "LOCALHOST", "localhost.", "app.localhost", "127.0.0.1", "127.0.0.2", "127.255.255.254", "::1",
     "[::1]", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "[::ffff:7f00:1]"],
)  # fmt: skip
def test_names_of_this_machine(name: str) -> None:
    assert is_loopback(name)


@pytest.mark.parametrize(
    "name",
    ["", "0.0.0.0", "::", "192.168.0.1", "128.0.0.1", "evil.example", "localhost.evil.example",
     "127.0.0.1.evil.example", "notlocalhost", "::ffff:10.0.0.1", "127.1", "0x7f000001"],
)  # fmt: skip
def test_other_names(name: str) -> None:
    assert not is_loopback(name)


async def _open(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
    else:
        await PlainTextResponse("done")(scope, receive, send)


def answer(
    kind: str, host: str, method: str = "POST", guard: dict[str, Any] | None = None, **headers: str
) -> int:
    """The status of an answer; of a websocket 101, or the code with which it is closed."""
    sent: list[dict[str, Any]] = []
    named = {"host": host, **{name.replace("_", "-"): value for name, value in headers.items()}}
    scope = {
        "type": kind, "method": method, "path": "/x", "query_string": b"", "scheme": "http",
        "headers": [(name.encode(), value.encode()) for name, value in named.items()],
    }  # fmt: skip

    async def receive() -> dict[str, Any]:
        return {"type": "http.request" if kind == "http" else "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    app = CrossSiteGuard(_open, lambda status, text: PlainTextResponse(text, status), **(guard or {}))
    asyncio.run(app(scope, receive, send))
    first = sent[0]
    return 101 if first["type"] == "websocket.accept" else int(first.get("status") or first["code"])


@pytest.mark.parametrize(
    "host", ["localhost:8501", "127.0.0.1:8501", "[::1]:8501", "127.0.0.2:8501", "localhost"]
)
def test_a_page_of_the_server_itself_is_let_through(host: str) -> None:
    origin = f"http://{host}"
    assert answer("http", host, origin=origin, sec_fetch_site="same-origin") == 200
    assert answer("websocket", host, origin=origin) == 101
    assert answer("http", host) == 200, "a program"
    assert answer("websocket", host) == 101


@pytest.mark.parametrize(
    "origin",
    ["http://127.0.0.1:8502", "http://127.0.0.1", "http://localhost:8501", "http://evil.example:8501", "null", "", "file://",
     "http://127.0.0.1:8501@evil.example", "http://[::1]:8501", "http://127.0.0.1:99999", "http://[bad"],
)  # fmt: skip
def test_any_other_origin_is_refused(origin: str) -> None:
    host = "127.0.0.1:8501"
    assert answer("websocket", host, origin=origin) == 1008
    assert answer("http", host, origin=origin) == 403
    assert answer("http", host, "GET", origin=origin) == 403
    assert answer("http", host, "GET", {"reads": False}, origin=origin) == 200


def test_a_foreign_name_is_refused_and_on_other_addresses_a_name_is_no_origin_of_ours() -> None:
    assert answer("http", "evil.example:8501") == 400
    assert answer("websocket", "evil.example:8501", origin="http://evil.example:8501") == 1008
    anywhere = {"local": False}
    assert answer("http", "colde.example", guard=anywhere) == 200, "a program"
    assert answer("http", "colde.example", guard=anywhere, origin="https://colde.example") == 403, (
        "a name may lie"
    )
    assert answer("http", "192.168.0.7:8600", guard=anywhere, origin="http://192.168.0.7:8600") == 200
    allowed = {"local": False, "origins": ["https://Colde.example/"]}
    assert answer("http", "colde.example", guard=allowed, origin="https://colde.example") == 200


def test_a_link_may_be_followed_and_a_form_may_not() -> None:
    link = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}
    assert answer("http", "localhost:8600", "GET", **link) == 200
    assert answer("http", "localhost:8600", "POST", **link) == 403
    assert (
        answer("http", "localhost:8600", "GET", sec_fetch_site="same-site", sec_fetch_mode="no-cors") == 403
    )
