"""From a request to a job: one for each request of a session; the jobs of all sessions take turns."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from colde import models
from colde.comparison.fair_queue import FairQueue
from colde.comparison.pipeline import compare_steps
from colde.comparison.time_estimates import TimeEstimator
from colde.ingest import sandbox
from colde.models.base import Matcher
from colde.results.comparison import Comparison
from colde.results.progress import OnProgress, Progress, Stage
from colde.text.document import Document, Role, Section, Sentence
from colde_explorer_app.background_jobs import Job, Work
from colde_explorer_app.document_source import Source, read
from colde_explorer_app.reference_in_use import OwnReference
from colde_explorer_app.session_limits import MAX_RUNNING_JOBS

_WARM_UP_SENTENCE = "The pilot reads the tide and the wind before dawn."
_WARM_UP_DOCUMENT = Document(
    _WARM_UP_SENTENCE, (Section(0, len(_WARM_UP_SENTENCE), sentences=(Sentence(0, len(_WARM_UP_SENTENCE)),)),)
)

MAX_JOBS = 32
"""Comparisons that have begun or wait for their first turn; more wait for one of them to end."""


@dataclass(frozen=True)
class Request:
    """What is to be compared, and how; the first model gives the verdict."""

    a: Source
    b: Source
    models: tuple[str, ...]
    profile: str
    include: tuple[Role, ...] = ()
    own_reference: OwnReference | None = None

    @cached_property
    def key(self) -> str:
        """SHA-256 of the contents, the models, the profile, what is included, and the reference."""
        own_reference = () if self.own_reference is None else (self.own_reference.digest,)
        parts = (self.a.digest, self.b.digest, *self.models, self.profile, *self.include, *own_reference)
        return sha256("\0".join(parts).encode()).hexdigest()

    @property
    def pair(self) -> tuple[str, ...]:
        """What the two documents are, and what of them is compared, whatever the other settings."""
        return self.a.digest, self.b.digest, *self.include


def job(request: Request) -> Job:
    """The session's job for this request, started when there is none yet."""
    return _job(request.key, request)


def discard_job(request: Request) -> None:
    """Drop the job, so that the same request starts anew."""
    _job.clear(request.key, request)


@st.cache_resource(
    scope="session", max_entries=6, ttl="4h", show_spinner=False, on_release=lambda job: job.cancel()
)
def _job(key: str, _request: Request) -> Job:
    if (finished := restored_jobs().pop(key, None)) is not None:
        return finished
    a, b = read(_request.a, _request.include), read(_request.b, _request.include)
    if not (isinstance(a, Document) and isinstance(b, Document)):
        raise ValueError("only documents that were read can be compared")

    def steps(report: OnProgress) -> Generator[Comparison, None, None]:
        yield from compare_steps(
            a,
            b,
            models=_request.models,
            profile=_request.profile,
            reference=None if _request.own_reference is None else _request.own_reference.reference,
            on_progress=report,
            loader=load,
        )

    return start(steps, _request.models, a.words() + b.words())


def start(steps: Work, names: Sequence[str] = (), words: int = 0) -> Job:
    """Begin a job that takes turns with those of all sessions; it is cancelled when the session ends.

    Args:
        names, words: the models at work and the length of all texts, to tell how long it will take.
    """
    turns, pace = _turns(), _pace()
    jobs = _jobs()
    turn = turns.take(session(), lambda: new_job.stop_if_cancelled(), pace.estimate(names, words))

    def work(on_progress: OnProgress) -> Generator[Any, None, None]:
        with turn:
            done = 0.0

            def report(progress: Progress) -> None:
                nonlocal done
                on_progress(progress)
                if progress.stage is Stage.DONE and progress.model:
                    pace.learn(progress.model, words, turn.worked - done)
                    done = turn.worked
                turn.offer()

            yield from steps(report)

    new_job = Job(work, turn.place)
    jobs.begin(new_job)
    return new_job.start(_worker())


class _Jobs:
    """The jobs of one session that are in hand."""

    def __init__(self) -> None:
        self._jobs: list[Job] = []

    def begin(self, job: Job) -> None:
        """Take one more; the oldest stops where there are too many."""
        self._jobs = [job for job in self._jobs if job.snapshot().active]
        for old in self._jobs[: max(0, len(self._jobs) - MAX_RUNNING_JOBS + 1)]:
            old.cancel()
        self._jobs.append(job)

    def cancel(self) -> None:
        for job in self._jobs:
            job.cancel()


@st.cache_resource(scope="session", max_entries=1, show_spinner=False, on_release=lambda jobs: jobs.cancel())
def _jobs() -> _Jobs:
    """Released when the session ends or its page is closed, and with it whatever works for it."""
    return _Jobs()


def restored_jobs() -> dict[str, Job]:
    """Finished jobs that this session has from the page before it, by the keys of their requests."""
    jobs: dict[str, Job] = st.session_state.setdefault("adopted", {})
    return jobs


def session() -> str:
    """The id of this session; empty where there is none."""
    context = get_script_run_ctx()
    return context.session_id if context is not None else ""


@st.cache_resource(max_entries=1, show_spinner=False)
def _turns() -> FairQueue:
    """One comparison works at a time: two would only slow each other down."""
    return FairQueue(here=_is_here)


def _is_here(session: str) -> bool:
    """Whether the page of a session is open; of work for one that is not, nobody waits for the end."""
    return not runtime.exists() or not session or runtime.get_instance().is_active_session(session)


@st.cache_resource(max_entries=1, show_spinner=False)
def _pace() -> TimeEstimator:
    """What all sessions have learned of how long models take."""
    return TimeEstimator()


@st.cache_resource(max_entries=1, show_spinner=False)
def _worker() -> ThreadPoolExecutor:
    """A thread for each comparison in hand."""
    return ThreadPoolExecutor(max_workers=MAX_JOBS, thread_name_prefix="comparison")


@contextmanager
def model_turn() -> Generator[None, None, None]:
    """A turn of this session for a short question to the models."""
    with _turns().take(session()):
        yield


def load(name: str) -> Matcher:
    """A model that all sessions share; called by whose turn it is."""
    return _load(name)


@lru_cache(maxsize=32)
def _load(name: str) -> Matcher:
    return models.load(name)


@st.cache_resource(max_entries=1, show_spinner=False)
def warm_up() -> Future[None]:
    """Start a reader and load the default models, once, behind the first page that is already out."""
    sandbox.warm_up()
    return _worker().submit(_load_defaults, _turns())


def _load_defaults(turns: FairQueue) -> None:
    for name in models.DEFAULTS:
        if models.is_trained(name):
            with turns.take("the server"):
                load(name).encode(
                    [_WARM_UP_DOCUMENT], explain=False
                )  # what a first text costs on top is done, too
