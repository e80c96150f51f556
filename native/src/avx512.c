/* The batch kernels for processors with AVX-512 VBMI, VBMI2 and BITALG (Ice Lake, Zen 4 and later). 32 hands are ranked
 * at a time, each in 16 bits of four vectors that hold the ranks of a suit. Full adders over the four tell which ranks
 * are held once, twice and so on; what is left is to number sets of ranks, with tables that fit into registers.
 *
 * Hands with quads or with two sets of trips (one in 480) are ranked one by one. */
#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "kernels.h"
#include "mask.h"

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,popcnt")))
#define INLINE TARGET __attribute__((always_inline)) static inline

enum { LANES = 32, BLOCK = 64, CARDS = 7, MAJORITY = 0xe8, PARITY = 0x96, ANY = 0xfe, ALL = 0x80, SELECT = 0xca };

struct suits {
    __m512i of[4];
};

/* A bit set in either says that a hand is not seven different cards. */
struct faults {
    __m512i lanes, bytes;
};

struct tables {
    __m512i five[2], kickers[2], made[2], low[2];
};

/* Any logic of three: bit 4a + 2b + c of the table is the result. */
#define THREE(a, b, c, table) _mm512_ternarylogic_epi32(a, b, c, table)

INLINE __m512i load(const void *from) { return _mm512_loadu_si512(from); }

INLINE struct tables load_tables(void) {
    return (struct tables){
        {load(croupier_lane_five), load(croupier_lane_five + LANES)},
        {load(croupier_lane_kickers), load(croupier_lane_kickers + LANES)},
        {load(croupier_lane_made), load(croupier_lane_made + LANES)},
        {load(croupier_lane_low), load(croupier_lane_low + BLOCK)},
    };
}


/* One number in every lane. These come from memory: the compiler would else make some of them anew for every 32 hands,
 * on the port that is short. */
INLINE __m512i each(int word) { return load(croupier_lane_words + LANES * word); }
INLINE __m512i plus(__m512i a, __m512i b) { return _mm512_add_epi16(a, b); }
INLINE __m512i minus_one(__m512i a) { return _mm512_add_epi16(a, _mm512_set1_epi32(-1)); }
INLINE __m512i without_lowest(__m512i set) { return _mm512_and_si512(set, minus_one(set)); }
INLINE __m512i bits(__m512i set) { return _mm512_popcnt_epi16(set); }
INLINE __mmask32 some(__m512i set) { return _mm512_test_epi16_mask(set, set); }
/* Ranks the hands in `slow` again, from what is stored of them. */
__attribute__((noinline, cold)) TARGET static void rank_one_by_one(const struct suits *suits, uint32_t slow,
                                                                   uint16_t *ranks) {
    uint16_t sets[4][LANES];
    memcpy(sets, suits, sizeof sets);
    for (; slow; slow &= slow - 1) {
        unsigned lane = (unsigned)__builtin_ctz(slow);
        uint64_t set = (uint64_t)sets[3][lane] << 48 | (uint64_t)sets[2][lane] << 32 |
                       (uint64_t)sets[1][lane] << 16 | sets[0][lane];
        uint16_t rank = croupier_set_rank(set, CARDS);
        memcpy(ranks + lane, &rank, sizeof rank);
    }
}

/* What straights add: five bits in a row, the ace below the deuce too. Sets `straight`; the result is how many ranks
 * the highest card of the straight is above the five, plus one. */
INLINE __m512i place_of_straight(__m512i set, __mmask32 *straight) {
    __m512i ranks = _mm512_shldi_epi16(set, _mm512_slli_epi16(set, 3), 1);
    __m512i twos = _mm512_and_si512(ranks, _mm512_srli_epi16(ranks, 1));
    __m512i fives = THREE(twos, _mm512_srli_epi16(twos, 2), _mm512_srli_epi16(ranks, 4), ALL);
    *straight = some(fives);
    /* Straights are neighbours, so that filling up below the lowest leaves ones up to the highest. */
    return bits(_mm512_or_si512(fives, minus_one(fives)));
}

/* Stores the ranks of 32 hands. */
INLINE void rank_lanes(const struct suits *suits, const struct tables *tables, struct faults *faults,
                       uint16_t *ranks) {
    const __m512i clubs = suits->of[0], diamonds = suits->of[1], hearts = suits->of[2], spades = suits->of[3];
    const __m512i none = _mm512_setzero_si512();

    /* Counts. */
    __m512i odd = THREE(clubs, diamonds, hearts, PARITY);
    __m512i two = THREE(clubs, diamonds, hearts, MAJORITY);
    __m512i held = THREE(odd, two, spades, ANY);
    __m512i quads = THREE(odd, two, spades, ALL);

    /* Suits. */
    __m512i count[4], all = none, set = held;
    __mmask32 flush = 0;
    CROUPIER_UNROLLED
    for (int suit = 0; suit < 4; suit++) {
        count[suit] = bits(suits->of[suit]);
        all = plus(all, count[suit]);
        __mmask32 here = _mm512_cmpgt_epi16_mask(count[suit], each(CROUPIER_FOUR));
        set = _mm512_mask_mov_epi16(set, here, suits->of[suit]);
        flush |= here;
    }
    __mmask32 no_flush = _knot_mask32(flush);
    faults->lanes = THREE(faults->lanes, all, each(CROUPIER_SEVEN), 0xf6); /* or different from */
    faults->lanes = THREE(faults->lanes, held, each(CROUPIER_NO_RANKS), 0xf8); /* or both */
    __m512i trips = _mm512_maskz_mov_epi16(no_flush, THREE(two, odd, spades, 0xe0));
    __m512i pairs = _mm512_maskz_mov_epi16(no_flush, THREE(two, odd, spades, 0x18));

    __mmask32 straight;
    __m512i straight_place = place_of_straight(set, &straight);

    /* The ranks that are paired: `made` are those that count, `upper` the highest of them. */
    __m512i upper_pairs = without_lowest(pairs);
    __m512i third_pair = without_lowest(upper_pairs);
    __mmask32 has_pair = some(pairs), has_two = some(upper_pairs), has_trips = some(trips);
    __mmask32 not_three = _mm512_testn_epi16_mask(third_pair, third_pair);
    __mmask32 has_full = _kand_mask32(has_trips, has_pair);
    __mmask32 slow = some(THREE(trips, minus_one(trips), quads, 0xea)); /* two in trips, or quads */
    __m512i made = _mm512_mask_mov_epi16(upper_pairs, not_three, pairs);
    made = _mm512_mask_mov_epi16(made, has_trips, trips);
    __m512i upper = _mm512_mask_mov_epi16(pairs, has_two, upper_pairs);
    __m512i filling = upper;
    upper = _mm512_mask_mov_epi16(third_pair, not_three, upper);
    upper = _mm512_mask_mov_epi16(upper, has_trips, trips);

    /* Kickers. Of seven cards the lowest two ranks beside those paired are never among the best five, but with three
     * pairs it is one, and of a flush there may be fewer. */
    __m512i ranks_held = _mm512_mask_popcnt_epi16(each(CROUPIER_SEVEN), flush, set);
    __m512i kickers = _mm512_andnot_si512(made, set);
    __mmask32 drop_one = _mm512_cmpgt_epi16_mask(ranks_held, each(CROUPIER_FIVE));
    __mmask32 drop_two = _mm512_mask_cmpgt_epi16_mask(not_three, ranks_held, each(CROUPIER_SIX));
    kickers = _mm512_and_si512(kickers, _mm512_mask_add_epi16(kickers, drop_one, kickers, _mm512_set1_epi32(-1)));
    kickers = _mm512_and_si512(kickers, _mm512_mask_add_epi16(kickers, drop_two, kickers, _mm512_set1_epi32(-1)));
    kickers = _mm512_mask_mov_epi16(kickers, has_full, filling);

    /* The number of the kickers: five, three or two by tables, the rank that is paired squeezed out; one by counting. */
    __m512i squeezed = THREE(minus_one(made), kickers, _mm512_srli_epi16(kickers, 1), SELECT);
    __m512i high_half = _mm512_srli_epi16(squeezed, 7);
    __m512i five = _mm512_permutex2var_epi16(tables->five[0], high_half, tables->five[1]);
    high_half = _mm512_mask_add_epi16(high_half, has_trips, high_half, each(CROUPIER_TRIPS));
    __m512i few = _mm512_permutex2var_epi16(tables->kickers[0], high_half, tables->kickers[1]);
    __m512i low = _mm512_permutex2var_epi8(tables->low[0], squeezed, tables->low[1]);
    low = _mm512_and_si512(low, each(CROUPIER_LOW_BYTE));
    __m512i one = bits(_mm512_andnot_si512(made, minus_one(kickers)));
    __m512i lower_pair = bits(minus_one(_mm512_xor_si512(made, upper)));
    __mmask32 two_pair = _kandn_mask32(has_trips, has_two);
    one = _mm512_mask_add_epi16(one, two_pair, one, _mm512_mullo_epi16(lower_pair, each(CROUPIER_ELEVEN)));

    /* Ranks: of flushes and high cards, of what is paired, and of straights. */
    __m512i rank = plus(five, low);
    rank = _mm512_mask_add_epi16(rank, flush, rank, each(CROUPIER_BEFORE_FLUSHES));
    __m512i class = _mm512_maskz_mov_epi16(two_pair, each(CROUPIER_TWO_PAIR));
    class = _mm512_mask_mov_epi16(class, has_trips, each(CROUPIER_TRIPS));
    class = _mm512_mask_mov_epi16(class, has_full, each(CROUPIER_FULL_HOUSE));
    class = plus(class, bits(minus_one(upper)));
    __m512i beside = plus(few, low);
    beside = _mm512_mask_mov_epi16(beside, _kor_mask32(two_pair, has_full), one);
    class = _mm512_permutex2var_epi16(tables->made[0], class, tables->made[1]);
    rank = _mm512_mask_add_epi16(rank, _kor_mask32(has_pair, has_trips), class, beside);
    __m512i first_straight = _mm512_mask_mov_epi16(each(CROUPIER_BEFORE_STRAIGHTS), flush, each(CROUPIER_BEFORE_STRAIGHT_FLUSHES));
    rank = _mm512_mask_add_epi16(rank, straight, first_straight, straight_place);

    _mm512_storeu_si512(ranks, rank);
    if (__builtin_expect(slow != 0, 0)) {
        rank_one_by_one(suits, slow, ranks);
    }
}

INLINE bool faultless(const struct faults *faults) {
    __mmask16 wrong = _mm512_test_epi32_mask(faults->lanes, faults->lanes);
    return !(wrong | _mm512_test_epi32_mask(faults->bytes, _mm512_set1_epi8((char)0xc0)));
}

/* From sets of 16 bits a suit, one after the other, to a vector for each suit: the bytes of each vector are put into
 * order and their quarters turned so that blends bring together what belongs together, then turned back. */
INLINE struct suits split_suits(__m512i common, const void *sets) {
    const __m512i *orders = (const __m512i *)(const void *)croupier_lane_suits;
    __m512i quarters[4];
    CROUPIER_UNROLLED
    for (int i = 0; i < 4; i++) {
        __m512i eight = _mm512_or_si512(common, load((const char *)sets + BLOCK * i));
        quarters[i] = _mm512_permutexvar_epi8(load(orders + i), eight);
    }
    const __m512i odd_quarters = load(croupier_lane_quarters), later = load(croupier_lane_quarters + LANES * 1),
                  middle = load(croupier_lane_quarters + LANES * 2);
    __m512i even = THREE(odd_quarters, quarters[1], quarters[0], SELECT);
    __m512i even_later = THREE(odd_quarters, quarters[3], quarters[2], SELECT);
    __m512i odd = THREE(odd_quarters, quarters[0], quarters[1], SELECT);
    __m512i odd_later = THREE(odd_quarters, quarters[2], quarters[3], SELECT);
    __m512i clubs = THREE(later, even_later, even, SELECT);
    __m512i diamonds = THREE(middle, odd, odd_later, SELECT);
    __m512i hearts = THREE(later, even, even_later, SELECT);
    __m512i spades = THREE(middle, odd_later, odd, SELECT);
    return (struct suits){{
        clubs,
        _mm512_alignr_epi64(diamonds, diamonds, 2),
        _mm512_alignr_epi64(hearts, hearts, 4),
        _mm512_alignr_epi64(spades, spades, 6),
    }};
}

/* From seven vectors of one card of 64 hands to the suits of two times 32: the hands whose places in 16 are 0 to 7, and
 * the others. */
INLINE void gather_suits(const __m512i *cards, struct suits *first, struct suits *second) {
    const __m512i *bytes = (const __m512i *)(const void *)croupier_lane_bits;
    CROUPIER_UNROLLED
    for (int suit = 0; suit < 4; suit++) {
        __m512i half[2];
        CROUPIER_UNROLLED
        for (int i = 0; i < 2; i++) {
            const __m512i bit = load(bytes + 2 * suit + i);
            __m512i set = _mm512_permutexvar_epi8(cards[0], bit);
            CROUPIER_UNROLLED
            for (int card = 1; card < CARDS; card += 2) {
                set = THREE(set, _mm512_permutexvar_epi8(cards[card], bit),
                            _mm512_permutexvar_epi8(cards[card + 1], bit), ANY);
            }
            half[i] = set;
        }
        first->of[suit] = _mm512_unpacklo_epi8(half[0], half[1]);
        second->of[suit] = _mm512_unpackhi_epi8(half[0], half[1]);
    }
}

INLINE void note_bytes(struct faults *faults, const __m512i *bytes) {
    __m512i all = THREE(THREE(bytes[0], bytes[1], bytes[2], ANY), THREE(bytes[3], bytes[4], bytes[5], ANY), bytes[6],
                        ANY);
    faults->bytes = _mm512_or_si512(faults->bytes, all);
}

INLINE void masks_block(__m512i common, const void *sets, const struct tables *tables, struct faults *faults,
                        uint16_t *ranks) {
    struct suits suits = split_suits(common, sets);
    rank_lanes(&suits, tables, faults, ranks);
}

/* Byte b of a row is at a place that is b modulo seven, and 64 is one more than a multiple of seven. So column b takes
 * the byte at place p of a vector from the one p modulo seven before vector b: a rotation among seven vectors, done by
 * blends for 1, 2 and 4. Then the bytes of a column are put into order. */
INLINE void rows_block(const uint8_t *rows, const struct tables *tables, struct faults *faults, uint16_t *ranks) {
    __m512i from[CARDS], to[CARDS];
    CROUPIER_UNROLLED
    for (int i = 0; i < CARDS; i++) {
        from[i] = load(rows + BLOCK * i);
    }
    note_bytes(faults, from);
    CROUPIER_UNROLLED
    for (int i = 0; i < CARDS; i++) {
        to[i] = _mm512_mask_mov_epi8(from[i], croupier_lane_turns[0], from[(i + 6) % CARDS]);
    }
    CROUPIER_UNROLLED
    for (int i = 0; i < CARDS; i++) {
        from[i] = _mm512_mask_mov_epi8(to[i], croupier_lane_turns[1], to[(i + 5) % CARDS]);
    }
    const __m512i order = load(croupier_lane_rows);
    CROUPIER_UNROLLED
    for (int i = 0; i < CARDS; i++) {
        to[i] = _mm512_mask_mov_epi8(from[i], croupier_lane_turns[2], from[(i + 3) % CARDS]);
        to[i] = _mm512_permutexvar_epi8(_mm512_add_epi8(order, _mm512_set1_epi8((char)i)), to[i]);
    }
    struct suits suits[2];
    gather_suits(to, &suits[0], &suits[1]);
    rank_lanes(&suits[0], tables, faults, ranks);
    rank_lanes(&suits[1], tables, faults, ranks + LANES);
}

INLINE void columns_block(const uint8_t *const *columns, size_t from, const struct tables *tables,
                          struct faults *faults, uint16_t *ranks) {
    __m512i cards[CARDS];
    CROUPIER_UNROLLED
    for (int i = 0; i < CARDS; i++) {
        cards[i] = load(columns[i] + from);
    }
    note_bytes(faults, cards);
    struct suits suits[2];
    gather_suits(cards, &suits[0], &suits[1]);
    uint16_t apart[2 * LANES];
    rank_lanes(&suits[0], tables, faults, apart);
    rank_lanes(&suits[1], tables, faults, apart + LANES);
    __m512i first = load(apart), second = load(apart + LANES);
    const __m512i order = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i later = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    _mm512_storeu_si512(ranks, _mm512_permutex2var_epi64(first, order, second));
    _mm512_storeu_si512(ranks + LANES, _mm512_permutex2var_epi64(first, later, second));
}

/* The last rows, too few for a block, are ranked in a block filled up with this one, the last sets with one of them. */
static const uint8_t filler[CARDS] = {0, 1, 2, 3, 4, 5, 6};

TARGET static bool rank_masks(uint64_t common, const uint64_t *sets, size_t hand_count, uint16_t *ranks) {
    const struct tables tables = load_tables();
    struct faults faults = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    const __m512i all = _mm512_set1_epi64((long long)common);
    size_t i = 0;
    for (; i + LANES <= hand_count; i += LANES) {
        masks_block(all, sets + i, &tables, &faults, ranks + i);
    }
    if (i < hand_count) {
        uint64_t last[LANES];
        uint16_t last_ranks[LANES];
        for (size_t j = 0; j < LANES; j++) {
            memcpy(last + j, sets + (i + j < hand_count ? i + j : i), sizeof *last);
        }
        masks_block(all, last, &tables, &faults, last_ranks);
        memcpy(ranks + i, last_ranks, (hand_count - i) * sizeof *ranks);
    }
    return faultless(&faults);
}

TARGET static bool rank_rows(const uint8_t *rows, size_t hand_count, uint16_t *ranks) {
    const struct tables tables = load_tables();
    struct faults faults = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    size_t i = 0;
    for (; i + BLOCK <= hand_count; i += BLOCK) {
        rows_block(rows + i * CARDS, &tables, &faults, ranks + i);
    }
    if (i < hand_count) {
        uint8_t last[BLOCK * CARDS];
        uint16_t last_ranks[BLOCK];
        for (size_t j = 0; j < BLOCK; j++) {
            memcpy(last + j * CARDS, filler, CARDS);
        }
        memcpy(last, rows + i * CARDS, (hand_count - i) * CARDS);
        rows_block(last, &tables, &faults, last_ranks);
        memcpy(ranks + i, last_ranks, (hand_count - i) * sizeof *ranks);
    }
    return faultless(&faults);
}

TARGET static bool rank_columns(const uint8_t *const *columns, size_t hand_count, uint16_t *ranks) {
    const struct tables tables = load_tables();
    struct faults faults = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    size_t i = 0;
    for (; i + BLOCK <= hand_count; i += BLOCK) {
        columns_block(columns, i, &tables, &faults, ranks + i);
    }
    if (i < hand_count) {
        uint8_t last[CARDS][BLOCK];
        const uint8_t *last_columns[CARDS];
        uint16_t last_ranks[BLOCK];
        for (size_t card = 0; card < CARDS; card++) {
            memset(last[card], filler[card], BLOCK);
            memcpy(last[card], columns[card] + i, hand_count - i);
            last_columns[card] = last[card];
        }
        columns_block(last_columns, 0, &tables, &faults, last_ranks);
        memcpy(ranks + i, last_ranks, (hand_count - i) * sizeof *ranks);
    }
    return faultless(&faults);
}

const struct croupier_kernels croupier_avx512_kernels = {rank_rows, rank_columns, rank_masks};

#endif
