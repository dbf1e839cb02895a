/* High-resolution monotonic time. Simulation code never reads it; a tick sees only its fixed dt. */
#ifndef CAIRN_BASE_CLOCK_H
#define CAIRN_BASE_CLOCK_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

/* Returns nanoseconds since an unspecified start. Never decreases. */
CN_API uint64_t cn_clock_ns(void);
/* Returns the CPU time of the calling thread, in nanoseconds. */
CN_API uint64_t cn_clock_thread_ns(void);
/* Sleeps for at least `duration_ns` nanoseconds. */
CN_API void cn_clock_sleep_ns(uint64_t duration_ns);

/* Converts nanoseconds to seconds. */
static inline double cn_seconds(uint64_t duration_ns)
{
    return (double)duration_ns * 1e-9;
}

CN_EXTERN_C_END

#endif
