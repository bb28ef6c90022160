"""Processes that do the work of requests: whoever dies takes its own request along and no other."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from colde import models
from colde.comparison.model_run import Loader
from colde.encoders import cancellation
from colde.errors import Cancelled, ReadError
from colde.results.progress import OnProgress, Progress, Stage
from colde.serve.job_queue import JobQueue, RequestTask
from colde.serve.jobs import Compare, File, Read
from colde.serve.rate_limits import ServeLimits
from colde.serve.worker_processes import ProcessRunner, WorkerBug, WorkerDied
from tests.patience import PATIENCE

pytest.importorskip("fastapi")

from tests.serve.test_serve import PAIR, WORDS


@dataclass(frozen=True)
class Steps:
    """So many signs of progress, a hundredth of a second each."""

    count: int

    def __call__(self, report: OnProgress, load: Loader) -> str:
        for done in range(self.count):
            time.sleep(0.01)
            report(Progress(Stage.COMPARING, done, self.count))
        return f"{self.count} done by {os.getpid()}"


@dataclass(frozen=True)
class Raises:
    error: Exception

    def __call__(self, report: OnProgress, load: Loader) -> str:
        raise self.error


@dataclass(frozen=True)
class Hangs:
    """Gives no sign, as code of a library that never returns."""

    def __call__(self, report: OnProgress, load: Loader) -> str:
        time.sleep(60)
        return ""


@pytest.fixture(scope="module")
def workshop() -> Iterator[JobQueue]:
    found = JobQueue(ServeLimits(), workers=1)
    yield found
    found.close()


def worker_of(workshop: JobQueue) -> ProcessRunner:
    runner = workshop.places[0].runner
    assert isinstance(runner, ProcessRunner)
    return runner


async def moving(task: RequestTask) -> None:
    """Return when it has told of a step."""
    while task.progress is None and not task.future.done():
        await asyncio.wait_for(task.changed.wait(), PATIENCE)
        task.changed.clear()


async def ended(task: RequestTask) -> BaseException | str:
    error = await asyncio.wait_for(asyncio.to_thread(task.future.exception), PATIENCE)
    return error or task.future.result()


def test_a_killed_worker_ends_the_request_it_worked_on_and_no_other(workshop) -> None:
    worker = worker_of(workshop)

    async def kill() -> tuple[int, list[BaseException | str]]:
        tasks = [workshop.submit(client, Steps(80)) for client in ("one", "two")]
        for task in tasks:
            await moving(task)
        pid, before = worker.pid, worker.restarts
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        answers = [await ended(task) for task in tasks]
        assert worker.restarts == before + 1
        return pid, [*answers, await ended(workshop.submit("three", Steps(1)))]

    pid, answers = asyncio.run(kill())
    died = [answer for answer in answers if isinstance(answer, WorkerDied)]
    done = [answer for answer in answers if isinstance(answer, str)]
    assert (len(died), len(done)) == (1, 2)
    assert "send it again" in str(died[0])
    assert not any(answer.endswith(f"by {pid}") for answer in done), (
        "what waited began again in a new process"
    )
    assert workshop.active_requests == 0


def test_who_goes_away_stops_the_work_and_the_worker_goes_on(workshop) -> None:
    async def cancel() -> list[BaseException | str]:
        task = workshop.submit("one", Steps(10_000))
        await moving(task)
        pid = worker_of(workshop).pid
        task.cancel()
        found = [await ended(task), await ended(workshop.submit("one", Steps(2)))]
        assert worker_of(workshop).pid == pid
        return found

    cancelled, after = asyncio.run(cancel())
    assert isinstance(cancelled, Cancelled)
    assert str(after).startswith("2 done")


def test_work_can_be_stopped_while_its_texts_are_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancellation, "POLL_SECONDS", 0.0)
    rules = "The keeper of the {0} gives notice in writing to the owner of the {0} within thirty days. "
    texts = [File(rules.format(thing).encode() * 4, f"{thing}.txt") for thing in ("lamp", "mill")]

    def stop(progress: Progress) -> None:
        raise Cancelled(f"while {progress}")

    with pytest.raises(Cancelled, match="while preparing"):
        Compare(*texts, model="tfidf").result(stop, models.load)


def test_errors_come_back_as_they_are_and_of_a_bug_nothing_but_its_kind(workshop) -> None:
    async def fail() -> list[BaseException | str]:
        jobs = [Read(File(b"%PDF nothing", "b.pdf")), Raises(MemoryError("the keeper"))]
        return [await ended(workshop.submit("one", job)) for job in jobs]

    unread, bug = asyncio.run(fail())
    assert isinstance(unread, ReadError)
    assert (unread.reason, unread.source) == ("corrupt", "b.pdf")
    assert isinstance(bug, WorkerBug)
    assert str(bug) == "MemoryError"


def test_work_without_a_sign_is_ended() -> None:
    worker = ProcessRunner(models.load, 1, seconds=0.5)
    try:
        with pytest.raises(WorkerDied, match="the work did not respond"):
            worker.run(Hangs(), lambda progress: None)
        assert worker.pid is None
    finally:
        worker.close()
    with pytest.raises(Cancelled):
        worker.run(Hangs(), lambda progress: None)


def test_the_service_answers_from_its_workers_and_again_when_one_was_killed(served) -> None:
    here = served().post("/compare", files=PAIR, data=WORDS).json()
    client = served(workers=2)
    workshop: JobQueue = client.app.state.service.workshop
    assert client.post("/read", files={"file": PAIR["a"]}).status_code == 200
    pids = [place.runner.pid for place in workshop.places]
    assert None not in pids
    assert len({*pids, os.getpid()}) == 3
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    again = client.post("/compare", files=PAIR, data=WORDS)
    if again.status_code == 503:  # it was sent before the end had been heard of
        assert "send it again" in again.json()["error"]["message"]
        again = client.post("/compare", files=PAIR, data=WORDS)
    (model,) = again.json()["models"]
    assert (model["name"], model["score"]) == ("tfidf", here["models"][0]["score"])
    assert "colde_worker_restarts 1.0" in client.get("/metrics").text
