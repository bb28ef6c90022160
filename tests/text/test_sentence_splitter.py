"""Sentences: what ends one, what does not, and that the time stays linear."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from colde.text.sentences.sentence_splitter import split_sentences


def sentences(text: str, language: str | None = None) -> list[str]:
    return [text[s.start : s.end] for s in split_sentences(text, language)]


@pytest.mark.parametrize(
    "expected",
    [
        ["As shown by Smith et al. (2004), this holds.", "See Fig. 3 and Eq. (2) for it."],
        ["The work of (Le et al., 2011) is used, e.g., here.", "It is good."],
        ["J. R. R. Tolkien and A. Smith wrote books.", "They sold well."],
        ["He lives in the U.S. capital.", "She left at 5 p.m. on Monday."],
        ["He left the U.S.", "The train was late."],
        ["A new asyncio.Task is made.", "The typing.ReadOnly qualifier is new."],
        ["It is kept for later.", "asyncio.Task uses it.", "exec() requires it."],
        ["The key is required in A.", "For each key in B there is one."],
        ["Version 3.11 is out.", "2.1 Methods were used.", "1. First item.", "2. Second item here."],
        ["Two opcodes are added.", "(Note that earlier drafts did so.)", "Then they went."],
        ['He said "Go!" and left.', '"Why?" she asked.', "“Because.”", "Yes."],
        ["The answer is no.", "No. 5 is alive!", "Visit www.example.org.", "Then go."],
        ["Results improved.[3]", "The next one did not.12", "Another sentence follows."],
        ["In them he found ... nothing.", "What?!", "Really?"],
        ["i went home.", "then i slept.", "it was nice"],
        # citations of courts and laws
        [
            "Dale v. Orchard Mills, Inc., 88 F. Supp. 3d 114 (S.D.N.Y. 2015), aff'd, 640 F. App'x 12 (2d Cir. 2016).",
            "It appeared in 61 Harv. L. Rev. 211 and again in 12 J. Legal Stud. 3.",
            "The limits are set by Tex. Gov't Code Ann. § 22.001 and by Fed. R. Evid. 403.",
            "The agency cited H.R. Rep. No. 94-1476, at 61 (1976), and Rev. Rul. 70-20.",
            "In Harker v. Lane [1998] 2 All E.R. 45 the House of Lords agreed.",
            "Cl. 9 and Cls. 10 to 12 were struck out.",
            "See Ch. 4, Pt. II, Div. 3.",
        ],
        # ranks, offices, the church, given names
        [
            "Maj. Gen. Alder and Brig. Gen. Thorn sent Lt. Cmdr. Vane and Ens. Holt ashore.",
            "Sqn. Ldr. Finch flew with Wg. Cdr. Hume.",
            "Asst. Prof. Wynn met Atty. Gen. Crowe and Dep. Supt. Clay.",
            "Msgr. Bell and Abp. Crane live near Mt. Hale.",
            "Wm. Lowe signed for Geo. Hart.",
            "Cllr. Finch refused.",
            "Comdt. Elm left with Prof. Emer. Cole.",
            "Doe et al. v. The State is told in part V.",
            "The rest is not.",
        ],
        # ends that look like them
        [
            "She waited for the col.",
            "Marsh came.",
            "It was taller than her brother's.",
            "Stone fell.",
            "The answer is no.",
            "Reed left.",
            "It ran at 50 Hz.",
            "Noise was low.",
            "The tank holds 3 l.",
            "Oil floats.",
            "I saw Matt.",
            "Boyd stayed.",
            "They lived on Elm St.",
            "It was quiet.",
            "The rule has no exception.",
            "Sen. Hale agreed.",
        ],
    ],
)
def test_english(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "ja",
            "これは文です。次の文です！本当ですか？「引用。」はい。",
            ["これは文です。", "次の文です！", "本当ですか？", "「引用。」", "はい。"],
        ),
        (None, "这是句子。第二句！", ["这是句子。", "第二句！"]),
        (
            "ar",
            "هذه جملة عربية قصيرة. وهذه جملة ثانية؟ نعم، إنها كذلك!",
            ["هذه جملة عربية قصيرة.", "وهذه جملة ثانية؟", "نعم، إنها كذلك!"],
        ),
        ("hi", "यह एक वाक्य है। यह दूसरा है।", ["यह एक वाक्य है।", "यह दूसरा है।"]),
        (
            "de",
            "Das ist z.B. ein Satz. Am 3. Oktober kam Dr. Müller.",
            ["Das ist z.B. ein Satz.", "Am 3. Oktober kam Dr. Müller."],
        ),
        (
            "de",
            "Das Gesetz gilt seit 1999. Nach Art. 5 Abs. 2 gilt Tabelle 3.1. der Anlage. Das reicht.",
            ["Das Gesetz gilt seit 1999.", "Nach Art. 5 Abs. 2 gilt Tabelle 3.1. der Anlage.", "Das reicht."],
        ),
        (
            "fr",
            "Le maire a rencontré M. Dupont hier. En 52 av. J.-C. la ville brûla. Il pleuvait.",
            ["Le maire a rencontré M. Dupont hier.", "En 52 av. J.-C. la ville brûla.", "Il pleuvait."],
        ),
        (
            "de",
            "Vgl. BGH, Urt. v. 3. März 1999, Az. VI ZR 1/98, Rn. 4. Er fuhr mit Oblt. Kern. Auf diese Art. Rolf kam.",
            [
                "Vgl. BGH, Urt. v. 3. März 1999, Az. VI ZR 1/98, Rn. 4.",
                "Er fuhr mit Oblt. Kern.",
                "Auf diese Art.",
                "Rolf kam.",
            ],
        ),
        (
            "fr",
            "Cf. Cass. Civ. 2e, 4 mai 1999, et l’art. 12. Le Gén. Petit passa le col. Paul aime l'art. Il peint.",
            [
                "Cf. Cass. Civ. 2e, 4 mai 1999, et l’art. 12.",
                "Le Gén. Petit passa le col.",
                "Paul aime l'art.",
                "Il peint.",
            ],
        ),
        ("ru", "В г. Москве жил А. С. Пушкин. Он ушёл.", ["В г. Москве жил А. С. Пушкин.", "Он ушёл."]),
        ("nl", "De heer J. Jansen woont hier. Hij ging.", ["De heer J. Jansen woont hier.", "Hij ging."]),
        ("no-such-language", "One. Two.", ["One.", "Two."]),
    ],
)
def test_other_languages(language: str | None, text: str, expected: list[str]) -> None:
    assert sentences(text, language) == expected


def test_a_blank_line_in_a_listing_ends_its_passage() -> None:
    assert sentences("x = foo.bar\n\ny = 1") == ["x = foo.bar", "y = 1"]


@given(st.text(alphabet=st.sampled_from("ab A1.!?…。(\"'”)[ ]\n,;e.g"), max_size=200))
def test_sentences_cover_the_text_in_order(text: str) -> None:
    spans = split_sentences(text)
    assert "".join("".join(text[s.start : s.end].split()) for s in spans) == "".join(text.split())
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(text[s.start : s.end] == text[s.start : s.end].strip() != "" for s in spans)


@settings(deadline=None, max_examples=30)
@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    spans = split_sentences(text)
    assert "".join("".join(text[s.start : s.end].split()) for s in spans) == "".join(text.split())


@pytest.mark.parametrize(
    "text",
    [
        "." * 100_000,
        ". " * 50_000,
        "e.g. " * 20_000,
        "。" * 100_000,
        "(" * 100_000 + ".",
        '. "' * 35_000,
        "A" * 100_000,
        "x [1," * 20_000,
        "\n \n" * 35_000,
        "a. " * 35_000,
    ],
    ids=lambda text: repr(text[:6]),
)
def test_no_text_takes_quadratic_time(text: str) -> None:
    """Each takes well below a second; a quadratic step would need minutes here."""
    split_sentences(text)


def test_agrees_with_sentences_marked_in_documents(shared: Callable[[str], Path]) -> None:
    """F1 of sentence ends over the PEPs and EIPs; spaCy's sentencizer alone reaches .913 and .981."""
    for kind, least in (("peps", 0.975), ("eips", 0.985)):
        right = wrong = missed = 0
        for path in sorted(shared(f"documents/{kind}").glob("*.truth.json")):
            for section in json.loads(path.read_text(encoding="utf-8"))["sections"]:
                marked = [" ".join(s["text"].split()) for s in section["sentences"]]
                ends: set[int] = set()
                text = ""
                for sentence in marked:
                    text += sentence
                    if sentence.rstrip("\"'”’)]")[-1:] in (".", "!", "?"):
                        ends.add(len(text))
                        text += " "
                    else:  # an item of a list without a full stop
                        text += "\n\n"
                ends.discard(len(text) - 1)
                found = {s.end for s in split_sentences(text)[:-1] if text[s.end : s.end + 1] != "\n"}
                right += len(found & ends)
                wrong += len(found - ends)
                missed += len(ends - found)
        assert 2 * right / (2 * right + wrong + missed) >= least, kind
