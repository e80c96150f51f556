#ifndef CROUPIER_EQUITY_H
#define CROUPIER_EQUITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What share of a pot each of several hands wins, over the ways in which the cards that nobody knows may fall.
 *
 * Cards are bytes as in croupier_rank.h, games are
 *   0  hold'em: two hole cards with a board of five
 *   1  Omaha: two of four, five or six hole cards with three of a board of five
 *   2  Omaha with each pot halved between the best hand and the best low
 *   3  five cards, without a board
 */
struct croupier_equity_deal {
    uint8_t game;
    uint8_t hand_count;  /* 2 to 10 */
    uint8_t hole_count;  /* of each hand */
    uint8_t board_count; /* cards of the board that lie already, 0 to 5 */
    uint8_t stub_count;
    uint8_t hole_cards[60]; /* one hand after the other; 255 for one that nobody knows */
    uint8_t board[5];
    uint8_t stub[52]; /* what unknown cards are among: no card of a hand, of the board, or dead */
};

/* One hand's part, added up over deals. A pot is 5040 shares, so that halves of it, and parts of up to ten, are whole.
 * A deal is won where the hand takes all of the pot, and tied where it takes some. Odd chips go to nobody. */
struct croupier_equity_tally {
    uint64_t wins;
    uint64_t ties;
    uint64_t shares;
    uint64_t squares; /* the square of its shares in each deal */
};

/* Adds to one tally a hand what `count` boards come to, from the one numbered `first` on: all boards that there are
 * have numbers from 0 up, in one order. Numbers past the last are left out. False, with tallies as they were, where the
 * deal is none: an unknown game, a card out of range, twice or unknown, too few left. */
bool croupier_equity_enumerate(const struct croupier_equity_deal *deal, uint64_t first, uint64_t count,
                               struct croupier_equity_tally *tallies);

/* The same for deals drawn by lot, unknown hole cards among them. Each depends on the seed and its number alone. */
bool croupier_equity_sample(const struct croupier_equity_deal *deal, uint64_t seed, uint64_t first, uint64_t count,
                            struct croupier_equity_tally *tallies);

#endif
