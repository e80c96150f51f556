#ifndef CROUPIER_PARTS_H
#define CROUPIER_PARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "strength.h"

enum { HAND_CARDS = 7, MAX_PARTS = 4000, MAX_KEYS = 1 << 16 };

/* The cards a hand holds in one half of the ranks; its key is the sum of their weights. */
struct part {
    struct rank_counts counts;
    int cards;
    int key;
};

extern int weights[RANKS];

/* How many cards a part holds at most: HAND_CARDS, until it is set to fewer. */
extern int most_cards;

/* Gives the ranks begin to end - 1 the smallest weights, one after the other, for which all parts made of these ranks
 * have different keys; or, of one size, all parts with the same number of cards. */
void choose_weights(int begin, int end, bool of_one_size);

/* Appends every part made of the ranks begin to end - 1 that continues the given one, and returns the new count. */
int list_parts(struct part *parts, int count, int begin, int end, struct part part);

/* One more than the highest key. */
int key_count(const struct part *parts, int count);

/* Ends the program unless the condition holds. */
void require(bool holds);

/* Writes a table as C, whose declaration goes up to the equals sign. */
void write_numbers(FILE *out, const char *declaration, const int *numbers, int count);

/* Writes what each card adds to a key by the weights as they are, and its bit in a set, as tables.h says. */
void write_cards(FILE *out, const char *declaration, int low_ranks);

#endif
