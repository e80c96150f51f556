/* Any bytes as hands: every implementation and layout must agree with one hand after the other, on what is refused too;
 * so must rows of fewer cards, any 64 bits as sets, and Omaha with all choices of two and three. For libFuzzer; without it main() draws the bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batches.h"
#include "croupier_rank.h"

enum { MOST = 150, MAX_ROW = 11 };

static void require(bool holds, const char *law) {
    if (!holds) {
        fprintf(stderr, "not so: %s\n", law);
        abort();
    }
}

static void compare(const uint8_t *rows, size_t count) {
    uint16_t alone[MOST], ranks[MOST];
    uint8_t cards[CARDS][MOST];
    const uint8_t *columns[CARDS];
    uint64_t sets[MOST];
    bool valid = true, dealt = true;
    for (size_t i = 0; i < count; i++) {
        alone[i] = croupier_rank(rows + CARDS * i, CARDS);
        valid &= alone[i] != 0;
        sets[i] = 0;
        for (size_t card = 0; card < CARDS; card++) {
            cards[card][i] = rows[CARDS * i + card];
            columns[card] = cards[card];
            dealt &= cards[card][i] < 52;
            sets[i] |= bit_of(cards[card][i] & 63);
        }
    }
    for (int implementation = CROUPIER_PORTABLE; implementation <= CROUPIER_AVX512; implementation++) {
        for (int layout = 0; layout < LAYOUTS && croupier_supported(implementation); layout++) {
            bool ranked = layout == 0   ? croupier_rank_rows(implementation, rows, count, ranks)
                          : layout == 1 ? croupier_rank_columns(implementation, columns, count, ranks)
                                        : croupier_rank_masks(implementation, sets, count, ranks);
            require(ranked == valid || (layout == 2 && !dealt), "all refuse the same hands");
            require(!valid || !memcmp(ranks, alone, count * sizeof *ranks), "all give the same ranks");
        }
    }
}

static void compare_fewer(const uint8_t *rows, size_t bytes, size_t size) {
    uint16_t ranks[MOST * CARDS / 5];
    size_t count = bytes / size;
    bool valid = true, ranked = croupier_rank_rows_of(rows, size, count, ranks);
    for (size_t i = 0; i < count; i++) {
        uint16_t alone = croupier_rank(rows + size * i, size);
        valid &= alone != 0;
        require(!ranked || ranks[i] == alone, "rows of fewer cards are their hands");
    }
    require(ranked == valid, "rows of fewer cards are refused as their hands are");
}

static void compare_sets(const uint8_t *bytes, size_t count) {
    uint64_t sets[MOST], common = 0;
    uint16_t alone[MOST], ranks[MOST];
    bool valid = true;
    memcpy(sets, bytes, count * sizeof *sets);
    for (size_t i = 0; i < count; i++) {
        alone[i] = __builtin_popcountll(sets[i]) == CARDS ? croupier_rank_mask(sets[i]) : 0;
        valid &= alone[i] != 0;
        common = i ? common & sets[i] : sets[i];
    }
    for (int implementation = CROUPIER_PORTABLE; implementation <= CROUPIER_AVX512; implementation++) {
        for (int shared = 0; shared < 2 && croupier_supported(implementation); shared++) {
            bool ranked = croupier_rank_masks_with(implementation, shared ? common : 0, sets, count, ranks);
            require(ranked == valid, "all refuse the same sets");
            require(!valid || !memcmp(ranks, alone, count * sizeof *ranks), "all give sets the same ranks");
        }
    }
}

static void compare_omaha(const uint8_t *row, size_t hole_count) {
    uint16_t high = 0, low = 0, best = 0, best_low = 0;
    bool ranked = croupier_rank_omaha_rows(row, hole_count, 1, &high, &low);
    bool valid = true;
    uint64_t set = 0;
    for (size_t i = 0; i < hole_count + 5; i++) {
        valid = valid && row[i] < 52 && !(set & bit_of(row[i]));
        set |= valid ? bit_of(row[i]) : 0;
    }
    require(ranked == valid, "Omaha hands of different cards are ranked");
    for (unsigned chosen = 0; valid && chosen < 1u << (hole_count + 5); chosen++) {
        if (__builtin_popcount(chosen) == 5 && __builtin_popcount(chosen & ((1u << hole_count) - 1)) == 2) {
            uint8_t five[5];
            for (size_t i = 0, held = 0; i < hole_count + 5; i++) {
                if (chosen >> i & 1) {
                    five[held++] = row[i];
                }
            }
            uint16_t rank = croupier_rank(five, 5), rank_low = (uint16_t)croupier_rank_low(five, 5);
            best = rank > best ? rank : best;
            best_low = rank_low > best_low ? rank_low : best_low;
        }
    }
    require(!valid || (high == best && low == best_low), "of an Omaha hand two play with three of the board");
}

/* Makes rows of different cards: a byte is a card, or the next that the row has not. */
static void deal(uint8_t *cards, size_t count, size_t row_cards) {
    uint64_t set = 0;
    for (size_t i = 0; i < count; i++) {
        set = i % row_cards ? set : 0;
        cards[i] %= 52;
        while (set & bit_of(cards[i])) {
            cards[i] = (uint8_t)((cards[i] + 1) % 52);
        }
        set |= bit_of(cards[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The first byte says whether the others are cards as they are, cards of proper hands, or these but for one; buffers
 * end where the bytes do. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size < 1 + MAX_ROW) {
        return 0;
    }
    unsigned kind = bytes[0] % 4;
    size_t hole_count = 4 + bytes[0] / 4 % 3, count = (size - 1) / CARDS < MOST ? (size - 1) / CARDS : MOST;
    size_t row_cards = hole_count + 5, wrong = bytes[size - 1] % (count * CARDS);
    uint8_t *cards = malloc(count * CARDS), *row = malloc(row_cards);
    memcpy(cards, bytes + 1, count * CARDS);
    memcpy(row, bytes + 1, row_cards);
    if (kind != 0) {
        deal(cards, count * CARDS, CARDS);
        deal(row, row_cards, row_cards);
    }
    if (kind == 1) {
        cards[wrong] = bytes[size - 2];
        row[wrong % row_cards] = bytes[size - 2];
    }
    compare(cards, count);
    compare_fewer(cards, count * CARDS, 5);
    compare_fewer(cards, count * CARDS, 6);
    compare_sets(bytes + 1, (size - 1) / sizeof(uint64_t) < MOST ? (size - 1) / sizeof(uint64_t) : MOST);
    compare_omaha(row, hole_count);
    free(cards);
    free(row);
    return 0;
}

#ifndef CROUPIER_LIBFUZZER
int main(int argc, char **argv) {
    static uint8_t bytes[2 + MOST * CARDS];
    long inputs = argc > 1 ? atol(argv[1]) : 20000;
    uint64_t state = 20260104;
    for (long input = 0; input < inputs; input++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        size_t size = 1 + MAX_ROW + (state >> 33) % (sizeof bytes - MAX_ROW);
        for (size_t i = 0; i < size; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            bytes[i] = (uint8_t)(state >> 56);
        }
        LLVMFuzzerTestOneInput(bytes, size);
    }
    printf("%ld inputs, no difference\n", inputs);
    return 0;
}
#endif
