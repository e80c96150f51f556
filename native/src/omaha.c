#include "hand.h"

enum { MAX_HOLE_CARDS = 6, MAX_BOARD = 5, MAX_TWOS = 15, MAX_THREES = 10 };

/* The ways to take two of the hole cards, or three of the board. */
struct twos {
    size_t count;
    struct croupier_hand hands[MAX_TWOS];
};

struct threes {
    size_t count;
    struct croupier_hand hands[MAX_THREES];
};

static void list_twos(struct twos *twos, const uint8_t *hole_cards, size_t hole_count) {
    twos->count = 0;
    for (size_t i = 1; i < hole_count; i++) {
        struct croupier_hand one = CROUPIER_NO_CARDS;
        croupier_hand_add(&one, hole_cards[i]);
        for (size_t j = 0; j < i; j++) {
            struct croupier_hand two = one;
            croupier_hand_add(&two, hole_cards[j]);
            twos->hands[twos->count++] = two;
        }
    }
}

static void list_threes(struct threes *threes, const uint8_t *board, size_t board_count) {
    threes->count = 0;
    for (size_t i = 2; i < board_count; i++) {
        struct twos twos;
        list_twos(&twos, board, i);
        for (size_t j = 0; j < twos.count; j++) {
            struct croupier_hand three = twos.hands[j];
            croupier_hand_add(&three, board[i]);
            threes->hands[threes->count++] = three;
        }
    }
}

static inline uint16_t best_high(const struct twos *twos, const struct threes *threes) {
    uint16_t best = 0;
    for (size_t i = 0; i < threes->count; i++) {
        for (size_t j = 0; j < twos->count; j++) {
            struct croupier_hand hand = croupier_hand_join(&threes->hands[i], &twos->hands[j]);
            uint16_t rank = croupier_hand_rank(&hand, 5);
            best = rank > best ? rank : best;
        }
    }
    return best;
}

static inline uint16_t best_low(const struct twos *twos, const struct threes *threes) {
    uint8_t low_twos[MAX_TWOS];
    for (size_t j = 0; j < twos->count; j++) {
        low_twos[j] = croupier_hand_low_ranks(&twos->hands[j]);
    }
    uint16_t best = 0;
    for (size_t i = 0; i < threes->count; i++) {
        uint8_t low_three = croupier_hand_low_ranks(&threes->hands[i]);
        for (size_t j = 0; j < twos->count; j++) {
            uint16_t rank = croupier_low_table[low_three | low_twos[j]];
            best = rank > best ? rank : best;
        }
    }
    return best;
}

/* Inlined with a constant `best`, so that the inner loops are. */
static inline bool rank_each(const uint8_t *hole_cards, size_t hand_count, size_t hole_count, const uint8_t *board,
                             size_t board_count, uint16_t *ranks,
                             uint16_t (*best)(const struct twos *, const struct threes *)) {
    if (hole_count < 4 || hole_count > MAX_HOLE_CARDS || board_count < 3 || board_count > MAX_BOARD) {
        return false;
    }
    struct croupier_hand dealt = CROUPIER_NO_CARDS;
    for (size_t i = 0; i < board_count; i++) {
        croupier_hand_add(&dealt, board[i]);
    }
    if (!croupier_hand_valid(&dealt)) {
        return false;
    }
    struct threes threes;
    list_threes(&threes, board, board_count);
    for (size_t i = 0; i < hand_count; i++) {
        const uint8_t *hole = hole_cards + i * hole_count;
        for (size_t j = 0; j < hole_count; j++) {
            croupier_hand_add(&dealt, hole[j]);
        }
        if (!croupier_hand_valid(&dealt)) {
            return false;
        }
        struct twos twos;
        list_twos(&twos, hole, hole_count);
        ranks[i] = best(&twos, &threes);
    }
    return true;
}

bool croupier_rank_omaha(const uint8_t *hole_cards, size_t hand_count, size_t hole_count, const uint8_t *board,
                         size_t board_count, uint16_t *ranks) {
    return rank_each(hole_cards, hand_count, hole_count, board, board_count, ranks, best_high);
}

bool croupier_rank_omaha_low(const uint8_t *hole_cards, size_t hand_count, size_t hole_count, const uint8_t *board,
                             size_t board_count, uint16_t *ranks) {
    return rank_each(hole_cards, hand_count, hole_count, board, board_count, ranks, best_low);
}
