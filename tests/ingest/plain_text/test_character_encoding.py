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
        "It isn’t “new”.",
        "Elle a dit : « AU CAFÉ» et « À L’ÉTÉ », puis « IRMÃ» à São Paulo.",
        "Le musée est fermé à Noël",
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
    "iso2022_jp": [JAPANESE],
    "mac_roman": [
        "Der Löwe schläft heute Nacht, und die Mäuse tanzen auf dem Dach über der Stadt mit uns. Früher führte eine "
        "Brücke über den Fluss, aber das Wasser hat sie im Frühling fortgerissen, und seither fährt nur die Fähre.",
    ],
    "iso8859_2": [
        "Młyn stoi nad rzeką od wielu lat, a jego koło obraca się tylko wtedy, gdy woda jest wysoka. Młynarz śpi w "
        "południe i pracuje w nocy, bo tak każą mu przypływy. Wieś żyje z mąki, którą łodzie wożą na wyspy.",
    ],
    "cp037": ["The ferry crosses the river here. Its boat is flat, and it carries two carts. Grüße!"],
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


PROSE = "Plain words about a mill and its gate, told at some length. " * 4
TYPOGRAPHIC = "The miller’s gate – a slab of elm – is “closed”, said Zoë."
DAMAGED = {
    "early": (b"\xff" + PROSE.encode() + TYPOGRAPHIC.encode(), TYPOGRAPHIC),
    "in the middle": (TYPOGRAPHIC.encode() + b" caf\xe9 " + TYPOGRAPHIC.encode(), TYPOGRAPHIC),
    "late": (PROSE.encode() * 400 + TYPOGRAPHIC.encode() + b"\x93.", TYPOGRAPHIC),
    "cut within": (
        TYPOGRAPHIC.encode().replace("’".encode(), b"\xe2\x80"),
        "gate – a slab of elm – is “closed”",
    ),
    "cut at the end": (TYPOGRAPHIC.encode() + b" Bront\xc3", TYPOGRAPHIC),
    "joined with a file in Windows-1252": (
        TYPOGRAPHIC.encode() + PROSE.encode() + TYPOGRAPHIC.encode("cp1252"),
        TYPOGRAPHIC,
    ),
    "joined with a longer file in Windows-1252": (
        TYPOGRAPHIC.encode() + b" " + (TYPOGRAPHIC + " It isn’t far. ").encode("cp1252") * 5,
        f"{TYPOGRAPHIC} {TYPOGRAPHIC} It isn’t far.",
    ),
    "half of a surrogate pair": (TYPOGRAPHIC.encode() + b" \xed\xa0\xbd.", TYPOGRAPHIC),
    "surrogate pairs": (PROSE.encode() + b"\xed\xa0\xbd\xed\xb8\x80 Zo\xc3\xab", "😀 Zoë"),
    "UTF-16": (b"\xff\xfe" + TYPOGRAPHIC.encode("utf-16-le")[:-1], TYPOGRAPHIC[:-1]),
}


@pytest.mark.parametrize("name", ["x.txt", "x.md", "x.html", "x.rst"])
@pytest.mark.parametrize("kind", DAMAGED)
def test_bad_bytes_leave_the_encoding_and_give_a_warning(kind: str, name: str) -> None:
    data, kept = DAMAGED[kind]
    document = colde.read(data, name=name, sandbox=False)
    assert kept in document.text
    assert "UTF-" in document.warnings[0].text


def test_the_warning_names_the_lines() -> None:
    data = "é\n\nb\xff é\n\nc é\n\nd\xff é".encode().replace("ÿ".encode(), b"\xff")
    document = colde.read(data, name="x.txt", sandbox=False)
    assert "2 places" in document.warnings[0].text and "lines 3, 7" in document.warnings[0].text


@pytest.mark.parametrize(
    ("label", "encoding", "text"),
    [
        ("iso-8859-1", "cp1252", TYPOGRAPHIC),
        ("us-ascii", "cp1252", TYPOGRAPHIC),
        ("x-user-defined", "cp1252", TYPOGRAPHIC),
        ("ISO-8859-9", "cp1254", "Şişli’de “İstanbul” – ığ"),
        ("tis-620", "cp874", "เขาไป “โรงเรียน”"),
        ("gb2312", "gbk", "这是“镕”基"),
        ("ks_c_5601-1987", "cp949", "똠방각하 펲시콜라"),
        ("shift_jis", "cp932", "①②髙崎"),
        ("utf-16", "utf-8", TYPOGRAPHIC),
        ("utf-8", "cp1252", TYPOGRAPHIC),
        ("latin1", "utf-8", TYPOGRAPHIC),
        ("no such label", "cp1252", TYPOGRAPHIC),
    ],
)
@pytest.mark.parametrize("form", ['<meta charset="{}">', '<?xml version="1.0" encoding="{}"?>'])
def test_declared_encodings_are_those_of_browsers(label: str, encoding: str, text: str, form: str) -> None:
    page = f"{form.format(label)}<html><body><p>{text}</p></body></html>".encode(encoding)
    document = colde.read(page, name="x.html", sandbox=False)
    assert document.text == text
