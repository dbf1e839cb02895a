/* Engines whose n-th allocation fails while they are made. */
#include "engine_fixture.h"
#include "failing_heap.h"

static bool use_engine(CnAllocator *allocator, void *user)
{
    CnError error = {0};
    CnEngineDesc desc = small_desc(&(CnEngineDesc){.allocator = allocator,
                                                   .title = "memory",
                                                   .gpu = "null",
                                                   .render_thread = *(CnSwitch *)user});
    CnEngine *engine = cn_engine_create(&desc, &error);
    if (!engine && error.code != CN_ERROR_MEMORY)
        fail_msg("%s", error.message);
    bool made = engine && cn_engine_world(engine);
    cn_engine_destroy(engine);
    return made;
}

static void engines_are_made_whole_or_not_at_all(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(use_engine, &(CnSwitch){CN_SWITCH_OFF}) > 20);
}

static void with_a_render_thread_too(void **state)
{
    (void)state;
    run_with_failing_allocations(use_engine, &(CnSwitch){CN_SWITCH_ON});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_are_made_whole_or_not_at_all),
        cmocka_unit_test(with_a_render_thread_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
