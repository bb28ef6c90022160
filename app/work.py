"""From a request to a job: one worker for the whole server, one job for each request of a session."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256

import streamlit as st

import colde
from app.jobs import Job
from app.sources import Source, read
from colde import models
from colde.comparison import Comparison
from colde.document import Document, Role
from colde.ingest import sandbox
from colde.models.base import Matcher, OnProgress


@dataclass(frozen=True)
class Request:
    """What is to be compared, and how; the first model gives the verdict."""

    a: Source
    b: Source
    models: tuple[str, ...]
    profile: str
    include: tuple[Role, ...] = ()

    @cached_property
    def key(self) -> str:
        """SHA-256 of the contents, the models, the profile and what is included."""
        parts = (self.a.digest, self.b.digest, *self.models, self.profile, *self.include)
        return sha256("\0".join(parts).encode()).hexdigest()

    @property
    def pair(self) -> tuple[str, ...]:
        """What the two documents are, and what of them is compared, whatever the other settings."""
        return self.a.digest, self.b.digest, *self.include


def job(request: Request) -> Job:
    """The session's job for this request, started when there is none yet."""
    return _job(request.key, request)


def forget(request: Request) -> None:
    """Drop the job, so that the same request starts anew."""
    _job.clear(request.key, request)


@st.cache_resource(
    scope="session", max_entries=6, ttl="4h", show_spinner=False, on_release=lambda job: job.cancel()
)
def _job(key: str, _request: Request) -> Job:
    a, b = read(_request.a, _request.include), read(_request.b, _request.include)
    if not (isinstance(a, Document) and isinstance(b, Document)):
        raise ValueError("only documents that were read can be compared")

    def work(on_progress: OnProgress) -> Iterator[Comparison]:
        return colde.compare_steps(
            a, b, models=_request.models, profile=_request.profile, on_progress=on_progress, loader=_load
        )

    return Job(work).start(_worker())


@st.cache_resource(max_entries=1, show_spinner=False)
def _worker() -> ThreadPoolExecutor:
    """One comparison at a time: two would only slow each other down. Its first work is to load the models."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="comparison")


@lru_cache(maxsize=32)
def _load(name: str) -> Matcher:
    """Loaded models are shared by all sessions; only the worker calls this."""
    return models.load(name)


@st.cache_resource(max_entries=1, show_spinner=False)
def warm_up() -> Future[None]:
    """Start a reader and load the default models, once, behind the first page that is already out."""
    sandbox.warm_up()
    return _worker().submit(_load_defaults)


def _load_defaults() -> None:
    for name in models.DEFAULTS:
        if models.is_trained(name):
            _load(name)
