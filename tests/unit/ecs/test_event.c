#include "ecs_fixture.h"

#include <string.h>

CN_COMPONENT(Damage, (entity, target), (f32, amount));
CN_COMPONENT(Hit, (vec3, place), (u8, part), (u16, rolls, 3));
CN_TAG(Reset);

static CnChannel *damage, *resets;

static int make_channels(void **state)
{
    if (make_world(state))
        return -1;
    damage = cn_channel(world, Damage);
    resets = cn_channel(world, Reset);
    return damage && resets ? 0 : -1;
}

static void update(void)
{
    CnError error = {0};
    if (!cn_world_update(world, 0.01f, &error))
        fail_msg("%s", error.message);
}

/* ---- Channels ---- */

static void a_type_has_one_channel(void **state)
{
    (void)state;
    assert_ptr_equal(cn_channel(world, Damage), damage);
    assert_ptr_not_equal((void *)damage, (void *)resets);
    CnChannelDesc by_id = {.component = cn_id(world, Damage)};
    assert_ptr_equal(cn_channel_open(world, &by_id), damage);
}

static void a_channel_begins_empty(void **state)
{
    (void)state;
    assert_int_equal(cn_event_count(damage), 0);
    assert_int_equal(cn_event_count(resets), 0);
}

static void the_address_of_a_channel_stays(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        char name[16];
        cn_format(name, sizeof name, "Event%d", i);
        CnType type = {.name = name, .alignment = 1};
        CnComponent id = cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL);
        cn_channel_open(world, &(CnChannelDesc){.component = id});
    }
    assert_ptr_equal(cn_channel(world, Damage), damage);
}

static void an_event_type_may_be_a_component_too(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Damage, {.amount = 2}));
    cn_send(damage, Damage, {.amount = 3});
    assert_number_equal(cn_get(world, entity, Damage)->amount, 2);
    assert_number_equal(cn_events(damage, Damage)[0].amount, 3);
}

/* ---- Sending and reading ---- */

static void events_are_read_in_the_order_of_sending(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    for (int i = 0; i < 1000; i++)
        assert_true(cn_send(damage, Damage, {.target = entity, .amount = (float)i}));
    assert_int_equal(cn_event_count(damage), 1000);
    const Damage *events = cn_events(damage, Damage);
    for (int i = 0; i < 1000; i++) {
        assert_entity_equal(events[i].target, entity);
        assert_number_equal(events[i].amount, i);
    }
}

static void reading_leaves_the_events_for_others(void **state)
{
    (void)state;
    cn_send(damage, Damage, {.amount = 1});
    for (int reader = 0; reader < 3; reader++) {
        assert_int_equal(cn_event_count(damage), 1);
        assert_number_equal(cn_events(damage, Damage)->amount, 1);
    }
}

static void a_signal_is_only_counted(void **state)
{
    (void)state;
    for (int i = 0; i < 70; i++)
        cn_signal(resets);
    assert_int_equal(cn_event_count(resets), 70);
    assert_null(resets->rows);
    assert_true(cn_send_value(resets, NULL));
    assert_int_equal(cn_event_count(resets), 71);
}

static void a_channel_by_fields_has_a_column_per_field(void **state)
{
    (void)state;
    cn_register(world, Hit, .layout = CN_LAYOUT_FIELDS);
    CnChannel *hits = cn_channel(world, Hit);
    for (int i = 0; i < 500; i++)
        assert_true(cn_send(hits, Hit, {{(float)i, 0, 1}, (uint8_t)(i % 7), {1, 2, (uint16_t)i}}));
    const CnVec3 *place = cn_event_field(hits, Hit, place);
    const uint8_t *part = cn_event_field(hits, Hit, part);
    const uint16_t(*rolls)[3] = cn_event_field(hits, Hit, rolls);
    for (int i = 0; i < 500; i++) {
        assert_number_equal(place[i].x, i);
        assert_int_equal(part[i], i % 7);
        assert_int_equal(rolls[i][2], i);
    }
    assert_int_equal((uintptr_t)rolls % 64, 0);
}

static void columns_by_fields_keep_what_the_next_update_sees(void **state)
{
    (void)state;
    cn_register(world, Hit, .layout = CN_LAYOUT_FIELDS);
    CnChannel *hits = cn_channel(world, Hit);
    cn_send(hits, Hit, {{1, 1, 1}, 1, {1}});
    update();
    cn_send(hits, Hit, {{2, 2, 2}, 2, {2}});
    cn_events_begin_update(world);
    assert_int_equal(cn_event_count(hits), 1);
    assert_number_equal(cn_event_field(hits, Hit, place)->z, 2);
    assert_int_equal(*cn_event_field(hits, Hit, part), 2);
    cn_events_end_update(world);
}

static void an_event_is_sent_by_address_when_its_type_is_known_at_run_time(void **state)
{
    (void)state;
    Damage value = {.amount = 7};
    assert_true(cn_send_value(damage, &value));
    assert_number_equal(cn_events(damage, Damage)->amount, 7);
}

static void events_are_typed(void **state)
{
    (void)state;
    assert_true(_Generic(cn_events(damage, Damage), const Damage * : true, default : false));
}

/* ---- Life of an event ---- */

static void an_event_sent_between_updates_is_seen_by_the_next_one_alone(void **state)
{
    (void)state;
    cn_send(damage, Damage, {.amount = 1});
    cn_signal(resets);
    cn_events_begin_update(world);
    assert_int_equal(cn_event_count(damage), 1);
    assert_int_equal(cn_event_count(resets), 1);
    cn_events_end_update(world);
    assert_int_equal(cn_event_count(damage), 1);
    cn_events_begin_update(world);
    assert_int_equal(cn_event_count(damage), 0);
    assert_int_equal(cn_event_count(resets), 0);
    cn_events_end_update(world);
}

static void an_event_sent_in_an_update_is_cleared_at_the_start_of_the_next(void **state)
{
    (void)state;
    cn_events_begin_update(world);
    cn_send(damage, Damage, {.amount = 1});
    cn_events_end_update(world);
    assert_int_equal(cn_event_count(damage), 1); /* code between updates sees it */
    cn_events_begin_update(world);
    assert_int_equal(cn_event_count(damage), 0);
    cn_events_end_update(world);
}

static void older_events_go_and_newer_ones_move_up(void **state)
{
    (void)state;
    cn_send(damage, Damage, {.amount = 1});
    cn_send(damage, Damage, {.amount = 2});
    cn_signal(resets);
    update();
    cn_send(damage, Damage, {.amount = 3});
    cn_signal(resets);
    cn_signal(resets);
    assert_int_equal(cn_event_count(damage), 3);
    cn_events_begin_update(world);
    assert_int_equal(cn_event_count(resets), 2);
    assert_int_equal(cn_event_count(damage), 1);
    assert_number_equal(cn_events(damage, Damage)->amount, 3);
    cn_events_end_update(world);
}

typedef struct Counts {
    uint32_t first, second, third;
} Counts;

static void read_first(CnSystemContext *context)
{
    ((Counts *)context->user)->first = cn_event_count(damage);
}

static void send_second(CnSystemContext *context)
{
    cn_send(damage, Damage, {.amount = 1});
    ((Counts *)context->user)->second = cn_event_count(damage);
}

static void read_third(CnSystemContext *context)
{
    ((Counts *)context->user)->third = cn_event_count(damage);
}

static void later_systems_of_an_update_see_what_earlier_ones_sent(void **state)
{
    (void)state;
    Counts counts = {0};
    CnSystemDesc descs[] = {
        {.name = "first", .run = read_first, .stage = CN_STAGE_PRE_UPDATE},
        {.name = "second", .run = send_second, .stage = CN_STAGE_UPDATE},
        {.name = "third", .run = read_third, .stage = CN_STAGE_POST_UPDATE},
    };
    for (size_t i = 0; i < CN_COUNT_OF(descs); i++) {
        descs[i].user = &counts;
        descs[i].access[0] = (CnTerm)cn_writes(Damage);
        cn_system_add(world, &descs[i], NULL);
    }
    for (int round = 0; round < 3; round++) {
        update();
        assert_int_equal(counts.first, 0);
        assert_int_equal(counts.second, 1);
        assert_int_equal(counts.third, 1);
    }
}

static void events_outside_of_systems_are_sent_to_the_world(void **state)
{
    (void)state;
    Counts counts = {0};
    CnSystemDesc desc = {.name = "third", .run = read_third, .user = &counts};
    desc.stage = CN_STAGE_UPDATE;
    desc.access[0] = (CnTerm)cn_reads(Damage);
    cn_system_add(world, &desc, NULL);
    cn_send(damage, Damage, {.amount = 1});
    update();
    assert_int_equal(counts.third, 1);
    update();
    assert_int_equal(counts.third, 0);
}

static void a_channel_in_use_makes_no_heap_call(void **state)
{
    (void)state;
    uint64_t calls = 0;
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 300; i++)
            cn_send(damage, Damage, {.amount = 1});
        update();
        if (round == 2)
            calls = cn_heap_stats(heap).calls;
    }
    assert_int_equal(cn_heap_stats(heap).calls, calls);
}

/* ---- Bounds ---- */

static int warnings;
static char last_warning[128];

static void count_warning(const CnLogRecord *record, void *user)
{
    (void)user;
    if (record->level != CN_LOG_LEVEL_WARNING || !strstr(record->message, "Damage"))
        return;
    warnings++;
    cn_copy_text(last_warning, sizeof last_warning, cn_text(record->message));
}

static void fill(CnChannel *channel, int count)
{
    for (int i = 0; i < count; i++)
        cn_send(channel, Damage, {.amount = (float)i});
}

static void a_full_channel_drops_and_counts_what_comes_later(void **state)
{
    (void)state;
    CnChannelDesc desc = {.type = &cn_type_Hit, .max_events = 100};
    CnChannel *hits = cn_channel_open(world, &desc);
    for (int i = 0; i < 100; i++)
        assert_true(cn_send(hits, Hit, {.part = (uint8_t)i}));
    QUIETLY(assert_false(cn_send(hits, Hit, {.part = 255})); cn_send(hits, Hit, {.part = 255}));
    assert_int_equal(cn_event_count(hits), 100);
    assert_int_equal(cn_events(hits, Hit)[99].part, 99);
    assert_int_equal(cn_world_stats(world).dropped_events, 2);
    update();
    update();
    assert_true(cn_send(hits, Hit, {.part = 1}));
}

static void the_limit_is_exact_in_either_layout(void **state)
{
    (void)state;
    cn_register(world, Hit, .layout = CN_LAYOUT_FIELDS);
    CnChannelDesc descs[] = {{.type = &cn_type_Hit, .max_events = 70},
                             {.type = &cn_type_Damage, .max_events = 70}};
    for (int i = 0; i < 2; i++) {
        CnChannel *channel = cn_channel_open(world, &descs[i]);
        for (int n = 0; n < 90; n++)
            QUIETLY(i ? cn_send(channel, Damage, {.amount = 1})
                      : cn_send(channel, Hit, {.part = 1}));
        assert_int_equal(cn_event_count(channel), 70);
        assert_int_equal(channel->dropped, 20);
    }
}

static void a_channel_holds_65536_events_by_default(void **state)
{
    (void)state;
    fill(damage, CN_DEFAULT_MAX_EVENTS);
    assert_int_equal(cn_event_count(damage), CN_DEFAULT_MAX_EVENTS);
    QUIETLY(assert_false(cn_send(damage, Damage, {.amount = 1})));
}

static void a_limit_given_later_holds_from_then_on(void **state)
{
    (void)state;
    fill(damage, 50);
    cn_channel_open(world, &(CnChannelDesc){.type = &cn_type_Damage, .max_events = 60});
    QUIETLY(fill(damage, 50));
    assert_int_equal(cn_event_count(damage), 60);
    cn_channel_open(world, &(CnChannelDesc){.type = &cn_type_Damage, .max_events = 2000});
    fill(damage, 1000);
    assert_int_equal(cn_event_count(damage), 1060);
}

static void dropped_events_are_reported_once_per_burst(void **state)
{
    (void)state;
    cn_channel_open(world, &(CnChannelDesc){.type = &cn_type_Damage, .max_events = 10});
    warnings = 0;
    CnLogLevel level = cn_log_level();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    int sink = cn_log_add_sink(&(CnLogSink){.write = count_warning, .level = CN_LOG_LEVEL_WARNING});
    for (int i = 0; i < 5; i++) {
        fill(damage, 20);
        update();
        assert_int_equal(warnings, 1);
    }
    update();
    assert_int_equal(warnings, 2);
    char expected[64];
    cn_format(expected, sizeof expected, "%u events of type Damage were dropped",
              (unsigned)damage->dropped);
    assert_true(damage->dropped >= 50);
    assert_string_equal(last_warning, expected);
    update();
    fill(damage, 20);
    assert_int_equal(warnings, 3);
    cn_log_remove_sink(sink);
    cn_log_set_level(level);
}

#define EVENT_TEST(name) cmocka_unit_test_setup_teardown(name, make_channels, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EVENT_TEST(a_type_has_one_channel),
        EVENT_TEST(a_channel_begins_empty),
        EVENT_TEST(the_address_of_a_channel_stays),
        EVENT_TEST(an_event_type_may_be_a_component_too),
        EVENT_TEST(events_are_read_in_the_order_of_sending),
        EVENT_TEST(reading_leaves_the_events_for_others),
        EVENT_TEST(a_signal_is_only_counted),
        EVENT_TEST(a_channel_by_fields_has_a_column_per_field),
        EVENT_TEST(columns_by_fields_keep_what_the_next_update_sees),
        EVENT_TEST(an_event_is_sent_by_address_when_its_type_is_known_at_run_time),
        EVENT_TEST(events_are_typed),
        EVENT_TEST(an_event_sent_between_updates_is_seen_by_the_next_one_alone),
        EVENT_TEST(an_event_sent_in_an_update_is_cleared_at_the_start_of_the_next),
        EVENT_TEST(older_events_go_and_newer_ones_move_up),
        EVENT_TEST(later_systems_of_an_update_see_what_earlier_ones_sent),
        EVENT_TEST(events_outside_of_systems_are_sent_to_the_world),
        EVENT_TEST(a_channel_in_use_makes_no_heap_call),
        EVENT_TEST(a_full_channel_drops_and_counts_what_comes_later),
        EVENT_TEST(the_limit_is_exact_in_either_layout),
        EVENT_TEST(a_channel_holds_65536_events_by_default),
        EVENT_TEST(a_limit_given_later_holds_from_then_on),
        EVENT_TEST(dropped_events_are_reported_once_per_burst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
