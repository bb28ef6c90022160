"""A connection on which no request begins is closed after a time; one that is at work is not."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from colde.serve.timed_connections import timed_connections
from tests.patience import PATIENCE

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"
SECONDS = 0.3
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    body = await Request(scope, receive).body()
    await PlainTextResponse(body)(scope, receive, send)


@asynccontextmanager
async def connection() -> AsyncIterator[Streams]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        settings = uvicorn.Config(echo, http=timed_connections(SECONDS), log_level="error", lifespan="off")
        server = uvicorn.Server(settings)
        serving = asyncio.create_task(server.serve([listening]))
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        try:
            async with asyncio.timeout(PATIENCE):
                yield reader, writer
        finally:
            writer.close()
            server.should_exit = True
            await serving


async def drip(writer: asyncio.StreamWriter, part: bytes) -> None:
    """Send a part again and again until the connection is closed."""
    try:
        while True:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(SECONDS / 10)
    except ConnectionError:
        return


async def answer(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    return await reader.readexactly(int(head.lower().split(b"content-length: ")[1].split()[0]))


@pytest.mark.parametrize("first", [b"", HEAD])
def test_without_a_request_it_is_closed(first: bytes) -> None:
    async def run() -> None:
        async with connection() as (reader, writer):
            writer.write(first)
            dripping = asyncio.create_task(drip(writer, b"X-A: b\r\n" if first else b""))
            assert await reader.read() == b""
            dripping.cancel()

    asyncio.run(run())


def test_a_request_whose_body_is_slow_and_the_next_one_are_answered_and_a_slow_third_is_not() -> None:
    async def run() -> None:
        async with connection() as (reader, writer):
            writer.write(HEAD + b"Content-Length: 8\r\n\r\n")
            for _ in range(8):
                await asyncio.sleep(SECONDS / 4)
                writer.write(b"a")
            assert await answer(reader) == b"a" * 8
            writer.write(HEAD + b"Content-Length: 3\r\n\r\nabc")
            assert await answer(reader) == b"abc"
            writer.write(HEAD)
            dripping = asyncio.create_task(drip(writer, b"X-A: b\r\n"))
            assert await reader.read() == b""
            dripping.cancel()

    asyncio.run(run())
