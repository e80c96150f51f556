#include "croupier_batch.h"
#include "croupier_rank.h"
#include <string.h>
bool croupier_rank_omaha_rows(const uint8_t *rows, size_t hole_count, size_t hand_count, uint16_t *highs, uint16_t *lows) {
    bool ok = true;
    for (size_t i = 0; i < hand_count; i++) {
        const uint8_t *row = rows + i * (hole_count + 5);
        uint16_t r = 0;
        if (highs) { ok &= croupier_rank_omaha(row, 1, hole_count, row + hole_count, 5, &r); memcpy(highs + i, &r, 2); }
        if (lows) { ok &= croupier_rank_omaha_low(row, 1, hole_count, row + hole_count, 5, &r); memcpy(lows + i, &r, 2); }
    }
    return ok;
}
