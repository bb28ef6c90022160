"""Compare: two documents in, and what makes them alike."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from colde.corpus.samples import samples
from colde.text.document import Document, Role
from colde.text.section_edits import PLURALS
from colde_explorer_app import (
    available_models,
    linked_view_edits,
    match_exclusions,
    reference_dialog,
    reference_in_use,
    results_panel,
    sample_cards,
    sections_dialog,
    session_limits,
    session_restore,
    session_reviews,
    uploads,
    view_link,
)
from colde_explorer_app.comparison_jobs import Request, discard_job, job, session
from colde_explorer_app.document_source import SIDES, Side, included_roles, read, source_of
from colde_explorer_app.linked_view_component import SETTINGS, clean
from colde_explorer_app.markdown_escape import escape_markdown
from colde_explorer_app.palette import side_label
from colde_explorer_app.tab_store import tab_token

ButtonWeight = Literal["secondary", "tertiary"]
"""How much a button stands out."""

INTRODUCTION = (
    "Compare two long documents, and see why they are alike: section by section, down to the sentence."
)


def page() -> None:
    """The page from top to bottom: inputs, what to do with them, samples or results.

    Once there are results, the inputs fold away. They stay in the page, hidden: an input that left it would lose its
    file.
    """
    tab_token(session())
    session_restore.restore_session()
    _restore_from_link()
    if linked_view_edits.consume_done():
        _compare_again()
    documents = uploads.documents()
    # the view stays where it is while its sections are put right
    shown = (documents is not None and current() is not None) or linked_view_edits.for_view() is not None
    folded = shown and not st.session_state.get("changing")
    with st.container(
        key="inputs_folded" if folded else "inputs" if documents is not None else "inputs_empty"
    ):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="about"):
            st.title("CoLDE Explorer", anchor=False, width="content")
            st.caption(INTRODUCTION)
        uploads.inputs()
        if documents is not None:
            with st.popover("Samples", icon=":material/auto_stories:", type="tertiary"):
                _samples()
    sections_dialog.dialog(closed=_compare_again)
    reference_dialog.dialog()
    _controls(ready=documents is not None, shown=shown, folded=folded)
    if documents is None:
        _first_screen()
    else:
        results_panel.show(*documents, current(), sample_cards.origin(), on_include=_include)
    session_restore.save_session(current())


def current() -> Request | None:
    """The request whose results are shown: the last one, as long as its two documents are in."""
    request: Request | None = st.session_state.get("request")
    return request if request is not None and request.pair == uploads.pair() else None


def _controls(*, ready: bool, shown: bool, folded: bool) -> None:
    """Draw the bar: which documents are compared, where their inputs are folded away, and what to do with them."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="bar"):
        if folded:
            for side in SIDES:
                st.markdown(f"{side_label(side)} {_chosen_name(side)}", width="stretch")
        can_compare = ready and bool(available_models.cards()) and uploads.short_enough()
        with st.container(key="nothing_new" if _is_up_to_date() else "new", width="content"):
            st.button("Compare", type="primary", key="compare", disabled=not can_compare, on_click=_compare)
        weight: ButtonWeight = "tertiary" if folded else "secondary"
        if shown:
            st.button(
                "Change" if folded else "Hide the inputs",
                key="change",
                type=weight,
                on_click=_set_inputs_open,
                args=(folded,),
            )
        st.button(
            "Swap" if folded else "Swap A and B",
            key="swap",
            type=weight,
            icon=":material/swap_horiz:",
            disabled=not ready,
            on_click=_swap,
        )
        if not available_models.cards():
            st.caption("No trained model is installed, so nothing can be compared yet.")
            return
        with st.popover("Settings", icon=":material/tune:", type=weight):
            _settings(kind=folded)
        with st.popover("Review", icon=":material/rate_review:", type=weight):
            session_reviews.opener(_compare_sources)
        if not folded:
            _profile_chooser(label=False)
            st.caption(available_models.profile_meaning(st.session_state["profile"]))
            reference_dialog.opener()
        if len(_recent()) > 1:
            with st.popover("Recent", icon=":material/history:", type=weight):
                _recent_list()


def _is_up_to_date() -> bool:
    """Whether the results on the page are those of everything as it is chosen now: nothing is left to compare."""
    asked = _request()
    return asked is not None and asked == current() and not results_panel.stopped(asked)


def _set_inputs_open(changing: bool) -> None:
    """Bring the inputs back while results are shown, or fold them away again."""
    st.session_state["changing"] = changing


def _profile_chooser(*, label: bool) -> None:
    """Draw the choice of the kind of documents: in the bar, or among the settings where the inputs are folded away."""
    st.session_state.setdefault("profile", available_models.profiles()[0])
    st.selectbox(
        "Kind of documents",
        available_models.profiles(),
        key="profile",
        format_func=available_models.profile_title,
        persist_state="session",
        width="stretch" if label else 240,
        label_visibility="visible" if label else "collapsed",
        help="What counts as related differs: papers that cite each other are one thing, articles on "
        "neighbouring subjects another. This chooses the threshold and the background of unrelated pairs.",
    )


def _settings(*, kind: bool) -> None:
    st.session_state.setdefault("taking_part", list(available_models.defaults()))
    if kind:
        _profile_chooser(label=True)
        reference_dialog.opener()
    st.multiselect(
        "Take part",
        list(available_models.cards()),
        key="taking_part",
        format_func=available_models.title,
        persist_state="session",
        max_selections=session_limits.MAX_MODELS,
        help=f"The first one gives the verdict. At most {session_limits.MAX_MODELS}.",
    )
    st.multiselect(
        "Include what was set aside",
        list(PLURALS),
        key="include",
        format_func=lambda role: PLURALS[role][:1].upper() + PLURALS[role][1:],
        on_change=_compare_again,
        persist_state="session",
        placeholder="Nothing",
        help="In reading, these are recognised and set aside: shown, but not compared. Choose what shall be "
        "compared, too, in both documents. A comparison on the page runs again. Page numbers and running heads "
        "are never compared.",
    )
    match_exclusions.chooser()


def _request() -> Request | None:
    chosen_sources = uploads.sources()
    if chosen_sources is None:
        return None
    names = tuple(st.session_state.get("taking_part") or available_models.defaults())
    profile = st.session_state.get("profile", available_models.profiles()[0])
    return Request(*chosen_sources, names, profile, included_roles(), reference_in_use.current_reference())


def _compare() -> None:
    request = _request()
    if request is None:
        return
    discard_if_stopped(request)
    linked_view_edits.close()
    st.session_state["request"] = request
    st.session_state["changing"] = False
    recent = [request, *(old for old in _recent() if old.key != request.key)]
    count = session_limits.kept_count((old.a, old.b) for old in recent)
    for old in recent[count:]:
        discard_job(old)
    st.session_state["recent"] = recent[:count]


def _compare_again() -> None:
    """Compare again after a change to what is compared, where these two files were compared before."""
    old: Request | None = st.session_state.get("request")
    chosen_sources = uploads.sources()
    if (
        old is None
        or chosen_sources is None
        or (old.a.file, old.b.file) != (chosen_sources[0].file, chosen_sources[1].file)
    ):
        return
    if old.pair != uploads.pair():
        if job(old).snapshot().active:
            job(old).cancel()
        _compare()


def _include(role: Role) -> None:
    """Compare what was set aside under a role, too, from now on."""
    st.session_state["include"] = [*included_roles(), role]
    _compare_again()


def discard_if_stopped(request: Request) -> None:
    """A cancelled or failed job must not answer for a new press of the button."""
    shown = current()
    if shown is not None and shown.key == request.key and results_panel.stopped(request):
        discard_job(request)


def _swap() -> None:
    again = current() is not None
    uploads.swap()
    if again:
        _compare()


def _first_screen() -> None:
    st.caption(sample_cards.PRIVACY)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header("Or look at a pair that is ready", anchor=False, width="content")
        st.button("A guided minute", key="tour_button", icon=":material/explore:", on_click=_start_tour)
    _samples()


def _start_tour() -> None:
    """Begin with the first sample, and walk through the view when it is ready."""
    st.session_state["tour"] = st.session_state.get("tour", 0) + 1
    _compare_sample(samples()[0])


def _samples() -> None:
    sample_cards.cards(_compare_sample)


def _compare_sample(sample: sample_cards.Sample) -> None:
    sample_cards.load(sample)
    _compare()


def _compare_sources(a: sample_cards.Source, b: sample_cards.Source) -> None:
    uploads.use(a, b)
    _compare()


def _recent() -> list[Request]:
    recent: list[Request] = st.session_state.get("recent", [])
    return recent


def _recent_list() -> None:
    st.caption(session_limits.retention_notice())
    for request in _recent():
        names = [_name(source) for source in (request.a, request.b)]
        kind = available_models.profile_title(request.profile)
        st.button(
            f"{names[0]} × {names[1]}",
            key=f"recent_{request.key}",
            type="tertiary",
            help=f"{kind}; {', '.join(map(available_models.title, request.models))}",
            on_click=_reopen,
            args=(request,),
        )


def open_pair(a: sample_cards.Source, b: sample_cards.Source, names: tuple[str, ...], profile: str) -> None:
    """Put in two documents that another page has found, and compare them as it did."""
    uploads.use(a, b)
    st.session_state["restored"] = True
    st.session_state["taking_part"] = list(names)
    st.session_state["profile"] = profile
    _compare()


def _chosen_name(side: Side) -> str:
    source = source_of(side)
    return "" if source is None else _name(source)


def _name(source: sample_cards.Source) -> str:
    document = read(source)
    return escape_markdown(
        document.title if isinstance(document, Document) and document.title else source.name
    )


def _reopen(request: Request) -> None:
    uploads.use(request.a, request.b)
    st.session_state["include"] = list(request.include)
    st.session_state["request"] = request
    st.session_state["changing"] = False


def _restore_from_link() -> None:
    """Show what the address asks for, once, at the start of a session."""
    if "restored" in st.session_state:
        return
    st.session_state["restored"] = True
    wanted = view_link.read(st.query_params)
    if wanted is None or not available_models.cards():
        return
    sample_cards.load(wanted.sample, swapped=wanted.swapped)
    if wanted.profile in available_models.profiles():
        st.session_state["profile"] = wanted.profile
    st.session_state["model"] = wanted.model
    settings = clean(wanted.view)
    st.session_state["wanted_out"] = settings.pop("out", "")
    st.session_state["view_settings"] = settings
    selection = {name: value for name, value in (wanted.view or {}).items() if name not in SETTINGS}
    st.session_state["wanted_view"] = selection or None
    _compare()
