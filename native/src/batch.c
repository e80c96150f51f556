/* The batch calls: each goes to the kernels of the implementation asked for. */
#include <string.h>

#include "kernels.h"
#include "mask.h"

static const struct croupier_kernels *kernels_of(enum croupier_implementation implementation) {
#if defined(__x86_64__)
    switch (implementation) {
    case CROUPIER_AVX2:
        return &croupier_avx2_kernels;
    case CROUPIER_AVX512:
        return &croupier_avx512_kernels;
    default:
        return &croupier_portable_kernels;
    }
#else
    (void)implementation;
    return &croupier_portable_kernels;
#endif
}

bool croupier_supported(enum croupier_implementation implementation) {
#if defined(__x86_64__)
    switch (implementation) {
    case CROUPIER_PORTABLE:
        return true;
    case CROUPIER_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
               __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    case CROUPIER_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
               __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bitalg") &&
               __builtin_cpu_supports("popcnt");
    }
    return false;
#else
    return implementation == CROUPIER_PORTABLE;
#endif
}

uint16_t croupier_rank_mask(uint64_t set) {
    unsigned card_count = croupier_card_count(croupier_suit_counts(set));
    return card_count < 5 || card_count > 7 ? 0 : croupier_set_rank(set, card_count);
}

bool croupier_rank_rows(enum croupier_implementation implementation, const uint8_t *rows, size_t hand_count,
                        uint16_t *ranks) {
    return kernels_of(implementation)->rows(rows, hand_count, ranks);
}

bool croupier_rank_columns(enum croupier_implementation implementation, const uint8_t *const *columns,
                           size_t hand_count, uint16_t *ranks) {
    return kernels_of(implementation)->columns(columns, hand_count, ranks);
}

bool croupier_rank_masks(enum croupier_implementation implementation, const uint64_t *sets, size_t hand_count,
                         uint16_t *ranks) {
    return kernels_of(implementation)->masks(0, sets, hand_count, ranks);
}

bool croupier_rank_masks_with(enum croupier_implementation implementation, uint64_t common, const uint64_t *sets,
                              size_t hand_count, uint16_t *ranks) {
    return kernels_of(implementation)->masks(common, sets, hand_count, ranks);
}

/* Inlined with a constant count, so that the loop unrolls. */
static inline bool rank_rows_of(const uint8_t *rows, size_t card_count, size_t hand_count, uint16_t *ranks) {
    bool valid = true;
    for (size_t i = 0; i < hand_count; i++) {
        uint16_t rank = croupier_cards_rank(rows + i * card_count, card_count);
        memcpy(ranks + i, &rank, sizeof rank);
        valid &= rank != 0;
    }
    return valid;
}

bool croupier_rank_rows_of(const uint8_t *rows, size_t card_count, size_t hand_count, uint16_t *ranks) {
    switch (card_count) {
    case 5:
        return rank_rows_of(rows, 5, hand_count, ranks);
    case 6:
        return rank_rows_of(rows, 6, hand_count, ranks);
    case 7:
        return rank_rows_of(rows, 7, hand_count, ranks);
    default:
        return false;
    }
}
