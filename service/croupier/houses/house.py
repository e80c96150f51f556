"""A house: what it offers, and the resolved rules of a table picked from it. It reads no file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, get_args

import msgspec

from croupier.engine.rejection import Rejected
from croupier.engine.rules import AllInRule, Structure
from croupier.engine.table_rules import TableRules
from croupier.houses.offers import Offer
from croupier.houses.schema import Day, HouseFile

RULES_VERSION: Final = 1
_DAYS: Final[tuple[str, ...]] = get_args(Day)


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What a table's creator picks (R-T1). What is None, or 0 seats, is left to the house."""

    structure: Structure
    min_bet: int
    game: str | None = None
    seat_count: int = 0
    action_time_ms: int | None = None
    hand_pause_ms: int | None = None
    all_in_rule: AllInRule = AllInRule.NONE
    local_scene: str = ""
    forbid_banking: bool = False


class House(msgspec.Struct, frozen=True):
    """One house: its file, what that offers, and the digest of the file's bytes."""

    file: HouseFile
    offers: tuple[Offer, ...]
    digest: str = ""

    @property
    def house_id(self) -> str:
        """Names the house in requests."""
        return self.file.house_id

    @property
    def all_in_rules(self) -> list[AllInRule]:
        """What players of a no-limit table may be held to, beside nothing (R-T19)."""
        return [AllInRule[name.upper()] for name in self.file.table.all_in_rules]

    @property
    def free_days(self) -> tuple[int, ...]:
        """The days on which it takes no pass, 1 for Monday (R-T7)."""
        return tuple(sorted(_DAYS.index(day) + 1 for day in self.file.free_play.days))

    def resolve(self, choice: Choice) -> TableRules | Rejected:
        """The rules of a table. What is not offered is refused with what is (R-T1)."""
        offer = self._offer(choice)
        if isinstance(offer, Rejected):
            return offer
        refused = self._refused(choice, offer)
        if refused is not None:
            return refused
        file, table, seat = self.file, self.file.table, self.file.seat
        options = file.games[offer.game]
        stakes = offer.stakes(choice.min_bet)
        action_time_ms, hand_pause_ms = choice.action_time_ms, choice.hand_pause_ms
        if action_time_ms is None:
            action_time_ms = table.default_action_time_s * 1000
        if hand_pause_ms is None:
            hand_pause_ms = table.default_hand_pause_ms
        return TableRules(
            house_id=self.house_id,
            rules_version=RULES_VERSION,
            game=offer.game,
            currency=file.currency,
            structure=choice.structure,
            small_bet=stakes.min_bet,
            big_bet=stakes.big_bet or 2 * stakes.min_bet,
            small_blind=stakes.small_blind,
            big_blind=stakes.big_blind,
            min_buy_in=stakes.min_buy_in,
            max_buy_in=stakes.max_buy_in,
            seat_count=choice.seat_count or min(table.default_seat_count, offer.max_seat_count),
            action_time_ms=action_time_ms,
            shortest_action_time_ms=table.shortest_action_time_s * 1000,
            hand_pause_ms=hand_pause_ms,
            reservation_ms=seat.reservation_s * 1000,
            seat_kept_ms=seat.seat_kept_s * 1000,
            time_outs_to_sit_out=table.time_outs_to_sit_out,
            bets_cap=options.bets_cap,
            cap_lifts_heads_up=options.cap_lifts_heads_up,
            wait_near_button=offer.blinds and seat.newcomers == "bring_in",
            bring_in=offer.blinds and seat.newcomers != "free",
            rake=offer.rake,
            all_ins_shown_at_once=file.showdown.all_ins_shown_at_once,
            losing_hands_mucked=file.showdown.losing_hands_mucked,
            opening_checks=options.opening_checks,
            most_drawn=options.most_drawn,
            last_round_opener=int(options.last_round_opener == "second"),
            all_in_rule=choice.all_in_rule,
            newcomers_may_wait=offer.blinds and seat.newcomers == "bring_in_or_wait",
            local_scene=choice.local_scene,
            min_experience=offer.min_experience,
            experience_levels=file.experience.levels,
            free_days=self.free_days,
            time_zone=file.free_play.time_zone,
            banking_window_ms=table.banking_window_min * 60_000 if choice.forbid_banking else 0,
            show_window_ms=file.showdown.show_window_s * 1000,
            offer_ms=seat.offer_s * 1000,
            hand_keys=file.seal.hand_keys,
            auditor_key=file.seal.auditor_key,
        )

    def _offer(self, choice: Choice) -> Offer | Rejected:
        """The offer that game, structure and minimum bet name."""
        games = list(dict.fromkeys(offer.game for offer in self.offers))
        game = choice.game
        if game is None:
            if len(games) > 1:
                return Rejected("FIELD_REQUIRED", field="game")
            game = games[0]
        if game not in games:
            return _not_offered("game", (name.upper() for name in games))
        offers = [offer for offer in self.offers if offer.game == game]
        if choice.structure not in [offer.structure for offer in offers]:
            return _not_offered("structure", dict.fromkeys(offer.structure.name for offer in offers))
        offers = [offer for offer in offers if offer.structure is choice.structure]
        for offer in offers:
            if offer.min_bet <= choice.min_bet <= offer.max_min_bet:
                return offer
        if offers[0].section.lowest_min_bet is not None:
            return _not_offered("min_bet", [f"{offers[0].min_bet} to {offers[-1].max_min_bet}"])
        return _not_offered("min_bet", [offer.min_bet for offer in offers])

    def _refused(self, choice: Choice, offer: Offer) -> Rejected | None:
        """The first of the other options that the house does not offer with it."""
        table = self.file.table
        fewest, most = table.min_seat_count, offer.max_seat_count
        if choice.seat_count and not fewest <= choice.seat_count <= most:
            return _not_offered("seat_count", range(fewest, most + 1))
        times = [None, *(seconds * 1000 for seconds in table.action_times_s)]
        if choice.action_time_ms not in times:
            return _not_offered("action_time", [f"{seconds}s" for seconds in table.action_times_s])
        if not 0 <= (choice.hand_pause_ms or 0) <= table.max_hand_pause_ms:
            return _not_offered("hand_pause", [f"0s to {table.max_hand_pause_ms / 1000:g}s"])
        rules = [AllInRule.NONE, *(self.all_in_rules if offer.structure is Structure.NO_LIMIT else ())]
        if choice.all_in_rule not in rules:
            return _not_offered("all_in_rule", [rule.name for rule in rules])
        if choice.local_scene and not table.local_tables:
            return _not_offered("local_scene", ())
        if choice.forbid_banking and not table.banking_window_min:
            return _not_offered("forbid_banking", ["false"])
        return None


def _not_offered(field: str, offered: Iterable[object]) -> Rejected:
    return Rejected("OPTION_NOT_OFFERED", field=field, offered=",".join(str(value) for value in offered))
