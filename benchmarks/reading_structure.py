"""How well, and how fast, PDFs are read: run the reader over documents with known structure and score it.

    .venv/bin/python benchmarks/reading_structure.py ../shared/documents --keep predictions/

The folder holds `score_structure.py` and the folders `papers` and `peps` with a `.truth.json` beside each PDF.
The predictions are what `colde read --json` prints; the table is the scorer's. Pages per second are of CPU time.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from colde.ingest.export import to_dict
from colde.ingest.pdf import convert

KINDS = ("papers", "peps")


def predict(pdf: Path) -> dict[str, Any]:
    """One PDF as `colde read --json` gives it; `seconds` is CPU time."""
    began = time.process_time()
    document = convert(pdf.read_bytes(), pdf.name)
    return to_dict(document) | {"seconds": time.process_time() - began}


def score(folder: Path, kind: str, predictions: Path) -> dict[str, Any]:
    """Run the scorer over the predictions of one kind; its mean over the documents."""
    for pdf in sorted((folder / kind).glob("*.pdf")):
        (predictions / f"{pdf.stem}.json").write_text(json.dumps(predict(pdf)), encoding="utf-8")
    table = predictions / f"{kind}.scores.json"
    command = [sys.executable, str(folder / "score_structure.py"), str(predictions)]
    command += ["--truth", str(folder), "--glob", f"{kind}/*.truth.json", "--json", str(table)]
    print(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    scores = json.loads(table.read_text(encoding="utf-8"))
    return {**scores["mean"], "pages_per_s": scores["pages_per_s"]}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keep", type=Path, help="where to leave the predictions")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        predictions = arguments.keep or Path(temporary)
        predictions.mkdir(parents=True, exist_ok=True)
        for kind in KINDS:
            score(arguments.folder, kind, predictions)


if __name__ == "__main__":
    main()
