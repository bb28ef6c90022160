"""Lines of plain text: double spacing, running heads between lines, words broken at line ends."""

from __future__ import annotations

import textwrap

import pytest

import colde

ENGLISH = (
    "The ferry leaves the pier at six, when the herring boats are already far out on the sound.",
    "Its engine was built for a tram, and the captain repairs it with parts from an old mill.",
    "Nobody pays on the way out, because the till stands in the post office on the other shore.",
    "In winter the crossing takes an hour longer, since the ice has to be broken with poles.",
    "Children from the island sleep at school from November until the channel is free again.",
    "Their letters come home in the same bag as the newspapers and the medicine.",
    "A bridge has been promised three times, and three times the money went into a road.",
    "The islanders say that a bridge would bring more visitors than the only well can serve.",
    "So the ferry is painted every spring, always in the green that was left over from the church.",
    "Whoever helps with the painting may cross free of charge until the leaves fall.",
    "The oldest passenger remembers how her father rowed the doctor over on a night without stars.",
    "He was given a lantern for it, which still hangs above the door of the boathouse.",
)
GERMAN = (
    "Die Fähre verlässt den Steg um sechs, wenn die Boote der Fischer schon weit draußen sind.",
    "Ihr Motor stammt aus einer Straßenbahn, und der Kapitän repariert ihn mit Teilen einer alten Mühle.",
    "Im Winter dauert die Überfahrt eine Stunde länger, weil das Eis mit Stangen gebrochen wird.",
    "Die Kinder der Insel schlafen dann in der Schule, bis das Wasser wieder offen ist.",
    "Eine Brücke wurde dreimal versprochen, und dreimal ging das Geld in eine Straße.",
    "Wer im Frühling beim Streichen hilft, darf bis zum Herbst umsonst mit über das Wasser fahren.",
)
LANGUAGES = {"English": ENGLISH, "German": GERMAN * 2}


def sentences(text: str | bytes, name: str = "x.txt") -> list[str]:
    document = colde.read(text.encode() if isinstance(text, str) else text, name=name, sandbox=False)
    return [" ".join(document.text[s.start : s.end].split()) for _, s in document.sentences()]


def paragraphs(lines: tuple[str, ...]) -> list[str]:
    return [" ".join(lines[i : i + 3]) for i in range(0, len(lines), 3)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [30, 64, 100, 150])
@pytest.mark.parametrize(
    ("blank", "between", "indent"),
    [
        ("\n\n", "\n\n", ""),
        ("\n \t\n", "\n\n\n\n", ""),
        ("\n\n\n", "\n\n\n", "    "),
        ("\r\r\n\r\r\n", "\r\r\n" * 2, ""),
    ],
)
def test_double_spaced_lines(language: str, width: int, blank: str, between: str, indent: str) -> None:
    lines = LANGUAGES[language]
    text = between.join(
        blank.join(textwrap.wrap(paragraph, width, initial_indent=indent)) for paragraph in paragraphs(lines)
    )
    assert sentences(f"The ferry{blank}{between}{text}") == list(lines)


def test_double_spaced_chinese() -> None:
    line = "渡船清晨六点离开码头，那时捕鲱鱼的小船早已驶向远方的海面，岸上的人还在睡觉，只有守灯塔的人醒着。"
    assert sentences("\n\n".join(textwrap.wrap(line * 3, 18))) == [line] * 3


def test_numbered_items_between_blank_lines_are_no_headings() -> None:
    items = "1. A lantern for the pier\n\n2. A coil of rope\n\n3. A new bell"
    document = colde.read(
        f"{ENGLISH[0]}\n\n{items}\n\n{' '.join(ENGLISH)}".encode(), name="x.txt", sandbox=False
    )
    assert [s.heading for s in document.sections] == [None]


def test_line_ends_of_cr_cr_lf_are_one() -> None:
    text = "\n\n".join(textwrap.fill(p, 60) for p in paragraphs(ENGLISH))
    assert sentences(text.replace("\n", "\r\r\n")) == list(ENGLISH)


@pytest.mark.parametrize(
    "lines",
    [
        ENGLISH,
        ("apples", "pears", "plums", "quinces", "figs", "dates"),
        ("The pier at six", "A tram on the water", "Letters in winter", "The green of the church"),
        ("- a warm coat", "- two pairs of boots, oiled", "- a knife and a spoon", "- matches in a box"),
    ],
)
def test_paragraphs_of_one_line_stay_apart(lines: tuple[str, ...]) -> None:
    document = colde.read("\n\n".join(lines).encode(), name="x.txt", sandbox=False)
    assert [document.text[p.start : p.end] for s in document.sections for p in s.paragraphs] == list(lines)


HEADS = {
    "title and page": lambda n: [f"The Ferry                  Page {n} of 9"],
    "number": lambda n: [str(n + 11)],
    "dashes": lambda n: [f"— {n} —"],
    "Roman": lambda n: [("i", "ii", "iii", "iv", "v", "vi", "vii")[n - 1]],
    "alternating": lambda n: [f"{n + 3}    THE FERRY" if n % 2 else f"ACROSS THE SOUND    {n + 3}"],
    "foot and head": lambda n: [str(n), "The Ferry"],
    "no number": lambda n: ["THE FERRY ACROSS THE SOUND"],
    "date": lambda n: [f"Draft of 3 May 2019 | confidential | {n}"],
}


@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize("kind", HEADS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_running_heads_between_lines(language: str, kind: str, apart: bool) -> None:
    lines = [
        line for paragraph in paragraphs(LANGUAGES[language]) for line in [*textwrap.wrap(paragraph, 50), ""]
    ]
    text: list[str] = []
    for page, start in enumerate(range(0, len(lines), 5), 1):
        head = HEADS[kind](page)
        text += lines[start : start + 5]
        if start + 5 < len(lines) and page < 6:
            text += ["", *(line for part in head for line in (part, ""))] if apart else head
    assert sentences("\n".join(text)) == list(LANGUAGES[language])


def test_headings_and_sentences_that_come_again_are_no_running_heads() -> None:
    lessons = "\n\n".join(
        f"Lesson {i}\n\n{textwrap.fill(p, 60)}" for i, p in enumerate(paragraphs(ENGLISH), 1)
    )
    document = colde.read(lessons.encode(), name="x.txt", sandbox=False)
    assert [s.heading for s in document.sections] == ["Lesson 1", "Lesson 2", "Lesson 3", "Lesson 4"]
    clause = " ".join(ENGLISH[:3])
    tables = "\n\n".join(
        f"{textwrap.fill(p, 60)}\nThe cost of it in the past years is shown for each of them in\nTable {i}."
        for i, p in enumerate(paragraphs(ENGLISH), 1)
    )
    assert sum("Table" in sentence for sentence in sentences(tables)) == 4
    articles = "\n\n".join(textwrap.fill(f"{clause} {line}", 50) for line in ENGLISH[3:])
    assert len(sentences(articles)) == 4 * 9


@pytest.mark.parametrize("sign", "-\u2010\u00ac\u00ad\u2027\u2e17")
@pytest.mark.parametrize(
    ("name", "line_end"), [("x.txt", "\n"), ("x.txt", " \r\n   "), ("x.md", "\n"), ("x.html", "<br>")]
)
def test_words_broken_at_line_ends(sign: str, name: str, line_end: str) -> None:
    broken = f"{sign}{line_end}"
    text = f"The keeper of the light{broken}house wrote down every ves{broken}sel that passed the nar{broken}row sound."
    assert sentences(text, name) == [text.replace(broken, "")]


def test_hyphens_that_belong_to_words_stay() -> None:
    text = (
        "It is a well-\nknown pre-\nand post-war custom of the Anglo-\nSaxon coast, told in a long-\nterm study. "
        "The term is long."
    )
    assert sentences(text)[0] == (
        "It is a well-known pre- and post-war custom of the Anglo-Saxon coast, told in a long-term study."
    )


@pytest.mark.parametrize(
    "text", ["the ves\u00ad sel came", "the ves\u00ac sel came", "the ves\u00acsel came"]
)
def test_marks_of_broken_words_inside_lines(text: str) -> None:
    assert sentences(text) == ["the vessel came"]
    assert sentences("If ¬p or p ∧ ¬q holds.") == ["If ¬p or p ∧ ¬q holds."]


LONG = (
    "The mill was built by two brothers who had come over the hills with a mule, a saw and a bag of nails, and who had "
    "promised each other not to leave the valley before the first flour was ground and sold at the market in the town. "
)
WRAPPED = (
    "The wheel turns whenever the gate is open, and\nthe stones above it turn with the wheel. Nobody\nhears it in the "
    "night, because the gate is shut\nat dusk and the water runs over the weir."
)


def paragraphs_of(text: str) -> list[str]:
    document = colde.read(text.encode(), name="x.txt", sandbox=False)
    return [document.text[p.start : p.end] for section in document.sections for p in section.paragraphs]


def test_wrapped_lines_between_long_ones_are_joined() -> None:
    text = "\n\n".join([LONG * 3, WRAPPED, LONG * 2, WRAPPED, LONG * 4])
    assert paragraphs_of(text) == [" ".join(part.split()) for part in text.split("\n\n")]


def test_lines_that_end_anywhere_in_sentences_are_joined() -> None:
    words = (LONG * 6).split()
    lines, at = [], 0
    for count in (3, 41, 17, 9, 60, 2, 30, 25, 11, 5, 44):
        lines.append(" ".join(words[at : at + count]))
        at += count
    assert " ".join(paragraphs_of("\n".join(lines))) == " ".join(words[:at])
    assert len(paragraphs_of("\n".join(lines))) <= 2


def test_long_lines_that_are_paragraphs_stay_apart() -> None:
    lines = [
        "How the Old Mill Came to Be Built",
        LONG * 2,
        "Workers of the mill",
        LONG * 3,
        LONG,
        "Its End",
        LONG * 2,
    ]
    text = "\n".join(line.strip() for line in lines)
    assert len(paragraphs_of(text)) >= 4
    assert not any(LONG.strip() in p and ("Workers" in p or "Old Mill" in p) for p in paragraphs_of(text))


def test_short_items_between_long_lines_stay_apart() -> None:
    text = "\n".join([LONG * 3, "You need:", "a saw", "two hammers", "nails", LONG * 2, LONG * 3, LONG * 4])
    assert {"a saw", "two hammers", "nails"} <= set(paragraphs_of(text))
