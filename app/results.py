"""What a comparison says, from the verdict down to the passages, while it comes in and when it is whole."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from app import choices, words
from app.copy_link import copy_link
from app.disagreement import disagreements
from app.downloads import downloads
from app.jobs import Snapshot
from app.line import line
from app.plain import escape
from app.scores import Row, scores, truncated
from app.start import Origin
from app.view import texts, view
from app.work import Request, job
from colde.comparison import Comparison
from colde.document import Document
from colde.models.base import Progress
from colde.similarity import SimilarityMap
from colde.verdict import Verdict, verdict

POLL = 0.7
"""Seconds between two looks at a running job."""


def show(a: Document, b: Document, request: Request | None, origin: Origin | None) -> None:
    """Draw the results of a request; without one, the two texts alone.

    Runs as a fragment: a click in the view or a look at the running job draws nothing else again.
    """
    running = request is not None and job(request).snapshot().active
    st.fragment(_show, run_every=POLL if running else None)(a, b, request, origin, running)


def stopped(request: Request) -> bool:
    """Whether the job of this request ended without a result."""
    return job(request).snapshot().state in ("cancelled", "failed")


def _show(a: Document, b: Document, request: Request | None, origin: Origin | None, polling: bool) -> None:
    if request is None:
        texts(a, b)
        return
    snapshot = job(request).snapshot()
    if polling and not snapshot.active:
        st.rerun()
    comparison = known(a, b, snapshot)
    _headline(request, snapshot, comparison, origin)
    scores(_rows(request, snapshot, comparison), _shown(request), _show_model)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        model = _chooser(request)
        with st.container(gap="xxsmall"):
            disagreements(comparison, whole=not snapshot.active)
            st.caption(" ".join(truncated(comparison.results)))
    view(comparison, model, request.profile, origin)
    with st.expander("How to read this"):
        st.markdown(words.READING)


def _shown(request: Request) -> str:
    """Whose maps are shown; the first model unless another is chosen."""
    if st.session_state.get("model") not in request.models:
        st.session_state["model"] = request.models[0]
    name: str = st.session_state["model"]
    return name


def _show_model(name: str) -> None:
    st.session_state["model"] = name


def _chooser(request: Request) -> str:
    """The same as a list to choose from; a click on a bar of the chart chooses, too."""
    return st.selectbox(
        "Model", request.models, key="model", format_func=choices.title, width=220, persist_state="session"
    )


def known(a: Document, b: Document, snapshot: Snapshot) -> Comparison:
    """What can be shown now: finished models, and the maps that the one at work has filled in so far."""
    if snapshot.comparison is None:
        return Comparison(a, b, (), (), (), {}, (), {})
    comparison, progress = snapshot.comparison, snapshot.progress
    if progress is None or not progress.partial:
        return comparison
    name, _ = stage(progress)
    partial: dict[str, SimilarityMap] = {**comparison.maps.get(name, {}), **progress.partial}
    return replace(comparison, maps={**comparison.maps, name: partial})


def stage(progress: Progress) -> tuple[str, str]:
    """Which model is at work, and at what."""
    name, _, doing = progress.stage.rpartition(": ")
    return name, doing


def _headline(request: Request, snapshot: Snapshot, comparison: Comparison, origin: Origin | None) -> None:
    """The verdict, or what stands in its place until there is one; beside it what can be done."""
    ready = bool(comparison.results) and comparison.results[0].name == request.models[0]
    said = verdict(comparison) if ready else None
    if said is not None:
        line(said.sentence, testid="verdict", key="verdict")
        st.markdown(escape(said.link) or "No single passage stands out.")
    else:
        line(_STATES[snapshot.state], testid="progress", key="progress")
        st.markdown(_doing(snapshot))
    if snapshot.error:
        st.error(escape(snapshot.error))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if said is not None:
            _reasons(said, request)
        if snapshot.active:
            st.button("Cancel", key="cancel", on_click=job(request).cancel)
            if said is not None:
                st.caption(_doing(snapshot), width="content")
        elif comparison.results:
            downloads(comparison)
            if origin is not None:
                copy_link("copy_link")


def _reasons(said: Verdict, request: Request) -> None:
    with st.popover("Why?", type="tertiary"):
        st.markdown(escape(said.basis))
        st.markdown(words.WHY)
    with st.popover("How sure?", type="tertiary"):
        st.markdown(escape(said.caution))
        measured = choices.info(request.models[0])["profiles"].get(request.profile, {}).get("measured", {})
        if {"accuracy", "pairs"} <= measured.keys():
            st.markdown(
                f"{choices.title(request.models[0])} judged {100 * measured['accuracy']:.0f} in 100 of "
                f"{measured['pairs']:,.0f} labelled pairs, kept aside for this, as they were labelled."
            )


_STATES = {
    "waiting": "Getting ready …",
    "running": "Comparing …",
    "cancelled": "Cancelled.",
    "failed": "The comparison could not be finished.",
    "done": "Done.",
}


def _doing(snapshot: Snapshot) -> str:
    """The step in hand, in words."""
    if snapshot.state == "waiting":
        return "Models are being loaded, or another comparison is running. Both texts can be read already."
    if snapshot.state == "cancelled":
        return "What was ready is kept below. Press Compare to start again."
    if snapshot.progress is None:
        return "Both texts can be read already." if snapshot.active else ""
    name, doing = stage(snapshot.progress)
    return f"{choices.title(name)}: {_step(doing, snapshot.progress)}"


def _step(doing: str, progress: Progress) -> str:
    what = words.STAGES.get(doing, doing)
    return f"{what}, {progress.done:,} of {progress.total:,}" if progress.total > 1 else what


def _rows(request: Request, snapshot: Snapshot, comparison: Comparison) -> list[Row]:
    """Each model that takes part, in the order asked for: its score, or how far it is."""
    found = {score.name: score for score in comparison.results}
    at_work, doing = stage(snapshot.progress) if snapshot.progress else ("", "")
    rows = []
    for name in request.models:
        state = "waiting" if snapshot.active else "not compared"
        if name == at_work and snapshot.progress is not None:
            state = _step(doing, snapshot.progress)
        rows.append(Row(choices.title(name), found.get(name), state, name))
    return rows
