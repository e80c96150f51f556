#include "strength.h"

#include <stdio.h>
#include <stdlib.h>

enum category { HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH };
enum { NONE = -1, FIVE_HIGH = 3, WHEEL = 0x100f };

static uint32_t scale[DISTINCT_HANDS];
static int scale_size;

/* A strength is a category followed by up to five ranks, four bits each, most important first. */
static uint32_t append(uint32_t strength, int rank) { return strength << 4 | (uint32_t)rank; }

static uint32_t append_highest(uint32_t strength, unsigned ranks, int count) {
    for (int rank = RANKS - 1; rank >= 0 && count > 0; rank--) {
        if (ranks >> rank & 1) {
            strength = append(strength, rank);
            count--;
        }
    }
    return strength;
}

static uint32_t pad(uint32_t strength, int empty_ranks) { return strength << (4 * empty_ranks); }

static int highest_of_straight(unsigned ranks) {
    for (int high = RANKS - 1; high > FIVE_HIGH; high--) {
        if ((ranks >> (high - 4) & 31) == 31) {
            return high;
        }
    }
    return (ranks & WHEEL) == WHEEL ? FIVE_HIGH : NONE;
}

/* Highest rank held at least `least` times, but for the rank `except`. */
static int highest_group(const struct rank_counts *counts, int least, int except) {
    for (int rank = RANKS - 1; rank >= 0; rank--) {
        if (counts->of[rank] >= least && rank != except) {
            return rank;
        }
    }
    return NONE;
}

uint32_t strength_of_counts(const struct rank_counts *counts) {
    unsigned ranks = 0;
    for (int rank = 0; rank < RANKS; rank++) {
        ranks |= (counts->of[rank] > 0) << rank;
    }
    int quads = highest_group(counts, 4, NONE);
    if (quads != NONE) {
        return pad(append_highest(append(QUADS, quads), ranks & ~(1u << quads), 1), 3);
    }
    int trips = highest_group(counts, 3, NONE);
    int pair = highest_group(counts, 2, trips);
    if (trips != NONE && pair != NONE) {
        return pad(append(append(FULL_HOUSE, trips), pair), 3);
    }
    int straight = highest_of_straight(ranks);
    if (straight != NONE) {
        return pad(append(STRAIGHT, straight), 4);
    }
    if (trips != NONE) {
        return pad(append_highest(append(TRIPS, trips), ranks & ~(1u << trips), 2), 2);
    }
    if (pair == NONE) {
        return append_highest(HIGH_CARD, ranks, 5);
    }
    int second = highest_group(counts, 2, pair);
    if (second != NONE) {
        return pad(append_highest(append(append(TWO_PAIR, pair), second), ranks & ~(1u << pair | 1u << second), 1), 2);
    }
    return pad(append_highest(append(PAIR, pair), ranks & ~(1u << pair), 3), 1);
}

uint32_t strength_of_flush(unsigned ranks) {
    int straight = highest_of_straight(ranks);
    return straight == NONE ? append_highest(FLUSH, ranks, 5) : pad(append(STRAIGHT_FLUSH, straight), 4);
}

static int compare(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left;
    uint32_t b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void fail(const char *message, long number) {
    fprintf(stderr, "make_tables: %s (%ld)\n", message, number);
    exit(1);
}

static void add_to_scale(uint32_t strength) {
    if (scale_size == DISTINCT_HANDS) {
        fail("more distinct five-card hands than", DISTINCT_HANDS);
    }
    scale[scale_size++] = strength;
}

static void add_counts(struct rank_counts *counts, int rank, int left) {
    if (rank == RANKS) {
        if (left == 0) {
            add_to_scale(strength_of_counts(counts));
        }
        return;
    }
    for (int count = 0; count <= 4 && count <= left; count++) {
        counts->of[rank] = (uint8_t)count;
        add_counts(counts, rank + 1, left - count);
    }
    counts->of[rank] = 0;
}

void make_scale(void) {
    struct rank_counts counts = {{0}};
    add_counts(&counts, 0, 5);
    for (unsigned ranks = 0; ranks < 1u << RANKS; ranks++) {
        if (__builtin_popcount(ranks) == 5) {
            add_to_scale(strength_of_flush(ranks));
        }
    }
    qsort(scale, (size_t)scale_size, sizeof scale[0], compare);
    for (int i = 1; i < scale_size; i++) {
        if (scale[i] == scale[i - 1]) {
            fail("two kinds of five-card hands with one strength", scale[i]);
        }
    }
    if (scale_size != DISTINCT_HANDS) {
        fail("distinct five-card hands", scale_size);
    }
}

uint16_t hand_rank(uint32_t strength) {
    const uint32_t *place = bsearch(&strength, scale, DISTINCT_HANDS, sizeof scale[0], compare);
    if (place == NULL) {
        fail("no five-card hand has the strength", strength);
    }
    return (uint16_t)(place - scale + 1);
}

/* Lows are compared from the highest card down, so the better of two is the smaller number as a set. The best in a set
 * is its lowest five; its rank is the count of lows that are no better. */
uint8_t low_rank(unsigned ranks) {
    unsigned best = ranks;
    while (__builtin_popcount(best) > 5) {
        best &= ~(1u << (31 - __builtin_clz(best)));
    }
    uint8_t rank = 0;
    for (unsigned low = best; __builtin_popcount(best) == 5 && low < LOW_SETS; low++) {
        rank += __builtin_popcount(low) == 5;
    }
    return rank;
}
