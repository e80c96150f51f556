/* The batch kernels for any processor. Rows and columns are ranked hand by hand, which is as fast. */
#define CROUPIER_LANES 8
#define CROUPIER_TARGET
#include "wide.h"

#include "kernels.h"

static const uint8_t croupier_order[CROUPIER_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};

CROUPIER_WIDE void split_suits(const uint64_t *sets, lanes *suits) {
    uint16_t ranks[4][CROUPIER_LANES];
    CROUPIER_UNROLLED
    for (size_t i = 0; i < CROUPIER_LANES; i++) {
        uint64_t set;
        memcpy(&set, sets + i, sizeof set);
        CROUPIER_UNROLLED
        for (size_t suit = 0; suit < 4; suit++) {
            ranks[suit][i] = (uint16_t)(set >> 16 * suit);
        }
    }
    memcpy(suits, ranks, sizeof ranks);
}

CROUPIER_WIDE bool any(lanes set) {
    uint64_t parts[2 * CROUPIER_LANES / 8], all = 0;
    memcpy(parts, &set, sizeof set);
    CROUPIER_UNROLLED
    for (size_t i = 0; i < sizeof set / sizeof *parts; i++) {
        all |= parts[i];
    }
    return all != 0;
}

bool croupier_rank_rows_one_by_one(const uint8_t *rows, size_t hand_count, uint16_t *ranks) {
    return croupier_rank_rows_of(rows, CROUPIER_CARDS, hand_count, ranks);
}

bool croupier_rank_columns_one_by_one(const uint8_t *const *columns, size_t hand_count, uint16_t *ranks) {
    bool valid = true;
    const uint8_t *const c0 = columns[0], *const c1 = columns[1], *const c2 = columns[2], *const c3 = columns[3],
                  *const c4 = columns[4], *const c5 = columns[5], *const c6 = columns[6];
    for (size_t i = 0; i < hand_count; i++) {
        const uint8_t *const cards[CROUPIER_CARDS] = {c0 + i, c1 + i, c2 + i, c3 + i, c4 + i, c5 + i, c6 + i};
        croupier_sums sums = {croupier_first_key[CROUPIER_CARDS - 5], 0};
        CROUPIER_UNROLLED
        for (size_t card = 0; card < CROUPIER_CARDS; card++) {
            sums += croupier_sums_of(croupier_cards, cards[card], 1, 0);
        }
        uint16_t rank = croupier_sums_rank(sums, CROUPIER_CARDS);
        memcpy(ranks + i, &rank, sizeof rank);
        valid &= rank != 0;
    }
    return valid;
}

const struct croupier_kernels croupier_portable_kernels = {
    croupier_rank_rows_one_by_one,
    croupier_rank_columns_one_by_one,
    rank_masks,
};
