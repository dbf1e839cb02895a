/* High-resolution monotonic time. Simulation code never reads it: a tick knows only its dt. */
#ifndef CAIRN_BASE_CLOCK_H
#define CAIRN_BASE_CLOCK_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

/* Nanoseconds since an unspecified start; never goes back. */
CN_API uint64_t cn_clock_ns(void);
/* Nanoseconds that the calling thread has run. */
CN_API uint64_t cn_clock_thread_ns(void);
/* Sleeps for at least this long. */
CN_API void cn_clock_sleep_ns(uint64_t duration_ns);

static inline double cn_seconds(uint64_t duration_ns)
{
    return (double)duration_ns * 1e-9;
}

CN_EXTERN_C_END

#endif
