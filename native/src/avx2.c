#include "kernels.h"
#include "mask.h"
#include <string.h>
/* placeholder body, replaced below */
static bool rank_rows(const uint8_t *rows, size_t n, uint16_t *ranks){ bool ok=true; for(size_t i=0;i<n;i++){uint16_t r=croupier_cards_rank(rows+7*i,7); memcpy(ranks+i,&r,2); ok&=r!=0;} return ok;}
static bool rank_columns(const uint8_t *const *c, size_t n, uint16_t *ranks){ bool ok=true; for(size_t i=0;i<n;i++){uint8_t row[7]; for(int k=0;k<7;k++) row[k]=c[k][i]; uint16_t r=croupier_cards_rank(row,7); memcpy(ranks+i,&r,2); ok&=r!=0;} return ok;}
static bool rank_masks(const uint64_t *s, size_t n, uint16_t *ranks){ bool ok=true; for(size_t i=0;i<n;i++){uint64_t m; memcpy(&m,(const char*)s+8*i,8); uint16_t r=croupier_set_rank(m,7); memcpy(ranks+i,&r,2); ok&=r!=0;} return ok;}
const struct croupier_kernels croupier_avx2_kernels = {rank_rows, rank_columns, rank_masks};
