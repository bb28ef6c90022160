"""Detection of languages: other languages are named, English of every genre is never taken for another one."""

from __future__ import annotations

import pytest

from colde.ingest import read_text
from colde.ingest.shared.language_detection import detect_language
from colde.text.word_lists.language_names import NAMES, language_name

FOREIGN = {
    "de": "Der Mieter verpflichtet sich, die Wohnung pfleglich zu behandeln und Schäden sofort zu melden.",
    "fr": "Le locataire s'engage à entretenir le logement et à signaler sans délai tout dommage au propriétaire.",
    "es": "El inquilino se compromete a cuidar la vivienda y a comunicar sin demora cualquier daño al dueño.",
    "it": "L'inquilino si impegna a trattare l'appartamento con cura e a segnalare subito ogni danno.",
    "pl": "Najemca zobowiązuje się dbać o mieszkanie i niezwłocznie zgłaszać szkody właścicielowi.",
    "nl": "De huurder verplicht zich de woning goed te verzorgen en schade onmiddellijk te melden.",
    "ru": "Арендатор обязуется бережно относиться к квартире и немедленно сообщать хозяину о повреждениях.",
    "el": "Ο ενοικιαστής υποχρεούται να φροντίζει το διαμέρισμα και να αναφέρει αμέσως κάθε ζημιά.",
    "tr": "Kiracı daireyi özenle kullanmayı ve oluşan zararları gecikmeden ev sahibine bildirmeyi kabul eder.",
    "ar": "يلتزم المستأجر بالعناية بالشقة وإبلاغ المالك فورا عن أي ضرر. يدفع الإيجار في كل شهر.",
    "he": "השוכר מתחייב לשמור על הדירה ולדווח לבעלים מיד על כל נזק. שכר הדירה ישולם בכל חודש.",
    "zh": "承租人应当妥善使用房屋，发现损坏应立即通知房东。租金应于每月第三个工作日支付。",
    "ja": "賃借人は部屋を大切に使い、損傷があればすぐに家主に知らせるものとする。",
    "ko": "임차인은 집을 소중히 사용하고 손상이 생기면 즉시 집주인에게 알려야 한다.",
    "hi": "किरायेदार घर की देखभाल करने और किसी भी नुकसान की सूचना तुरंत देने के लिए सहमत है।",
}

ENGLISH = {
    "patent": "What is claimed is: 1. A valve assembly (10) comprising a housing (12) and a poppet (14) biased by a "
    "spring (16) against a seat (18), wherein said poppet (14) is displaced when a pressure P1 exceeds a threshold.",
    "contract": "WHEREAS, the Lessor and the Lessee desire to amend the Lease; NOW, THEREFORE, the parties agree: "
    "Section 4.2(b)(iii) is replaced, mutatis mutandis, by Exhibit A. Force majeure, inter alia, shall excuse.",
    "capitals": "THE SELLER MAKES NO WARRANTY, EXPRESS OR IMPLIED, INCLUDING ANY WARRANTY OF MERCHANTABILITY.",
    "python": "def add(a, b):\n    return a + b\n\nclass Stack:\n    def push(self, item):\n"
    "        self.items.append(item)\n    def pop(self):\n        return self.items.pop()\n",
    "sql": "SELECT c.name, SUM(o.total) AS revenue FROM customers c JOIN orders o ON o.customer_id = c.id "
    "GROUP BY c.name HAVING SUM(o.total) > 1000 ORDER BY revenue DESC LIMIT 10;",
    "English names": "Alice Johnson, Robert Smith, Grace O'Neill, Henry Walker, Emma Hughes, Oliver Bennett",
    "names": "Hans Müller, Jürgen Schröder, Karl-Heinz Schäfer, Ursula Weiß, Günther Jäger, Wolfgang Krüger",
    "table": "Region Q1 Q2 Q3 Q4 Total\nNorth 12.4 13.1 14.9 15.0 55.4\nSouth 9.1 9.4 8.8 10.2 37.5",
    "scan": "Tlie quick bro wn fox jurnps ovcr tbe lazy d0g. lt was a brigbt eold day iu April, aud tbe c1ocks were "
    "striking tbirteen.",
    "spaced": "T h e c o n t r a c t o r s h a l l d e l i v e r t h e g o o d s w i t h i n t h i r t y d a y s .",
    "chemistry": "2-(4-isobutylphenyl)propanoic acid; N-(4-hydroxyphenyl)acetamide; 1,3,7-trimethylpurine-2,6-dione",
    "addresses": "12 High Street, Leeds; 7 Rue de la Paix, Paris; Hauptstraße 5, Berlin; Via Roma 22, Roma",
    "references": "Mikolov, T., Chen, K., Dean, J.: Efficient estimation of word representations. Proc. ICLR (2013)",
    "foreign terms": "Kant calls this the Ding an sich. For Sartre, l'existence précède l'essence. We shall compare "
    "the three positions and ask which of them can be held today.",
    "checksums": "a3f5c2e9d1b84f7c9e0a d41d8cd98f00b204e9800998ecf8427e e3b0c44298fc1c149afbf4c8996fb924",
}


@pytest.mark.parametrize(("language", "text"), FOREIGN.items())
def test_other_languages_are_named(language: str, text: str) -> None:
    assert detect_language(text) == language
    assert detect_language(f"{text}\n" * 40) == language


@pytest.mark.parametrize("text", ENGLISH.values(), ids=ENGLISH.keys())
def test_english_of_any_genre_is_no_other_language(text: str) -> None:
    assert detect_language(text) in ("en", None)
    assert detect_language(f"{text}\n" * 40) in ("en", None)


def test_a_text_in_two_languages_has_none() -> None:
    english = (
        "The tenant agrees to treat the flat with care and to report every damage to the landlord at once.\n"
    )
    german = FOREIGN["de"] + "\n"
    assert detect_language(english * 40 + german * 40) is None
    assert detect_language(english * 80 + german * 10) == "en"
    assert detect_language(english * 10 + german * 80) == "de"


@pytest.mark.parametrize("text", ["", "7 8 9", "Deliver two boxes.", "…" * 500, "0 1 " * 4_000])
def test_no_language_without_enough_letters(text: str) -> None:
    assert detect_language(text) is None


def test_every_language_has_a_name() -> None:
    assert language_name("de") == "German" and language_name("tlh") == "tlh"
    assert all(len(code) == 2 and name for code, name in NAMES.items())


@pytest.mark.parametrize(
    "text",
    [
        "Agenda A brief tour Is a heap a tree? Is a tree a heap? Sorting with a heap Questions Thanks",
        "a = b + c; i = k; o = a v s; " * 20,
        "Results Figure 1 Table 2 Accuracy 93.1 Recall 88.0 Precision 90.2 F1 89.1 Baseline 71.3 Ours 93.1 "
        * 5,
        "is a",
    ],
)
def test_no_language_without_evidence(text: str) -> None:
    assert detect_language(text) in (None, "en")


def test_language_of_running_text() -> None:
    assert detect_language("A heap keeps its smallest entry at the root. " * 4) == "en"
    assert (
        detect_language("A kutya az utcán fut, és nem látja, hogy egy autó is jön, de a gazda már szól neki.")
        == "hu"
    )


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("A heap keeps its smallest entry at the root. " * 4, "en"),
        ("Der Hund läuft über die Straße und sieht nicht, dass das Auto auf ihn zu kommt.", "de"),
        ("Le chien est dans la rue et il ne voit pas que la voiture est sur lui.", "fr"),
        ("これは日本語の文章です。二つ目の文もあります。", "ja"),
        ("هذه جملة عربية قصيرة. وهذه جملة ثانية؟", "ar"),
        ("Это предложение, и оно не на английском, а на русском, как и все, что здесь.", "ru"),
        ("7 8 9", None),
    ],
)
def test_a_document_has_its_language_and_a_warning(text: str, language: str | None) -> None:
    document = read_text(text)
    assert document.language == language
    assert bool(document.warnings) == (language not in ("en", None))
