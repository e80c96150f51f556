/* The batch kernels for processors with AVX2. */
#if defined(__x86_64__)
#include <immintrin.h>

#define CROUPIER_LANES 16
#define CROUPIER_TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#include "wide.h"

#include "kernels.h"

/* The shuffles of split_suits stay within halves of a vector. */
static const uint8_t croupier_order[CROUPIER_LANES] = {0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15};

CROUPIER_WIDE void split_suits(const uint64_t *sets, lanes *suits) {
    const __m256i together = _mm256_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15, 0, 1, 8, 9, 2, 3,
                                              10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    __m256i fours[4];
    CROUPIER_UNROLLED
    for (int i = 0; i < 4; i++) {
        fours[i] = _mm256_loadu_si256((const __m256i *)(const void *)(sets + 4 * i));
        fours[i] = _mm256_shuffle_epi8(fours[i], together);
    }
    __m256i first = _mm256_unpacklo_epi32(fours[0], fours[1]), second = _mm256_unpacklo_epi32(fours[2], fours[3]);
    suits[0] = (lanes)_mm256_unpacklo_epi64(first, second);
    suits[1] = (lanes)_mm256_unpackhi_epi64(first, second);
    first = _mm256_unpackhi_epi32(fours[0], fours[1]);
    second = _mm256_unpackhi_epi32(fours[2], fours[3]);
    suits[2] = (lanes)_mm256_unpacklo_epi64(first, second);
    suits[3] = (lanes)_mm256_unpackhi_epi64(first, second);
}

CROUPIER_WIDE bool any(lanes set) { return !_mm256_testz_si256((__m256i)set, (__m256i)set); }

const struct croupier_kernels croupier_avx2_kernels = {
    croupier_rank_rows_one_by_one,
    croupier_rank_columns_one_by_one,
    rank_masks,
};

#endif
