"""The explorer: `streamlit run app/main.py`."""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st

from colde_explorer_app import collection, how, mistakes, models, search, work
from colde_explorer_app.places import compare_page, page

os.environ["COLDE_CACHE"] = "off"  # nothing of an upload is kept on disk, not even vectors

HERE = Path(__file__).resolve().parent
MARK = HERE / "images" / "mark.svg"

st.set_page_config(page_title="CoLDE Explorer", page_icon=MARK, layout="wide")
st.logo(MARK)
st.html(HERE / "page.css")
st.navigation(
    [
        compare_page(),
        page(collection.page, "Collection", "collection"),
        page(search.page, "Search", "search"),
        page(models.page, "Models", "models"),
        page(mistakes.page, "Where it is wrong", "mistakes"),
        page(how.page, "How it works", "how"),
    ],
    position="top",
).run()
work.warm_up()
