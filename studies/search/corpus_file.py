"""Write the file of documents of a corpus."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from colde.corpus.corpus_folder import DOCUMENTS


def write_documents(records: Iterable[Mapping[str, Any]], folder: Path) -> None:
    """Write records as documents.jsonl.gz into a folder, which is created if it does not exist."""
    folder.mkdir(parents=True, exist_ok=True)
    with gzip.open(folder / DOCUMENTS, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
