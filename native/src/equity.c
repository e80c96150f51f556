#include <string.h>

#include "croupier_equity.h"
#include "hand.h"
#include "lot.h"

enum {
    HOLDEM,
    OMAHA,
    OMAHA_HI_LO,
    DRAW,
    MAX_HANDS = 10,
    MAX_HOLE_CARDS = 6,
    MAX_TWOS = 15,
    BOARD = 5,
    DECK = 52,
    UNKNOWN = 255,
    SHARES = 5040,
};

/* The ways to take two of a hand's hole cards. */
struct pairs {
    size_t count;
    struct croupier_hand hands[MAX_TWOS];
    uint8_t lows[MAX_TWOS];
};

/* All there is of the hands with so many cards of the board: in Omaha the best of two hole cards with three of these,
 * else the hole cards and these as one hand. */
struct layer {
    struct croupier_hand hands[MAX_HANDS];
    uint16_t highs[MAX_HANDS];
    uint16_t lows[MAX_HANDS];
};

/* Cards of the board are put one after the other, and taken back by going on from an earlier layer. */
struct table {
    unsigned game;
    size_t hand_count;
    size_t board_size;
    struct pairs pairs[MAX_HANDS];
    struct croupier_hand board[BOARD];
    struct layer layers[BOARD + 1];
};

static size_t board_size(const struct croupier_equity_deal *deal) { return deal->game == DRAW ? 0 : BOARD; }

static struct croupier_hand hand_of(const uint8_t *cards, size_t count) {
    struct croupier_hand hand = CROUPIER_NO_CARDS;
    for (size_t i = 0; i < count; i++) {
        croupier_hand_add(&hand, cards[i]);
    }
    return hand;
}

static void seat_omaha(struct pairs *pairs, const uint8_t *hole, size_t hole_count) {
    pairs->count = 0;
    for (size_t i = 1; i < hole_count; i++) {
        for (size_t j = 0; j < i; j++) {
            struct croupier_hand two = hand_of((uint8_t[]){hole[i], hole[j]}, 2);
            pairs->lows[pairs->count] = croupier_hand_low_ranks(&two);
            pairs->hands[pairs->count++] = two;
        }
    }
}

static void seat(struct table *table, const struct croupier_equity_deal *deal, const uint8_t *hole_cards) {
    table->game = deal->game;
    table->hand_count = deal->hand_count;
    table->board_size = board_size(deal);
    struct layer *bare = &table->layers[0];
    memset(bare, 0, sizeof *bare);
    for (size_t i = 0; i < deal->hand_count; i++) {
        const uint8_t *hole = hole_cards + i * deal->hole_count;
        switch (deal->game) {
        case HOLDEM:
            bare->hands[i] = hand_of(hole, 2);
            break;
        case DRAW:
            bare->hands[i] = hand_of(hole, 5);
            bare->highs[i] = croupier_hand_rank(&bare->hands[i], 5);
            break;
        default:
            seat_omaha(&table->pairs[i], hole, deal->hole_count);
        }
    }
}

/* Every three of the board that holds its newest card, with every two of each hand: the others were seen before. */
static void put_omaha(struct table *table, size_t lying) {
    struct layer *before = &table->layers[lying], *after = before + 1;
    size_t hand_count = table->hand_count;
    memcpy(after->highs, before->highs, sizeof after->highs);
    memcpy(after->lows, before->lows, sizeof after->lows);
    for (size_t i = 1; i < lying; i++) {
        for (size_t j = 0; j < i; j++) {
            struct croupier_hand three = croupier_hand_join(&table->board[i], &table->board[j]);
            three = croupier_hand_join(&three, &table->board[lying]);
            uint8_t low_three = croupier_hand_low_ranks(&three);
            bool low = table->game == OMAHA_HI_LO && __builtin_popcount(low_three) == 3;
            for (size_t h = 0; h < hand_count; h++) {
                const struct pairs *pairs = &table->pairs[h];
                uint16_t best = after->highs[h];
                for (size_t k = 0; k < pairs->count; k++) {
                    struct croupier_hand five = croupier_hand_join(&three, &pairs->hands[k]);
                    uint16_t rank = croupier_hand_rank(&five, 5);
                    best = rank > best ? rank : best;
                }
                after->highs[h] = best;
                for (size_t k = 0; low && k < pairs->count; k++) {
                    uint16_t rank = croupier_low_table[low_three | pairs->lows[k]];
                    after->lows[h] = rank > after->lows[h] ? rank : after->lows[h];
                }
            }
        }
    }
}

/* Lays one more card on a board of so many. */
static void put(struct table *table, size_t lying, uint8_t card) {
    table->board[lying] = hand_of(&card, 1);
    if (table->game != HOLDEM) {
        put_omaha(table, lying);
        return;
    }
    struct layer *before = &table->layers[lying], *after = before + 1;
    for (size_t h = 0; h < table->hand_count; h++) {
        after->hands[h] = croupier_hand_join(&before->hands[h], &table->board[lying]);
        if (lying + 1 == BOARD) {
            after->highs[h] = croupier_hand_rank(&after->hands[h], 7);
        }
    }
}

/* The hands, and the board as it lies. */
static void lay(struct table *table, const struct croupier_equity_deal *deal, const uint8_t *hole_cards) {
    seat(table, deal, hole_cards);
    for (size_t i = 0; i < deal->board_count; i++) {
        put(table, i, deal->board[i]);
    }
}

/* Gives each of the best an equal part of so many shares; false where none is above 0. */
static bool share_out(const uint16_t *ranks, size_t hand_count, unsigned shares, unsigned *parts) {
    uint16_t best = 0;
    unsigned winners = 0;
    for (size_t h = 0; h < hand_count; h++) {
        winners = ranks[h] > best ? 1 : winners + (ranks[h] == best);
        best = ranks[h] > best ? ranks[h] : best;
    }
    if (!best) {
        return false;
    }
    for (size_t h = 0; h < hand_count; h++) {
        parts[h] += ranks[h] == best ? shares / winners : 0;
    }
    return true;
}

/* With the whole board. */
static void settle(const struct table *table, struct croupier_equity_tally *tallies) {
    const struct layer *layer = &table->layers[table->board_size];
    size_t hand_count = table->hand_count;
    unsigned parts[MAX_HANDS] = {0};
    bool low = table->game == OMAHA_HI_LO && share_out(layer->lows, hand_count, SHARES / 2, parts);
    share_out(layer->highs, hand_count, low ? SHARES / 2 : SHARES, parts);
    for (size_t h = 0; h < hand_count; h++) {
        uint64_t part = parts[h];
        tallies[h].wins += part == SHARES;
        tallies[h].ties += part > 0 && part < SHARES;
        tallies[h].shares += part;
        tallies[h].squares += part * part;
    }
}

/* The last card of the board, one after the other, for two hands of hold'em: what most time is spent in. */
static void settle_two(const struct layer *layer, const struct croupier_hand *rivers, size_t count,
                       struct croupier_equity_tally *tallies) {
    struct croupier_hand one = layer->hands[0], other = layer->hands[1];
    uint64_t ones = 0, others = 0;
    for (size_t i = 0; i < count; i++) {
        struct croupier_hand left = croupier_hand_join(&one, &rivers[i]);
        struct croupier_hand right = croupier_hand_join(&other, &rivers[i]);
        uint16_t left_rank = croupier_hand_rank(&left, 7), right_rank = croupier_hand_rank(&right, 7);
        ones += left_rank > right_rank;
        others += right_rank > left_rank;
    }
    uint64_t ties = count - ones - others;
    uint64_t wins[2] = {ones, others};
    for (size_t h = 0; h < 2; h++) {
        tallies[h].wins += wins[h];
        tallies[h].ties += ties;
        tallies[h].shares += wins[h] * SHARES + ties * (SHARES / 2);
        tallies[h].squares += wins[h] * SHARES * SHARES + ties * (SHARES / 2) * (SHARES / 2);
    }
}

/* Whether the deal can be dealt; `unknown` gets how many hole cards nobody knows. */
static bool valid(const struct croupier_equity_deal *deal, size_t *unknown) {
    static const uint8_t fewest[] = {2, 4, 4, 5}, most[] = {2, MAX_HOLE_CARDS, MAX_HOLE_CARDS, 5};
    if (deal->game > DRAW || deal->hand_count < 2 || deal->hand_count > MAX_HANDS ||
        deal->hole_count < fewest[deal->game] || deal->hole_count > most[deal->game] ||
        deal->board_count > board_size(deal) || deal->stub_count > DECK) {
        return false;
    }
    uint64_t seen = 0;
    size_t hole_cards = (size_t)deal->hand_count * deal->hole_count, cards = hole_cards + deal->board_count;
    *unknown = 0;
    for (size_t i = 0; i < cards + deal->stub_count; i++) {
        uint8_t card = i < hole_cards ? deal->hole_cards[i]
                       : i < cards    ? deal->board[i - hole_cards]
                                      : deal->stub[i - cards];
        if (i < hole_cards && card == UNKNOWN) {
            ++*unknown;
            continue;
        }
        if (card >= DECK || seen >> card & 1) {
            return false;
        }
        seen |= UINT64_C(1) << card;
    }
    return deal->stub_count >= *unknown + board_size(deal) - deal->board_count;
}

static uint64_t choices(uint64_t of, uint64_t taken) {
    uint64_t count = 1;
    for (uint64_t i = 0; i < taken; i++) {
        count = of < taken ? 0 : count * (of - i) / (i + 1);
    }
    return count;
}

/* The places in the stub of choice `number` of `taken` out of `of`, rising. */
static void choice_at(uint64_t number, size_t of, size_t taken, size_t *places) {
    size_t place = 0;
    for (size_t i = 0; i < taken; i++, place++) {
        for (uint64_t with; number >= (with = choices(of - place - 1, taken - i - 1)); place++) {
            number -= with;
        }
        places[i] = place;
    }
}

/* On to the next choice of places before the last, which comes right after them; returns which changed first. There is
 * none after the last choice, and the places are as they were. */
static size_t next_choice(size_t *places, size_t of, size_t taken) {
    size_t changed = taken - 1;
    while (changed && places[changed - 1] == of - taken + changed - 1) {
        changed--;
    }
    if (!changed) {
        return 0;
    }
    changed--;
    places[changed]++;
    for (size_t i = changed + 1; i < taken; i++) {
        places[i] = places[i - 1] + 1;
    }
    return changed;
}

bool croupier_equity_enumerate(const struct croupier_equity_deal *deal, uint64_t first, uint64_t count,
                               struct croupier_equity_tally *tallies) {
    size_t unknown;
    if (!valid(deal, &unknown) || unknown) {
        return false;
    }
    struct table table;
    lay(&table, deal, deal->hole_cards);
    size_t lying = deal->board_count, to_come = board_size(deal) - lying, stub_count = deal->stub_count;
    uint64_t all = choices(stub_count, to_come);
    if (first >= all || !count) {
        return true;
    }
    count = count < all - first ? count : all - first;
    if (!to_come) {
        settle(&table, tallies);
        return true;
    }
    struct croupier_hand stub[DECK];
    for (size_t i = 0; i < stub_count; i++) {
        stub[i] = hand_of(&deal->stub[i], 1);
    }
    size_t places[BOARD];
    choice_at(first, stub_count, to_come, places);
    size_t last = to_come - 1, changed = 0;
    while (count) {
        for (; changed < last; changed++) {
            put(&table, lying + changed, deal->stub[places[changed]]);
        }
        size_t run = stub_count - places[last];
        run = run < count ? run : count;
        if (deal->game == HOLDEM && deal->hand_count == 2) {
            settle_two(&table.layers[BOARD - 1], stub + places[last], run, tallies);
        } else {
            for (size_t i = 0; i < run; i++) {
                put(&table, BOARD - 1, deal->stub[places[last] + i]);
                settle(&table, tallies);
            }
        }
        count -= run;
        changed = next_choice(places, stub_count, to_come);
    }
    return true;
}

bool croupier_equity_sample(const struct croupier_equity_deal *deal, uint64_t seed, uint64_t first, uint64_t count,
                            struct croupier_equity_tally *tallies) {
    size_t unknown;
    if (!valid(deal, &unknown)) {
        return false;
    }
    struct table table;
    uint8_t hole_cards[sizeof deal->hole_cards];
    memcpy(hole_cards, deal->hole_cards, sizeof hole_cards);
    size_t places[sizeof deal->hole_cards], hole_count = 0;
    for (size_t i = 0; i < (size_t)deal->hand_count * deal->hole_count; i++) {
        if (hole_cards[i] == UNKNOWN) {
            places[hole_count++] = i;
        }
    }
    size_t lying = deal->board_count, drawn = unknown + board_size(deal) - lying;
    for (uint64_t i = 0; i < count; i++) {
        struct croupier_lot lot = croupier_lot_stream(seed, first + i);
        uint8_t stub[DECK];
        memcpy(stub, deal->stub, sizeof stub);
        for (size_t at = 0; at < drawn; at++) {
            size_t other = at + croupier_lot_below(&lot, (uint32_t)(deal->stub_count - at));
            uint8_t card = stub[other];
            stub[other] = stub[at];
            stub[at] = card;
        }
        for (size_t at = 0; at < unknown; at++) {
            hole_cards[places[at]] = stub[at];
        }
        if (unknown || !i) {
            lay(&table, deal, hole_cards);
        }
        for (size_t at = lying; at < table.board_size; at++) {
            put(&table, at, stub[unknown + at - lying]);
        }
        settle(&table, tallies);
    }
    return true;
}
