#include "parts.h"

#include <stdio.h>
#include <stdlib.h>

int weights[RANKS];

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
    for (int held = 0; held <= 4 && part.cards + held <= HAND_CARDS; held++) {
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
            require(weights[rank] * HAND_CARDS < MAX_KEYS);
        }
    }
}
