#ifndef CROUPIER_KERNELS_H
#define CROUPIER_KERNELS_H

#include "croupier_batch.h"

/* The batch calls of one implementation. */
struct croupier_kernels {
    bool (*rows)(const uint8_t *rows, size_t hand_count, uint16_t *ranks);
    bool (*columns)(const uint8_t *const *columns, size_t hand_count, uint16_t *ranks);
    bool (*masks)(uint64_t common, const uint64_t *sets, size_t hand_count, uint16_t *ranks);
};

extern const struct croupier_kernels croupier_portable_kernels;

/* Where nothing wider pays. */
bool croupier_rank_rows_one_by_one(const uint8_t *rows, size_t hand_count, uint16_t *ranks);
bool croupier_rank_columns_one_by_one(const uint8_t *const *columns, size_t hand_count, uint16_t *ranks);

#if defined(__x86_64__)
extern const struct croupier_kernels croupier_avx2_kernels, croupier_avx512_kernels;
#endif

#endif
