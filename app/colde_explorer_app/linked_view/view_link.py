"""The address of a view: `?sample=…&model=…&profile=…&view=…` shows a sample pair in the same view."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from colde import strict_json
from colde.corpus.samples import Sample, samples
from colde.strict_json import JsonError
from colde_explorer_app.inputs.sample_cards import Origin

MAX_LENGTH = 1000
"""Characters of a view in an address; the values that the view sends are shorter."""


@dataclass(frozen=True, slots=True)
class RequestedView:
    """The view that an address names; `view` holds the selection and the settings of the linked view."""

    sample: Sample
    swapped: bool
    model: str | None
    profile: str | None
    view: dict[str, Any] | None


def read(query: Mapping[str, str]) -> RequestedView | None:
    """The view that an address names; None if it names no sample. Invalid parts are ignored."""
    sample = next((s for s in samples() if s.key == query.get("sample")), None)
    if sample is None:
        return None
    return RequestedView(
        sample, "swapped" in query, query.get("model"), query.get("profile"), _view(query.get("view", ""))
    )


def write(origin: Origin | None, model: str, profile: str, view: Mapping[str, Any] | None) -> None:
    """Put the view of a sample into the address; documents of the reader have no address."""
    wanted = {} if origin is None else parameters(origin, model, profile, view)
    if dict(st.query_params) != wanted:
        st.query_params.from_dict(wanted)


def parameters(origin: Origin, model: str, profile: str, view: Mapping[str, Any] | None) -> dict[str, str]:
    """The query of a view."""
    query = {"sample": origin.sample.key, "model": model, "profile": profile}
    if origin.swapped:
        query["swapped"] = "1"
    if view:
        query["view"] = json.dumps(view, separators=(",", ":"))
    return query


def _view(text: str) -> dict[str, Any] | None:
    if not text or len(text) > MAX_LENGTH:
        return None
    try:
        return strict_json.decode_object(text)
    except JsonError:
        return None
