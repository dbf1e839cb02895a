#include "cmocka_tests.h"
#include "guards.h"

#include <cairn/base/assert.h>

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Failure {
    const char *file;
    int line;
    char message[64];
    int count;
} Failure;

static void remember(const char *file, int line, const char *message, void *user)
{
    Failure *failure = user;
    failure->file = file;
    failure->line = line;
    failure->count++;
    strncpy(failure->message, message, sizeof failure->message - 1);
}

static void a_failure_reaches_the_handler_with_place_and_message(void **state)
{
    (void)state;
    Failure failure = {0};
    cn_assert_set_handler(remember, &failure);
    cn_assert_fail("map.c", 12, "key %d of %s", 7, "ages");
    cn_assert_set_handler(NULL, NULL);
    assert_int_equal(failure.count, 1);
    assert_string_equal(failure.file, "map.c");
    assert_int_equal(failure.line, 12);
    assert_string_equal(failure.message, "key 7 of ages");
}

static void the_default_handler_prints_and_aborts(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        cn_assert_fail("map.c", 12, "key %d", 7);
        _exit(0);
    }
    close(ends[1]);
    char text[256] = "";
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    assert_non_null(strstr(text, "map.c:12: assertion failed: key 7\n"));
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

#ifdef CN_GUARDS
static void a_true_condition_is_silent(void **state)
{
    (void)state;
    Failure failure = {0};
    cn_assert_set_handler(remember, &failure);
    CN_ASSERT(1 + 1 == 2, "arithmetic");
    cn_assert_set_handler(NULL, NULL);
    assert_int_equal(failure.count, 0);
}

static void the_code_goes_on_when_the_handler_returns(void **state)
{
    (void)state;
    Failure failure = {0};
    cn_assert_set_handler(remember, &failure);
    CN_ASSERT(failure.count == 1, "first");
    CN_ASSERT(failure.count == 2, "second");
    cn_assert_set_handler(NULL, NULL);
    assert_int_equal(failure.count, 2);
    assert_string_equal(failure.message, "second");
}

static void a_test_sees_what_a_guard_says(void **state)
{
    (void)state;
    EXPECT_GUARD(CN_ASSERT(false, "row %d is out of range", 9));
    assert_string_equal(guard_message(), "row 9 is out of range");
}
#else
static void without_guards_the_condition_is_not_evaluated(void **state)
{
    (void)state;
    int calls = 0;
    CN_ASSERT(++calls == 0, "never");
    assert_int_equal(calls, 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_reaches_the_handler_with_place_and_message),
        cmocka_unit_test(the_default_handler_prints_and_aborts),
#ifdef CN_GUARDS
        cmocka_unit_test(a_true_condition_is_silent),
        cmocka_unit_test(the_code_goes_on_when_the_handler_returns),
        cmocka_unit_test(a_test_sees_what_a_guard_says),
#else
        cmocka_unit_test(without_guards_the_condition_is_not_evaluated),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
