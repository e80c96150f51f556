#ifndef CROUPIER_LANES_H
#define CROUPIER_LANES_H

#include <stdint.h>

/* The small tables of the batch kernels, which give every class of hands its place on the scale by counting sets of
 * ranks. The sets are numbered in the order in which they win: as binary numbers, ace the highest bit. */

enum { HIGH_SETS = 64, LOW_HALVES = 128, MADE_SETS = 64, RANK_SETS = 1 << 13, SQUEEZED_SETS = 1 << 13 };

/* Number of a set of high cards, from its six highest ranks (that is, how many sets of five come before it). */
uint16_t five_from_high_half(unsigned high_half);

/* Part of a set's number that its seven lowest ranks make, however many ranks there are above. */
uint8_t number_of_low_half(unsigned low_half);

/* Part of the number of three kickers (at 0 to 31), or of two (at 32 to 63), from the ranks above the lowest seven,
 * once the rank of the pair or the trips is squeezed out. */
uint16_t kickers_from_high_half(unsigned place);

/* First hand rank by the rank that is paired: pairs at 0, the higher of two pairs at 16, trips at 32 and the trips of
 * full houses at 48. */
uint16_t first_of_made(unsigned place);

/* Hand rank of a set of at least five ranks that is no flush; and of the ranks that are paired, what they add to a hand
 * rank: one or two ranks as they are, trips less all thirteen, trips of a full house less the twelve lowest. */
uint16_t hand_rank_of_set(unsigned set);

/* What kickers add to a hand rank, by the set of ranks beside those paired, these squeezed out: 5 or 4 ranks beside a
 * pair or trips, fewer beside two pairs; from 4096 on the rank that fills a full house. */
uint16_t hand_rank_of_kickers(unsigned set);

enum { LANE_BITS = 512, LANE_SUITS = 256 };

/* The lower (0) or upper (1) byte of a card's bit in the 16 bits of a suit; 0 in other suits. */
uint8_t lane_bit(int suit, int half, int card);

/* Of the 64 bytes of eight sets, which goes to `place`: all clubs, diamonds, hearts and spades in this order, turned by
 * as many quarters as `vector` says. */
uint8_t lane_suit_source(int vector, int place);

/* Which byte of the first column of 64 rows of seven, as the turns leave it, goes to `place`. Of 16 places eight are
 * for the hands 0 to 31 and eight for 32 to 63. */
uint8_t lane_row_source(int place);

/* The places whose remainder by seven has the bit `turn`. */
uint64_t lane_turns(int turn);

#endif
