"""Players kept from playing: what the operator log says of them, in memory. It writes nothing and removes nobody."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Final

import msgspec

from croupier.numbers import NS_PER_S
from croupier.room.failures import Refusal
from croupier.room.operations import Block, BlockKind, LoggedOperation, OperationQuery
from croupier.room.ports import Runtime, Store

METHODS: Final = ("BlockPlayer", "UnblockPlayer")
_PAGE: Final = 1000


class Blocks:
    """One block a player, kind and house (empty: all houses)."""

    def __init__(self, runtime: Runtime) -> None:
        self._now = runtime.now
        self._of: dict[str, dict[tuple[BlockKind, str], Block]] = {}
        self.number = 0
        """The last entry of the log that was read."""
        self.be_fresh: Callable[[], Awaitable[None]] | None = None
        """Awaited before a player may come, where other servers write the log too."""

    async def read(self, store: Store) -> list[LoggedOperation]:
        """Take in what the log has after the last entry read; those entries, oldest first. Raises StoreAway."""
        found: list[LoggedOperation] = []
        query = OperationQuery(_PAGE, methods=METHODS, after=self.number)
        while page := await store.operations(query):
            found += page
            query = msgspec.structs.replace(query, before=page[-1].number)
            if len(page) < _PAGE:
                break
        new = [one for one in reversed(found) if one.number > self.number]
        for one in new:
            self.take(one.operation.before.block, one.operation.after.block)
            self.number = one.number
        return new

    def take(self, before: Block | None, after: Block | None) -> None:
        """A block took another's place, or none's; or none took its place.

        Of two self-exclusions the one that ends later stands, should two servers have set them at once.
        """
        if after is not None and after.kind == "SELF_EXCLUSION":
            known = self.find(after.player_id, after.kind, after.house_id)
            if known is not None and after.shorter(known):
                return
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

    async def must_not_stand(self, player_id: str, house_id: str) -> None:
        """Nothing is awaited once it has been found that none stands. Raises Refusal PLAYER_BLOCKED, StoreAway."""
        if self.be_fresh is not None:
            await self.be_fresh()
        block = self.standing(player_id, house_id)
        if block is not None:
            raise Refusal("PLAYER_BLOCKED", until=seconds(block.until), house_id=block.house_id)


def seconds(until: int) -> int:
    """A block's end as refusals tell it: whole seconds, rounded up."""
    return -(-until // NS_PER_S)


def _last(blocks: list[Block]) -> Block | None:
    for_good = [block for block in blocks if not block.until]
    return for_good[0] if for_good else max(blocks, key=lambda block: block.until, default=None)
