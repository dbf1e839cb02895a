/* test-labels: leaks */
/*
 * The leak check at the end of test programs finds every block that code of this tree loses, and
 * none of those that belong to libraries, loaded or unloaded. Every case is a process of its own,
 * which LeakSanitizer looks at when it ends.
 */
#include "child.h"
#include "cmocka_tests.h"

#include <cairn/base/memory.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 64 };

static void *volatile blocks[BLOCKS];

static void *driver;

static void *function_of_driver(const char *name)
{
    if (!driver)
        driver = dlopen(CAIRN_TEST_PLUGINS "/losing_driver.so", RTLD_NOW | RTLD_LOCAL);
    void *function = driver ? dlsym(driver, name) : NULL;
    if (!function)
        abort();
    return function;
}

static void call_driver(const char *name)
{
    ((void (*)(void))function_of_driver(name))();
}

static void unload_driver(void)
{
    if (dlclose(driver) != 0 ||
        dlopen(CAIRN_TEST_PLUGINS "/losing_driver.so", RTLD_NOLOAD | RTLD_NOW))
        abort(); /* it is still there */
}

static void lose_blocks(void)
{
    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = NULL;
}

static void lose_blocks_of_the_library(void)
{
    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = cn_alloc(NULL, 100);
    lose_blocks();
}

static void lose_blocks_of_the_test(void)
{
    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = malloc(100);
    lose_blocks();
}

static void give_blocks_to_the_driver(void)
{
    void (*keep)(int, void *) = (void (*)(int, void *))function_of_driver("driver_keep");
    for (int i = 0; i < BLOCKS; i++)
        keep(i, cn_alloc(NULL, 100));
}

static int run_child(const char *what)
{
    if (strcmp(what, "library") == 0)
        lose_blocks_of_the_library();
    else if (strcmp(what, "test") == 0)
        lose_blocks_of_the_test();
    else if (strcmp(what, "driver") == 0)
        call_driver("driver_lose_blocks");
    else if (strcmp(what, "driver thread") == 0)
        call_driver("driver_lose_blocks_in_a_thread");
    else if (strcmp(what, "driver data") == 0)
        call_driver("driver_keep_blocks");
    else
        give_blocks_to_the_driver();
    if (strncmp(what, "driver data", 11) == 0)
        unload_driver();
    return 0;
}

static char output[4096];

static void assert_clean(const char *what)
{
    int code = child_run(what, NULL, output, sizeof output);
    if (code != 0)
        fail_msg("status %d: %s", code, output);
    assert_null(strstr(output, "LeakSanitizer"));
}

static void assert_leak(const char *what)
{
    assert_int_not_equal(child_run(what, NULL, output, sizeof output), 0);
    assert_non_null(strstr(output, "LeakSanitizer: detected memory leaks"));
}

static void a_block_that_the_library_loses_is_found(void **state)
{
    (void)state;
    assert_leak("library");
}

static void a_block_that_a_test_loses_is_found(void **state)
{
    (void)state;
    assert_leak("test");
}

static void a_block_that_a_driver_loses_is_not_ours(void **state)
{
    (void)state;
    assert_clean("driver");
}

static void a_block_that_a_thread_of_a_driver_loses_is_not_ours(void **state)
{
    (void)state;
    assert_clean("driver thread");
}

static void a_block_of_an_unloaded_driver_is_not_ours(void **state)
{
    (void)state;
    assert_clean("driver data");
}

static void a_block_of_ours_that_only_an_unloaded_driver_knew_is_found(void **state)
{
    (void)state;
    assert_leak("driver data of ours");
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return run_child(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_that_the_library_loses_is_found),
        cmocka_unit_test(a_block_that_a_test_loses_is_found),
        cmocka_unit_test(a_block_that_a_driver_loses_is_not_ours),
        cmocka_unit_test(a_block_that_a_thread_of_a_driver_loses_is_not_ours),
        cmocka_unit_test(a_block_of_an_unloaded_driver_is_not_ours),
        cmocka_unit_test(a_block_of_ours_that_only_an_unloaded_driver_knew_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
