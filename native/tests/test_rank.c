/* Laws of the evaluator that need no second evaluator: six and seven cards are worth their best five, order and suits
 * do not matter, a showdown is its hands, and what is no hand is refused. Five cards alone are checked elsewhere,
 * against the Python reference. */
#include <stdio.h>
#include <string.h>

#include "croupier_rank.h"

static int failures;
static long checks;

static void expect(bool holds, const char *law) {
    checks++;
    if (!holds) {
        failures++;
        fprintf(stderr, "not so: %s\n", law);
    }
}

static uint16_t best_of_fives(const uint8_t *cards, size_t size) {
    uint16_t best = 0;
    for (unsigned chosen = 0; chosen < 1u << size; chosen++) {
        if (__builtin_popcount(chosen) != 5) {
            continue;
        }
        uint8_t five[5];
        for (size_t i = 0, held = 0; i < size; i++) {
            if (chosen >> i & 1) {
                five[held++] = cards[i];
            }
        }
        uint16_t rank = croupier_rank(five, 5);
        best = rank > best ? rank : best;
    }
    return best;
}

/* Every way to hold `size` cards of thirteen ranks, at most four alike, in suits that make no flush. */
static void every_set_of_ranks(uint8_t *cards, size_t held, size_t size, int rank) {
    if (held == size) {
        expect(croupier_rank(cards, size) == best_of_fives(cards, size), "cards are worth their best five");
        return;
    }
    for (; rank < 13; rank++) {
        if (held < 4 || cards[held - 4] >> 2 != rank) {
            cards[held] = (uint8_t)(4 * rank + held % 4);
            every_set_of_ranks(cards, held + 1, size, rank);
        }
    }
}

static uint32_t next_random(void) {
    static uint64_t state = 20260101;
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

/* Every set of five to seven ranks in every suit, filled up to seven with random other cards. */
static void every_flush(void) {
    for (unsigned ranks = 0; ranks < 1u << 13; ranks++) {
        size_t suited = (size_t)__builtin_popcount(ranks);
        if (suited < 5 || suited > 7) {
            continue;
        }
        uint16_t in_clubs = 0;
        for (unsigned suit = 0; suit < 4; suit++) {
            uint8_t deck[52];
            size_t held = 0;
            size_t others = 51;
            for (unsigned card = 0; card < 52; card++) {
                bool chosen = (card & 3) == suit && (ranks >> (card >> 2) & 1);
                deck[chosen ? held++ : others--] = (uint8_t)card;
            }
            uint16_t alone = croupier_rank(deck, suited);
            in_clubs = suit == 0 ? alone : in_clubs;
            expect(alone == in_clubs, "suits do not matter");
            shuffle(deck + suited, 52 - suited);
            for (size_t size = suited; size <= 7; size++) {
                uint8_t cards[7];
                memcpy(cards, deck, size);
                shuffle(cards, size);
                expect(croupier_rank(cards, size) == best_of_fives(cards, size), "a flush is worth its best five");
            }
        }
    }
}

static void showdowns(void) {
    uint8_t deck[52];
    for (unsigned card = 0; card < 52; card++) {
        deck[card] = (uint8_t)card;
    }
    for (int deal = 0; deal < 3000; deal++) {
        shuffle(deck, 52);
        size_t board_count = 3 + next_random() % 3;
        size_t hand_count = next_random() % 24;
        const uint8_t *board = deck + 2 * hand_count;
        board_count = 2 * hand_count + board_count > 52 ? 3 : board_count;
        uint16_t ranks[23];
        expect(croupier_rank_holdem(deck, hand_count, board, board_count, ranks), "a showdown is ranked");
        for (size_t i = 0; i < hand_count; i++) {
            uint8_t cards[7] = {deck[2 * i], deck[2 * i + 1]};
            memcpy(cards + 2, board, board_count);
            expect(ranks[i] == croupier_rank(cards, 2 + board_count), "a showdown is its hands");
        }
    }
}

static void refusals(void) {
    const uint8_t royal[8] = {51, 47, 43, 39, 35, 0, 1, 2};
    const uint8_t repeated[7] = {51, 47, 43, 39, 35, 0, 51};
    const uint8_t beyond[5] = {51, 47, 43, 39, 52};
    const uint8_t far_beyond[5] = {255, 47, 43, 39, 35};
    uint16_t ranks[2];
    expect(croupier_rank(royal, 5) == 7462, "the royal flush tops the scale");
    expect(croupier_rank(royal, 7) == 7462, "the royal flush tops seven cards");
    expect(croupier_rank(royal, 0) == 0, "no cards are refused");
    expect(croupier_rank(royal, 4) == 0, "four cards are refused");
    expect(croupier_rank(royal, 8) == 0, "eight cards are refused");
    expect(croupier_rank(repeated, 7) == 0, "a repeated card is refused");
    expect(croupier_rank(beyond, 5) == 0, "card 52 is refused");
    expect(croupier_rank(far_beyond, 5) == 0, "card 255 is refused");
    expect(!croupier_rank_holdem(royal, 1, royal + 2, 2, ranks), "a board of two is refused");
    expect(!croupier_rank_holdem(royal, 1, royal + 2, 6, ranks), "a board of six is refused");
    expect(!croupier_rank_holdem(royal, 1, royal + 1, 5, ranks), "a hole card on the board is refused");
    expect(!croupier_rank_holdem(repeated + 3, 2, royal, 3, ranks), "a card in a hand and on the board is refused");
    const uint8_t twice[4] = {8, 9, 10, 8};
    expect(!croupier_rank_holdem(twice, 2, royal, 5, ranks), "a card in two hands is refused");
    const uint8_t no_card[2] = {8, 52};
    expect(!croupier_rank_holdem(no_card, 1, royal, 5, ranks), "a hole card 52 is refused");
    expect(!croupier_rank_holdem(twice, 1, beyond, 5, ranks), "a board card 52 is refused");
}

int main(void) {
    uint8_t cards[7];
    every_set_of_ranks(cards, 0, 6, 0);
    every_set_of_ranks(cards, 0, 7, 0);
    every_flush();
    showdowns();
    refusals();
    printf("%ld checks, %d failed\n", checks, failures);
    return failures != 0;
}
