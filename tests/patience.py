"""How long tests wait for what must come: far longer than it takes, so that a busy machine fails none of them."""

from __future__ import annotations

PATIENCE = 600
"""Seconds. Whoever waits goes on as soon as it is there; only a test that fails lasts as long."""
