/* test-labels: threads */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/base/memory.h>
#include <cairn/base/text.h>

#include <pthread.h>
#include <stdatomic.h>

#define THREADS 4
#define ROUNDS 4000
#define BLOCKS 16

typedef struct Worker {
    CnHeap *heap;
    uint64_t seed;
    uint64_t calls;
    bool ok;
} Worker;

static void *churn(void *data)
{
    Worker *worker = data;
    TestRandom random = {worker->seed};
    CnAllocator *shared = cn_heap_tag(worker->heap, "shared");
    unsigned char *blocks[BLOCKS] = {0};
    size_t sizes[BLOCKS] = {0};
    worker->ok = true;
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t i = test_random_below(&random, BLOCKS);
        size_t bytes = test_random_below(&random, 200);
        if (blocks[i] && blocks[i][0] != (unsigned char)i)
            worker->ok = false;
        if (bytes > 0)
            worker->calls++;
        blocks[i] = cn_realloc(shared, blocks[i], sizes[i], bytes);
        sizes[i] = bytes;
        if (blocks[i])
            blocks[i][0] = (unsigned char)i;
    }
    for (int i = 0; i < BLOCKS; i++)
        cn_free(shared, blocks[i], sizes[i]);
    return NULL;
}

static void counts_are_exact_with_many_threads(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    pthread_t threads[THREADS];
    Worker workers[THREADS];
    uint64_t calls = 0;
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (Worker){.heap = heap, .seed = (uint64_t)i};
        assert_int_equal(pthread_create(&threads[i], NULL, churn, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(workers[i].ok);
        calls += workers[i].calls;
    }
    CnHeapStats stats = cn_heap_tag_stats(heap, "shared");
    assert_int_equal(stats.live_blocks, 0);
    assert_int_equal(stats.live_bytes, 0);
    assert_int_equal(stats.calls, calls);
    assert_int_equal(cn_heap_stats(heap).calls, calls);
    assert_true(stats.peak_bytes > 0);
    cn_heap_destroy(heap);
}

static void *make_tags(void *data)
{
    Worker *worker = data;
    for (int i = 0; i < CN_HEAP_MAX_TAGS + 8; i++) {
        char name[16];
        cn_format(name, sizeof name, "tag %d", i);
        CnAllocator *tag = cn_heap_tag(worker->heap, name);
        cn_free(tag, cn_alloc(tag, 8), 8);
    }
    return NULL;
}

static void count_tag(const char *tag, CnHeapStats stats, void *user)
{
    (void)tag, (void)stats;
    (*(int *)user)++;
}

static void threads_that_ask_for_the_same_tags_share_them(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    pthread_t threads[THREADS];
    Worker worker = {.heap = heap};
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, make_tags, &worker), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    int tags = 0;
    cn_heap_each_tag(heap, count_tag, &tags);
    assert_int_equal(tags, CN_HEAP_MAX_TAGS + 1);
    assert_int_equal(cn_heap_tag_stats(heap, "tag 0").calls, THREADS);
    assert_int_equal(cn_heap_tag_stats(heap, "other").calls, THREADS * 8);
    cn_heap_destroy(heap);
}

static atomic_int successes;

static void *allocate_until_failure(void *data)
{
    CnHeap *heap = data;
    CnAllocator *tag = cn_heap_tag(heap, "countdown");
    void *blocks[64];
    int count = 0;
    while (count < 64 && (blocks[count] = cn_alloc(tag, 8)) != NULL)
        count++;
    atomic_fetch_add(&successes, count);
    while (count > 0)
        cn_free(tag, blocks[--count], 8);
    return NULL;
}

static void the_countdown_to_failure_is_exact_with_many_threads(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    pthread_t threads[THREADS];
    atomic_store(&successes, 0);
    cn_heap_fail_after(heap, 50);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, allocate_until_failure, heap), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&successes), 50);
    cn_heap_destroy(heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_exact_with_many_threads),
        cmocka_unit_test(threads_that_ask_for_the_same_tags_share_them),
        cmocka_unit_test(the_countdown_to_failure_is_exact_with_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
