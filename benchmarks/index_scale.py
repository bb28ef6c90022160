"""How long does a search among very many chunk vectors take, and how much of the exact answer does it find?

python benchmarks/index_scale.py INDEX [--vectors 1000000] [--queries 50]

The vectors are those of the chunks of INDEX, repeated with noise (standard deviation .05 a number, then length one), in
a table of their own in a temporary folder. Printed: seconds to write, exact search, building IVF-PQ, approximate search
with its recall@10 against the exact one, bytes on the disk.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lancedb
import numpy as np
import pyarrow as pa
from lancedb.index import IvfPq
from numpy.typing import NDArray

from colde.index.store import Store
from colde.index.tables import CHUNKS

AT_ONCE = 50_000
NOISE = 0.05
FIRST = 10


def noisy(own: NDArray[np.float32], count: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """So many of these vectors, with noise, of length one."""
    found = own[rng.integers(len(own), size=count)]
    found = found + rng.normal(0, NOISE, found.shape).astype(np.float32)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)


def timed(
    ask: Callable[[NDArray[np.float32]], Any], queries: NDArray[np.float32]
) -> tuple[list[list[int]], str]:
    """Ids of the answers, and the median and 95th percentile of the milliseconds."""
    answers, spent = [], []
    for query in queries:
        begun = time.perf_counter()
        answers.append([row["id"] for row in ask(query).to_list()])
        spent.append(1000 * (time.perf_counter() - begun))
    return answers, f"{np.median(spent):.0f} ms, p95 {np.quantile(spent, 0.95):.0f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("index", type=Path)
    parser.add_argument("--vectors", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=50)
    asked = parser.parse_args()
    rng = np.random.default_rng(0)
    own = np.array([row["vector"] for row in Store(asked.index).rows(CHUNKS, ["vector"])], np.float32)
    dimension = own.shape[1]
    schema = pa.schema([("id", pa.int64()), pa.field("vector", pa.list_(pa.float32(), dimension))])
    with tempfile.TemporaryDirectory() as folder:
        table = lancedb.connect(folder).create_table("chunks", schema=schema)
        begun = time.perf_counter()
        for at in range(0, asked.vectors, AT_ONCE):
            some = noisy(own, min(AT_ONCE, asked.vectors - at), rng)
            column = pa.FixedSizeListArray.from_arrays(pa.array(some.ravel()), dimension)
            table.add(pa.table({"id": pa.array(range(at, at + len(some))), "vector": column}, schema=schema))
        seconds = time.perf_counter() - begun
        print(f"{asked.vectors:,} vectors of {dimension}, from {len(own):,}: written in {seconds:.1f} s")
        queries = noisy(own, asked.queries, rng)
        exact, spent = timed(lambda q: _ask(table, q), queries)
        print(f"exact: {spent}")
        begun = time.perf_counter()
        parts = max(1, round(asked.vectors**0.5))
        config = IvfPq(distance_type="dot", num_partitions=parts, num_sub_vectors=dimension // 8)
        table.create_index("vector", config=config)
        print(f"IVF-PQ, {parts} partitions: built in {time.perf_counter() - begun:.1f} s")
        for probes in (10, 20, 50):
            near, spent = timed(lambda q, n=probes: _ask(table, q).nprobes(n).refine_factor(10), queries)
            shares = [len(set(a) & set(b)) / FIRST for a, b in zip(exact, near, strict=True)]
            print(f"{probes} partitions looked at: recall@10 {np.mean(shares):.3f}, {spent}")
        size = sum(p.stat().st_size for p in Path(folder).rglob("*") if p.is_file())
        print(f"{size / 1e6:,.0f} MB on the disk")


def _ask(table: Any, query: NDArray[np.float32]) -> Any:
    return (
        table.search(query, vector_column_name="vector")
        .distance_type("dot")
        .select(["id", "_distance"])
        .limit(FIRST)
    )


if __name__ == "__main__":
    main()
