"""Nothing of a reader is kept after they have closed the page.

Streamlit holds a session whose page is gone for a while, in case it comes back, and lets it go when another one comes
or goes. Here a clock does: with a session go its documents, its uploads and its comparisons.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator

from streamlit import runtime
from streamlit.starlette import App

from colde_explorer_app.tab_store import tab_store

SWEEP_SECONDS = 15.0
"""Seconds between two sweeps; a session is kept for `server.disconnectedSessionTTL` and at most this much longer."""


@contextlib.asynccontextmanager
async def sweeping(app: App) -> AsyncIterator[None]:
    """Sweep as long as the server runs."""
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
    """Let go of the sessions whose time is over, and of all they hold; returns how many.

    Streamlit has no public call for this: its store drops them when the next session comes or goes, no sooner.
    """
    store = runtime.get_instance()._session_mgr._session_storage  # type: ignore[attr-defined]
    gone = [info.session for _, info in store._cache.expire()]
    for session in gone:
        session.shutdown()
    count = len(gone)
    if count:
        gone.clear()
        session = None
        gc.collect()  # what a session held points at itself in places
    return count
