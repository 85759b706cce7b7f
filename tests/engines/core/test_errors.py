"""Every error class of the engines derives from QuintetError."""

import inspect
import pkgutil
from importlib import import_module

import pytest

import engines
from engines.core.errors import QuintetError

# They need PyTorch, which the tests do without.
TAUGHT = ("engines.go.workshop", "engines.shogi.workshop.model", "engines.shogi.workshop.train")
MODULES = [
    module.name
    for module in pkgutil.walk_packages(engines.__path__, "engines.")
    if not module.ispkg
    and not module.name.endswith("__main__")
    and not module.name.startswith(TAUGHT)
]


@pytest.mark.parametrize("name", MODULES)
def test_errors_have_one_base(name: str) -> None:
    own = [
        each
        for each in vars(import_module(name)).values()
        if inspect.isclass(each) and issubclass(each, Exception) and each.__module__ == name
    ]
    assert [each for each in own if not issubclass(each, QuintetError)] == []
