"""CoLDE with the architecture of the paper (Jha et al. 2023): chunks, attention between parts, Bi-LSTM, projection."""

from __future__ import annotations

from colde.models.colde_paper.paper_matcher import PaperColde

__all__ = ["PaperColde"]
