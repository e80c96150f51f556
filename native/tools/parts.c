#include "parts.h"

#include <stdio.h>
#include <stdlib.h>

int weights[RANKS];
int most_cards = HAND_CARDS;

void require(bool holds) {
    if (!holds) {
        fprintf(stderr, "make_tables: a limit is too small, or the file cannot be written\n");
        exit(1);
    }
}

int list_parts(struct part *parts, int count, int rank, int end, struct part part) {
    if (rank == end) {
        parts[count] = part;
        return count + 1;
    }
    for (int held = 0; held <= 4 && part.cards + held <= most_cards; held++) {
        struct part longer = part;
        longer.counts.of[rank] = (uint8_t)held;
        longer.cards += held;
        longer.key += held * weights[rank];
        count = list_parts(parts, count, rank + 1, end, longer);
    }
    return count;
}

int key_count(const struct part *parts, int count) {
    int highest = 0;
    for (int i = 0; i < count; i++) {
        highest = parts[i].key > highest ? parts[i].key : highest;
    }
    return highest + 1;
}

/* Whether the parts made of the ranks begin to end - 1 have different keys. */
static bool keys_differ(int begin, int end, bool of_one_size) {
    static struct part parts[MAX_PARTS];
    static bool taken[HAND_CARDS + 1][MAX_KEYS];
    int count = list_parts(parts, 0, begin, end, (struct part){0});
    bool differ = true;
    int seen = 0;
    for (; seen < count && differ; seen++) {
        bool *place = &taken[of_one_size ? parts[seen].cards : 0][parts[seen].key];
        differ = !*place;
        *place = true;
    }
    for (int i = 0; i < seen; i++) {
        taken[of_one_size ? parts[i].cards : 0][parts[i].key] = false;
    }
    return differ;
}

void choose_weights(int begin, int end, bool of_one_size) {
    for (int rank = begin; rank < end; rank++) {
        weights[rank] = rank == begin ? 0 : weights[rank - 1];
        while (!keys_differ(begin, rank + 1, of_one_size)) {
            weights[rank]++;
            require(weights[rank] * most_cards < MAX_KEYS);
        }
    }
}

void write_numbers(FILE *out, const char *declaration, const int *numbers, int count) {
    fprintf(out, "\n%s = {", declaration);
    for (int i = 0; i < count; i++) {
        fprintf(out, i % 20 ? "%d," : "\n%d,", numbers[i]);
    }
    fprintf(out, "\n};\n");
}

void write_cards(FILE *out, const char *declaration, int low_ranks) {
    fprintf(out, "\n%s = {\n", declaration);
    for (int card = 0; card < 4 * RANKS; card++) {
        int rank = card / 4, suit = card % 4;
        unsigned long long weight = (unsigned long long)weights[rank] << (rank < low_ranks ? 0 : 48);
        unsigned long long counter = 1ULL << (32 + 4 * suit), bit = 1ULL << (16 * suit + rank);
        fprintf(out, "{UINT64_C(%llu), UINT64_C(%llu)},\n", counter + weight, bit);
    }
    fprintf(out, "};\n");
}
