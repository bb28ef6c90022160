"""A collection as tables (CSV) and as a graph (GraphML)."""

from __future__ import annotations

from collections.abc import Iterator

from colde.report.csv_tables import csv_text, plain_cell
from colde.report.formatting import clean
from colde.results.collection import Collection


def collection_tables(collection: Collection) -> Iterator[tuple[str, str]]:
    """File name and content of every table: documents.csv, pairs.csv, unread.csv and MODEL.scores.csv.

    Documents are numbered from 0, as in the JSON file; clusters from 1, as in the report: who stands alone has none.
    """
    cluster: dict[int, int | None] = {i: k for k, group in enumerate(collection.groups, 1) for i in group}
    duplicate: dict[int, int | None] = {i: k for k, group in enumerate(collection.duplicates) for i in group}
    yield (
        "documents.csv",
        csv_text(
            ("number", "source", "title", "words", "sections", "chunks", "cluster", "duplicates"),
            (
                (
                    i, plain_cell(d.source), plain_cell(d.title), d.words(), sum(1 for _ in d.compared()),
                    len(collection.chunks[i]), cluster.get(i), duplicate.get(i),
                )
                for i, d in enumerate(collection.documents)
            ),
        ),
    )  # fmt: skip
    names = [plain_cell(name) for name in collection.names]
    yield (
        "pairs.csv",
        csv_text(
            ("a", "b", "name_a", "name_b", "score", "probability", "why"),
            (
                (p.a, p.b, names[p.a], names[p.b], p.score, p.probability, plain_cell(p.why))
                for p in collection.pairs
            ),
        ),
    )
    for model, values in collection.scores.items():
        rows = ([i, names[i], *(f"{v:.6g}" for v in row)] for i, row in enumerate(values))
        header = ["number", "name", *(str(i) for i in range(len(names)))]
        yield f"{model.replace(':', '_')}.scores.csv", csv_text(header, rows)
    if collection.unread:
        unread = ((plain_cell(e.source), e.reason, plain_cell(e.what)) for e in collection.unread)
        yield "unread.csv", csv_text(("source", "reason", "what"), unread)


def to_graphml(collection: Collection) -> str:
    """The documents as nodes, and as edges the listed pairs that reach the threshold (all listed ones without one)."""
    import networkx

    graph = networkx.Graph()
    for i in collection.order:
        graph.add_node(i, name=clean(collection.names[i]), source=clean(collection.documents[i].source))
    for k, group in enumerate(collection.groups, 1):
        for i in group:
            graph.nodes[i]["cluster"] = k
    for pair in collection.pairs:
        if collection.threshold is None or pair.score >= collection.threshold:
            graph.add_edge(pair.a, pair.b, weight=pair.score, why=clean(pair.why))
            if pair.probability is not None:
                graph.edges[pair.a, pair.b]["probability"] = pair.probability
    return "\n".join(networkx.generate_graphml(graph)) + "\n"
