"""The paths of the service, and what each does with a request."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from fastapi import Depends, FastAPI, File, Form, Request, UploadFile
from fastapi.exceptions import RequestValidationError
from prometheus_client import generate_latest
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartParser
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse, Response, StreamingResponse

import colde
from colde import models
from colde.comparison.model_run import Loader
from colde.encoders.encoder_names import AUTO
from colde.errors import ColdeError
from colde.judge.profiles import DETECT
from colde.serve import api_description, jobs
from colde.serve.body_budget import BodyBudget, HeldBody
from colde.serve.cross_site import CrossSiteGuard
from colde.serve.job_queue import JobQueue, RequestTask
from colde.serve.jobs import Compare, FindSources, Job, Read, Search, WhatIf
from colde.serve.rate_limits import ServeLimits
from colde.serve.request_guard import BODY, Metrics, RequestGuard
from colde.serve.responses import (
    body_of,
    error_response,
    invalid_request,
    json_response,
    refusal,
    status_of,
)

COMPRESSED = 1_000
"""Bytes of an answer that is compressed for clients that accept it; events are not."""
POLL_SECONDS = 0.5
"""Seconds between two looks at whether the client is still there."""

_BYTES_PER_WORD = 6

EVENTS = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Service:
    """The objects that all requests share."""

    workshop: JobQueue
    metrics: Metrics
    budget: BodyBudget
    index: Path | str | None


def create_app(
    index: Path | str | None = None,
    limits: ServeLimits | None = None,
    loader: Loader = models.load,
    warm: Iterable[str] | None = None,
    local: bool = True,
    origins: Sequence[str] = (),
    workers: int = 0,
) -> FastAPI:
    """The service as an ASGI application.

    Args:
        index: folder or URI of the index for /search.
        loader: loads a model by its name.
        warm: models that are loaded before the service is ready; by default the default models.
        local: whether it is for this machine alone and answers to its names only.
        origins: web pages that may use it, as `https://notes.example`.
        workers: processes that do the work; with 0 this process does it.
    """
    limits = limits or ServeLimits()
    budget = BodyBudget(max(limits.total, limits.body))
    service = Service(JobQueue(limits, loader, workers), Metrics(), budget, index)
    names = tuple(models.resolve(None) if warm is None else warm)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        loading = asyncio.create_task(asyncio.to_thread(service.workshop.warm, names))
        app.state.loading = loading
        yield
        service.workshop.close()
        loading.cancel()

    # FastAPI's pages for the description load scripts from other sites; /openapi.json is offered alone.
    app = FastAPI(title="CoLDE", version=colde.__version__, docs_url=None, redoc_url=None, lifespan=lifespan)
    app.state.service = service
    app.add_exception_handler(RequestValidationError, invalid_request)
    app.add_exception_handler(HTTPException, invalid_request)
    MultiPartParser.spool_max_size = limits.body  # files stay in memory
    app.add_middleware(GZipMiddleware, minimum_size=COMPRESSED, compresslevel=6)
    app.add_middleware(RequestGuard, limits=limits, metrics=service.metrics, budget=budget)
    if origins:
        app.add_middleware(CORSMiddleware, allow_origins=list(origins), allow_methods=["GET", "POST"])
    app.add_middleware(CrossSiteGuard, refuse=refusal, local=local, origins=origins)
    app.get("/health", responses=api_description.HEALTH)(health)
    app.get("/ready", responses=api_description.READY)(ready)
    app.get("/metrics", response_class=PlainTextResponse, responses=api_description.METRICS)(metrics)
    app.post("/read", responses=api_description.WORK)(read)
    app.post("/compare", responses=api_description.WORK)(compare)
    app.post("/what-if", responses=api_description.WORK)(what_if_)
    app.post("/search", responses=api_description.SEARCH)(search)
    app.post("/sources", responses=api_description.SEARCH)(sources)
    app.openapi = lambda: api_description.without_null(FastAPI.openapi(app))  # type: ignore[method-assign]
    return app


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


Shared = Annotated[Service, Depends(_service)]
Sent = Annotated[UploadFile, File()]


async def _pair(
    a: Sent,
    b: Sent,
    model: Annotated[str | None, Form()] = None,
    profile: Annotated[str, Form()] = DETECT,
    include: Annotated[str | None, Form()] = None,
    template: Annotated[list[UploadFile] | None, File()] = None,
    encoder: Annotated[Literal["auto", "packaged", "multilingual"], Form()] = AUTO,
) -> Compare:
    templates = tuple([await _file(file) for file in template or ()])
    return Compare(await _file(a), await _file(b), model, profile, include, templates, encoder)


SentPair = Annotated[Compare, Depends(_pair)]


async def health() -> dict[str, str]:
    """Whether the process answers."""
    return {"status": "ok", "version": colde.__version__}


async def ready(request: Request) -> Response:
    """Whether the models are loaded: 200, or 503 while they are not."""
    loading = request.app.state.loading
    if not loading.done():
        return json_response('{"status": "loading"}', 503, {"Retry-After": "2"})
    failed = loading.exception()
    return json_response('{"status": "ready"}') if failed is None else error_response(failed)


async def metrics(service: Shared) -> Response:
    """Counts and times of requests, as Prometheus reads them."""
    service.metrics.active_requests.set(service.workshop.active_requests)
    service.metrics.restarts.set(service.workshop.restarts)
    return Response(generate_latest(service.metrics.registry), media_type="text/plain; version=0.0.4")


async def read(
    request: Request, service: Shared, file: Sent, password: Annotated[str | None, Form()] = None
) -> Response:
    """Read a file: the object of `colde read --json`."""
    return await _run_job(request, service, Read(await _file(file), password))


async def compare(request: Request, service: Shared, pair: SentPair) -> Response:
    """Compare two files: the object of `colde compare --json`.

    With `Accept: text/event-stream` the answer is a stream of events: `progress` as often as there is some, then
    `result` with that object, or `error`.
    """
    return await _run_job(request, service, pair, _named(pair.model), _estimated_words(pair))


async def what_if_(
    request: Request,
    service: Shared,
    pair: SentPair,
    without: Annotated[str | None, Form()] = None,
    only: Annotated[str | None, Form()] = None,
) -> Response:
    """Compare two files without some of their parts, or with nothing but them: as `colde what-if --json`."""
    job = WhatIf(pair, without, only)
    return await _run_job(request, service, job, _named(pair.model), 2 * _estimated_words(pair))


async def search(
    request: Request,
    service: Shared,
    file: Annotated[UploadFile | None, File()] = None,
    text: Annotated[str | None, Form()] = None,
    limit: Annotated[int, Form(ge=1, le=1000)] = 10,
    by: Annotated[Literal["document", "passage"], Form()] = "document",
) -> Response:
    """The most similar documents of the index: the object of `colde index search --json`, for a file or a text."""
    query = None if file is None else await _file(file)
    return await _run_job(request, service, Search(service.index, query, text or "", limit, by))


async def sources(
    request: Request,
    service: Shared,
    file: Annotated[UploadFile | None, File()] = None,
    text: Annotated[str | None, Form()] = None,
    leave_out: Annotated[str | None, Form()] = None,
    fewest_words: Annotated[int, Form(ge=0, le=1_000_000)] = 0,
) -> Response:
    """The documents of the index that share passages with a file or a text: the object of `colde sources --json`."""
    query = None if file is None else await _file(file)
    job = FindSources(service.index, query, text or "", leave_out, fewest_words)
    return await _run_job(request, service, job)


async def _file(file: UploadFile) -> jobs.File:
    data = await file.read()
    await file.close()  # now, so that the bytes are in memory once
    return jobs.File(data, file.filename or "document")


def _named(model: str | None) -> tuple[str, ...]:
    """The models asked for, to estimate their work; the work itself refuses an unknown name."""
    try:
        return models.registered_models(model)
    except ColdeError:
        return ()


def _estimated_words(pair: Compare) -> int:
    return (len(pair.a.data) + len(pair.b.data)) // _BYTES_PER_WORD


async def _run_job(
    request: Request, service: Service, job: Job, names: Sequence[str] = (), words: int = 0
) -> Response:
    """Do the work, and answer with its JSON, or with events during the work. A client that disconnects stops it."""
    client = request.client.host if request.client is not None else ""
    try:
        task = service.workshop.submit(client, job, names, words)
    except Exception as error:
        return error_response(error)
    held: HeldBody = getattr(request.state, BODY)
    held.share()
    task.future.add_done_callback(lambda done: held.let_go())
    if EVENTS in request.headers.get("accept", ""):
        return StreamingResponse(_events(task), media_type=EVENTS, headers={"Cache-Control": "no-store"})
    try:
        while not task.future.done():
            await _wait_for_change(task)
            if await request.is_disconnected():
                task.cancel()
        return json_response(task.future.result())
    except Exception as error:
        return error_response(error)
    finally:
        task.cancel()


async def _events(task: RequestTask) -> AsyncIterator[bytes]:
    """The place in the queue and progress, then the result or the error, as server-sent events."""
    try:
        async for event in _progress_events(task):
            yield event
        last = _event("result", task.future.result())
    except Exception as error:
        last = _event("error", json.dumps({**body_of(error), "status": status_of(error)}))
    finally:
        task.cancel()
    yield last


async def _progress_events(task: RequestTask) -> AsyncIterator[bytes]:
    """The place in the queue and progress until the work has ended."""
    latest, place = None, None
    while not task.future.done():
        await _wait_for_change(task)
        now = task.place()
        if now.of > 1 and (now.place, now.of) != place:
            place = now.place, now.of
            data = {"place": now.place, "of": now.of, "seconds": _finite_seconds(now.seconds)}
            yield _event("queue", json.dumps(data))
        if task.progress is not None and task.progress is not latest:
            latest = task.progress
            step = {"stage": latest.stage.value, "done": latest.done, "total": latest.total}
            yield _event("progress", json.dumps({**step, "model": latest.model}))


def _finite_seconds(seconds: float) -> float | None:
    """Seconds for JSON, which has no infinity."""
    return round(seconds, 1) if math.isfinite(seconds) else None


async def _wait_for_change(task: RequestTask) -> None:
    try:
        await asyncio.wait_for(task.changed.wait(), POLL_SECONDS)
    except TimeoutError:
        return
    task.changed.clear()


def _event(name: str, data: str) -> bytes:
    """One event; JSON has no line breaks of its own."""
    return f"event: {name}\ndata: {data}\n\n".encode()
