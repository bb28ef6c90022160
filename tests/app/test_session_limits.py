"""What one session may hold: said before it is met, the latest kept, nothing at work for a page that is closed."""

from __future__ import annotations

import math
import threading
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import streamlit as st
from colde_explorer_app.session import comparison_jobs, job_progress, session_limits
from colde_explorer_app.session.background_jobs import Job
from colde_explorer_app.session.document_source import Source
from colde_explorer_app.session.state import Request
from streamlit.testing.v1 import AppTest

from colde.comparison.fair_queue import QueuePlace
from colde.encoders.cancellation import poll_cancel
from colde.ingest import read_text
from colde.results.progress import OnProgress, Progress, Stage
from tests.patience import PATIENCE


@pytest.fixture(autouse=True)
def uncached(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a session keeps can be asked for on its page alone."""
    monkeypatch.setattr(session_limits, "_lengths", session_limits._lengths.__wrapped__)
    monkeypatch.setattr(session_limits, "included_roles", lambda: ())


def source(name: str, size: int = 10) -> Source:
    return Source(f"{name}.txt", b"x" * size)


def test_the_latest_comparisons_are_kept_as_far_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_limits, "MAX_HELD_BYTES", 100)
    small = [(source(f"a{i}"), source(f"b{i}")) for i in range(9)]
    assert session_limits.kept_count(small[:3]) == 3
    assert session_limits.kept_count(small) == 5, "a hundred bytes"
    monkeypatch.setattr(session_limits, "MAX_HELD_BYTES", 1000)
    assert session_limits.kept_count(small) == session_limits.MAX_RECENT
    assert session_limits.kept_count([(source("a", 600), source("b", 600)), *small]) == 1, (
        "the one on the page stays"
    )
    again = source("a", 400)
    assert session_limits.kept_count([(again, source("b", 400)), (again, source("c", 10))]) == 2, (
        "a file counts once"
    )


@pytest.mark.parametrize(
    ("sections", "able", "said"), [(3, True, ""), (8, True, "8 of at most 10"), (11, False, "11 sections")]
)
def test_the_length_of_a_text_is_said_before_it_is_too_long(
    sections: int, able: bool, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_limits, "MAX_SECTIONS", 10)
    text = "\n\n".join(f"# Part {i}\n\nThe keeper wound the clock in part {i}." for i in range(sections))
    found = session_limits.length_note(Source(f"{sections}", text.encode()), read_text(text))
    assert found[0] is able and said in found[1] and bool(found[1]) is bool(said)


def test_the_latest_comparisons_are_kept_each_once() -> None:
    requests = [Request(Source(f"{i}", b"a"), Source("b", b"b"), ("tfidf",), "auto") for i in range(9)]
    again = [requests[4], *requests]
    kept = session_limits.latest(again)
    assert kept == [requests[4], *requests[:4], requests[5]] and len(kept) == session_limits.MAX_RECENT


def test_too_many_chunks_are_said_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("colde.comparison.checks.MAX_CHUNKS", 3)
    monkeypatch.setattr(session_limits, "MAX_CHUNKS", 3)
    text = "# A\n\n" + "The keeper wound the clock and trimmed the lamp. " * 400
    able, said = session_limits.length_note(Source("long", text.encode()), read_text(text))
    assert not able and "more than 3 chunks" in said and "Leave sections out" in said


def test_a_text_that_is_too_long_cannot_be_compared(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_limits, "MAX_SECTIONS", 2)
    words = "The marigold keeper trimmed the lamp at dusk. " * 9
    page.file_uploader[0].upload("a.txt", words.encode())
    page.run()
    page.file_uploader[1].upload("b.md", "".join(f"# Part {i}\n\n{words}\n\n" for i in range(3)).encode())
    page.run()
    assert page.button(key="compare").disabled
    (error,) = page.error
    assert "3 sections, the limit is 2" in error.value.replace("\\", "")


@pytest.fixture(params=["with progress", "before any progress"])
def slow(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Work that goes on until it is stopped or let go."""
    go_on = threading.Event()

    def steps(report: OnProgress) -> Generator[Any, None, None]:
        while not go_on.wait(0.01):
            if request.param == "with progress":
                report(Progress(Stage.PAIRS, 0, 1))
            else:
                poll_cancel()
        yield None

    yield steps
    go_on.set()


def test_the_oldest_work_of_a_session_stops_for_the_newest(
    slow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    st.cache_resource.clear()
    with ThreadPoolExecutor(9) as threads:
        held = comparison_jobs.SessionJobs()
        monkeypatch.setattr(comparison_jobs, "session_jobs", lambda: held)
        monkeypatch.setattr(comparison_jobs, "worker", lambda: threads)
        try:
            jobs = [comparison_jobs.start(slow) for _ in range(session_limits.MAX_RUNNING_JOBS + 2)]
            for job in jobs[:2]:
                wait_for(job, "cancelled")
            assert all(job.snapshot().active for job in jobs[2:])
        finally:
            held.cancel()  # as when the page is closed: Streamlit releases what belongs to the session
        for job in jobs:
            wait_for(job, "cancelled")
    assert comparison_jobs.turns()._all == []


def wait_for(job: Job, state: str) -> None:
    ended = threading.Event()
    for _ in range(100 * PATIENCE):
        if job.snapshot().state == state:
            return
        ended.wait(0.01)
    pytest.fail(f"the job is {job.snapshot().state}")


TURNS = "in the queue. Comparisons take turns, short ones first."


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (None, ""),
        (QueuePlace(1, 1, 1.0), ""),
        (QueuePlace(1, 1, 31.0), "About 30 s left."),
        (QueuePlace(1, 1, math.inf), ""),
        (QueuePlace(2, 2, math.inf), f"Place 2 of 2 {TURNS}"),
        (QueuePlace(2, 3, 7.4), f"Place 2 of 3 {TURNS} About 7 s left."),
        (QueuePlace(1, 2, 300.0), f"Place 1 of 2 {TURNS} About 5 min left."),
    ],
)
def test_a_place_in_the_queue_in_words(place: QueuePlace | None, said: str) -> None:
    assert job_progress.queue_text(place) == said
