"""Houses, what they offer and what a table was created with, as croupier.v1 messages."""

from __future__ import annotations

from typing import Final

import msgspec
from google.protobuf.duration_pb2 import Duration

from croupier.engine.rake import RakeSchedule
from croupier.engine.rules import AllInRule, Structure
from croupier.engine.table_rules import TableRules
from croupier.houses.house import House
from croupier.houses.offers import Offer, Stakes
from croupier.numbers import NS_PER_MS
from croupier.v1 import house_pb2, table_pb2

MOST_PLAYERS: Final = 10
_BIG_BETS: Final = (Structure.FIXED_LIMIT, Structure.SPREAD_LIMIT)


def house(entry: House) -> house_pb2.House:
    """Everything a house lets a table's creator choose."""
    file, table = entry.file, entry.file.table
    return house_pb2.House(
        house_id=entry.house_id,
        name=file.name,
        currency=file.currency,
        offers=[_offer(entry, offer) for offer in entry.offers],
        min_seat_count=table.min_seat_count,
        max_seat_count=table.max_seat_count,
        action_times=[Duration(seconds=seconds) for seconds in table.action_times_s],
        default_action_time=Duration(seconds=table.default_action_time_s),
        default_hand_pause=_milliseconds(table.default_hand_pause_ms),
        default_seat_count=table.default_seat_count,
        offers_local_tables=table.local_tables,
        offers_banking_rule=table.banking_window_min > 0,
        all_in_rules=[_all_in_rule(rule) for rule in entry.all_in_rules],
        experience_levels=file.experience.levels,
        free_days=[house_pb2.Weekday.ValueType(day) for day in entry.free_days],
        time_zone=file.free_play.time_zone,
        newcomer_rule=house_pb2.NewcomerRule.Value(f"NEWCOMER_RULE_{file.seat.newcomers.upper()}"),
        losing_hands_mucked=file.showdown.losing_hands_mucked,
        show_window=Duration(seconds=file.showdown.show_window_s),
        max_hand_pause=_milliseconds(table.max_hand_pause_ms),
        reservation_time=Duration(seconds=file.seat.reservation_s),
        sit_out_time=Duration(seconds=file.seat.seat_kept_s),
        time_outs_to_sit_out=table.time_outs_to_sit_out,
        banking_window=Duration(seconds=60 * table.banking_window_min),
        seat_offer_time=Duration(seconds=file.seat.offer_s),
    )


def _offer(entry: House, offer: Offer) -> house_pb2.TableOffer:
    game = entry.file.games[offer.game]
    fixed_limit = offer.structure is Structure.FIXED_LIMIT
    return house_pb2.TableOffer(
        structure=_structure(offer.structure),
        stakes=_stakes(offer.stakes(offer.min_bet)),
        game=_game(offer.game),
        any_min_bet=offer.section.lowest_min_bet is not None,
        max_min_bet=offer.max_min_bet,
        max_seat_count=offer.max_seat_count,
        rake=_rake(offer.rake),
        min_experience=_level(entry.file.experience.levels, offer.min_experience),
        opening_checks=game.opening_checks,
        max_discards=game.most_drawn,
        max_bets=game.bets_cap if fixed_limit else 0,
        max_bets_lifted_heads_up=fixed_limit and game.cap_lifts_heads_up,
    )


def options(name: str, rules: TableRules) -> table_pb2.TableOptions:
    """What a table is played by."""
    return table_pb2.TableOptions(
        house_id=rules.house_id,
        name=name,
        structure=_structure(rules.structure),
        stakes=_stakes(
            Stakes(
                min_bet=rules.small_bet,
                big_bet=rules.big_bet if rules.structure in _BIG_BETS else 0,
                small_blind=rules.small_blind,
                big_blind=rules.big_blind,
                min_buy_in=rules.min_buy_in,
                max_buy_in=rules.max_buy_in,
            )
        ),
        seat_count=rules.seat_count,
        action_time=_milliseconds(rules.action_time_ms),
        hand_pause=_milliseconds(rules.hand_pause_ms),
        currency=rules.currency,
        rake=_rake(rules.rake),
        game=_game(rules.game),
        all_in_rule=_all_in_rule(rules.all_in_rule),
        local_scene=rules.local_scene,
        banking_forbidden=rules.banking_window_ms > 0,
        min_experience=_level(rules.experience_levels, rules.min_experience),
    )


def _structure(structure: Structure) -> house_pb2.BetStructure.ValueType:
    return house_pb2.BetStructure.Value(f"BET_STRUCTURE_{structure.name}")


def _all_in_rule(rule: AllInRule) -> house_pb2.AllInRule.ValueType:
    return house_pb2.AllInRule.Value(f"ALL_IN_RULE_{rule.name}")


def _game(name: str) -> house_pb2.Game.ValueType:
    return house_pb2.Game.Value(f"GAME_{name.upper()}")


def _stakes(stakes: Stakes) -> house_pb2.Stakes:
    return house_pb2.Stakes(**msgspec.structs.asdict(stakes))


def _level(levels: tuple[str, ...], place: int) -> str:
    """The lowest level is nobody's minimum."""
    return levels[place] if place else ""


def _rake(schedule: RakeSchedule) -> house_pb2.RakeSchedule:
    caps = list(schedule.caps_by_players)
    if schedule.cap is not None:
        caps.append((MOST_PLAYERS, schedule.cap))
    return house_pb2.RakeSchedule(
        rate_bps=schedule.basis_points,
        step=schedule.step,
        step_of=schedule.step_of,
        caps=[house_pb2.RakeCap(max_player_count=players, cap=cap) for players, cap in caps],
        no_flop_no_drop=schedule.no_flop_no_drop,
        rounded_half_even=schedule.rounding == "half_even",
    )


def _milliseconds(span: int) -> Duration:
    return Duration(seconds=span // 1000, nanos=span % 1000 * NS_PER_MS)
