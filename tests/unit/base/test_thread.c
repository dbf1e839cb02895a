/* test-labels: threads */
#include "cmocka_tests.h"

#include <base/job/thread.h>

#include <cairn/base/clock.h>
#include <cairn/base/cpu.h>

static void *set_flag(void *data)
{
    *(bool *)data = true;
    return NULL;
}

static void a_thread_has_run_once_it_is_joined(void **state)
{
    (void)state;
    bool flag = false;
    CniBaseThread thread;
    assert_true(cni_base_thread_start(&thread, "flag", set_flag, &flag));
    cni_base_thread_join(&thread);
    assert_true(flag);
}

static void threads_can_be_made_to_fail(void **state)
{
    (void)state;
    bool flag = false;
    CniBaseThread thread;
    cni_base_thread_fail_after(1);
    assert_true(cni_base_thread_start(&thread, "first", set_flag, &flag));
    cni_base_thread_join(&thread);
    assert_false(cni_base_thread_start(&thread, "second", set_flag, &flag));
    assert_false(cni_base_thread_start(&thread, "third", set_flag, &flag));
    cni_base_thread_fail_after(CNI_BASE_THREADS_NEVER_FAIL);
    assert_true(cni_base_thread_start(&thread, "fourth", set_flag, &flag));
    cni_base_thread_join(&thread);
}

typedef struct Runner {
    _Atomic bool stop;
    _Atomic uint32_t core;
} Runner;

static void *note_core(void *data)
{
    Runner *runner = data;
    while (!atomic_load(&runner->stop))
        atomic_store(&runner->core, cni_base_thread_core());
    return NULL;
}

static void a_thread_avoids_the_given_core(void **state)
{
    (void)state;
    if (cn_cpu_info()->logical_cores < 2 || cni_base_thread_core() == CNI_BASE_CORE_UNKNOWN)
        skip();
    Runner runner = {.core = CNI_BASE_CORE_UNKNOWN};
    CniBaseThread thread;
    assert_true(cni_base_thread_start(&thread, "runner", note_core, &runner));
    for (int i = 0; i < 10; i++) {
        while (atomic_load(&runner.core) == CNI_BASE_CORE_UNKNOWN)
            cn_clock_sleep_ns(10000);
        uint32_t core = atomic_load(&runner.core);
        cni_base_thread_avoid_core(&thread, core);
        atomic_store(&runner.core, CNI_BASE_CORE_UNKNOWN);
        while (atomic_load(&runner.core) == CNI_BASE_CORE_UNKNOWN)
            cn_clock_sleep_ns(10000);
        cn_clock_sleep_ns(10000);
        assert_int_not_equal(atomic_load(&runner.core), core);
    }
    atomic_store(&runner.stop, true);
    cni_base_thread_join(&thread);
}

/* ---- Parking ---- */

static void waking_when_nobody_sleeps_wakes_nobody(void **state)
{
    (void)state;
    CniBaseParking parking;
    cni_base_parking_init(&parking);
    assert_int_equal(cni_base_parking_wake(&parking, 5), 0);
    cni_base_parking_fini(&parking);
}

static void a_thread_that_leaves_is_not_woken(void **state)
{
    (void)state;
    CniBaseParking parking;
    cni_base_parking_init(&parking);
    cni_base_parking_enter(&parking);
    cni_base_parking_leave(&parking);
    assert_int_equal(cni_base_parking_wake(&parking, 1), 0);
    cni_base_parking_fini(&parking);
}

static void a_wake_up_before_the_sleep_is_not_lost(void **state)
{
    (void)state;
    CniBaseParking parking;
    cni_base_parking_init(&parking);
    cni_base_parking_enter(&parking);
    assert_int_equal(cni_base_parking_wake(&parking, 1), 1);
    cni_base_parking_sleep(&parking); /* returns at once */
    cni_base_parking_fini(&parking);
}

static void a_thread_that_leaves_takes_its_wake_up_along(void **state)
{
    (void)state;
    CniBaseParking parking;
    cni_base_parking_init(&parking);
    cni_base_parking_enter(&parking);
    assert_int_equal(cni_base_parking_wake(&parking, 1), 1);
    cni_base_parking_leave(&parking);
    cni_base_parking_enter(&parking);
    assert_int_equal(cni_base_parking_wake(&parking, UINT32_MAX), 1);
    cni_base_parking_sleep(&parking);
    cni_base_parking_fini(&parking);
}

static void no_worker_is_woken_twice(void **state)
{
    (void)state;
    CniBaseParking parking;
    cni_base_parking_init(&parking);
    cni_base_parking_enter(&parking);
    cni_base_parking_enter(&parking);
    assert_int_equal(cni_base_parking_wake(&parking, 1), 1);
    assert_int_equal(cni_base_parking_wake(&parking, 3), 1);
    assert_int_equal(cni_base_parking_wake(&parking, 3), 0);
    cni_base_parking_sleep(&parking);
    cni_base_parking_sleep(&parking);
    cni_base_parking_fini(&parking);
}

static void *sleep_once(void *data)
{
    CniBaseParking *parking = data;
    cni_base_parking_enter(parking);
    cni_base_parking_sleep(parking);
    return NULL;
}

static void sleeping_threads_wake(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    CniBaseParking parking;
    CniBaseThread threads[THREADS];
    cni_base_parking_init(&parking);
    for (int i = 0; i < THREADS; i++)
        assert_true(cni_base_thread_start(&threads[i], "sleeper", sleep_once, &parking));
    for (uint32_t woken = 0; woken < THREADS;) {
        woken += cni_base_parking_wake(&parking, 2);
        cn_clock_sleep_ns(100000);
    }
    for (int i = 0; i < THREADS; i++)
        cni_base_thread_join(&threads[i]);
    cni_base_parking_fini(&parking);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_has_run_once_it_is_joined),
        cmocka_unit_test(threads_can_be_made_to_fail),
        cmocka_unit_test(a_thread_avoids_the_given_core),
        cmocka_unit_test(waking_when_nobody_sleeps_wakes_nobody),
        cmocka_unit_test(a_thread_that_leaves_is_not_woken),
        cmocka_unit_test(a_wake_up_before_the_sleep_is_not_lost),
        cmocka_unit_test(a_thread_that_leaves_takes_its_wake_up_along),
        cmocka_unit_test(no_worker_is_woken_twice),
        cmocka_unit_test(sleeping_threads_wake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
