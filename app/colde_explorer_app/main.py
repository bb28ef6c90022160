"""The explorer: `streamlit run app/main.py`."""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st

from colde_explorer_app.explorer_pages import (
    collection_page,
    how_it_works_page,
    mistakes_page,
    models_page,
    search_page,
    sources_page,
)
from colde_explorer_app.explorer_pages.navigation import compare_entry, page
from colde_explorer_app.page_parts.page_texts import PRODUCT, page_title
from colde_explorer_app.page_parts.small_components import page_access
from colde_explorer_app.session import comparison_jobs, session_restore

os.environ["COLDE_CACHE"] = "off"  # nothing of an upload is written to disk, not even vectors

HERE = Path(__file__).resolve().parent
MARK = HERE / "images" / "mark.svg"

st.set_page_config(page_title=PRODUCT, page_icon=MARK, layout="wide")
st.logo(MARK)
st.html(HERE / "page.css")
shown = st.navigation(
    [
        compare_entry(),
        page(sources_page.page, "Sources", "sources"),
        page(collection_page.page, "Collection", "collection"),
        page(search_page.page, "Search", "search"),
        page(models_page.page, "Models", "models"),
        page(mistakes_page.page, "Known errors", "mistakes"),
        page(how_it_works_page.page, "How it works", "how"),
    ],
    position="top",
)
st.set_page_config(page_title=page_title(shown.title))
page_access()
session_restore.ask_for_tab_token()  # on every page: what a tab had is kept as long as one of its pages is open
session_restore.restore_session()
shown.run()
comparison_jobs.warm_up()
