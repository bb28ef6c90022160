"""Jobs: progress, partial results, cancelling, failing; every wait is on an event, none on a clock."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor

import pytest
from colde_explorer_app.session.background_jobs import Job, Work

from colde import read_text
from colde.comparison.fair_queue import FairQueue
from colde.errors import ModelError
from colde.results.comparison import Comparison
from colde.results.progress import OnProgress, Progress
from tests.patience import PATIENCE


@pytest.fixture(scope="module")
def step() -> Comparison:
    a, b = (read_text(f"Some words about the {thing}. " * 8) for thing in ("sea", "land"))
    return Comparison(a, b, (), (), (), {}, {})


def test_every_step_is_seen_and_the_last_one_stays(step: Comparison, now: Executor) -> None:
    seen = []

    def work(on_progress: OnProgress) -> Iterator[Comparison]:
        on_progress(Progress("tfidf: words", 1, 2))
        seen.append(job.snapshot())
        yield step
        seen.append(job.snapshot())

    job = Job(work)
    assert job.snapshot().state == "waiting"
    job.start(now)
    assert seen[0].state == "running" and seen[0].progress == Progress("tfidf: words", 1, 2)
    assert seen[0].result is None and seen[1].result is step
    last = job.snapshot()
    assert last.state == "done" and not last.active
    assert last.result is step and last.progress is None


def test_cancelling_stops_the_work_and_keeps_what_is_known(step: Comparison) -> None:
    known, go_on = threading.Event(), threading.Event()

    def work(on_progress: OnProgress) -> Iterator[Comparison]:
        yield step
        known.set()
        assert go_on.wait(PATIENCE)
        on_progress(Progress("colde: chunks", 1, 9))
        pytest.fail("the work went on after it was cancelled")

    with ThreadPoolExecutor(1) as executor:
        job = Job(work).start(executor)
        assert known.wait(PATIENCE)
        job.cancel()
        go_on.set()
    assert job.snapshot().state == "cancelled"
    assert job.snapshot().result is step


def test_a_job_cancelled_while_it_waits_never_runs(step: Comparison) -> None:
    begun: list[bool] = []
    hold = threading.Event()

    def work(on_progress: OnProgress) -> Iterator[Comparison]:
        begun.append(True)
        yield step

    with ThreadPoolExecutor(1) as executor:
        executor.submit(hold.wait, PATIENCE)
        job = Job(work).start(executor)
        job.cancel()
        assert job.snapshot().state == "cancelled"
        hold.set()
    assert begun == [] and job.snapshot().state == "cancelled"


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ModelError("there is no model named 'x'"), "there is no model named 'x'"),
        (ValueError("odd"), "ValueError: odd"),
    ],
)
def test_a_failure_is_a_sentence(error: Exception, sentence: str, step: Comparison, now: Executor) -> None:
    def work(on_progress: OnProgress) -> Iterator[Comparison]:
        yield step
        raise error

    job = Job(work).start(now)
    assert job.snapshot().state == "failed"
    assert job.snapshot().error == sentence
    assert job.snapshot().result is step


@pytest.mark.parametrize("end", [SystemExit, KeyboardInterrupt, GeneratorExit, MemoryError])
def test_a_worker_that_dies_ends_its_job_and_leaves_the_next_one_alone(
    end: type[BaseException], step: Comparison
) -> None:
    turns = FairQueue()

    def dies(on_progress: OnProgress) -> Iterator[Comparison]:
        with turns.take("a"):
            yield step
            raise end

    def lives(on_progress: OnProgress) -> Iterator[Comparison]:
        with turns.take("b"):
            yield step

    with ThreadPoolExecutor(1) as executor:
        jobs = [Job(work).start(executor) for work in (dies, lives)]
    assert [job.snapshot().state for job in jobs] == ["failed", "done"]
    assert end.__name__ in str(jobs[0].snapshot().error)


def test_one_worker_runs_jobs_one_after_the_other(step: Comparison) -> None:
    running: list[int] = []
    most: list[int] = []

    def numbered(number: int) -> Work:
        def work(on_progress: OnProgress) -> Iterator[Comparison]:
            running.append(number)
            most.append(len(running))
            yield step
            running.remove(number)

        return work

    with ThreadPoolExecutor(1) as executor:
        jobs = [Job(numbered(i)).start(executor) for i in range(5)]
    assert [job.snapshot().state for job in jobs] == ["done"] * 5
    assert max(most) == 1
