/* Cycles a hand, one line a figure: a name and a number, which is the least of many short runs. The clock rate is told
 * by a chain of adds of which each waits for the one before, one a cycle, timed around every run. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "croupier_batch.h"
#include "croupier_rank.h"

enum { HANDS = 16384, CARDS = 7, MAX_ROW = 11, RUNS = 200, CHAIN = 20000 };

static uint8_t rows[HANDS * MAX_ROW], columns[CARDS][HANDS];
static const uint8_t *column_starts[CARDS];
static uint64_t sets[HANDS];
static uint16_t ranks[HANDS], lows[HANDS];
static volatile uint64_t sink;

/* Keeps what is pointed to from being known to the compiler, so that no timed call is hoisted out of a loop. */
static void unknown(void *pointer) { __asm__ volatile("" : : "r"(pointer) : "memory"); }

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds a cycle. */
static double cycle(void) {
    double least = 1;
    for (int run = 0; run < 5; run++) {
        uint64_t sum = (uint64_t)run, step = sum + 1;
        double from = seconds();
        for (int i = 0; i < CHAIN / 10; i++) {
/* Of a register: some processors add a constant while they rename. */
#define ADD __asm__ volatile("add %1, %0" : "+r"(sum) : "r"(step));
            ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD
        }
        double took = (seconds() - from) / CHAIN;
        sink = sum;
        least = took < least ? took : least;
    }
    return least;
}

static uint64_t next_random(void) {
    static uint64_t state = 88172645463325252;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 32;
}

static void deal(size_t row_cards) {
    for (size_t hand = 0; hand < HANDS; hand++) {
        uint64_t set = 0;
        for (size_t card = 0; card < row_cards;) {
            uint8_t dealt = (uint8_t)(next_random() % 52);
            uint64_t bit = UINT64_C(1) << (16 * (dealt & 3) + (dealt >> 2));
            if (!(set & bit)) {
                set |= bit;
                rows[hand * row_cards + card] = dealt;
                if (card < CARDS) {
                    columns[card][hand] = dealt;
                }
                card++;
            }
        }
        sets[hand] = set;
    }
}

static void one_by_one(int implementation) {
    (void)implementation;
    for (size_t hand = 0; hand < HANDS; hand++) {
        ranks[hand] = croupier_rank(rows + CARDS * hand, CARDS);
    }
}

static void one_by_one_sets(int implementation) {
    (void)implementation;
    for (size_t hand = 0; hand < HANDS; hand++) {
        ranks[hand] = croupier_rank_mask(sets[hand]);
    }
}

static void as_rows(int implementation) { sink = croupier_rank_rows(implementation, rows, HANDS, ranks); }
static void as_masks(int implementation) { sink = croupier_rank_masks(implementation, sets, HANDS, ranks); }
static void as_columns(int implementation) {
    sink = croupier_rank_columns(implementation, column_starts, HANDS, ranks);
}

static size_t hole_count;

static void omaha_high(int implementation) {
    (void)implementation;
    sink = croupier_rank_omaha_rows(rows, hole_count, HANDS, ranks, NULL);
}

static void omaha_both(int implementation) {
    (void)implementation;
    sink = croupier_rank_omaha_rows(rows, hole_count, HANDS, ranks, lows);
}

static void measure(const char *name, void (*work)(int), int implementation) {
    double least = 1e9;
    for (int run = 0; run < RUNS; run++) {
        double before = cycle();
        unknown(rows);
        unknown(sets);
        unknown(columns);
        double from = seconds();
        work(implementation);
        double took = seconds() - from;
        unknown(ranks);
        double after = cycle();
        /* The clock may change between the two chains: the shorter cycle is the one that makes the figure worse. */
        double cycles = took / (before < after ? before : after) / HANDS;
        least = cycles < least ? cycles : least;
    }
    printf("%s %.3f\n", name, least);
    fflush(stdout);
}

enum { PAIRS = 1326, BLOCK = 2048 };

/* All pairs of cards, those of high cards first, and how many of them are from a card on. */
static uint64_t pairs[PAIRS], bits[52];
static size_t pairs_from[53];

/* Hands that wait to be ranked, few enough to stay in the nearest cache. */
static uint64_t block[BLOCK];
static size_t waiting;
static uint64_t hands_ranked, sum_of_ranks;

static void list_pairs(void) {
    size_t count = 0;
    for (int low = 51; low >= 0; low--) {
        bits[low] = UINT64_C(1) << (16 * (low & 3) + (low >> 2));
        for (int high = low + 1; high < 52; high++) {
            pairs[count++] = bits[low] | bits[high];
        }
        pairs_from[low] = count;
    }
}

static void rank_waiting(int implementation) {
    static uint16_t block_ranks[BLOCK];
    croupier_rank_masks(implementation, block, waiting, block_ranks);
    uint32_t sum = 0;
    for (size_t i = 0; i < waiting; i++) {
        sum += block_ranks[i];
    }
    sum_of_ranks += sum;
    hands_ranked += waiting;
    waiting = 0;
}

static void wait_with_pairs(uint64_t five, size_t count) {
    uint64_t *end = block + waiting;
    for (size_t i = 0; i < count; i++) {
        end[i] = five | pairs[i];
    }
    waiting += count;
}

/* Every set of seven cards: every five, with all pairs of cards above them. */
static void rank_all(int implementation) {
    hands_ranked = sum_of_ranks = 0;
    for (int a = 0; a < 46; a++) {
        for (int b = a + 1; b < 47; b++) {
            for (int c = b + 1; c < 48; c++) {
                for (int d = c + 1; d < 49; d++) {
                    for (int e = d + 1; e < 50; e++) {
                        if (waiting + pairs_from[e + 1] > BLOCK) {
                            rank_waiting(implementation);
                        }
                        wait_with_pairs(bits[a] | bits[b] | bits[c] | bits[d] | bits[e], pairs_from[e + 1]);
                    }
                }
            }
        }
    }
    rank_waiting(implementation);
}

/* 133,784,560 hands take too long for the least of many runs, so the time is that of the processor alone. */
static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void measure_all(int implementation) {
    list_pairs();
    double least = 1e9;
    for (int run = 0; run < 3; run++) {
        double before = cycle();
        double from = processor_seconds();
        rank_all(implementation);
        double took = processor_seconds() - from;
        double after = cycle();
        double cycles = took / (before < after ? before : after) / (double)hands_ranked;
        least = cycles < least ? cycles : least;
    }
    printf("eval_all_hands_cycles %.3f\n", least);
    printf("all_hands %" PRIu64 "\nsum_of_ranks %" PRIu64 "\n", hands_ranked, sum_of_ranks);
}

static void measure_omaha(size_t cards, const char *high, const char *both) {
    hole_count = cards;
    deal(cards + 5);
    measure(high, omaha_high, 0);
    measure(both, omaha_both, 0);
}

int main(void) {
    static const char *const names[] = {"portable", "avx2", "avx512"};
    for (int card = 0; card < CARDS; card++) {
        column_starts[card] = columns[card];
    }
    printf("clock_ghz %.3f\n", 1e-9 / cycle());
    deal(CARDS);
    measure("eval_one_c_cycles", one_by_one, 0);
    measure("eval_one_mask_c_cycles", one_by_one_sets, 0);
    int best = CROUPIER_PORTABLE;
    for (int i = CROUPIER_PORTABLE; i <= CROUPIER_AVX512; i++) {
        if (croupier_supported(i)) {
            char name[64];
            best = i;
            snprintf(name, sizeof name, "eval_masks_%s_cycles", names[i]);
            measure(name, as_masks, i);
            snprintf(name, sizeof name, "eval_rows_%s_cycles", names[i]);
            measure(name, as_rows, i);
            snprintf(name, sizeof name, "eval_columns_%s_cycles", names[i]);
            measure(name, as_columns, i);
        }
    }
    measure_all(best);
    measure_omaha(4, "eval_plo4_cycles", "eval_o8_cycles");
    measure_omaha(5, "eval_plo5_cycles", "eval_plo5_hi_lo_cycles");
    measure_omaha(6, "eval_plo6_cycles", "eval_plo6_hi_lo_cycles");
    return 0;
}
