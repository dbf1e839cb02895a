/* test-labels: threads */
/*
 * A world at full speed and consumers at a pace of their own. What a tick shows follows from its
 * number, so a consumer can tell a snapshot that is torn, stale or of two ticks.
 */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/base/clock.h>
#include <cairn/base/log.h>
#include <cairn/sim/extract.h>

#include <pthread.h>
#include <stdatomic.h>

enum { PAIRS = 2000, COMMANDS = 20000, LONG_TICKS = 5000 };

typedef struct Show {
    CnOutbox *outbox;
    _Atomic bool stop;        /* the consumers have seen enough */
    _Atomic bool holds;       /* the consumer that holds for long has its pair */
    _Atomic uint32_t running; /* consumers */
    uint64_t pushed_commands; /* that found room */
    uint64_t dropped_commands;
    /* Of the consumers; read after they ended. */
    const char *problem, *audio_problem;
    uint64_t pairs, commands;
} Show;

static uint64_t mixed(uint64_t tick, uint64_t salt)
{
    TestRandom random = {tick * 31 + salt};
    return test_random(&random);
}

/* ---- The world's side ---- */

static void fill_tick(Show *show, uint64_t tick)
{
    CnRenderOut render = {show->outbox};
    CnUiOut ui = {show->outbox};
    uint32_t count = (uint32_t)(mixed(tick, 0) % 40);
    for (uint32_t i = 0; i < count; i++) {
        CnRenderItem *item = cn_extract_items(&render, 1);
        item->entity.id = mixed(tick, 1 + i);
        item->mesh = (uint32_t)tick;
        item->position.x = (float)i;
    }
    CnRenderLight *light = cn_extract_lights(&render, 1);
    light->entity.id = mixed(tick, 100);
    cn_extract_camera(&render, &(CnRenderCamera){.fov = (float)(tick % 1024)});
    for (uint32_t i = 0; i < count / 8; i++)
        cn_extract_ui_value(&ui, (uint32_t)mixed(tick, 200 + i), (float)count);
}

static void push_audio(Show *show, uint64_t tick)
{
    for (uint64_t n = mixed(tick, 300) % 4; n > 0; n--) {
        CnAudioCommand command = {.source = {mixed(show->pushed_commands, 400)},
                                  .sound = (uint32_t)show->pushed_commands,
                                  .flags = (uint32_t)tick};
        if (cn_extract_audio(&(CnAudioOut){show->outbox}, &command))
            show->pushed_commands++;
        else
            show->dropped_commands++;
    }
}

static void run_tick(Show *show, uint64_t tick)
{
    cn_outbox_begin(show->outbox, tick, (double)tick);
    fill_tick(show, tick);
    push_audio(show, tick);
    cn_outbox_publish(show->outbox);
}

/* ---- The consumers: cmocka's asserts belong to the main thread, so they note what is wrong ----
 */

static const char *check_snapshot(const CnTickSnapshot *seen)
{
    const CnRenderSnapshot *render = &seen->render;
    uint64_t tick = render->tick;
    uint32_t count = (uint32_t)(mixed(tick, 0) % 40);
    if (seen->ui.tick != tick || render->time != (double)tick)
        return "parts of two ticks";
    if (render->item_count != count || render->light_count != 1 || seen->ui.item_count != count / 8)
        return "the counts are of another tick";
    for (uint32_t i = 0; i < count; i++)
        if (render->items[i].entity.id != mixed(tick, 1 + i) ||
            render->items[i].mesh != (uint32_t)tick || render->items[i].position.x != (float)i)
            return "an item is of another tick";
    if (render->lights[0].entity.id != mixed(tick, 100))
        return "a light is of another tick";
    if (!render->camera.valid || render->camera.fov != (float)(tick % 1024))
        return "the camera is of another tick";
    for (uint32_t i = 0; i < count / 8; i++)
        if (seen->ui.items[i].id != (uint32_t)mixed(tick, 200 + i) ||
            seen->ui.items[i].value != (float)count)
            return "a ui item is of another tick";
    return NULL;
}

static const char *check_pair(const CnSnapshotPair *pair, uint64_t *last)
{
    const char *problem = check_snapshot(pair->current);
    if (!problem && pair->previous)
        problem = check_snapshot(pair->previous);
    if (problem)
        return problem;
    uint64_t tick = pair->current->render.tick;
    if (tick < *last)
        return "time runs backwards";
    *last = tick;
    if (pair->previous ? pair->previous->render.tick + 1 != tick : tick != 1)
        return "the two are not neighbors";
    return NULL;
}

/* Looks at each pair when it has it and again before it gives it back. */
static void *watch(void *data)
{
    Show *show = data;
    TestRandom random = {5};
    uint64_t last = 0;
    while (show->pairs < PAIRS && !show->problem) {
        CnSnapshotPair pair;
        if (!cn_outbox_acquire(show->outbox, &pair)) {
            cn_clock_sleep_ns(1000);
            continue;
        }
        show->problem = check_pair(&pair, &last);
        if (!show->problem && test_random_chance(&random, 10)) {
            cn_clock_sleep_ns(test_random_below(&random, 200000));
            show->problem = check_pair(&pair, &last);
        }
        cn_outbox_release(show->outbox);
        show->pairs++;
        if (test_random_chance(&random, 10))
            cn_clock_sleep_ns(test_random_below(&random, 200000));
    }
    atomic_fetch_sub(&show->running, 1);
    return NULL;
}

static const char *check_command(const CnAudioCommand *command, uint64_t number, uint64_t *tick)
{
    if (command->sound != (uint32_t)number || command->source.id != mixed(number, 400))
        return "a command is missing, torn or out of order";
    if (command->tick < *tick || command->flags != (uint32_t)command->tick)
        return "a command is of another tick";
    *tick = command->tick;
    return NULL;
}

static void *listen_until_stopped(Show *show, uint64_t enough, uint32_t pause_percent)
{
    TestRandom random = {6};
    uint64_t tick = 0;
    CnAudioCommand command;
    bool has_enough = false, is_last_look = false;
    for (;;) {
        bool is_there = cn_outbox_next_audio(show->outbox, &command);
        if (is_there && !show->audio_problem)
            show->audio_problem = check_command(&command, show->commands++, &tick);
        if (!has_enough && (show->commands >= enough || show->audio_problem)) {
            has_enough = true;
            atomic_fetch_sub(&show->running, 1);
        }
        if (!is_there && is_last_look)
            return NULL;
        if (!is_there)
            is_last_look = atomic_load(&show->stop);
        if (!is_last_look && test_random_chance(&random, is_there ? pause_percent : 100))
            cn_clock_sleep_ns(test_random_below(&random, 100000));
    }
}

/* Takes what there is at a pace that the ring can bear, or cannot. */
static void *listen_eagerly(void *data)
{
    return listen_until_stopped(data, COMMANDS, 0);
}

static void *listen_lazily(void *data)
{
    return listen_until_stopped(data, COMMANDS / 10, 20);
}

static void *hold_for_long(void *data)
{
    Show *show = data;
    CnSnapshotPair pair;
    uint64_t last = 0;
    while (!cn_outbox_acquire(show->outbox, &pair))
        cn_clock_sleep_ns(1000);
    show->problem = check_pair(&pair, &last);
    atomic_store(&show->holds, true);
    while (!atomic_load(&show->stop) && !show->problem) {
        cn_clock_sleep_ns(20000);
        show->problem = check_pair(&pair, &last);
    }
    cn_outbox_release(show->outbox);
    return NULL;
}

/* ---- Tests ---- */

static Show make_show(uint32_t max_audio)
{
    Show show = {.outbox = cn_outbox_create(&(CnOutboxDesc){.max_audio = max_audio}, NULL)};
    assert_non_null(show.outbox);
    return show;
}

static void start(pthread_t *thread, Show *show, void *(*run)(void *))
{
    atomic_fetch_add(&show->running, 1);
    assert_int_equal(pthread_create(thread, NULL, run, show), 0);
}

/* Ticks at full speed as long as a consumer wants more. */
static uint64_t run_until_seen(Show *show)
{
    uint64_t tick = 0;
    while (atomic_load(&show->running))
        run_tick(show, ++tick);
    atomic_store(&show->stop, true);
    return tick;
}

static void assert_no_problem(const Show *show)
{
    if (show->problem)
        fail_msg("after %llu pairs: %s", (unsigned long long)show->pairs, show->problem);
    if (show->audio_problem)
        fail_msg("after %llu commands: %s", (unsigned long long)show->commands,
                 show->audio_problem);
}

static void a_consumer_sees_whole_neighboring_snapshots_in_order(void **state)
{
    (void)state;
    Show show = make_show(1);
    pthread_t watcher;
    start(&watcher, &show, watch);
    run_until_seen(&show);
    pthread_join(watcher, NULL);
    assert_no_problem(&show);
    assert_int_equal(show.pairs, PAIRS);
    cn_outbox_destroy(show.outbox);
}

static void audio_commands_arrive_whole_and_in_order(void **state)
{
    (void)state;
    Show show = make_show(0);
    pthread_t listener;
    start(&listener, &show, listen_eagerly);
    run_until_seen(&show);
    pthread_join(listener, NULL);
    assert_no_problem(&show);
    assert_int_equal(show.commands, show.pushed_commands);
    cn_outbox_destroy(show.outbox);
}

static void commands_that_a_slow_consumer_misses_are_counted(void **state)
{
    (void)state;
    Show show = make_show(16);
    pthread_t listener;
    start(&listener, &show, listen_lazily);
    run_until_seen(&show);
    pthread_join(listener, NULL);
    assert_no_problem(&show);
    assert_int_equal(show.commands, show.pushed_commands);
    assert_int_equal(cn_outbox_stats(show.outbox).dropped_audio, show.dropped_commands);
    cn_outbox_destroy(show.outbox);
}

static void snapshots_and_audio_may_be_taken_by_two_threads(void **state)
{
    (void)state;
    Show show = make_show(0);
    pthread_t watcher, listener;
    start(&watcher, &show, watch);
    start(&listener, &show, listen_eagerly);
    uint64_t ticks = run_until_seen(&show);
    pthread_join(watcher, NULL);
    pthread_join(listener, NULL);
    assert_no_problem(&show);
    assert_int_equal(cn_outbox_stats(show.outbox).published, ticks);
    cn_outbox_destroy(show.outbox);
}

static void a_consumer_that_holds_for_long_blocks_no_thread(void **state)
{
    (void)state;
    Show show = make_show(1);
    pthread_t holder;
    start(&holder, &show, hold_for_long);
    uint64_t tick = 0;
    while (!atomic_load(&show.holds))
        run_tick(&show, ++tick);
    for (uint32_t i = 0; i < LONG_TICKS; i++)
        run_tick(&show, ++tick);
    atomic_store(&show.stop, true);
    pthread_join(holder, NULL);
    assert_no_problem(&show);
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(show.outbox, &pair));
    assert_int_equal(pair.current->render.tick, tick);
    cn_outbox_release(show.outbox);
    cn_outbox_destroy(show.outbox);
}

static void *watch_one_pair(void *data)
{
    Show *show = data;
    CnSnapshotPair pair;
    uint64_t last = 0;
    if (cn_outbox_acquire(show->outbox, &pair)) {
        show->problem = check_pair(&pair, &last);
        cn_outbox_release(show->outbox);
    }
    return NULL;
}

static void one_thread_after_another_may_be_the_consumer(void **state)
{
    (void)state;
    Show show = make_show(1);
    uint64_t tick = 0;
    for (uint32_t i = 0; i < 50 && !show.problem; i++) {
        pthread_t watcher;
        start(&watcher, &show, watch_one_pair);
        for (uint32_t j = 0; j < 20; j++)
            run_tick(&show, ++tick);
        pthread_join(watcher, NULL);
    }
    assert_no_problem(&show);
    cn_outbox_destroy(show.outbox);
}

int main(void)
{
    cn_log_set_level(CN_LOG_LEVEL_ERROR); /* dropped commands are expected */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_consumer_sees_whole_neighboring_snapshots_in_order),
        cmocka_unit_test(audio_commands_arrive_whole_and_in_order),
        cmocka_unit_test(commands_that_a_slow_consumer_misses_are_counted),
        cmocka_unit_test(snapshots_and_audio_may_be_taken_by_two_threads),
        cmocka_unit_test(a_consumer_that_holds_for_long_blocks_no_thread),
        cmocka_unit_test(one_thread_after_another_may_be_the_consumer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
