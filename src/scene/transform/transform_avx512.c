/* AVX-512: sixteen transforms at a time. */
#include "scene/transform/transform_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES 16
#define INLINE CNI_BASE_TARGET_AVX512 static inline __attribute__((always_inline))
#define APART CNI_BASE_TARGET_AVX512 static __attribute__((noinline))

typedef __m512 Vec;

INLINE void transpose(Vec v[4])
{
    Vec low01 = _mm512_unpacklo_ps(v[0], v[1]), high01 = _mm512_unpackhi_ps(v[0], v[1]);
    Vec low23 = _mm512_unpacklo_ps(v[2], v[3]), high23 = _mm512_unpackhi_ps(v[2], v[3]);
    v[0] = _mm512_shuffle_ps(low01, low23, _MM_SHUFFLE(1, 0, 1, 0));
    v[1] = _mm512_shuffle_ps(low01, low23, _MM_SHUFFLE(3, 2, 3, 2));
    v[2] = _mm512_shuffle_ps(high01, high23, _MM_SHUFFLE(1, 0, 1, 0));
    v[3] = _mm512_shuffle_ps(high01, high23, _MM_SHUFFLE(3, 2, 3, 2));
}

INLINE void load_rows(const float *const *at, int offset, Vec v[4])
{
    for (int j = 0; j < 4; j++) {
        v[j] = _mm512_castps128_ps512(_mm_loadu_ps(at[j] + offset));
        v[j] = _mm512_insertf32x4(v[j], _mm_loadu_ps(at[4 + j] + offset), 1);
        v[j] = _mm512_insertf32x4(v[j], _mm_loadu_ps(at[8 + j] + offset), 2);
        v[j] = _mm512_insertf32x4(v[j], _mm_loadu_ps(at[12 + j] + offset), 3);
    }
}

INLINE void store_rows(float *const *at, int offset, const Vec v[4])
{
    for (int j = 0; j < 4; j++) {
        _mm_storeu_ps(at[j] + offset, _mm512_castps512_ps128(v[j]));
        _mm_storeu_ps(at[4 + j] + offset, _mm512_extractf32x4_ps(v[j], 1));
        _mm_storeu_ps(at[8 + j] + offset, _mm512_extractf32x4_ps(v[j], 2));
        _mm_storeu_ps(at[12 + j] + offset, _mm512_extractf32x4_ps(v[j], 3));
    }
}

INLINE uint32_t rows_other(const Vec a[4], const Vec b[4])
{
    Vec other[4]; /* bits that differ, then turned: a vector per column */
    for (int j = 0; j < 4; j++)
        other[j] = _mm512_xor_ps(a[j], b[j]);
    transpose(other);
    __m512i any = _mm512_castps_si512(
        _mm512_or_ps(_mm512_or_ps(other[0], other[1]), _mm512_or_ps(other[2], other[3])));
    return _mm512_test_epi32_mask(any, any);
}

INLINE Vec broadcast(const float *number)
{
    return _mm512_set1_ps(*number);
}

INLINE Vec blend(Vec v, uint32_t bits, const float *number)
{
    return _mm512_mask_broadcastss_ps(v, (__mmask16)bits, _mm_load_ss(number));
}

#include "scene/transform/transform_simd.h"

CNI_BASE_TARGET_AVX512 uint64_t cni_scene_transform_avx512(const CniSceneTransformLayout *layout,
                                                           uint32_t word,
                                                           CniSceneTransformWord *bits)
{
    return compute_word(layout, word, bits);
}

#endif
