"""The losses CoLDE is trained with."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def supervised_contrastive(
    z: Tensor, positive: Tensor, temperature: float, weight: Tensor | None = None
) -> Tensor:
    """Supervised contrastive loss (CoLDE, section 3.3), summed over the sections of an augmented batch.

    For each section i with at least one positive:
    −1/|P(i)| · Σ_{j ∈ P(i)} log( exp(z_i·z_j/τ) / Σ_{k ≠ i} w_ik exp(z_i·z_k/τ) ).
    With labels, P(i) are the other sections of the same label and |P(i)| = 2N_y − 1, the paper's constant.

    Args:
        z: [sections, dimension], L2-normalised.
        positive: [sections, sections], bool; the diagonal is ignored.
        temperature: τ; 0.5 in the paper (4.1.2).
        weight: [sections, sections], how much each pair counts in the denominator (1 in the paper);
            positives always count 1, the diagonal 0.

    Returns:
        A scalar; 0 where no section has a positive.
    """
    itself = torch.eye(len(z), dtype=torch.bool, device=z.device)
    positive = positive & ~itself
    logits = z @ z.T / temperature  # [sections, sections]
    if weight is not None:
        weight = torch.where(positive, torch.ones_like(weight), weight)
        logits_all = logits + weight.clamp(min=0).log()
    else:
        logits_all = logits
    denominator = logits_all.masked_fill(itself, -torch.inf).logsumexp(1, keepdim=True)
    log_share = logits - denominator
    count = positive.sum(1)
    per_section = -(log_share.masked_fill(~positive, 0.0).sum(1)) / count.clamp(min=1)
    return per_section[count > 0].sum()


class PairLoss(nn.Module):
    """Binary cross-entropy of sigmoid(e^a · cosine + b), a and b learned: it makes cosines of pairs comparable."""

    def __init__(self) -> None:
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(2.0))
        self.offset = nn.Parameter(torch.tensor(-2.0))

    def forward(self, cosine: Tensor, label: Tensor) -> Tensor:
        """cosine, label [pairs] → scalar mean."""
        logits = self.log_scale.exp() * cosine + self.offset
        return nn.functional.binary_cross_entropy_with_logits(logits, label.to(cosine.dtype))


def cosine_objective(cosine: Tensor, label: Tensor) -> Tensor:
    """The objective of CoLDE−CL (section 4.5.3): cosines of similar pairs go to 1, of others to 0; mean."""
    return nn.functional.mse_loss(cosine, label.to(cosine.dtype))
