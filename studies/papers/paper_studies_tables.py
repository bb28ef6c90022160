"""The tables of paper_studies.md, from paper_studies.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from studies.papers.systems_rows import FOUR
from studies.tables import markdown_table, mean_and_spread

CORPORA = ("acl", "wiki", "peps", "textbooks")
Row = Mapping[str, Any]


def page_tables(results: Mapping[str, Any]) -> str:
    """Every study that has figures, one after the other."""
    return "\n".join(write(results[name]) for name, write in WRITERS.items() if results.get(name))


def _seeds(row: Row, *measures: str) -> str:
    """Measures of a row; several seeds are shown as mean and standard deviation."""
    seeds = [row, *row.get("seeds", {}).values()]
    return " / ".join(mean_and_spread([s[m] for s in seeds]) for m in measures)


def _three(row: Row) -> str:
    return f"{row['accuracy']:.3f} / {row['f1']:.3f} / {row['roc_auc']:.3f}"


def _lengths(results: Mapping[str, Any]) -> str:
    names = [n for n in CORPORA if n in results]
    columns = ["", *(f"{n} ({next(iter(results[n].values()))['pairs']} pairs)" for n in names)]
    rows = ([f"{int(size):,}", *(_three(results[n][size]) for n in names)] for size in results[names[0]])
    return (
        "**SMITH by the most word pieces it reads** (its figure 4), weights as they ship; accuracy / F1 / area.\n\n"
        + markdown_table(columns, rows)
    )


def _memory(results: Mapping[str, Mapping[str, float]]) -> str:
    columns = ["", *(f"{int(n):,}" for n in max(results.values(), key=len))]
    rows = ([form, *(f"{v:,.0f}" for v in row.values())] for form, row in results.items())
    return (
        "**Memory of a training step against length** (SMITH, 4.1.3): MiB for eight documents, two and three "
        "layers.\n\n" + markdown_table(columns, rows)
    )


def _ratios(results: Mapping[str, Any]) -> str:
    names = [n for n in CORPORA if n in next(iter(results.values()))]
    pairs = next(iter(results.values()))[names[0]]["pairs"]
    rows = (
        [
            ratio,
            *(_three(row[n]) for n in names if n in row),
            f"{row['acl'].get('training_seconds_a_batch', 0):.2f}",
            f"{row['acl']['seconds_a_batch']:.2f}",
        ]
        for ratio, row in results.items()
    )
    return (
        "**Match-Ignition by the share of words dropped after each layer** (its table 6), weights as they ship "
        "(trained with 10 %); accuracy / F1 / area, and seconds of one core for a batch of eight.\n\n"
        + markdown_table([f"α ({pairs} pairs of each at most)", *names, "training", "use"], rows)
    )


def _trained(results: Mapping[str, Any]) -> str:
    pairs = next(iter(results.values()))["pairs"]
    rows = (
        [
            f"{row['group']}: {row['title']}",
            _seeds(row, *FOUR),
            _seeds(row, "roc_auc"),
            f"{row['p']:.3f}" if "p" in row else "",
            row["minutes"],
        ]
        for row in results.values()
    )
    return (
        "**Forms of SMITH and SMASH RNN trained small**, on papers alone, 60 steps of 16 pairs, SMITH over 512 word "
        f"pieces where nothing else is said ({pairs} pairs judged; of three seeds mean and standard deviation): "
        "accuracy / precision / recall / F1. p: permutation of the answers to each source, of several seeds the share "
        "that was right, against the first of the group, by Holm.\n\n"
        + markdown_table(["", "accuracy / precision / recall / F1", "area", "p", "minutes"], rows)
    )


def _tests(results: Mapping[str, Any]) -> str:
    parts = [
        "**The papers' comparisons, tested as they test them**: difference of accuracy, in brackets p of the paired "
        "t-test over pairs and of the permutation of the answers to each source, both corrected by Holm for all "
        "comparisons of that table. Bold: both below the paper's level.\n"
    ]
    for title, compared in results.items():
        cells = {(r["with"], r["corpus"]): _tested(r, compared["level"]) for r in compared["rows"]}
        others, names = (list(dict.fromkeys(key[i] for key in cells)) for i in (0, 1))
        rows = ([f"`{other}`", *(cells.get((other, n), "") for n in names)] for other in others)
        parts.append(
            f"{title}: `{compared['model']}` less the other, level {compared['level']}, {len(cells)} comparisons.\n\n"
            + markdown_table(["", *names], rows)
        )
    return "\n".join(parts)


def _tested(row: Row, level: float) -> str:
    text = f"{row['difference']:+.3f} ({row['t_holm']:.3f}, {row['permuted_holm']:.3f})"
    return f"**{text}**" if max(row["t_holm"], row["permuted_holm"]) < level else text


WRITERS = {
    "lengths": _lengths,
    "memory": _memory,
    "ratios": _ratios,
    "trained": _trained,
    "tests": _tests,
}
