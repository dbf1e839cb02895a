/* AVX-512: sixteen samples at a time. */
#include "voxel/generate/noise_lattice.h"

#include <cairn/base/cpu.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES 16u
#define INLINE CNI_BASE_TARGET_AVX512 static inline __attribute__((always_inline))
#define APART CNI_BASE_TARGET_AVX512 static __attribute__((noinline))

typedef float Vec __attribute__((vector_size(64)));
typedef uint32_t Int __attribute__((vector_size(64)));
typedef int32_t Sign __attribute__((vector_size(64)));

INLINE Vec pick(Vec table, Int index)
{
    return (Vec)_mm512_permutexvar_ps((__m512i)index, (__m512)table);
}

INLINE void store_some(float *at, Vec v, uint32_t count)
{
    uint32_t lanes = count < LANES ? (1u << count) - 1u : 0xffffu;
    _mm512_mask_storeu_ps(at, (__mmask16)lanes, (__m512)v);
}

#include "voxel/generate/noise_simd.h"

CNI_BASE_TARGET_AVX512 void cni_voxel_noise_tile_avx512(const CniVoxelNoiseTile *tile,
                                                        const CniVoxelNoiseTarget *target)
{
    fill_tile(tile, target);
}
#endif
