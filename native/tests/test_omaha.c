/* Laws of lows, of hands of which two cards play with three of the board, and of hands of five: lows compare from the
 * highest card down, a showdown is the best of its choices, and what is no showdown is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "croupier_batch.h"
#include "croupier_rank.h"

enum { ACE = 12, LOWS = 56 };

static int failures;
static long checks;

static void expect(bool holds, const char *law) {
    checks++;
    if (!holds) {
        failures++;
        fprintf(stderr, "not so: %s\n", law);
    }
}

static uint32_t next_random(void) {
    static uint64_t state = 20260102;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

static void shuffle(uint8_t *cards, size_t count) {
    for (size_t i = count; i > 1; i--) {
        size_t other = next_random() % i;
        uint8_t card = cards[i - 1];
        cards[i - 1] = cards[other];
        cards[other] = card;
    }
}

/* The card of a place from 1 (ace) to 13 (king), in any suit. */
static uint8_t card_of(int place) { return (uint8_t)(4 * (place == 1 ? ACE : place - 2) + (int)(next_random() % 4)); }

/* All lows from the best on, written as places from the highest card down. */
static int list_lows(int lows[LOWS][5]) {
    int count = 0;
    for (int a = 5; a <= 8; a++) {
        for (int b = 4; b < a; b++) {
            for (int c = 3; c < b; c++) {
                for (int d = 2; d < c; d++) {
                    for (int e = 1; e < d; e++) {
                        expect(count < LOWS, "there are no more than 56 lows");
                        memcpy(lows[count++], (int[5]){a, b, c, d, e}, sizeof lows[0]);
                    }
                }
            }
        }
    }
    return count;
}

static void every_low(void) {
    int lows[LOWS][5];
    expect(list_lows(lows) == LOWS, "there are 56 lows");
    for (int i = 0; i < LOWS; i++) {
        for (int times = 0; times < 100; times++) {
            uint8_t cards[5];
            for (int j = 0; j < 5; j++) {
                cards[j] = card_of(lows[i][j]);
            }
            expect(croupier_rank_low(cards, 5) == LOWS - i, "lows compare from the highest card down");
        }
    }
}

static int best_low_of_fives(const uint8_t *cards, size_t size) {
    int best = 0;
    for (unsigned chosen = 0; chosen < 1u << size; chosen++) {
        if (__builtin_popcount(chosen) == 5) {
            uint8_t five[5];
            for (size_t i = 0, held = 0; i < size; i++) {
                if (chosen >> i & 1) {
                    five[held++] = cards[i];
                }
            }
            int rank = croupier_rank_low(five, 5);
            best = rank > best ? rank : best;
        }
    }
    return best;
}

static void lows_of_more_cards(uint8_t *deck) {
    for (int deal = 0; deal < 20000; deal++) {
        shuffle(deck, 52);
        for (size_t size = 6; size <= 7; size++) {
            expect(croupier_rank_low(deck, size) == best_low_of_fives(deck, size), "a low is the best of five");
        }
    }
}

/* Best high and low of two bits of `hole` with three bits of `board`. */
static void best_choice(const uint8_t *hole, size_t hole_count, const uint8_t *board, size_t board_count,
                        uint16_t *high, uint16_t *low) {
    *high = *low = 0;
    for (unsigned chosen = 0; chosen < 1u << (hole_count + board_count); chosen++) {
        unsigned of_hole = chosen & ((1u << hole_count) - 1);
        if (__builtin_popcount(chosen) != 5 || __builtin_popcount(of_hole) != 2) {
            continue;
        }
        uint8_t five[5];
        for (size_t i = 0, held = 0; i < hole_count + board_count; i++) {
            if (chosen >> i & 1) {
                five[held++] = i < hole_count ? hole[i] : board[i - hole_count];
            }
        }
        uint16_t rank = croupier_rank(five, 5);
        uint16_t rank_low = (uint16_t)croupier_rank_low(five, 5);
        *high = rank > *high ? rank : *high;
        *low = rank_low > *low ? rank_low : *low;
    }
}

static void omaha_showdowns(uint8_t *deck) {
    for (int deal = 0; deal < 1000; deal++) {
        shuffle(deck, 52);
        size_t hole_count = 4 + next_random() % 3;
        size_t board_count = 3 + next_random() % 3;
        size_t hand_count = next_random() % ((52 - board_count) / hole_count + 1);
        const uint8_t *board = deck + hand_count * hole_count;
        uint16_t highs[12], lows[12];
        expect(croupier_rank_omaha(deck, hand_count, hole_count, board, board_count, highs), "a showdown is ranked");
        expect(croupier_rank_omaha_low(deck, hand_count, hole_count, board, board_count, lows), "lows are ranked");
        for (size_t i = 0; i < hand_count; i++) {
            uint16_t high, low;
            best_choice(deck + i * hole_count, hole_count, board, board_count, &high, &low);
            expect(highs[i] == high, "two hole cards play with three of the board");
            expect(lows[i] == low, "two hole cards make a low with three of the board");
        }
    }
}

/* Rows of hands with boards of their own, so many for each number of hole cards. */
static void omaha_rows(uint8_t *deck, long deals) {
    enum { ROWS = 50, MAX_ROW = 11 };
    uint8_t rows[ROWS * MAX_ROW];
    uint16_t highs[ROWS], lows[ROWS], high_alone[ROWS], low_alone[ROWS];
    for (size_t hole_count = 4; hole_count <= 6; hole_count++) {
        size_t size = hole_count + 5;
        for (long done = 0; done < deals; done += ROWS) {
            for (size_t i = 0; i < ROWS; i++) {
                shuffle(deck, 52);
                memcpy(rows + i * size, deck, size);
            }
            expect(croupier_rank_omaha_rows(rows, hole_count, ROWS, highs, lows), "rows are ranked");
            expect(croupier_rank_omaha_rows(rows, hole_count, ROWS, high_alone, NULL), "high ranks alone");
            expect(croupier_rank_omaha_rows(rows, hole_count, ROWS, NULL, low_alone), "low ranks alone");
            expect(!memcmp(highs, high_alone, sizeof highs) && !memcmp(lows, low_alone, sizeof lows),
                   "ranks are the same together and alone");
            for (size_t i = 0; i < ROWS; i++) {
                uint16_t high, low;
                best_choice(rows + i * size, hole_count, rows + i * size + hole_count, 5, &high, &low);
                expect(highs[i] == high, "in a row two hole cards play with three of the board");
                expect(lows[i] == low, "in a row two hole cards make a low with three of the board");
            }
            size_t wrong = next_random() % (ROWS * size);
            rows[wrong] = rows[wrong / size * size + (wrong % size + 1) % size];
            expect(!croupier_rank_omaha_rows(rows, hole_count, ROWS, highs, lows), "a row with a card twice is refused");
            rows[wrong] = (uint8_t)(52 + next_random() % 204);
            expect(!croupier_rank_omaha_rows(rows, hole_count, ROWS, highs, NULL), "a row with no card is refused");
            expect(!croupier_rank_omaha_rows(rows, hole_count, ROWS, NULL, lows), "in a low row too");
        }
    }
    expect(!croupier_rank_omaha_rows(rows, 3, 1, highs, lows), "rows of three hole cards are refused");
    expect(!croupier_rank_omaha_rows(rows, 7, 1, highs, lows), "rows of seven hole cards are refused");
    expect(croupier_rank_omaha_rows(rows, 4, 0, highs, lows), "no rows are ranked");
}

static void showdowns_of_five(uint8_t *deck) {
    for (int deal = 0; deal < 1000; deal++) {
        shuffle(deck, 52);
        size_t hand_count = next_random() % 11;
        uint16_t ranks[10];
        expect(croupier_rank_five(deck, hand_count, ranks), "a showdown without a board is ranked");
        for (size_t i = 0; i < hand_count; i++) {
            expect(ranks[i] == croupier_rank(deck + 5 * i, 5), "the five cards held are the hand");
        }
    }
}

static void refusals_of_hands(void) {
    const uint8_t cards[10] = {51, 47, 43, 39, 35, 0, 1, 2, 3, 51};
    const uint8_t no_card[5] = {4, 5, 6, 7, 52};
    const uint8_t far_beyond[5] = {4, 5, 6, 7, 255};
    uint16_t ranks[2];
    expect(croupier_rank_low(cards, 4) == -1, "a low of four cards is refused");
    expect(croupier_rank_low(cards, 8) == -1, "a low of eight cards is refused");
    expect(croupier_rank_low((const uint8_t[]){0, 4, 8, 12, 0}, 5) == -1, "a low with a card twice is refused");
    expect(croupier_rank_low(no_card, 5) == -1, "a low with card 52 is refused");
    expect(croupier_rank_low(far_beyond, 5) == -1, "a low with card 255 is refused");
    expect(croupier_rank_low(cards, 5) == 0, "broadway is no low");
    expect(croupier_rank_five(cards, 1, ranks) && ranks[0] == 7462, "the royal flush tops the scale");
    expect(!croupier_rank_five(cards, 2, ranks), "a card in two hands of five is refused");
    expect(!croupier_rank_five(no_card, 1, ranks), "a hand of five with card 52 is refused");
    expect(!croupier_rank_five(far_beyond, 1, ranks), "a hand of five with card 255 is refused");
}

typedef bool rank_showdown(const uint8_t *, size_t, size_t, const uint8_t *, size_t, uint16_t *);

static void refusals_of_showdowns(rank_showdown *ranked) {
    const uint8_t board[6] = {0, 4, 8, 12, 16, 20};
    const uint8_t hole[8] = {1, 5, 9, 13, 17, 21, 25, 29};
    const uint8_t doubled[8] = {1, 5, 9, 13, 17, 21, 25, 1};
    const uint8_t on_board[4] = {1, 5, 9, 16};
    const uint8_t no_card[4] = {1, 5, 9, 52};
    const uint8_t no_cards[6] = {255, 255, 255, 255, 255, 255};
    const uint8_t alike[6] = {51, 51, 51, 51, 51, 51};
    uint16_t ranks[2];
    expect(ranked(hole, 2, 4, board, 5, ranks), "two hands of four are ranked");
    expect(!ranked(hole, 2, 3, board, 5, ranks), "three hole cards are refused");
    expect(!ranked(hole, 1, 7, board, 5, ranks), "seven hole cards are refused");
    expect(!ranked(hole, 1, 4, board, 2, ranks), "a board of two is refused");
    expect(!ranked(hole, 1, 4, board, 6, ranks), "a board of six is refused");
    expect(!ranked(doubled, 2, 4, board, 5, ranks), "a card in two hands is refused");
    expect(!ranked(on_board, 1, 4, board, 5, ranks), "a card in a hand and on the board is refused");
    expect(!ranked(no_card, 1, 4, board, 5, ranks), "a hole card 52 is refused");
    expect(!ranked(no_cards, 1, 6, board, 5, ranks), "hole cards 255 are refused");
    expect(!ranked(alike, 1, 6, board, 5, ranks), "six hole cards alike are refused");
    expect(!ranked(hole, 1, 4, alike, 5, ranks), "board cards alike are refused");
    expect(!ranked(hole, 1, 4, no_cards, 5, ranks), "board cards 255 are refused");
    expect(!ranked(hole, 0, 4, alike, 5, ranks), "a board is judged with no hand too");
}

/* The argument says how many rows of Omaha hands are dealt. */
int main(int argc, char **argv) {
    uint8_t deck[52];
    for (unsigned card = 0; card < 52; card++) {
        deck[card] = (uint8_t)card;
    }
    every_low();
    lows_of_more_cards(deck);
    omaha_showdowns(deck);
    omaha_rows(deck, argc > 1 ? atol(argv[1]) : 20000);
    showdowns_of_five(deck);
    refusals_of_hands();
    refusals_of_showdowns(croupier_rank_omaha);
    refusals_of_showdowns(croupier_rank_omaha_low);
    printf("%ld checks of showdowns and lows, %d failed\n", checks, failures);
    return failures != 0;
}
