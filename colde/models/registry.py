"""Every model of this program: one line here, one file beside, one folder of figures in assets/models.

Nothing here imports a model: the list is read without torch.
"""

from __future__ import annotations

from colde.models.base import Card

CLASSES: dict[str, str] = {
    "colde": "colde.models.colde:Colde",
    "tfidf": "colde.models.tfidf:TfIdf",
    "bm25": "colde.models.bm25:Bm25",
    "minilm": "colde.models.minilm:MiniLm",
    "dssm": "colde.models.dssm:Dssm",
    "arc_i": "colde.models.arc_i:ArcI",
    "s_bert": "colde.models.s_bert:SBert",
    "s_long": "colde.models.s_long:SLong",
    "smith": "colde.models.smith:Smith",
    "smash_rnn": "colde.models.smash_rnn:SmashRnn",
    "han": "colde.models.han:Han",
    "match_ignition": "colde.models.match_ignition:MatchIgnition",
    "cross_encoder": "colde.models.cross_encoder:CrossEncoder",
    "combined": "colde.models.combined:Combined",
}
"""Name → `module:class`. A class has `load(folder, card)` and is a `Matcher`."""

_CARDS = (
    Card(
        name="colde",
        title="CoLDE",
        source="Jha et al. 2023, Supervised Contrastive Learning for Interpretable Long-Form Document Matching",
        levels=("document", "section", "chunk", "sentence"),
        score_kind="cosine",
        score_means=(
            "A weighted mean of cosines, from −1 to 1: of what the documents are about and of the telling words they "
            "use. It grows with likeness, but it is no probability and no share of text in common."
        ),
        explains="Its own section and chunk vectors, its attention, and shared passages found by sentence windows.",
    ),
    Card(
        name="tfidf",
        title="TF-IDF",
        source="Salton and Buckley 1988, Term-weighting approaches in automatic text retrieval",
        levels=("document", "section", "sentence"),
        score_kind="cosine",
        score_means=(
            "Cosine of weighted word counts, from 0 to 1: which words both use, rare words more. "
            "Other words for the same thing count nothing."
        ),
        needs_training=False,
        cost="instant",
        explains="The words both documents use, and the sentences that hold most of them.",
    ),
    Card(
        name="bm25",
        title="BM25",
        source="Robertson and Zaragoza 2009, The Probabilistic Relevance Framework: BM25 and Beyond",
        levels=("document", "section", "word"),
        score_kind="share",
        score_means=(
            "How well each document's words find the other, as a share of how well they find their own document, "
            "mean of both ways; from 0 to 1."
        ),
        needs_training=False,
        cost="instant",
        explains="The shared words with the greatest weight, and where they stand.",
    ),
    Card(
        name="minilm",
        title="MiniLM mean",
        source="all-MiniLM-L6-v2 (Wang et al. 2020; Reimers and Gurevych 2019), mean over all chunks",
        levels=("document", "section", "chunk"),
        score_kind="cosine",
        score_means=(
            "Cosine of the mean vectors of a general sentence encoder that was not trained on document pairs; "
            "it measures common subject, and two texts of one field are close to begin with."
        ),
        needs_training=False,
        explains="The same encoder's vectors of sections and chunks.",
    ),
    Card(
        name="dssm",
        title="DSSM",
        source="Huang et al. 2013, Learning Deep Structured Semantic Models for Web Search using Clickthrough Data",
        levels=("document", "section"),
        score_kind="cosine",
        score_means=(
            "Cosine of two vectors made of the letter trigrams of all words, trained on document pairs. Order and "
            "grammar count nothing; it is no probability."
        ),
        explains="The same network run on single sections, and run again with single sentences left out.",
    ),
    Card(
        name="arc_i",
        title="ARC-I",
        source="Hu et al. 2014, Convolutional Neural Network Architectures for Matching Natural Language Sentences",
        levels=("document", "section"),
        score_kind="cosine",
        score_means=(
            "Cosine of two vectors made of the strongest short windows in the first 512 tokens of each document, "
            "trained on document pairs; it is no probability."
        ),
        explains="The windows that win its maxima, whose shares add up to the score, and sections read by themselves.",
    ),
    Card(
        name="s_bert",
        title="S-BERT",
        source="Reimers and Gurevych 2019, Sentence-BERT; over the first 512 tokens, as in Jha et al. 2023",
        levels=("document", "section", "sentence"),
        score_kind="cosine",
        score_means=(
            "Cosine of the mean token states of a sentence encoder fine-tuned on document pairs. It reads the first "
            "512 tokens of each text and knows nothing of the rest."
        ),
        explains="Its own token states: what each pair of sentences adds to the score, exactly.",
    ),
    Card(
        name="s_long",
        title="S-LONG",
        source="Beltagy et al. 2020, Longformer; over the first 4,096 tokens, as in Jha et al. 2023",
        levels=("document", "section", "sentence"),
        score_kind="cosine",
        score_means=(
            "Cosine of the mean token states of a Longformer fine-tuned on document pairs. It reads the first 4,096 "
            "tokens of each text, each token with the 256 on either side of it."
        ),
        cost="slow",
        explains="Its own token states: what each pair of sentences adds to the score, exactly.",
    ),
    Card(
        name="smith",
        title="SMITH",
        source="Yang et al. 2020, Beyond 512 Tokens: Siamese Multi-depth Transformer-based Hierarchical Encoder",
        levels=("document", "section"),
        score_kind="cosine",
        score_means=(
            "Cosine of two document vectors, trained on document pairs. It reads at most 48 blocks of 29 word pieces "
            "from the beginning of each text; longer sentences are cut, and it knows nothing of the rest."
        ),
        explains="Its own vectors of blocks of a few sentences and of sections, and its attention over the blocks.",
    ),
    Card(
        name="smith:np",
        title="SMITH-NP",
        source="Yang et al. 2020, SMITH without pre-training",
        levels=("document", "section"),
        score_kind="cosine",
        score_means=(
            "The cosine of SMITH trained on document pairs alone, without pre-training on plain text; it reads the "
            "same 48 blocks from the beginning of each text."
        ),
        explains="Its own vectors of blocks of a few sentences and of sections, and its attention over the blocks.",
    ),
    Card(
        name="smith:wp",
        title="SMITH-WP",
        source="Yang et al. 2020, SMITH pre-trained by masked words alone",
        levels=("document", "section"),
        score_kind="cosine",
        score_means=(
            "The cosine of SMITH pre-trained by masked words, but not by masked blocks; it reads the same 48 blocks "
            "from the beginning of each text."
        ),
        explains="Its own vectors of blocks of a few sentences and of sections, and its attention over the blocks.",
    ),
    Card(
        name="smith:short",
        title="SMITH-Short",
        source="Yang et al. 2020, SMITH with a pretrained sentence encoder",
        levels=("document", "section"),
        score_kind="cosine",
        score_means=(
            "Cosine of two document vectors on top of a pretrained sentence encoder, trained on document pairs. It "
            "reads at most four blocks of 125 word pieces from the beginning of each text."
        ),
        explains="Its own vectors of blocks of up to 125 word pieces and of sections, and its attention over them.",
    ),
    Card(
        name="smash_rnn",
        title="SMASH RNN",
        source="Jiang et al. 2019, Semantic Text Matching for Long-Form Documents",
        levels=("document", "sentence", "word"),
        score_kind="probability",
        score_means=(
            "Probability that the pair is alike, from a recurrent network that reads the first 512 word pieces of "
            "each text as paragraphs, sentences and words. The rest of the texts counts nothing."
        ),
        explains="Its attention to words, sentences and paragraphs, and its vectors of single sentences.",
    ),
    Card(
        name="smash_rnn:p",
        title="SMASH RNN (P)",
        source="Jiang et al. 2019, Semantic Text Matching for Long-Form Documents, paragraph hierarchy alone",
        levels=("document", "sentence", "word"),
        score_kind="probability",
        score_means=(
            "Probability that the pair is alike, from a recurrent network that reads the first 512 word pieces of "
            "each text as words in sentences in paragraphs. The rest of the texts counts nothing."
        ),
        explains="Its attention to words, sentences and paragraphs, and its vectors of single sentences.",
    ),
    Card(
        name="smash_rnn:p+s",
        title="SMASH RNN (P+S)",
        source="Jiang et al. 2019, Semantic Text Matching for Long-Form Documents, without the word hierarchy",
        levels=("document", "sentence", "word"),
        score_kind="probability",
        score_means=(
            "Probability that the pair is alike, from a recurrent network that reads the first 512 word pieces of "
            "each text as paragraphs and as sentences. The rest of the texts counts nothing."
        ),
        explains="Its attention to words, sentences and paragraphs, and its vectors of single sentences.",
    ),
    Card(
        name="han",
        title="HAN",
        source="Yang et al. 2016, Hierarchical Attention Networks for Document Classification; with a cosine",
        levels=("document", "sentence", "word"),
        score_kind="cosine",
        score_means=(
            "Cosine of two vectors made by a recurrent network with attention to words and sentences, trained on pairs "
            "of documents. It reads the first 1,024 word pieces of each text; it is no probability."
        ),
        explains="Its attention to words and sentences, and its vectors of single sentences.",
    ),
    Card(
        name="match_ignition",
        title="Match-Ignition",
        source="Pang, Lan, Cheng 2021, Match-Ignition: Plugging PageRank into Transformer for Long-form Text Matching",
        levels=("document", "sentence", "word"),
        score_kind="probability",
        score_means=(
            "Probability that the pair is alike, from a network that reads five sentences of each text: those that "
            "share most words with the other sentences of both. What stands elsewhere counts only in that choice."
        ),
        cost="slow",
        explains="Its sentence graph, the sentences and words its filters keep, and its attention between them.",
    ),
    Card(
        name="match_ignition:sentences",
        title="Match-Ignition, sentence filter only",
        source="Pang, Lan, Cheng 2021, Match-Ignition, table 5",
        levels=("document", "sentence"),
        score_kind="probability",
        score_means=(
            "Probability that the pair is alike, from a network that reads five sentences of each text, all their "
            "words: those that share most words with the other sentences of both."
        ),
        cost="slow",
        explains="Its sentence graph, the sentences its filter keeps, and its attention between them.",
    ),
    Card(
        name="match_ignition:words",
        title="Match-Ignition, word filter only",
        source="Pang, Lan, Cheng 2021, Match-Ignition, table 5",
        levels=("document", "sentence", "word"),
        score_kind="probability",
        score_means=(
            "Probability that the pair is alike, from a network that reads the first 198 word pieces of each text "
            "and drops a tenth of them after each layer. The rest of the texts counts nothing."
        ),
        cost="slow",
        explains="The words its filter keeps, and its attention from sentence to sentence of what it read.",
    ),
    Card(
        name="cross_encoder",
        title="Cross-encoder",
        source="Devlin et al. 2019, BERT; Hu et al. 2021, LoRA: one network reads the beginnings of both texts",
        levels=("document", "sentence"),
        score_kind="probability",
        score_means=(
            "Probability that the pair is alike, from a network that reads the beginnings of both texts together, the "
            "same number of word pieces of each. The rest of the texts counts nothing."
        ),
        cost="slow",
        explains="Its attention from sentence to sentence of what it read.",
    ),
    Card(
        name="combined",
        title="Combined",
        source="Wolpert 1992, Stacked Generalization; Breiman 1996, Stacked Regressions",
        levels=("document", "section"),
        score_kind="probability",
        score_means=(
            "Probability that the pair is similar, by a weighted sum of other models' scores, each against its mean "
            "for the chosen kind of documents; the weights come from labelled pairs of all kinds."
        ),
        symmetric=False,  # unless all the models in it are
        cost="slow",
        explains="The models it is made of: each one's share of the log-odds, and maps and passages of the greatest.",
    ),
)

CARDS: dict[str, Card] = {card.name: card for card in _CARDS}
"""Every registered model by name, in the order in which they are shown."""

DEFAULTS: tuple[str, ...] = ("colde", "tfidf", "bm25", "minilm")
"""The models that take part in a comparison unless others are named."""
