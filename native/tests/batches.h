#ifndef CROUPIER_BATCHES_H
#define CROUPIER_BATCHES_H

#include "croupier_batch.h"

/* Batch calls for tests: every layout behind one type, told from the same hands. */

enum { CARDS = 7, LAYOUTS = 3 };

static const char *const layout_names[LAYOUTS] = {"rows", "columns", "masks"};
static const char *const implementation_names[] = {"portable", "avx2", "avx512"};

static inline uint64_t bit_of(uint8_t card) { return UINT64_C(1) << (16 * (card & 3) + (card >> 2)); }

static inline uint64_t set_of(const uint8_t *cards, size_t count) {
    uint64_t set = 0;
    for (size_t i = 0; i < count; i++) {
        set |= bit_of(cards[i]);
    }
    return set;
}

#endif
