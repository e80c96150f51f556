/* Cycles a hand, one line a figure: a name and a number. A round's is the least of many short runs, by the clock rate of
 * the same moment, which is told by a chain of adds of which each waits for the one before, one a cycle. The figure is
 * the median of the rounds, since the machine may be busy for a while. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "croupier_batch.h"
#include "croupier_rank.h"

enum { HANDS = 16384, CARDS = 7, BOARD = 5, MAX_ROW = 11, ROUNDS = 8, RUNS = 40, CHAIN = 20000, MAX_FIGURES = 24 };

static uint8_t rows[HANDS * CARDS], columns[CARDS][HANDS], omaha_rows[3][HANDS * MAX_ROW];
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

/* Deals so many different cards, and returns the set of them. */
static uint64_t deal(uint8_t *row, size_t row_cards) {
    uint64_t set = 0;
    for (size_t card = 0; card < row_cards;) {
        uint8_t dealt = (uint8_t)(next_random() % 52);
        uint64_t bit = UINT64_C(1) << (16 * (dealt & 3) + (dealt >> 2));
        if (!(set & bit)) {
            set |= bit;
            row[card++] = dealt;
        }
    }
    return set;
}

static void deal_all(void) {
    for (size_t hand = 0; hand < HANDS; hand++) {
        sets[hand] = deal(rows + CARDS * hand, CARDS);
        for (size_t card = 0; card < CARDS; card++) {
            columns[card][hand] = rows[CARDS * hand + card];
            column_starts[card] = columns[card];
        }
        for (size_t hole = 4; hole <= 6; hole++) {
            deal(omaha_rows[hole - 4] + (hole + BOARD) * hand, hole + BOARD);
        }
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

static void omaha_high(int hole_count) {
    sink = croupier_rank_omaha_rows(omaha_rows[hole_count - 4], (size_t)hole_count, HANDS, ranks, NULL);
}

static void omaha_both(int hole_count) {
    sink = croupier_rank_omaha_rows(omaha_rows[hole_count - 4], (size_t)hole_count, HANDS, ranks, lows);
}

/* What is measured: `work` with `argument`, and the least seconds it took. */
struct figure {
    char name[40];
    void (*work)(int);
    int argument;
    double cycles[ROUNDS];
};

static struct figure figures[MAX_FIGURES];
static size_t figure_count;
static double shortest_cycle = 1;

static void add_figure(const char *name, const char *suffix, void (*work)(int), int argument) {
    struct figure *figure = &figures[figure_count++];
    snprintf(figure->name, sizeof figure->name, "%s%s_cycles", name, suffix);
    figure->work = work;
    figure->argument = argument;
}

static void list_figures(void) {
    static const char *const implementations[] = {"_portable", "_avx2", "_avx512"};
    add_figure("eval_one_c", "", one_by_one, 0);
    add_figure("eval_one_mask_c", "", one_by_one_sets, 0);
    for (int i = CROUPIER_PORTABLE; i <= CROUPIER_AVX512; i++) {
        if (croupier_supported(i)) {
            add_figure("eval_masks", implementations[i], as_masks, i);
            add_figure("eval_rows", implementations[i], as_rows, i);
            add_figure("eval_columns", implementations[i], as_columns, i);
        }
    }
    add_figure("eval_plo4", "", omaha_high, 4);
    add_figure("eval_o8", "", omaha_both, 4);
    add_figure("eval_plo5", "", omaha_high, 5);
    add_figure("eval_plo5_hi_lo", "", omaha_both, 5);
    add_figure("eval_plo6", "", omaha_high, 6);
    add_figure("eval_plo6_hi_lo", "", omaha_both, 6);
}

static double note_cycle(void) {
    double now = cycle();
    shortest_cycle = now < shortest_cycle ? now : shortest_cycle;
    return now;
}

static void measure(struct figure *figure, int round) {
    double least = 1, before = note_cycle();
    for (int run = 0; run < RUNS; run++) {
        unknown(rows);
        unknown(sets);
        unknown(columns);
        unknown(omaha_rows);
        double from = seconds();
        figure->work(figure->argument);
        double took = seconds() - from;
        unknown(ranks);
        least = took < least ? took : least;
    }
    double after = note_cycle();
    figure->cycles[round] = least / (before < after ? before : after) / HANDS;
}

static int by_size(const void *one, const void *other) {
    double first = *(const double *)one, second = *(const double *)other;
    return (first > second) - (first < second);
}

static double median(double *cycles) {
    qsort(cycles, ROUNDS, sizeof *cycles, by_size);
    return (cycles[(ROUNDS - 1) / 2] + cycles[ROUNDS / 2]) / 2;
}

enum { THREES = 22100, BLOCK = 4096 };

/* All threes of cards, those of high cards first, and how many of them are from a card on. */
static uint64_t threes[THREES], bits[52];
static size_t threes_from[53];

static uint64_t hands_ranked, sum_of_ranks;

static void list_threes(void) {
    size_t count = 0;
    for (int low = 51; low >= 0; low--) {
        bits[low] = UINT64_C(1) << (16 * (low & 3) + (low >> 2));
        for (int middle = low + 1; middle < 52; middle++) {
            for (int high = middle + 1; high < 52; high++) {
                threes[count++] = bits[low] | bits[middle] | bits[high];
            }
        }
        threes_from[low] = count;
    }
}

/* Of this the compiler makes what the processor has. */
#if defined(__x86_64__)
#define CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CLONES
#endif

CLONES static uint32_t sum(const uint16_t *numbers, size_t count) {
    uint32_t total = 0;
    for (size_t i = 0; i < count; i++) {
        total += numbers[i];
    }
    return total;
}

/* In blocks that stay in the nearest cache. */
static void rank_with_threes(int implementation, uint64_t four, size_t count) {
    static uint16_t block_ranks[BLOCK];
    for (size_t done = 0; done < count; done += BLOCK) {
        size_t size = count - done < BLOCK ? count - done : BLOCK;
        croupier_rank_masks_with(implementation, four, threes + done, size, block_ranks);
        sum_of_ranks += sum(block_ranks, size);
    }
    hands_ranked += count;
}

/* Every set of seven cards: every four, with all threes of cards above them. As 133,784,560 hands take too long to be
 * left alone by what else the machine does, each choice of the lowest two is a run. */
static double least_of_two[46][47];

static void rank_all(int implementation) {
    hands_ranked = sum_of_ranks = 0;
    for (int a = 0; a < 46; a++) {
        for (int b = a + 1; b < 47; b++) {
            double from = seconds();
            for (int c = b + 1; c < 48; c++) {
                for (int d = c + 1; d < 49; d++) {
                    rank_with_threes(implementation, bits[a] | bits[b] | bits[c] | bits[d], threes_from[d + 1]);
                }
            }
            double took = seconds() - from, *least = &least_of_two[a][b];
            *least = *least == 0 || took < *least ? took : *least;
        }
        note_cycle();
    }
}

static double least_of_all(void) {
    double sum = 0;
    for (int a = 0; a < 46; a++) {
        for (int b = a + 1; b < 47; b++) {
            sum += least_of_two[a][b];
        }
    }
    return sum;
}

int main(void) {
    int best = CROUPIER_PORTABLE;
    while (best < CROUPIER_AVX512 && croupier_supported(best + 1)) {
        best++;
    }
    deal_all();
    list_threes();
    list_figures();
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < figure_count; i++) {
            measure(&figures[i], round);
        }
        rank_all(best);
    }
    printf("clock_ghz %.3f\n", 1e-9 / shortest_cycle);
    for (size_t i = 0; i < figure_count; i++) {
        printf("%s %.3f\n", figures[i].name, median(figures[i].cycles));
    }
    printf("eval_all_hands_cycles %.3f\n", least_of_all() / shortest_cycle / (double)hands_ranked);
    printf("all_hands %" PRIu64 "\nsum_of_ranks %" PRIu64 "\n", hands_ranked, sum_of_ranks);
    return 0;
}
