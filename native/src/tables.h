#ifndef CROUPIER_TABLES_H
#define CROUPIER_TABLES_H

#include <stdint.h>

/* The tables that native/tools/make_tables.c writes at build time. It says what they hold and why they are right. */

/* What a card adds to a hand's key, and 0 for the numbers up to 63 that are no cards:
 *   bits  0-15  its weight in the low key (deuce to seven)
 *   bits 16-31  its weight in the high key (eight to ace)
 *   bits 32-47  one in the four-bit counter of its suit */
extern const uint64_t croupier_card_key[64];

/* Where the row of the low cards begins in croupier_rank_table, by low key + shift; negative where the row has only
 * columns far to the right. The shift is by number of cards in the hand less 5. */
extern const int16_t croupier_row[];
extern const uint16_t croupier_row_shift[3];

/* The column of the high cards within the row, by high key. */
extern const uint16_t croupier_column[];

/* Hand ranks without regard to flushes, by row + column. */
extern const uint16_t croupier_rank_table[];

/* Hand ranks of flushes and straight flushes, by the 13-bit set of ranks held in the suit. */
extern const uint16_t croupier_flush_table[8192];

/* Low ranks by the set of the ranks ace to eight that are held, bit 0 for the ace. */
extern const uint8_t croupier_low_table[256];

#endif
