/* AVX2: eight transforms at a time. */
#include "scene/transform/transform_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES 8
#define INLINE CNI_BASE_TARGET_AVX2 static inline __attribute__((always_inline))
#define APART CNI_BASE_TARGET_AVX2 static __attribute__((noinline))

typedef __m256 Vec;

INLINE void transpose(Vec v[4])
{
    Vec low01 = _mm256_unpacklo_ps(v[0], v[1]), high01 = _mm256_unpackhi_ps(v[0], v[1]);
    Vec low23 = _mm256_unpacklo_ps(v[2], v[3]), high23 = _mm256_unpackhi_ps(v[2], v[3]);
    v[0] = _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(1, 0, 1, 0));
    v[1] = _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(3, 2, 3, 2));
    v[2] = _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(1, 0, 1, 0));
    v[3] = _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(3, 2, 3, 2));
}

INLINE void load_rows(const float *const *at, int offset, Vec v[4])
{
    for (int j = 0; j < 4; j++)
        v[j] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(at[j] + offset)),
                                    _mm_loadu_ps(at[4 + j] + offset), 1);
}

INLINE void store_rows(float *const *at, int offset, const Vec v[4])
{
    for (int j = 0; j < 4; j++) {
        _mm_storeu_ps(at[j] + offset, _mm256_castps256_ps128(v[j]));
        _mm_storeu_ps(at[4 + j] + offset, _mm256_extractf128_ps(v[j], 1));
    }
}

INLINE uint32_t rows_other(const Vec a[4], const Vec b[4])
{
    __m256i same[4];
    for (int j = 0; j < 4; j++)
        same[j] = _mm256_cmpeq_epi32(_mm256_castps_si256(a[j]), _mm256_castps_si256(b[j]));
    __m256i all = _mm256_packs_epi16(_mm256_packs_epi32(same[0], same[1]),
                                     _mm256_packs_epi32(same[2], same[3]));
    all = _mm256_cmpeq_epi32(all, _mm256_set1_epi32(-1));
    return 0xffu & ~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(all));
}

INLINE Vec broadcast(const float *number)
{
    return _mm256_broadcast_ss(number);
}

INLINE Vec blend(Vec v, uint32_t bits, const float *number)
{
    __m256i lanes = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    __m256i mask = _mm256_and_si256(_mm256_set1_epi32((int)bits), lanes);
    return _mm256_blendv_ps(v, broadcast(number),
                            _mm256_castsi256_ps(_mm256_cmpeq_epi32(mask, lanes)));
}

#include "scene/transform/transform_simd.h"

CNI_BASE_TARGET_AVX2 uint64_t cni_scene_transform_avx2(const CniSceneTransformLayout *layout,
                                                       uint32_t word, CniSceneTransformWord *bits)
{
    return compute_word(layout, word, bits);
}

CniSceneTransformSimdFn cni_scene_transform_simd(void)
{
    static const CniSceneTransformSimdFn paths[CN_SIMD_PATH_COUNT] = {
        [CN_SIMD_AVX2] = cni_scene_transform_avx2, [CN_SIMD_AVX512] = cni_scene_transform_avx512};
    return paths[cn_simd_path()];
}

#else

CniSceneTransformSimdFn cni_scene_transform_simd(void)
{
    return NULL;
}

#endif
