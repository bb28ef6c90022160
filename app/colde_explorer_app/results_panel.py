"""Results on the page, from the verdict down to the passages, while they come in and when they are whole."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import streamlit as st

from colde.comparison.fair_queue import QueuePlace
from colde.report.profile_corpora import describe_corpora
from colde.report.verdict import Verdict, provisional_verdict, stance, verdict
from colde.results.comparison import Comparison
from colde.results.progress import Progress, Provisional
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Document
from colde_explorer_app import (
    available_models,
    linked_view_edits,
    match_exclusions,
    page_texts,
    session_restore,
)
from colde_explorer_app.background_jobs import Snapshot
from colde_explorer_app.comparison_jobs import Request, job
from colde_explorer_app.copy_link import copy_link
from colde_explorer_app.disagreement_lines import disagreements
from colde_explorer_app.downloads import downloads
from colde_explorer_app.job_progress import queue_text
from colde_explorer_app.linked_view_panel import texts, view
from colde_explorer_app.markdown_escape import escape_markdown
from colde_explorer_app.match_table import matches
from colde_explorer_app.prior_slider import prior, slider
from colde_explorer_app.sample_cards import Origin
from colde_explorer_app.score_chart import Row, scores, truncated
from colde_explorer_app.skipped_content import OnInclude, not_compared
from colde_explorer_app.status_line import status_line

POLL_SECONDS = 0.7
"""Seconds between two looks at a running job."""


def show(
    a: Document, b: Document, request: Request | None, origin: Origin | None, on_include: OnInclude
) -> None:
    """Draw the results of a request; without one, the two texts alone.

    Runs as a fragment: a click in the view or a look at the running job draws nothing else again.

    Args:
        on_include: called with a role of text that was set aside and shall be compared.
    """
    running = request is not None and job(request).snapshot().active
    st.fragment(_show, run_every=POLL_SECONDS if running else None)(
        a, b, request, origin, on_include, running
    )


def stopped(request: Request) -> bool:
    """Whether the job of this request ended without a result."""
    return job(request).snapshot().stopped is not None


def _show(
    a: Document,
    b: Document,
    request: Request | None,
    origin: Origin | None,
    on_include: OnInclude,
    was_running: bool,
) -> None:
    if linked_view_edits.needs_rerun():
        st.rerun()
    if request is None:
        texts(a, b)
        return
    snapshot = job(request).snapshot()
    if was_running and not snapshot.active:
        st.rerun()
    comparison = comparison_so_far(a, b, snapshot).at_prior(prior())
    if not snapshot.active and comparison.results:
        comparison = match_exclusions.with_exclusions(comparison, request.key)
    model = _verdict_bar(request, snapshot, comparison, origin)
    view(
        comparison,
        model,
        request.profile,
        origin,
        active=snapshot.active,
        stopped=snapshot.stopped,
        on_model=_ask_model,
    )
    drawer = st.expander(
        f"Scores of the models ({len(request.models)})", key="scores_open", on_change="rerun"
    )
    if drawer.open:  # a chart takes the browser a second
        with drawer:
            scores(_rows(request, snapshot, comparison), model, _show_model)
            disagreements(comparison, is_complete=snapshot.state == "done")
            st.caption(" ".join(truncated(comparison.results)))
    matches(comparison, model)
    if not snapshot.active:
        not_compared(comparison, on_include)
    with st.expander("How to read this"):
        st.markdown(page_texts.READING)
    session_restore.save_session(request)


def _shown_model(request: Request) -> str:
    """Whose maps are shown; the first model unless another is chosen."""
    if st.session_state.get("model") not in request.models:
        st.session_state["model"] = request.models[0]
    name: str = st.session_state["model"]
    return name


def _ask_model(name: str) -> None:
    """Show a model that takes part; a name comes from the page, and another one is none of ours."""
    request: Request | None = st.session_state.get("request")
    if request is not None and name in request.models:
        _show_model(name)


def _show_model(name: str) -> None:
    st.session_state["model"] = name


def _chooser(request: Request) -> str:
    """A list of the models to choose from; a click on a bar of the chart chooses, too."""
    _shown_model(request)
    return st.selectbox(
        "Model",
        request.models,
        key="model",
        format_func=available_models.title,
        width=170,
        persist_state="session",
        label_visibility="collapsed",
    )


def comparison_so_far(a: Document, b: Document, snapshot: Snapshot) -> Comparison:
    """Everything that can be shown now: finished models, and the maps that the one at work has filled in so far."""
    if snapshot.comparison is None:
        return Comparison(a, b, (), (), (), {}, (), {})
    comparison, progress = snapshot.comparison, snapshot.progress
    if progress is None or not progress.partial:
        return comparison
    name = progress.model
    partial: dict[str, SimilarityMap] = {**comparison.maps.get(name, {}), **progress.partial}
    return replace(comparison, maps={**comparison.maps, name: partial})


def _verdict_bar(request: Request, snapshot: Snapshot, comparison: Comparison, origin: Origin | None) -> str:
    """Draw the verdict, or what stands in its place until there is one, and beside it what can be done.

    Returns:
        The model whose maps are to be shown.
    """
    ready = bool(comparison.results) and comparison.results[0].name == request.models[0]
    said = verdict(comparison) if ready else None
    if snapshot.error:
        st.error(escape_markdown(snapshot.error))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="strip"):
        with st.container(key="said", width="stretch"):
            unsettled = snapshot.state != "done"
            doing = _progress_text(request, snapshot, job(request).place()) if unsettled else ""
            if said is not None:
                detail = f"{said.means} {doing or _agreement(comparison)}".strip()
                status_line(said.headline, detail, testid="verdict", key="verdict")
            elif (so_far := _provisional(request, snapshot)) is not None:
                status_line(*provisional_verdict(so_far), testid="provisional", key="provisional")
            else:
                status_line(_STATES[snapshot.state], doing, testid="progress", key="progress")
        if said is not None:
            _reasons(said, request, comparison)
        if snapshot.active:
            st.button("Cancel", key="cancel", on_click=job(request).cancel)
        model = _chooser(request)
        if not snapshot.active and comparison.results:
            with st.popover("Export", icon=":material/download:"):
                downloads(comparison)
                if origin is not None:
                    copy_link("copy_link")
    return model


def _provisional(request: Request, snapshot: Snapshot) -> Provisional | None:
    """What the model that gives the verdict says of what it has read; None where another one is at work."""
    progress = snapshot.progress
    if not snapshot.active or progress is None or progress.model != request.models[0]:
        return None
    return progress.provisional


def _agreement(comparison: Comparison) -> str:
    """How many models say what the first one says, and what the others say."""
    said = Counter(word for score in comparison.results if (word := stance(score)))
    first = stance(comparison.results[0])
    if said.total() < 2 or not first:
        return ""
    if said[first] == said.total():
        return f"All {said.total()} models say {first}."
    others = ", ".join(f"{count} {word}" for word, count in said.items() if word != first)
    return f"{said[first]} of {said.total()} models say {first}, {others}."


def _reasons(said: Verdict, request: Request, comparison: Comparison) -> None:
    score = comparison.results[0]
    with st.popover("Why?", type="tertiary"):
        st.markdown(escape_markdown(f"{said.link} {said.basis}".strip()))
        st.markdown(page_texts.WHY)
    with st.popover("How sure?", type="tertiary"):
        if not score.no_verdict:
            slider()
        st.markdown(escape_markdown(said.caution))
        measured = (
            available_models.info(request.models[0])["profiles"].get(request.profile, {}).get("measured", {})
        )
        if score.profile is not None and {"accuracy", "pairs"} <= measured.keys():
            corpora = (
                describe_corpora(score.name, score.corpora) or "corpora that its checkpoint does not record"
            )
            st.markdown(
                escape_markdown(
                    f"{score.title} was right on {100 * measured['accuracy']:.0f} in 100 of "
                    f"{measured['pairs']:,.0f} labelled validation pairs of {corpora}."
                )
            )
        if comparison.runtime is not None:
            st.markdown(escape_markdown(f"The encoder ran on {comparison.runtime}."))


_STATES = {
    "waiting": "Getting ready …",
    "running": "Comparing …",
    "cancelled": "The comparison was cancelled.",
    "failed": "The comparison could not be finished.",
    "done": "Done.",
}


def _progress_text(request: Request, snapshot: Snapshot, place: QueuePlace | None) -> str:
    """The step in hand, or how the comparison ended before all was done, in words."""
    if snapshot.state == "waiting":
        return f"{queue_text(place) or 'Models are being loaded.'} Both texts can be read already."
    if snapshot.stopped is not None:
        ready = 0 if snapshot.comparison is None else len(snapshot.comparison.results)
        said = f"{snapshot.stopped.capitalize()} after {ready} of {len(request.models)} models."
        return f"{said} Press Compare to start again."
    if snapshot.progress is None:
        return "Both texts can be read already." if snapshot.active else ""
    return f"{available_models.title(snapshot.progress.model)}: {_step(snapshot.progress)}. {queue_text(place)}".strip()


def _step(progress: Progress) -> str:
    what = page_texts.STAGES.get(progress.stage, progress.stage.value)
    if progress.subject:
        what = f"{progress.subject}, {what}"
    return f"{what}, {progress.done:,} of {progress.total:,}" if progress.total > 1 else what


def _rows(request: Request, snapshot: Snapshot, comparison: Comparison) -> list[Row]:
    """Each model that takes part, in the order asked for: its score, or how far it is."""
    scores_by_name = {score.name: score for score in comparison.results}
    at_work = snapshot.progress.model if snapshot.progress else ""
    rows = []
    for name in request.models:
        state: str = snapshot.stopped or ("waiting" if snapshot.active else "not compared")
        if name == at_work and snapshot.progress is not None:
            state = _step(snapshot.progress)
        rows.append(Row(available_models.title(name), scores_by_name.get(name), state, name))
    return rows
