#include "mask.h"

uint16_t croupier_rank(const uint8_t *cards, size_t card_count) {
    if (card_count == 7) {
        return croupier_cards_rank(cards, 7);
    }
    return card_count == 6 ? croupier_cards_rank(cards, 6) : card_count == 5 ? croupier_cards_rank(cards, 5) : 0;
}

int croupier_rank_low(const uint8_t *cards, size_t card_count) {
    if (card_count < 5 || card_count > 7) {
        return -1;
    }
    struct croupier_hand hand = CROUPIER_NO_CARDS;
    for (size_t i = 0; i < card_count; i++) {
        croupier_hand_add(&hand, cards[i]);
    }
    return croupier_hand_valid(&hand) ? croupier_low_table[croupier_hand_low_ranks(&hand)] : -1;
}

bool croupier_rank_five(const uint8_t *hole_cards, size_t hand_count, uint16_t *ranks) {
    struct croupier_hand dealt = CROUPIER_NO_CARDS;
    for (size_t i = 0; i < hand_count; i++) {
        struct croupier_hand hand = CROUPIER_NO_CARDS;
        for (size_t hole = 5 * i; hole < 5 * i + 5; hole++) {
            croupier_hand_add(&hand, hole_cards[hole]);
        }
        dealt = croupier_hand_join(&dealt, &hand);
        if (!croupier_hand_valid(&dealt)) {
            return false;
        }
        ranks[i] = croupier_hand_rank(&hand, 5);
    }
    return true;
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
