/* Ranks CROUPIER_LANES hands of seven cards at once by logic on vectors that hold the ranks of a suit in 16 bits a hand,
 * and two look-ups a hand. To be included after CROUPIER_LANES and CROUPIER_TARGET are defined: the compiler makes of it
 * what that target has. */
#include <string.h>

#include "mask.h"

#define CROUPIER_WIDE CROUPIER_TARGET __attribute__((always_inline)) static inline

enum { CROUPIER_CARDS = 7 };

typedef uint16_t lanes __attribute__((vector_size(2 * CROUPIER_LANES)));

/* All ones in the lanes where the set is not empty. */
#define SOME(set) ((lanes)((set) != 0))
#define SELECT(mask, one, other) (((mask) & (one)) | (~(mask) & (other)))
#define WITHOUT_LOWEST(set) ((set) & ((set)-1))

/* Cards in each set. */
CROUPIER_WIDE lanes count_bits(lanes set) {
    set -= set >> 1 & 0x5555;
    set = (set & 0x3333) + (set >> 2 & 0x3333);
    return (lanes)(set * 0x1111) >> 12;
}

/* The ranks of `kickers` moved down by one above the rank `made`, which is one or none. */
CROUPIER_WIDE lanes squeeze(lanes kickers, lanes made) {
    lanes below = made - 1;
    return SELECT(below, kickers, kickers >> 1);
}

CROUPIER_WIDE bool any(lanes set) {
    uint64_t parts[2 * CROUPIER_LANES / 8], all = 0;
    memcpy(parts, &set, sizeof set);
    CROUPIER_UNROLLED
    for (size_t i = 0; i < sizeof set / sizeof *parts; i++) {
        all |= parts[i];
    }
    return all != 0;
}

/* Where the ranks are: in croupier_set_table and croupier_kicker_table, to be added; or in `slow` lanes nowhere. */
struct croupier_places {
    lanes set, kickers, slow;
};

/* Sets bits in `faults` in lanes that hold no seven different cards. */
CROUPIER_WIDE struct croupier_places find_places(const lanes *suits, lanes *faults) {
    enum { NO_FLUSH = 8192, FULL_HOUSE = 4096, ALL = 0x1fff, ALL_BUT_ACE = 0x0fff };
    const lanes none = {0};
    lanes clubs = suits[0], diamonds = suits[1], hearts = suits[2], spades = suits[3];

    /* How often each rank is held. */
    lanes odd = clubs ^ diamonds ^ hearts;
    lanes two = (clubs & diamonds) | (hearts & (clubs ^ diamonds));
    lanes held = odd | two | spades;
    lanes quads = two & odd & spades;
    lanes twos = two ^ (odd & spades), ones = odd ^ spades;
    lanes pairs = twos & ~ones, trips = twos & ones;

    /* A flush decides alone: its five ranks differ, and two cards are one too few for quads or a full house. */
    lanes count = none, flush = none, suited = none;
    CROUPIER_UNROLLED
    for (int suit = 0; suit < 4; suit++) {
        lanes here = count_bits(suits[suit]);
        count += here;
        here = (lanes)(here > 4);
        flush |= here;
        suited |= here & suits[suit];
    }
    *faults |= (count ^ CROUPIER_CARDS) | (held & 0xe000);
    lanes set = suited | (held & ~flush);
    lanes row = set << 1 | set >> 12;
    lanes straight = row & row >> 1;
    straight = straight & straight >> 2 & row >> 4;
    lanes by_set = SOME(straight) | flush | ~SOME(pairs | trips);

    /* Two pairs at most, trips, or a full house. */
    lanes upper_pairs = WITHOUT_LOWEST(pairs);
    lanes two_pairs = SELECT(SOME(WITHOUT_LOWEST(upper_pairs)), upper_pairs, pairs);
    lanes has_trips = SOME(trips), full = has_trips & SOME(pairs);
    lanes made = SELECT(has_trips, trips, two_pairs);
    lanes upper = WITHOUT_LOWEST(made);
    lanes kickers = SELECT(full, pairs, held & ~made);
    kickers = squeeze(squeeze(kickers, upper), made ^ upper) + (full & FULL_HOUSE);
    made ^= has_trips & (ALL ^ (full & (ALL ^ ALL_BUT_ACE)));
    return (struct croupier_places){
        .set = SELECT(by_set, set, made) + (NO_FLUSH & ~flush),
        .kickers = kickers & ~by_set,
        .slow = quads | WITHOUT_LOWEST(trips) | (has_trips & upper_pairs),
    };
}

/* Stores the ranks of the hands in the lanes that `order` names. */
CROUPIER_WIDE void rank_lanes(const lanes *suits, const uint8_t *order, lanes *faults, uint16_t *ranks) {
    struct croupier_places places = find_places(suits, faults);
    uint16_t set[CROUPIER_LANES], kickers[CROUPIER_LANES], each[4][CROUPIER_LANES];
    memcpy(set, &places.set, sizeof set);
    memcpy(kickers, &places.kickers, sizeof kickers);
#pragma GCC unroll 16
    for (size_t i = 0; i < CROUPIER_LANES; i++) {
        uint16_t rank = (uint16_t)(croupier_set_table[set[i] & 0x3fff] + croupier_kicker_table[kickers[i] & 0x1fff]);
        memcpy(ranks + order[i], &rank, sizeof rank);
    }
    if (__builtin_expect(any(places.slow), 0)) {
        uint16_t slow[CROUPIER_LANES];
        memcpy(slow, &places.slow, sizeof slow);
        memcpy(each, suits, sizeof each);
        for (size_t i = 0; i < CROUPIER_LANES; i++) {
            if (slow[i]) {
                uint64_t cards = (uint64_t)each[3][i] << 48 | (uint64_t)each[2][i] << 32 | (uint64_t)each[1][i] << 16;
                uint16_t rank = croupier_set_rank(cards | each[0][i], CROUPIER_CARDS);
                memcpy(ranks + order[i], &rank, sizeof rank);
            }
        }
    }
}

/* Vectors of the suits of CROUPIER_LANES sets, in the order that rank_lanes is told. */
CROUPIER_WIDE void split_suits(const uint64_t *sets, lanes *suits);
static const uint8_t croupier_order[CROUPIER_LANES];

CROUPIER_TARGET static bool rank_masks(const uint64_t *sets, size_t hand_count, uint16_t *ranks) {
    static const uint64_t filler = UINT64_C(0x0001000300030003);
    lanes faults = {0}, suits[4];
    size_t i = 0;
    for (; i + CROUPIER_LANES <= hand_count; i += CROUPIER_LANES) {
        split_suits(sets + i, suits);
        rank_lanes(suits, croupier_order, &faults, ranks + i);
    }
    if (i < hand_count) {
        uint64_t last[CROUPIER_LANES];
        uint16_t last_ranks[CROUPIER_LANES];
        for (size_t j = 0; j < CROUPIER_LANES; j++) {
            last[j] = filler;
        }
        memcpy(last, sets + i, (hand_count - i) * sizeof *sets);
        split_suits(last, suits);
        rank_lanes(suits, croupier_order, &faults, last_ranks);
        memcpy(ranks + i, last_ranks, (hand_count - i) * sizeof *ranks);
    }
    return !any(faults);
}
