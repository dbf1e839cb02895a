/*
 * Tests of guards, which exist only if CN_GUARDS is defined.
 *
 *     #ifdef CN_GUARDS
 *     EXPECT_GUARD(cn_pool_release(&pool, item));
 *     assert_non_null(strstr(guard_message(), "twice"));
 *     #endif
 *
 * A failed guard leaves the statement by longjmp: work that the statement had begun is not undone.
 */
#ifndef CAIRN_TESTS_SUPPORT_COMMON_GUARDS_H
#define CAIRN_TESTS_SUPPORT_COMMON_GUARDS_H

#include "cmocka_tests.h"

/* Defined if an invalid access stops the program before a guard can detect it. */
#if defined(__SANITIZE_ADDRESS__)
#define TEST_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEST_ADDRESS_SANITIZER 1
#endif
#endif

/* Returns the message of the last failed guard. */
const char *guard_message(void);

/* Used by EXPECT_GUARD: installs and removes the handler that jumps to the returned location. */
jmp_buf *guard_begin(void);
void guard_end(void);

#ifdef CN_GUARDS
#define EXPECT_GUARD(...)                                                                          \
    do {                                                                                           \
        if (setjmp(*guard_begin()) == 0) {                                                         \
            __VA_ARGS__;                                                                           \
            guard_end();                                                                           \
            fail_msg("no guard failed in: %s", #__VA_ARGS__);                                      \
        }                                                                                          \
        guard_end();                                                                               \
    } while (0)
#endif

#endif
