"""Who is dealt in next, and where the button and the blinds fall (R-H4, R-T9, R-T10, R-T17)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from croupier.engine.events import Post, PostKind
from croupier.engine.table import Table
from croupier.engine.table_events import Seat

SEATS = 10


class HandPlan(NamedTuple):
    """The next hand before it is dealt. The small blind's and the button's seats may be empty (R-H4).

    `seats` run clockwise from the left of the button. `missed_big`, `missed_small` are the seats that the
    blinds pass while their owners sit out; `button_passed` those that need wait no longer.
    """

    button_seat: int
    small_blind_seat: int
    big_blind_seat: int
    seats: tuple[int, ...]
    posts: tuple[Post, ...]
    missed_big: tuple[int, ...]
    missed_small: tuple[int, ...]
    button_passed: tuple[int, ...]


class _Blinds(NamedTuple):
    button: int
    small: int
    big: int


def clockwise_from(seat: int, numbers: Sequence[int]) -> list[int]:
    """Seat numbers in clockwise order, beginning with the first one after `seat`."""
    return sorted(numbers, key=lambda number: (number - seat - 1) % SEATS)


def can_be_dealt_in(seat: Seat) -> bool:
    """Whether a seat plays if the button and the blinds allow it."""
    in_play = seat.bought_in and not seat.posting
    return in_play and seat.stack > 0 and not seat.sitting_out and not seat.leaving


def ready(table: Table) -> int:
    """How many seats could be dealt in now (R-T18)."""
    return sum(1 for seat in table.seats.values() if can_be_dealt_in(seat))


def near_button(button: int, number: int, seat_count: int) -> bool:
    """Whether a physical seat is one or two places clockwise of the button (R-T9)."""
    return bool(button) and (number - button) % seat_count in (1, 2)


def plan_hand(table: Table) -> HandPlan | None:
    """The next hand, or None where fewer than two seats can be dealt in."""
    seats = table.seats
    able = [number for number, seat in seats.items() if can_be_dealt_in(seat)]
    if len(able) < 2:
        return None
    settled = [number for number in able if not seats[number].waiting_for_button]
    if len(settled) < 2:
        settled = able
    if not table.rules.big_blind:
        return _without_blinds(table, able, settled)
    opening = not table.carried.big_blind_seat or all(seats[number].owes_bring_in for number in settled)
    if opening:
        return _plan(table, _open(table, settled), settled, able, opening=True)
    newcomers = [number for number in able if number not in settled]
    playing, blinds = _without_waiting(table, settled, newcomers)
    passed = [number for number in newcomers if _has_passed(table, number, blinds.button)]
    if passed and not set(newcomers) & set(playing):
        widened, moved = _without_waiting(table, settled + passed, ())
        if all(_has_passed(table, number, moved.button) for number in passed):
            playing, blinds = widened, moved
    everybody_new = all(seats[number].owes_bring_in for number in playing)
    return _plan(table, blinds, playing, able, opening=everybody_new)


def _without_blinds(table: Table, able: list[int], settled: list[int]) -> HandPlan:
    """The button to the next player dealt in (R-H1); nobody posts, misses or owes anything (R-T17)."""
    button = clockwise_from(table.carried.button_seat, settled)[0]
    joining = [number for number in able if number in settled or _has_passed(table, number, button)]
    order = tuple(clockwise_from(button, joining))
    return HandPlan(button, 0, 0, order, (), (), (), _passed(table, order, button))


def _without_waiting(table: Table, settled: list[int], newcomers: Sequence[int]) -> tuple[list[int], _Blinds]:
    """Those who play, and their blinds: whoever stays out does so until the big blind is due at the seat.

    Where that would leave one player alone, newcomers need not wait for the button; where there are none, somebody
    else plays heads-up after all.
    """
    playing = settled
    blinds = _move(table, playing)
    while out := [number for number in playing if _stays_out(table, number, blinds)]:
        playing = [number for number in playing if number not in out]
        if len(playing) < 2:
            if newcomers:
                return _without_waiting(table, [*settled, *newcomers], ())
            ready = [number for number in out if not table.seats[number].waiting_for_big_blind]
            playing.append(clockwise_from(blinds.big, ready or out)[-1])
            return playing, _move(table, playing)
        blinds = _move(table, playing)
    return playing, blinds


def _stays_out(table: Table, number: int, blinds: _Blinds) -> bool:
    """Whether a seat waits for the big blind, or for the button because newcomers may (R-T10, R-T17)."""
    seat = table.seats[number]
    if number == blinds.big:
        return False
    between = table.rules.newcomers_may_wait and _between(blinds.button, number, blinds.big)
    return seat.waiting_for_big_blind or (between and seat.owes_bring_in)


def avoiding_blinds(table: Table, plan: HandPlan) -> tuple[int, ...]:
    """The seats that would post a blind, and whose players prefer to sit out instead."""
    return tuple(
        post.seat
        for post in plan.posts
        if post.kind in (PostKind.SMALL_BLIND, PostKind.BIG_BLIND)
        and table.seats[post.seat].preferences.sit_out_next_blind
    )


def _between(start: int, number: int, end: int) -> bool:
    """Whether `number` lies strictly between `start` and `end`, going clockwise."""
    return 0 < (number - start) % SEATS < (end - start) % SEATS


def _has_passed(table: Table, number: int, button: int) -> bool:
    """Whether the button leaves a seat behind as it moves, also one that it stood on."""
    start = table.carried.button_seat
    return (number - start) % SEATS < (button - start) % SEATS


def _open(table: Table, playing: list[int]) -> _Blinds:
    """A first hand: the button to the next seat, heads-up with the small blind (R-H2)."""
    order = clockwise_from(table.carried.button_seat, playing)
    button = order[0]
    if len(playing) == 2:
        return _Blinds(button, button, order[1])
    return _Blinds(button, order[1], order[2])


def _move(table: Table, playing: list[int]) -> _Blinds:
    """The big blind moves to the next seat due; small blind and button follow where it was (R-H4)."""
    carried = table.carried
    big = clockwise_from(carried.big_blind_seat, playing)[0]
    if len(playing) == 2:
        button = next(number for number in playing if number != big)
        return _Blinds(button, button, big)
    small = carried.big_blind_seat
    button = carried.small_blind_seat or carried.button_seat
    if button in (big, small) or not _between(button, small, big):
        button = clockwise_from(small, [number for number in playing if number != small])[-1]
    return _Blinds(button, small, big)


def _plan(table: Table, blinds: _Blinds, playing: list[int], able: list[int], *, opening: bool) -> HandPlan:
    order = tuple(clockwise_from(blinds.button, playing))
    small = blinds.small if blinds.small in order else 0
    missed = () if opening else _missed_big(table, blinds, able)
    missed_small = () if opening else _missed_small(table, blinds, able)
    return HandPlan(
        blinds.button,
        blinds.small,
        blinds.big,
        order,
        _posts(table, order, small, blinds.big, opening=opening),
        missed,
        missed_small,
        _passed(table, order, blinds.button),
    )


def _passed(table: Table, order: tuple[int, ...], button: int) -> tuple[int, ...]:
    """Who need wait for the button no longer: it has passed them, or they are dealt in (R-T9)."""
    return tuple(
        number
        for number, seat in table.seats.items()
        if seat.waiting_for_button and (number in order or _has_passed(table, number, button))
    )


def _posts(table: Table, order: tuple[int, ...], small: int, big: int, *, opening: bool) -> tuple[Post, ...]:
    rules = table.rules
    posts: list[Post] = []
    owed: list[Post] = []
    for number in order:
        seat = table.seats[number]
        if number == big:
            owed.append(Post(number, PostKind.BIG_BLIND, rules.big_blind))
        elif seat.owes_bring_in and rules.bring_in and not opening:
            owed.append(Post(number, PostKind.BRING_IN, rules.big_blind))
        elif seat.missed_big_blind:
            owed.append(Post(number, PostKind.LIVE_BLIND, rules.big_blind))
            if seat.missed_small_blind:
                owed.append(Post(number, PostKind.DEAD_BLIND, rules.small_blind))
        elif number == small:
            posts.append(Post(number, PostKind.SMALL_BLIND, rules.small_blind))
        elif seat.missed_small_blind:
            owed.append(Post(number, PostKind.DEAD_BLIND, rules.small_blind))
    owed.sort(key=lambda post: post.seat != big)
    return tuple(posts + owed)


def _missed_big(table: Table, blinds: _Blinds, able: list[int]) -> tuple[int, ...]:
    """Seats of players who were dealt in before and whom the big blind passes now."""
    return tuple(
        number
        for number, seat in sorted(table.seats.items())
        if _between(table.carried.big_blind_seat, number, blinds.big) and _owes_blinds(seat, number, able)
    )


def _missed_small(table: Table, blinds: _Blinds, able: list[int]) -> tuple[int, ...]:
    """The same of the small blind, which may also fall on such a seat."""
    start = table.carried.small_blind_seat
    return tuple(
        number
        for number, seat in sorted(table.seats.items())
        if (number == blinds.small or _between(start, number, blinds.small))
        and _owes_blinds(seat, number, able)
    )


def _owes_blinds(seat: Seat, number: int, able: Sequence[int]) -> bool:
    """A newcomer owes a bring-in, not the blinds it missed; whom a wallet keeps from play misses none."""
    dealt_in_before = seat.bought_in and not seat.owes_bring_in
    return dealt_in_before and number not in able and not _kept_by_wallet(seat)


def _kept_by_wallet(seat: Seat) -> bool:
    """Whether a buy-in has yet to post, or chips for a player who has none left are on their way (R-T8, R-T12)."""
    return bool(seat.posting) or not (seat.stack or seat.sitting_out)
