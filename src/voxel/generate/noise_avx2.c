/* AVX2: eight samples at a time. */
#include "voxel/generate/noise_lattice.h"

#include <cairn/base/cpu.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES 8u
#define INLINE CNI_BASE_TARGET_AVX2 static inline __attribute__((always_inline))
#define APART CNI_BASE_TARGET_AVX2 static __attribute__((noinline))

typedef float Vec __attribute__((vector_size(32)));
typedef uint32_t Int __attribute__((vector_size(32)));
typedef int32_t Sign __attribute__((vector_size(32)));

INLINE Vec pick(Vec table, Int index)
{
    return (Vec)_mm256_permutevar8x32_ps((__m256)table, (__m256i)index);
}

INLINE void store_some(float *at, Vec v, uint32_t count)
{
    const Sign lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    _mm256_maskstore_ps(at, (__m256i)(lanes < (int32_t)count), (__m256)v);
}

#include "voxel/generate/noise_simd.h"

CNI_BASE_TARGET_AVX2 void cni_voxel_noise_tile_avx2(const CniVoxelNoiseTile *tile,
                                                    const CniVoxelNoiseTarget *target)
{
    fill_tile(tile, target);
}
#endif
