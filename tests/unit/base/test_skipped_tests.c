/* What a test program tells ctest about tests that could not run. Every case is a process with a
 * group of its own. */
#include "child.h"
#include "cmocka_tests.h"

#include <stdio.h>
#include <string.h>

static void passes(void **state)
{
    (void)state;
}

static void fails(void **state)
{
    (void)state;
    fail();
}

static void skips(void **state)
{
    (void)state;
    skip();
}

static void finds_no_device_and_returns(void **state)
{
    (void)state;
    cannot_run("device");
}

static int find_no_device(void **state)
{
    (void)state;
    cannot_run("device");
    return -1;
}

static int find_nothing_wrong(void **state)
{
    (void)state;
    return 0;
}

static int lose_the_way(void **state)
{
    (void)state;
    return -1;
}

#define RUN(setup, ...)                                                                            \
    const struct CMUnitTest cases[] = {__VA_ARGS__};                                               \
    return cmocka_run_group_tests(cases, setup, NULL)

static int all_skip(void)
{
    RUN(NULL, cmocka_unit_test(skips), cmocka_unit_test(finds_no_device_and_returns));
}

static int one_of_two_skips(void)
{
    RUN(NULL, cmocka_unit_test(finds_no_device_and_returns), cmocka_unit_test(passes));
}

static int one_skips_and_one_fails(void)
{
    RUN(NULL, cmocka_unit_test(skips), cmocka_unit_test(fails));
}

static int setup_lacks(void)
{
    RUN(NULL, cmocka_unit_test_setup(fails, find_no_device));
}

static int setup_fails(void)
{
    RUN(NULL, cmocka_unit_test_setup(passes, lose_the_way), cmocka_unit_test(passes));
}

static int group_lacks(void)
{
    RUN(find_no_device, cmocka_unit_test(fails), cmocka_unit_test_setup(fails, lose_the_way));
}

static int nothing_lacks(void)
{
    RUN(find_nothing_wrong, cmocka_unit_test_setup(passes, find_nothing_wrong));
}

static int first_group_skips(void)
{
    const struct CMUnitTest first[] = {cmocka_unit_test(skips)},
                            second[] = {cmocka_unit_test(passes)};
    cmocka_run_group_tests(first, NULL, NULL);
    return cmocka_run_group_tests(second, NULL, NULL);
}

static int second_group_skips(void)
{
    const struct CMUnitTest first[] = {cmocka_unit_test(passes)},
                            second[] = {cmocka_unit_test(skips)};
    cmocka_run_group_tests(first, NULL, NULL);
    return cmocka_run_group_tests(second, NULL, NULL);
}

static int first_group_fails(void)
{
    const struct CMUnitTest first[] = {cmocka_unit_test(fails)},
                            second[] = {cmocka_unit_test(skips)};
    cmocka_run_group_tests(first, NULL, NULL);
    return cmocka_run_group_tests(second, NULL, NULL);
}

static int as_many_fail_as_the_status_of_skips(void)
{
    struct CMUnitTest cases[TEST_SKIPPED];
    for (size_t i = 0; i < TEST_SKIPPED; i++)
        cases[i] = (struct CMUnitTest)cmocka_unit_test(fails);
    return cmocka_run_group_tests(cases, NULL, NULL);
}

typedef struct Program {
    const char *name;
    int (*run)(void);
} Program;

#define PROGRAM(name)                                                                              \
    {                                                                                              \
#name, name                                                                                \
    }

static const Program programs[] = {
    PROGRAM(all_skip),
    PROGRAM(one_of_two_skips),
    PROGRAM(one_skips_and_one_fails),
    PROGRAM(setup_lacks),
    PROGRAM(setup_fails),
    PROGRAM(group_lacks),
    PROGRAM(nothing_lacks),
    PROGRAM(first_group_skips),
    PROGRAM(second_group_skips),
    PROGRAM(first_group_fails),
    PROGRAM(as_many_fail_as_the_status_of_skips),
};

static int run_program(const char *name)
{
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        return 2;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        if (strcmp(programs[i].name, name) == 0)
            return programs[i].run();
    }
    return 2;
}

static int status_of(const char *name)
{
    char output[64];
    return child_run(name, NULL, output, sizeof output);
}

static void a_program_whose_tests_all_skip_is_skipped(void **state)
{
    (void)state;
    assert_int_equal(status_of("all_skip"), TEST_SKIPPED);
}

static void a_program_with_one_test_that_skips_is_skipped(void **state)
{
    (void)state;
    assert_int_equal(status_of("one_of_two_skips"), TEST_SKIPPED);
}

static void a_program_with_one_group_that_skips_is_skipped(void **state)
{
    (void)state;
    assert_int_equal(status_of("first_group_skips"), TEST_SKIPPED);
    assert_int_equal(status_of("second_group_skips"), TEST_SKIPPED);
}

static void a_program_whose_tests_all_pass_has_passed(void **state)
{
    (void)state;
    assert_int_equal(status_of("nothing_lacks"), 0);
}

static void a_failure_beside_a_skip_is_a_failure(void **state)
{
    (void)state;
    assert_int_equal(status_of("one_skips_and_one_fails"), 1);
    assert_int_equal(status_of("first_group_fails"), 1);
}

static void a_test_whose_setup_finds_no_device_is_skipped(void **state)
{
    (void)state;
    assert_int_equal(status_of("setup_lacks"), TEST_SKIPPED);
}

static void all_tests_of_a_group_whose_setup_finds_no_device_are_skipped(void **state)
{
    (void)state;
    assert_int_equal(status_of("group_lacks"), TEST_SKIPPED);
}

static void a_setup_that_fails_is_a_failure(void **state)
{
    (void)state;
    assert_int_equal(status_of("setup_fails"), 1);
}

static void no_number_of_failures_looks_like_a_skip(void **state)
{
    (void)state;
    assert_int_equal(status_of("as_many_fail_as_the_status_of_skips"), 1);
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return run_program(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_whose_tests_all_skip_is_skipped),
        cmocka_unit_test(a_program_with_one_test_that_skips_is_skipped),
        cmocka_unit_test(a_program_with_one_group_that_skips_is_skipped),
        cmocka_unit_test(a_program_whose_tests_all_pass_has_passed),
        cmocka_unit_test(a_failure_beside_a_skip_is_a_failure),
        cmocka_unit_test(a_test_whose_setup_finds_no_device_is_skipped),
        cmocka_unit_test(all_tests_of_a_group_whose_setup_finds_no_device_are_skipped),
        cmocka_unit_test(a_setup_that_fails_is_a_failure),
        cmocka_unit_test(no_number_of_failures_looks_like_a_skip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
