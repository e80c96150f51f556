#ifndef CROUPIER_BATCH_H
#define CROUPIER_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Many hands in one call. Cards and ranks are those of croupier_rank.h. A set of cards is 16 bits a suit, clubs in the
 * lowest: bit 16 * suit + rank. No buffer need be aligned, and no byte outside of one is read. Ranks may not be written
 * over what is read.
 *
 * Every implementation gives the same ranks; which of them the processor can run, croupier_supported says. */
enum croupier_implementation { CROUPIER_PORTABLE, CROUPIER_AVX2, CROUPIER_AVX512 };

bool croupier_supported(enum croupier_implementation implementation);

/* Rank of the best five in a set of 5 to 7 cards; 0 when the set is none of so many cards. */
uint16_t croupier_rank_mask(uint64_t set);

/* Ranks of hands of seven cards: as rows of seven bytes, as one column of bytes for each of the seven, and as sets.
 * False, with ranks undefined, when a hand is not seven different cards. */
bool croupier_rank_rows(enum croupier_implementation implementation, const uint8_t *rows, size_t hand_count,
                        uint16_t *ranks);
bool croupier_rank_columns(enum croupier_implementation implementation, const uint8_t *const *columns,
                           size_t hand_count, uint16_t *ranks);
bool croupier_rank_masks(enum croupier_implementation implementation, const uint64_t *sets, size_t hand_count,
                         uint16_t *ranks);

/* The same for hands that have some cards in common, as with all boards that may come: the sets are of the others. */
bool croupier_rank_masks_with(enum croupier_implementation implementation, uint64_t common, const uint64_t *sets,
                              size_t hand_count, uint16_t *ranks);

/* Ranks of hands of 5 to 7 cards, as rows of card_count bytes. */
bool croupier_rank_rows_of(const uint8_t *rows, size_t card_count, size_t hand_count, uint16_t *ranks);

/* Ranks of hands of which two hole cards play with three of the board: a row is 4, 5 or 6 hole cards, then the five of
 * its own board. Writes high ranks, low ranks, or both: either pointer may be null. */
bool croupier_rank_omaha_rows(const uint8_t *rows, size_t hole_count, size_t hand_count, uint16_t *highs,
                              uint16_t *lows);

#endif
