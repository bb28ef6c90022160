"""The explorer: a Streamlit page on `colde`. Nothing here knows a model by name."""
