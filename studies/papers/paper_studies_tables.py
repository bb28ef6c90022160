"""The tables of paper_studies.md, from what studies/papers/paper_studies.py has kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from studies.papers.smith_memory import table as memory_table
from studies.papers.systems_rows import FOUR, head, mean_and_spread

CORPORA = ("acl", "wiki", "peps", "textbooks")
Row = Mapping[str, Any]


def page_tables(found: Mapping[str, Any]) -> str:
    """Every study that is there, one after the other."""
    parts = [list(write(found[name])) for name, write in WRITERS.items() if found.get(name)]
    return "\n".join("\n".join([*lines, ""]) for lines in parts)


def _seeds(row: Row, *measures: str) -> str:
    """Measures of a row, with several seeds their mean and standard deviation."""
    every = [row, *row.get("seeds", {}).values()]
    return " / ".join(mean_and_spread([r[m] for r in every]) for m in measures)


def _three(row: Row) -> str:
    return f"{row['accuracy']:.3f} / {row['f1']:.3f} / {row['roc_auc']:.3f}"


def _lengths(found: Mapping[str, Any]) -> Iterator[str]:
    yield "**SMITH by the most word pieces it reads** (its figure 4), weights as they ship; accuracy / F1 / area."
    yield ""
    names = [n for n in CORPORA if n in found]
    yield from head("", [f"{n} ({next(iter(found[n].values()))['pairs']} pairs)" for n in names])
    for tokens in found[names[0]]:
        yield f"| {int(tokens):,} | " + " | ".join(_three(found[n][tokens]) for n in names) + " |"


def _memory(found: Mapping[str, Any]) -> Iterator[str]:
    yield "**Memory of a training step against length** (SMITH, 4.1.3): MiB for eight documents, two and three layers."
    yield ""
    yield from memory_table(found)


def _ratios(found: Mapping[str, Any]) -> Iterator[str]:
    names = [n for n in CORPORA if n in next(iter(found.values()))]
    yield (
        "**Match-Ignition by the share of words dropped after each layer** (its table 6), weights as they ship "
        "(trained with 10 %); accuracy / F1 / area, and seconds of one core for a batch of eight."
    )
    yield ""
    pairs = next(iter(found.values()))[names[0]]["pairs"]
    yield from head(f"α ({pairs} pairs of each at most)", [*names, "training", "use"])
    for ratio, row in found.items():
        taken = f"{row['acl'].get('training_seconds_a_batch', 0):.2f} | {row['acl']['seconds_a_batch']:.2f}"
        yield f"| {ratio} | " + " | ".join(_three(row[n]) for n in names if n in row) + f" | {taken} |"


def _trained(found: Mapping[str, Any]) -> Iterator[str]:
    pairs = next(iter(found.values()))["pairs"]
    yield (
        "**Forms of SMITH and SMASH RNN trained small**, on papers alone, 60 steps of 16 pairs, SMITH over 512 word "
        f"pieces where nothing else is said ({pairs} pairs judged; of three seeds mean and standard deviation): "
        "accuracy / precision / recall / F1. p: permutation of the answers to each source, of several seeds the share "
        "that was right, against the first of the group, by Holm."
    )
    yield ""
    yield from head("", ["accuracy / precision / recall / F1", "area", "p", "minutes"])
    for row in found.values():
        p = f"{row['p']:.3f}" if "p" in row else ""
        cells = [
            f"{row['group']}: {row['title']}",
            _seeds(row, *FOUR),
            _seeds(row, "roc_auc"),
            p,
            row["minutes"],
        ]
        yield f"| {' | '.join(map(str, cells))} |"


def _tests(found: Mapping[str, Any]) -> Iterator[str]:
    yield (
        "**The papers' comparisons, tested as they test them**: difference of accuracy, in brackets p of the paired "
        "t-test over pairs and of the permutation of the answers to each source, both corrected by Holm for all "
        "comparisons of that table. Bold: both below the paper's level."
    )
    for title, table in found.items():
        names = list(dict.fromkeys(r["corpus"] for r in table["rows"]))
        yield ""
        yield f"{title}: `{table['model']}` less the other, level {table['level']}, {len(table['rows'])} comparisons."
        yield ""
        yield from head("", names)
        for other in dict.fromkeys(r["with"] for r in table["rows"]):
            by_corpus = {r["corpus"]: r for r in table["rows"] if r["with"] == other}
            yield (
                f"| `{other}` | "
                + " | ".join(_tested(by_corpus.get(n), table["level"]) for n in names)
                + " |"
            )


def _tested(row: Row | None, level: float) -> str:
    if row is None:
        return ""
    text = f"{row['difference']:+.3f} ({row['t_holm']:.3f}, {row['permuted_holm']:.3f})"
    return f"**{text}**" if max(row["t_holm"], row["permuted_holm"]) < level else text


WRITERS = {
    "lengths": _lengths,
    "memory": _memory,
    "ratios": _ratios,
    "trained": _trained,
    "tests": _tests,
}
