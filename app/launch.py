"""How the explorer is started: one command line, the same for `colde app` and `make app`."""

from __future__ import annotations

import sys
from pathlib import Path

MAIN = Path(__file__).resolve().parent / "main.py"


def command(port: int = 8501) -> list[str]:
    """The command line that serves the explorer on http://127.0.0.1:`port`.

    Everything else (address, theme, upload limit, no usage statistics) stands in `.streamlit/config.toml`
    beside `main.py`, where Streamlit finds it whatever the current folder is.
    """
    return [sys.executable, "-m", "streamlit", "run", str(MAIN), "--server.port", str(port)]
