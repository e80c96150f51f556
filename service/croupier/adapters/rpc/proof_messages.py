"""Deals and what proves them, as croupier.v1 has them."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.cards import cards_text
from croupier.engine import events as ev
from croupier.engine.table_events import ComingDeal
from croupier.room.hand_id import hand_id_of
from croupier.room.proofs import deal_digest
from croupier.room.verification import HandProof
from croupier.v1 import proof_pb2, settlement_service_pb2


def deal(table_id: str, started: ev.HandStarted) -> proof_pb2.Deal | None:
    """What binds a hand to its decks; None where nothing does."""
    if not started.roots:
        return None
    return proof_pb2.Deal(
        deck_roots=started.roots,
        rules_digest=started.rules_digest,
        shares=_shares(started.entropy),
        deal_digest=deal_digest(hand_id_of(table_id, started.hand_number), started),
    )


def coming_deal(table_id: str, hand_number: int, coming: ComingDeal) -> proof_pb2.ComingDeal:
    """What is known of the next hand's deal."""
    return proof_pb2.ComingDeal(
        hand_id=hand_id_of(table_id, hand_number),
        shares=_shares(coming.entropy),
        deck_roots=coming.roots,
    )


def proof(one: HandProof) -> settlement_service_pb2.VerifyHandResponse:
    """What proves a hand's cards."""
    started = one.started
    return settlement_service_pb2.VerifyHandResponse(
        hand_id=hand_id_of(one.table_id, started.hand_number),
        rules=one.rules.decode(),
        deal=deal(one.table_id, started),
        players=[
            proof_pb2.DealtPlayer(seat_number=number, player_id=player_id)
            for number, player_id in zip(started.seats, started.players, strict=True)
        ],
        exchanges=[
            proof_pb2.Exchange(seat_number=draw.seat, places=draw.places, reshuffled=draw.reshuffled)
            for draw in one.exchanges
        ],
        openings=[
            proof_pb2.CardOpening(
                seat_number=opened.seat,
                card=cards_text(bytes((opened.card,)))[0],
                deck=opened.deck,
                place=opened.place,
                position=opened.position,
                salt=opened.salt,
                path=opened.path,
            )
            for opened in one.openings
        ],
    )


def _shares(entropy: Sequence[ev.Entropy]) -> list[proof_pb2.EntropyShare]:
    return [
        proof_pb2.EntropyShare(player_id=part.player_id, commitment=part.commitment, entropy=part.revealed)
        for part in entropy
    ]
