/* Numbers that name nothing: guards catch them, and without guards the result is harmless. */
#include "guards.h"

#include <cairn/voxel.h>

#include <string.h>

static void expect_no_biome(int number)
{
#ifdef CN_GUARDS
    EXPECT_GUARD(cn_biome_name((CnBiome)number));
    assert_non_null(strstr(guard_message(), "unknown biome"));
#else
    assert_string_equal(cn_biome_name((CnBiome)number), "unknown");
#endif
}

static void a_biome_that_is_none_has_no_name(void **state)
{
    (void)state;
    static const int no_biomes[] = {CN_BIOME_COUNT, CN_BIOME_COUNT + 1, 255, 1 << 20, -1};
    for (size_t i = 0; i < CN_COUNT_OF(no_biomes); i++)
        expect_no_biome(no_biomes[i]);
}

static void expect_no_edit(const CnEditLog *log, uint32_t number)
{
#ifdef CN_GUARDS
    EXPECT_GUARD(cn_edit_log_at(log, number));
    assert_non_null(strstr(guard_message(), "the log has 0 edits"));
#else
    CnEdit edit = cn_edit_log_at(log, number), empty = {0};
    assert_memory_equal(&edit, &empty, sizeof edit);
#endif
}

static void an_edit_that_a_log_does_not_have_is_empty(void **state)
{
    (void)state;
    static const uint32_t bad[] = {0, 1, 7, UINT32_MAX};
    CnEditLog *log = cn_edit_log_create(NULL, 4);
    for (size_t i = 0; i < CN_COUNT_OF(bad); i++)
        expect_no_edit(log, bad[i]);
    cn_edit_log_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_biome_that_is_none_has_no_name),
        cmocka_unit_test(an_edit_that_a_log_does_not_have_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
