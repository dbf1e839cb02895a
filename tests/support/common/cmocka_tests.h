/*
 * cmocka, what it wants to be included before it, and what our tests add: tests that cannot run are
 * counted, never passed.
 *
 * A test that lacks something of the machine, a device or a display, calls skip(), or the support
 * that did not find it calls cannot_run(): then the test is counted as skipped whatever it does
 * afterwards, and so are all tests of a group whose setup called it. cmocka_run_group_tests returns
 * 1 when any test of the program so far failed, TEST_SKIPPED when none failed and any was skipped,
 * and 0 when all passed: a program passes only if all of it ran.
 */
#ifndef CAIRN_TESTS_SUPPORT_COMMON_CMOCKA_TESTS_H
#define CAIRN_TESTS_SUPPORT_COMMON_CMOCKA_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* The exit status by which ctest knows a test that was skipped. */
enum { TEST_SKIPPED = 77 };

typedef struct TestRun {
    const struct CMUnitTest *tests; /* of the group that runs, as the program gave them */
    CMFixtureFunction group_setup;
    size_t next;             /* the test that is set up next */
    const char *group_lacks; /* what the setup of the group did not find, or NULL */
    const char *test_lacks;  /* the same of the test that runs */
    bool is_in_group_setup;
    size_t skipped, failed; /* of all groups */
} TestRun;

/* One for the program, though several of its files include this header. */
__attribute__((weak)) TestRun test_run;

/* The machine lacks `what`, a text that lives on, such as "a Vulkan device". */
static inline void cannot_run(const char *what)
{
    *(test_run.is_in_group_setup ? &test_run.group_lacks : &test_run.test_lacks) = what;
}

static inline void skip_test(const char *file, int line)
{
    test_run.skipped++;
    _skip(file, line);
}
#undef skip
#define skip() skip_test(__FILE__, __LINE__)

static inline int run_counted_group_setup(void **state)
{
    test_run.is_in_group_setup = true;
    int result = test_run.group_setup ? test_run.group_setup(state) : 0;
    test_run.is_in_group_setup = false;
    return test_run.group_lacks ? 0 : result;
}

static inline int run_counted_setup(void **state)
{
    const struct CMUnitTest *test = &test_run.tests[test_run.next++];
    test_run.test_lacks = test_run.group_lacks;
    if (test_run.group_lacks || !test->setup_func)
        return 0;
    int result = test->setup_func(state);
    return test_run.test_lacks ? 0 : result;
}

static inline void run_counted_test(void **state)
{
    const struct CMUnitTest *test = &test_run.tests[test_run.next - 1];
    if (!test_run.test_lacks)
        test->test_func(state);
    if (test_run.test_lacks) {
        print_message("skipped: there is no %s\n", test_run.test_lacks);
        skip();
    }
}

static inline int run_counted_teardown(void **state)
{
    const struct CMUnitTest *test = &test_run.tests[test_run.next - 1];
    return test->teardown_func && !test_run.group_lacks ? test->teardown_func(state) : 0;
}

/* Leaves out tests without a function; see one_thread_test. */
static inline size_t copy_tests(struct CMUnitTest *kept, const struct CMUnitTest *tests,
                                size_t count)
{
    size_t kept_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (tests[i].test_func)
            kept[kept_count++] = tests[i];
    }
    return kept_count;
}

static inline int run_counted_group(const char *name, const struct CMUnitTest *tests, size_t count,
                                    CMFixtureFunction setup, CMFixtureFunction teardown)
{
    struct CMUnitTest *kept = calloc(2 * count + 1, sizeof *kept), *watched = kept + count;
    if (!kept)
        abort();
    count = copy_tests(kept, tests, count);
    for (size_t i = 0; i < count; i++)
        watched[i] = (struct CMUnitTest){kept[i].name, run_counted_test, run_counted_setup,
                                         run_counted_teardown, kept[i].initial_state};
    test_run.tests = kept;
    test_run.group_setup = setup;
    test_run.next = 0;
    test_run.group_lacks = NULL;
    test_run.failed +=
        (size_t)_cmocka_run_group_tests(name, watched, count, run_counted_group_setup, teardown);
    free(kept);
    if (test_run.failed)
        return 1;
    return test_run.skipped ? TEST_SKIPPED : 0;
}
#undef cmocka_run_group_tests_name
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
    run_counted_group(name, tests, sizeof(tests) / sizeof(tests)[0], setup, teardown)
#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    cmocka_run_group_tests_name(#tests, tests, setup, teardown)

/* A test of a program labelled `threads` that has one thread alone: ThreadSanitizer, which runs the
 * program for the others, could not find anything in it, so it is no test there. */
#ifdef __SANITIZE_THREAD__
#define one_thread_test_setup_teardown(name, setup, teardown)                                      \
    {                                                                                              \
#name, 1 ? NULL : (name), 1 ? NULL : (setup), 1 ? NULL : (teardown), NULL                  \
    }
#else
#define one_thread_test_setup_teardown(name, setup, teardown)                                      \
    cmocka_unit_test_setup_teardown(name, setup, teardown)
#endif
#define one_thread_test(name) one_thread_test_setup_teardown(name, NULL, NULL)

#endif
