/* Ranks CROUPIER_LANES hands of seven cards at once by logic on vectors that hold the ranks of a suit in 16 bits a hand,
 * and two look-ups a hand. To be included after CROUPIER_LANES and CROUPIER_TARGET are defined: the compiler makes of it
 * what that target has. */
#include <string.h>

#include "mask.h"

#define CROUPIER_WIDE CROUPIER_TARGET __attribute__((always_inline)) static inline

enum { CROUPIER_CARDS = 7 };

typedef uint16_t lanes __attribute__((vector_size(2 * CROUPIER_LANES)));
typedef int16_t signed_lanes __attribute__((vector_size(2 * CROUPIER_LANES)));

/* All ones in the lanes where the set is empty. */
#define EMPTY(set) ((lanes)((set) == 0))
#define WITHOUT_LOWEST(set) ((set) & ((set)-1))

/* Cards in each set. The factor is 0x1111, and unknown to the compiler, lest it be made into shifts. */
CROUPIER_WIDE lanes count_bits(lanes set, lanes factor) {
    set -= set >> 1 & 0x5555;
    set = (set & 0x3333) + (set >> 2 & 0x3333);
    return (lanes)(set * factor) >> 12;
}

/* The ranks of `kickers` moved down by one above the rank `made`, which is one or none, and no kicker. */
CROUPIER_WIDE lanes squeeze(lanes kickers, lanes made) { return kickers - ((kickers & -made) >> 1); }

/* Where the ranks are: in croupier_set_table and croupier_kicker_table, to be added; or in `slow` lanes nowhere. */
struct croupier_places {
    lanes set, kickers, slow;
};

/* Sets bits in `faults` in lanes that hold no seven different cards. */
CROUPIER_WIDE struct croupier_places find_places(const lanes *suits, lanes factor, lanes *faults) {
    enum { NO_FLUSH = 8192, FULL_HOUSE = 4096, ALL = 0x1fff, TRIPS_OR_FULL = 0x1000 };
    const lanes none = {0};
    lanes clubs = suits[0], diamonds = suits[1], hearts = suits[2], spades = suits[3];

    /* How often each rank is held. */
    lanes one_of_two = clubs ^ diamonds, odd = one_of_two ^ hearts;
    lanes two = (clubs & diamonds) | (hearts & one_of_two);
    lanes held = odd | two | spades;
    lanes carry = odd & spades, quads = two & carry;
    lanes twos = two ^ carry, ones = odd ^ spades;
    lanes pairs = twos & ~ones, trips = twos & ones;

    /* A flush decides alone: its five ranks differ, and two cards are one too few for quads or a full house. */
    lanes count = none, flush = none, suited = none;
    CROUPIER_UNROLLED
    for (int suit = 0; suit < 4; suit++) {
        lanes here = count_bits(suits[suit], factor);
        count += here;
        here = (lanes)((signed_lanes)here > 4);
        flush |= here;
        suited |= here & suits[suit];
    }
    *faults |= (count ^ CROUPIER_CARDS) | (held & 0xe000);
    lanes set = suited | (held & ~flush);
    lanes row = set << 1 | set >> 12;
    lanes straight = row & row >> 1;
    straight = straight & straight >> 2 & row >> 4;
    lanes by_made = EMPTY(straight) & ~flush & ~EMPTY(twos);

    /* Two pairs at most, trips, or a full house. */
    lanes upper_pairs = WITHOUT_LOWEST(pairs), third_pair = WITHOUT_LOWEST(upper_pairs);
    lanes no_trips = EMPTY(trips), not_full = no_trips | EMPTY(pairs);
    lanes made = trips | (no_trips & (upper_pairs | (pairs & EMPTY(third_pair))));
    lanes kickers = held & ~made & (pairs | not_full);
    lanes upper = WITHOUT_LOWEST(made);
    kickers = squeeze(squeeze(kickers, upper), made ^ upper) | (FULL_HOUSE & ~not_full);
    made ^= ~no_trips & (ALL ^ (TRIPS_OR_FULL & ~not_full));
    return (struct croupier_places){
        .set = (((set & ~by_made) | (made & by_made)) & ALL) | (NO_FLUSH & ~flush),
        .kickers = kickers & by_made & ALL,
        .slow = quads | WITHOUT_LOWEST(trips) | (upper_pairs & ~no_trips),
    };
}

/* Whether a bit is set in any lane. */
CROUPIER_WIDE bool any(lanes set);

/* Vectors of the suits of CROUPIER_LANES sets, and which of these each lane is then. */
CROUPIER_WIDE void split_suits(const uint64_t *sets, lanes *suits);
static const uint8_t croupier_order[CROUPIER_LANES];

/* Stores the ranks of the hands, in the order of the sets. */
CROUPIER_WIDE void rank_lanes(const lanes *suits, lanes factor, lanes *faults, uint16_t *ranks) {
    struct croupier_places places = find_places(suits, factor, faults);
    uint16_t set[CROUPIER_LANES], kickers[CROUPIER_LANES], each[4][CROUPIER_LANES];
    memcpy(set, &places.set, sizeof set);
    memcpy(kickers, &places.kickers, sizeof kickers);
    /* To be read back from memory: to take the lanes out of the vectors one by one costs more. */
    __asm__("" : "+m"(set), "+m"(kickers));
#pragma GCC unroll 16
    for (size_t i = 0; i < CROUPIER_LANES; i++) {
        unsigned rank = (unsigned)croupier_set_table[set[i]] + croupier_kicker_table[kickers[i]];
        __asm__("" : "+r"(rank));
        uint16_t stored = (uint16_t)rank;
        memcpy(ranks + croupier_order[i], &stored, sizeof stored);
    }
    if (__builtin_expect(any(places.slow), 0)) {
        uint16_t slow[CROUPIER_LANES];
        memcpy(slow, &places.slow, sizeof slow);
        memcpy(each, suits, sizeof each);
        for (size_t i = 0; i < CROUPIER_LANES; i++) {
            if (slow[i]) {
                uint64_t cards = (uint64_t)each[3][i] << 48 | (uint64_t)each[2][i] << 32 | (uint64_t)each[1][i] << 16;
                uint16_t rank = croupier_set_rank(cards | each[0][i], CROUPIER_CARDS);
                memcpy(ranks + croupier_order[i], &rank, sizeof rank);
            }
        }
    }
}

CROUPIER_WIDE void add_common(uint64_t common, lanes *suits) {
    CROUPIER_UNROLLED
    for (int suit = 0; suit < 4; suit++) {
        suits[suit] |= (uint16_t)(common >> 16 * suit);
    }
}

CROUPIER_TARGET static bool rank_masks(uint64_t common, const uint64_t *sets, size_t hand_count, uint16_t *ranks) {
    static const volatile uint16_t nibbles = 0x1111;
    const lanes factor = (lanes){0} + nibbles;
    lanes faults = {0}, suits[4];
    size_t i = 0;
    for (; i + CROUPIER_LANES <= hand_count; i += CROUPIER_LANES) {
        split_suits(sets + i, suits);
        add_common(common, suits);
        rank_lanes(suits, factor, &faults, ranks + i);
    }
    if (i < hand_count) {
        uint64_t last[CROUPIER_LANES];
        uint16_t last_ranks[CROUPIER_LANES];
        for (size_t j = 0; j < CROUPIER_LANES; j++) {
            memcpy(last + j, sets + (i + j < hand_count ? i + j : i), sizeof *last);
        }
        split_suits(last, suits);
        add_common(common, suits);
        rank_lanes(suits, factor, &faults, last_ranks);
        memcpy(ranks + i, last_ranks, (hand_count - i) * sizeof *ranks);
    }
    return !any(faults);
}
