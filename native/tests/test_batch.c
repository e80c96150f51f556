/* Laws of the batches: every implementation gives in every layout the rank that a hand has alone, for any number of
 * hands at any address, reads and writes nothing beyond its buffers, and refuses what is no hand wherever it stands. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "batches.h"
#include "croupier_rank.h"

enum { MOST = 300, SPARE = 64 };

static int failures;
static long checks;

static void expect(bool holds, const char *law, int implementation, int layout) {
    checks++;
    if (!holds) {
        failures++;
        fprintf(stderr, "not so: %s (%s, %s)\n", law, implementation_names[implementation], layout_names[layout]);
    }
}

static uint32_t next_random(void) {
    static uint64_t state = 20260103;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

/* Memory that ends where no byte may be touched. */
static uint8_t *edge_of_pages(size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page * page;
    uint8_t *start = mmap(NULL, pages + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED || mprotect(start + pages, page, PROT_NONE) != 0) {
        perror("mmap");
        exit(1);
    }
    return start + pages;
}

static uint8_t hands[MOST][CARDS];
static uint64_t sets[MOST];

static void deal(size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t set = 0;
        for (size_t card = 0; card < CARDS;) {
            uint8_t dealt = (uint8_t)(next_random() % 52);
            if (!(set & bit_of(dealt))) {
                set |= bit_of(dealt);
                hands[i][card++] = dealt;
            }
        }
        sets[i] = set;
    }
}

/* The ends of buffers; those of the columns are one after the other. */
struct ends {
    uint8_t *cards[CARDS], *ranks;
};

static bool rank(int implementation, int layout, const struct ends *ends, size_t count, size_t from_end) {
    uint16_t *ranks = (uint16_t *)(void *)(ends->ranks - 2 * count - from_end);
    uint8_t *cards = ends->cards[0] - from_end;
    const uint8_t *columns[CARDS];
    switch (layout) {
    case 0:
        memcpy(cards - CARDS * count, hands, CARDS * count);
        return croupier_rank_rows(implementation, cards - CARDS * count, count, ranks);
    case 1:
        for (size_t card = 0; card < CARDS; card++) {
            uint8_t *column = ends->cards[card] - count - from_end;
            columns[card] = column;
            for (size_t i = 0; i < count; i++) {
                column[i] = hands[i][card];
            }
        }
        return croupier_rank_columns(implementation, columns, count, ranks);
    default:
        memcpy(cards - 8 * count, sets, 8 * count);
        return croupier_rank_masks(implementation, (const uint64_t *)(void *)(cards - 8 * count), count, ranks);
    }
}

static bool same_ranks(const uint8_t *ranks, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint16_t rank;
        memcpy(&rank, ranks + 2 * i, sizeof rank);
        if (rank != croupier_rank(hands[i], CARDS)) {
            return false;
        }
    }
    return true;
}

static void ranks_at_any_address(int implementation, int layout, const struct ends *ends) {
    for (size_t count = 0; count <= MOST; count += count < 140 ? 1 : 37) {
        for (size_t from_end = 0; from_end < 3; from_end++) {
            size_t at = from_end == 2 ? next_random() % SPARE : from_end;
            deal(count);
            uint8_t *start = ends->ranks - 2 * count - at;
            memset(start - SPARE, 0xcd, SPARE);
            memset(start + 2 * count, 0xcd, at);
            expect(rank(implementation, layout, ends, count, at), "hands are ranked", implementation, layout);
            expect(same_ranks(start, count), "a batch is its hands", implementation, layout);
            bool kept = true;
            for (size_t i = 0; i < SPARE; i++) {
                kept &= start[-1 - (long)i] == 0xcd && (i >= at || start[2 * count + i] == 0xcd);
            }
            expect(kept, "nothing is written beside the ranks", implementation, layout);
        }
    }
}

/* What is no hand, in each place among others. */
static void refusals(int implementation, int layout, const struct ends *ends) {
    static const uint8_t no_cards[] = {52, 55, 60, 63, 64, 115, 128, 255};
    for (size_t place = 0; place < 130; place++) {
        size_t count = place + 1 + next_random() % 70;
        deal(count);
        if (layout == 2) {
            static const uint64_t wrong[] = {0, ~UINT64_C(0), UINT64_C(1) << 13, UINT64_C(1) << 31, UINT64_C(1) << 63};
            uint64_t right = sets[place];
            for (size_t i = 0; i < 7; i++) {
                sets[place] = i < 2 ? wrong[i] : i < 5 ? (right & (right - 1)) | wrong[i] : right & (right - 1);
                sets[place] = i == 6 ? right | (UINT64_C(0x1fff) & ~right & -(~right & UINT64_C(0x1fff))) : sets[place];
                expect(!rank(implementation, layout, ends, count, 0), "a wrong set is refused", implementation, layout);
            }
            sets[place] = right;
        } else {
            for (size_t card = 0; card < CARDS; card++) {
                uint8_t right = hands[place][card];
                hands[place][card] = no_cards[next_random() % sizeof no_cards];
                expect(!rank(implementation, layout, ends, count, 0), "no card is refused", implementation, layout);
                hands[place][card] = hands[place][(card + 1) % CARDS];
                expect(!rank(implementation, layout, ends, count, 0), "a card twice is refused", implementation, layout);
                hands[place][card] = right;
            }
        }
        expect(rank(implementation, layout, ends, count, 0), "put right it is ranked", implementation, layout);
    }
}

static void one_set_alone(void) {
    for (int i = 0; i < 20000; i++) {
        deal(1);
        for (size_t count = 5; count <= CARDS; count++) {
            uint64_t set = set_of(hands[0], count);
            expect(croupier_rank_mask(set) == croupier_rank(hands[0], count), "a set is its cards", 0, 2);
            expect(croupier_rank_mask(set | UINT64_C(1) << 30) == 0, "a bit that is no card is refused", 0, 2);
        }
        expect(croupier_rank_mask(set_of(hands[0], 4)) == 0, "four cards are refused", 0, 2);
    }
    expect(croupier_rank_mask(0xff) == 0, "eight cards are refused", 0, 2);
    expect(croupier_rank_mask(~UINT64_C(0)) == 0, "all bits are refused", 0, 2);
}

/* Hands of some of the cards of the first, and others. */
static void cards_in_common(int implementation) {
    uint64_t others[MOST];
    uint16_t ranks[MOST];
    for (size_t common = 0; common < CARDS; common++) {
        deal(1);
        uint64_t shared = set_of(hands[0], common);
        for (size_t i = 0; i < MOST; i++) {
            for (others[i] = 0; (size_t)__builtin_popcountll(others[i]) < CARDS - common;) {
                others[i] |= bit_of((uint8_t)(next_random() % 52)) & ~shared;
            }
        }
        expect(croupier_rank_masks_with(implementation, shared, others, MOST, ranks), "sets are joined",
               implementation, 2);
        for (size_t i = 0; i < MOST; i++) {
            expect(ranks[i] == croupier_rank_mask(shared | others[i]), "with common cards", implementation, 2);
        }
        others[MOST - 1] &= others[MOST - 1] - 1;
        expect(!croupier_rank_masks_with(implementation, shared, others, MOST, ranks), "too few cards are refused",
               implementation, 2);
    }
}

static void rows_of_fewer_cards(void) {
    uint8_t rows[MOST * CARDS];
    uint16_t ranks[MOST];
    deal(MOST);
    for (size_t cards = 5; cards <= CARDS; cards++) {
        for (size_t i = 0; i < MOST; i++) {
            memcpy(rows + i * cards, hands[i], cards);
        }
        expect(croupier_rank_rows_of(rows, cards, MOST, ranks), "rows of 5 to 7 cards are ranked", 0, 0);
        for (size_t i = 0; i < MOST; i++) {
            expect(ranks[i] == croupier_rank(hands[i], cards), "a row is its hand", 0, 0);
        }
        rows[cards * 17] = rows[cards * 17 + 1];
        expect(!croupier_rank_rows_of(rows, cards, MOST, ranks), "a row with a card twice is refused", 0, 0);
    }
    expect(!croupier_rank_rows_of(rows, 4, 1, ranks), "rows of four cards are refused", 0, 0);
}

int main(void) {
    struct ends ends;
    for (int card = 0; card < CARDS; card++) {
        ends.cards[card] = edge_of_pages(8 * MOST + SPARE);
    }
    ends.ranks = edge_of_pages(2 * MOST + 2 * SPARE);
    for (int implementation = CROUPIER_PORTABLE; implementation <= CROUPIER_AVX512; implementation++) {
        for (int layout = 0; layout < LAYOUTS && croupier_supported(implementation); layout++) {
            ranks_at_any_address(implementation, layout, &ends);
            refusals(implementation, layout, &ends);
        }
    }
    for (int implementation = CROUPIER_PORTABLE; implementation <= CROUPIER_AVX512; implementation++) {
        if (croupier_supported(implementation)) {
            cards_in_common(implementation);
        }
    }
    one_set_alone();
    rows_of_fewer_cards();
    printf("%ld checks of batches, %d failed\n", checks, failures);
    return failures != 0;
}
