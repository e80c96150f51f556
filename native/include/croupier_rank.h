#ifndef CROUPIER_RANK_H
#define CROUPIER_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A card is a byte, 4 * rank + suit: rank 0 is the deuce and 12 the ace, suit 0 to 3 is c d h s.
 *
 *        2  3  4  5  6  7  8  9  T  J  Q  K  A
 *    c   0  4  8 12 16 20 24 28 32 36 40 44 48
 *    d   1  5  9 13 17 21 25 29 33 37 41 45 49
 *    h   2  6 10 14 18 22 26 30 34 38 42 46 50
 *    s   3  7 11 15 19 23 27 31 35 39 43 47 51
 *
 * A hand rank is 1 to 7462, larger is stronger, equal ties; 7462 is the royal flush.
 */

/* Rank of the best five among 5 to 7 different cards in any order; 0 when the cards are not that. */
uint16_t croupier_rank(const uint8_t *cards, size_t card_count);

/* Ranks of a whole showdown: hole_cards holds two cards a hand, one hand after the other, board holds 3 to 5.
 * Writes one rank a hand to ranks. False, with ranks undefined, when a card is out of range or appears twice
 * anywhere, or the board has another size. */
bool croupier_rank_holdem(const uint8_t *hole_cards, size_t hand_count, const uint8_t *board, size_t board_count,
                          uint16_t *ranks);

/* The same for hands of which two hole cards play with three of the board: hole_count is 4 to 6. */
bool croupier_rank_omaha(const uint8_t *hole_cards, size_t hand_count, size_t hole_count, const uint8_t *board,
                         size_t board_count, uint16_t *ranks);

/* The same for hands of five cards, without a board. */
bool croupier_rank_five(const uint8_t *hole_cards, size_t hand_count, uint16_t *ranks);

/* A low rank is 1 to 56, larger is stronger, equal ties; 56 is 5-4-3-2-A, 1 is 8-7-6-5-4, and 0 is no low: fewer than
 * five different ranks are eight or lower, the ace among them.
 */

/* Low rank of the best five among 5 to 7 different cards in any order; -1 when the cards are not that. */
int croupier_rank_low(const uint8_t *cards, size_t card_count);

/* croupier_rank_omaha for low ranks. */
bool croupier_rank_omaha_low(const uint8_t *hole_cards, size_t hand_count, size_t hole_count, const uint8_t *board,
                             size_t board_count, uint16_t *ranks);

#endif
