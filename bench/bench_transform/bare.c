/* The bare loop: loads eight or sixteen transforms as ten vectors, computes their matrices element
 * by element, and transposes these into rows. */
#include "reference.h"

#include <cairn/base/cpu.h>

#define GRAIN 2048u
#define WORTH_SPLITTING 16384u

static void bare_one(Reference *r, uint32_t i)
{
    CnAffine own;
    cni_base_affine_from_trs(&own, &r->local[i].position, &r->local[i].rotation,
                             &r->local[i].scale);
    if (r->parents[i] == UINT32_MAX)
        r->matrices[i] = own;
    else
        cni_base_affine_mul(&r->matrices[i], &r->matrices[r->parents[i]], &own);
}

static void bare_scalar(Reference *r, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; i++)
        bare_one(r, i);
}

#if defined(__x86_64__)
#include <immintrin.h>

#define INLINE_AVX2 CNI_BASE_TARGET_AVX2 static inline __attribute__((always_inline))

INLINE_AVX2 void turn(__m256 v[4])
{
    __m256 a = _mm256_unpacklo_ps(v[0], v[1]), b = _mm256_unpackhi_ps(v[0], v[1]);
    __m256 c = _mm256_unpacklo_ps(v[2], v[3]), d = _mm256_unpackhi_ps(v[2], v[3]);
    v[0] = _mm256_shuffle_ps(a, c, _MM_SHUFFLE(1, 0, 1, 0));
    v[1] = _mm256_shuffle_ps(a, c, _MM_SHUFFLE(3, 2, 3, 2));
    v[2] = _mm256_shuffle_ps(b, d, _MM_SHUFFLE(1, 0, 1, 0));
    v[3] = _mm256_shuffle_ps(b, d, _MM_SHUFFLE(3, 2, 3, 2));
}

INLINE_AVX2 void load(const float *at, int stride, __m256 v[4])
{
    for (int i = 0; i < 4; i++)
        v[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(at + i * stride)),
                                    _mm_loadu_ps(at + (i + 4) * stride), 1);
    turn(v);
}

INLINE_AVX2 void store(float *at, __m256 v[4])
{
    turn(v);
    for (int i = 0; i < 4; i++) {
        _mm_storeu_ps(at + i * 12, _mm256_castps256_ps128(v[i]));
        _mm_storeu_ps(at + (i + 4) * 12, _mm256_extractf128_ps(v[i], 1));
    }
}

INLINE_AVX2 void own_matrices(const float *at, __m256 m[12])
{
    __m256 a[4], b[4], c[4];
    load(at, 10, a);
    load(at + 4, 10, b);
    load(at + 6, 10, c);
    __m256 x = a[3], y = b[0], z = b[1], w = b[2], sx = b[3], sy = c[2], sz = c[3];
    __m256 x2 = x + x, y2 = y + y, z2 = z + z, one = _mm256_set1_ps(1);
    __m256 xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    __m256 wx = w * x2, wy = w * y2, wz = w * z2;
    m[0] = (one - (yy + zz)) * sx;
    m[1] = (xy - wz) * sy;
    m[2] = (xz + wy) * sz;
    m[3] = a[0];
    m[4] = (xy + wz) * sx;
    m[5] = (one - (xx + zz)) * sy;
    m[6] = (yz - wx) * sz;
    m[7] = a[1];
    m[8] = (xz - wy) * sx;
    m[9] = (yz + wx) * sy;
    m[10] = (one - (xx + yy)) * sz;
    m[11] = a[2];
}

INLINE_AVX2 void parent_matrices(const Reference *r, uint32_t i, __m256 p[12])
{
    const uint32_t *parents = &r->parents[i];
    const CnAffine *first = &r->matrices[parents[0]], *last = &r->matrices[parents[7]];
    for (int k = 0; k < 12; k++)
        p[k] = _mm256_broadcast_ss(&first->m[k / 4][k % 4]);
    if (first == last)
        return;
    __m256i all = _mm256_loadu_si256((const __m256i *)parents);
    __m256i is_first = _mm256_cmpeq_epi32(all, _mm256_set1_epi32((int)parents[0]));
    __m256i is_last = _mm256_cmpeq_epi32(all, _mm256_set1_epi32((int)parents[7]));
    if (_mm256_movemask_epi8(_mm256_or_si256(is_first, is_last)) == -1) {
        for (int k = 0; k < 12; k++)
            p[k] = _mm256_blendv_ps(p[k], _mm256_broadcast_ss(&last->m[k / 4][k % 4]),
                                    _mm256_castsi256_ps(is_last));
        return;
    }
    for (int k = 0; k < 12; k++)
        for (int lane = 0; lane < 8; lane++)
            p[k][lane] = r->matrices[parents[lane]].m[k / 4][k % 4];
}

INLINE_AVX2 void bare_rows(Reference *r, uint32_t begin, uint32_t end)
{
    uint32_t i = begin;
    for (; i + 8 <= end; i += 8) {
        const char *ahead = (const char *)&r->local[i + 16];
        for (int k = 0; k < 5; k++)
            __builtin_prefetch(ahead + k * 64);
        ahead = (const char *)&r->matrices[i + 16];
        for (int k = 0; k < 6; k++)
            __builtin_prefetch(ahead + k * 64, 1);
        __m256 m[12], p[12], v[4];
        own_matrices((const float *)(const void *)&r->local[i], m);
        parent_matrices(r, i, p);
        for (int row = 0; row < 3; row++) {
            const __m256 *a = &p[row * 4];
            for (int k = 0; k < 4; k++)
                v[k] = a[0] * m[k] + a[1] * m[4 + k] + a[2] * m[8 + k];
            v[3] = v[3] + a[3];
            store((float *)(void *)&r->matrices[i] + 4 * row, v);
        }
    }
    for (; i < end; i++)
        bare_one(r, i);
}

CNI_BASE_TARGET_AVX2 static void bare_avx2(Reference *r, uint32_t begin, uint32_t end)
{
    bare_rows(r, begin, end);
}

#define INLINE_AVX512 CNI_BASE_TARGET_AVX512 static inline __attribute__((always_inline))

INLINE_AVX512 void turn16(__m512 v[4])
{
    __m512 a = _mm512_unpacklo_ps(v[0], v[1]), b = _mm512_unpackhi_ps(v[0], v[1]);
    __m512 c = _mm512_unpacklo_ps(v[2], v[3]), d = _mm512_unpackhi_ps(v[2], v[3]);
    v[0] = _mm512_shuffle_ps(a, c, _MM_SHUFFLE(1, 0, 1, 0));
    v[1] = _mm512_shuffle_ps(a, c, _MM_SHUFFLE(3, 2, 3, 2));
    v[2] = _mm512_shuffle_ps(b, d, _MM_SHUFFLE(1, 0, 1, 0));
    v[3] = _mm512_shuffle_ps(b, d, _MM_SHUFFLE(3, 2, 3, 2));
}

INLINE_AVX512 void load16(const float *at, __m512 v[4])
{
    for (int i = 0; i < 4; i++) {
        v[i] = _mm512_castps128_ps512(_mm_loadu_ps(at + i * 10));
        v[i] = _mm512_insertf32x4(v[i], _mm_loadu_ps(at + (i + 4) * 10), 1);
        v[i] = _mm512_insertf32x4(v[i], _mm_loadu_ps(at + (i + 8) * 10), 2);
        v[i] = _mm512_insertf32x4(v[i], _mm_loadu_ps(at + (i + 12) * 10), 3);
    }
    turn16(v);
}

INLINE_AVX512 void store16(float *at, __m512 v[4])
{
    turn16(v);
    for (int i = 0; i < 4; i++) {
        _mm_storeu_ps(at + i * 12, _mm512_castps512_ps128(v[i]));
        _mm_storeu_ps(at + (i + 4) * 12, _mm512_extractf32x4_ps(v[i], 1));
        _mm_storeu_ps(at + (i + 8) * 12, _mm512_extractf32x4_ps(v[i], 2));
        _mm_storeu_ps(at + (i + 12) * 12, _mm512_extractf32x4_ps(v[i], 3));
    }
}

INLINE_AVX512 void own_matrices16(const float *at, __m512 m[12])
{
    __m512 a[4], b[4], c[4];
    load16(at, a);
    load16(at + 4, b);
    load16(at + 6, c);
    __m512 x = a[3], y = b[0], z = b[1], w = b[2], sx = b[3], sy = c[2], sz = c[3];
    __m512 x2 = x + x, y2 = y + y, z2 = z + z, one = _mm512_set1_ps(1);
    __m512 xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    __m512 wx = w * x2, wy = w * y2, wz = w * z2;
    m[0] = (one - (yy + zz)) * sx;
    m[1] = (xy - wz) * sy;
    m[2] = (xz + wy) * sz;
    m[3] = a[0];
    m[4] = (xy + wz) * sx;
    m[5] = (one - (xx + zz)) * sy;
    m[6] = (yz - wx) * sz;
    m[7] = a[1];
    m[8] = (xz - wy) * sx;
    m[9] = (yz + wx) * sy;
    m[10] = (one - (xx + yy)) * sz;
    m[11] = a[2];
}

INLINE_AVX512 void parent_matrices16(const Reference *r, uint32_t i, __m512 p[12])
{
    const uint32_t *parents = &r->parents[i];
    __m512i all = _mm512_loadu_si512(parents);
    for (int k = 0; k < 12; k++)
        p[k] = _mm512_set1_ps(r->matrices[parents[0]].m[k / 4][k % 4]);
    uint32_t left = _mm512_cmpneq_epi32_mask(all, _mm512_set1_epi32((int)parents[0]));
    while (left) {
        uint32_t parent = parents[__builtin_ctz(left)];
        __mmask16 its = _mm512_cmpeq_epi32_mask(all, _mm512_set1_epi32((int)parent));
        for (int k = 0; k < 12; k++)
            p[k] = _mm512_mask_broadcastss_ps(p[k], its,
                                              _mm_load_ss(&r->matrices[parent].m[k / 4][k % 4]));
        left &= ~(uint32_t)its;
    }
}

CNI_BASE_TARGET_AVX512 static void bare_avx512(Reference *r, uint32_t begin, uint32_t end)
{
    uint32_t i = begin;
    for (; i + 16 <= end; i += 16) {
        __m512 m[12], p[12], v[4];
        own_matrices16((const float *)(const void *)&r->local[i], m);
        parent_matrices16(r, i, p);
        for (int row = 0; row < 3; row++) {
            const __m512 *a = &p[row * 4];
            for (int k = 0; k < 4; k++)
                v[k] = a[0] * m[k] + a[1] * m[4 + k] + a[2] * m[8 + k];
            v[3] = v[3] + a[3];
            store16((float *)(void *)&r->matrices[i] + 4 * row, v);
        }
    }
    for (; i < end; i++)
        bare_one(r, i);
}
#else
#define bare_avx2 bare_scalar
#define bare_avx512 bare_scalar
#endif

typedef struct Level {
    Reference *reference;
    uint32_t begin;
} Level;

static void bare_range(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)lane;
    const Level *level = data;
    switch (cn_simd_path()) {
    case CN_SIMD_AVX512:
        bare_avx512(level->reference, level->begin + begin, level->begin + end);
        break;
    case CN_SIMD_AVX2:
        bare_avx2(level->reference, level->begin + begin, level->begin + end);
        break;
    default:
        bare_scalar(level->reference, level->begin + begin, level->begin + end);
    }
}

void reference_bare(Reference *r)
{
    bare_scalar(r, 0, r->levels[1]);
    for (uint32_t i = 1; i < r->level_count; i++) {
        Level level = {r, r->levels[i]};
        uint32_t count = r->levels[i + 1] - r->levels[i];
        if (count >= WORTH_SPLITTING && r->jobs)
            cn_job_parallel_for(r->jobs, count, GRAIN, bare_range, &level);
        else
            bare_range(&level, 0, count, 0);
    }
}
