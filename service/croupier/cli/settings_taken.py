"""The settings of one command as options of another, so that they are listed once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any


def takes_settings(
    listed: Callable[..., None],
) -> Callable[[Callable[[Mapping[str, object], bool], None]], Callable[..., None]]:
    """The command with an option for each parameter of `listed`, which it is given by name as its first argument."""

    def taking(command: Callable[[Mapping[str, object], bool], None]) -> Callable[..., None]:
        settings = inspect.signature(listed, eval_str=True).parameters
        own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]

        def taken(**given: Any) -> None:
            command({name: given[name] for name in settings}, *(given[parameter.name] for parameter in own))

        taken.__name__, taken.__doc__ = command.__name__, command.__doc__
        parameters = [
            parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in (*settings.values(), *own)
        ]
        setattr(taken, "__signature__", inspect.Signature(parameters))  # noqa: B010
        return taken

    return taking
