/* test-labels: threads */
/* Many jobs, many threads, little room: what goes wrong only now and then. */
#include "jobs.h"
#include "random.h"

#include <base/job/thread.h>

#include <pthread.h>
#include <stdlib.h>

/* ---- Random dependencies ---- */

#define NODES 100000u
#define MAX_PARENTS 4u

typedef struct Node {
    uint32_t parents[MAX_PARENTS];
    uint32_t parent_count;
    uint64_t value; /* not atomic: dependencies alone keep the order */
} Node;

typedef struct Graph {
    Node *nodes;
    CnJob *jobs;
} Graph;

typedef struct NodeJob {
    Graph *graph;
    uint32_t node;
} NodeJob;

static uint64_t value_of(const Graph *graph, uint32_t index)
{
    const Node *node = &graph->nodes[index];
    uint64_t value = index;
    for (uint32_t i = 0; i < node->parent_count; i++)
        value = (value ^ graph->nodes[node->parents[i]].value) * 0xbf58476d1ce4e5b9u;
    return value;
}

static void run_node(void *data, uint32_t lane)
{
    (void)lane;
    NodeJob *job = data;
    job->graph->nodes[job->node].value = value_of(job->graph, job->node);
}

/* Half of the parents are recent, so that most are not done when they are named. */
static void make_graph(Graph *graph, uint64_t seed)
{
    TestRandom random = {seed};
    for (uint32_t i = 0; i < NODES; i++) {
        Node *node = &graph->nodes[i];
        *node = (Node){.parent_count = i ? test_random_below(&random, MAX_PARENTS + 1) : 0};
        for (uint32_t k = 0; k < node->parent_count; k++) {
            uint32_t reach = test_random_chance(&random, 50) && i > 100 ? 100 : i;
            node->parents[k] = i - 1 - test_random_below(&random, reach);
        }
    }
}

static void run_graph(Graph *graph, NodeJob *node_jobs, CnJobPool *pool)
{
    for (uint32_t i = 0; i < NODES; i++) {
        const Node *node = &graph->nodes[i];
        CnJob after[MAX_PARENTS];
        for (uint32_t k = 0; k < node->parent_count; k++)
            after[k] = graph->jobs[node->parents[k]];
        node_jobs[i] = (NodeJob){graph, i};
        graph->jobs[i] = submit_after(pool, run_node, &node_jobs[i], after, node->parent_count);
    }
    for (uint32_t i = 0; i < NODES; i++)
        cn_job_wait(pool, graph->jobs[i]);
}

static void a_random_graph_of_100000_jobs_keeps_its_order(void **state)
{
    (void)state;
    static const struct {
        uint32_t workers, max_jobs;
    } cases[] = {{0, 0}, {1, 0}, {3, 256}, {3, 8}, {7, 0}};
    Graph graph = {malloc(NODES * sizeof(Node)), malloc(NODES * sizeof(CnJob))};
    NodeJob *node_jobs = malloc(NODES * sizeof *node_jobs);
    for (uint32_t i = 0; i < CN_COUNT_OF(cases); i++) {
        make_graph(&graph, i);
        CnJobPool *pool = create_pool(cases[i].workers, cases[i].max_jobs);
        run_graph(&graph, node_jobs, pool);
        cn_job_pool_destroy(pool);
        for (uint32_t k = 0; k < NODES; k++)
            assert_int_equal(graph.nodes[k].value, value_of(&graph, k));
    }
    free(node_jobs);
    free(graph.jobs);
    free(graph.nodes);
}

/* ---- Sleeping and waking ---- */

/* Waits long enough, now and then, for everyone else to fall asleep. */
static void linger(uint64_t seed)
{
    TestRandom random = {seed};
    uint32_t choice = test_random_below(&random, 100);
    if (choice < 5)
        cn_clock_sleep_ns(50000 + test_random_below(&random, 200000));
    else if (choice < 40)
        for (volatile uint32_t i = test_random_below(&random, 1000); i > 0; i--) {
        }
}

typedef struct Lingering {
    CnJobPool *pool;
    uint64_t seed;
    uint32_t depth;
    uint32_t jobs; /* in it and below */
} Lingering;

static void linger_and_wait(void *data, uint32_t lane);

static void linger_in_piece(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)end;
    (void)lane;
    linger(((Lingering *)data)->seed * 31 + begin);
}

static void submit_children(Lingering *parent, TestRandom *random)
{
    enum { MOST = 4 };
    Lingering children[MOST];
    CnJob jobs[MOST];
    uint32_t count = test_random_below(random, MOST + 1);
    for (uint32_t i = 0; i < count; i++) {
        children[i] = (Lingering){parent->pool, test_random(random), parent->depth - 1, 0};
        bool follows = i > 0 && test_random_chance(random, 30);
        jobs[i] =
            submit_after(parent->pool, linger_and_wait, &children[i], &jobs[i - follows], follows);
    }
    for (uint32_t i = 0; i < count; i++) {
        cn_job_wait(parent->pool, jobs[i]);
        parent->jobs += children[i].jobs;
    }
}

static void linger_and_wait(void *data, uint32_t lane)
{
    (void)lane;
    Lingering *self = data;
    TestRandom random = {self->seed};
    self->jobs = 1;
    linger(test_random(&random));
    if (self->depth == 0)
        return;
    submit_children(self, &random);
    if (test_random_chance(&random, 20))
        cn_job_parallel_for(self->pool, test_random_below(&random, 30), 1, linger_in_piece, self);
    linger(test_random(&random));
}

static uint32_t run_lingering(CnJobPool *pool, uint64_t seed)
{
    Lingering root = {pool, seed, 5, 0};
    cn_job_wait(pool, submit(pool, linger_and_wait, &root));
    return root.jobs;
}

static void no_thread_sleeps_on_when_there_is_something_to_do(void **state)
{
    (void)state;
    static const struct {
        uint32_t workers, max_jobs;
    } cases[] = {{1, 0}, {2, 0}, {3, 4}, {7, 64}};
    CnJobPool *alone = create_pool(0, 0);
    for (uint32_t i = 0; i < CN_COUNT_OF(cases); i++) {
        CnJobPool *pool = create_pool(cases[i].workers, cases[i].max_jobs);
        for (uint64_t seed = 1; seed < 12; seed++) {
            if (seed % 3 == 0)
                cn_job_pool_begin_spinning(pool);
            assert_int_equal(run_lingering(pool, seed), run_lingering(alone, seed));
            if (seed % 3 == 0)
                cn_job_pool_end_spinning(pool);
        }
        cn_job_pool_destroy(pool);
    }
    cn_job_pool_destroy(alone);
}

static void stay_busy_ns(uint64_t duration_ns)
{
    for (uint64_t end = cn_clock_ns() + duration_ns; cn_clock_ns() < end;) {
    }
}

/* Just when a worker falls asleep, 20 us after the job before. */
static void a_job_that_comes_at_a_bad_moment_runs(void **state)
{
    (void)state;
    CnJobPool *pool = create_pool(1, 0);
    Counter runs = {0};
    TestRandom random = {5};
    for (uint32_t i = 0; i < 10000; i++) {
        CnJob job = submit(pool, count_up, &runs);
        while (!cn_job_is_done(pool, job)) { /* only the worker can run it */
        }
        stay_busy_ns(15000 + test_random_below(&random, 10000));
    }
    assert_int_equal(runs.value, 10000);
    cn_job_pool_destroy(pool);
}

/* ---- Loops ---- */

typedef struct Loops {
    CnJobPool *pool;
    Counter items;
} Loops;

static void count_items(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)lane;
    atomic_fetch_add(&((Loops *)data)->items.value, end - begin);
}

static void loop_in_piece(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)lane;
    Loops *loops = data;
    for (uint32_t i = begin; i < end; i++)
        cn_job_parallel_for(loops->pool, i % 7, 1, count_items, loops);
}

static void loops_in_quick_succession_lose_no_item(void **state)
{
    (void)state;
    for (uint32_t workers = 1; workers < 4; workers++) {
        Loops loops = {.pool = create_pool(workers, 0)};
        cn_job_pool_begin_spinning(loops.pool);
        for (uint32_t i = 0; i < 3000; i++) {
            atomic_store(&loops.items.value, 0);
            cn_job_parallel_for(loops.pool, i % 50, 1 + i % 3, count_items, &loops);
            assert_int_equal(loops.items.value, i % 50);
        }
        for (uint32_t i = 0; i < 200; i++) {
            atomic_store(&loops.items.value, 0);
            cn_job_parallel_for(loops.pool, 28, 1, loop_in_piece, &loops);
            assert_int_equal(loops.items.value, 4 * 21);
        }
        cn_job_pool_end_spinning(loops.pool);
        cn_job_pool_destroy(loops.pool);
    }
}

/* ---- Faults ---- */

static void a_pool_whose_nth_thread_fails_leaves_nothing_behind(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnJobPoolDesc desc = {.allocator = cn_heap_tag(heap, "jobs"), .workers = 6};
    for (uint32_t n = 0; n < 6; n++) {
        cni_base_thread_fail_after(n);
        assert_null(cn_job_pool_create(&desc, NULL));
        assert_int_equal(cn_heap_stats(heap).live_bytes, 0);
    }
    cni_base_thread_fail_after(6);
    CnJobPool *pool = cn_job_pool_create(&desc, NULL);
    assert_non_null(pool);
    cni_base_thread_fail_after(CNI_BASE_THREADS_NEVER_FAIL);
    cn_job_pool_destroy(pool);
    assert_int_equal(cn_heap_stats(heap).live_bytes, 0);
    cn_heap_destroy(heap);
}

static void a_pool_without_memory_is_not_created(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnJobPoolDesc desc = {.allocator = cn_heap_tag(heap, "jobs"), .workers = 2};
    cn_heap_fail_after(heap, 0);
    assert_null(cn_job_pool_create(&desc, NULL));
    cn_heap_destroy(heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_random_graph_of_100000_jobs_keeps_its_order),
        cmocka_unit_test(no_thread_sleeps_on_when_there_is_something_to_do),
        cmocka_unit_test(a_job_that_comes_at_a_bad_moment_runs),
        cmocka_unit_test(loops_in_quick_succession_lose_no_item),
        cmocka_unit_test(a_pool_whose_nth_thread_fails_leaves_nothing_behind),
        cmocka_unit_test(a_pool_without_memory_is_not_created),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
