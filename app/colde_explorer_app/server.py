"""The explorer as a web server: the pages of `main.py`, security headers, and the deletion of closed sessions.

Streamlit holds the session of a closed page, with its documents, uploads and comparisons, for a while in case the page
comes back, and deletes it when another session begins or ends. Here a timer does.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import threading
from collections.abc import AsyncIterator
from importlib import import_module
from pathlib import Path

from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse, Response
from streamlit import runtime
from streamlit.starlette import App

from colde.encoders.memory import use_one_heap
from colde.meta_kernels import defer_meta_kernels
from colde.serve.cross_site import CrossSiteGuard
from colde_explorer_app.security_headers import Headers

SWEEP_SECONDS = 15.0
"""Seconds between two sweeps; a session is kept for `server.disconnectedSessionTTL` and at most this much longer."""

FIRST_PAGE = "colde_explorer_app.explorer_pages.navigation"
"""The module that imports the page Compare, and with it most of what any page needs."""


@contextlib.asynccontextmanager
async def serving(app: App) -> AsyncIterator[None]:
    """Import the first page while the browser still fetches Streamlit's scripts, and sweep while the server runs."""
    threading.Thread(target=import_module, args=(FIRST_PAGE,), name="first page", daemon=True).start()
    task = asyncio.create_task(_sweep_often())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _sweep_often() -> None:
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        from colde_explorer_app.session.session_restore import tab_store  # on use: the server starts fast

        sweep()
        tab_store().sweep(runtime.get_instance().is_active_session)


def sweep() -> int:
    """Delete the expired sessions; returns how many.

    Streamlit has no public call for this: its store deletes them when the next session begins or ends.
    """
    store = runtime.get_instance()._session_mgr._session_storage  # type: ignore[attr-defined]
    expired = [info.session for _, info in store._cache.expire()]
    for session in expired:
        session.shutdown()
    count = len(expired)
    if count:
        expired.clear()
        session = None
        gc.collect()  # a session holds cycles of references
    return count


def _refused(status: int, message: str) -> Response:
    return PlainTextResponse(message, status_code=status)


use_one_heap()  # comparisons run in threads of their own
defer_meta_kernels()

app = App(
    Path(__file__).with_name("main.py"),
    middleware=[
        Middleware(Headers),
        Middleware(CrossSiteGuard, refuse=_refused, reads=False),
    ],
    lifespan=serving,
)
