"""Markdown of documentation generators: marks are no text, what they hold is; titles from front matter."""

from __future__ import annotations

import pytest

import colde


def paragraphs(text: str) -> list[str]:
    document = colde.read(text.encode(), name="x.md", sandbox=False)
    return [document.text[p.start : p.end] for s in document.sections for p in s.paragraphs]


MARKS = {
    ":::note\nA kiln.\n:::\n\nNext.": ["A kiln.", "Next."],
    "Before it\n:::note\nA kiln.\n:::\nafter it": ["Before it", "A kiln.", "after it"],
    ":::tip[Read this first]\nA kiln.\n:::": ["Read this first", "A kiln."],
    "::: warning Hot bricks\nA kiln.\n:::": ["Hot bricks", "A kiln."],
    '::: {.callout-note title="Look here" collapse="true"}\nA kiln.\n:::': ["Look here", "A kiln."],
    "::::note\nOuter.\n:::tip\nInner.\n:::\n::::": ["Outer.", "Inner."],
    ":::::: columns\n::: {.column}\nLeft.\n:::\n:::{.column}\nRight.\n:::\n::::::": ["Left.", "Right."],
    ":::{note} A title\n:class: x\nA kiln.\n:::": ["A title", "A kiln."],
    "```{warning} Mind it\n:class: x\n\nThe kiln\nis *hot*.\n```": ["Mind it", "The kiln is hot."],
    '!!! note "A title"\n    The kiln\n    is hot.\n\n    - one\n\nAfter.': [
        "A title",
        "The kiln is hot.",
        "one",
        "After.",
    ],
    '=== "Wood"\n\n    Slow fire.\n\n=== "Gas"\n\n    Fast fire.': [
        "Wood",
        "Slow fire.",
        "Gas",
        "Fast fire.",
    ],
    "- one\n  :::note\n  inside\n  :::\n- two": ["one", "inside", "two"],
    "import Tabs from '@theme/Tabs';\nimport {\n  A,\n} from \"../a\";\n\nText.": ["Text."],
    "export const kiln = {\n  hot: true,\n};\n\nText.": ["Text."],
    "<Tabs values={[{label: 'A', value: 'a'}]}>\n<TabItem\n  value=\"a\">\n\nInside.\n\n</TabItem>\n</Tabs>": [
        "Inside."
    ],
    "{{< note >}}\nA kiln.\n{{< /note >}}": ["A kiln."],
    '{% hint style="info" %}\nA kiln.\n{% endhint %}': ["A kiln."],
    "A kiln.\n{: .note }\n\n[[toc]]\n\n{/* a comment */}\n\nText.": ["A kiln.", "Text."],
    "<ruby>窯<rp>(</rp><rt>かま</rt><rp>)</rp></ruby>は<ruby>熱<rt>あつ</ruby>い。": ["窯は熱い。"],
    "!> A kiln is hot.": ["A kiln is hot."],
}
TEXT = (
    "import duty is high, and export duty is not.\nexport of wool is rare.",
    "To use it, write\nimport os\nand go on.",
    "a ::: b is a ratio",
    "```\n:::note\nimport x from 'y'\n```",
    "The value {{ kiln }} stays.",
)


@pytest.mark.parametrize(("text", "expected"), MARKS.items())
def test_marks_are_no_text(text: str, expected: list[str]) -> None:
    assert paragraphs(text) == expected


@pytest.mark.parametrize("text", TEXT)
def test_text_that_looks_like_marks_stays(text: str) -> None:
    assert " ".join(" ".join(paragraphs(text)).split()) == " ".join(text.replace("```", "").split())


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("---\ntitle: >-\n  The brick\n  kiln\ntags:\n  - a\n---", "The brick kiln"),
        ("---\ntitle: |\n  The brick\n  kiln\n---", "The brick kiln"),
        ("---\ntitle: >+\n\n  The brick\n  kiln\n\n---", "The brick kiln"),
        ("---\ntitle: The brick\n  kiln\n...", "The brick kiln"),
        ('---\ntitle: "The \\"brick\\": a kiln" # so\n---', 'The "brick": a kiln'),
        ("---\n# a comment\nTitle: 'It''s a kiln'\n---", "It's a kiln"),
        ("---\ntitle: The kiln: a history\nx: [\n---", "The kiln: a history"),
        ("---\ntitle: 1984\n---", "1984"),
        ('+++\ntitle = """\nThe brick\nkiln"""\n+++', "The brick kiln"),
    ],
)
def test_the_title_in_front_matter(front: str, title: str) -> None:
    document = colde.read(f"{front}\n\n# Site\n\nThe kiln stands.\n".encode(), name="x.md", sandbox=False)
    assert document.title == title
    assert [s.heading for s in document.sections] == ["Site"]
    assert document.text == "Site\n\nThe kiln stands."


def test_an_abstract_is_text_and_so_is_prose_between_rules() -> None:
    front = "---\ntitle: Kilns\nabstract: |\n  We fire bricks.\n\n  They *glow*.\n---\n\n# Site\n\nIt stands."
    assert paragraphs(front) == ["We fire bricks.", "They glow.", "It stands."]
    assert paragraphs("---\n# a comment\n{{ card }}\n---\n\nText.") == ["Text."]
    assert paragraphs("---\n# a comment\n---\n\nText.") == ["Text."]
    assert paragraphs("---\nThis is prose.\n\n---\n\nMore of it.") == ["This is prose.", "More of it."]


@pytest.mark.parametrize(
    "piece", ["!!! note\n", "::: a\n", "<A {", "{{<", "export ", ":::a ::::", "--- a: &a [*a]\n"]
)
def test_marks_without_end_are_read_in_time(piece: str) -> None:
    colde.read(f"---\n{piece * 20_000}\n\nText.".encode(), name="x.md", sandbox=False)


def test_marks_in_each_other_are_read_in_time() -> None:
    nested = "".join(f"{' ' * 4 * i}!!! note\n" for i in range(300)) + " " * 1200 + "Deep."
    assert "Deep." in colde.read(nested.encode(), name="x.md", sandbox=False).text
