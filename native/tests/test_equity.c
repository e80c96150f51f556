/* Laws of equities: what all boards come to is what ranking each of them comes to, in whatever slices; each pot is given
 * away whole; lots depend on the seed alone, and come near what all boards come to; what is no deal is refused. */
#include <stdio.h>
#include <string.h>

#include "croupier_equity.h"
#include "croupier_rank.h"

enum { SHARES = 5040 };

static int failures;
static long checks;

static void expect(bool holds, const char *law) {
    checks++;
    if (!holds) {
        failures++;
        fprintf(stderr, "not so: %s\n", law);
    }
}

/* A deal of the cards from the top of a deck shuffled from a seed. */
static struct croupier_equity_deal dealt(unsigned seed, uint8_t game, uint8_t hands, uint8_t hole, uint8_t board) {
    uint8_t deck[52];
    uint64_t state = seed;
    for (uint8_t i = 0; i < 52; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint8_t other = (uint8_t)((state >> 33) % (i + 1u));
        deck[i] = deck[other];
        deck[other] = i;
    }
    struct croupier_equity_deal deal = {game, hands, hole, board, 0, {0}, {0}, {0}};
    size_t held = (size_t)hands * hole;
    memcpy(deal.hole_cards, deck, held);
    memcpy(deal.board, deck + held, board);
    deal.stub_count = (uint8_t)(52 - held - board);
    memcpy(deal.stub, deck + held + board, deal.stub_count);
    return deal;
}

static void give(const uint16_t *ranks, size_t hands, unsigned shares, unsigned *parts) {
    unsigned winners = 0;
    uint16_t best = 0;
    for (size_t h = 0; h < hands; h++) {
        best = ranks[h] > best ? ranks[h] : best;
    }
    for (size_t h = 0; h < hands; h++) {
        winners += ranks[h] == best;
    }
    for (size_t h = 0; h < hands; h++) {
        parts[h] += ranks[h] == best ? shares / winners : 0;
    }
}

static void showdown(const struct croupier_equity_deal *deal, const uint8_t *board,
                     struct croupier_equity_tally *tallies) {
    uint16_t highs[10] = {0}, lows[10] = {0};
    unsigned parts[10] = {0};
    bool low = false;
    if (deal->game == 0) {
        expect(croupier_rank_holdem(deal->hole_cards, deal->hand_count, board, 5, highs), "hold'em is ranked");
    } else if (deal->game == 3) {
        expect(croupier_rank_five(deal->hole_cards, deal->hand_count, highs), "five cards are ranked");
    } else {
        expect(croupier_rank_omaha(deal->hole_cards, deal->hand_count, deal->hole_count, board, 5, highs) &&
                   croupier_rank_omaha_low(deal->hole_cards, deal->hand_count, deal->hole_count, board, 5, lows),
               "Omaha is ranked");
    }
    for (size_t h = 0; deal->game == 2 && h < deal->hand_count; h++) {
        low |= lows[h] > 0;
    }
    give(highs, deal->hand_count, low ? SHARES / 2 : SHARES, parts);
    if (low) {
        give(lows, deal->hand_count, SHARES / 2, parts);
    }
    for (size_t h = 0; h < deal->hand_count; h++) {
        tallies[h].wins += parts[h] == SHARES;
        tallies[h].ties += parts[h] > 0 && parts[h] < SHARES;
        tallies[h].shares += parts[h];
        tallies[h].squares += (uint64_t)parts[h] * parts[h];
    }
}

/* Every board, one after the other; how many there are. */
static uint64_t every_board(const struct croupier_equity_deal *deal, uint8_t *board, size_t lying, size_t from,
                            struct croupier_equity_tally *tallies) {
    if (lying == 5 || deal->game == 3) {
        showdown(deal, board, tallies);
        return 1;
    }
    uint64_t boards = 0;
    for (size_t i = from; i < deal->stub_count; i++) {
        board[lying] = deal->stub[i];
        boards += every_board(deal, board, lying + 1, i + 1, tallies);
    }
    return boards;
}

static void all_boards(const struct croupier_equity_deal *deal) {
    struct croupier_equity_tally slow[10] = {{0}}, whole[10] = {{0}}, sliced[10] = {{0}}, lots[10] = {{0}};
    uint8_t board[5];
    memcpy(board, deal->board, sizeof board);
    uint64_t boards = every_board(deal, board, deal->board_count, 0, slow);
    expect(croupier_equity_enumerate(deal, 0, UINT64_MAX, whole), "a deal is enumerated");
    expect(!memcmp(slow, whole, sizeof slow), "all boards come to what each of them comes to");
    for (uint64_t first = 0; first < boards + 5; first += 7) {
        expect(croupier_equity_enumerate(deal, first, 7, sliced), "a slice is enumerated");
    }
    expect(!memcmp(whole, sliced, sizeof whole), "slices add up to the whole");
    uint64_t shares = 0;
    for (size_t h = 0; h < deal->hand_count; h++) {
        shares += whole[h].shares;
    }
    expect(shares == boards * SHARES, "each pot is given away whole");
    const uint64_t drawn = 20000;
    expect(croupier_equity_sample(deal, 1, 0, drawn, lots), "lots are drawn");
    for (size_t h = 0; h < deal->hand_count; h++) {
        double mean = (double)whole[h].shares / (double)boards, lot = (double)lots[h].shares / (double)drawn;
        double variance = (double)whole[h].squares / (double)boards - mean * mean;
        expect((lot - mean) * (lot - mean) <= 25 * variance / (double)drawn + 1e-6, "lots come near");
    }
}

static void lots_depend_on_the_seed(void) {
    struct croupier_equity_deal deal = dealt(5, 0, 3, 2, 0);
    memset(deal.hole_cards + 3, 255, 3);
    struct croupier_equity_tally whole[10] = {{0}}, sliced[10] = {{0}}, other[10] = {{0}};
    expect(croupier_equity_sample(&deal, 8, 0, 1000, whole), "unknown hole cards are drawn");
    expect(croupier_equity_sample(&deal, 8, 600, 400, sliced) && croupier_equity_sample(&deal, 8, 0, 600, sliced),
           "lots are drawn in slices");
    expect(croupier_equity_sample(&deal, 9, 0, 1000, other), "another seed is drawn from");
    expect(!memcmp(whole, sliced, sizeof whole), "a lot depends on seed and number alone");
    expect(memcmp(whole, other, sizeof whole) != 0, "another seed draws others");
    expect(!croupier_equity_enumerate(&deal, 0, 1, other), "unknown hole cards are not enumerated");
}

static void refused(struct croupier_equity_deal deal, const char *law) {
    struct croupier_equity_tally none[10] = {{0}}, tallies[10] = {{0}};
    expect(!croupier_equity_enumerate(&deal, 0, 10, tallies) && !croupier_equity_sample(&deal, 1, 0, 10, tallies), law);
    expect(!memcmp(none, tallies, sizeof none), "what is refused counts nothing");
}

static void no_deals(void) {
    struct croupier_equity_deal good = dealt(3, 0, 3, 2, 3), bad = good;
    bad.game = 4;
    refused(bad, "an unknown game is refused");
    bad = good, bad.hand_count = 1;
    refused(bad, "one hand is refused");
    bad = good, bad.hand_count = 11;
    refused(bad, "eleven hands are refused");
    bad = good, bad.hole_count = 3;
    refused(bad, "three hole cards are refused");
    bad = good, bad.board_count = 6;
    refused(bad, "a board of six is refused");
    bad = good, bad.hole_cards[1] = 52;
    refused(bad, "a card out of range is refused");
    bad = good, bad.board[1] = 255;
    refused(bad, "a board that nobody knows is refused");
    bad = good, bad.stub[4] = bad.hole_cards[0];
    refused(bad, "a card that is held and to come is refused");
    bad = good, bad.stub_count = 1;
    refused(bad, "a stub too short for the board is refused");
    bad = good, bad.stub_count = 53;
    refused(bad, "a stub of 53 cards is refused");
}

int main(void) {
    for (unsigned seed = 1; seed <= 20; seed++) {
        for (uint8_t board = 3; board <= 5; board++) {
            struct croupier_equity_deal deals[] = {
                dealt(seed, 0, 2, 2, board), dealt(seed, 0, (uint8_t)(3 + seed % 8), 2, board),
                dealt(seed, 1, 2, (uint8_t)(4 + seed % 3), board), dealt(seed, 2, (uint8_t)(2 + seed % 4), 4, board),
                dealt(seed, 3, (uint8_t)(2 + seed % 8), 5, 0)};
            for (size_t i = 0; i < sizeof deals / sizeof *deals; i++) {
                all_boards(&deals[i]);
            }
        }
    }
    struct croupier_equity_deal few = dealt(7, 0, 2, 2, 0), many = dealt(7, 1, 9, 4, 0);
    few.stub_count = 12;
    all_boards(&few);
    all_boards(&many);
    lots_depend_on_the_seed();
    no_deals();
    printf("equities: %ld checks, %d failures\n", checks, failures);
    return failures != 0;
}
