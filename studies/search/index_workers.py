"""How many documents a minute do one and two workers encode into an index? Needs Ray (`colde-explorer[cluster]`).

    python -m studies.search.index_workers CORPUS [--documents 48] [--workers 1 2] [--ray local]

A new index for each number of workers. The rate is counted from the first batch that comes back on, when the models are
loaded; the whole time is printed, too. Two workers on two cores that others use as well are not twice as fast.
"""

from __future__ import annotations

import os
import tempfile
import time
from itertools import islice
from pathlib import Path

from colde.corpus.corpus_folder import read_records, write_documents
from colde.index import Index
from colde.index.ray_workers import BATCH, LOCAL, encode_corpus
from colde.results.progress import Progress
from studies.arguments import command_line


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=48)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--ray", default=LOCAL)
    asked = parser.parse_args()
    os.environ["COLDE_CACHE"] = "off"
    with tempfile.TemporaryDirectory(prefix="workers") as name:
        folder = Path(name)
        records = (record for _, record in islice(read_records(asked.corpus), asked.documents))
        write_documents(folder / "corpus", records)
        for workers in asked.workers:
            marks: list[tuple[float, int]] = []

            def note(progress: Progress, marks: list[tuple[float, int]] = marks) -> None:
                marks.append((time.perf_counter(), progress.done))

            begun = time.perf_counter()
            index = folder / f"index{workers}"
            result = encode_corpus(
                [folder / "corpus"], index, address=asked.ray, workers=workers, on_progress=note
            )
            seconds = time.perf_counter() - begun
            spent, done = marks[-1][0] - marks[0][0], marks[-1][1] - marks[0][1]
            print(
                f"{workers} workers: {len(result.added)} documents in {seconds:.0f} s, "
                f"{60 * done / max(spent, 1e-9):.0f} a minute once the models are loaded "
                f"({done} documents in batches of {BATCH}); rows {Index(index).stats().chunks:,} chunks; "
                f"load of the machine {os.getloadavg()[0]:.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
