/* Counts every hand by class, and compares with the known numbers. The arguments name sizes, 5, 6 and 7, or batches of
 * seven cards by implementation and layout, such as avx512-rows, or "batches" for all of these. A batch has to give each
 * hand the rank that it has alone too: every hand's rank goes into one sum with its place. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batches.h"
#include "croupier_rank.h"

enum { CLASSES = 10, RANKS_END = 7463, BLOCK = 4096 };

static const char *const names[CLASSES] = {"high card", "pair",       "two pair", "three of a kind", "straight",
                                           "flush",     "full house", "quads",    "straight flush",  "royal flush"};

/* Distinct hands of each class, which cut the scale of ranks into classes. */
static const int distinct[CLASSES] = {1277, 2860, 858, 858, 10, 1277, 156, 156, 9, 1};

static const uint64_t expected[3][CLASSES] = {
    {1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4},
    {6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1656, 188},
    {23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 37260, 4324},
};

static uint64_t histogram[RANKS_END], hands_counted, sum_by_place;

/* What the hands wait in, and how they are ranked. */
static uint8_t rows[BLOCK * CARDS], columns[CARDS][BLOCK];
static uint64_t sets[BLOCK];
static size_t waiting;
static int implementation, layout;

static void count_rank(uint16_t rank) {
    histogram[rank]++;
    sum_by_place += ++hands_counted * rank;
}

static void count_waiting(void) {
    static const uint8_t *const starts[CARDS] = {columns[0], columns[1], columns[2], columns[3],
                                                 columns[4], columns[5], columns[6]};
    uint16_t ranks[BLOCK];
    bool ranked = layout == 0   ? croupier_rank_rows(implementation, rows, waiting, ranks)
                  : layout == 1 ? croupier_rank_columns(implementation, starts, waiting, ranks)
                                : croupier_rank_masks(implementation, sets, waiting, ranks);
    for (size_t i = 0; i < waiting; i++) {
        count_rank(ranked ? ranks[i] : 0);
    }
    waiting = 0;
}

static void count_in_batch(const uint8_t *cards, uint64_t set) {
    for (size_t card = 0; card < CARDS; card++) {
        rows[waiting * CARDS + card] = columns[card][waiting] = cards[card];
    }
    sets[waiting++] = set;
    if (waiting == BLOCK) {
        count_waiting();
    }
}

static void count_hands(uint8_t *cards, size_t held, size_t size, int next, uint64_t set, bool batch) {
    if (held == size) {
        if (batch) {
            count_in_batch(cards, set);
        } else {
            count_rank(croupier_rank(cards, size));
        }
        return;
    }
    for (int card = next; card < 52; card++) {
        cards[held] = (uint8_t)card;
        count_hands(cards, held + 1, size, card + 1, set | bit_of((uint8_t)card), batch);
    }
}

/* Prints what there is of each class; 1 where that is wrong. */
static int census(size_t size, const char *name, bool batch) {
    uint8_t cards[CARDS];
    memset(histogram, 0, sizeof histogram);
    hands_counted = sum_by_place = 0;
    count_hands(cards, 0, size, 0, 0, batch);
    count_waiting();
    int wrong = histogram[0] != 0;
    int seen = 0;
    uint64_t all = 0;
    for (int class = 0, rank = 1; class < CLASSES; class++) {
        uint64_t hands = 0;
        for (int end = rank + distinct[class]; rank < end; rank++) {
            hands += histogram[rank];
            seen += histogram[rank] > 0;
        }
        const char *verdict = hands == expected[size - 5][class] ? "" : "  WRONG";
        wrong |= *verdict != 0;
        all += hands;
        printf("%s %-16s %10" PRIu64 "%s\n", name, names[class], hands, verdict);
    }
    printf("%s %-16s %10" PRIu64 ", %d distinct ranks\n", name, "all", all, seen);
    return wrong || (size == 5 && seen != RANKS_END - 1);
}

/* The census of seven cards by batches whose name begins as told. */
static int batches(const char *begin) {
    static uint64_t alone;
    int wrong = 0, found = 0;
    for (implementation = CROUPIER_PORTABLE; implementation <= CROUPIER_AVX512; implementation++) {
        for (layout = 0; layout < LAYOUTS; layout++) {
            char name[32];
            snprintf(name, sizeof name, "%s-%s", implementation_names[implementation], layout_names[layout]);
            if (strncmp(name, begin, strlen(begin)) != 0) {
                continue;
            }
            found = 1;
            if (!croupier_supported(implementation)) {
                printf("%s: not on this processor\n", name);
                continue;
            }
            if (!alone) {
                wrong |= census(CARDS, "7 cards", false);
                alone = sum_by_place;
            }
            wrong |= census(CARDS, name, true);
            wrong |= sum_by_place != alone;
            printf("%s: %s\n", name, sum_by_place == alone ? "each hand as it is alone" : "hands WRONG");
        }
    }
    return wrong || !found;
}

int main(int argc, char **argv) {
    int wrong = argc < 2;
    for (int i = 1; i < argc; i++) {
        size_t size = (size_t)atoi(argv[i]);
        if (size >= 5 && size <= CARDS) {
            char name[16];
            snprintf(name, sizeof name, "%zu cards", size);
            wrong |= census(size, name, false);
        } else {
            wrong |= batches(strcmp(argv[i], "batches") == 0 ? "" : argv[i]);
        }
    }
    return wrong;
}
