#include "cmocka_tests.h"

#include <cairn/base/clock.h>

#include <signal.h>
#include <string.h>
#include <sys/time.h>

static void time_never_goes_back(void **state)
{
    (void)state;
    uint64_t last_ns = cn_clock_ns();
    for (int i = 0; i < 10000; i++) {
        uint64_t now_ns = cn_clock_ns();
        assert_true(now_ns >= last_ns);
        last_ns = now_ns;
    }
}

static void sleep_lasts_at_least_as_long_as_requested(void **state)
{
    (void)state;
    uint64_t start_ns = cn_clock_ns();
    cn_clock_sleep_ns(3000000);
    assert_true(cn_clock_ns() - start_ns >= 3000000);
    cn_clock_sleep_ns(0);
}

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
    (void)number;
    signals++;
}

static void a_signal_does_not_shorten_a_sleep(void **state)
{
    (void)state;
    struct sigaction action = {.sa_handler = count_signal}, before;
    sigaction(SIGALRM, &action, &before);
    struct itimerval every_ms = {.it_interval = {0, 1000}, .it_value = {0, 1000}}, never = {0};
    setitimer(ITIMER_REAL, &every_ms, NULL);
    uint64_t start_ns = cn_clock_ns();
    cn_clock_sleep_ns(20000000);
    uint64_t slept_ns = cn_clock_ns() - start_ns;
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
    assert_true(signals > 0);
    assert_true(slept_ns >= 20000000);
}

static void nanoseconds_become_seconds(void **state)
{
    (void)state;
    assert_true(cn_seconds(1500000000) == 1.5);
    assert_true(cn_seconds(0) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_never_goes_back),
        cmocka_unit_test(sleep_lasts_at_least_as_long_as_requested),
        cmocka_unit_test(a_signal_does_not_shorten_a_sleep),
        cmocka_unit_test(nanoseconds_become_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
