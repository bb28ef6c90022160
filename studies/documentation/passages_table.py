"""The table of shared passages in docs/results.md, from docs/results/passages.json.

python -m studies.documentation.passages_table
"""

from __future__ import annotations

from studies.arguments import command_line
from studies.documentation.figures import PASSAGES, REUSE
from studies.documentation.findings import PAGE
from studies.tables import markdown_table, read_json, replace_between

BEGIN, END = "<!-- passages -->", "<!-- end passages -->"


def passages_table() -> str:
    """Measures of PAN's pairs by kind, and of short answers, with the command."""
    figures = read_json(PASSAGES, {})
    test, answers, areas = figures["halves"]["test"], figures["answers"], figures["roc_auc_of_answers"]
    head = ["kind of reuse", *test["kinds"]["all"]]
    rows = [[REUSE[kind], *(f"{x:.3f}" for x in m.values())] for kind, m in test["kinds"].items()]
    return "\n".join(
        [
            markdown_table(head, rows),
            f"{test['clean_pairs_with_a_passage']} of {test['clean_pairs']} pairs without reuse have a passage. "
            f"{test['pairs']} pairs; `python -m studies.passages.fit_passages --pan FOLDER --seconds 0`, "
            "[passages.json](results/passages.json).",
            "",
            "Short answers to eight questions, written for this purpose (`studies/passages/short_answers.jsonl.gz`):",
            f"share of the answer in shared passages {answers['cut']:.2f} (cut out of the source),",
            f"{answers['light']:.2f} (lightly revised), {answers['heavy']:.2f} (heavily revised),",
            f"{answers['independent']:.2f} (independent). ROC AUC of revised against independent answers:",
            f"{areas['shared passages']:.3f} by this share, {areas['BM25']:.3f} by BM25. The answers were in the fit.",
            "",
        ]
    )


def write() -> None:
    """Write the table into docs/results.md."""
    replace_between(PAGE, BEGIN, END, passages_table())


if __name__ == "__main__":
    command_line(__doc__).parse_args()
    write()
