#ifndef CROUPIER_OMAHA_H
#define CROUPIER_OMAHA_H

#include "mask.h"

enum { CROUPIER_MAX_HOLE_CARDS = 6, CROUPIER_BOARD = 5, CROUPIER_ROW_CELLS = 96 };

/* Cards as a set, and the sum of their board keys, whose counters of suits start at 0. */
struct croupier_lot {
    uint64_t set;
    uint64_t key;
};

/* Takes any bytes. They are different cards where the set has as many bits. */
static inline struct croupier_lot croupier_lot_of(const uint8_t *cards, size_t card_count) {
    croupier_sums sums = croupier_sums_of(croupier_board_cards, cards, card_count, 0);
    return (struct croupier_lot){.set = sums[1], .key = sums[0]};
}

/* The cells of a board of 3 to 5 different cards. */
static inline const uint16_t *croupier_board_cells(uint64_t key, size_t board_count) {
    const uint16_t *rows = board_count == 5   ? croupier_board_row_5
                           : board_count == 4 ? croupier_board_row_4
                                              : croupier_board_row_3;
    size_t row = (size_t)rows[key & 0xffff] + croupier_board_place[key >> 48];
    return croupier_omaha_table + row * CROUPIER_ROW_CELLS;
}

static inline uint16_t croupier_higher(uint16_t a, uint16_t b) { return a > b ? a : b; }

/* The best rank without a flush of two of the hole cards with three of the board. */
static inline uint16_t croupier_best_cell(const uint16_t *cells, const uint8_t *hole, size_t hole_count) {
    size_t ranks[CROUPIER_MAX_HOLE_CARDS];
    uint16_t best = 0;
    CROUPIER_UNROLLED
    for (size_t i = 0; i < hole_count; i++) {
        ranks[i] = hole[i] >> 2;
        CROUPIER_UNROLLED
        for (size_t j = 0; j < i; j++) {
            best = croupier_higher(best, cells[croupier_two_ranks[ranks[i] << 4 | ranks[j]]]);
        }
    }
    return best;
}

/* The bits of the suits of which the board has three cards or more and the hole two; 0 where no flush is possible. */
static inline uint64_t croupier_flush_suits(uint64_t board_key, uint64_t hole_key) {
    return (board_key + (UINT64_C(0x5555) << 32)) & (hole_key + (UINT64_C(0x6666) << 32)) & CROUPIER_FLUSH_BITS;
}

/* The best flush of a suit from croupier_flush_suits, which is the only one. */
uint16_t croupier_omaha_flush(uint64_t flush_suits, uint64_t board, uint64_t hole);

/* The ranks ace to eight of a set, bit 0 for the ace. */
static inline size_t croupier_low_set(uint64_t set) {
    set |= set >> 32;
    set |= set >> 16;
    return (set << 1 | (set >> 12 & 1)) & 0xff;
}

static inline uint16_t croupier_omaha_low(uint64_t board, uint64_t hole) {
    return croupier_omaha_low_table[croupier_low_set(board) << 8 | croupier_low_set(hole)];
}

#endif
