"""The drop zone for templates: files whose text is set aside in the documents that are compared."""

from __future__ import annotations

import streamlit as st

from colde.errors import ReadError
from colde_explorer_app.page_parts.page_texts import escape_markdown
from colde_explorer_app.session.document_source import Source
from colde_explorer_app.session.session_documents import read
from colde_explorer_app.session.state import Inputs, state

_KEY = "template_files"


def chooser() -> None:
    """Draw the drop zone, the names of the templates, and why one cannot be read."""
    templates = state(Inputs).templates
    label = "Template" if not templates else f"Template ({len(templates)})"
    with st.popover(label, type="tertiary", icon=":material/content_copy:"):
        st.caption(
            "A form, a cover sheet, standard terms: the text of these files is set aside in the documents."
        )
        files = st.file_uploader("Template files", accept_multiple_files=True, key=_KEY, on_change=_uploaded)
        for source in templates:
            document = read(source)
            if isinstance(document, ReadError):
                st.error(escape_markdown(document.sentence))
            else:
                st.caption(f"{escape_markdown(source.name)}: {document.words():,} words")
        if templates and not files and st.button("Remove templates", key="template_off"):
            state(Inputs).templates = ()
            st.rerun()


def _uploaded() -> None:
    files = st.session_state.get(_KEY) or []
    state(Inputs).templates = tuple(Source(file.name, file.getvalue()) for file in files)
