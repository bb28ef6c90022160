"""S-LONG's attention against Hugging Face's Longformer with the same weights: seconds a text, their ratio, in one run.

python -m studies.speed.sliding_attention_speed [--tokens 4096] [--repeats 3]
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import torch
from rich.console import Console
from transformers import AutoModel, LongformerConfig, LongformerModel

from colde.assets import packaged_encoder
from colde.models.s_long.s_long import SLongConfig, SLongNetwork
from studies.arguments import command_line


def longformer(bert: Any, window: int, tokens: int) -> Any:
    """Hugging Face's Longformer with a BERT's weights, by the recipe of its paper (section 5)."""
    config = bert.config
    model = LongformerModel(
        LongformerConfig(
            attention_window=window,
            vocab_size=config.vocab_size,
            hidden_size=config.hidden_size,
            num_hidden_layers=config.num_hidden_layers,
            num_attention_heads=config.num_attention_heads,
            intermediate_size=config.intermediate_size,
            hidden_act=config.hidden_act,
            type_vocab_size=config.type_vocab_size,
            layer_norm_eps=config.layer_norm_eps,
            pad_token_id=config.pad_token_id,
            max_position_embeddings=tokens + config.pad_token_id + 1,  # the first rows stand for padding
        ),
        add_pooling_layer=False,
    )
    weights = {k: v for k, v in bert.state_dict().items() if not k.startswith("pooler.")}
    table = weights["embeddings.position_embeddings.weight"]
    tiled = table.repeat(-(-tokens // len(table)), 1)[:tokens]
    weights["embeddings.position_embeddings.weight"] = torch.cat([table[:1], tiled])
    for name in [n for n in weights if ".attention.self." in n]:
        for part in ("query", "key", "value"):
            if f".{part}." in name:
                weights[name.replace(f".{part}.", f".{part}_global.")] = weights[name]
    model.load_state_dict({k: v for k, v in weights.items() if not k.endswith("position_ids")})
    return model.eval()


def seconds(run: Callable[[], Any], repeats: int) -> float:
    """The median of some runs, after one that does not count."""
    run()
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        run()
        times.append(time.perf_counter() - begun)
    return median(times)


@torch.inference_mode()
def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__)
    parser.add_argument("--tokens", type=int, default=4096)
    parser.add_argument("--repeats", type=int, default=3)
    chosen = parser.parse_args(arguments)
    config = SLongConfig(tokens=chosen.tokens, rank=0)
    ids = torch.randint(999, 30_000, (1, chosen.tokens), generator=torch.Generator().manual_seed(0))
    there = torch.ones_like(ids, dtype=torch.bool)
    overall = torch.zeros_like(ids)
    overall[0, 0] = 1
    theirs = longformer(AutoModel.from_pretrained(packaged_encoder()), config.window, chosen.tokens)
    ours = SLongNetwork(config).eval()
    one = seconds(
        lambda: theirs(input_ids=ids, attention_mask=there.long(), global_attention_mask=overall),
        chosen.repeats,
    )
    other = seconds(lambda: ours.run(ids, there), chosen.repeats)
    Console().print(
        f"{chosen.tokens} tokens, {torch.get_num_threads()} threads: Longformer {one:.2f} s, S-LONG {other:.2f} s, "
        f"ratio {one / other:.1f}"
    )


if __name__ == "__main__":
    main()
