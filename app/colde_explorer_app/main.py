"""The explorer: `streamlit run app/main.py`."""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st

from colde_explorer_app.explorer_pages.navigation import compare_entry, page_of_module
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
        page_of_module("sources_page", "Sources", "sources"),
        page_of_module("collection_page", "Collection", "collection"),
        page_of_module("search_page", "Search", "search"),
        page_of_module("models_page", "Models", "models"),
        page_of_module("mistakes_page", "Known errors", "mistakes"),
        page_of_module("how_it_works_page", "How it works", "how"),
    ],
    position="top",
)
st.set_page_config(page_title=page_title(shown.title))
page_access()
session_restore.ask_for_tab_token()  # on every page: what a tab had is kept as long as one of its pages is open
session_restore.restore_session()
shown.run()
comparison_jobs.warm_up()
