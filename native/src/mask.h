#ifndef CROUPIER_MASK_H
#define CROUPIER_MASK_H

#include "hand.h"

/* Rank of a set of `card_count` cards; 0 where it is not that. */
static inline uint16_t croupier_set_rank(uint64_t set, unsigned card_count) {
    uint64_t counts = croupier_suit_counts(set);
    if (croupier_card_count(counts) != card_count || set & CROUPIER_BEYOND_ACE) {
        return 0;
    }
    uint64_t flush = (counts + UINT64_C(0x000b000b000b000b)) & UINT64_C(0x0010001000100010);
    if (flush) {
        return croupier_set_table[set >> (__builtin_ctzll(flush) - 4) & 0x1fff];
    }
    size_t low_key = croupier_first_key[card_count - 5] & 0xffff, high_key = 0;
    CROUPIER_UNROLLED
    for (unsigned suit = 0; suit < 4; suit++) {
        low_key += croupier_low_key[set >> 16 * suit & 0x3f];
        high_key += croupier_high_key[set >> (16 * suit + 6) & 0x7f];
    }
    return croupier_rank_of_keys(low_key, high_key);
}

/* Rank of the cards that make the sums, or 0 when these are not `card_count` different cards. */
static inline uint16_t croupier_sums_rank(croupier_sums sums, size_t card_count) {
    uint64_t key = sums[0], set = sums[1];
    uint64_t others = croupier_popcount(set) ^ card_count;
    if (__builtin_expect((others | (key & CROUPIER_FLUSH_BITS)) != 0, 0)) {
        return others ? 0 : croupier_set_table[croupier_flush_suit(key, set)];
    }
    return croupier_rank_of_keys(key & 0xffff, key >> 48);
}

/* Rank of `card_count` cards, or 0 when these are not different cards. */
static inline uint16_t croupier_cards_rank(const uint8_t *cards, size_t card_count) {
    uint64_t first_key = croupier_first_key[card_count - 5];
    return croupier_sums_rank(croupier_sums_of(croupier_cards, cards, card_count, first_key), card_count);
}

#endif
