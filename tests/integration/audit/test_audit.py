"""What an audit proves of a store that a server has filled, and what it finds where somebody changed it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Final

import msgspec
import pytest
from tests.support.audited import audited, changed, copied, quietly
from tests.support.forgery import cut_tail, forge
from tests.support.live import Backend, running

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.room import codec
from croupier.room.audit.anchor import Anchor

PAGE: Final = 4096


def anchor_of(store: Path) -> Anchor:
    anchor = audited(store).looked.anchor
    assert anchor is not None
    return anchor


def test_the_books_of_a_server_are_well(filled: Path) -> None:
    found = audited(filled, redecide=True, anchor=anchor_of(filled))
    assert found.findings == []
    looked = found.looked
    assert looked.tables == 2
    assert looked.records > 128
    assert looked.commands_decided == looked.records - looked.tables
    assert looked.hands > 8
    assert looked.older_than_hashes == 0
    assert min(looked.entry_sets, looked.accounts, looked.requests) > 20


def test_one_table_is_read_alone(filled: Path, table_id: str) -> None:
    found = audited(filled, table_id=table_id)
    assert found.findings == []
    assert found.looked.tables == 1
    assert found.looked.records < audited(filled).looked.records


async def test_a_store_is_audited_while_its_server_runs(tmp_path: Path) -> None:
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        table_id = await backend.open_table("anna", "bert")
        playing = asyncio.create_task(quietly(backend, table_id, until_hand=30))
        audits = 0
        while not playing.done():
            found = await asyncio.to_thread(audited, tmp_path / "croupier.db")
            assert found.findings == []
            audits += 1
        await playing
        assert audits > 1


def test_a_journal_without_its_tail_is_well_but_for_an_anchor(store: Path, table_id: str) -> None:
    """A chain cannot see that its end was cut off: the records of a hand's last actions leave no other trace."""
    anchor = anchor_of(store)
    left = cut_tail(store, table_id, 3)
    assert audited(store, redecide=True).findings == []
    (finding,) = audited(store, anchor=anchor).findings
    assert (finding.check, finding.table_id, finding.record) == ("anchor", table_id, left + 1)


def test_a_tail_cut_off_short_of_the_last_hand_is_found_by_the_ledger(store: Path, table_id: str) -> None:
    cut_tail(store, table_id, 20)
    assert {finding.check for finding in audited(store).findings} >= {"ledger", "stacks"}


def test_a_ledger_without_its_tail_is_well_but_for_an_anchor(store: Path) -> None:
    """The last set is a withdrawal, of which its lasting answer alone tells beside it."""
    anchor = anchor_of(store)
    changed(store, "DELETE FROM requests WHERE method = 'Withdraw'")
    changed(
        store,
        "UPDATE accounts SET balance = balance - (SELECT amount FROM entries JOIN entry_sets USING (set_key)"
        " WHERE kind = 'withdrawal' AND account_key = accounts.account_key) WHERE account_key IN"
        " (SELECT account_key FROM entries JOIN entry_sets USING (set_key) WHERE kind = 'withdrawal')",
        "DELETE FROM entries WHERE set_key = (SELECT set_key FROM entry_sets WHERE kind = 'withdrawal')",
        "DELETE FROM entry_sets WHERE kind = 'withdrawal'",
    )
    assert audited(store).findings == []
    ledger, answers = audited(store, anchor=anchor).findings
    assert {ledger.check, answers.check} == {"anchor"}
    assert any("cut off" in finding.what for finding in (ledger, answers))
    assert any("lasting answers" in finding.what for finding in (ledger, answers))


def test_an_older_copy_of_the_store_is_told_from_its_anchor(filled: Path, store: Path, table_id: str) -> None:
    """An anchor of other books: every table that it knows is missing or another."""
    anchor = anchor_of(filled)
    other = msgspec.structs.replace(
        anchor,
        tables={name: msgspec.structs.replace(one, hash="00" * 32) for name, one in anchor.tables.items()},
    )
    named = audited(store, anchor=other).named(check="anchor")
    assert {finding.table_id for finding in named} == set(anchor.tables)
    gone = msgspec.structs.replace(anchor, tables={"another": anchor.tables[table_id]})
    assert {finding.table_id for finding in audited(store, anchor=gone).findings} == {"another", ""}


def test_an_anchor_stays_good_while_the_books_go_on(filled: Path, tmp_path: Path) -> None:
    store = copied(filled, tmp_path, "croupier")
    anchor = anchor_of(store)

    async def go_on() -> None:
        async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}") as backend:
            table_id = await backend.open_table("hana", "ines")
            await quietly(backend, table_id, until_hand=2)

    asyncio.run(go_on())
    found = audited(store, anchor=anchor)
    assert found.findings == []
    assert found.looked.tables == len(anchor.tables) + 1


def turned_up_otherwise(body: codec.Body) -> codec.Body | None:
    """Another card on the flop."""
    for place, event in enumerate(body.events):
        if isinstance(event, ev.StreetDealt) and len(event.cards) == 3:
            other = bytes([(event.cards[0] + 1) % 52]) + event.cards[1:]
            events = list(body.events)
            events[place] = msgspec.structs.replace(event, cards=other)
            return codec.Body(body.command, events)
    return None


def test_a_forged_event_whose_hashes_were_made_right_is_found_by_deciding_anew(
    store: Path, table_id: str
) -> None:
    anchor = anchor_of(store)
    forged = forge(store, table_id, turned_up_otherwise)
    assert audited(store).findings == []
    (finding,) = audited(store, redecide=True).findings
    assert (finding.check, finding.table_id, finding.record) == (
        "decisions",
        table_id,
        forged.journal_sequence,
    )
    assert "StreetDealt" in finding.what
    assert audited(store, anchor=anchor).named(check="anchor", table_id=table_id)


def test_a_decision_answered_twice_is_found(store: Path, table_id: str) -> None:
    """The lasting key of an action, (hand_id, action_sequence), is one action's for the life of the journal."""
    seen: list[cmd.Act] = []

    def repeat(body: codec.Body) -> codec.Body | None:
        if not isinstance(body.command, cmd.Act):
            return None
        seen.append(body.command)
        return codec.Body(seen[-2], body.events) if len(seen) > 5 else None

    forged = forge(store, table_id, repeat)
    found = audited(store).named(table_id=table_id, record=forged.journal_sequence)
    assert any("once more" in finding.what for finding in found)


@pytest.mark.parametrize("method", ["ReserveSeat", "BuyIn", "CashOut", "CloseTable"])
def test_a_lasting_answer_that_is_gone_is_found(store: Path, method: str) -> None:
    changed(
        store,
        f"DELETE FROM requests WHERE request_id = (SELECT max(request_id) FROM requests WHERE method = '{method}')",
    )
    (finding,) = audited(store).findings
    assert finding.check == "requests"
    assert f"/{method}/" in finding.request
    assert finding.table_id


def test_a_record_that_is_gone_is_missed(store: Path, table_id: str) -> None:
    changed(
        store,
        "DELETE FROM journal WHERE journal_sequence = 40"
        f" AND table_key = (SELECT table_key FROM tables WHERE table_id = '{table_id}')",
    )
    missed = audited(store).named(check="journal", table_id=table_id, record=40)
    assert [finding.what for finding in missed] == ["is missing: record 41 follows (40 lacking)"]


def test_chips_from_nowhere_are_found(store: Path, table_id: str) -> None:
    """More in a player's stack account and in the entry that led there: the set is out of balance, so are the books."""
    changed(
        store,
        "UPDATE entries SET amount = amount + 5 WHERE entry_id = (SELECT max(entry_id) FROM entries"
        f" JOIN accounts USING (account_key) WHERE name = 'stack/{table_id}/anna')",
        f"UPDATE accounts SET balance = balance + 5 WHERE name = 'stack/{table_id}/anna'",
    )
    found = {finding.check for finding in audited(store).findings}
    assert found >= {"ledger", "conservation", "stacks"}


def test_chips_moved_from_one_player_to_another_are_found(store: Path, table_id: str) -> None:
    """Balanced, with account balances that fit: it is the table that has them otherwise."""
    changed(
        store,
        *(
            f"UPDATE accounts SET balance = balance + {amount} WHERE name = 'stack/{table_id}/{player}'"
            for player, amount in (("anna", 3), ("bert", -3))
        ),
        *(
            f"UPDATE entries SET amount = amount + {amount} WHERE entry_id = (SELECT min(entry_id) FROM entries"
            f" JOIN accounts USING (account_key) WHERE name = 'stack/{table_id}/{player}')"
            for player, amount in (("anna", 3), ("bert", -3))
        ),
    )
    found = audited(store)
    assert {finding.account for finding in found.named(check="stacks")} == {
        f"stack/{table_id}/anna",
        f"stack/{table_id}/bert",
    }


def test_decks_sealed_with_another_key_are_told(store: Path) -> None:
    store.with_suffix(".key").write_text("00" * 32)
    found = audited(store, redecide=True)
    assert {finding.check for finding in found.findings} <= {"decisions", "store", "keys", "key"}
    assert any("does not open" in finding.what for finding in found.findings)


def test_an_operators_answer_without_its_entry_of_the_log_is_found(store: Path) -> None:
    """The log's tail cut off: a block would stand no longer."""
    changed(store, "DELETE FROM operations WHERE number = (SELECT max(number) FROM operations)")
    found = audited(store).named(check="requests")
    assert [finding.what for finding in found] == [
        "was answered to an operator, and is not in the operator log"
    ]
    assert "/RemovePlayer/" in found[0].request


@pytest.mark.parametrize("seed", range(6))
def test_pages_of_garbage_are_findings(store: Path, seed: int) -> None:
    """Whatever page it is, the audit comes to its end."""
    random = Random(seed)
    data = bytearray(store.read_bytes())
    pages = len(data) // PAGE
    page = pages - 1 if not seed else random.randrange(1, pages)
    data[page * PAGE : (page + 1) * PAGE] = random.randbytes(PAGE)
    store.write_bytes(data)
    assert audited(store).findings
