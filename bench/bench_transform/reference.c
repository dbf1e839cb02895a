#include "reference.h"

#include <string.h>

static inline void compute(Reference *r, uint32_t i)
{
    CnAffine own;
    cni_base_affine_from_trs(&own, &r->local[i].position, &r->local[i].rotation,
                             &r->local[i].scale);
    if (r->parents[i] == UINT32_MAX)
        r->matrices[i] = own;
    else
        cni_base_affine_mul(&r->matrices[i], &r->matrices[r->parents[i]], &own);
}

void reference_naive(Reference *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        compute(r, i);
}

void reference_dirty(Reference *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->parents[i] != UINT32_MAX)
            r->dirty[i] |= r->dirty[r->parents[i]];
        if (r->dirty[i])
            compute(r, i);
    }
    memset(r->dirty, 0, r->count);
}
