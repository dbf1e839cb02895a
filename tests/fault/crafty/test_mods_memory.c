/* Finding and ordering mods, and packing them, when memory runs out. */
#include "failing_heap.h"
#include "mod_files_fixture.h"

static bool load(CnAllocator *allocator, void *user)
{
    (void)user;
    char folder[300];
    CnError error = {0};
    cn_copy_text(folder, sizeof folder, cn_text(mod_path("mods")));
    CraftyModSet *set = crafty_mod_set_create(
        &(CraftyModSetDesc){.allocator = allocator,
                            .folders = &(CraftyModFolder){.path = folder, .is_enabled = true},
                            .folder_count = 1},
        &error);
    if (!set) {
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        return false;
    }
    assert_int_equal(crafty_mod_set_count(set), 2);
    assert_int_equal(crafty_mod_set_problem_count(set), 2);
    crafty_mod_set_destroy(set);
    return true;
}

static void a_set_is_complete_or_an_error(void **state)
{
    (void)state;
    mod_write("mods/a", "a", "1.0.0", "\"dependencies\": {\"b\": \"*\"}");
    mod_write("mods/b", "b", "1.0.0", NULL);
    mod_write("mods/c", "c", "1.0.0", "\"dependencies\": {\"gone\": \"*\"}");
    mod_write_file("mods/broken/mod.json", "{");
    assert_true(run_with_failing_allocations(load, NULL) > 5);
}

static int begin(void **state)
{
    (void)state;
    scratch_init(&mod_scratch);
    return 0;
}

static int end(void **state)
{
    (void)state;
    scratch_fini(&mod_scratch);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_set_is_complete_or_an_error, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
