#include "child.h"
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/base/cpu.h>

#include <sched.h>
#include <string.h>

#define ITEMS 1003

CN_SIMD_DISPATCH(scale_and_add, (int n, float *restrict x, const float *restrict y, float k),
                 (n, x, y, k))
{
    for (int i = 0; i < n; i++)
        x[i] = x[i] * k + y[i];
}

static void there_is_a_core_and_a_cache_line(void **state)
{
    (void)state;
    const CnCpuInfo *info = cn_cpu_info();
    assert_true(info->logical_cores >= 1);
    assert_true(info->cache_line_bytes >= 16);
    assert_true((unsigned)info->best_path < CN_SIMD_PATH_COUNT);
    assert_ptr_equal(cn_cpu_info(), info);
}

static void cores_are_those_this_process_may_use(void **state)
{
    (void)state;
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) != 0)
        skip();
    assert_int_equal(cn_cpu_info()->logical_cores, CPU_COUNT(&mask));
}

static void the_name_is_trimmed(void **state)
{
    (void)state;
    const char *name = cn_cpu_info()->name;
    size_t size = strlen(name);
    assert_true(size < sizeof cn_cpu_info()->name);
    if (size > 0) {
        assert_int_not_equal(name[0], ' ');
        assert_int_not_equal(name[size - 1], ' ');
    }
}

static void a_path_the_cpu_has_can_be_forced(void **state)
{
    (void)state;
    CnSimdPath before = cn_simd_path();
    for (int path = 0; path <= (int)cn_cpu_info()->best_path; path++) {
        assert_true(cn_simd_force((CnSimdPath)path));
        assert_int_equal(cn_simd_path(), path);
    }
    cn_simd_force(before);
}

static void a_path_the_cpu_lacks_is_refused(void **state)
{
    (void)state;
    CnSimdPath before = cn_simd_path();
    for (int path = (int)cn_cpu_info()->best_path + 1; path <= CN_SIMD_PATH_COUNT; path++)
        assert_false(cn_simd_force((CnSimdPath)path));
    assert_false(cn_simd_force((CnSimdPath)-1));
    assert_int_equal(cn_simd_path(), before);
}

static void paths_have_names(void **state)
{
    (void)state;
    assert_string_equal(cn_simd_path_name(CN_SIMD_SCALAR), "scalar");
    assert_string_equal(cn_simd_path_name(CN_SIMD_AVX2), "avx2");
    assert_string_equal(cn_simd_path_name(CN_SIMD_AVX512), "avx512");
    assert_string_equal(cn_simd_path_name(CN_SIMD_PATH_COUNT), "unknown");
}

static void a_dispatched_function_gives_the_same_bits_on_every_path(void **state)
{
    (void)state;
    static float start[ITEMS], add[ITEMS], expected[ITEMS], x[ITEMS];
    TestRandom random = {3};
    for (int i = 0; i < ITEMS; i++) {
        start[i] = (float)(test_random_unit(&random) * 2000 - 1000);
        add[i] = (float)(test_random_unit(&random) * 1e-3);
    }
    CnSimdPath before = cn_simd_path();
    cn_simd_force(CN_SIMD_SCALAR);
    memcpy(expected, start, sizeof expected);
    scale_and_add(ITEMS, expected, add, 1.0000001f);
    for (int path = 1; path <= (int)cn_cpu_info()->best_path; path++) {
        cn_simd_force((CnSimdPath)path);
        memcpy(x, start, sizeof x);
        scale_and_add(ITEMS, x, add, 1.0000001f);
        assert_memory_equal(x, expected, sizeof x);
    }
    cn_simd_force(before);
}

/* ---- What is read once, in a process of its own ---- */

/* With "plain" it takes the CPU for one without AVX. */
static int run_child(const char *cpu)
{
    if (strcmp(cpu, "plain") == 0)
        ((CnCpuInfo *)(uintptr_t)cn_cpu_info())->best_path = CN_SIMD_SCALAR;
    return (int)cn_simd_path();
}

static void without_a_wish_the_best_path_is_taken(void **state)
{
    (void)state;
    char output[512];
    assert_int_equal(child_run("child", "CAIRN_SIMD=", output, sizeof output),
                     cn_cpu_info()->best_path);
    assert_string_equal(output, "");
}

static void the_environment_chooses_the_path(void **state)
{
    (void)state;
    char output[512];
    assert_int_equal(child_run("child", "CAIRN_SIMD=scalar", output, sizeof output),
                     CN_SIMD_SCALAR);
    assert_string_equal(output, "");
    if (cn_cpu_info()->best_path >= CN_SIMD_AVX2)
        assert_int_equal(child_run("child", "CAIRN_SIMD=avx2", output, sizeof output),
                         CN_SIMD_AVX2);
}

static void an_unknown_path_is_reported_and_the_best_taken(void **state)
{
    (void)state;
    char output[512];
    assert_int_equal(child_run("child", "CAIRN_SIMD=mmx", output, sizeof output),
                     cn_cpu_info()->best_path);
    assert_non_null(strstr(output, "warning base: CAIRN_SIMD=mmx is not a SIMD path"));
}

static void a_wish_the_cpu_lacks_is_reported_and_the_best_taken(void **state)
{
    (void)state;
    char output[512];
    assert_int_equal(child_run("plain", "CAIRN_SIMD=avx512", output, sizeof output),
                     CN_SIMD_SCALAR);
    assert_non_null(strstr(output, "CAIRN_SIMD=avx512 is not available on this CPU"));
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return run_child(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_a_core_and_a_cache_line),
        cmocka_unit_test(cores_are_those_this_process_may_use),
        cmocka_unit_test(the_name_is_trimmed),
        cmocka_unit_test(a_path_the_cpu_has_can_be_forced),
        cmocka_unit_test(a_path_the_cpu_lacks_is_refused),
        cmocka_unit_test(paths_have_names),
        cmocka_unit_test(a_dispatched_function_gives_the_same_bits_on_every_path),
        cmocka_unit_test(without_a_wish_the_best_path_is_taken),
        cmocka_unit_test(the_environment_chooses_the_path),
        cmocka_unit_test(an_unknown_path_is_reported_and_the_best_taken),
        cmocka_unit_test(a_wish_the_cpu_lacks_is_reported_and_the_best_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
