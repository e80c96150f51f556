#ifndef CROUPIER_MASK_H
#define CROUPIER_MASK_H

#include "hand.h"

/* Cards held in each suit, 16 bits a suit. */
static inline uint64_t croupier_suit_counts(uint64_t set) {
    set -= set >> 1 & UINT64_C(0x5555555555555555);
    set = (set & UINT64_C(0x3333333333333333)) + (set >> 2 & UINT64_C(0x3333333333333333));
    set = (set + (set >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (set + (set >> 8)) & UINT64_C(0x001f001f001f001f);
}

static inline unsigned croupier_card_count(uint64_t suit_counts) {
    return (unsigned)(suit_counts * UINT64_C(0x0001000100010001) >> 48);
}

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
    size_t low_key = 0, high_key = 0;
    CROUPIER_UNROLLED
    for (unsigned suit = 0; suit < 4; suit++) {
        low_key += croupier_low_key[set >> 16 * suit & 0x3f];
        high_key += croupier_high_key[set >> (16 * suit + 6) & 0x7f];
    }
    return croupier_rank_of_keys(low_key, high_key, card_count);
}

/* Rank of `card_count` cards, or 0 when these are not different cards. */
static inline uint16_t croupier_cards_rank(const uint8_t *cards, size_t card_count) {
    uint64_t key = CROUPIER_NO_CARDS.key, set = 0;
    CROUPIER_UNROLLED
    for (size_t i = 0; i < card_count; i++) {
        key += croupier_card_key[cards[i]];
        set |= croupier_card_bit[cards[i]];
    }
    if (croupier_popcount(set) != card_count) {
        return 0;
    }
    uint64_t flush = key & CROUPIER_FLUSH_BITS;
    if (__builtin_expect(flush != 0, 0)) {
        unsigned suit = ((unsigned)__builtin_ctzll(flush) - 32) >> 2;
        return croupier_set_table[set >> (16 * suit) & 0x1fff];
    }
    return croupier_rank_of_keys(key & 0xffff, key >> 48, card_count);
}

#endif
