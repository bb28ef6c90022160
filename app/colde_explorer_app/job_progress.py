"""A job on the page while it runs: what it does, how long it may still take, and a button to stop it."""

from __future__ import annotations

import math
import time

import streamlit as st

from colde.comparison.fair_queue import QueuePlace
from colde.results.progress import Progress
from colde_explorer_app import available_models, page_texts
from colde_explorer_app.background_jobs import Job
from colde_explorer_app.markdown_escape import escape_markdown

POLL_SECONDS = 0.7
"""Seconds between two looks."""

_MIN_SECONDS_SHOWN = 2.0  # seconds; less is not worth telling


def watch(job: Job, key: str) -> None:
    """Draw the job until it ends, then the whole page again."""
    if job.snapshot().active:
        st.fragment(_watch, run_every=POLL_SECONDS)(job, key)


def ended_badly(job: Job) -> bool:
    """Say why a job has no result, if it has none."""
    snapshot = job.snapshot()
    if snapshot.state == "failed":
        st.error(escape_markdown(snapshot.error or "It could not be finished."))
    elif snapshot.state == "cancelled":
        st.info("Cancelled.")
    return snapshot.state in ("failed", "cancelled")


def _watch(job: Job, key: str) -> None:
    snapshot = job.snapshot()
    if not snapshot.active:
        st.rerun()
    progress = snapshot.progress
    if progress is None:
        st.progress(0.0, f"Getting ready … {queue_text(job.place())}".strip())
    else:
        share = progress.done / progress.total if progress.total else 0.0
        st.progress(
            min(max(share, 0.0), 1.0),
            f"{_step_text(progress, key)}. {_queue_place_text(job.place())}".strip(),
        )
    st.button("Cancel", key=f"cancel_{key}", on_click=job.cancel)


def queue_text(place: QueuePlace | None) -> str:
    """The place in the queue and the time left, in words; nothing for what will be done in a moment."""
    if place is None or (place.of == 1 and place.seconds < _MIN_SECONDS_SHOWN):
        return ""
    time_text = f"About {time_left(place.seconds)} left." if math.isfinite(place.seconds) else ""
    return f"{_queue_place_text(place)} {time_text}".strip()


def _queue_place_text(place: QueuePlace | None) -> str:
    """The place in the queue, where there is one."""
    if place is None or place.of == 1:
        return ""
    return f"Place {place.place} of {place.of}: all take turns, and what needs least is done first."


def time_left(seconds: float) -> str:
    """Seconds in words, as exact as an estimate is."""
    if seconds >= 90:
        return f"{seconds / 60:.0f} min"
    return f"{max(round(seconds), 1) if seconds < 10 else 5 * round(seconds / 5)} s"


def _step_text(progress: Progress, key: str) -> str:
    """The step in words, and how long it may still take as fast as it went so far."""
    what = page_texts.STAGES.get(progress.stage, progress.stage.value)
    if progress.model:
        what = f"{available_models.title(progress.model)}: {what}"
    if progress.subject:
        what = f"{what}, {escape_markdown(progress.subject)}"
    if progress.total > 1:
        what = f"{what}, {progress.done:,} of {progress.total:,}"
    return what[:1].upper() + what[1:] + _time_left_text(progress, key)


def _time_left_text(progress: Progress, key: str) -> str:
    now = time.monotonic()
    step = (progress.stage, progress.model, progress.total)
    begun = st.session_state.get(f"begun_{key}")
    if begun is None or begun[0] != step:
        st.session_state[f"begun_{key}"] = (step, now, progress.done)
        return ""
    _, since, first = begun
    done = progress.done - first
    if done < 3:
        return ""
    seconds = (now - since) / done * (progress.total - progress.done)
    return f", about {time_left(seconds)} left"
