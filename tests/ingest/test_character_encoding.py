"""Bytes to characters where several encodings would do."""

from __future__ import annotations

import pytest

import colde
from colde.errors import ReadError

JAPANESE = "これは日本語の文章です。二つ目の文もあります。漢字とひらがなとカタカナを使います。" * 5
UNICODE = "Grüße aus Köln, es ist schön hier."
SAMPLES = {
    **{encoding: [UNICODE] for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32")},
    **{encoding: [f"{UNICODE} And that is all."] for encoding in ("utf-16-le", "utf-16-be")},
    "latin-1": ["Grüße aus Köln, es ist schön hier. Die Straße führt über die Brücke nach Süden. " * 5],
    **{encoding: [JAPANESE] for encoding in ("shift_jis", "euc_jp")},
    "gb18030": ["这是一个用中文写的句子。这里还有第二个句子，它说的是别的事情。" * 5],
    "big5": ["這是一個用中文寫的句子。這裡還有第二個句子，它說的是別的事情。" * 5],
    "euc_kr": [
        "이것은 한국어로 쓴 문장입니다. 여기에 두 번째 문장이 있습니다. 그리고 세 번째도 있습니다. " * 5
    ],
    "cp1252": [
        "“Grüße” aus Köln – es ist schön hier. Die Straße führt über die Brücke nach Süden. " * 5,
        "fermé à Noël",
        "Größe und Maß, schön für Öl und Übung",
        "El niño comió jamón en la montaña, ¿verdad?",
        "“Naïve” café — déjà vu, 20 € au total",
        "Mañana será otro día para los señores de aquí, y también para nosotros en la ciudad.",
        "Der Löwe schläft heute Nacht, und die Mäuse tanzen auf dem Dach über der Stadt mit uns.",
        "Smørrebrød på bordet, blåbær og rødgrød til alle børn",
    ],
    "cp1250": [
        "Zażółć gęślą jaźń i nie mów, że to jest za trudne do zrobienia, bo się nie da tego przeczytać.",
        "Příliš žluťoučký kůň úpěl ďábelské ódy a není to to, co se od něj na louce za domem čekalo.",
    ],
    "cp1251": ["Результаты показывают, что метод лучше всех остальных в каждом опыте, и это не случайно."],
    "koi8-r": [
        "Это предложение написано по-русски. Вот и второе предложение, оно длиннее первого. " * 5,
        "Результаты показывают, что метод лучше всех остальных в каждом опыте, и это не случайно.",
    ],
    "cp1253": ["Τα αποτελέσματα δείχνουν ότι η μέθοδος είναι καλύτερη από όλες τις άλλες σε κάθε δοκιμή."],
    "cp932": ["このような結果は、この方法がほかのすべての方法よりも優れていることを示している。"],
}


@pytest.mark.parametrize(("encoding", "text"), [(e, t) for e, texts in SAMPLES.items() for t in texts])
def test_the_usual_encoding_first(encoding: str, text: str) -> None:
    assert colde.read(text.encode(encoding), name="x.txt", sandbox=False).text == text.strip()


def test_utf8_with_control_characters_is_text_without_them() -> None:
    lines = "".join(f"\x1b[3{n % 8}mline {n}\x07\x08 of a log\x1b[0m — é\x01\n" for n in range(40))
    text = colde.read(lines.encode(), name="log.txt", sandbox=False).text
    assert "line 7 of a log" in " ".join(text.split()).replace("[37m", "").replace("[0m", "")
    assert not any(ord(c) < 32 and c != "\n" for c in text)


@pytest.mark.parametrize("data", [bytes(range(32)) * 40, b"ab\x00\x01\x02" * 200])
def test_controls_for_the_most_part_are_no_text(data: bytes) -> None:
    with pytest.raises(ReadError, match="not_text"):
        colde.read(data, name="x.txt", sandbox=False)
