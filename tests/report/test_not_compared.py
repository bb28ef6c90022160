"""What was not compared, warnings and the split of shared text: the same in every output."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from colde.ingest.document_json import to_dict
from colde.ingest.shared.page_warnings import page_runs
from colde.passages.find_passages import find_passages
from colde.report.html.html_report import to_html
from colde.report.html.view_payload import page_warnings, view_payload
from colde.report.tables.csv_tables import tables
from colde.report.terminal.terminal_report import not_compared_lines, print_report
from colde.results.comparison import TOO_LONG, Comparison
from colde.results.shared_text import SPLIT_NAMES, Exclusion, SentenceMatches
from colde.text.document import ReadWarning
from tests.report.example import example
from tests.schemas import validate


def warned() -> Comparison:
    found = example()
    return replace(found, b=replace(found.b, warnings=(ReadWarning("page 2 has no <text>"),)))


def test_json_python_and_tables_give_the_same_counts() -> None:
    found = warned()
    data = json.loads(found.to_json())
    assert data["set_aside"]["b"] == [{"what": "references", "words": 12, "why": "a list of works"}]
    assert data["set_aside"] == {s: [i.to_dict() for i in items] for s, items in found.set_aside.items()}
    assert data["warnings"] == {"a": [], "b": ["page 2 has no <text>"]}
    assert found.warnings["b"] == ("page 2 has no <text>",)
    rows = list(csv.DictReader(io.StringIO(dict(tables(found))["set_aside.csv"])))
    assert [(r["document"], r["what"], int(r["words"])) for r in rows] == [
        (side, item["what"], item["words"]) for side in "ab" for item in data["set_aside"][side]
    ]


def test_what_a_model_did_not_read_is_counted() -> None:
    found = example()
    (limited,) = (s for s in found.models if s.read_a.tokens_read < s.read_a.tokens)
    (item,) = (i for i in found.set_aside["a"] if i.model == limited.name)
    assert 0 < item.words < found.a.words()
    assert limited.title in item.what and limited.title not in " ".join(not_compared_lines(found))


def test_texts_too_long_for_the_search_for_shared_text_have_a_warning() -> None:
    finished = replace(example(), sentences=SentenceMatches(None), shared=None)
    assert finished.warnings == {"a": (TOO_LONG,), "b": (TOO_LONG,)}
    assert replace(finished, sentences=None).warnings == {"a": (), "b": ()}, "models are still at work"


def test_html_and_terminal() -> None:
    found = warned()
    assert not_compared_lines(found) == [
        "Not compared in A: references 12 words (--include references).",
        "Not compared in B: references 12 words (--include references).",
    ]
    page = to_html(found)
    assert "<h2>Not compared</h2>" in page and "<code>--include references</code>" in page
    assert '<p class="warning"><b>B</b>: page 2 has no &lt;text&gt;</p>' in page


@given(st.sets(st.integers(1, 60), min_size=1))
def test_runs_of_pages_hold_these_pages_and_no_others(numbers: set[int]) -> None:
    runs = page_runs(sorted(numbers))
    assert [page for first, last in runs for page in range(first, last + 1)] == sorted(numbers)
    assert all(later[0] > earlier[1] + 1 for earlier, later in pairwise(runs))


def test_a_warning_without_pages_stands_at_no_place(comparison: Comparison) -> None:
    warnings = (
        ReadWarning("the text seems to be Finnish; 12 pages say little"),
        ReadWarning("pages 3–5 and 8 cannot be read", ((3, 5), (8, 8))),
        ReadWarning("page 4 is odd", ((4, 4),)),
    )
    document = replace(comparison.a, warnings=warnings, pages=9)
    assert [(n["first"], n["last"]) for n in page_warnings(document)] == [(3, 5), (4, 4), (8, 8)]
    assert page_warnings(document)[0]["text"] == "Pages 3–5 and 8 cannot be read"
    notes = view_payload(replace(comparison, a=document))["documents"]["a"]["notes"]
    assert len(notes) == 3
    assert to_dict(document)["warnings"][1:] == ["pages 3–5 and 8 cannot be read", "page 4 is odd"]


def test_the_view_knows_what_was_set_aside() -> None:
    documents = view_payload(example())["documents"]
    assert documents["a"]["aside"] == "references 12 words"
    assert documents["a"]["notes"] == []


def counted(comparison: Comparison, *leave_out: Exclusion) -> Comparison:
    shared = find_passages(comparison.a, comparison.b, SentenceMatches(()), leave_out)
    return replace(comparison, shared=shared)


def test_the_page_has_the_table_once_it_is_counted(comparison: Comparison) -> None:
    heading = "<h2>How much is shared</h2>"
    assert heading not in to_html(replace(comparison, shared=None)), "not counted yet"
    page = to_html(counted(comparison))
    assert '<th scope="row">identical</th>' in page[page.index(heading) :]


def test_the_terminal_prints_the_table(comparison: Comparison) -> None:
    console = Console(width=80, record=True, file=io.StringIO())
    print_report(counted(comparison), console)
    text = console.export_text()
    assert "\nidentical " in text and "Each word is counted once" in " ".join(text.split())


def test_json_validates(comparison: Comparison) -> None:
    data = json.loads(counted(comparison, "small").to_json())
    validate("comparison", data)
    assert data["shared"]["left_out"] == ["small"] and data["shared"]["kinds"][0]["kind"] == "identical"
    for kind in data["shared"]["kinds"]:
        name = SPLIT_NAMES[kind["kind"]]
        assert (kind["a"], kind["b"]) == (data["split"]["a"][name], data["split"]["b"][name])
    assert sum(data["split"]["a"].values()) == 1
