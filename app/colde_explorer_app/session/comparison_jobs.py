"""The job of each request of a session; the jobs of all sessions take turns."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from colde import models
from colde.comparison.fair_queue import FairQueue, TimeEstimator
from colde.comparison.known_text import set_aside_known_text
from colde.comparison.pipeline import compare_steps
from colde.comparison.standard_text import without_shared_standard_text
from colde.comparison.warm_up import warm_up as warm_up_comparison
from colde.encoders.cancellation import cancel_check
from colde.ingest import sandbox
from colde.models.base import Matcher
from colde.results.comparison import Comparison
from colde.results.progress import OnProgress
from colde.text.document import Document
from colde_explorer_app.session.background_jobs import Job, Work
from colde_explorer_app.session.session_documents import read, readable
from colde_explorer_app.session.session_limits import MAX_RUNNING_JOBS
from colde_explorer_app.session.state import Comparing, Request, state

T = TypeVar("T")

PAGE_SECONDS = 1.5
"""Time in which a browser fetches the scripts of the first page. Imports at the same time would hold up the server."""

MAX_JOBS = 32
"""Jobs that run or wait for their first turn; more wait until one of them ends."""


def job(request: Request) -> Job[Comparison]:
    """The session's job for this request, started when there is none yet."""
    return _job(request.key, request)


def discard_job(request: Request) -> None:
    """Drop the job, so that the same request starts a new one."""
    _job.clear(request.key, request)


@st.cache_resource(
    scope="session", max_entries=6, ttl="4h", show_spinner=False, on_release=lambda job: job.cancel()
)
def _job(key: str, _request: Request) -> Job[Comparison]:
    if (finished := state(Comparing).restored_jobs.pop(key, None)) is not None:
        return finished
    a, b = read(_request.a, _request.include), read(_request.b, _request.include)
    if not (isinstance(a, Document) and isinstance(b, Document)):
        raise ValueError("only documents that were read can be compared")

    templates = readable(_request.templates)

    def steps(report: OnProgress) -> Generator[Comparison, None, None]:
        pair = set_aside_known_text(
            [a, b], include=_request.include, templates=templates, reference=_request.reference
        )
        one, two = without_shared_standard_text(pair, _request.include, _request.reference)
        yield from compare_steps(
            one,
            two,
            models=_request.models,
            profile=_request.profile,
            reference=_request.reference,
            encoder=_request.encoder,
            on_progress=report,
            loader=load,
        )

    return start(steps, _request.models, a.words() + b.words())


def start(steps: Work[T], names: Sequence[str] = (), words: int = 0) -> Job[T]:
    """Begin a job that takes turns with those of all sessions; it is cancelled when the session ends.

    Args:
        names, words: the models it runs and the words of all texts, to estimate how long it takes.
    """
    queue, estimator = turns(), _estimator()
    turn = queue.take(session(), lambda: new_job.stop_if_cancelled(), estimator.estimate(names, words))

    def stop_or_wait() -> None:
        new_job.stop_if_cancelled()
        turn.offer()

    def work(on_progress: OnProgress) -> Generator[T, None, None]:
        with turn, cancel_check(stop_or_wait):  # also where nothing is reported yet
            yield from steps(turn.reporter(on_progress, estimator, words))

    new_job = Job(work, turn.place)
    session_jobs().begin(new_job)
    return new_job.start(worker())


class SessionJobs:
    """The active jobs of one session."""

    def __init__(self) -> None:
        self._jobs: list[Job[Any]] = []

    def begin(self, job: Job[Any]) -> None:
        """Add a job, and cancel the oldest where there are too many."""
        self._jobs = [job for job in self._jobs if job.snapshot().active]
        for old in self._jobs[: max(0, len(self._jobs) - MAX_RUNNING_JOBS + 1)]:
            old.cancel()
        self._jobs.append(job)

    def cancel(self) -> None:
        for job in self._jobs:
            job.cancel()


@st.cache_resource(scope="session", max_entries=1, show_spinner=False, on_release=lambda jobs: jobs.cancel())
def session_jobs() -> SessionJobs:
    """The jobs of this session, cancelled when it ends or its page is closed."""
    return SessionJobs()


def session() -> str:
    """The id of this session; empty where there is none."""
    context = get_script_run_ctx()
    return context.session_id if context is not None else ""


@st.cache_resource(max_entries=1, show_spinner=False)
def turns() -> FairQueue:
    """The queue of all sessions: one job runs at a time, since two would only slow each other down."""
    return FairQueue(here=_is_open)


def _is_open(session: str) -> bool:
    """Whether the page of a session is open: nobody waits for the jobs of a closed one."""
    return not runtime.exists() or not session or runtime.get_instance().is_active_session(session)


@st.cache_resource(max_entries=1, show_spinner=False)
def _estimator() -> TimeEstimator:
    return TimeEstimator()


@st.cache_resource(max_entries=1, show_spinner=False)
def worker() -> ThreadPoolExecutor:
    """A thread for each job."""
    return ThreadPoolExecutor(max_workers=MAX_JOBS, thread_name_prefix="comparison")


@contextmanager
def model_turn() -> Generator[None, None, None]:
    """A turn of this session for a short question to the models."""
    with turns().take(session()):
        yield


@lru_cache(maxsize=32)
def load(name: str) -> Matcher:
    """A model that all sessions share; called by the job whose turn it is."""
    return models.load(name)


@st.cache_resource(max_entries=1, show_spinner=False)
def warm_up() -> Future[None]:
    """Start two readers and load the default models, once, soon after the first page was sent."""
    return worker().submit(_warm_up, turns())


def _warm_up(queue: FairQueue) -> None:
    time.sleep(PAGE_SECONDS)
    sandbox.warm_up(files=2)
    load_default_models(queue)


def load_default_models(queue: FairQueue) -> None:
    """Load each default model and what else a comparison needs, so that the first one does not wait for it."""
    names = [name for name in models.DEFAULTS if models.is_trained(name)]
    for name in names:
        with queue.take("the server"):
            load(name)
    with queue.take("the server"):
        warm_up_comparison(names, load)
