#include "omaha.h"

#include <string.h>

#include "croupier_batch.h"

static unsigned without_lowest(unsigned set) { return set & (set - 1); }

static unsigned highest(unsigned set, unsigned count) {
    for (unsigned held = croupier_popcount(set); held > count; held--) {
        set = without_lowest(set);
    }
    return set;
}

uint16_t croupier_omaha_flush(uint64_t flush_suits, uint64_t board, uint64_t hole) {
    enum { WHEEL = 0x100f, FIVE = 0x1f, RANKS = 0x1fff };
    unsigned suit = ((unsigned)__builtin_ctzll(flush_suits) - 32) >> 2;
    unsigned there = (unsigned)(board >> 16 * suit) & RANKS, held = (unsigned)(hole >> 16 * suit) & RANKS;
    for (int low = 8; low >= -1; low--) {
        unsigned straight = low < 0 ? WHEEL : FIVE << low;
        if (!(straight & ~(there | held)) && croupier_popcount(straight & held) == 2) {
            return croupier_set_table[straight];
        }
    }
    return croupier_set_table[highest(there, 3) | highest(held, 2)];
}

static inline uint16_t best_high(const uint8_t *hole, size_t hole_count, const uint16_t *cells,
                                 const struct croupier_lot *board, const struct croupier_lot *held) {
    uint16_t best = croupier_best_cell(cells, hole, hole_count);
    uint64_t flush = croupier_flush_suits(board->key, held->key);
    return flush ? croupier_higher(best, croupier_omaha_flush(flush, board->set, held->set)) : best;
}

/* Inlined with a constant `hole_count`, so that the loops unroll. */
static inline bool rank_each(const uint8_t *hole_cards, size_t hand_count, size_t hole_count, const uint8_t *board,
                             size_t board_count, uint16_t *ranks, bool low) {
    struct croupier_lot lying = croupier_lot_of(board, board_count);
    uint64_t dealt = lying.set;
    if (croupier_popcount(dealt) != board_count) {
        return false;
    }
    const uint16_t *cells = croupier_board_cells(lying.key, board_count);
    for (size_t i = 0; i < hand_count; i++) {
        const uint8_t *hole = hole_cards + i * hole_count;
        struct croupier_lot held = croupier_lot_of(hole, hole_count);
        dealt |= held.set;
        if (croupier_popcount(dealt) != board_count + (i + 1) * hole_count) {
            return false;
        }
        ranks[i] = low ? croupier_omaha_low(lying.set, held.set)
                       : best_high(hole, hole_count, cells, &lying, &held);
    }
    return true;
}

static bool rank_showdown(const uint8_t *hole_cards, size_t hand_count, size_t hole_count, const uint8_t *board,
                          size_t board_count, uint16_t *ranks, bool low) {
    if (board_count < 3 || board_count > CROUPIER_BOARD) {
        return false;
    }
    switch (hole_count) {
    case 4:
        return rank_each(hole_cards, hand_count, 4, board, board_count, ranks, low);
    case 5:
        return rank_each(hole_cards, hand_count, 5, board, board_count, ranks, low);
    case 6:
        return rank_each(hole_cards, hand_count, 6, board, board_count, ranks, low);
    default:
        return false;
    }
}

bool croupier_rank_omaha(const uint8_t *hole_cards, size_t hand_count, size_t hole_count, const uint8_t *board,
                         size_t board_count, uint16_t *ranks) {
    return rank_showdown(hole_cards, hand_count, hole_count, board, board_count, ranks, false);
}

bool croupier_rank_omaha_low(const uint8_t *hole_cards, size_t hand_count, size_t hole_count, const uint8_t *board,
                             size_t board_count, uint16_t *ranks) {
    return rank_showdown(hole_cards, hand_count, hole_count, board, board_count, ranks, true);
}

static inline bool rank_row(const uint8_t *row, size_t hole_count, uint16_t *high, uint16_t *low) {
    struct croupier_lot held = croupier_lot_of(row, hole_count);
    struct croupier_lot lying = croupier_lot_of(row + hole_count, CROUPIER_BOARD);
    if (croupier_popcount(held.set | lying.set) != hole_count + CROUPIER_BOARD) {
        return false;
    }
    if (high) {
        const uint16_t *cells = croupier_board_cells(lying.key, CROUPIER_BOARD);
        uint16_t rank = best_high(row, hole_count, cells, &lying, &held);
        memcpy(high, &rank, sizeof rank);
    }
    if (low) {
        uint16_t rank = croupier_omaha_low(lying.set, held.set);
        memcpy(low, &rank, sizeof rank);
    }
    return true;
}

/* Inlined with a constant `hole_count`, so that the loops unroll. */
static inline bool rank_rows(const uint8_t *rows, size_t hole_count, size_t hand_count, uint16_t *highs,
                             uint16_t *lows) {
    for (size_t i = 0; i < hand_count; i++) {
        uint8_t row[CROUPIER_MAX_HOLE_CARDS + CROUPIER_BOARD];
        memcpy(row, rows + i * (hole_count + CROUPIER_BOARD), hole_count + CROUPIER_BOARD);
        /* Whoever owns the rows may change them meanwhile: what was checked is what is looked up. */
        __asm__ volatile("" : "+m"(row));
        if (!rank_row(row, hole_count, highs ? highs + i : NULL, lows ? lows + i : NULL)) {
            return false;
        }
    }
    return true;
}

bool croupier_rank_omaha_rows(const uint8_t *rows, size_t hole_count, size_t hand_count, uint16_t *highs,
                              uint16_t *lows) {
    switch (hole_count) {
    case 4:
        return rank_rows(rows, 4, hand_count, highs, lows);
    case 5:
        return rank_rows(rows, 5, hand_count, highs, lows);
    case 6:
        return rank_rows(rows, 6, hand_count, highs, lows);
    default:
        return false;
    }
}
