/* Limits: the size of components and rows, of commands, and of event channels. */
#include "ecs_fixture.h"

#include "check_world.h"
#include "guards.h"

#include <stdio.h>
#include <string.h>

/* A component of any size; its bytes are a field when there is one. */
static CnComponent register_bytes(const char *name, uint32_t size, CnError *error)
{
    CnField field = {"bytes", CN_FIELD_U8, size, 0, size};
    CnType type = {name, size, 1, &field, 1, NULL};
    return cn_component_register(world, &(CnComponentDesc){.type = &type}, error);
}

static uint8_t giant[CN_MAX_COMPONENT_BYTES], seen[CN_MAX_COMPONENT_BYTES];

static const void *giant_of(uint32_t seed)
{
    for (uint32_t i = 0; i < sizeof giant; i++)
        giant[i] = (uint8_t)(seed * 31 + i * 7 + (i >> 8));
    return giant;
}

static void assert_giant(CnEntity e, CnComponent component, uint32_t size, uint32_t seed)
{
    assert_true(cn_read_component(world, e, component, seen));
    giant_of(seed);
    assert_memory_equal(seen, giant, size);
}

/* ---- Components and rows ---- */

static void a_component_may_have_64_kilobytes(void **state)
{
    (void)state;
    enum { COUNT = 150, SIZE = CN_MAX_COMPONENT_BYTES };
    CnComponent big = register_bytes("Big", SIZE, NULL);
    assert_true(big.id);
    static CnEntity entities[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        entities[i] = cn_entity_create(world);
        assert_true(cn_set_component(world, entities[i], big, giant_of(i)));
    }
    for (uint32_t i = 0; i < COUNT; i += 3)
        cn_destroy(world, entities[i]);
    for (uint32_t i = 1; i < COUNT; i += 3)
        assert_true(cn_add(world, entities[i], Frozen));
    for (uint32_t i = 0; i < COUNT; i++)
        if (i % 3)
            assert_giant(entities[i], big, SIZE, i);
    assert_world_sound(world);
}

static void a_larger_component_is_a_clear_error(void **state)
{
    (void)state;
    CnError error = {0};
    assert_int_equal(register_bytes("TooBig", CN_MAX_COMPONENT_BYTES + 1, &error).id, 0);
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "65537"));
}

static void a_row_may_be_larger_than_a_chunk(void **state)
{
    (void)state;
    CnComponent a = register_bytes("A", 40000, NULL), b = register_bytes("B", 50000, NULL);
    CnEntity entities[100];
    CnValue values[] = {{.component = a, .data = giant_of(1)}, {.component = b}};
    assert_true(cn_spawn_many_values(world, 100, entities, values, 2));
    cn_set_component(world, entities[70], b, giant_of(2));
    assert_giant(entities[99], a, 40000, 1);
    assert_giant(entities[70], b, 50000, 2);
    assert_true(cn_remove_component(world, entities[70], a));
    assert_giant(entities[70], b, 50000, 2);
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads_id(a)}}, NULL);
    CnChunkView view = {0};
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        assert_int_equal(view.capacity, CN_CHUNK_MIN_ROWS);
    assert_int_equal(cn_query_count(query), 99);
    assert_world_sound(world);
}

static CnComponent register_giant(uint32_t number)
{
    char name[CN_MAX_NAME_BYTES];
    snprintf(name, sizeof name, "giant %u", number);
    return register_bytes(name, CN_MAX_COMPONENT_BYTES, NULL);
}

static void an_entity_may_carry_32_giants(void **state)
{
    (void)state;
    CnValue values[CN_MAX_VALUES];
    for (uint32_t i = 0; i < CN_MAX_VALUES; i++)
        values[i] = (CnValue){.component = register_giant(i)};
    values[31].data = giant_of(31);
    CnEntity e = cn_spawn_values(world, values, CN_MAX_VALUES);
    assert_true(e.id);
    assert_giant(e, values[31].component, CN_MAX_COMPONENT_BYTES, 31);
    memset(giant, 0, sizeof giant);
    assert_true(cn_read_component(world, e, values[30].component, seen));
    assert_memory_equal(seen, giant, sizeof giant);
}

static void a_row_beyond_all_bounds_is_refused(void **state)
{
    (void)state;
    CnEntity e = cn_entity_create(world);
    bool refused = false;
    for (uint32_t n = 0; n < 40 && !refused; n++) {
        CnValue values[CN_MAX_VALUES];
        for (uint32_t i = 0; i < CN_MAX_VALUES; i++)
            values[i] = (CnValue){.component = register_giant(n * CN_MAX_VALUES + i)};
        uint32_t before = cn_entity_components(world, e, NULL, 0);
        QUIETLY(refused =
                    !cn_change(world, e, &(CnChange){.set = values, .set_count = CN_MAX_VALUES}));
        if (refused)
            assert_int_equal(cn_entity_components(world, e, NULL, 0), before);
        cn_world_trim(world);
    }
    assert_true(refused);
    assert_world_sound(world);
}

/* ---- Commands ---- */

static void check_slot_size(uint32_t size, uint64_t expected_oversize)
{
    CnComponent component = register_bytes("Sized", size, NULL);
    CnCommands *commands = cn_commands_create(world, NULL);
    CnEntity e = cn_entity_create(world);
    assert_true(cn_defer_set_component(commands, e, component, giant_of(3)));
    CnValue value = {.component = component, .data = giant_of(4)};
    CnEntity spawned = cn_defer_spawn_values(commands, &value, 1);
    memset(giant, 0xee, sizeof giant);
    assert_true(cn_flush(world));
    assert_giant(e, component, size, 3);
    assert_giant(spawned, component, size, 4);
    assert_int_equal(cn_world_stats(world).oversize_commands, expected_oversize);
}

static void a_value_of_255_bytes_fits_a_slot(void **state)
{
    (void)state;
    check_slot_size(255, 0);
}

static void a_value_of_256_bytes_fits_a_slot(void **state)
{
    (void)state;
    CN_STATIC_ASSERT(CN_COMMAND_SLOT_BYTES == 256, "what the tests are named after");
    check_slot_size(256, 0);
}

static void a_value_of_257_bytes_is_counted_as_oversize(void **state)
{
    (void)state;
    check_slot_size(257, 2);
}

static void a_value_of_64_kilobytes_goes_through_a_command(void **state)
{
    (void)state;
    check_slot_size(CN_MAX_COMPONENT_BYTES, 2);
}

static void values_of_every_size_up_to_300_bytes_arrive(void **state)
{
    (void)state;
    enum { SIZES = 300 };
    CnCommands *commands = cn_commands_create(world, NULL);
    CnEntity entities[SIZES + 1];
    CnComponent components[SIZES + 1];
    for (uint32_t size = 1; size <= SIZES; size++) {
        char name[CN_MAX_NAME_BYTES];
        snprintf(name, sizeof name, "bytes %u", size);
        components[size] = register_bytes(name, size, NULL);
        entities[size] = cn_entity_create(world);
    }
    for (uint32_t size = 1; size <= SIZES; size++)
        assert_true(
            cn_defer_set_component(commands, entities[size], components[size], giant_of(size)));
    assert_true(cn_flush(world));
    for (uint32_t size = 1; size <= SIZES; size++)
        assert_giant(entities[size], components[size], size, size);
    assert_int_equal(cn_world_stats(world).oversize_commands, SIZES - CN_COMMAND_SLOT_BYTES);
}

static void a_hundred_thousand_commands_on_one_entity_fold_into_one_move(void **state)
{
    (void)state;
    CnCommands *commands = cn_commands_create(world, NULL);
    CnEntity e = cn_spawn(world, cn_with(Mass, {1}));
    cn_id(world, Health), cn_id(world, Frozen);
    for (int32_t i = 0; i < 100000; i++) {
        assert_true(cn_defer_set(commands, e, Health, {i, i + 1}));
        if (i % 3 == 0)
            cn_defer_add(commands, e, Frozen);
        else if (i % 3 == 1)
            cn_defer_remove(commands, e, Frozen);
    }
    assert_true(cn_flush(world));
    assert_int_equal(cn_get(world, e, Health)->now, 99999);
    assert_true(cn_has(world, e, Frozen));
    assert_number_equal(cn_get(world, e, Mass)->kilograms, 1);
    assert_world_sound(world);
}

static void a_million_commands_wait_in_one_buffer(void **state)
{
    (void)state;
    enum { COUNT = 250000 };
    CnCommands *commands = cn_commands_create(world, NULL);
    CnEntity *entities = cn_alloc(NULL, COUNT * sizeof *entities);
    assert_true(cn_spawn_many(world, COUNT, entities, cn_with(Mass, {1})));
    cn_id(world, Health), cn_id(world, Frozen);
    for (uint32_t i = 0; i < COUNT; i++)
        cn_defer_set(commands, entities[i], Health, {(int32_t)i, 0});
    for (uint32_t i = 0; i < COUNT; i++)
        cn_defer_add(commands, entities[i], Frozen);
    for (uint32_t i = 0; i < COUNT; i++)
        cn_defer_remove(commands, entities[i], Mass);
    for (uint32_t i = 0; i < COUNT; i += 2)
        cn_defer_destroy(commands, entities[i]);
    assert_true(cn_flush(world));
    assert_int_equal(cn_entity_count(world), COUNT / 2);
    for (uint32_t i = 1; i < COUNT; i += 2) {
        assert_int_equal(cn_get(world, entities[i], Health)->now, (int32_t)i);
        assert_true(cn_has(world, entities[i], Frozen) && !cn_has(world, entities[i], Mass));
    }
    cn_free(NULL, entities, COUNT * sizeof *entities);
    assert_world_sound(world);
}

/* ---- Events ---- */

static uint32_t send_until_full(CnChannel *channel, uint32_t most)
{
    uint32_t sent = 0;
    while (sent < most && cn_send(channel, Health, {(int32_t)sent, 0}))
        sent++;
    return sent;
}

static CnChannel *open_channel(uint32_t max_events)
{
    return cn_channel_open(world,
                           &(CnChannelDesc){.type = &cn_type_Health, .max_events = max_events});
}

static void a_channel_takes_as_many_events_as_it_was_made_for(void **state)
{
    (void)state;
    CnChannel *channel = open_channel(100);
    QUIETLY(assert_int_equal(send_until_full(channel, 1000), 100));
    assert_int_equal(cn_event_count(channel), 100);
    for (int32_t i = 0; i < 100; i++)
        assert_int_equal(cn_events(channel, Health)[i].now, i);
    assert_int_equal(cn_world_stats(world).dropped_events, 1);
}

static void a_channel_by_fields_keeps_to_its_bound(void **state)
{
    (void)state;
    cn_register(world, Health, .layout = CN_LAYOUT_FIELDS);
    CnChannel *channel = open_channel(100);
    QUIETLY(assert_int_equal(send_until_full(channel, 1000), 100));
    for (int32_t i = 0; i < 100; i++)
        assert_int_equal(cn_event_field(channel, Health, now)[i], i);
}

static void a_channel_may_take_a_single_event(void **state)
{
    (void)state;
    CnChannel *channel = open_channel(1);
    QUIETLY(assert_int_equal(send_until_full(channel, 5), 1));
}

static void a_channel_takes_65536_events_by_default(void **state)
{
    (void)state;
    CnChannel *channel = cn_channel(world, Health);
    QUIETLY(assert_int_equal(send_until_full(channel, 70000), CN_DEFAULT_MAX_EVENTS));
}

static void a_full_channel_takes_events_again_after_an_update(void **state)
{
    (void)state;
    CnChannel *channel = open_channel(10);
    QUIETLY(send_until_full(channel, 11));
    cn_events_end_update(world);
    cn_events_begin_update(world);
    assert_int_equal(cn_event_count(channel), 0);
    QUIETLY(assert_int_equal(send_until_full(channel, 11), 10));
    assert_int_equal(cn_world_stats(world).dropped_events, 2);
}

static void a_channel_opened_again_with_a_lower_bound_keeps_to_it(void **state)
{
    (void)state;
    CnChannel *channel = open_channel(1000);
    assert_int_equal(send_until_full(channel, 300), 300);
    cn_events_end_update(world);
    cn_events_begin_update(world);
    assert_ptr_equal(open_channel(20), channel);
    QUIETLY(assert_int_equal(send_until_full(channel, 300), 20));
}

static void a_channel_opened_again_with_a_higher_bound_takes_more(void **state)
{
    (void)state;
    CnChannel *channel = open_channel(20);
    QUIETLY(send_until_full(channel, 300));
    assert_ptr_equal(open_channel(500), channel);
    QUIETLY(assert_int_equal(send_until_full(channel, 1000), 480));
}

static void count_message(const CnLogRecord *record, void *user)
{
    assert_non_null(strstr(record->message, "Health"));
    (*(int *)user)++;
}

static void dropped_events_are_counted_in_each_update_and_reported_once(void **state)
{
    (void)state;
    CnChannel *channel = open_channel(4);
    int messages = 0;
    int sink = cn_log_add_sink(
        &(CnLogSink){.write = count_message, .user = &messages, .level = CN_LOG_LEVEL_WARNING});
    for (int update = 1; update <= 3; update++) {
        uint64_t before = cn_world_stats(world).dropped_events;
        cn_events_begin_update(world);
        QUIETLY({
            for (int i = 0; i < 10; i++)
                cn_send(channel, Health, {i, i});
        });
        cn_events_end_update(world);
        assert_int_equal(cn_world_stats(world).dropped_events, before + 6);
        assert_int_equal(messages, 1);
    }
    cn_log_remove_sink(sink);
}

static void signals_that_stay_over_an_update_are_counted_right(void **state)
{
    (void)state;
    CnChannel *signals = cn_channel(world, Burning);
    cn_signal(signals);
    cn_signal(signals);
    cn_events_end_update(world);
    cn_signal(signals);
    assert_int_equal(cn_event_count(signals), 3);
    cn_events_begin_update(world);
    assert_int_equal(cn_event_count(signals), 1);
}

static void events_of_64_kilobytes_are_kept_whole(void **state)
{
    (void)state;
    CnComponent big = register_bytes("BigEvent", CN_MAX_COMPONENT_BYTES, NULL);
    CnChannel *channel =
        cn_channel_open(world, &(CnChannelDesc){.component = big, .max_events = 70});
    for (uint32_t i = 0; i < 70; i++)
        assert_true(cn_send_value(channel, giant_of(i)));
    QUIETLY(assert_false(cn_send_value(channel, giant)));
    for (uint32_t i = 0; i < 70; i++)
        assert_memory_equal(channel->rows + (size_t)i * CN_MAX_COMPONENT_BYTES, giant_of(i),
                            CN_MAX_COMPONENT_BYTES);
}

int main(void)
{
    const struct CMUnitTest limits[] = {
        WORLD_TEST(a_component_may_have_64_kilobytes),
        WORLD_TEST(a_larger_component_is_a_clear_error),
        WORLD_TEST(a_row_may_be_larger_than_a_chunk),
        WORLD_TEST(an_entity_may_carry_32_giants),
        WORLD_TEST(a_row_beyond_all_bounds_is_refused),
        WORLD_TEST(a_value_of_255_bytes_fits_a_slot),
        WORLD_TEST(a_value_of_256_bytes_fits_a_slot),
        WORLD_TEST(a_value_of_257_bytes_is_counted_as_oversize),
        WORLD_TEST(a_value_of_64_kilobytes_goes_through_a_command),
        WORLD_TEST(values_of_every_size_up_to_300_bytes_arrive),
        WORLD_TEST(a_hundred_thousand_commands_on_one_entity_fold_into_one_move),
        WORLD_TEST(a_million_commands_wait_in_one_buffer),
        WORLD_TEST(a_channel_takes_as_many_events_as_it_was_made_for),
        WORLD_TEST(a_channel_by_fields_keeps_to_its_bound),
        WORLD_TEST(a_channel_may_take_a_single_event),
        WORLD_TEST(a_channel_takes_65536_events_by_default),
        WORLD_TEST(a_full_channel_takes_events_again_after_an_update),
        WORLD_TEST(a_channel_opened_again_with_a_lower_bound_keeps_to_it),
        WORLD_TEST(a_channel_opened_again_with_a_higher_bound_takes_more),
        WORLD_TEST(dropped_events_are_counted_in_each_update_and_reported_once),
        WORLD_TEST(signals_that_stay_over_an_update_are_counted_right),
        WORLD_TEST(events_of_64_kilobytes_are_kept_whole),
    };
    return cmocka_run_group_tests(limits, NULL, NULL);
}
