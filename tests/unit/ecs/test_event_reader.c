/* Readers with a cursor, and the events that frame stages see: every event exactly once, for any
 * number of updates between two frames; updates do not depend on readers. */
#include "ecs_fixture.h"

CN_COMPONENT(Hit, (u64, number));
CN_COMPONENT(Wide, (u32, number), (f32, amount));

static CnChannel *hits, *wides, *alarms;
static uint64_t sent, seen[64];
static uint32_t seen_count, alarms_seen, wides_seen;

static void hit(CnSystemContext *context)
{
    (void)context;
    cn_send(hits, Hit, {sent});
    cn_send(wides, Wide, {(uint32_t)sent, 1});
    cn_signal(alarms);
    sent++;
}

static void play(CnSystemContext *context)
{
    (void)context;
    for (uint32_t i = 0; i < cn_event_count(hits) && seen_count < CN_COUNT_OF(seen); i++)
        seen[seen_count++] = cn_events(hits, Hit)[i].number;
    for (uint32_t i = 0; i < cn_event_count(wides); i++)
        wides_seen += cn_event_field(wides, Wide, number)[i];
    alarms_seen += cn_event_count(alarms);
}

static int begin(void **state)
{
    if (make_world(state))
        return -1;
    cn_register(world, Wide, .layout = CN_LAYOUT_FIELDS);
    hits = cn_channel(world, Hit);
    wides = cn_channel(world, Wide);
    alarms = cn_channel(world, Enemy);
    sent = seen_count = alarms_seen = wides_seen = 0;
    CnSystemDesc hitting = {.name = "hit", .run = hit, .stage = CN_STAGE_UPDATE};
    return cn_system_add(world, &hitting, NULL).id ? 0 : -1;
}

static void add_play(void)
{
    CnSystemDesc playing = {
        .name = "play",
        .run = play,
        .stage = CN_STAGE_FRAME,
        .access = {cn_reads(Hit), cn_reads(Wide), cn_reads(Enemy)},
    };
    assert_int_not_equal(cn_system_add(world, &playing, NULL).id, 0);
}

static void update(uint32_t times)
{
    for (uint32_t i = 0; i < times; i++)
        assert_true(cn_world_update(world, 1, NULL));
}

static void frame(void)
{
    assert_true(cn_world_frame(world, 1, NULL));
}

static void a_frame_sees_the_events_of_all_its_updates_once(void **state)
{
    (void)state;
    const uint32_t updates[] = {3, 0, 1, 0, 0, 5, 2};
    uint32_t numbers = 0;
    add_play();
    for (uint32_t i = 0; i < CN_COUNT_OF(updates); i++) {
        update(updates[i]);
        frame();
        assert_int_equal(seen_count, sent);
    }
    for (uint32_t i = 0; i < seen_count; numbers += i, i++)
        assert_int_equal(seen[i], i);
    assert_int_equal(alarms_seen, sent);
    assert_int_equal(wides_seen, numbers);
}

static void what_is_sent_between_updates_is_seen_once_by_a_frame(void **state)
{
    (void)state;
    add_play();
    cn_send(hits, Hit, {100});
    frame();
    frame();
    assert_int_equal(seen_count, 1);
    update(1);
    frame();
    assert_int_equal(seen_count, 2);
}

static void after_a_frame_the_channel_shows_what_updates_see(void **state)
{
    (void)state;
    add_play();
    update(3);
    assert_int_equal(cn_event_count(hits), 1);
    frame();
    assert_int_equal(cn_event_count(hits), 1);
    assert_int_equal(cn_events(hits, Hit)[0].number, 2);
}

static void a_reader_sees_every_event_once_whenever_it_reads(void **state)
{
    (void)state;
    uint64_t next = 0;
    CnEventReader *reader = cn_event_reader_create(hits, NULL);
    for (uint32_t round = 0; round < 10; round++) {
        update(round % 4);
        assert_int_equal(cn_event_reader_count(reader), sent - next);
        for (const Hit *h; (h = cn_read_next(reader, Hit));)
            assert_int_equal(h->number, next++);
        assert_int_equal(next, sent);
    }
    assert_int_equal(cn_event_reader_missed(reader), 0);
    cn_event_reader_destroy(reader);
}

static void a_reader_puts_events_laid_out_by_fields_together(void **state)
{
    (void)state;
    uint32_t next = 0;
    CnEventReader *reader = cn_event_reader_create(wides, NULL);
    update(3);
    for (const Wide *w; (w = cn_read_next(reader, Wide)); next++) {
        assert_int_equal(w->number, next);
        assert_number_equal(w->amount, 1);
    }
    assert_int_equal(next, 3);
}

static void a_reader_counts_signals(void **state)
{
    (void)state;
    uint32_t count = 0;
    CnEventReader *reader = cn_event_reader_create(alarms, NULL);
    update(5);
    while (cn_event_reader_next(reader))
        count++;
    assert_int_equal(count, 5);
}

static void a_reader_begins_with_what_is_sent_after_its_making(void **state)
{
    (void)state;
    update(2);
    CnEventReader *reader = cn_event_reader_create(hits, NULL);
    assert_null(cn_event_reader_next(reader));
    update(1);
    assert_int_equal(cn_read_next(reader, Hit)->number, 2);
    assert_null(cn_event_reader_next(reader));
}

static void a_reader_that_lags_loses_the_oldest_and_counts_them(void **state)
{
    (void)state;
    cn_channel_open(world, &(CnChannelDesc){.type = &cn_type_Hit, .max_events = 10});
    CnEventReader *reader = cn_event_reader_create(hits, NULL);
    update(25);
    assert_int_equal(cn_event_reader_count(reader), 10);
    assert_int_equal(cn_event_reader_missed(reader), 15);
    assert_int_equal(cn_read_next(reader, Hit)->number, 15);
}

static void a_slow_reader_changes_nothing_that_updates_see(void **state)
{
    (void)state;
    cn_channel_open(world, &(CnChannelDesc){.type = &cn_type_Hit, .max_events = 4});
    cn_event_reader_create(hits, NULL);
    add_play();
    for (int i = 0; i < 50; i++) {
        update(1);
        assert_int_equal(cn_event_count(hits), 1);
    }
    assert_int_equal(cn_world_stats(world).dropped_events, 0);
}

static void reading_allocates_nothing_once_it_is_warm(void **state)
{
    (void)state;
    CnEventReader *reader = cn_event_reader_create(hits, NULL);
    add_play();
    update(200);
    frame();
    uint64_t before = cn_heap_stats(heap).calls;
    for (int i = 0; i < 20; i++) {
        update(3);
        while (cn_event_reader_next(reader)) {
        }
        frame();
    }
    assert_int_equal(cn_heap_stats(heap).calls, before);
}

#define READER_TEST(name) cmocka_unit_test_setup_teardown(name, begin, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        READER_TEST(a_frame_sees_the_events_of_all_its_updates_once),
        READER_TEST(what_is_sent_between_updates_is_seen_once_by_a_frame),
        READER_TEST(after_a_frame_the_channel_shows_what_updates_see),
        READER_TEST(a_reader_sees_every_event_once_whenever_it_reads),
        READER_TEST(a_reader_puts_events_laid_out_by_fields_together),
        READER_TEST(a_reader_counts_signals),
        READER_TEST(a_reader_begins_with_what_is_sent_after_its_making),
        READER_TEST(a_reader_that_lags_loses_the_oldest_and_counts_them),
        READER_TEST(a_slow_reader_changes_nothing_that_updates_see),
        READER_TEST(reading_allocates_nothing_once_it_is_warm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
