"""The page of known errors: the most confident ones on validation pairs, and their common traits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from colde import strict_json
from colde.assets import asset
from colde.ingest.reading_limits import MEBIBYTE
from colde.judge.profiles import describe
from colde.report.formatting import share_percent
from colde.results.verdicts.verdict_words import percent
from colde.strict_json import JsonError
from colde_explorer_app.page_parts.page_texts import escape_markdown, page_text
from colde_explorer_app.page_parts.thumbnails import matrix_svg

FILE = "mistakes.json"
MEANINGS = {
    "unrelated": "Labelled unrelated, called related by the model.",
    "related": "Labelled related, called unrelated by the model.",
}
SORTS = {"unrelated": "False positives", "related": "False negatives"}


def page() -> None:
    """Draw the errors of a model on documents of one kind."""
    st.title("Known errors")
    st.markdown(page_text("mistakes_about"))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        choice = st.container(horizontal=True, gap="medium", width="stretch")
        results = _uploaded_results() or _bundled()
    models: Mapping[str, Any] = results.get("models", {})
    if not models:
        st.info("Nothing was measured yet.")
        return
    with choice:
        name = st.selectbox("Model", list(models), format_func=lambda n: models[n]["title"], width=220)
        profiles = models[name]["profiles"]
        profile = st.radio(
            "Documents", list(profiles), format_func=lambda p: describe(p).title, horizontal=True
        )
    if profile is not None:
        _profile(profiles[profile])


def _uploaded_results() -> dict[str, Any] | None:
    with st.popover("Load my own results"):
        st.markdown(page_text("mistakes_file"))
        file = st.file_uploader(
            "mistakes.json",
            type="json",
            label_visibility="collapsed",
            key="mistakes_file",
            max_upload_size=strict_json.MAX_FILE_BYTES // MEBIBYTE,
        )
    if file is None:
        return None
    from colde.evaluation.known_errors import MistakesFile  # imported on use: the first page loads fast

    try:
        data = file.getvalue()
        strict_json.check_size(data, strict_json.MAX_FILE_BYTES)
        strict_json.decode(data, MistakesFile)
        return strict_json.decode_object(data)
    except JsonError as error:
        st.error(f"This file was not written by `colde mistakes --json`: {escape_markdown(str(error))}.")
        return None


@cache
def _bundled() -> dict[str, Any]:
    path = asset(FILE)
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _profile(errors: Mapping[str, Any]) -> None:
    related, pairs = errors["related"], errors["pairs"]
    st.markdown(
        f"Of {related:,} related pairs the model missed {errors['missed']:,}; of {pairs - related:,} unrelated pairs "
        f"it called {errors['called']:,} related."
    )
    for column, (label, title) in zip(st.columns(2, gap="large"), SORTS.items(), strict=True):
        shown = [example for example in errors["shown"] if example["label"] == label]
        if not shown:
            continue
        with column:
            st.header(title, anchor=label)
            st.caption(MEANINGS[label])
            for example in shown:
                _draw_pair(example)
    st.header("What they have in common", anchor="common")
    st.markdown(page_text("mistakes_traits"))
    st.dataframe(
        common(errors),
        key="mistakes_common",
        hide_index=True,
        width="content",
        height="content",
        alt="Mistakes by trait",
        column_config={
            end: st.column_config.NumberColumn(format="localized", width=80) for end in ("From", "To")
        },
    )


def _draw_pair(example: Mapping[str, Any]) -> None:
    picture = _picture(example["map"])
    small, words = st.columns((1, 6), vertical_alignment="center", gap="small")
    if picture:
        small.image(picture, width=72, alt="Map of the sections of both documents; stronger is more similar")
    words.markdown(_title(example))


def _picture(values: Any) -> str | None:
    """The small map; None where there is none.

    Raises:
        ValueError: the values are no small map.
    """
    if not values:
        return None
    from colde.evaluation.known_errors import MAX_MAP_CELLS  # imported on use: the first page loads fast

    shares = np.array(values, dtype=np.float64)
    if shares.ndim != 2 or max(shares.shape) > MAX_MAP_CELLS:
        raise ValueError("no small map")
    return matrix_svg(np.nan_to_num(shares))


def _title(example: Mapping[str, Any]) -> str:
    a, b = (escape_markdown(str(title)) for title in example["titles"])
    seen = {None: "", 0: "", 1: ", one of them in no training pair", 2: ", neither in a training pair"}
    words = " and ".join(f"{int(n):,}" for n in example["words"])
    return (
        f"**{a}** ↔ **{b}**  \nprobability of being related {percent(float(example['probability']))} %, score "
        f"{float(example['score']):.2f}; {words} words; TF-IDF cosine {float(example['shared']):.2f}"
        f"{seen[example['unseen']]}"
    )


def common(errors: Mapping[str, Any]) -> pd.DataFrame:
    """A row for each group: shares of related pairs that were missed, and of others that were called related."""
    from colde.evaluation.known_errors import TRAITS

    return pd.DataFrame(
        {
            "Trait": TRAITS.get(name, name),
            "From": group["from"],
            "To": group["to"],
            "Missed": _share(group["missed"]),
            "Called related": _share(group["called"]),
        }
        for name, groups in errors["common"].items()
        for group in groups
    )


def _share(counts: Mapping[str, Any]) -> str:
    if not counts["of"]:
        return "–"
    share = share_percent(counts["wrong"] / counts["of"])
    return f"{share} ({100 * counts['low']:.0f}–{100 * counts['high']:.0f}) of {counts['of']:,}"
