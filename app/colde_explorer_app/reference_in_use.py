"""What a session judges its pairs against, where that is not the background of a profile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import streamlit as st

from colde.judge.reference import Reference

REFERENCE_KEY = "reference"
"""In the session: what the reader has put in."""


@dataclass(frozen=True)
class OwnReference:
    """A reference, and what it was made of.

    Attributes:
        digest: SHA-256 of the names and bytes of all files.
    """

    digest: str
    reference: Reference = field(compare=False, repr=False)


def current_reference() -> OwnReference | None:
    """What the next comparison is judged against, if the reader has put in something."""
    found: OwnReference | None = st.session_state.get(REFERENCE_KEY)
    return found


def reference_in_use() -> Reference | None:
    """What the comparison on the page was judged against."""
    request: Any = st.session_state.get("request")
    return (
        None
        if request is None or request.own_reference is None
        else cast(Reference, request.own_reference.reference)
    )
