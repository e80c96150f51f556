#ifndef CROUPIER_STRENGTH_H
#define CROUPIER_STRENGTH_H

#include <stdint.h>

enum { RANKS = 13, DISTINCT_HANDS = 7462, LOW_SETS = 1 << 8 };

/* How many cards of each rank a hand holds. */
struct rank_counts {
    uint8_t of[RANKS];
};

/* Strength of the best five cards, for comparison alone: larger is stronger, equal ties. Suits are ignored by the
 * first and shared by all cards of the second, which takes a set of at least five ranks. */
uint32_t strength_of_counts(const struct rank_counts *counts);
uint32_t strength_of_flush(unsigned ranks);

/* Fills the scale of hand ranks with every strength five cards can have. Aborts unless there are 7462. */
void make_scale(void);

/* Place of a strength on the scale, 1 to 7462. Aborts when it is none of five cards. */
uint16_t hand_rank(uint32_t strength);

/* Low rank, 0 for none, of a set of the ranks ace to eight, bit 0 for the ace. */
uint8_t low_rank(unsigned ranks);

#endif
