"""Asks the store again and again whether all accounts add up to nothing, and for the rake; it repairs nothing."""

from __future__ import annotations

import asyncio
import time

import structlog

from croupier.room import accounts
from croupier.room.ports import Store

PERIOD_SECONDS = 30.0


class LedgerCheck:
    """`imbalance` by currency as last seen, `rake` held by house and currency; `last_good_time` in seconds since the
    epoch, 0 for never."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._log = structlog.get_logger()
        self.imbalance: dict[str, int] = {}
        self.rake: dict[tuple[str, str], int] = {}
        self.last_good_time = 0.0

    async def run(self) -> None:
        """Go on checking, after a first check, until cancelled. A store that cannot be asked leaves `last_good_time`
        behind."""
        while True:
            await asyncio.sleep(PERIOD_SECONDS)
            await self.check()

    def out_of_balance(self, currency: str) -> bool:
        """Whether a currency did not add up to nothing when it was last looked at."""
        return self.imbalance.get(currency, 0) != 0

    async def check(self) -> None:
        """Ask once."""
        try:
            self.imbalance = await self._store.imbalance()
        except Exception as failure:
            self._log.warning("ledger_check_failed", exc_info=failure)
            return
        broken = {currency: chips for currency, chips in self.imbalance.items() if chips}
        if broken:
            self._log.error("ledger_found_out_of_balance", imbalance=broken)
        else:
            self.last_good_time = time.time()
        await self._read_rake()

    async def _read_rake(self) -> None:
        """What the ledger holds, which outlives every counter."""
        rake: dict[tuple[str, str], int] = {}
        try:
            for currency in self.imbalance:
                for account, chips in await self._store.balances("rake/", currency):
                    rake[accounts.parts_of(account)[1], currency] = chips
        except Exception as failure:
            self._log.warning("rake_not_read", exc_info=failure)
            return
        self.rake = rake
