"""A program that defers torch's kernels for tensors without values imports none, and gets them where they are used."""

from __future__ import annotations

import pytest

from colde.models import registry
from tests.programs import run_python

BEGIN = """
import os, sys
from colde.meta_kernels import KERNELS, USERS, defer_meta_kernels, load_meta_kernels
defer_meta_kernels()
"""
EACH_USE = """
import torch
from torch.nn.functional import scaled_dot_product_attention

def derivative():
    x = torch.ones(3)
    torch.func.jvp(lambda x: torch.log_softmax(x, 0), (x,), (x,))
    assert torch._decomp.__spec__.origin == torch._decomp.__file__

def attribute():
    assert callable(sys.modules[KERNELS].device_hint)

assert not USERS & sys.modules.keys()
for use in derivative, attribute:
    child = os.fork()
    if not child:
        use()
        x = torch.empty(2, 3, 4, 8, device="meta")
        assert scaled_dot_product_attention(x, x, x).shape == x.shape
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, use
"""
BEFORE_TORCH = """
load_meta_kernels()
assert "torch" not in sys.modules
import torch
assert sys.modules[KERNELS].__file__ and "torch._decomp" in sys.modules
"""

ANOTHER_TORCH = """
import colde.meta_kernels
colde.meta_kernels.KERNELS = "torch._renamed"
defer_meta_kernels()
import torch, torch._decomp
assert "torch._renamed" not in sys.modules
"""


def test_they_are_loaded_when_a_part_of_torch_uses_them_or_when_a_program_asks() -> None:
    run_python("-c", BEGIN + EACH_USE)


def test_a_program_that_asks_before_torch_is_imported_gets_them_with_it() -> None:
    run_python("-c", BEGIN + BEFORE_TORCH)


def test_a_torch_without_that_module_is_imported_as_it_is() -> None:
    run_python("-c", BEGIN.replace("defer_meta_kernels()\n", "") + ANOTHER_TORCH)


@pytest.mark.parametrize(("module", "asked"), [("json", True), ("colde.models.lexical.bm25", False)])
def test_models_of_other_packages_get_them(monkeypatch: pytest.MonkeyPatch, module: str, asked: bool) -> None:
    calls: list[bool] = []
    monkeypatch.setattr(registry, "load_meta_kernels", lambda: calls.append(True))
    assert registry.import_code(module, "x").__name__ == module
    assert calls == [True] * asked
