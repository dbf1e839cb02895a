/* Tests that run pieces of Lua in a trusted and in a sandboxed state. */
#ifndef CAIRN_TESTS_SUPPORT_SCRIPT_SCRIPT_CHECKS_H
#define CAIRN_TESTS_SUPPORT_SCRIPT_SCRIPT_CHECKS_H

#include "cmocka_tests.h"
#include "script_world.h"

#include <string.h>

static ScriptWorld w;

static int make_trusted(void **state)
{
    (void)state;
    return script_world_init(&w, &(ScriptWorldDesc){0}) ? 0 : -1;
}

static int make_sandboxed(void **state)
{
    (void)state;
    return script_world_init(&w, &(ScriptWorldDesc){.sandboxed = true}) ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    script_world_fini(&w);
    return 0;
}

#define BOTH(test)                                                                                 \
    {#test " (trusted)", test, make_trusted, drop, NULL},                                          \
    {                                                                                              \
#test " (sandboxed)", test, make_sandboxed, drop, NULL                                     \
    }

/* Checks the result of the code. */
static inline void check(const char *code, const char *expected)
{
    assert_string_equal(script_run(&w, code), expected);
}

/* Checks that the code fails with a message that contains this text. */
static inline void check_error(const char *code, const char *part)
{
    const char *result = script_run(&w, code);
    if (strncmp(result, "error: ", 7) || !strstr(result, part))
        fail_msg("%s gives: %s\nwanted an error with: %s", code, result, part);
}

/* Checks that an object with this script runs for some ticks without an error. */
static inline CnEntity check_script(const char *code, uint64_t ticks)
{
    CnEntity object = script_add(&w, "Script", code);
    assert_true(script_tick(&w, ticks));
    assert_string_equal(script_error(&w, object), "");
    return object;
}

/* Checks that the script of an object failed with a message that contains this text. */
static inline void check_failed(CnEntity object, const char *part)
{
    const char *error = script_error(&w, object);
    assert_int_equal(cn_script_status(w.world, object), CN_SCRIPT_FAILED);
    if (!error || !strstr(error, part))
        fail_msg("the script failed with: %s\nwanted: %s", error ? error : "", part);
}

#endif
