"""The explorer as a web server: the pages of `main.py`, security headers, and the deletion of closed sessions."""

from __future__ import annotations

from pathlib import Path

from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from streamlit.starlette import App

from colde.encoders.memory import use_one_heap
from colde_explorer_app.security_headers import Headers
from colde_explorer_app.session_cleanup import sweeping

HOSTS = ["localhost", "127.0.0.1"]
"""Names under which the server answers, so that a foreign name cannot lead to it (DNS rebinding)."""

use_one_heap()  # comparisons run in threads of their own

app = App(
    Path(__file__).with_name("main.py"),
    middleware=[Middleware(Headers), Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)],
    lifespan=sweeping,
)
