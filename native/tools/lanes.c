#include "lanes.h"

#include <stdbool.h>

#include "strength.h"

enum {
    HIGHEST = RANKS - 1,
    HIGH_CARDS = 1277,
    THREE_OF_TWELVE = 220,
    TWO_OF_TWELVE = 66,
    ONE_OF_TWELVE = 12,
    ONE_OF_ELEVEN = 11,
    BEFORE_PAIRS = HIGH_CARDS,
    BEFORE_TWO_PAIR = BEFORE_PAIRS + 13 * THREE_OF_TWELVE,
    BEFORE_TRIPS = BEFORE_TWO_PAIR + 78 * ONE_OF_ELEVEN,
    BEFORE_FULL_HOUSES = BEFORE_TRIPS + 13 * TWO_OF_TWELVE + 10 + HIGH_CARDS,
    LOW_RANKS_OF_HALF = 7,
    FULL_HOUSE = 1 << 12,
};

static unsigned choose(unsigned from, unsigned count) {
    unsigned ways = 1;
    for (unsigned i = 0; i < count; i++) {
        ways = ways * (from - i) / (i + 1);
        if (from == i) {
            return 0;
        }
    }
    return ways;
}

/* How many sets of as many ranks come before this one, of which `below` lower ranks are not in `set`. */
static unsigned number_of(unsigned set, unsigned below) {
    unsigned number = 0;
    for (unsigned rank = 0; rank <= HIGHEST; rank++) {
        if (set >> rank & 1) {
            number += choose(rank, ++below);
        }
    }
    return number;
}

static unsigned highest(unsigned set) { return 31u - (unsigned)__builtin_clz(set); }

static unsigned count(unsigned set) { return (unsigned)__builtin_popcount(set); }

static unsigned top(unsigned set, unsigned ranks) {
    while (count(set) > ranks) {
        set &= set - 1;
    }
    return set;
}

/* Straights that are numbered before a set of five that is none: those of a lower card, and the wheel. */
static unsigned straights_before(unsigned set) {
    unsigned high = highest(set);
    return high == HIGHEST ? 9 : high < 5 ? 0 : high - 4;
}

uint16_t five_from_high_half(unsigned high_half) {
    unsigned set = high_half << LOW_RANKS_OF_HALF;
    if (count(set) > 5) {
        return 0;
    }
    unsigned straights = set ? straights_before(set) : 0;
    return (uint16_t)(1 + number_of(set, 5 - count(set)) - straights);
}

uint8_t number_of_low_half(unsigned low_half) {
    unsigned straights = count(low_half) == 5 ? straights_before(low_half) : 0;
    return (uint8_t)(number_of(low_half, 0) - straights);
}

uint16_t kickers_from_high_half(unsigned place) {
    unsigned kickers = place < HIGH_SETS / 2 ? 3 : 2;
    unsigned set = place % (HIGH_SETS / 2) << LOW_RANKS_OF_HALF;
    return count(set) > kickers ? 0 : (uint16_t)number_of(set, kickers - count(set));
}

uint16_t first_of_made(unsigned place) {
    unsigned rank = place % 16;
    if (rank > HIGHEST) {
        return 0;
    }
    switch (place / 16) {
    case 0:
        return (uint16_t)(1 + BEFORE_PAIRS + THREE_OF_TWELVE * rank);
    case 1:
        return (uint16_t)(1 + BEFORE_TWO_PAIR + ONE_OF_ELEVEN * choose(rank, 2));
    case 2:
        return (uint16_t)(1 + BEFORE_TRIPS + TWO_OF_TWELVE * rank);
    default:
        return (uint16_t)(1 + BEFORE_FULL_HOUSES + ONE_OF_TWELVE * rank);
    }
}

/* The hand rank of the best five ranks of a set, in suits that make no flush. */
static uint16_t hand_rank_of_ranks(unsigned set) {
    struct rank_counts counts = {{0}};
    for (unsigned rank = 0; rank <= HIGHEST; rank++) {
        counts.of[rank] = set >> rank & 1;
    }
    return hand_rank(strength_of_counts(&counts));
}

uint16_t hand_rank_of_set(unsigned set) {
    enum { ALL = RANK_SETS - 1, ALL_BUT_ACE = ALL >> 1 };
    switch (count(set)) {
    case 1:
        return (uint16_t)(THREE_OF_TWELVE * highest(set));
    case 2:
        return (uint16_t)(ONE_OF_ELEVEN * number_of(set, 0));
    case 12:
        return (uint16_t)(TWO_OF_TWELVE * highest(set ^ ALL));
    case 11:
    case 13:
        return (uint16_t)(ONE_OF_TWELVE * highest(set ^ ALL_BUT_ACE));
    case 5:
    case 6:
    case 7:
        return hand_rank_of_ranks(set);
    default:
        return 0;
    }
}

uint16_t hand_rank_of_kickers(unsigned set) {
    if (set >= FULL_HOUSE) {
        unsigned pair = set - FULL_HOUSE;
        return (uint16_t)(1 + BEFORE_FULL_HOUSES + (pair ? highest(pair) : 0));
    }
    switch (count(set)) {
    case 1:
    case 2:
    case 3:
        return (uint16_t)(1 + BEFORE_TWO_PAIR + highest(set));
    case 4:
        return (uint16_t)(1 + BEFORE_TRIPS + number_of(top(set, 2), 0));
    case 5:
        return (uint16_t)(1 + BEFORE_PAIRS + number_of(top(set, 3), 0));
    default:
        return 0;
    }
}

uint8_t lane_bit(int suit, int half, int card) {
    return card < 52 && card % 4 == suit ? (uint8_t)(1u << card / 4 >> 8 * half) : 0;
}

uint8_t lane_suit_source(int vector, int place) {
    int suit = (place / 16 + 4 - vector) % 4;
    return (uint8_t)(8 * (place % 16 / 2) + 2 * suit + place % 2);
}

uint8_t lane_row_source(int place) {
    int hand = 8 * (place / 16) + place % 8 + (place % 16 < 8 ? 0 : 32);
    return (uint8_t)(7 * hand % 64);
}

uint64_t lane_turns(int turn) {
    uint64_t places = 0;
    for (int place = 0; place < 64; place++) {
        places |= (uint64_t)(place % 7 >> turn & 1) << place;
    }
    return places;
}
