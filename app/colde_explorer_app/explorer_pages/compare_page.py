"""The page Compare: two documents in, their similarities out."""

from __future__ import annotations

import time
from typing import Literal

import streamlit as st

from colde.corpus.samples import Sample, sample_named
from colde.judge.profiles import DETECT
from colde.report.formatting import shorten_apart
from colde.text.document import Document, Role
from colde_explorer_app.charts.palette import side_label
from colde_explorer_app.inputs import (
    encoder_chooser,
    passage_exclusions,
    reference_dialog,
    sample_cards,
    sections_dialog,
    template_files,
    uploads,
)
from colde_explorer_app.inputs.skipped_content import include_chooser
from colde_explorer_app.linked_view import linked_view_edits, view_link
from colde_explorer_app.linked_view.linked_view_component import SETTINGS, clean
from colde_explorer_app.page_parts.page_texts import escape_markdown, page_text, page_title
from colde_explorer_app.results import results_panel
from colde_explorer_app.session import available_models, session_limits, session_restore, session_reviews
from colde_explorer_app.session.comparison_jobs import discard_job, job
from colde_explorer_app.session.document_source import SIDES, Source
from colde_explorer_app.session.session_documents import include, included_roles, read, source_of
from colde_explorer_app.session.state import (
    INCLUDED_ROLES,
    MODELS,
    PROFILE,
    SHOWN_MODEL,
    Comparing,
    Inputs,
    ReferenceState,
    Request,
    View,
    state,
)

MAX_NAME = 60  # characters of a document's name in the bar

ButtonWeight = Literal["secondary", "tertiary"]
"""How much a button stands out."""

INTRODUCTION = (
    "Compare two long documents, and see why they are similar: section by section, down to the sentence."
)


def page() -> None:
    """Draw the page: inputs, buttons, then samples or results.

    With results, the inputs are folded. They stay in the page, hidden: an input that left it would lose its file.
    """
    _restore_from_link()
    if linked_view_edits.consume_done():
        _compare_again()
    documents = uploads.documents()
    if documents is not None:
        st.set_page_config(page_title=page_title(*(d.title or d.source for d in documents)))
    # the view stays while its sections are edited
    shown = (documents is not None and current() is not None) or linked_view_edits.for_view() is not None
    folded = shown and not state(Comparing).inputs_open
    with st.container(key="inputs"):  # always the same one: a file input that is drawn anew loses an upload
        about = "about_folded" if folded else "about" if documents is not None else "about_empty"
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key=about):
            st.title("CoLDE Explorer", anchor=False, width="content")
            st.caption(INTRODUCTION)
        uploads.inputs()
        if documents is not None:
            with st.popover("Samples", icon=":material/auto_stories:", type="tertiary"):
                sample_cards.cards(_compare_sample)
    sections_dialog.dialog(closed=_compare_again)
    reference_dialog.dialog()
    request = current()
    running = request is not None and job(request).snapshot().active
    _controls(ready=documents is not None, shown=shown, folded=folded)
    if documents is None:
        _first_screen()
    else:
        results_panel.show(
            *documents, request, sample_cards.origin(), _include, _judge_as, was_running=running
        )
    session_restore.save_session(request)


def current() -> Request | None:
    """The request whose results are shown: the last one, as long as its two documents are in."""
    request = state(Comparing).request
    return request if request is not None and request.pair == uploads.pair() else None


def _controls(*, ready: bool, shown: bool, folded: bool) -> None:
    """Draw the bar of buttons, with the names of the two documents if their inputs are folded."""
    weight: ButtonWeight = "tertiary" if folded else "secondary"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="bar"):
        if folded:
            sources = [source for side in SIDES if (source := source_of(side)) is not None]
            for side, name in zip(SIDES, _names(*sources), strict=False):
                st.markdown(f"{side_label(side)} {name}", width="stretch")
        _input_buttons(weight, ready=ready, shown=shown, folded=folded)
        if not available_models.cards():
            st.caption("No trained model is installed, so nothing can be compared yet.")
            return
        with st.popover("Settings", icon=":material/tune:", type=weight):
            _settings(with_profile=folded)
        with st.popover("Review", icon=":material/rate_review:", type=weight):
            session_reviews.panel(uploads.documents(), _compare_sources)
        if not folded:
            _profile_chooser(label=False)
            reference_dialog.opener()
            template_files.chooser()
        shown_request = current()
        if any(shown_request is None or old.key != shown_request.key for old in state(Comparing).recent):
            with st.popover("Recent", icon=":material/history:", type=weight):
                _recent_list()
    if not folded and (meaning := available_models.profile_meaning(PROFILE.get() or DETECT)):
        st.caption(meaning)


def _input_buttons(weight: ButtonWeight, *, ready: bool, shown: bool, folded: bool) -> None:
    can_compare = ready and bool(available_models.cards()) and uploads.comparable()
    with st.container(key="nothing_new" if _is_up_to_date() else "new", width="content"):
        st.button("Compare", type="primary", key="compare", disabled=not can_compare, on_click=_compare)
    if shown:
        label = "Change" if folded else "Hide the inputs"
        st.button(label, key="change", type=weight, on_click=_set_inputs_open, args=(folded,))
    st.button(
        "Swap" if folded else "Swap A and B",
        key="swap",
        type=weight,
        icon=":material/swap_horiz:",
        disabled=not ready,
        on_click=_swap,
    )


def _is_up_to_date() -> bool:
    request = _request()
    return request is not None and request == current() and not results_panel.stopped(request)


def _set_inputs_open(is_open: bool) -> None:
    state(Comparing).inputs_open = is_open


def _profile_chooser(*, label: bool) -> None:
    """Draw the choice of the kind of documents: in the bar, or in the settings if the inputs are folded."""
    PROFILE.set_default(DETECT)
    st.selectbox(
        "Kind of documents",
        available_models.profile_choices(),
        key=PROFILE.key,
        format_func=available_models.profile_title,
        persist_state="session",
        width="stretch" if label else 240,
        label_visibility="visible" if label else "collapsed",
        help="What counts as related depends on the kind: papers cite each other, articles treat "
        "neighbouring subjects. The kind sets the threshold, and the unrelated pairs with which a "
        "pair is compared. Automatic: it is recognised from both documents. If the model was not calibrated "
        "on this kind, there is no probability.",
    )


def _settings(*, with_profile: bool) -> None:
    MODELS.set_default(list(available_models.defaults()))
    if with_profile:
        _profile_chooser(label=True)
        reference_dialog.opener()
        template_files.chooser()
    st.multiselect(
        "Models",
        list(available_models.cards()),
        key=MODELS.key,
        format_func=available_models.title,
        persist_state="session",
        max_selections=session_limits.MAX_MODELS,
        help=f"The first one gives the verdict. At most {session_limits.MAX_MODELS}.",
    )
    encoder_chooser.chooser()
    include_chooser(_compare_again)
    passage_exclusions.chooser()


def _request() -> Request | None:
    sources = uploads.sources()
    if sources is None:
        return None
    names = tuple(MODELS.get() or available_models.defaults())
    profile = PROFILE.get() or DETECT
    return Request(
        *sources,
        names,
        profile,
        included_roles(),
        state(ReferenceState).current,
        state(Inputs).templates,
        encoder_chooser.chosen(),
    )


def _compare() -> None:
    request, comparing = _request(), state(Comparing)
    if request is None or not uploads.comparable():
        return
    shown = current()
    if shown is not None and shown.key == request.key and results_panel.stopped(request):
        discard_job(request)  # a cancelled or failed job must not answer for a new press of the button
    if comparing.request is not None and set(comparing.request.pair[:2]) != set(request.pair[:2]):
        state(View).settings.pop("tab", None)  # another pair opens on its own first tab
    linked_view_edits.close()
    comparing.request = request
    comparing.inputs_open = False
    kept = session_limits.latest([request, *comparing.recent])
    kept_keys = {request.key for request in kept}
    for old in comparing.recent:
        if old.key not in kept_keys:
            discard_job(old)
    comparing.recent = kept


def _compare_again() -> None:
    """Compare again after a change of what is compared, if the two files were compared before."""
    old, sources = state(Comparing).request, uploads.sources()
    if old is None or sources is None or [old.a.file, old.b.file] != [source.file for source in sources]:
        return
    if old.pair != uploads.pair():
        if job(old).snapshot().active:
            job(old).cancel()
        _compare()


def _include(role: Role) -> None:
    include(role)
    _compare_again()


def _judge_as(profile: str) -> None:
    """Compare the pair that is shown by another profile; Streamlit may report a choice that nobody has made."""
    shown = current()
    if shown is not None and profile != shown.profile:
        PROFILE.set(profile)
        _compare()


def _swap() -> None:
    again = current() is not None
    uploads.swap()
    if again:
        _compare()


def _first_screen() -> None:
    st.caption(page_text("privacy"))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header("Or try an example", anchor=False, width="content")
        st.button(
            "Take the 1-minute tour", key="tour_button", icon=":material/explore:", on_click=_start_tour
        )
    sample_cards.cards(_compare_sample)


def _start_tour() -> None:
    """Compare a sample, and start the tour of the view when it has a map."""
    _compare_sample(sample_named("lighthouse"))
    request = state(Comparing).request
    if request is not None:
        state(Comparing).tour, state(Comparing).tour_pair = time.time_ns() // 1_000_000, request.pair


def _compare_sample(sample: Sample) -> None:
    sample_cards.load(sample)
    _compare()


def _compare_sources(a: Source, b: Source) -> None:
    uploads.use(a, b)
    _compare()


def _recent_list() -> None:
    st.caption(session_limits.retention_notice())
    for request in state(Comparing).recent:
        kind = available_models.profile_title(request.profile)
        st.button(
            " × ".join(_names(request.a, request.b)),
            key=f"recent_{request.key}",
            type="tertiary",
            help=f"{kind}; {', '.join(map(available_models.title, request.models))}",
            on_click=_reopen,
            args=(request,),
        )


def open_pair(a: Source, b: Source, names: tuple[str, ...], profile: str) -> None:
    """Put in two documents of another page, and compare them with its models and profile."""
    state(Comparing).link_applied = True
    MODELS.set(list(names))
    PROFILE.set(profile)
    _compare_sources(a, b)


def _names(*sources: Source) -> list[str]:
    """Titles of documents, or names of their files; file and title where the titles are the same."""
    documents = [read(source) for source in sources]
    titles = [d.title if isinstance(d, Document) else "" for d in documents]
    same = len(set(titles)) < len(titles)
    names = [
        f"{source.name}: {title}" if title and same else title or source.name
        for source, title in zip(sources, titles, strict=True)
    ]
    return [escape_markdown(name) for name in shorten_apart(names, MAX_NAME)]


def _reopen(request: Request) -> None:
    uploads.use(request.a, request.b)
    INCLUDED_ROLES.set(list(request.include))
    state(Inputs).templates = request.templates
    state(Comparing).request = request
    state(Comparing).inputs_open = False


def _restore_from_link() -> None:
    """Show what the address asks for, once, at the start of a session."""
    if state(Comparing).link_applied:
        return
    state(Comparing).link_applied = True
    requested = view_link.read(st.query_params)
    if requested is None or not available_models.cards():
        return
    sample_cards.load(requested.sample, swapped=requested.swapped)
    if requested.profile in available_models.profile_choices():
        PROFILE.set(requested.profile)
    SHOWN_MODEL.set(requested.model)
    settings = clean(requested.view)
    state(View).requested_exclusions = settings.pop("out", "")
    state(View).settings = settings
    selection = {name: value for name, value in (requested.view or {}).items() if name not in SETTINGS}
    state(View).requested_selection = selection or None
    _compare()
