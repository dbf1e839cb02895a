/*
 * What the CPU can do, and which SIMD path kernels take.
 *
 * The path is chosen at start: the best the CPU has, or what CAIRN_SIMD=scalar|avx2|avx512 asks
 * for (a path the CPU lacks is reported and the best available is taken). All paths give the same
 * bits; forcing one is for tests and measurements.
 */
#ifndef CAIRN_BASE_CPU_H
#define CAIRN_BASE_CPU_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

typedef enum CnSimdPath {
    CN_SIMD_SCALAR, /* what every x86-64 (or another architecture's baseline) runs */
    CN_SIMD_AVX2,   /* AVX2, BMI2 and FMA present; FMA is not used for rounding reasons */
    CN_SIMD_AVX512, /* F, BW, DQ, VL */
    CN_SIMD_PATH_COUNT
} CnSimdPath;

typedef struct CnCpuInfo {
    CnSimdPath best_path;
    uint32_t logical_cores; /* this process may run on; at least 1 */
    uint32_t cache_line_bytes;
    char name[64]; /* the CPU's own, "" when unknown */
} CnCpuInfo;

CN_API const CnCpuInfo *cn_cpu_info(void);
/* -1 until the path is chosen. */
CN_API extern int cni_simd_path_in_force;
CN_API CnSimdPath cni_simd_choose(void);

/* The path in force. Cheap; kernels read it once per call. Thread-safe. */
static inline CnSimdPath cn_simd_path(void)
{
    int path = __atomic_load_n(&cni_simd_path_in_force, __ATOMIC_RELAXED);
    return CN_LIKELY(path >= 0) ? (CnSimdPath)path : cni_simd_choose();
}
/* Forces a path for the whole process; false (and no change) when the CPU lacks it. */
CN_API bool cn_simd_force(CnSimdPath path);
CN_API const char *cn_simd_path_name(CnSimdPath path);

/* CN_SIMD_DISPATCH(name, (parameters), (arguments)) { body } defines a static function `name` whose
 * body is compiled once per path and chosen at run time. Let pointer parameters be restrict: on
 * parameters both gcc and clang use it, on locals neither does.
 *
 *     CN_SIMD_DISPATCH(scale, (int n, float *restrict x, float k), (n, x, k))
 *     {
 *         for (int i = 0; i < n; i++)
 *             x[i] *= k;
 *     }
 *
 * The body must not reduce floats: elementwise work gives the same bits on every path. */
#define CNI_TARGET_AVX2 __attribute__((target("avx2,bmi2")))
#define CNI_TARGET_AVX512 __attribute__((target("avx2,bmi2,avx512f,avx512bw,avx512dq,avx512vl")))
#if defined(__x86_64__)
#define CN_SIMD_DISPATCH(name, parameters, arguments)                                              \
    static inline __attribute__((always_inline)) void name##_body parameters;                      \
    CNI_TARGET_AVX2 static __attribute__((noinline)) void name##_avx2 parameters                   \
    {                                                                                              \
        name##_body arguments;                                                                     \
    }                                                                                              \
    CNI_TARGET_AVX512 static __attribute__((noinline)) void name##_avx512 parameters               \
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
/* The functions behind it, in the order of CnSimdPath. */
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
