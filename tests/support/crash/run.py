"""One run of the story on a store, with or without kills."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from tests.support.crash import story
from tests.support.crash.lives import Lives, Nursery
from tests.support.crash.picture import addresses, must_be_sound, picture
from tests.support.crash.steps import Kill, Told
from tests.support.crash.teller import Teller


class Run(msgspec.Struct, frozen=True):
    """What a run came to: all that callers heard, all that the store says, the units told, the kills that happened.

    And those that did not, because what they were to hit was durable already, or was refused after a restart.
    """

    heard: list[tuple[str, Any]]
    picture: dict[str, list[Any]]
    told: list[Told]
    reached: list[Kill]
    missed: list[Kill]
    forgotten: bool


def run(
    nursery: Nursery, directory: Path, store: str, kills: Sequence[Kill] = (), *, seeds_differ: bool = False
) -> Run:
    """Tell the story, killing the server at each of the kills; an audit must find nothing then."""
    settings = {
        "store": store,
        "port": "0",
        "http_port": "0",
        "house_dir": str(story.write_house(directory)),
        "drain_timeout": "0",
    }
    lives = Lives(nursery, settings, directory / "told", kills)
    lives.seeds_differ = seeds_differ
    teller = Teller(lives, store)
    try:
        lives.begin()
        story.tell(teller)
        lives.end()
    except BaseException:
        nursery.begin_again()
        raise
    durable = addresses(store)
    for kill in lives.waiting:
        refused = teller.forgotten and kill.kind == "ShowCards"
        assert kill.address in durable or refused, f"not reached: {kill}"
    must_be_sound(store)
    return Run(
        teller.heard,
        picture(store),
        lives.told(),
        lives.reached,
        lives.missed + lives.waiting,
        teller.forgotten,
    )
