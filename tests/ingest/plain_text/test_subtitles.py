"""Captions that roll up, drawings and other marks of subtitles."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import colde

PHRASES = [
    "The ferry leaves the old pier at nine",
    "and comes back before the tide turns.",
    "Whoever misses it has to walk around",
    "the bay on the gravel road, which takes",
    "four hours. Nobody does that twice.",
    "The captain knows every sandbank",
    "by its name, and sings while he steers.",
]
SENTENCES = [
    "The ferry leaves the old pier at nine and comes back before the tide turns.",
    "Whoever misses it has to walk around the bay on the gravel road, which takes four hours.",
    "Nobody does that twice.",
    "The captain knows every sandbank by its name, and sings while he steers.",
]


def rolling(height: int) -> list[list[str]]:
    """The lines on the screen at one time after the other."""
    return [PHRASES[max(0, i - height + 1) : i + 1] for i in range(len(PHRASES))]


def srt(cues: Sequence[Sequence[str]]) -> str:
    blocks = []
    for i, lines in enumerate(cues):
        text = "\n".join(lines)
        blocks.append(f"{i + 1}\n00:00:{2 * i:02},000 --> 00:00:{2 * i + 2:02},000\n{text}\n")
    return "\n".join(blocks)


def ass(events: Sequence[str], layer: int = 0) -> str:
    dialogues = "\n".join(
        f"Dialogue: {layer},0:00:{2 * i:02}.00,0:00:{2 * i + 2:02}.00,Default,,0,0,0,,{text}"
        for i, text in enumerate(events)
    )
    head = "[Script Info]\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, "
    return f"{head}Text\n{dialogues}\n"


def ttml(cues: Sequence[Sequence[str]]) -> str:
    paragraphs = "".join(
        f'<p begin="{2 * i}s" end="{2 * i + 2}s">{"<br/>".join(lines)}</p>' for i, lines in enumerate(cues)
    )
    return f'<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml"><body><div>{paragraphs}</div></body></tt>'


def sentences(text: str, suffix: str) -> list[str]:
    document = colde.read(text.encode(), name=f"talk.{suffix}")
    return [document.text[s.start : s.end] for section in document.sections for s in section.sentences]


@pytest.mark.parametrize("height", [1, 2, 3, 4, 6])
def test_rolling_captions_say_each_phrase_once(height: int) -> None:
    cues = rolling(height)
    assert sentences(srt(cues), "srt") == SENTENCES
    assert sentences(ttml(cues), "ttml") == SENTENCES
    assert sentences(ass(["\\N".join(lines) for lines in cues]), "ass") == SENTENCES
    assert sentences("WEBVTT\n\n" + srt(cues).replace(",000", ".000"), "vtt") == SENTENCES


def test_captions_that_grow_by_a_word_say_each_word_once() -> None:
    words = " ".join(PHRASES[:5]).split()
    cues = [[" ".join(words[:i])] for i in range(1, len(words) + 1)]
    assert sentences(srt(cues[:45]), "srt") == SENTENCES[:3]


def test_captions_that_fill_the_screen_and_begin_anew_say_each_phrase_once() -> None:
    cues = [PHRASES[start : i + 1] for start in (0, 3, 6) for i in range(start, min(start + 3, len(PHRASES)))]
    assert sentences(srt(cues), "srt") == SENTENCES


def test_layers_with_the_same_text_are_read_once() -> None:
    both = ass(PHRASES).splitlines()
    doubled = [
        line for one in both for line in ([one, one.replace(": 0,", ": 1,")] if "Dial" in one else [one])
    ]
    assert sentences("\n".join(doubled), "ass") == SENTENCES


def test_repetitions_that_are_said_stay() -> None:
    text = srt(
        [["Stop it, I said."], ["Stop it, I said."], ["He did not hear me over the wind."], ["He rowed on."]]
    )
    assert sentences(text, "srt").count("Stop it, I said.") == 2


@pytest.mark.parametrize(
    "drawn",
    [
        "{\\p1}m 0 0 l 120 0 120 40 0 40{\\p0}",
        "{\\an7\\pos(20,30)\\p4\\c&H00FF00&}m 10 10 b 20 20 30 30 40 40 l 5 5",
        "{\\p1}m 0 0 l 9 9{\\bord2}l 7 7{\\p0}",
    ],
)
def test_drawings_are_left_out(drawn: str) -> None:
    events = [PHRASES[0], drawn, PHRASES[1]]
    assert sentences(ass(events), "ass") == SENTENCES[:1]
    assert sentences(ass([f"{drawn}{{\\p0}}{PHRASES[0]}", PHRASES[1]]), "ass") == SENTENCES[:1]


def test_settings_and_remarks_of_substation_are_left_out() -> None:
    events = [
        "{\\pos(10,20)\\pbo3}The ferry\\hleaves {\\k20}the {\\k30}old pier\\nat nine",
        "{check the name}and comes back {\\i1}before{\\i0} the tide\\Nturns.",
    ]
    assert sentences(ass(events), "ass") == SENTENCES[:1]


def test_substation_names_the_order_of_its_values() -> None:
    events = "\n".join(
        f"Dialogue: 0:00:0{i}.00,0:00:0{i + 1}.00,0,Default,{line}"
        for i, line in enumerate(["The cart, it seems,", "stood still.", "{\\p1}m 0 0 l 5 5"], 1)
    )
    text = f"[V4+ Styles]\nFormat: Name, Fontname\n\n[Events]\nFormat: Start, End, Layer, Style, Text\n{events}\n"
    assert sentences(text, "ass") == ["The cart, it seems, stood still."]


def test_what_subtitles_in_xml_say_of_themselves_is_left_out() -> None:
    text = ttml([["He rowed <desc>a creaking boat</desc>on."]])
    assert sentences(text, "ttml") == ["He rowed on."]
