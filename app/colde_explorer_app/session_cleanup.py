"""Deletes the sessions of closed pages, with their documents, uploads and comparisons.

Streamlit holds such a session for a while, in case the page comes back, and deletes it when another session begins or
ends. Here a timer does.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator

from streamlit import runtime
from streamlit.starlette import App

from colde_explorer_app.session_restore import tab_store

SWEEP_SECONDS = 15.0
"""Seconds between two sweeps; a session is kept for `server.disconnectedSessionTTL` and at most this much longer."""


@contextlib.asynccontextmanager
async def sweeping(app: App) -> AsyncIterator[None]:
    """Sweep while the server runs."""
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
