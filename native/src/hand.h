#ifndef CROUPIER_HAND_H
#define CROUPIER_HAND_H

#include "croupier_rank.h"
#include "tables.h"

/* Before a loop whose number of turns is known once it is inlined. */
#define CROUPIER_UNROLLED _Pragma("GCC unroll 8")

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

static inline unsigned croupier_popcount(uint64_t set) {
#if defined(__x86_64__) && !defined(__POPCNT__)
    if (__builtin_expect(__builtin_cpu_supports("popcnt") != 0, 1)) {
        uint64_t count;
        __asm__("popcntq %1, %0" : "=r"(count) : "rm"(set) : "cc");
        return (unsigned)count;
    }
    return croupier_card_count(croupier_suit_counts(set));
#else
    return (unsigned)__builtin_popcountll(set);
#endif
}

/* Two numbers that are added at once: the sum of the keys of cards, and that of their bits, which is the set of them.
 * Where a card comes twice its bits carry, and the sum has fewer bits than there are cards. */
typedef uint64_t croupier_sums __attribute__((vector_size(16), may_alias));

static inline croupier_sums croupier_sums_of(const struct croupier_card *table, const uint8_t *cards, size_t card_count,
                                             uint64_t first_key) {
    croupier_sums sums = {first_key, 0};
    CROUPIER_UNROLLED
    for (size_t i = 0; i < card_count; i++) {
        sums += *(const croupier_sums *)(const void *)&table[cards[i]];
    }
    return sums;
}

/* A hand under construction. Its cards are held as a set with 16 bits a suit, in which the top three ranks of a suit
 * do not exist, and as the sum of the same bits, which is equal as long as no card came twice. */
struct croupier_hand {
    uint64_t key;
    uint64_t set;
    uint64_t sum;
    uint64_t bytes;
};

/* Every suit counter starts at 3, so that its top bit says "five or more" and seven cards cannot overflow it. */
static const struct croupier_hand CROUPIER_NO_CARDS = {UINT64_C(0x3333) << 32, 0, 0, 0};
static const uint64_t CROUPIER_FLUSH_BITS = UINT64_C(0x8888) << 32;
static const uint64_t CROUPIER_BEYOND_ACE = UINT64_C(0xe000e000e000e000);

/* Adds any byte without a branch; croupier_hand_valid judges them all at once. */
static inline void croupier_hand_add(struct croupier_hand *hand, uint8_t card) {
    uint64_t bit = UINT64_C(1) << (16 * (card & 3) + ((card >> 2) & 15));
    hand->key += croupier_cards[card & 63].key;
    hand->set |= bit;
    hand->sum += bit;
    hand->bytes |= card;
}

/* Whether all bytes added were different cards. To be asked before a rank, since other keys lead outside
 * the tables, and at least once in ten new cards, since many repetitions could overflow the sum. */
static inline bool croupier_hand_valid(const struct croupier_hand *hand) {
    return hand->set == hand->sum && !(hand->set & CROUPIER_BEYOND_ACE) && hand->bytes < 64;
}

/* The ranks held in the suit that has five cards or more. */
static inline size_t croupier_flush_suit(uint64_t key, uint64_t set) {
    unsigned suit = ((unsigned)__builtin_ctzll(key & CROUPIER_FLUSH_BITS) - 32) >> 2;
    return set >> 16 * suit & 0x1fff;
}

/* Rank by the sums of low and high weights, of a hand that has no flush; the low key begins as croupier_first_key. */
static inline uint16_t croupier_rank_of_keys(size_t low_key, size_t high_key) {
    return croupier_rank_table[(size_t)croupier_row[low_key] + croupier_column[high_key]];
}

/* Rank of a valid hand of 5 to 7 cards. Where a suit holds five of them nothing else can win: its five ranks differ, and
 * the two cards beside them are one too few for quads or a full house. */
static inline uint16_t croupier_hand_rank(const struct croupier_hand *hand, size_t card_count) {
    if (hand->key & CROUPIER_FLUSH_BITS) {
        return croupier_set_table[croupier_flush_suit(hand->key, hand->set)];
    }
    size_t low_key = (hand->key + croupier_first_key[card_count - 5]) & 0xffff;
    return croupier_rank_of_keys(low_key, hand->key >> 48);
}

/* The cards of both, which were judged together. */
static inline struct croupier_hand croupier_hand_join(const struct croupier_hand *one,
                                                      const struct croupier_hand *other) {
    return (struct croupier_hand){
        .key = one->key + other->key - CROUPIER_NO_CARDS.key,
        .set = one->set | other->set,
        .sum = one->sum + other->sum,
        .bytes = one->bytes | other->bytes,
    };
}

/* The ranks ace to eight that are held, bit 0 for the ace: what the low table goes by. */
static inline uint8_t croupier_hand_low_ranks(const struct croupier_hand *hand) {
    uint64_t ranks = hand->set | hand->set >> 16 | hand->set >> 32 | hand->set >> 48;
    return (uint8_t)(ranks << 1 | (ranks >> 12 & 1));
}

#endif
