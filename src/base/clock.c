#include <cairn/base/clock.h>

#include <errno.h>
#include <time.h>

#define NS_PER_SECOND 1000000000u

uint64_t cn_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

uint64_t cn_clock_thread_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

void cn_clock_sleep_ns(uint64_t duration_ns)
{
    uint64_t now_ns = cn_clock_ns();
    uint64_t end_ns = duration_ns > UINT64_MAX - now_ns ? UINT64_MAX : now_ns + duration_ns;
    struct timespec end = {
        .tv_sec = (time_t)(end_ns / NS_PER_SECOND),
        .tv_nsec = (long)(end_ns % NS_PER_SECOND),
    };
    /* An absolute end time, so that signal handlers do not lengthen the sleep. */
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR) {
    }
}
