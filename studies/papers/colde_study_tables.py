"""The tables of the CoLDE studies, each between two marks of a page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from studies.tables import markdown_table

FIGURES = ("accuracy", "precision", "recall", "f1", "auc")
UNCHANGED = "as they are"
MEANINGS: Mapping[str, str] = {
    "encoder": "the encoder's vectors",
    "attended": "with what attention finds",
    "states": "Bi-LSTM states",
    "projected": "Bi-LSTM states, projected",
    "single": "each chunk as a document of its own, projected",
}
"""The stages of the network at which chunks are compared."""

Row = Mapping[str, Any]


def update_tables(text: str, results: Mapping[str, Mapping[str, Any]]) -> str:
    """The text with the part between each `<!-- study NAME -->` and `<!-- end -->` written again."""

    def written(match: re.Match[str]) -> str:
        name = match[1]
        if name not in results:
            return match[0]
        return f"<!-- study {name} -->\n{table(name, results[name])}<!-- end -->"

    return re.sub(r"<!-- study (\w+) -->\n.*?<!-- end -->", written, text, flags=re.DOTALL)


def table(name: str, corpora: Mapping[str, Any]) -> str:
    """A study on one or several corpora: a column each."""
    seeds = ", ".join(
        f"{corpus} {e['pairs']:,} pairs, {e['seeds']} seed{'s'[: e['seeds'] > 1]}"
        for corpus, e in corpora.items()
    )
    if name == "collapse":
        lines = _collapse(corpora)
    elif "documents" in next(iter(corpora.values()))["rows"][0]:
        lines = _changed(corpora)
    else:
        lines = _compared(corpora)
    return f"{lines}\n({seeds})\n"


def figure(value: Mapping[str, float]) -> str:
    """Mean ± standard deviation, the latter where there are several seeds."""
    return f"{value['mean']:.3f}" + (f" ± {value['sd']:.3f}" if value["sd"] else "")


def _by_key(corpora: Mapping[str, Any], *keys: str) -> list[tuple[tuple[str, ...], list[Row | None]]]:
    """The rows of all corpora with the same values of these keys, in the order in which they first come."""
    rows = [{tuple(r[k] for k in keys): r for r in e["rows"]} for e in corpora.values()]
    different = dict.fromkeys(key for by_key in rows for key in by_key)
    return [(key, [by_key.get(key) for by_key in rows]) for key in different]


def _compared(corpora: Mapping[str, Any]) -> str:
    """Accuracy / precision / recall / F1 / AUC, and the test against the first row where there is one."""
    tested = any("difference" in r for e in corpora.values() for r in e["rows"])
    head = "accuracy / precision / recall / F1 / AUC" + (", difference of accuracy (p)" if tested else "")
    rows = ([name, *map(_comparison, entries)] for (name,), entries in _by_key(corpora, "name"))
    return markdown_table([head, *corpora], rows)


def _comparison(row: Row | None) -> str:
    if row is None:
        return ""
    text = " / ".join(figure(row[m]) for m in FIGURES)
    if "difference" in row:
        p = row["difference"]["p"]
        text += f", {row['difference']['accuracy']:+.3f} ({'p < .001' if p < 0.001 else f'p = {p:.3f}'})"
    return text


def _changed(corpora: Mapping[str, Any]) -> str:
    columns = ["accuracy / AUC, points of accuracy lost", "documents", *corpora]
    return markdown_table(
        columns, ([*key, *map(_loss, entries)] for key, entries in _by_key(corpora, "name", "documents"))
    )


def _loss(row: Row | None) -> str:
    if row is None:
        return ""
    lost = "" if row["documents"] == UNCHANGED else f", {100 * row['lost']['mean']:+.2f}"
    return f"{figure(row['accuracy'])} / {figure(row['auc'])}{lost}"


def _collapse(corpora: Mapping[str, Any]) -> str:
    models: Sequence[tuple[str, Row]] = [(c, r) for c, e in corpora.items() for r in e["rows"]]
    columns = ["mean cosine of a document's chunks", *(f"{r['name']}, {c}" for c, r in models)]
    rows = ([meaning, *(figure(r[key]) for _, r in models)] for key, meaning in MEANINGS.items())
    return markdown_table(columns, rows)
