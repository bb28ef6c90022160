"""The command line of a study: the help is its docstring, and options that several studies have are the same."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "corpora": {"type": Path, "help": "folder that holds the corpora"},
    "--config": {"type": Path, "help": "JSON file of settings; `sentences`, `counts`: folders"},
    "--counts": {"type": Path, "default": Path("runs/counts"), "help": "folder of word counts"},
    "--json": {"type": Path, "help": "file for the figures"},
    "--memory": {"type": Path, "help": "file that keeps the vectors for the next run"},
    "--models": {"required": True, "help": "names with commas"},
    "--output": {"type": Path, "default": Path("docs/results"), "help": "folder of the tables"},
    "--seed": {"type": int, "default": 0},
    "--sentences": {"type": Path, "default": Path("runs/sentences"), "help": "folder of sentence vectors"},
    "--work": {"type": Path, "default": Path("runs/systems"), "help": "folder of the trained runs"},
}


def command_line(description: str | None, *options: str) -> argparse.ArgumentParser:
    """A parser with these of the common options; its help shows the docstring as it is written."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in options:
        parser.add_argument(name, **OPTIONS[name])
    return parser
