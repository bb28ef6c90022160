"""Import of torch without its kernels for tensors that have a shape and no values: 0.7 of its 1.7 seconds.

Such tensors (of the device `meta`, and `FakeTensor`) serve torch's compiler and the loading of weights by other
libraries; CoLDE's own models use none. A program calls `defer_meta_kernels` before it imports torch. The kernels are
loaded when a part of torch that rests on them is imported, and by `load_meta_kernels` before models of other packages
run. `import colde` defers nothing, since a library must not decide this for the program that uses it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

KERNELS = "torch._meta_registrations"
"""The module that registers the kernels. torch imports it as one of its last steps."""

USERS = frozenset({"torch._decomp", "torch._dynamo", "torch._prims", "torch._refs"})
"""Modules that rest on it, and that torch imports for it or on use."""


class _Placeholder(ModuleType):
    """Stands for the module of the kernels until one of its functions is used."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # asked of every module by code that walks through them
            raise AttributeError(name)
        load_meta_kernels()
        return getattr(sys.modules[KERNELS], name)


class _KernelsFirst(MetaPathFinder, Loader):
    """Loads the kernels before a module that rests on them: the modules import each other, and only in this order."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A specification of the module that the kernels have imported, so that it is not run again."""
        if fullname not in USERS:
            return None
        load_meta_kernels()
        module = sys.modules.get(fullname)
        if module is None:
            return None
        module.__spec__ = ModuleSpec(fullname, self, loader_state=module.__spec__)  # what Python takes
        return module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return sys.modules[spec.name]

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


def defer_meta_kernels() -> None:
    """Import torch without the kernels from now on, in a program that has not imported it yet."""
    if "torch" not in sys.modules and KERNELS not in sys.modules:
        sys.modules[KERNELS] = _Placeholder(KERNELS)
        sys.meta_path.insert(0, _KernelsFirst())


def load_meta_kernels() -> None:
    """Defer the kernels no longer: load them, or let the import of torch do it where it is still to come."""
    if isinstance(sys.modules.get(KERNELS), _Placeholder):
        del sys.modules[KERNELS]
        sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _KernelsFirst)]
        if "torch" in sys.modules and find_spec(KERNELS) is not None:  # a later torch may have no such module
            import_module(KERNELS)
