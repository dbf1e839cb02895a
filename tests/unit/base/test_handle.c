#include "cmocka_tests.h"
#include "random.h"

#include <cairn/base/handle.h>

static int make_handles(void **state)
{
    static CnHandlePool handles;
    cn_handle_pool_init(&handles, NULL);
    *state = &handles;
    return 0;
}

static int drop_handles(void **state)
{
    cn_handle_pool_fini(*state);
    return 0;
}

static void zero_is_null_and_not_live(void **state)
{
    CnHandle null = {0};
    assert_true(cn_handle_is_null(null));
    assert_false(cn_handle_is_live(*state, null));
    cn_handle_acquire(*state);
    assert_false(cn_handle_is_live(*state, null));
}

static void acquired_handles_are_live_and_indexed_from_zero(void **state)
{
    for (uint32_t i = 0; i < 100; i++) {
        CnHandle handle = cn_handle_acquire(*state);
        assert_false(cn_handle_is_null(handle));
        assert_int_equal(cn_handle_index(handle), i);
        assert_true(cn_handle_is_live(*state, handle));
    }
}

static void a_released_handle_is_stale_for_ever(void **state)
{
    CnHandle old = cn_handle_acquire(*state);
    assert_true(cn_handle_release(*state, old));
    assert_false(cn_handle_is_live(*state, old));
    CnHandle reused = cn_handle_acquire(*state);
    assert_int_equal(cn_handle_index(reused), cn_handle_index(old));
    assert_false(cn_handle_equal(reused, old));
    assert_false(cn_handle_is_live(*state, old));
    assert_true(cn_handle_is_live(*state, reused));
}

static void releasing_a_stale_handle_changes_nothing(void **state)
{
    CnHandlePool *handles = *state;
    CnHandle old = cn_handle_acquire(handles);
    cn_handle_release(handles, old);
    CnHandle reused = cn_handle_acquire(handles);
    assert_false(cn_handle_release(handles, old));
    assert_false(cn_handle_release(handles, (CnHandle){0}));
    assert_false(cn_handle_release(handles, (CnHandle){.slot = 99, .generation = 1}));
    assert_true(cn_handle_is_live(handles, reused));
    assert_int_equal(handles->live, 1);
}

static void a_made_up_handle_is_not_live(void **state)
{
    CnHandle handle = cn_handle_acquire(*state);
    cn_handle_release(*state, handle);
    /* The generation of the free slot itself: even, therefore nobody's. */
    assert_false(cn_handle_is_live(*state, (CnHandle){handle.slot, handle.generation + 1}));
}

static void a_slot_is_given_up_before_its_generation_wraps(void **state)
{
    CnHandlePool *handles = *state;
    CnHandle handle = cn_handle_acquire(handles);
    handles->generations[0] = handle.generation = UINT32_MAX;
    assert_true(cn_handle_release(handles, handle));
    assert_int_equal(handles->retired, 1);
    assert_false(cn_handle_is_live(handles, handle));
    CnHandle next = cn_handle_acquire(handles);
    assert_int_equal(cn_handle_index(next), 1);
    assert_int_equal(handles->live, 1);
}

static void random_use_agrees_with_a_list(void **state)
{
    CnHandlePool *handles = *state;
    enum { MOST = 500 };
    CnHandle live[MOST], stale[MOST];
    uint32_t live_count = 0, stale_count = 0;
    TestRandom random = {11};
    for (int step = 0; step < 20000; step++) {
        if (live_count < MOST && test_random_chance(&random, 52)) {
            live[live_count++] = cn_handle_acquire(handles);
        } else if (live_count > 0) {
            uint32_t i = test_random_below(&random, live_count);
            assert_true(cn_handle_release(handles, live[i]));
            stale[stale_count++ % MOST] = live[i];
            live[i] = live[--live_count];
        }
        assert_int_equal(handles->live, live_count);
    }
    for (uint32_t i = 0; i < live_count; i++)
        assert_true(cn_handle_is_live(handles, live[i]));
    for (uint32_t i = 0; i < MOST && i < stale_count; i++)
        assert_false(cn_handle_is_live(handles, stale[i]));
    assert_true(handles->count <= MOST);
}

#define HANDLE_TEST(name) cmocka_unit_test_setup_teardown(name, make_handles, drop_handles)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HANDLE_TEST(zero_is_null_and_not_live),
        HANDLE_TEST(acquired_handles_are_live_and_indexed_from_zero),
        HANDLE_TEST(a_released_handle_is_stale_for_ever),
        HANDLE_TEST(releasing_a_stale_handle_changes_nothing),
        HANDLE_TEST(a_made_up_handle_is_not_live),
        HANDLE_TEST(a_slot_is_given_up_before_its_generation_wraps),
        HANDLE_TEST(random_use_agrees_with_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
