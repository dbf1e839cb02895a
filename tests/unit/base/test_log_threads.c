/* test-labels: threads */
#include "cmocka_tests.h"

#include <cairn/base/cpu.h>
#include <cairn/base/log.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define THREADS 4
#define MESSAGES 500

/* Not atomic: the log promises that no two threads are here at once, and ThreadSanitizer looks. */
typedef struct Tally {
    int inside, overlaps, count;
    int next[THREADS];
    int out_of_order;
} Tally;

static void tally_up(const CnLogRecord *record, void *user)
{
    Tally *tally = user;
    if (tally->inside++)
        tally->overlaps++;
    tally->count++;
    int thread = 0, number = 0;
    if (sscanf(record->message, "%d %d", &thread, &number) != 2 || tally->next[thread]++ != number)
        tally->out_of_order++;
    tally->inside--;
}

static void *send_messages(void *data)
{
    int thread = *(const int *)data;
    for (int i = 0; i < MESSAGES; i++)
        CN_LOG_INFO("threads", "%d %d", thread, i);
    return NULL;
}

static void a_sink_is_called_by_one_thread_at_a_time(void **state)
{
    (void)state;
    Tally tally = {0};
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    int sink = cn_log_add_sink(&(CnLogSink){tally_up, &tally, CN_LOG_LEVEL_INFO});
    pthread_t threads[THREADS];
    int numbers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, send_messages, &numbers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    cn_log_remove_sink(sink);
    assert_int_equal(tally.overlaps, 0);
    assert_int_equal(tally.out_of_order, 0);
    assert_int_equal(tally.count, THREADS * MESSAGES);
}

static void *add_and_remove(void *data)
{
    (void)data;
    for (int i = 0; i < MESSAGES; i++) {
        Tally tally = {0};
        int sink = cn_log_add_sink(&(CnLogSink){tally_up, &tally, CN_LOG_LEVEL_INFO});
        cn_log_set_level(i % 2 ? CN_LOG_LEVEL_OFF : CN_LOG_LEVEL_ERROR);
        cn_log_remove_sink(sink);
    }
    return NULL;
}

/* A sink that was removed is not called any more: its memory may be gone. */
static void sinks_come_and_go_while_others_write(void **state)
{
    (void)state;
    pthread_t writer, changer;
    int number = 0;
    assert_int_equal(pthread_create(&writer, NULL, send_messages, &number), 0);
    assert_int_equal(pthread_create(&changer, NULL, add_and_remove, NULL), 0);
    pthread_join(writer, NULL);
    pthread_join(changer, NULL);
    cn_log_set_level(CN_LOG_LEVEL_OFF);
}

static void *read_path(void *data)
{
    *(CnSimdPath *)data = cn_simd_path();
    return NULL;
}

static void threads_agree_on_the_first_simd_path(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    CnSimdPath paths[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_path, &paths[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(paths[i], cn_simd_path());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sink_is_called_by_one_thread_at_a_time),
        cmocka_unit_test(sinks_come_and_go_while_others_write),
        cmocka_unit_test(threads_agree_on_the_first_simd_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
