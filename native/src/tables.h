#ifndef CROUPIER_TABLES_H
#define CROUPIER_TABLES_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The tables that native/tools/make_tables.c writes at build time. It says what they hold and why they are right. */

/* What a card adds to a hand's key,
 *   bits  0-15  its weight in the low key (deuce to seven)
 *   bits 32-47  one in the four-bit counter of its suit
 *   bits 48-63  its weight in the high key (eight to ace)
 * and its bit in a set with 16 bits a suit, and 0 for the bytes that are no cards. */
struct croupier_card {
    uint64_t key;
    uint64_t bit;
} __attribute__((aligned(16)));
extern const struct croupier_card croupier_cards[256];

/* What a hand's key begins with, by its number of cards less 5: 3 in each counter of a suit, so that its top bit says
 * "five or more", and the shift of the low key by which hands of 5, 6 and 7 cards use other rows. */
extern const uint64_t croupier_first_key[3];

/* The sums of the weights of the cards deuce to seven, and eight to ace, by the set of them held in a suit. */
extern const uint16_t croupier_low_key[64];
extern const uint16_t croupier_high_key[128];

/* Where the row of the low cards begins in croupier_rank_table, by low key, shifted. */
extern const uint16_t croupier_row[];

/* The column of the high cards within the row, by high key. */
extern const uint16_t croupier_column[];

/* Hand ranks without regard to flushes, by row + column. */
extern const uint16_t croupier_rank_table[];

/* Hand ranks by a 13-bit set of ranks: first those of flushes and straight flushes, by the set held in the suit, then
 * (from 8192 on) of hands without flush and pair. The second half serves the ranks that are paired too, which are fewer
 * than five or more than ten: native/tools/lanes.h says how. */
extern const uint16_t croupier_set_table[16384];

/* What kickers add to a hand rank; native/tools/lanes.h says of which sets. */
extern const uint16_t croupier_kicker_table[8192];

/* The tables that fit into registers: native/tools/lanes.h. */
extern const uint16_t croupier_lane_five[64];
extern const uint16_t croupier_lane_kickers[64];
extern const uint16_t croupier_lane_made[64];
extern const uint8_t croupier_lane_low[128];

/* Orders of bytes, and what lanes are masked with. */
extern const uint8_t croupier_lane_bits[512];
extern const uint8_t croupier_lane_suits[256];
extern const uint8_t croupier_lane_rows[64];
extern const uint64_t croupier_lane_turns[3];

/* Numbers in each of 32 lanes, and of the quarters of 64 bytes the odd ones, the second two and the middle two. */
enum croupier_lane_word {
    CROUPIER_FOUR,
    CROUPIER_FIVE,
    CROUPIER_SIX,
    CROUPIER_SEVEN,
    CROUPIER_ELEVEN,
    CROUPIER_TWO_PAIR,
    CROUPIER_TRIPS,
    CROUPIER_FULL_HOUSE,
    CROUPIER_LOW_BYTE,
    CROUPIER_NO_RANKS,
    CROUPIER_BEFORE_STRAIGHTS,
    CROUPIER_BEFORE_FLUSHES,
    CROUPIER_BEFORE_STRAIGHT_FLUSHES,
    CROUPIER_LANE_WORDS,
};
extern const uint16_t croupier_lane_words[32 * CROUPIER_LANE_WORDS];
extern const uint16_t croupier_lane_quarters[32 * 3];

/* Low ranks by the set of the ranks ace to eight that are held, bit 0 for the ace. */
extern const uint8_t croupier_low_table[256];

/* Hands of which two cards of the hole play with three of the board: native/tools/boards.h. */

/* As croupier_cards, with other weights, which tell boards apart. */
extern const struct croupier_card croupier_board_cards[256];

/* A board's row is that by low key for its number of cards, and the place by high key. */
extern const uint16_t croupier_board_row_3[];
extern const uint16_t croupier_board_row_4[];
extern const uint16_t croupier_board_row_5[];
extern const uint16_t croupier_board_place[];

/* Hand ranks without flushes: 96 for each board, of which 91 are those by the two ranks of the hole. */
extern const uint16_t croupier_omaha_table[];

/* Which of the 91 it is, by 16 * one rank + the other. */
extern const uint8_t croupier_two_ranks[256];

/* Low ranks by the sets of the ranks ace to eight: 256 * board + hole. */
extern const uint8_t croupier_omaha_low_table[65536];

#pragma GCC visibility pop

#endif
