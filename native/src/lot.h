#ifndef CROUPIER_LOT_H
#define CROUPIER_LOT_H

#include <stdint.h>

/* Numbers by lot, SplitMix64: a stream is named by a seed and a counter, so that any of them can be begun anew. They
 * serve estimates. No deck is dealt with them: from a few, the next can be told. */
struct croupier_lot {
    uint64_t state;
};

static inline uint64_t croupier_lot_mix(uint64_t bits) {
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

static inline struct croupier_lot croupier_lot_stream(uint64_t seed, uint64_t counter) {
    return (struct croupier_lot){croupier_lot_mix(croupier_lot_mix(seed) ^ counter * UINT64_C(0xd1342543de82ef95))};
}

static inline uint32_t croupier_lot_next(struct croupier_lot *lot) {
    lot->state += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(croupier_lot_mix(lot->state) >> 32);
}

/* One of 0 to bound - 1, each as likely as the others: what would favour some is drawn again (Lemire's method). */
static inline uint32_t croupier_lot_below(struct croupier_lot *lot, uint32_t bound) {
    uint64_t product = (uint64_t)croupier_lot_next(lot) * bound;
    if ((uint32_t)product < bound) {
        uint32_t unfair = -bound % bound;
        while ((uint32_t)product < unfair) {
            product = (uint64_t)croupier_lot_next(lot) * bound;
        }
    }
    return (uint32_t)(product >> 32);
}

#endif
