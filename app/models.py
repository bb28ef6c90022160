"""Models: what each is, what it measured on validation pairs, and what it cannot do."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app import choices
from colde import models
from colde.models.base import Card

FIGURES = {
    "accuracy": ("Accuracy", "Share of validation pairs judged as labelled."),
    "f1": ("F1", "Harmonic mean of precision and recall of “similar”."),
    "auc": ("ROC AUC", "Chance that a similar pair scores above one that is not; 0.5 is guessing."),
    "ece": ("Calibration error", "Mean distance between stated probability and observed share; 0 is best."),
    "pairs": ("Pairs", "Labelled validation pairs behind these figures."),
}

LIMITS = """
- The encoder behind CoLDE and MiniLM was trained on English; for other languages nothing has been measured.
- A threshold holds for documents like those it was measured on. For other kinds, trust the passages more than
  the verdict.
- The figures say how often a method is right over many pairs, not whether it is right about yours.
"""

LICENCES = """
- The program, its sample texts and the thresholds: MIT.
- CoLDE’s weights were trained on ACL Anthology papers (CC BY 4.0), Wikipedia for Schools (CC BY-SA, GFDL),
  Python Enhancement Proposals (public domain, CC0) and OpenStax textbooks (CC BY 4.0).
- The encoder is all-MiniLM-L6-v2 (Apache 2.0).
"""


def page() -> None:
    """One section a model, in the order of the registry."""
    st.title("Models")
    st.markdown(
        "Each method reads both documents in its own way and scores on its own scale. "
        "The figures come from labelled validation pairs that were not used for training."
    )
    for name, card in choices.cards().items():
        with st.container(border=True):
            _model(name, card)
    st.subheader("Limits", anchor="limits")
    st.markdown(LIMITS)
    st.subheader("Licences", anchor="licences")
    st.markdown(LICENCES)


def _model(name: str, card: Card) -> None:
    about = choices.info(name)
    st.subheader(card.title, anchor=name)
    st.markdown(f"**The score.** {card.score_means}")
    if card.explains:
        st.markdown(f"**The explanation.** {card.explains}")
    facts = [f"Explains: {', '.join(card.levels)}", card.source]
    if about["parameters"]:
        facts.insert(1, f"{about['parameters'] / 1e6:.1f} million parameters")
    st.caption(" · ".join(facts))
    measured = figures(about["profiles"])
    if not measured.empty:
        st.dataframe(
            measured,
            key=f"figures_{name}",
            hide_index=True,
            width="content",
            alt=f"Validation figures of {card.title}",
            column_config={
                column: st.column_config.NumberColumn(
                    column, help=help_, format="%d" if column == "Pairs" else "%.3f"
                )
                for column, help_ in FIGURES.values()
            }
            | {"Threshold": st.column_config.NumberColumn(format="%.3f")},
        )
    written = models.checkpoint(name) / "card.md"
    if written.is_file():
        with st.expander("Model card"):
            st.markdown(written.read_text(encoding="utf-8"))


def figures(profiles: dict[str, dict[str, object]]) -> pd.DataFrame:
    """One row a profile: its threshold, and what was measured; only figures that exist."""
    rows = []
    for profile, values in profiles.items():
        measured = values.get("measured") or {}
        assert isinstance(measured, dict)
        row = {"Documents": choices.PROFILES.get(profile, profile), "Threshold": values["threshold"]}
        row |= {column: measured[key] for key, (column, _) in FIGURES.items() if key in measured}
        rows.append(row)
    return pd.DataFrame(rows)
