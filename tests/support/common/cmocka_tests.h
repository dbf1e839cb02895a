/*
 * cmocka with the headers it requires, extended so that tests that cannot run are counted as
 * skipped, never as passed.
 *
 * A test that requires a device or a display that the machine lacks calls skip(), or the support
 * code that did not find it calls cannot_run(). The test then counts as skipped, whatever it does
 * afterwards, and so do all tests of a group whose setup called it. cmocka_run_group_tests returns
 * 1 if any test of the program so far failed, TEST_SKIPPED if none failed and any was skipped, and
 * 0 if all passed: a program passes only if all of its tests ran.
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

/* The exit status that ctest interprets as skipped. */
enum { TEST_SKIPPED = 77 };

typedef struct TestRun {
    const struct CMUnitTest *tests; /* of the running group, as given by the program */
    CMFixtureFunction group_setup;
    size_t next;             /* the test that is set up next */
    const char *group_lacks; /* what the setup of the group lacks, or NULL */
    const char *test_lacks;  /* the same for the running test */
    bool is_in_group_setup;
    size_t skipped, failed; /* of all groups */
} TestRun;

/* Shared by all files of the program that include this header. */
__attribute__((weak)) TestRun test_run;

/* Reports that the machine lacks `what`, a static text such as "a Vulkan device". */
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

/* Omits tests without a function; see one_thread_test. */
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

/* A single-threaded test in a program labelled `threads`. ThreadSanitizer, which runs the program
 * for the other tests, cannot find anything in it, so it is omitted there. */
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
