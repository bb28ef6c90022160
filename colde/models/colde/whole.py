"""The network whose parts are all trained: upper encoder layers, embeddings, attention, Bi-LSTM, projection."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from colde.encoders.packed import Bert
from colde.models.colde.aggregate import Aggregate
from colde.models.colde.upper import Upper
from colde.models.colde.whole_config import WholeConfig

GROUPS: Mapping[str, tuple[str, ...]] = {
    "encoder": ("upper.layers.",),
    "section": ("upper.section.",),
    "chunk": ("upper.chunk.",),
    "salience": ("upper.salience.",),
    "attention": ("aggregate.attention.",),
    "lstm": ("aggregate.lstm.",),
    "recurrent": ("aggregate.recurrent.",),
    "direct": ("aggregate.direct.",),
}
"""The parts of the network by the beginning of their parameters' names; each is trained from the first step."""


class WholeNetwork(nn.Module):
    """`upper` gives sentence vectors, `aggregate` everything above them."""

    def __init__(self, config: WholeConfig, encoder: Bert | None = None) -> None:
        super().__init__()
        self.config = config
        self.upper = Upper(config, encoder)
        self.aggregate = Aggregate(config)

    def group(self, name: str) -> dict[str, nn.Parameter]:
        """The parameters of a part of `GROUPS`."""
        return {n: p for n, p in self.named_parameters() if n.startswith(GROUPS[name])}

    def moved(self, start: Mapping[str, Tensor]) -> dict[str, float]:
        """How far each part has moved from these values, as a share of their norm."""
        found = {}
        for name in GROUPS:
            own = self.group(name)
            if own:
                change = sum(float((p.detach() - start[n]).square().sum()) for n, p in own.items())
                found[name] = (change / sum(float(start[n].square().sum()) for n in own)) ** 0.5
        return found
