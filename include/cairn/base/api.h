/* Linkage macros and language compatibility for every public header. */
#ifndef CAIRN_BASE_API_H
#define CAIRN_BASE_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exports a function from the library; symbols without it stay hidden. */
#define CN_API __attribute__((visibility("default")))

#ifdef __cplusplus
#define CN_EXTERN_C_BEGIN extern "C" {
#define CN_EXTERN_C_END }
#define CN_STATIC_ASSERT(condition, message) static_assert(condition, message)
#define CN_ALIGN_OF(T) alignof(T)
#else
#define CN_EXTERN_C_BEGIN
#define CN_EXTERN_C_END
#define CN_STATIC_ASSERT(condition, message) _Static_assert(condition, message)
#define CN_ALIGN_OF(T) _Alignof(T)
#endif

#define CN_PRINTF_LIKE(format_index, first_argument)                                               \
    __attribute__((format(printf, format_index, first_argument)))

/* For functions called in the inner loops of systems. */
#define CN_FORCE_INLINE static inline __attribute__((always_inline))
#define CN_NOINLINE __attribute__((noinline))

#define CN_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define CN_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#define CN_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
