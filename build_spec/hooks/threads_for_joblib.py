"""Keeps joblib to threads in the frozen program; runs before the program itself.

Its worker processes are started as `python -m joblib...`, and here there is no `python`: the
program would start anew instead. The change is made when joblib is imported, and no sooner:
the start does not wait for it.
"""

import importlib.abc
import importlib.util
import sys
from typing import Any


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name != "joblib.parallel":
            return None
        sys.meta_path.remove(self)
        spec: Any = importlib.util.find_spec(name)
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            for backend in ("loky", "multiprocessing"):
                module.BACKENDS[backend] = module.ThreadingBackend
            module.DEFAULT_BACKEND = module.DEFAULT_PROCESS_BACKEND = "threading"

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, _Finder())
