"""A job on the page: its current step, the time left, a button to stop it, and its result."""

from __future__ import annotations

import math
import time
from typing import Any, TypeVar

import streamlit as st

from colde.comparison.fair_queue import QueuePlace
from colde.report.formatting import sentence_case
from colde.results.progress import Progress, Stage
from colde_explorer_app.page_parts.page_texts import escape_markdown
from colde_explorer_app.session import available_models
from colde_explorer_app.session.background_jobs import Job, StepStart

T = TypeVar("T")

POLL_SECONDS = 0.7
"""Seconds between two looks at a running job."""

STAGE_TEXTS = {Stage.LOADING: "being loaded", Stage.COMPARING: "comparing the two"}
"""Texts for the steps of a model where the name of the stage does not fit."""

_MIN_SECONDS_SHOWN = 2.0  # a shorter wait is not shown
_MIN_STEPS_TIMED = 3  # steps after which the time left can be estimated


def finished_result(job: Job[T] | None, key: str) -> T | None:
    """Draw a job until it ends, then run the page again; returns its result.

    None if there is no job, while it runs, and if it ended without a result, which a message then says.

    Args:
        key: part of the key of the button that cancels it.
    """
    if job is None:
        return None
    if job.snapshot().active:
        st.fragment(_watch, run_every=POLL_SECONDS)(job, key)
        return None
    snapshot = job.snapshot()
    if snapshot.stopped == "failed":
        st.error(escape_markdown(snapshot.error or "It could not be finished."))
    elif snapshot.stopped == "cancelled":
        st.info("Cancelled.")
    return None if snapshot.stopped else snapshot.result


def _watch(job: Job[Any], key: str) -> None:
    snapshot = job.snapshot()
    if not snapshot.active:
        st.rerun()
    progress = snapshot.progress
    if progress is None:
        st.progress(0.0, f"Getting ready … {queue_text(job.place())}".strip())
    else:
        share = progress.done / progress.total if progress.total else 0.0
        text = f"{_step_text(progress)}{_time_left_text(progress, snapshot.step)}. {_queue_place_text(job.place())}"
        st.progress(min(max(share, 0.0), 1.0), text.strip())
    st.button("Cancel", key=f"cancel_{key}", on_click=job.cancel)


def queue_text(place: QueuePlace | None) -> str:
    """The place in the queue and the time left; empty for a job that is done in a moment."""
    if place is None or (place.of == 1 and place.seconds < _MIN_SECONDS_SHOWN):
        return ""
    time_text = f"About {time_left(place.seconds)} left." if math.isfinite(place.seconds) else ""
    return f"{_queue_place_text(place)} {time_text}".strip()


def _queue_place_text(place: QueuePlace | None) -> str:
    if place is None or place.of == 1:
        return ""
    return f"Place {place.place} of {place.of} in the queue. Comparisons take turns, short ones first."


def time_left(seconds: float) -> str:
    """A duration, rounded as an estimate should be."""
    if seconds >= 90:
        return f"{seconds / 60:.0f} min"
    return f"{max(round(seconds), 1) if seconds < 10 else 5 * round(seconds / 5)} s"


def counted_steps(text: str, progress: Progress) -> str:
    """A text with the number of steps done, if there are several."""
    return f"{text}, {progress.done:,} of {progress.total:,}" if progress.total > 1 else text


def stage_text(progress: Progress) -> str:
    """The stage as a model's step."""
    return STAGE_TEXTS.get(progress.stage, progress.stage.value)


def _step_text(progress: Progress) -> str:
    text = stage_text(progress)
    if progress.model:
        text = f"{available_models.title(progress.model)}: {text}"
    if progress.subject:
        text = f"{text}, {escape_markdown(progress.subject)}"
    text = counted_steps(text, progress)
    return sentence_case(text)


def _time_left_text(progress: Progress, step: StepStart | None) -> str:
    done = 0 if step is None else progress.done - step.progress.done
    if step is None or done < _MIN_STEPS_TIMED:
        return ""
    seconds = (time.monotonic() - step.seconds) / done * (progress.total - progress.done)
    return f", about {time_left(seconds)} left"
