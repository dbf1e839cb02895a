#include "input_fixture.h"

#include "failing_heap.h"

#include <cairn/ecs/snapshot.h>

#include <string.h>

/* ---- Adding ---- */

static void everything_begins_at_rest(void **state)
{
    (void)state;
    static const CnInputState no_input;
    static const CnGamepadState no_pads;
    assert_memory_equal(input, &no_input, sizeof no_input);
    assert_memory_equal(pads, &no_pads, sizeof no_pads);
    tick();
    assert_memory_equal(input, &no_input, sizeof no_input);
    assert_memory_equal(pads, &no_pads, sizeof no_pads);
}

static void adding_again_keeps_what_is_there(void **state)
{
    (void)state;
    cn_input_key(source, CN_KEY_A, true);
    tick();
    assert_true(cn_input_add(world, NULL));
    assert_ptr_equal(cn_resource(world, CnInputState), input);
    assert_key(CN_KEY_A, true, true, false);
}

static void the_drain_runs_in_the_input_stage(void **state)
{
    (void)state;
    CnScheduled systems[2];
    uint32_t count = 0;
    assert_true(cn_stage_systems(world, CN_STAGE_INPUT, systems, 2, &count, NULL));
    assert_int_equal(count, 1);
    assert_string_equal(systems[0].name, "cn_input_drain");
}

static void adding_fails_when_a_name_means_something_else(void **state)
{
    (void)state;
    CnWorld *other = cn_world_create(NULL, NULL);
    CnType type = {.name = "CnInputState", .alignment = 1};
    assert_true(cn_component_register(other, &(CnComponentDesc){.type = &type}, NULL).id);
    CnError error = {0};
    assert_false(cn_input_add(other, &error));
    assert_non_null(strstr(error.message, "CnInputState"));
    cn_world_destroy(other);
}

static bool add_input(CnAllocator *allocator, void *user)
{
    (void)user;
    CnWorld *own = cn_world_create(&(CnWorldDesc){.allocator = allocator}, NULL);
    if (!own)
        return false;
    CnError error = {0};
    CnLogLevel level = cn_log_level();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    bool added = cn_input_add(own, &error);
    cn_log_set_level(level);
    assert_int_equal(error.code, added ? CN_OK : CN_ERROR_MEMORY);
    cn_world_destroy(own);
    return added;
}

static void adding_without_memory_is_an_error(void **state)
{
    (void)state;
    run_with_failing_allocations(add_input, NULL);
}

static void adding_that_failed_can_be_completed(void **state)
{
    (void)state;
    CnHeap *small = cn_heap_create(NULL, NULL);
    CnWorld *own = cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(small, "world")}, NULL);
    CnLogLevel level = cn_log_level();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    uint64_t failures = 0;
    for (; cn_heap_fail_after(small, failures), !cn_input_add(own, NULL); failures++)
        assert_true(failures < 1000);
    cn_log_set_level(level);
    cn_heap_fail_after(small, CN_HEAP_NEVER_FAIL);
    assert_true(failures > 0);
    assert_true(cn_input_add(own, NULL));
    assert_non_null(cn_resource(own, CnGamepadState));
    assert_true(cn_world_update(own, 0.01f, NULL));
    cn_world_destroy(own);
    cn_heap_destroy(small);
}

static void an_event_is_64_bytes_without_gaps(void **state)
{
    (void)state;
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < cn_type_CnInputEvent.field_count; i++)
        bytes += cn_type_CnInputEvent.fields[i].size;
    assert_int_equal(bytes, 64);
    assert_int_equal(sizeof(CnInputEvent), 64);
}

/* ---- Messages ---- */

static void messages_are_read_from_the_channel(void **state)
{
    (void)state;
    assert_true(cn_input_message(source, 7, "one", 4));
    assert_true(cn_input_message(source, 8, NULL, 0));
    cn_input_key(source, 7, true);
    assert_true(cn_input_message(source, 7, "two", 4));
    tick();
    uint32_t index = 0;
    const CnInputEvent *message = cn_input_next_message(source.channel, 7, &index);
    assert_string_equal((const char *)message->data, "one");
    message = cn_input_next_message(source.channel, 7, &index);
    assert_string_equal((const char *)message->data, "two");
    assert_int_equal(message->bytes, 4);
    assert_null(cn_input_next_message(source.channel, 7, &index));
    assert_null(cn_input_next_message(source.channel, 7, &index));
    assert_int_equal(input->ignored, 0);
}

static void a_message_has_at_most_32_bytes(void **state)
{
    (void)state;
    const uint8_t data[300] = {1};
    assert_true(cn_input_message(source, 1, data, 32));
    assert_false(cn_input_message(source, 1, data, 33));
    assert_false(cn_input_message(source, 1, data, 256));
    CnInputEvent bad = {.kind = CN_INPUT_MESSAGE, .code = 2, .bytes = 33};
    send_raw(bad);
    tick_quietly();
    uint32_t index = 0;
    assert_null(cn_input_next_message(source.channel, 2, &index));
    assert_int_equal(input->ignored, 1);
}

/* ---- The world ---- */

static void kinds_that_do_not_exist_are_ignored(void **state)
{
    (void)state;
    for (uint32_t kind = CN_INPUT_KIND_COUNT; kind < 256; kind++)
        assert_ignored((CnInputEvent){.kind = (uint8_t)kind, .code = 4, .pressed = 1});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_NONE});
    assert_ignored((CnInputEvent){.kind = CN_INPUT_KEY, .code = CN_KEY_A, .pressed = 2});
}

static int warnings;

static void count_warning(const CnLogRecord *record, void *user)
{
    (void)user;
    warnings += record->level == CN_LOG_LEVEL_WARNING && strstr(record->message, "ignored");
}

static void the_first_event_that_is_ignored_is_reported(void **state)
{
    (void)state;
    warnings = 0;
    int sink = cn_log_add_sink(&(CnLogSink){.write = count_warning, .level = CN_LOG_LEVEL_WARNING});
    for (int i = 0; i < 3; i++) {
        send_raw((CnInputEvent){0});
        send_raw((CnInputEvent){0});
        tick_quietly();
    }
    cn_log_remove_sink(sink);
    assert_int_equal(warnings, 1);
    assert_int_equal(input->ignored, 6);
}

static void events_wait_for_the_merge(void **state)
{
    (void)state;
    cn_input_key(source, CN_KEY_A, true);
    cn_world_update(world, 0.01f, NULL);
    assert_key(CN_KEY_A, false, false, false);
    tick();
    assert_key(CN_KEY_A, true, true, false);
}

static void events_of_several_sources_come_in_the_order_of_producers(void **state)
{
    (void)state;
    CnInputSource second = {cn_producer_create(world, &(CnProducerDesc){0}, NULL), source.channel};
    cn_input_text(second, "b");
    cn_input_text(source, "a");
    tick();
    assert_string_equal(input->text, "ab");
}

static void a_full_ring_refuses(void **state)
{
    (void)state;
    CnProducer *small = cn_producer_create(world, &(CnProducerDesc){.ring_bytes = 256}, NULL);
    CnInputSource narrow = cn_input_source(world, small);
    uint32_t sent = 0;
    while (sent < 100 && cn_input_key(narrow, CN_KEY_A, true))
        sent++;
    assert_int_equal(sent, 3);
    assert_int_equal(cn_producer_dropped(small), 1);
}

static bool jumped;

static void jump(CnSystemContext *context)
{
    jumped = cn_key_pressed(cn_resource(context->world, CnInputState), CN_KEY_SPACE);
}

static void systems_of_the_tick_read_the_state(void **state)
{
    (void)state;
    CnSystemDesc desc = {.name = "jump", .run = jump, .stage = CN_STAGE_UPDATE};
    desc.access[0] = (CnTerm)cn_reads(CnInputState);
    assert_true(cn_system_add(world, &desc, NULL).id);
    cn_input_key(source, CN_KEY_SPACE, true);
    tick();
    assert_true(jumped);
    tick();
    assert_false(jumped);
}

/* ---- Saving ---- */

static void send_a_bit_of_everything(void)
{
    cn_input_focus(source, true);
    cn_input_gamepad_connected(source, 1, true);
    cn_input_gamepad_button(source, 1, CN_GAMEPAD_Y, true);
    cn_input_gamepad_axis(source, 1, CN_GAMEPAD_LEFT_X, 0.5f);
    cn_input_key(source, CN_KEY_A, true);
    cn_input_key(source, 500, true);
    cn_input_mouse_button(source, CN_MOUSE_LEFT, true);
    cn_input_mouse_move(source, 5, 6, 7, 8);
    cn_input_wheel(source, 1, 2);
    cn_input_text(source, "text");
    cn_input_touch_begin(source, 12345678901u, 3, 4);
    cn_input_quit(source);
    send_raw((CnInputEvent){0});
}

static void save_and_load_keep_the_state(void **state)
{
    (void)state;
    send_a_bit_of_everything();
    tick_quietly();
    CnSnapshot snapshot;
    assert_true(cn_world_save(world, &snapshot, NULL));
    CnInputState saved_input = *input;
    CnGamepadState saved_pads = *pads;
    uint64_t hash = cn_world_hash(world);
    cn_input_focus(source, false);
    tick();
    assert_true(cn_world_hash(world) != hash);
    assert_true(cn_world_load(world, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    assert_true(cn_world_hash(world) == hash);
    assert_ptr_equal(cn_resource(world, CnInputState), input);
    assert_memory_equal(input, &saved_input, sizeof saved_input);
    assert_memory_equal(pads, &saved_pads, sizeof saved_pads);
}

static void a_loaded_world_goes_on_alike(void **state)
{
    (void)state;
    send_a_bit_of_everything();
    tick_quietly();
    CnSnapshot snapshot;
    assert_true(cn_world_save(world, &snapshot, NULL));
    uint64_t hashes[2];
    for (int run = 0; run < 2; run++) {
        assert_true(cn_world_load(world, snapshot.bytes, snapshot.size, NULL));
        cn_input_key(source, CN_KEY_A, false);
        cn_input_touch_end(source, 12345678901u, 0, 0);
        tick();
        assert_key(CN_KEY_A, false, false, true);
        hashes[run] = cn_world_hash(world);
    }
    cn_snapshot_free(&snapshot);
    assert_true(hashes[0] == hashes[1]);
}

static void every_part_of_the_state_is_hashed(void **state)
{
    (void)state;
    CnInputState *writable = cn_resource_mut(world, CnInputState);
    CnComponent id = cn_id(world, CnInputState);
    uint64_t hash = cn_world_hash_component(world, id);
    writable->keys_held[7] ^= 1;
    assert_true(cn_world_hash_component(world, id) != hash);
    writable->keys_held[7] ^= 1;
    assert_true(cn_world_hash_component(world, id) == hash);
    writable->ignored++;
    assert_true(cn_world_hash_component(world, id) != hash);
}

static void a_world_saved_without_input_can_get_it_again(void **state)
{
    (void)state;
    CnWorld *bare = cn_world_create(NULL, NULL);
    CnSnapshot snapshot;
    assert_true(cn_world_save(bare, &snapshot, NULL));
    assert_true(cn_world_load(world, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    cn_world_destroy(bare);
    assert_null(cn_resource(world, CnInputState));
    cn_input_key(source, CN_KEY_A, true);
    tick();
    assert_true(cn_input_add(world, NULL));
    input = cn_resource(world, CnInputState);
    cn_input_key(source, CN_KEY_B, true);
    tick();
    assert_key(CN_KEY_B, true, true, false);
    assert_key(CN_KEY_A, false, false, false);
}

/* ---- Memory ---- */

static void a_tick_makes_no_heap_call(void **state)
{
    (void)state;
    uint64_t calls = 0;
    for (int round = 0; round < 30; round++) {
        for (int i = 0; i < 20; i++)
            send_a_bit_of_everything();
        tick_quietly();
        if (round == 2)
            calls = cn_heap_stats(heap).calls;
    }
    assert_int_equal(cn_heap_stats(heap).calls, calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        INPUT_TEST(everything_begins_at_rest),
        INPUT_TEST(adding_again_keeps_what_is_there),
        INPUT_TEST(the_drain_runs_in_the_input_stage),
        INPUT_TEST(adding_fails_when_a_name_means_something_else),
        INPUT_TEST(adding_without_memory_is_an_error),
        INPUT_TEST(adding_that_failed_can_be_completed),
        INPUT_TEST(an_event_is_64_bytes_without_gaps),
        INPUT_TEST(messages_are_read_from_the_channel),
        INPUT_TEST(a_message_has_at_most_32_bytes),
        INPUT_TEST(kinds_that_do_not_exist_are_ignored),
        INPUT_TEST(the_first_event_that_is_ignored_is_reported),
        INPUT_TEST(events_wait_for_the_merge),
        INPUT_TEST(events_of_several_sources_come_in_the_order_of_producers),
        INPUT_TEST(a_full_ring_refuses),
        INPUT_TEST(systems_of_the_tick_read_the_state),
        INPUT_TEST(save_and_load_keep_the_state),
        INPUT_TEST(a_loaded_world_goes_on_alike),
        INPUT_TEST(every_part_of_the_state_is_hashed),
        INPUT_TEST(a_world_saved_without_input_can_get_it_again),
        INPUT_TEST(a_tick_makes_no_heap_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
