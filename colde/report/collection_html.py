"""The report of a collection: one file that asks for nothing, as that of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from colde import models as registry
from colde.report.formatting import clean, counted, listed, shorten
from colde.report.html_page import html_table, number_cell, page_head, page_style
from colde.report.html_report import to_html
from colde.report.matrix_image import matrix_png, tree_lines
from colde.report.profile_corpora import describe_corpora
from colde.report.verdict import percent
from colde.results.collection import Collection
from colde.results.comparison import Comparison
from colde.text.language_names import language_name

MAX_NAMED_ROWS = 60
"""Documents up to which each row of the matrix has its name beside it."""

STYLE = """
.matrix { width: 100%; max-width: 960px; height: auto; display: block; }
.matrix image { image-rendering: pixelated; }
.matrix path { stroke: var(--muted); stroke-width: 1; fill: none; vector-effect: non-scaling-stroke; }
.matrix text { font-size: 11px; fill: var(--st-text-color); }
iframe.pair { width: 100%; height: 85vh; border: 1px solid var(--line); }
"""


def collection_html(
    collection: Collection, detailed_pairs: Sequence[tuple[int, int, Comparison]] = ()
) -> str:
    """The collection as one self-contained HTML page.

    Args:
        drilled: pairs whose whole comparison shall stand in the page, by the numbers of their documents.
    """
    title = f"{len(collection.documents)} documents"
    return f"""{page_head(f"{title}, compared", page_style() + STYLE, framed=True)}
<main>
<header class="top"><h1>{title}, each compared with each</h1></header>
<p class="verdict">{escape(summary(collection))}</p>
<p class="muted">{escape(_basis(collection))}</p>
<h2>Who is like whom</h2>
{_matrix(collection)}
<h2>Clusters</h2>
{_clusters(collection)}
<h2>Strongest pairs</h2>
{_pairs(collection, {(a, b) for a, b, _ in detailed_pairs})}
{_pair_reports(collection, detailed_pairs)}
{_unread_files(collection)}
</main>
</body>
</html>
"""


def summary(collection: Collection) -> str:
    """Summarise clusters and duplicates in two sentences."""
    groups = collection.groups
    alone = sum(len(g) == 1 for g in collection.clusters)
    unclustered = (
        f"{alone} document that stands alone." if alone == 1 else f"{alone} documents that stand alone."
    )
    summary_text = f"{len(groups)} cluster{'' if len(groups) == 1 else 's'}, {unclustered}"
    if collection.duplicates:
        many = sum(map(len, collection.duplicates))
        summary_text += f" {many} documents are nearly the same as another."
    return summary_text + _languages(collection)


def _languages(collection: Collection) -> str:
    """Sentence on the documents that the threshold does not hold for; empty without any."""
    unread = [collection.documents[i].language for i in collection.unread_languages]
    if not unread or collection.threshold is None:
        return ""
    names = listed([language_name(code) for code in dict.fromkeys(unread) if code])
    one = len(unread) == 1
    return (
        f" {counted(len(unread), 'document')} {'is' if one else 'are'} in {names}: {'its' if one else 'their'} pairs "
        "have no probability, and only nearly the same text joins them in a cluster."
    )


def _basis(collection: Collection) -> str:
    title = registry.card(collection.models[0]).title
    if collection.threshold is None:
        cut = f"No threshold, so no clusters and no probabilities: {collection.no_verdict}."
    else:
        corpora = (
            describe_corpora(collection.models[0], collection.corpora)
            or "corpora that its checkpoint does not record"
        )
        cut = (
            f"Clusters join where the mean score reaches {collection.threshold:.2f}, which was chosen on validation "
            "pairs "
            f"of {corpora} (profile {collection.profile})."
        )
    return (
        f"By {title}; a score is computed from two texts alone. {cut} What is alike need not be taken from one "
        "another: a person decides."
    )


def _matrix(collection: Collection) -> str:
    """Tree, picture and names in one drawing; rows and columns in the order of the tree."""
    order = collection.order
    scores = collection.scores[collection.models[0]][np.ix_(order, order)]
    count, side, tree = len(order), 600, 120
    lines = " ".join(
        f"M{tree - x0 * (tree - 4):.1f} {y0 * side:.1f}L{tree - x1 * (tree - 4):.1f} {y1 * side:.1f}"
        for x0, y0, x1, y1 in tree_lines(collection.merges, order)
    )
    named = count <= MAX_NAMED_ROWS
    names = "".join(
        f'<text x="{tree + side + 6}" y="{(at + 0.5) * side / count + 4:.1f}">'
        f"{escape(shorten(clean(collection.names[i]), 48))}</text>"
        for at, i in enumerate(order if named else ())
    )
    width = tree + side + (300 if named else 0)
    label = (
        f"Scores of {count} documents with each other, in the order of the tree; the darker, the more alike"
    )
    return (
        f'<svg class="matrix" viewBox="0 0 {width} {side}" role="img" aria-label="{label}"><path d="{lines}"/>'
        f'<image x="{tree}" y="0" width="{side}" height="{side}" href="{matrix_png(scores)}"/>{names}</svg>'
        f'<p class="muted">{label}.</p>'
    )


def _clusters(collection: Collection) -> str:
    rows = []
    for number, group in enumerate(collection.groups, 1):
        names = "<br>".join(escape(clean(collection.names[i])) for i in group)
        rows.append([number_cell(str(number)), number_cell(str(len(group))), f'<td dir="auto">{names}</td>'])
    text = (
        html_table(("#Cluster", "#Documents", "Names"), rows) if rows else "<p>No two documents cluster.</p>"
    )
    for group in collection.duplicates:
        names = "; ".join(clean(collection.names[i]) for i in group)
        text += f"<p>Nearly the same text: {escape(names)}.</p>"
    return text


def _pairs(collection: Collection, detailed_pairs: set[tuple[int, int]]) -> str:
    rows = []
    for number, pair in enumerate(collection.pairs, 1):
        names = [escape(clean(collection.names[i])) for i in (pair.a, pair.b)]
        if (pair.a, pair.b) in detailed_pairs:
            names[0] = f'<a href="#pair-{pair.a}-{pair.b}">{names[0]}</a>'
        likely = "–" if pair.probability is None else f"{percent(pair.probability)} %"
        rows.append(
            [
                number_cell(str(number)),
                *(f'<td dir="auto">{name}</td>' for name in names),
                number_cell(f"{pair.score:.2f}"),
                number_cell(likely),
                f'<td dir="auto">{escape(clean(pair.why))}</td>',
            ]
        )
    return html_table(("#No.", "One", "Other", "#Score", "#Probability", "Why"), rows)


def _pair_reports(collection: Collection, detailed_pairs: Sequence[tuple[int, int, Comparison]]) -> str:
    """The reports of single pairs, each in a frame of its own, under the same policy."""
    parts = []
    for a, b, comparison in detailed_pairs:
        name = escape(f"{clean(collection.names[a])} ↔ {clean(collection.names[b])}")
        page = escape(to_html(comparison), quote=True)
        parts.append(
            f'<details id="pair-{a}-{b}" open><summary>{name}</summary>'
            f'<iframe class="pair" title="{name}" loading="lazy" srcdoc="{page}"></iframe></details>'
        )
    return f"<h2>Pairs in full</h2>{''.join(parts)}" if parts else ""


def _unread_files(collection: Collection) -> str:
    if not collection.unread:
        return ""
    items = "".join(f"<li>{escape(clean(str(e)))}</li>" for e in collection.unread)
    return f"<h2>Left out</h2><ul>{items}</ul>"
