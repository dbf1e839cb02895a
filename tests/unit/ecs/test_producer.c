#include "ecs_fixture.h"

#include "failing_heap.h"
#include "guards.h"

#include <string.h>

CN_COMPONENT(Packet, (u32, sender), (u32, number));
CN_COMPONENT(Name, (u8, letters, 5));
CN_COMPONENT(Large, (u8, bytes, 4096));
CN_COMPONENT(Spread, (u8, kind), (vec3, place), (u16, rolls, 3));
CN_TAG(Reset);

static CnChannel *packets;

static int make_packets(void **state)
{
    if (make_world(state))
        return -1;
    packets = cn_channel(world, Packet);
    return packets ? 0 : -1;
}

static CnProducer *make_producer(uint32_t ring_bytes)
{
    CnProducer *producer = cn_producer_create(
        world, &(CnProducerDesc){.name = "test", .ring_bytes = ring_bytes}, NULL);
    assert_non_null(producer);
    return producer;
}

static bool send_packet(CnProducer *producer, uint32_t number)
{
    return cn_produce(producer, packets, Packet, {cn_producer_id(producer), number});
}

static uint32_t merge(void)
{
    return cn_producers_merge(world, NULL, NULL);
}

static void clear_events(void)
{
    cn_events_end_update(world);
    cn_events_begin_update(world);
}

static void assert_packet(uint32_t index, uint32_t sender, uint32_t number)
{
    assert_true(index < cn_event_count(packets));
    const Packet *packet = &cn_events(packets, Packet)[index];
    assert_int_equal(packet->sender, sender);
    assert_int_equal(packet->number, number);
}

/* ---- Order ---- */

static void what_is_sent_waits_for_the_merge(void **state)
{
    (void)state;
    CnProducer *producer = make_producer(0);
    assert_true(send_packet(producer, 7));
    assert_int_equal(cn_event_count(packets), 0);
    assert_int_equal(merge(), 1);
    assert_int_equal(cn_event_count(packets), 1);
    assert_packet(0, 0, 7);
}

static void what_was_merged_is_not_merged_again(void **state)
{
    (void)state;
    CnProducer *producer = make_producer(0);
    send_packet(producer, 7);
    merge();
    assert_int_equal(merge(), 0);
    assert_int_equal(cn_event_count(packets), 1);
}

static void events_come_by_producer_then_in_the_order_of_sending(void **state)
{
    (void)state;
    CnProducer *first = make_producer(0), *second = make_producer(0), *third = make_producer(0);
    send_packet(third, 0);
    send_packet(first, 0);
    send_packet(second, 0);
    send_packet(first, 1);
    send_packet(third, 1);
    assert_int_equal(merge(), 5);
    assert_packet(0, 0, 0);
    assert_packet(1, 0, 1);
    assert_packet(2, 1, 0);
    assert_packet(3, 2, 0);
    assert_packet(4, 2, 1);
}

static void one_producer_serves_several_channels(void **state)
{
    (void)state;
    CnChannel *names = cn_channel(world, Name);
    CnProducer *producer = make_producer(0);
    send_packet(producer, 1);
    cn_produce(producer, names, Name, {{'a', 'b', 'c', 'd', 'e'}});
    send_packet(producer, 2);
    assert_int_equal(merge(), 3);
    assert_int_equal(cn_event_count(packets), 2);
    assert_int_equal(cn_event_count(names), 1);
    assert_memory_equal(cn_events(names, Name)->letters, "abcde", 5);
    assert_packet(1, 0, 2);
}

static void the_next_update_sees_what_was_merged(void **state)
{
    (void)state;
    CnProducer *producer = make_producer(0);
    cn_world_update(world, 0.01f, NULL);
    send_packet(producer, 1);
    merge();
    cn_events_begin_update(world);
    assert_int_equal(cn_event_count(packets), 1);
    cn_events_end_update(world);
    cn_world_update(world, 0.01f, NULL);
    assert_int_equal(cn_event_count(packets), 0);
}

/* ---- Kinds of channels ---- */

static void a_signal_is_counted(void **state)
{
    (void)state;
    CnChannel *resets = cn_channel(world, Reset);
    CnProducer *producer = make_producer(0);
    for (int i = 0; i < 3; i++)
        assert_true(cn_produce_value(producer, resets, NULL));
    assert_int_equal(merge(), 3);
    assert_int_equal(cn_event_count(resets), 3);
}

static void a_channel_by_fields_gets_its_columns(void **state)
{
    (void)state;
    cn_register(world, Spread, .layout = CN_LAYOUT_FIELDS);
    CnChannel *spread = cn_channel(world, Spread);
    CnProducer *producer = make_producer(0);
    for (uint16_t i = 0; i < 100; i++)
        cn_produce(producer, spread, Spread, {(uint8_t)i, {(float)i, 0, 1}, {1, 2, i}});
    assert_int_equal(merge(), 100);
    const uint8_t *kind = cn_event_field(spread, Spread, kind);
    const CnVec3 *place = cn_event_field(spread, Spread, place);
    const uint16_t(*rolls)[3] = cn_event_field(spread, Spread, rolls);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(kind[i], i);
        assert_number_equal(place[i].x, i);
        assert_int_equal(rolls[i][2], i);
    }
}

/* ---- The ring ---- */

static void a_full_ring_drops_and_counts(void **state)
{
    (void)state;
    CnProducer *producer = make_producer(64); /* two events of 32 bytes */
    assert_true(send_packet(producer, 0));
    assert_true(send_packet(producer, 1));
    assert_false(send_packet(producer, 2));
    assert_false(send_packet(producer, 3));
    assert_int_equal(cn_producer_dropped(producer), 2);
    QUIETLY(assert_int_equal(merge(), 2));
    assert_packet(0, 0, 0);
    assert_packet(1, 0, 1);
}

static void a_merge_makes_room(void **state)
{
    (void)state;
    CnProducer *producer = make_producer(64);
    for (uint32_t i = 0; i < 20; i++) {
        assert_true(send_packet(producer, i));
        assert_true(send_packet(producer, i));
        assert_int_equal(merge(), 2);
    }
    assert_int_equal(cn_producer_dropped(producer), 0);
}

static void one_full_ring_leaves_the_others_alone(void **state)
{
    (void)state;
    CnProducer *small = make_producer(64), *other = make_producer(0);
    for (uint32_t i = 0; i < 10; i++) {
        send_packet(small, i);
        assert_true(send_packet(other, i));
    }
    assert_int_equal(cn_producer_dropped(small), 8);
    assert_int_equal(cn_producer_dropped(other), 0);
    QUIETLY(assert_int_equal(merge(), 12));
}

static int warnings;
static char last_warning[128];

static void count_warning(const CnLogRecord *record, void *user)
{
    (void)user;
    if (record->level != CN_LOG_LEVEL_WARNING || !strstr(record->message, "producer test"))
        return;
    warnings++;
    cn_copy_text(last_warning, sizeof last_warning, cn_text(record->message));
}

static void drops_are_reported_once_per_burst(void **state)
{
    (void)state;
    warnings = 0;
    CnLogLevel level = cn_log_level();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    int sink = cn_log_add_sink(&(CnLogSink){.write = count_warning, .level = CN_LOG_LEVEL_WARNING});
    CnProducer *producer = make_producer(64);
    for (uint32_t i = 0; i < 10; i++)
        send_packet(producer, i);
    assert_int_equal(warnings, 0);
    merge();
    assert_int_equal(warnings, 1);
    merge();
    assert_int_equal(warnings, 1);
    for (uint32_t round = 0; round < 5; round++) {
        for (uint32_t i = 0; i < 3; i++)
            send_packet(producer, i);
        merge();
        assert_int_equal(warnings, 2);
    }
    merge();
    assert_int_equal(warnings, 3);
    assert_non_null(strstr(last_warning, "5 events were dropped"));
    cn_log_remove_sink(sink);
    cn_log_set_level(level);
}

/* Events of 16, 32 and 48 bytes in rings that they do not divide. */
static void events_of_odd_sizes_survive_the_end_of_the_ring(void **state)
{
    (void)state;
    CnChannel *resets = cn_channel(world, Reset), *names = cn_channel(world, Name);
    cn_register(world, Spread);
    CnChannel *spread = cn_channel(world, Spread);
    CnProducer *producer = make_producer(256);
    for (uint32_t i = 0; i < 2000; i++) {
        uint8_t a = (uint8_t)i, b = (uint8_t)(i >> 8);
        uint32_t sent = 0, kinds = i % 7 + 1; /* a bit for each kind of event */
        if (kinds & 1)
            sent += cn_produce_value(producer, resets, NULL);
        if (kinds & 2)
            sent += cn_produce(producer, names, Name, {{a, b, 3, 4, 5}});
        if (kinds & 4)
            sent += cn_produce(producer, spread, Spread, {a, {(float)i, 2, 3}, {1, 2, 3}});
        assert_int_equal(sent, __builtin_popcount(kinds));
        assert_int_equal(merge(), sent);
        assert_int_equal(cn_event_count(resets), kinds & 1);
        assert_int_equal(cn_event_count(names), kinds >> 1 & 1);
        assert_int_equal(cn_event_count(spread), kinds >> 2);
        if (kinds & 2)
            assert_memory_equal(cn_events(names, Name), ((uint8_t[]){a, b, 3, 4, 5}), 5);
        if (kinds & 4) {
            assert_int_equal(cn_events(spread, Spread)->kind, a);
            assert_number_equal(cn_events(spread, Spread)->place.x, i);
        }
        clear_events();
    }
}

static void a_ring_keeps_its_events_over_its_end(void **state)
{
    (void)state;
    CnChannel *resets = cn_channel(world, Reset);
    CnProducer *producer = make_producer(256);
    uint32_t sent = 0, seen = 0;
    for (int round = 0; round < 300; round++) {
        cn_produce_value(producer, resets, NULL);
        for (int i = 0; i < round % 6; i++)
            assert_true(send_packet(producer, sent++));
        merge();
        for (uint32_t i = 0; i < cn_event_count(packets); i++)
            assert_packet(i, 0, seen++);
        clear_events();
    }
    assert_int_equal(seen, sent);
}

/* 4,112 bytes: more than half of the one ring, less than half of the other. */
static void an_event_fits_an_empty_ring_if_it_takes_at_most_half(void **state)
{
    (void)state;
    CnChannel *large = cn_channel(world, Large), *resets = cn_channel(world, Reset);
    static const Large value;
    CnProducer *small = make_producer(8192), *big = make_producer(8193);
    for (int i = 0; i < 600; i++) {
        cn_produce_value(big, resets, NULL);
        QUIETLY(merge());
        assert_false(cn_produce_value(small, large, &value));
        assert_true(cn_produce_value(big, large, &value));
        QUIETLY(assert_int_equal(merge(), 1));
        clear_events();
    }
    assert_int_equal(cn_producer_dropped(small), 600);
}

static void a_ring_of_zero_bytes_is_64_kib(void **state)
{
    (void)state;
    CnProducer *producer = make_producer(0);
    for (uint32_t i = 0; i < (64u << 10) / 32; i++)
        assert_true(send_packet(producer, i));
    assert_false(send_packet(producer, 0));
}

static void a_ring_is_rounded_up(void **state)
{
    (void)state;
    CnProducer *one = make_producer(1), *odd = make_producer(65);
    for (uint32_t i = 0; i < 2; i++)
        assert_true(send_packet(one, i));
    for (uint32_t i = 0; i < 4; i++)
        assert_true(send_packet(odd, i));
    assert_false(send_packet(one, 0));
    assert_false(send_packet(odd, 0));
}

static void a_ring_has_at_most_64_mib(void **state)
{
    (void)state;
    uint64_t live = cn_heap_stats(heap).live_blocks;
    CnError error = {0};
    const CnProducerDesc large = {.ring_bytes = (64u << 20) + 1}, most = {.ring_bytes = UINT32_MAX};
    assert_null(cn_producer_create(world, &large, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_null(cn_producer_create(world, &most, &error));
    assert_int_equal(cn_heap_stats(heap).live_blocks, live);
    make_producer(64u << 20);
}

static void a_channel_that_is_full_drops_what_is_merged(void **state)
{
    (void)state;
    cn_channel_open(world, &(CnChannelDesc){.type = &cn_type_Packet, .max_events = 3});
    CnProducer *producer = make_producer(0);
    for (uint32_t i = 0; i < 5; i++)
        assert_true(send_packet(producer, i));
    QUIETLY(assert_int_equal(merge(), 5));
    assert_int_equal(cn_event_count(packets), 3);
    assert_int_equal(cn_world_stats(world).dropped_events, 2);
    assert_int_equal(cn_producer_dropped(producer), 0);
}

/* ---- Life ---- */

static void ids_are_dense_and_never_given_again(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 10; i++) {
        CnProducer *producer = make_producer(64);
        assert_int_equal(cn_producer_id(producer), i);
        if (i % 2)
            cn_producer_destroy(producer);
        if (i % 3)
            merge();
    }
}

static void an_id_lost_to_a_failed_create_is_given_to_the_next(void **state)
{
    (void)state;
    cn_heap_fail_after(heap, 0);
    assert_null(cn_producer_create(world, &(CnProducerDesc){0}, NULL));
    cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
    assert_int_equal(cn_producer_id(make_producer(64)), 0);
}

static void a_name_may_be_missing_or_empty(void **state)
{
    (void)state;
    assert_non_null(cn_producer_create(world, &(CnProducerDesc){0}, NULL));
    assert_non_null(cn_producer_create(world, &(CnProducerDesc){.name = ""}, NULL));
}

static void a_destroyed_producer_still_delivers_what_waits(void **state)
{
    (void)state;
    CnProducer *gone = make_producer(64), *stays = make_producer(64);
    send_packet(stays, 5);
    send_packet(gone, 4);
    cn_producer_destroy(gone);
    assert_int_equal(merge(), 2);
    assert_packet(0, 0, 4);
    assert_packet(1, 1, 5);
    assert_true(send_packet(stays, 6));
    assert_int_equal(merge(), 1);
}

static void the_merge_frees_a_destroyed_producer(void **state)
{
    (void)state;
    send_packet(make_producer(64), 1);
    merge();
    uint64_t live = cn_heap_stats(heap).live_blocks;
    for (int i = 0; i < 100; i++) {
        CnProducer *producer = make_producer(64);
        send_packet(producer, 1);
        cn_producer_destroy(producer);
        merge();
        clear_events();
    }
    assert_int_equal(cn_heap_stats(heap).live_blocks, live);
}

static void destroying_null_does_nothing(void **state)
{
    (void)state;
    cn_producer_destroy(NULL);
}

static void a_world_ends_with_events_waiting(void **state)
{
    (void)state;
    CnProducer *producer = make_producer(0), *destroyed = make_producer(0);
    send_packet(producer, 1);
    send_packet(destroyed, 1);
    cn_producer_destroy(destroyed); /* drop_world finds what is left */
}

static void discard_drops_what_waits(void **state)
{
    (void)state;
    CnProducer *first = make_producer(64), *second = make_producer(64);
    send_packet(first, 1);
    send_packet(first, 2);
    send_packet(second, 3);
    cn_producer_destroy(second);
    assert_int_equal(cn_producers_discard(world), 3);
    assert_int_equal(cn_event_count(packets), 0);
    assert_int_equal(cn_producer_dropped(first), 0);
    assert_int_equal(merge(), 0);
    assert_true(send_packet(first, 4));
    assert_int_equal(merge(), 1);
    assert_packet(0, 0, 4);
}

/* ---- The callback ---- */

typedef struct Seen {
    uint32_t count;
    uint32_t numbers[16];
    uint32_t signals;
    CnProducer *sends_to;
    CnProducer *destroys;
} Seen;

static void see(CnChannel *channel, const void *value, void *user)
{
    Seen *seen = user;
    if (channel != packets) {
        assert_null(value);
        seen->signals++;
        return;
    }
    assert_int_equal((uintptr_t)value % 16, 0);
    seen->numbers[seen->count++] = ((const Packet *)value)->number;
    if (seen->sends_to)
        assert_true(send_packet(seen->sends_to, 100));
    cn_producer_destroy(seen->destroys);
}

static void the_callback_sees_every_event_in_order(void **state)
{
    (void)state;
    CnChannel *resets = cn_channel(world, Reset);
    CnProducer *first = make_producer(0), *second = make_producer(0);
    send_packet(second, 3);
    send_packet(first, 1);
    cn_produce_value(first, resets, NULL);
    send_packet(first, 2);
    Seen seen = {0};
    assert_int_equal(cn_producers_merge(world, see, &seen), 4);
    assert_int_equal(seen.count, 3);
    assert_int_equal(seen.signals, 1);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(seen.numbers[i], i + 1);
}

static void the_callback_sees_what_its_channel_drops(void **state)
{
    (void)state;
    cn_channel_open(world, &(CnChannelDesc){.type = &cn_type_Packet, .max_events = 1});
    CnProducer *producer = make_producer(0);
    send_packet(producer, 1);
    send_packet(producer, 2);
    Seen seen = {0};
    QUIETLY(cn_producers_merge(world, see, &seen));
    assert_int_equal(seen.count, 2);
    assert_int_equal(cn_event_count(packets), 1);
}

/* To itself and to a later one. */
static void what_is_sent_during_a_merge_waits_for_the_next(void **state)
{
    (void)state;
    CnProducer *first = make_producer(0), *second = make_producer(0);
    CnProducer *targets[] = {first, second};
    for (int i = 0; i < 2; i++) {
        send_packet(first, 1);
        Seen seen = {.sends_to = targets[i]};
        assert_int_equal(cn_producers_merge(world, see, &seen), 1);
        assert_int_equal(merge(), 1);
    }
}

static void a_producer_destroyed_by_the_callback_keeps_what_it_sent(void **state)
{
    (void)state;
    CnProducer *producer = make_producer(0);
    send_packet(producer, 1);
    Seen seen = {.sends_to = producer, .destroys = producer};
    assert_int_equal(cn_producers_merge(world, see, &seen), 1);
    assert_int_equal(merge(), 1);
    assert_packet(1, 0, 100);
}

static void make_one_and_send(CnChannel *channel, const void *value, void *user)
{
    (void)channel, (void)value;
    CnProducer **made = user;
    for (int i = 0; i < 20; i++)
        assert_true(send_packet(*made = make_producer(64), 9));
}

static void producers_made_by_the_callback_wait_for_the_next_merge(void **state)
{
    (void)state;
    CnProducer *made = NULL;
    send_packet(make_producer(0), 1);
    assert_int_equal(cn_producers_merge(world, make_one_and_send, &made), 1);
    assert_int_equal(merge(), 20);
    assert_int_equal(cn_producer_id(made), 20);
}

/* ---- Memory ---- */

static void sending_and_merging_makes_no_heap_call(void **state)
{
    (void)state;
    CnProducer *first = make_producer(4096), *second = make_producer(4096);
    uint64_t calls = 0;
    for (int round = 0; round < 50; round++) {
        for (uint32_t i = 0; i < 100; i++) {
            assert_true(send_packet(first, i));
            assert_true(send_packet(second, i));
        }
        assert_int_equal(merge(), 200);
        clear_events();
        if (round == 2)
            calls = cn_heap_stats(heap).calls;
    }
    assert_int_equal(cn_heap_stats(heap).calls, calls);
}

static bool create_some(CnAllocator *allocator, void *user)
{
    (void)user;
    CnWorld *own = cn_world_create(&(CnWorldDesc){.allocator = allocator}, NULL);
    if (!own)
        return false;
    uint32_t made = 0;
    for (; made < 10; made++) {
        char name[16];
        cn_format(name, sizeof name, "producer %u", made);
        CnProducer *producer = cn_producer_create(own, &(CnProducerDesc){.name = name}, NULL);
        if (!producer)
            break;
        assert_int_equal(cn_producer_id(producer), made);
    }
    assert_int_equal(cn_producers_merge(own, NULL, NULL), 0);
    cn_world_destroy(own);
    return made == 10;
}

static void a_producer_is_made_whole_or_not_at_all(void **state)
{
    (void)state;
    run_with_failing_allocations(create_some, NULL);
}

/* ---- Guards ---- */

#ifdef CN_GUARDS
static void merge_in_a_system(CnSystemContext *context)
{
    cn_producers_merge(context->world, NULL, NULL);
}

static void guards_find_wrong_calls(void **state)
{
    (void)state;
    CnProducer *producer = make_producer(0);
    CnWorld *other = cn_world_create(NULL, NULL);
    CnChannel *foreign = cn_channel(other, Packet);
    EXPECT_GUARD(cn_produce(producer, foreign, Packet, {1, 2}));
    assert_non_null(strstr(guard_message(), "another world"));
    cn_world_destroy(other);
    cn_producer_destroy(producer);
    EXPECT_GUARD(send_packet(producer, 1));
    assert_non_null(strstr(guard_message(), "destroyed"));
}

static void a_system_cannot_merge(void **state)
{
    (void)state;
    CnSystemDesc desc = {.name = "merge", .run = merge_in_a_system, .stage = CN_STAGE_UPDATE};
    cn_system_add(world, &desc, NULL);
    EXPECT_GUARD(cn_world_update(world, 0.01f, NULL));
    assert_non_null(strstr(guard_message(), "between stages"));
}
#endif

#define PRODUCER_TEST(name) cmocka_unit_test_setup_teardown(name, make_packets, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PRODUCER_TEST(what_is_sent_waits_for_the_merge),
        PRODUCER_TEST(what_was_merged_is_not_merged_again),
        PRODUCER_TEST(events_come_by_producer_then_in_the_order_of_sending),
        PRODUCER_TEST(one_producer_serves_several_channels),
        PRODUCER_TEST(the_next_update_sees_what_was_merged),
        PRODUCER_TEST(a_signal_is_counted),
        PRODUCER_TEST(a_channel_by_fields_gets_its_columns),
        PRODUCER_TEST(a_full_ring_drops_and_counts),
        PRODUCER_TEST(a_merge_makes_room),
        PRODUCER_TEST(one_full_ring_leaves_the_others_alone),
        PRODUCER_TEST(drops_are_reported_once_per_burst),
        PRODUCER_TEST(events_of_odd_sizes_survive_the_end_of_the_ring),
        PRODUCER_TEST(a_ring_keeps_its_events_over_its_end),
        PRODUCER_TEST(an_event_fits_an_empty_ring_if_it_takes_at_most_half),
        PRODUCER_TEST(a_ring_of_zero_bytes_is_64_kib),
        PRODUCER_TEST(a_ring_is_rounded_up),
        PRODUCER_TEST(a_ring_has_at_most_64_mib),
        PRODUCER_TEST(a_channel_that_is_full_drops_what_is_merged),
        PRODUCER_TEST(ids_are_dense_and_never_given_again),
        PRODUCER_TEST(an_id_lost_to_a_failed_create_is_given_to_the_next),
        PRODUCER_TEST(a_name_may_be_missing_or_empty),
        PRODUCER_TEST(a_destroyed_producer_still_delivers_what_waits),
        PRODUCER_TEST(the_merge_frees_a_destroyed_producer),
        PRODUCER_TEST(destroying_null_does_nothing),
        PRODUCER_TEST(a_world_ends_with_events_waiting),
        PRODUCER_TEST(discard_drops_what_waits),
        PRODUCER_TEST(the_callback_sees_every_event_in_order),
        PRODUCER_TEST(the_callback_sees_what_its_channel_drops),
        PRODUCER_TEST(what_is_sent_during_a_merge_waits_for_the_next),
        PRODUCER_TEST(a_producer_destroyed_by_the_callback_keeps_what_it_sent),
        PRODUCER_TEST(producers_made_by_the_callback_wait_for_the_next_merge),
        PRODUCER_TEST(sending_and_merging_makes_no_heap_call),
        PRODUCER_TEST(a_producer_is_made_whole_or_not_at_all),
#ifdef CN_GUARDS
        PRODUCER_TEST(guards_find_wrong_calls),
        PRODUCER_TEST(a_system_cannot_merge),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
