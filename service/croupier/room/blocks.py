"""Players kept from playing: what the operator log says of them, in memory. It writes nothing and removes nobody."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from croupier.room.failures import Refusal
from croupier.room.operations import Block, BlockKind, LoggedOperation, OperationQuery
from croupier.room.ports import Runtime, Store

METHODS: Final = ("BlockPlayer", "UnblockPlayer")
_PAGE: Final = 1000
NS_PER_S: Final = 1_000_000_000


class Blocks:
    """One block a player, kind and house (empty: all houses)."""

    def __init__(self, runtime: Runtime) -> None:
        self._now = runtime.now
        self._of: dict[str, dict[tuple[BlockKind, str], Block]] = {}

    async def read(self, store: Store) -> None:
        """Take in the whole log."""
        found: list[LoggedOperation] = []
        before = 0
        while page := await store.operations(OperationQuery(_PAGE, methods=METHODS, before=before)):
            found += page
            before = page[-1].number
        for one in reversed(found):
            self.take(one.operation.before.block, one.operation.after.block)

    def take(self, before: Block | None, after: Block | None) -> None:
        """A block took another's place, or none's; or none took its place."""
        if before is not None:
            of_player = self._of.get(before.player_id, {})
            of_player.pop((before.kind, before.house_id), None)
            if not of_player:
                self._of.pop(before.player_id, None)
        if after is not None and after.stands(self._now()):
            self._of.setdefault(after.player_id, {})[after.kind, after.house_id] = after

    def find(self, player_id: str, kind: BlockKind, house_id: str) -> Block | None:
        """The block that stands."""
        block = self._of.get(player_id, {}).get((kind, house_id))
        return block if block is not None and block.stands(self._now()) else None

    def standing(self, player_id: str, house_id: str) -> Block | None:
        """What keeps a player from playing in a house just now: of several, the one that ends last."""
        of_player = self._of.get(player_id)
        return _last(self._standing(of_player.values(), house_id)) if of_player else None

    def _standing(self, blocks: Iterable[Block], house_id: str) -> list[Block]:
        now = self._now()
        return [block for block in blocks if block.house_id in ("", house_id) and block.stands(now)]

    def must_not_stand(self, player_id: str, house_id: str) -> None:
        """Raises Refusal PLAYER_BLOCKED."""
        block = self.standing(player_id, house_id)
        if block is not None:
            raise Refusal("PLAYER_BLOCKED", until=seconds(block.until), house_id=block.house_id)


def seconds(until: int) -> int:
    """A block's end as refusals tell it: whole seconds, rounded up."""
    return -(-until // NS_PER_S)


def _last(blocks: list[Block]) -> Block | None:
    for_good = [block for block in blocks if not block.until]
    return for_good[0] if for_good else max(blocks, key=lambda block: block.until, default=None)
