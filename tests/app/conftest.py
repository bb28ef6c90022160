"""A page whose comparisons run at once, in the thread that asks for them; a session and a pair where none is needed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, Future
from typing import Any

import pytest
import streamlit as st
from colde_explorer_app.session import comparison_jobs
from streamlit import config
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

import colde
from colde.cli.serving.app import main_page
from colde.corpus.samples import sample_named
from colde.results.comparison import Comparison
from tests.index.light import Light
from tests.patience import PATIENCE

MAIN = main_page()


class Now(Executor):
    """Runs what is submitted before `submit` returns."""

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: Future[object] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@pytest.fixture(autouse=True)
def encoded_once(kept_vectors: None) -> None:
    """These tests are about what is made of vectors."""


@pytest.fixture(scope="session", autouse=True)
def quick_runs() -> Iterator[None]:
    """Installed packages are searched for components once, and no run ends with a full garbage collection.

    Streamlit does both for each AppTest; the explorer itself has switched the second off (.streamlit/config.toml).
    """
    found = manifest_scanner.scan_component_manifests()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(manifest_scanner, "scan_component_manifests", lambda: found)
        config.set_option("runner.postScriptGC", False)
        yield


@pytest.fixture
def now() -> Executor:
    return Now()


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, now: Executor) -> AppTest:
    """The Compare page of a new session, before anything is done."""
    monkeypatch.setattr(comparison_jobs, "warm_up", lambda: None)
    monkeypatch.setattr(comparison_jobs, "worker", lambda: now)
    st.cache_resource.clear()  # every AppTest calls its session the same
    st.cache_data.clear()
    opened = AppTest.from_file(str(MAIN), default_timeout=PATIENCE)
    opened.session_state["scores_open"] = True
    return opened.run()


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch, now: Executor) -> None:
    """Every model is one that loads at once, and jobs run at once."""
    monkeypatch.setattr(comparison_jobs, "worker", lambda: now)
    monkeypatch.setattr(comparison_jobs, "load", lambda name: Light())


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The state of a session without a page."""
    held: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", held)
    return held


@pytest.fixture(scope="session")
def comparison() -> Comparison:
    """The first sample pair, compared by its words."""
    sample = sample_named("lighthouse")
    return colde.compare(colde.read(sample.a), colde.read(sample.b), models=["tfidf"], profile="general")
