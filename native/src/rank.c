#include "hand.h"

/* Inlined with a constant count, so that the loop unrolls. */
static inline uint16_t rank_cards(const uint8_t *cards, size_t card_count) {
    struct croupier_hand hand = CROUPIER_NO_CARDS;
    for (size_t i = 0; i < card_count; i++) {
        croupier_hand_add(&hand, cards[i]);
    }
    return croupier_hand_valid(&hand) ? croupier_hand_rank(&hand, card_count) : 0;
}

uint16_t croupier_rank(const uint8_t *cards, size_t card_count) {
    switch (card_count) {
    case 5:
        return rank_cards(cards, 5);
    case 6:
        return rank_cards(cards, 6);
    case 7:
        return rank_cards(cards, 7);
    default:
        return 0;
    }
}

bool croupier_rank_holdem(const uint8_t *hole_cards, size_t hand_count, const uint8_t *board, size_t board_count,
                          uint16_t *ranks) {
    if (board_count < 3 || board_count > 5) {
        return false;
    }
    struct croupier_hand shared = CROUPIER_NO_CARDS;
    for (size_t i = 0; i < board_count; i++) {
        croupier_hand_add(&shared, board[i]);
    }
    struct croupier_hand dealt = shared;
    for (size_t i = 0; i < hand_count; i++) {
        struct croupier_hand hand = shared;
        for (size_t hole = 2 * i; hole < 2 * i + 2; hole++) {
            croupier_hand_add(&hand, hole_cards[hole]);
            croupier_hand_add(&dealt, hole_cards[hole]);
        }
        if (!croupier_hand_valid(&dealt)) {
            return false;
        }
        ranks[i] = croupier_hand_rank(&hand, board_count + 2);
    }
    return croupier_hand_valid(&dealt);
}
