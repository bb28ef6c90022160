"""The page Models: figures on pairs of new documents, what each model is, and which have no weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from colde import models
from colde.judge.profiles import GENERAL, profile_table
from colde.models.base import PAPERS, Card
from colde.models.validation_figures import FEWEST_PAIRS, ONE_NEW, Figures
from colde.report.formatting import share_or_dash
from colde_explorer_app.charts import model_charts
from colde_explorer_app.charts.model_charts import BAR_MEANINGS, MEANINGS, MEASURES, Entry
from colde_explorer_app.charts.palette import draw_chart
from colde_explorer_app.page_parts.page_texts import documentation, page_text
from colde_explorer_app.session import available_models

USES: tuple[tuple[str, str, str], ...] = (
    ("A verdict, and why", "colde_words", "Subject, shared passages and distinctive words together."),
    ("Same topic in other words", "colde", "Compares what the passages say, and counts no words."),
    ("Shared wording, at once", "tfidf", "Counts words; every part of the score is a word you can see."),
    ("Names and rare terms", "bm25", "Counts words; rare names and terms count most."),
    ("A baseline without training", "minilm", "The sentence encoder alone, to see what training adds."),
)
"""What a reader may want, the model for it, and the reason."""

ANY_PAPER = "Any"
"""The choice beside the papers that shows all models."""

CARD = "model_card"
"""The model card of the first default model, in docs/."""


def page() -> None:
    """Draw the overview, then a closed section for each model in the order of the registry."""
    st.title("Models")
    st.markdown(page_text("models_about"))
    st.header("Which should I use?", anchor="which")
    st.table(recommendations(), hide_index=True)
    st.caption(page_text("models_measured"))
    with st.expander("All figures of all models", key="overview", on_change="rerun") as section:
        if section.open:
            _overview()
    st.header("Each model", anchor="each")
    paper = st.radio("Reported in paper", (ANY_PAPER, *PAPERS), key="paper", horizontal=True)
    for name, card in in_paper(available_models.cards(), paper).items():
        section = st.expander(card.title, key=f"model_{name}", on_change="rerun")
        if section.open:  # a page with fifteen charts would be slow
            with section:
                _model(name, card)
    _untrained(in_paper(available_models.untrained(), paper))
    st.header("Limits", anchor="limits")
    st.markdown(page_text("models_limits"))
    st.header("Licences", anchor="licences")
    st.markdown(page_text("models_licences"))


def recommendations() -> pd.DataFrame:
    """A row for each use: the model, its accuracy by profile, and the reason."""
    rows = []
    profiles = [profile for profile in profile_table() if profile != GENERAL]
    for want, name, why in USES:
        card = available_models.cards().get(name)
        if card is None:
            continue
        row = {"You want": want, "Model": f"**{card.title}**"}
        figures = available_models.figures(name)
        known = {} if figures is None else figures.blocks[ONE_NEW]
        for profile in profiles:
            accuracy = known[profile].measures["accuracy"].value if profile in known else None
            row[available_models.profile_title(profile)] = share_or_dash(accuracy)
        rows.append(row | {"What it does": why})
    return pd.DataFrame(rows)


def _overview() -> None:
    measured = {
        name: figures for name in available_models.cards() if (figures := available_models.figures(name))
    }
    if not measured:
        return
    block = st.radio(
        "New documents in a pair",
        key="block",
        options=list(model_charts.NEW),
        format_func=model_charts.NEW.__getitem__,
        horizontal=True,
    )
    entries = [_entry(name, figures, block) for name, figures in measured.items()]
    kinds, measures = st.columns([3, 2])
    profile = kinds.radio(
        "Documents",
        available_models.profiles(),
        key="documents",
        format_func=available_models.profile_title,
        horizontal=True,
    )
    measure = measures.radio("Measure", list(MEASURES), format_func=MEASURES.__getitem__, horizontal=True)
    ranked = model_charts.ranked(entries, profile, measure)
    if not ranked:
        st.caption(f"Fewer than {FEWEST_PAIRS} labelled pairs of these documents: too few for a figure.")
        return
    draw_chart(
        model_charts.chart(ranked, profile, measure),
        f"overview_{block}_{profile}_{measure}",
        alt=model_charts.alt_text(ranked, profile, measure),
    )
    st.caption(
        f"{MEANINGS[MEASURES[measure]]} Bars: {BAR_MEANINGS[MEASURES[measure]]}. All models judge the same pairs."
    )
    st.dataframe(
        model_charts.overview(ranked, profile),
        key="overview_table",
        hide_index=True,
        height="content",
        placeholder="",
        alt="All models: measures with 95 % intervals, pairs, size, time and training",
        column_config=_columns(),
    )


def _entry(name: str, figures: Figures, block: str) -> Entry:
    about = available_models.info(name)
    title = available_models.title(name)
    return Entry(title, figures.blocks[block], about["parameters"] or 0, figures.seconds, about["training"])


def _model(name: str, card: Card) -> None:
    about, figures = available_models.info(name), available_models.figures(name)
    st.markdown(f"**The score.** {card.score_means}")
    if card.explains:
        st.markdown(f"**The explanation.** {card.explains}")
    facts = [f"Explains: {', '.join(card.levels)}", card.source]
    if about["parameters"]:
        facts.insert(1, f"{about['parameters'] / 1e6:.1f} M parameters")
    st.caption(" · ".join(facts))
    thresholds = {profile: values["threshold"] for profile, values in about["profiles"].items()}
    if figures is None:
        table = pd.DataFrame(
            {"Documents": available_models.profile_title(p), "Threshold": t} for p, t in thresholds.items()
        )
    else:
        table = model_charts.by_profile(figures, thresholds)
    if not table.empty:
        st.dataframe(
            table,
            key=f"figures_{name}",
            hide_index=True,
            width="content",
            alt=f"Figures of {card.title}",
            column_config=_columns(),
        )
    if figures is not None and GENERAL in figures.blocks[ONE_NEW]:
        st.markdown("**Calibration**, all kinds of documents, one document of each pair is new")
        draw_chart(
            model_charts.reliability(figures.blocks[ONE_NEW][GENERAL]),
            f"reliability_{name}",
            width=420,
            alt=f"Calibration of {card.title}: stated probability against the share that was related",
        )
    if name == models.DEFAULTS[0]:
        with st.popover("Model card"):
            st.markdown(documentation(CARD))


def in_paper(cards: Mapping[str, Card], paper: str) -> dict[str, Card]:
    """The models in a paper's tables of results, or all of them."""
    return {name: card for name, card in cards.items() if paper == ANY_PAPER or paper in card.tables}


def _untrained(missing: Mapping[str, Card]) -> None:
    """Draw the list of models without weights, so that nobody looks for their scores."""
    if not missing:
        return
    st.header("Not trained", anchor="not-trained")
    st.markdown(
        "This version has no weights for these models, so they cannot be chosen for a comparison. `colde "
        "train NAME` trains one. If its code is missing, run this in a checkout of the repository."
    )
    st.dataframe(
        pd.DataFrame(
            {"Name": name, "Model": card.title, "Source": card.source, "Missing": models.missing(name)}
            for name, card in missing.items()
        ),
        key="untrained",
        hide_index=True,
        width="content",
        alt="Models without weights",
    )


def _columns() -> dict[str, Any]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    measures = {title: text(help=f"{m} In brackets the 95 % interval.") for title, m in MEANINGS.items()}
    return {
        **measures,
        "Threshold": number(format="%.3f", help="A pair that reaches this score is called related."),
        "New": text(help="Documents of a pair that were in no training pair."),
        "Pairs": number(format="localized", help="Labelled pairs behind these figures."),
        "Parameters": number(
            format="compact", help="Parameters of the model, including those of a frozen encoder."
        ),
        "Seconds a document": number(format="%.2f", help="To read a paper of about ten pages, on one core."),
        "Seconds a pair": number(
            format="%.3f", help="To compare two such papers that are already read, on one core."
        ),
        "Trained on": number(format="compact", help="Tokens seen in training."),
        "Minutes": number(
            format="%.0f", help="Training time, on one processor core unless another is named."
        ),
    }
