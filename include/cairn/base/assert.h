/*
 * Assertions for programming errors.
 *
 *     int count = 3;
 *     CN_ASSERT(count > 0, "count must be positive, not %d", count);
 *
 * CN_ASSERT checks what the caller must guarantee. It is compiled in only when CN_GUARDS is
 * defined (the debug, asan, tsan and validate presets); release builds do not evaluate the
 * condition. Bad data from outside is never asserted: functions report it with a CnError.
 *
 * A failed assertion calls the handler. The default handler prints the message and aborts. Tests
 * install a handler that leaves with longjmp.
 */
#ifndef CAIRN_BASE_ASSERT_H
#define CAIRN_BASE_ASSERT_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

typedef void (*CnAssertHandler)(const char *file, int line, const char *message, void *user);

/* Replaces the handler for the whole process; NULL restores the default. Not thread-safe: call
 * it before threads are started, or from a single-threaded test. */
CN_API void cn_assert_set_handler(CnAssertHandler handler, void *user);

/* Calls the handler; used by CN_ASSERT. Returns if the handler returns, and the code after the
 * assertion then continues. */
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
