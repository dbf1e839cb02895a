/* Recordings made by hand, byte by byte as docs/formats.md says, and played. */
#include "recording.h"
#include "replay_fixture.h"

#include <stdio.h>

CN_COMPONENT(HandEvent, (u8, key), (u32, value), (text, note, 4));
CN_COMPONENT(HandTotal, (u32, value), (u32, events));

static CnChannel *channel;

static void add_up(CnSystemContext *context)
{
    HandTotal *total = cn_resource_mut(context->world, HandTotal);
    const HandEvent *events = cn_events(channel, HandEvent);
    for (uint32_t i = 0; i < cn_event_count(channel); i++) {
        assert_string_equal(events[i].note, "abc");
        total->value += events[i].value * events[i].key;
        total->events++;
    }
}

static CnSim *make_sim(void)
{
    CnSim *sim = cn_sim_create(&(CnSimDesc){.seed = 5, .tick_hz = 20}, NULL);
    CnWorld *world = cn_sim_world(sim);
    cn_resource_set(world, HandTotal, {0, 0});
    channel = cn_channel(world, HandEvent);
    cn_system_add(world, &(CnSystemDesc){.name = "add_up", .run = add_up, .stage = CN_STAGE_UPDATE},
                  NULL);
    assert_true(cn_sim_start(sim, NULL));
    return sim;
}

/* ---- Writing by hand ---- */

static uint8_t bytes[1 << 16];
static size_t size, block;

static void put(const void *data, size_t count)
{
    memcpy(bytes + size, data, count);
    size += count;
}

static void put_number(uint64_t value, size_t width)
{
    put(&value, width);
}

static void put_name(const char *name)
{
    put_number(strlen(name), 1);
    put(name, strlen(name));
}

static void begin_block(uint8_t kind)
{
    block = size;
    put_number(kind, 1);
    put_number(0, 4);
    put_number(0, 4);
}

static void end_block(void)
{
    uint32_t content = (uint32_t)(size - block - 9);
    memcpy(bytes + block + 1, &content, 4);
    put_number(0, 4);
    recording_seal_block(bytes, block, size);
}

static void put_beginning(void)
{
    size = 0;
    put("CNTICKS\n", 8);
    put_number(3, 4);
    begin_block(1);
    put_number(20, 4);
    put_number(5, 8);
    put_number(0, 8);
    put_number(0, 1);
    put_name("by hand");
    put_number(3, 4);
    put("a=b", 3);
    end_block();
    begin_block(2);
    put_name("HandEvent");
    put_number(3, 1);
    put_name("key");
    put_number(CN_FIELD_U8, 1);
    put_number(1, 4);
    put_name("value");
    put_number(CN_FIELD_U32, 1);
    put_number(1, 4);
    put_name("note");
    put_number(CN_FIELD_TEXT, 1);
    put_number(4, 4);
    end_block();
}

static void put_start(CnSim *sim)
{
    CnSnapshot snapshot;
    begin_block(4);
    put_number(cn_sim_hash(sim), 8);
    put_number(0, 4);
    end_block();
    assert_true(cn_sim_save(sim, &snapshot, NULL));
    begin_block(5);
    put_number(0, 1);
    put_number(snapshot.size, 8);
    put(snapshot.bytes, snapshot.size);
    end_block();
    cn_snapshot_free(&snapshot);
}

/* With two events. */
static void put_tick(uint64_t hash)
{
    begin_block(6);
    put_number(2, 4);
    for (uint32_t i = 0; i < 2; i++) {
        put_number(0, 2);
        put_number(10, 1);
        put_number(1 + i, 4);
        put("abc", 4);
    }
    put_number(hash, 8);
    put_number(0, 4);
    end_block();
}

static void put_end(uint64_t ticks)
{
    begin_block(7);
    put_number(ticks, 8);
    put_number(1, 4);
    end_block();
}

/* ---- Facts ---- */

static void what_is_written_by_hand_is_played(void **state)
{
    (void)state;
    CnError error = {0};
    CnSim *sim = make_sim();
    put_beginning();
    put_start(sim);
    put_tick(0);
    put_tick(0);
    put_end(2);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, &error);
    check_error(replay != NULL, &error);
    const CnReplayInfo *info = cn_replay_info(replay);
    assert_string_equal(info->build, "by hand");
    assert_string_equal(info->settings, "a=b");
    assert_int_equal(info->seed, 5);
    assert_int_equal(info->tick_count, 2);
    assert_false(info->cut_off);
    check_error(cn_replay_run(replay, sim, UINT64_MAX, NULL, &error), &error);
    const HandTotal *total = cn_resource(cn_sim_world(sim), HandTotal);
    assert_int_equal(total->events, 4);
    assert_int_equal(total->value, 60);
    cn_replay_close(replay);
    cn_sim_destroy(sim);
}

static void a_keyframe_may_be_stored_as_it_is(void **state)
{
    (void)state;
    CnError error = {0};
    CnSim *sim = make_sim();
    uint64_t hash = cn_sim_hash(sim);
    put_beginning();
    put_start(sim);
    put_tick(0);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, &error);
    check_error(replay != NULL, &error);
    assert_true(cn_replay_info(replay)->cut_off);
    check_error(cn_replay_seek(replay, sim, 1, &error), &error);
    assert_int_not_equal(cn_sim_hash(sim), hash);
    check_error(cn_replay_seek(replay, sim, 0, &error), &error);
    assert_int_equal(cn_sim_hash(sim), hash);
    cn_replay_close(replay);
    cn_sim_destroy(sim);
}

static void a_keyframe_of_another_tick_is_an_error(void **state)
{
    (void)state;
    CnError error = {0};
    CnSim *sim = make_sim();
    assert_true(cn_sim_tick_n(sim, 3, NULL));
    put_beginning();
    put_start(sim);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, &error);
    check_error(replay != NULL, &error);
    assert_false(cn_replay_seek(replay, sim, 0, &error));
    assert_non_null(strstr(error.message, "a keyframe belongs to another tick"));
    cn_replay_close(replay);
    cn_sim_destroy(sim);
}

static void an_end_that_counts_wrong_is_refused(void **state)
{
    (void)state;
    CnError error = {0};
    CnSim *sim = make_sim();
    put_beginning();
    put_start(sim);
    put_tick(0);
    put_end(2);
    assert_null(cn_replay_open_bytes(bytes, size, NULL, &error));
    assert_non_null(strstr(error.message, "the end block has wrong counts"));
    cn_sim_destroy(sim);
}

static void nothing_follows_the_end(void **state)
{
    (void)state;
    CnError error = {0};
    CnSim *sim = make_sim();
    put_beginning();
    put_start(sim);
    put_end(0);
    put_tick(0);
    assert_null(cn_replay_open_bytes(bytes, size, NULL, &error));
    assert_non_null(strstr(error.message, "data follows the end"));
    cn_sim_destroy(sim);
}

static void put_channel_with_fields(uint32_t count)
{
    char name[16];
    begin_block(2);
    put_name("Wide");
    put_number(count, 1);
    for (uint32_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "f%u", i);
        put_name(name);
        put_number(CN_FIELD_U8, 1);
        put_number(1, 4);
    }
    end_block();
}

static void a_type_has_at_most_240_fields(void **state)
{
    (void)state;
    CnError error = {0};
    CnSim *sim = make_sim();
    put_beginning();
    put_start(sim);
    put_channel_with_fields(CN_MAX_FIELDS);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, &error);
    assert_non_null(replay);
    cn_replay_close(replay);
    put_channel_with_fields(CN_MAX_FIELDS + 1);
    assert_null(cn_replay_open_bytes(bytes, size, NULL, &error));
    assert_non_null(strstr(error.message, "too many channels, or too many fields in a channel"));
    cn_sim_destroy(sim);
}

static void a_field_needs_a_type_that_exists(void **state)
{
    (void)state;
    CnError error = {0};
    CnSim *sim = make_sim();
    for (uint32_t type = CN_FIELD_TEXT; type <= CN_FIELD_TEXT + 1u; type++) {
        put_beginning();
        begin_block(2);
        put_name("Odd");
        put_number(1, 1);
        put_name("field");
        put_number(type, 1);
        put_number(1, 4);
        end_block();
        put_start(sim);
        CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, &error);
        assert_int_equal(replay != NULL, type == CN_FIELD_TEXT);
        cn_replay_close(replay);
    }
    assert_non_null(strstr(error.message, "a field has no type or a bad count"));
    cn_sim_destroy(sim);
}

static void rates_end_at_1000_ticks_a_second(void **state)
{
    (void)state;
    CnError error = {0};
    CnSim *sim = make_sim();
    for (uint32_t hz = 1000; hz <= 1001; hz++) {
        put_beginning();
        memcpy(bytes + 21, &hz, sizeof hz);
        put_start(sim);
        recording_seal(bytes, size);
        CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, &error);
        assert_int_equal(replay != NULL, hz == 1000);
        cn_replay_close(replay);
    }
    cn_sim_destroy(sim);
}

/* An event of the tick is unknown: none of the tick's is sent, also not later. */
static void a_tick_that_cannot_be_played_sends_nothing(void **state)
{
    (void)state;
    CnError error = {0};
    CnSim *sim = make_sim();
    put_beginning();
    begin_block(2);
    put_name("Unheard");
    put_number(0, 1);
    end_block();
    put_start(sim);
    begin_block(6);
    put_number(2, 4);
    put_number(0, 2);
    put_number(10, 1);
    put_number(1, 4);
    put("abc", 4);
    put_number(1, 2);
    put_number(0, 8);
    put_number(0, 4);
    end_block();
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, &error);
    check_error(replay != NULL, &error);
    assert_false(cn_replay_run(replay, sim, UINT64_MAX, NULL, &error));
    assert_non_null(strstr(error.message, "Unheard"));
    assert_int_equal(cn_sim_tick(sim), 0);
    assert_true(cn_sim_tick_n(sim, 1, NULL));
    assert_int_equal(cn_resource(cn_sim_world(sim), HandTotal)->events, 0);
    cn_replay_close(replay);
    cn_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_by_hand_is_played),
        cmocka_unit_test(a_keyframe_may_be_stored_as_it_is),
        cmocka_unit_test(a_keyframe_of_another_tick_is_an_error),
        cmocka_unit_test(an_end_that_counts_wrong_is_refused),
        cmocka_unit_test(nothing_follows_the_end),
        cmocka_unit_test(a_type_has_at_most_240_fields),
        cmocka_unit_test(a_field_needs_a_type_that_exists),
        cmocka_unit_test(rates_end_at_1000_ticks_a_second),
        cmocka_unit_test(a_tick_that_cannot_be_played_sends_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
