"""The explorer: `streamlit run app/main.py`."""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st

from colde_explorer_app import compare, how, models, work

os.environ["COLDE_CACHE"] = "off"  # nothing of an upload is kept on disk, not even vectors

HERE = Path(__file__).resolve().parent
MARK = HERE / "images" / "mark.svg"

st.set_page_config(page_title="CoLDE Explorer", page_icon=MARK, layout="wide")
st.logo(MARK)
st.html(HERE / "page.css")
st.navigation(
    [
        st.Page(compare.page, title="Compare", url_path="compare", default=True),
        st.Page(models.page, title="Models", url_path="models"),
        st.Page(how.page, title="How it works", url_path="how"),
    ],
    position="top",
).run()
work.warm_up()
