"""Results on the page, from the verdict to the passages, while they come in and when they are complete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import cast

import streamlit as st

from colde.comparison.fair_queue import QueuePlace
from colde.judge.profiles import DETECT, describe
from colde.models.validation_figures import ONE_NEW
from colde.report.formatting import share_percent
from colde.report.wording.disagreement import disagreement
from colde.report.wording.headline import StandardText
from colde.report.wording.verdict import Verdict, provisional_verdict, stance, verdict
from colde.report.wording.verdict_bar import verdict_bar
from colde.results.comparison import Comparison
from colde.results.model_score import Score
from colde.results.progress import Progress, Provisional
from colde.results.similarity_map import SimilarityMap
from colde.results.verdicts.prior import BALANCED
from colde.results.verdicts.verdict_words import as_ratio
from colde.text.document import Document
from colde_explorer_app.charts.score_chart import Row, scores, truncated
from colde_explorer_app.inputs import passage_exclusions
from colde_explorer_app.inputs.sample_cards import Origin
from colde_explorer_app.inputs.skipped_content import OnInclude, ignored_by_score, not_compared, warnings
from colde_explorer_app.linked_view import linked_view_edits
from colde_explorer_app.linked_view.linked_view_panel import texts, view
from colde_explorer_app.page_parts.page_texts import escape_markdown, page_text
from colde_explorer_app.page_parts.small_components import copy_link, status_line
from colde_explorer_app.results.downloads import downloads
from colde_explorer_app.session import available_models, session_restore, session_reviews
from colde_explorer_app.session.background_jobs import Snapshot
from colde_explorer_app.session.comparison_jobs import job
from colde_explorer_app.session.job_progress import POLL_SECONDS, counted_steps, queue_text, stage_text
from colde_explorer_app.session.state import PRIOR, SHOWN_MODEL, Comparing, Request, View, state

OnProfile = Callable[[str], None]
"""Called with the name of the profile by which the pair is to be judged instead."""

PRIORS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, BALANCED, 0.6, 0.7, 0.8, 0.9)
"""Expected shares of related pairs to choose from, finer where few pairs are related, as in most collections."""


def show(
    a: Document,
    b: Document,
    request: Request | None,
    origin: Origin | None,
    on_include: OnInclude,
    on_profile: OnProfile,
    *,
    was_running: bool,
) -> None:
    """Draw the results of a request; without one, the two texts alone.

    It is a fragment: a click in the view, or a look at the running job, draws nothing else again.

    Args:
        was_running: whether the job ran when the buttons were drawn, which have to follow its end.
    """
    st.fragment(_show, run_every=POLL_SECONDS if was_running else None)(
        a, b, request, origin, on_include, on_profile, was_running
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
    on_profile: OnProfile,
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
    comparison = comparison_so_far(a, b, snapshot).at_prior(PRIOR.get())
    if not snapshot.active and comparison.models:
        comparison = passage_exclusions.with_exclusions(comparison, request.key)
    model = _verdict_bar(request, snapshot, comparison, origin, on_profile)
    warnings(comparison)
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
            scores(score_rows(request, snapshot, comparison), model, SHOWN_MODEL.set)
            disagreements(comparison, is_complete=snapshot.state == "done")
            st.caption(" ".join(truncated(comparison.models)))
    if not snapshot.active:
        not_compared(comparison, on_include)
    with st.expander("How to read this"):
        st.markdown(page_text("reading"))
    session_reviews.refresh(a, b)
    session_restore.save_session(request)


def disagreements(comparison: Comparison, *, is_complete: bool) -> None:
    """Say where the models disagree, once all have answered: before, the sentences would change with each answer."""
    if is_complete:
        for sentence in disagreement(comparison):
            st.markdown(escape_markdown(sentence))


def _ask_model(name: str) -> None:
    """Show a model of the comparison; a name that comes from the page may be anything."""
    request = state(Comparing).request
    if request is not None and name in request.models:
        SHOWN_MODEL.set(name)


def _chooser(request: Request) -> str:
    """Draw the list of models; returns the one whose maps are shown, the first unless another is chosen."""
    if SHOWN_MODEL.get() not in request.models:
        SHOWN_MODEL.set(request.models[0])
    return st.selectbox(
        "Model",
        request.models,
        key=SHOWN_MODEL.key,
        format_func=available_models.title,
        width=170,
        persist_state="session",
        label_visibility="collapsed",
    )


def comparison_so_far(a: Document, b: Document, snapshot: Snapshot[Comparison]) -> Comparison:
    """What can be shown now: the finished models, and the maps of the running one so far."""
    if snapshot.result is None:
        return Comparison(a, b, (), (), (), {}, {})
    comparison, progress = snapshot.result, snapshot.progress
    if progress is None or not progress.partial:
        return comparison
    name = progress.model
    partial: dict[str, SimilarityMap] = {**comparison.maps.get(name, {}), **progress.partial}
    return replace(comparison, maps={**comparison.maps, name: partial})


def _verdict_bar(
    request: Request,
    snapshot: Snapshot[Comparison],
    comparison: Comparison,
    origin: Origin | None,
    on_profile: OnProfile,
) -> str:
    """Draw the verdict, or the progress until there is one, and the buttons beside it.

    Returns:
        The model whose maps are shown.
    """
    ready = bool(comparison.models) and comparison.models[0].name == request.models[0]
    standard = cast(StandardText, state(View).settings.get("standard", "apart"))
    judged = verdict(comparison, standard) if ready else None
    if snapshot.error:
        st.error(escape_markdown(snapshot.error))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="strip"):
        with st.container(key="said", width="stretch"):
            done = snapshot.state == "done"
            doing = "" if done else _progress_text(request, snapshot, job(request).place())
            if judged is not None:
                detail = " ".join(filter(None, (judged.related, judged.detail, doing)))
                bar = verdict_bar(comparison.models[0])
                status_line(judged.headline, detail, testid="verdict", key="verdict", bar=bar)
            elif (so_far := provisional(request, snapshot)) is not None:
                status_line(*provisional_verdict(so_far), testid="provisional", key="provisional")
            else:
                status_line(_STATES[snapshot.state], doing, testid="progress", key="progress")
        if judged is not None:
            _kind_chooser(request, comparison, on_profile)
            _reasons(judged, request, comparison)
        if snapshot.active:
            st.button("Cancel", key="cancel", on_click=job(request).cancel)
        model = _chooser(request)
        if not snapshot.active and comparison.models:
            with st.popover("Export", icon=":material/download:"):
                downloads(comparison, model)
                if origin is not None:
                    copy_link("copy_link")
    return model


def provisional(request: Request, snapshot: Snapshot[Comparison]) -> Provisional | None:
    """The provisional score of the model that gives the verdict; None while another one runs."""
    progress = snapshot.progress
    if not snapshot.active or progress is None or progress.model != request.models[0]:
        return None
    return progress.provisional


def _agreement(comparison: Comparison) -> str:
    counts = Counter(word for score in comparison.models if (word := stance(score)))
    first = stance(comparison.models[0])
    if counts.total() < 2 or not first:
        return ""
    if counts[first] == counts.total():
        return f"All {counts.total()} models say {first}."
    others = ", ".join(f"{count} {word}" for word, count in counts.items() if word != first)
    return f"{counts[first]} of {counts.total()} models say {first}, {others}."


def _kind_chooser(request: Request, comparison: Comparison, on_profile: OnProfile) -> None:
    """Draw the list of kinds by which the pair can be judged; another choice compares again."""
    key = f"judged_as_{request.key}"  # a new list after each choice

    def chosen() -> None:
        on_profile(st.session_state[key])

    choices = available_models.profile_choices()
    changed = st.selectbox(
        "Kind of documents",
        choices,
        index=choices.index(request.profile) if request.profile in choices else 0,
        key=key,
        format_func=lambda name: kind_title(name, comparison),
        on_change=chosen,
        width=240,
        label_visibility="collapsed",
        help="The kind decides what counts as related: its threshold and its probability are used. Another choice "
        "compares again.",
    )
    if changed != request.profile:
        st.rerun()  # the settings lie outside this fragment


def kind_title(profile: str, comparison: Comparison) -> str:
    """Title of a profile in the list; of `auto`, the kind that was recognised."""
    if profile != DETECT or comparison.kind is None:
        return available_models.profile_title(profile)
    kind = comparison.kind.profile
    return f"{available_models.AUTOMATIC}: {'no known kind' if kind is None else describe(kind).title}"


def _reasons(judged: Verdict, request: Request, comparison: Comparison) -> None:
    """Draw the two lists beside the verdict: its reason, and how reliable it is."""
    score = comparison.models[0]
    with st.popover("Why?", type="tertiary"):
        reasons = filter(None, (judged.strongest, judged.basis, ignored_by_score(comparison)))
        st.markdown(escape_markdown(" ".join(reasons)))
        st.markdown(page_text("why"))
    with st.popover("How sure?", type="tertiary"):
        if score.probability is not None:
            _prior_slider()
        for sentence in (judged.means, _agreement(comparison), judged.caution):
            if sentence:
                st.markdown(escape_markdown(sentence))
        if accuracy := _measured_accuracy(request, score):
            st.markdown(escape_markdown(accuracy))


def _prior_slider() -> None:
    """Ask for the share of related pairs; probabilities change at once, and nothing is compared again."""
    PRIOR.set_default(BALANCED)
    st.select_slider(
        "Of the pairs you usually compare, how many do you expect to be related?",
        PRIORS,
        key=PRIOR.key,
        format_func=as_ratio,
        persist_state="session",
        help="The probability was measured on pairs of which half were related. If fewer of your pairs "
        "are related, the same score gives a lower probability. Scores, thresholds and verdicts of "
        "the models do not change.",
    )


def _measured_accuracy(request: Request, score: Score) -> str:
    """How often the model was right on pairs with a new document, and the error of its probabilities; or empty."""
    figures, profile = available_models.figures(request.models[0]), score.profile
    if figures is None or profile is None or profile not in figures.blocks[ONE_NEW]:
        return ""
    measured = figures.blocks[ONE_NEW][profile]
    accuracy = measured.measures["accuracy"]
    documents = describe(profile).documents or "all kinds of documents"
    low, high = share_percent(accuracy.low), share_percent(accuracy.high)
    calibration = (
        " On average, its probabilities differed from the observed share of related pairs by "
        f"{100 * measured.calibration_error:.0f} percentage points; up to {100 * measured.by_chance:.0f} "
        "can be due to chance."
    )
    return (
        f"{score.title} was right on {share_percent(accuracy.value)} of {measured.pairs:,} labelled pairs of "
        f"{documents} with one document that it was not trained on (95 % interval: {low} to {high})."
        f"{calibration if score.probability is not None else ''}"
    )


_STATES = {
    "waiting": "Getting ready …",
    "running": "Comparing …",
    "cancelled": "The comparison was cancelled.",
    "failed": "The comparison could not be finished.",
    "done": "Done.",
}


def _progress_text(request: Request, snapshot: Snapshot[Comparison], place: QueuePlace | None) -> str:
    if snapshot.state == "waiting":
        return f"{queue_text(place) or 'Models are being loaded.'} You can already read both texts."
    if snapshot.stopped is not None:
        ready = 0 if snapshot.result is None else len(snapshot.result.models)
        ended = f"{snapshot.stopped.capitalize()} after {ready} of {len(request.models)} models."
        failed = "Change a document or the settings, then press Compare."
        return f"{ended} {failed if snapshot.stopped == 'failed' else 'Press Compare to start again.'}"
    if snapshot.progress is None:
        return "You can already read both texts." if snapshot.active else ""
    return f"{available_models.title(snapshot.progress.model)}: {_step(snapshot.progress)}. {queue_text(place)}".strip()


def _step(progress: Progress) -> str:
    text = stage_text(progress)
    return counted_steps(f"{progress.subject}, {text}" if progress.subject else text, progress)


def score_rows(request: Request, snapshot: Snapshot[Comparison], comparison: Comparison) -> list[Row]:
    """A row for each model, in the order of the request: its score, or its progress."""
    scores_by_name = {score.name: score for score in comparison.models}
    rows = []
    for name in request.models:
        text: str = snapshot.stopped or ("waiting" if snapshot.active else "not compared")
        if snapshot.progress is not None and name == snapshot.progress.model:
            text = _step(snapshot.progress)
        rows.append(Row(available_models.title(name), scores_by_name.get(name), text, name))
    return rows
