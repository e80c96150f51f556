#include "boards.h"

#include <stdlib.h>

#include "parts.h"

enum {
    LOW_RANKS = 6,
    BOARD = 5,
    ROW_CELLS = 96,
    MAX_BOARDS = 8450,
    SIZES = 3,
};

static struct part low_parts[MAX_PARTS], high_parts[MAX_PARTS];
static int low_count, high_count;
static int row_of_low[SIZES][MAX_KEYS], place_of_high[MAX_KEYS];
static int low_keys, high_keys;
static struct rank_counts boards[MAX_BOARDS];
static int board_count;
static uint16_t ranks_of_five[MAX_BOARDS];
static int cells[MAX_BOARDS * ROW_CELLS];
static int lows[LOW_SETS * LOW_SETS];

/* Gives each board its number: by number of cards, then by low part, then by high part. */
static void number_boards(void) {
    for (int size = BOARD; size > BOARD - SIZES; size--) {
        for (int i = 0; i < low_count; i++) {
            row_of_low[size - 3][low_parts[i].key] = board_count;
            for (int j = 0, place = 0; j < high_count; j++) {
                if (low_parts[i].cards + high_parts[j].cards == size) {
                    require(board_count < MAX_BOARDS);
                    place_of_high[high_parts[j].key] = place++;
                    struct rank_counts *board = &boards[board_count++];
                    for (int rank = 0; rank < RANKS; rank++) {
                        board->of[rank] = (uint8_t)(low_parts[i].counts.of[rank] + high_parts[j].counts.of[rank]);
                    }
                }
            }
        }
    }
}

static int number_of(const struct rank_counts *counts, int size) {
    int low = 0, high = 0;
    for (int rank = 0; rank < RANKS; rank++) {
        *(rank < LOW_RANKS ? &low : &high) += counts->of[rank] * weights[rank];
    }
    return row_of_low[size - 3][low] + place_of_high[high];
}

/* The best rank of two ranks with any three of the board; 0 where there are too few cards of a rank for that. */
static uint16_t best_with(const struct rank_counts *board, struct rank_counts *hand, int next, int left) {
    if (left == 0) {
        return ranks_of_five[number_of(hand, BOARD)];
    }
    uint16_t best = 0;
    for (int rank = next; rank < RANKS; rank++) {
        int there = board->of[rank];
        for (int taken = 1; taken <= there && taken <= left && hand->of[rank] + taken <= 4; taken++) {
            hand->of[rank] += (uint8_t)taken;
            uint16_t found = best_with(board, hand, rank + 1, left - taken);
            hand->of[rank] -= (uint8_t)taken;
            best = found > best ? found : best;
        }
    }
    return best;
}

static int cell_of(int upper, int lower) { return upper * (upper + 1) / 2 + lower; }

static void fill_cells(void) {
    for (int i = 0; i < board_count; i++) {
        for (int upper = 0; upper < RANKS; upper++) {
            for (int lower = 0; lower <= upper; lower++) {
                struct rank_counts hand = {{0}};
                hand.of[upper]++;
                hand.of[lower]++;
                cells[i * ROW_CELLS + cell_of(upper, lower)] = best_with(&boards[i], &hand, 0, 3);
            }
        }
    }
}

/* For each two sets, the best low of two different ranks in the hole and three others on the board. */
static void fill_lows(void) {
    for (unsigned five = 0; five < LOW_SETS; five++) {
        if (__builtin_popcount(five) != 5) {
            continue;
        }
        int rank = low_rank(five);
        for (unsigned i = 0; i < LOW_SETS * LOW_SETS; i++) {
            unsigned board = i / LOW_SETS, hole = i % LOW_SETS;
            bool made = !(five & ~(board | hole)) && __builtin_popcount(five & ~board) <= 2 &&
                        __builtin_popcount(five & ~hole) <= 3;
            lows[i] = made && rank > lows[i] ? rank : lows[i];
        }
    }
}

static void write_cells_of_twos(FILE *out) {
    int twos[256] = {0};
    for (int one = 0; one < RANKS; one++) {
        for (int other = 0; other < RANKS; other++) {
            twos[16 * one + other] = one > other ? cell_of(one, other) : cell_of(other, one);
        }
    }
    write_numbers(out, "const uint8_t croupier_two_ranks[256]", twos, 256);
}

void write_boards(FILE *out) {
    most_cards = BOARD;
    choose_weights(0, LOW_RANKS, false);
    choose_weights(LOW_RANKS, RANKS, false);
    low_count = list_parts(low_parts, 0, 0, LOW_RANKS, (struct part){0});
    high_count = list_parts(high_parts, 0, LOW_RANKS, RANKS, (struct part){0});
    low_keys = key_count(low_parts, low_count);
    high_keys = key_count(high_parts, high_count);
    number_boards();
    for (int i = 0; i < board_count; i++) {
        int size = 0;
        for (int rank = 0; rank < RANKS; rank++) {
            size += boards[i].of[rank];
        }
        ranks_of_five[i] = size == BOARD ? hand_rank(strength_of_counts(&boards[i])) : 0;
    }
    fill_cells();
    fill_lows();
    write_cards(out, "const struct croupier_card croupier_board_cards[256]", LOW_RANKS);
    write_cells_of_twos(out);
    write_numbers(out, "const uint16_t croupier_board_row_3[]", row_of_low[0], low_keys);
    write_numbers(out, "const uint16_t croupier_board_row_4[]", row_of_low[1], low_keys);
    write_numbers(out, "const uint16_t croupier_board_row_5[]", row_of_low[2], low_keys);
    write_numbers(out, "const uint16_t croupier_board_place[]", place_of_high, high_keys);
    write_numbers(out, "const uint16_t croupier_omaha_table[]", cells, board_count * ROW_CELLS);
    write_numbers(out, "const uint8_t croupier_omaha_low_table[65536]", lows, LOW_SETS * LOW_SETS);
}
