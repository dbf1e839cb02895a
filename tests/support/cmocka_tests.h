/* cmocka, and what it wants to be included before it. */
#ifndef CAIRN_TESTS_CMOCKA_TESTS_H
#define CAIRN_TESTS_CMOCKA_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A test of a program labelled `threads` that has one thread alone: ThreadSanitizer, which runs the program for the
 * others, could not find anything in it. */
#ifdef __SANITIZE_THREAD__
static inline void nothing_to_race(void **state)
{
    (void)state;
    skip();
}
#define one_thread_test_setup_teardown(name, setup, teardown)                                      \
    {                                                                                              \
#name, 1 ? nothing_to_race : (name), 1 ? NULL : (setup), 1 ? NULL : (teardown), NULL       \
    }
#else
#define one_thread_test_setup_teardown(name, setup, teardown)                                      \
    cmocka_unit_test_setup_teardown(name, setup, teardown)
#endif
#define one_thread_test(name) one_thread_test_setup_teardown(name, NULL, NULL)

#endif
