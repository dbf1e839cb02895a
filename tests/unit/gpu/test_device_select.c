/* Which device is chosen, and what is said when none is. */
#include "gpu_device.h"

#include "gpu/vulkan/vk_internal.h"

#include <cairn/base/text.h>

#include <stdlib.h>
#include <string.h>

static CniGpuVkCandidate candidate(const char *name, CnGpuKind kind, const char *missing)
{
    CniGpuVkCandidate made = {.info = {.kind = kind}};
    cn_copy_text(made.info.name, sizeof made.info.name, cn_text(name));
    cn_copy_text(made.missing, sizeof made.missing, cn_text(missing));
    return made;
}

static const char *message;

/* The number chosen, or -1 and `message`. */
static int choose(const char *requested, const CniGpuVkCandidate *candidates, uint32_t count)
{
    static CnError error;
    uint32_t chosen = 0;
    error = (CnError){0};
    message = error.message;
    return cni_gpu_vk_select_device(candidates, count, requested, &chosen, &error) ? (int)chosen
                                                                                   : -1;
}

static void a_discrete_gpu_comes_before_an_integrated_one_before_a_cpu(void **state)
{
    (void)state;
    CniGpuVkCandidate all[] = {candidate("llvmpipe", CN_GPU_KIND_CPU, ""),
                               candidate("Iris", CN_GPU_KIND_INTEGRATED, ""),
                               candidate("GeForce", CN_GPU_KIND_DISCRETE, ""),
                               candidate("Radeon", CN_GPU_KIND_DISCRETE, "")};
    assert_int_equal(choose(NULL, all, 4), 2);
    assert_int_equal(choose(NULL, all, 2), 1);
    assert_int_equal(choose("", all, 1), 0);
}

static void what_lacks_something_is_not_chosen(void **state)
{
    (void)state;
    CniGpuVkCandidate all[] = {candidate("llvmpipe", CN_GPU_KIND_CPU, ""),
                               candidate("Old", CN_GPU_KIND_DISCRETE, "Vulkan 1.3")};
    assert_int_equal(choose(NULL, all, 2), 0);
    assert_int_equal(choose("old", all, 2), -1);
    assert_non_null(strstr(message, "the GPU 'old' cannot be used"));
    assert_non_null(strstr(message, "1: Old, lacks Vulkan 1.3"));
}

static void a_wish_is_a_number_or_part_of_a_name_in_any_case(void **state)
{
    (void)state;
    CniGpuVkCandidate all[] = {candidate("NVIDIA GeForce 4090", CN_GPU_KIND_DISCRETE, ""),
                               candidate("llvmpipe (LLVM)", CN_GPU_KIND_CPU, "")};
    assert_int_equal(choose("1", all, 2), 1);
    assert_int_equal(choose("0", all, 2), 0);
    assert_int_equal(choose("LLVMPIPE", all, 2), 1);
    assert_int_equal(choose("force", all, 2), 0);
}

static void a_wish_that_nothing_meets_lists_what_there_is(void **state)
{
    (void)state;
    CniGpuVkCandidate all[] = {candidate("A", CN_GPU_KIND_DISCRETE, ""),
                               candidate("B", CN_GPU_KIND_CPU, "")};
    assert_int_equal(choose("7", all, 2), -1);
    assert_string_equal(message, "there is no GPU '7'; available: 0: A; 1: B");
    assert_int_equal(choose(NULL, all, 0), -1);
    assert_string_equal(message, "no GPU can be used; available: no Vulkan devices");
}

static void long_names_do_not_break_the_message(void **state)
{
    (void)state;
    CniGpuVkCandidate all[CNI_GPU_VK_MAX_DEVICES];
    char name[128];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (uint32_t i = 0; i < CNI_GPU_VK_MAX_DEVICES; i++)
        all[i] = candidate(name, CN_GPU_KIND_CPU, "everything");
    assert_int_equal(choose(name, all, CNI_GPU_VK_MAX_DEVICES), -1);
    assert_true(strlen(message) < CN_ERROR_MESSAGE_BYTES);
}

static void the_environment_can_choose_the_null_backend(void **state)
{
    (void)state;
    setenv("CAIRN_GPU", "null", 1);
    CnGpu *gpu = cn_gpu_create(&(CnGpuDesc){0}, NULL);
    unsetenv("CAIRN_GPU");
    assert_non_null(gpu);
    assert_int_equal(cn_gpu_info(gpu).kind, CN_GPU_KIND_NULL);
    cn_gpu_destroy(gpu);
    gpu = cn_gpu_create(&(CnGpuDesc){.device = "null"}, NULL);
    assert_int_equal(cn_gpu_info(gpu).kind, CN_GPU_KIND_NULL);
    cn_gpu_destroy(gpu);
}

static void the_environment_wins_over_the_program(void **state)
{
    (void)state;
    setenv("CAIRN_GPU", "no such thing", 1);
    CnError error = {0};
    CnGpu *gpu = cn_gpu_create(&(CnGpuDesc){.device = "null"}, &error);
    unsetenv("CAIRN_GPU");
    assert_null(gpu);
    /* Without Vulkan, that is what is said. */
    assert_true(error.code == CN_ERROR_NOT_FOUND || error.code == CN_ERROR_UNSUPPORTED);
}

static void the_environment_can_switch_validation_on(void **state)
{
    (void)state;
    CnGpu *gpu = make_vulkan(NULL);
    if (!gpu)
        skip();
    end_gpu(gpu);
    static const char *const values[] = {"1", "0", ""};
    for (int i = 0; i < 3; i++) {
        setenv("CAIRN_GPU_VALIDATION", values[i], 1);
        gpu = cn_gpu_create(&(CnGpuDesc){.backend = CN_GPU_VULKAN}, NULL);
        unsetenv("CAIRN_GPU_VALIDATION");
        assert_non_null(gpu);
        assert_int_equal(cn_gpu_info(gpu).validation, i == 0);
        cn_gpu_destroy(gpu);
    }
}

static void count_device(const CnGpuInfo *info, void *user)
{
    assert_int_not_equal(info->name[0], '\0');
    ++*(int *)user;
}

static void every_listed_device_that_fits_can_be_chosen_by_its_number(void **state)
{
    (void)state;
    int count = 0;
    if (!cn_gpu_list(count_device, &count, NULL) || !count)
        skip();
    int made = 0;
    for (int i = 0; i < count; i++) {
        char number[16];
        cn_format(number, sizeof number, "%d", i);
        CnError error = {0};
        CnGpu *gpu =
            cn_gpu_create(&(CnGpuDesc){.backend = CN_GPU_VULKAN, .device = number}, &error);
        made += gpu != NULL;
        if (!gpu)
            assert_non_null(strstr(error.message, "lacks"));
        cn_gpu_destroy(gpu);
    }
    assert_true(made > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_discrete_gpu_comes_before_an_integrated_one_before_a_cpu),
        cmocka_unit_test(what_lacks_something_is_not_chosen),
        cmocka_unit_test(a_wish_is_a_number_or_part_of_a_name_in_any_case),
        cmocka_unit_test(a_wish_that_nothing_meets_lists_what_there_is),
        cmocka_unit_test(long_names_do_not_break_the_message),
        cmocka_unit_test(the_environment_can_choose_the_null_backend),
        cmocka_unit_test(the_environment_wins_over_the_program),
        cmocka_unit_test(the_environment_can_switch_validation_on),
        cmocka_unit_test(every_listed_device_that_fits_can_be_chosen_by_its_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
