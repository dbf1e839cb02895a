/*
 * Guards against wrong calls.
 *
 * CN_ASSERT(condition, "what is wrong, %s", detail) checks what the caller must guarantee. It is
 * compiled in only where CN_GUARDS is defined (the debug, asan, tsan and validate presets); release
 * builds contain nothing of it. Bad data from outside is never asserted: it returns a CnError.
 *
 * A failed guard calls the handler; the default one prints the message and aborts. A test installs
 * its own and leaves it with longjmp.
 */
#ifndef CAIRN_BASE_ASSERT_H
#define CAIRN_BASE_ASSERT_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

typedef void (*CnAssertHandler)(const char *file, int line, const char *message, void *user);

/* Replaces the handler for the whole process; NULL restores the default. Not thread-safe: call it
 * before threads start, or from a single-threaded test. */
CN_API void cn_assert_set_handler(CnAssertHandler handler, void *user);

/* Called by CN_ASSERT. If the handler returns, so does this: the guarded code goes on. */
CN_API void cn_assert_fail(const char *file, int line, const char *format, ...)
    CN_PRINTF_LIKE(3, 4);

#ifdef CN_GUARDS
#define CN_ASSERT(condition, ...)                                                                  \
    ((condition) ? (void)0 : cn_assert_fail(__FILE__, __LINE__, __VA_ARGS__))
#else
#define CN_ASSERT(condition, ...) ((void)sizeof(!!(condition)))
#endif

CN_EXTERN_C_END

#endif
