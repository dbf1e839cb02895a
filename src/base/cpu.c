#include <cairn/base/cpu.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#define NOT_CHOSEN (-1)
#define USUAL_CACHE_LINE 64u
#define MAX_CORES_ASKED (1 << 16)

static CnCpuInfo cpu_info;
static pthread_once_t cpu_info_read = PTHREAD_ONCE_INIT;
int cni_base_simd_path_current = NOT_CHOSEN;

static const char *const path_names[CN_SIMD_PATH_COUNT] = {
    [CN_SIMD_SCALAR] = "scalar",
    [CN_SIMD_AVX2] = "avx2",
    [CN_SIMD_AVX512] = "avx512",
};

#if defined(__x86_64__)
/* The compiler's builtin also checks whether the operating system saves the wide registers. */
static CnSimdPath find_best_path(void)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2") ||
        !__builtin_cpu_supports("fma"))
        return CN_SIMD_SCALAR;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
        return CN_SIMD_AVX2;
    return CN_SIMD_AVX512;
}

/* Leaves 0x80000002 to 0x80000004 hold the brand text, 16 bytes each. */
static void read_name(char *name, size_t name_bytes)
{
    unsigned int words[12] = {0};
    if ((unsigned int)__get_cpuid_max(0x80000000u, NULL) < 0x80000004u)
        return;
    for (unsigned int i = 0; i < 3; i++)
        __get_cpuid(0x80000002u + i, &words[i * 4], &words[i * 4 + 1], &words[i * 4 + 2],
                    &words[i * 4 + 3]);
    char raw[sizeof words + 1] = "";
    memcpy(raw, words, sizeof words);
    cn_copy_text(name, name_bytes, cn_text_trim(cn_text(raw)));
}
#else
static CnSimdPath find_best_path(void)
{
    return CN_SIMD_SCALAR;
}

static void read_name(char *name, size_t name_bytes)
{
    (void)name, (void)name_bytes;
}
#endif

/* The kernel requires a mask at least as large as its own, whose size is not known beforehand. */
static uint32_t count_cores(void)
{
    for (int cores = 1024; cores <= MAX_CORES_ASKED; cores *= 2) {
        cpu_set_t *mask = CPU_ALLOC(cores);
        if (!mask)
            break;
        size_t mask_bytes = CPU_ALLOC_SIZE(cores);
        int count = 0;
        if (sched_getaffinity(0, mask_bytes, mask) == 0)
            count = CPU_COUNT_S(mask_bytes, mask);
        CPU_FREE(mask);
        if (count > 0)
            return (uint32_t)count;
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

static uint32_t find_cache_line(void)
{
    long bytes = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
    return bytes > 0 ? (uint32_t)bytes : USUAL_CACHE_LINE;
}

static void read_cpu_info(void)
{
    cpu_info.best_path = find_best_path();
    cpu_info.logical_cores = count_cores();
    cpu_info.cache_line_bytes = find_cache_line();
    read_name(cpu_info.name, sizeof cpu_info.name);
}

const CnCpuInfo *cn_cpu_info(void)
{
    pthread_once(&cpu_info_read, read_cpu_info);
    return &cpu_info;
}

static bool path_from_name(const char *name, CnSimdPath *path)
{
    for (int i = 0; i < CN_SIMD_PATH_COUNT; i++) {
        if (strcmp(name, path_names[i]) == 0) {
            *path = (CnSimdPath)i;
            return true;
        }
    }
    return false;
}

/* The first thread to arrive decides, and warns about an invalid CAIRN_SIMD. */
CnSimdPath cni_base_simd_choose(void)
{
    CnSimdPath best = cn_cpu_info()->best_path;
    CnSimdPath path = best;
    const char *wanted = getenv("CAIRN_SIMD");
    bool is_set = wanted && wanted[0];
    bool is_known = is_set && path_from_name(wanted, &path);
    bool is_lacking = path > best;
    if (is_lacking)
        path = best;

    int expected = NOT_CHOSEN;
    if (!__atomic_compare_exchange_n(&cni_base_simd_path_current, &expected, (int)path, false,
                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return (CnSimdPath)expected;
    if (is_set && !is_known)
        CN_LOG_WARNING("base", "CAIRN_SIMD=%s is not a SIMD path (scalar, avx2, avx512); using %s",
                       wanted, path_names[path]);
    else if (is_lacking)
        CN_LOG_WARNING("base", "CAIRN_SIMD=%s is not available on this CPU; using %s", wanted,
                       path_names[path]);
    return path;
}

bool cn_simd_force(CnSimdPath path)
{
    if ((unsigned)path > (unsigned)cn_cpu_info()->best_path)
        return false;
    __atomic_store_n(&cni_base_simd_path_current, (int)path, __ATOMIC_RELAXED);
    return true;
}

const char *cn_simd_path_name(CnSimdPath path)
{
    return (unsigned)path < CN_SIMD_PATH_COUNT ? path_names[path] : "unknown";
}
