/* Counts every hand of the sizes named by the arguments (5, 6, 7) by class, and compares with the known numbers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "croupier_rank.h"

enum { CLASSES = 10, RANKS_END = 7463 };

static const char *const names[CLASSES] = {"high card", "pair",       "two pair", "three of a kind", "straight",
                                           "flush",     "full house", "quads",    "straight flush",  "royal flush"};

/* Distinct hands of each class, which cut the scale of ranks into classes. */
static const int distinct[CLASSES] = {1277, 2860, 858, 858, 10, 1277, 156, 156, 9, 1};

static const uint64_t expected[3][CLASSES] = {
    {1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4},
    {6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1656, 188},
    {23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 37260, 4324},
};

static uint64_t histogram[RANKS_END];

static void count_hands(uint8_t *cards, size_t held, size_t size, int next) {
    if (held == size) {
        histogram[croupier_rank(cards, size)]++;
        return;
    }
    for (int card = next; card < 52; card++) {
        cards[held] = (uint8_t)card;
        count_hands(cards, held + 1, size, card + 1);
    }
}

static int census(size_t size) {
    uint8_t cards[7];
    memset(histogram, 0, sizeof histogram);
    count_hands(cards, 0, size, 0);
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
        printf("%zu cards %-16s %10" PRIu64 "%s\n", size, names[class], hands, verdict);
    }
    printf("%zu cards %-16s %10" PRIu64 ", %d distinct ranks\n", size, "all", all, seen);
    return wrong || (size == 5 && seen != RANKS_END - 1);
}

int main(int argc, char **argv) {
    int wrong = argc < 2;
    for (int i = 1; i < argc; i++) {
        size_t size = (size_t)atoi(argv[i]);
        wrong |= size < 5 || size > 7 || census(size);
    }
    return wrong;
}
