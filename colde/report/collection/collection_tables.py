"""A collection as tables (CSV) and as a graph (GraphML)."""

from __future__ import annotations

from collections.abc import Iterator

from colde.report.formatting import clean
from colde.report.tables.csv_tables import file_stems, number_cells, spreadsheet
from colde.results.collection import Collection


def collection_tables(collection: Collection) -> Iterator[tuple[str, str]]:
    """File name and content of every table.

    They are documents.csv, pairs.csv, set_aside.csv, MODEL.scores.csv and, where there is any, unread.csv and
    warnings.csv. Documents are numbered from 0, as in the JSON file, clusters from 1, as in the report.
    """
    yield "documents.csv", _documents_table(collection)
    yield "pairs.csv", _pairs_table(collection)
    yield "set_aside.csv", _set_aside_table(collection)
    stems = file_stems(collection.models)
    for model, scores in collection.scores.items():
        header = ["number", "name", *map(str, range(len(collection.names)))]
        rows = ([i, collection.names[i], *number_cells(row.tolist())] for i, row in enumerate(scores))
        yield f"{stems[model]}.scores.csv", spreadsheet(header, rows)
    if collection.unread:
        unread = ((error.source, error.reason, error.what) for error in collection.unread)
        yield "unread.csv", spreadsheet(("source", "reason", "what"), unread)
    if collection.warnings:
        yield "warnings.csv", spreadsheet(("name", "warning"), collection.warnings)


def _documents_table(collection: Collection) -> str:
    """One row a document; those outside of clusters and duplicates have empty cells there."""
    cluster = {i: number for number, group in enumerate(collection.groups, 1) for i in group}
    duplicates = {i: number for number, group in enumerate(collection.duplicates) for i in group}
    rows = (
        (
            i, d.source, d.title, d.words(), sum(1 for _ in d.compared()), len(collection.chunks[i]),
            cluster.get(i), duplicates.get(i),
        )
        for i, d in enumerate(collection.documents)
    )  # fmt: skip
    header = ("number", "source", "title", "words", "sections", "chunks", "cluster", "duplicates")
    return spreadsheet(header, rows)


def _pairs_table(collection: Collection) -> str:
    names = collection.names
    rows = ((p.a, p.b, names[p.a], names[p.b], p.score, p.probability, p.why) for p in collection.pairs)
    return spreadsheet(("a", "b", "name_a", "name_b", "score", "probability", "why"), rows)


def _set_aside_table(collection: Collection) -> str:
    named = enumerate(zip(collection.names, collection.set_aside, strict=True))
    rows = ((i, name, item.what, item.words, item.why) for i, (name, items) in named for item in items)
    return spreadsheet(("number", "name", "what", "words", "why"), rows)


def to_graphml(collection: Collection) -> str:
    """The documents as nodes, and as edges the listed pairs that reach the threshold (all listed ones without one)."""
    import networkx

    graph = networkx.Graph()
    for i in collection.order:
        graph.add_node(i, name=clean(collection.names[i]), source=clean(collection.documents[i].source))
    for k, group in enumerate(collection.groups, 1):
        for i in group:
            graph.nodes[i]["cluster"] = k
    threshold = -1.0 if collection.threshold is None else collection.threshold
    for pair in collection.pairs:
        if pair.similar or (pair.similar is None and pair.score >= threshold):
            graph.add_edge(pair.a, pair.b, weight=pair.score, why=clean(pair.why))
            if pair.probability is not None:
                graph.edges[pair.a, pair.b]["probability"] = pair.probability
    return "\n".join(networkx.generate_graphml(graph)) + "\n"
