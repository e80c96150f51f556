#ifndef CROUPIER_TABLES_H
#define CROUPIER_TABLES_H

#include <stdint.h>

/* The tables that native/tools/make_tables.c writes at build time. It says what they hold and why they are right. */

/* What a card adds to a hand's key, and 0 for the bytes that are no cards:
 *   bits  0-15  its weight in the low key (deuce to seven)
 *   bits 32-47  one in the four-bit counter of its suit
 *   bits 48-63  its weight in the high key (eight to ace) */
extern const uint64_t croupier_card_key[256];

/* A card's bit in a set with 16 bits a suit, and 0 for the bytes that are no cards. */
extern const uint64_t croupier_card_bit[256];

/* The sums of the weights of the cards deuce to seven, and eight to ace, by the set of them held in a suit. */
extern const uint16_t croupier_low_key[64];
extern const uint16_t croupier_high_key[128];

/* Where the row of the low cards begins in croupier_rank_table, by low key + shift. The shift is by number of cards in
 * the hand less 5. */
extern const uint16_t croupier_row[];
extern const uint16_t croupier_row_shift[3];

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
extern const uint8_t croupier_lane_bits[512];
extern const uint8_t croupier_lane_suits[256];
extern const uint8_t croupier_lane_rows[64];
extern const uint64_t croupier_lane_turns[3];

/* Low ranks by the set of the ranks ace to eight that are held, bit 0 for the ace. */
extern const uint8_t croupier_low_table[256];

#endif
