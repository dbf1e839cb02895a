/*
 * CPU features, and the choice of the SIMD path that kernels use.
 *
 * The path is chosen on first use: the best one that the CPU supports, or the one that
 * CAIRN_SIMD=scalar|avx2|avx512 requests. If the CPU lacks the requested path, this is logged
 * and the best available path is used. All paths produce identical bits; forcing one is meant
 * for tests and measurements.
 */
#ifndef CAIRN_BASE_CPU_H
#define CAIRN_BASE_CPU_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

typedef enum CnSimdPath {
    CN_SIMD_SCALAR, /* the baseline of the architecture */
    /* AVX2, BMI2 and FMA are present; FMA is not used, because it rounds differently */
    CN_SIMD_AVX2,
    CN_SIMD_AVX512, /* F, BW, DQ, VL */
    CN_SIMD_PATH_COUNT
} CnSimdPath;

typedef struct CnCpuInfo {
    CnSimdPath best_path;
    uint32_t logical_cores; /* that this process may run on; at least 1 */
    uint32_t cache_line_bytes;
    char name[64]; /* as the CPU reports it; "" when unknown */
} CnCpuInfo;

/* Returns a description of the CPU. Thread-safe; never freed. */
CN_API const CnCpuInfo *cn_cpu_info(void);
/* -1 until the path is chosen. */
CN_API extern int cni_base_simd_path_current;
CN_API CnSimdPath cni_base_simd_choose(void);

/* Returns the path in use. Cheap: kernels read it once per call. Thread-safe. */
static inline CnSimdPath cn_simd_path(void)
{
    int path = __atomic_load_n(&cni_base_simd_path_current, __ATOMIC_RELAXED);
    return CN_LIKELY(path >= 0) ? (CnSimdPath)path : cni_base_simd_choose();
}
/* Forces a path for the whole process. Returns false, and changes nothing, when the CPU lacks
 * it. */
CN_API bool cn_simd_force(CnSimdPath path);
/* Returns the name of a path, as CAIRN_SIMD accepts it. */
CN_API const char *cn_simd_path_name(CnSimdPath path);

/*
 * CN_SIMD_DISPATCH(name, (parameters), (arguments)) { body } defines a static function `name`
 * whose body is compiled once for each path; the path is chosen at run time. Declare pointer
 * parameters `restrict`: gcc and clang both make use of it on parameters, but neither does on
 * local variables.
 *
 *     CN_SIMD_DISPATCH(scale, (int n, float *restrict x, float k), (n, x, k))
 *     {
 *         for (int i = 0; i < n; i++)
 *             x[i] *= k;
 *     }
 *
 * The body must not accumulate floats across elements; elementwise operations produce the same
 * bits on every path.
 */
#define CNI_BASE_TARGET_AVX2 __attribute__((target("avx2,bmi2")))
#define CNI_BASE_TARGET_AVX512                                                                     \
    __attribute__((target("avx2,bmi2,avx512f,avx512bw,avx512dq,avx512vl")))
#if defined(__x86_64__)
#define CN_SIMD_DISPATCH(name, parameters, arguments)                                              \
    static inline __attribute__((always_inline)) void name##_body parameters;                      \
    CNI_BASE_TARGET_AVX2 static __attribute__((noinline)) void name##_avx2 parameters              \
    {                                                                                              \
        name##_body arguments;                                                                     \
    }                                                                                              \
    CNI_BASE_TARGET_AVX512 static __attribute__((noinline)) void name##_avx512 parameters          \
    {                                                                                              \
        name##_body arguments;                                                                     \
    }                                                                                              \
    static __attribute__((noinline)) void name##_scalar parameters                                 \
    {                                                                                              \
        name##_body arguments;                                                                     \
    }                                                                                              \
    __attribute__((unused)) static void name parameters                                            \
    {                                                                                              \
        switch (cn_simd_path()) {                                                                  \
        case CN_SIMD_AVX512:                                                                       \
            name##_avx512 arguments;                                                               \
            break;                                                                                 \
        case CN_SIMD_AVX2:                                                                         \
            name##_avx2 arguments;                                                                 \
            break;                                                                                 \
        default:                                                                                   \
            name##_scalar arguments;                                                               \
        }                                                                                          \
    }                                                                                              \
    static inline __attribute__((always_inline)) void name##_body parameters
/* An initializer for an array of the functions of each path, in the order of CnSimdPath. */
#define CN_SIMD_PATHS(name)                                                                        \
    {                                                                                              \
        name##_scalar, name##_avx2, name##_avx512                                                  \
    }
#else
#define CN_SIMD_DISPATCH(name, parameters, arguments) static void name parameters
#define CN_SIMD_PATHS(name)                                                                        \
    {                                                                                              \
        name                                                                                       \
    }
#endif

CN_EXTERN_C_END

#endif
