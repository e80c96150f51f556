"""How a run comes to its end: every table is closed, every call answered; then the sum is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.simulation.calls import Reply
from tests.simulation.shadow import SEAL, Shadow
from tests.simulation.world import NS
from tests.support.whole_fold import folded_from_all, table_state

from croupier.adapters.games import GAMES
from croupier.engine.table_events import TableState
from croupier.room.actor import TableActor

if TYPE_CHECKING:
    from tests.simulation.run import Run


class Ending:
    """Closes the tables of a run; `check` holds what is left against what should be."""

    def __init__(self, run: Run) -> None:
        self._run = run
        for table_id in run.checks.shadows:
            self.close(table_id)

    def close(self, table_id: str) -> None:
        """A table that is paused, or whose hand goes on, is closed all the same."""

        def then(reply: Reply) -> None:
            if reply.kind == "refused" and reply.reason not in ("TABLE_CLOSING", "TABLE_CLOSED"):
                self._run.world.after(NS, self.close, table_id)

        self._run.network.call("operator", "CloseTable", table_id, "", (), then)

    def quiet(self) -> bool:
        """Whether nothing is on its way any more."""
        run = self._run
        shadows = run.checks.shadows
        return (
            len(shadows) == len(run.plan.tables)
            and all(call.reply is not None for call in run.network.calls)
            and all(watcher.ended for watcher in run.watchers)
            and all(
                shadow.table.carried.state is TableState.CLOSED and not shadow.table.carried.transfers
                for shadow in shadows.values()
            )
            and len(run.disk.indexed.hands) == sum(len(shadow.ended) for shadow in shadows.values())
        )

    def check(self, actors: list[TableActor]) -> None:
        run, wrong = self._run, self._run.checks.violated
        if run.disk.table_count() != len(run.plan.tables):
            wrong(f"{run.disk.table_count()} tables were made, not {len(run.plan.tables)}")
        for call in run.network.calls:
            if call.reply is None:
                wrong(f"{call.request.method} {call.request.request_id} was never answered")
        for shadow in run.checks.shadows.values():
            self._table(shadow)
        for watcher in run.watchers:
            last = run.checks.shadows[watcher.table_id].facts[-1].record.sequence
            if not watcher.ended or watcher.sequence != last:
                wrong(f"{watcher.name} heard of {watcher.sequence} of {last}")
        run.checks.compare(actors, all_of_them=True)
        self._money()
        self._hands()

    def _table(self, shadow: Shadow) -> None:
        wrong = self._run.checks.violated
        table = shadow.table
        if table.hand is not None:
            wrong(f"hand {table.hand.number} at {shadow.table_id} does not end")
        if table.carried.state is not TableState.CLOSED:
            wrong(f"table {shadow.table_id} does not close")
        if table.carried.transfers:
            wrong(f"transfers of {shadow.table_id} do not end: {sorted(table.carried.transfers)}")
        if table.rules.hand_keys != "keep":
            return
        records = [fact.record for fact in shadow.facts]
        again = folded_from_all(records, GAMES[table.rules.game], SEAL)
        if table_state(again) != table_state(table):
            wrong(f"the journal of {shadow.table_id} folds otherwise the second time")

    def _money(self) -> None:
        """Everybody has what came in and was won, less what was lost and went out; the house has the rake."""
        run, wrong = self._run, self._run.checks.violated
        net: dict[str, int] = {}
        rake = 0
        for shadow in run.checks.shadows.values():
            for _, _, ended, started in shadow.ended.values():
                rake += ended.rake
                for name, before, after in zip(started.players, started.stacks, ended.stacks, strict=True):
                    net[name] = net.get(name, 0) + after - before
        chips, brought = run.disk.chips(), run.disk.brought()
        if sum(amount for account, amount in chips.items() if account.startswith("rake/")) != rake:
            wrong("the rake by the ledger is not what the hands paid")
        if any(account.startswith(("reserved/", "stack/")) for account in chips):
            wrong(f"chips are left on the way or at tables: {chips}")
        for player in run.players:
            name, won = player.player_id, net.get(player.player_id, 0)
            if run.outside is None:
                has, should = chips.get(f"wallet/{name}", 0), brought.get(f"wallet/{name}", 0) + won
            else:
                has, should = run.outside.available[name], run.wealth[name] + won
                if chips.get(f"world/wallet/{name}", 0) != won:
                    wrong(
                        f"by the ledger {name} brought home {chips.get(f'world/wallet/{name}', 0)}, not {won}"
                    )
            if has != should:
                wrong(f"{name} has {has}, and should have {should}")

    def _hands(self) -> None:
        """The index has the hands that were settled, each where it lies."""
        run = self._run
        indexed = {
            key: (one.place.first_sequence, one.place.last_sequence, one.players)
            for key, one in run.disk.indexed.hands.items()
        }
        settled = {
            (shadow.table_id, number): (first, last, started.players)
            for shadow in run.checks.shadows.values()
            for number, (first, last, _, started) in shadow.ended.items()
        }
        if indexed != settled:
            run.checks.violated("the index of hands is not what the journals have")
