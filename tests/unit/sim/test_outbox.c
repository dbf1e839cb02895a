/* The outbox on one thread: what is published, held and taken. */
#include "guards.h"
#include "outbox_fixture.h"

#include <string.h>

/* ---- Snapshots ---- */

static void before_the_first_publish_there_is_nothing_to_acquire(void **state)
{
    (void)state;
    CnSnapshotPair pair;
    assert_false(cn_outbox_acquire(outbox, &pair));
    assert_null(pair.current);
    cn_outbox_begin(outbox, 1, 0);
    assert_false(cn_outbox_acquire(outbox, &pair));
}

static void the_first_snapshot_has_no_previous_one(void **state)
{
    (void)state;
    show_tick(7);
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(outbox, &pair));
    assert_shows(pair.current, 7);
    assert_null(pair.previous);
    cn_outbox_release(outbox);
}

static void a_pair_is_the_two_newest_snapshots(void **state)
{
    (void)state;
    CnSnapshotPair pair;
    for (uint64_t tick = 1; tick <= 40; tick++) {
        show_tick(tick);
        if (tick < 2 || tick % 3 == 0)
            continue;
        assert_true(cn_outbox_acquire(outbox, &pair));
        assert_shows(pair.previous, tick - 1);
        assert_shows(pair.current, tick);
        cn_outbox_release(outbox);
    }
}

static void acquiring_again_without_a_new_tick_gives_the_same_pair(void **state)
{
    (void)state;
    show_ticks(1, 9);
    CnSnapshotPair first, second;
    assert_true(cn_outbox_acquire(outbox, &first));
    cn_outbox_release(outbox);
    assert_true(cn_outbox_acquire(outbox, &second));
    assert_ptr_equal(first.previous, second.previous);
    assert_ptr_equal(first.current, second.current);
    cn_outbox_release(outbox);
}

static void a_held_pair_stays_as_it_is_while_ticks_go_on(void **state)
{
    (void)state;
    CnSnapshotPair pair;
    uint64_t tick = 1;
    show_tick(tick);
    for (uint64_t between = 1; between < 20; between++) {
        show_ticks(tick + 1, tick + between);
        tick += between;
        assert_true(cn_outbox_acquire(outbox, &pair));
        show_ticks(tick + 1, tick + 30);
        assert_shows(pair.previous, tick - 1);
        assert_shows(pair.current, tick);
        tick += 30;
        cn_outbox_release(outbox);
    }
}

static void after_a_long_hold_the_next_pair_is_the_newest(void **state)
{
    (void)state;
    CnSnapshotPair pair;
    show_ticks(1, 2);
    assert_true(cn_outbox_acquire(outbox, &pair));
    show_ticks(3, 1000);
    cn_outbox_release(outbox);
    assert_true(cn_outbox_acquire(outbox, &pair));
    assert_shows(pair.previous, 999);
    assert_shows(pair.current, 1000);
    cn_outbox_release(outbox);
}

static void a_tick_that_is_begun_again_shows_only_what_came_after(void **state)
{
    (void)state;
    cn_outbox_begin(outbox, 1, 0);
    cn_extract_items(&render, 5);
    cn_extract_lights(&render, 2);
    cn_extract_camera(&render, &(CnRenderCamera){.fov = 1});
    cn_extract_ui_value(&ui, 1, 2);
    cn_extract_audio(&audio, &(CnAudioCommand){.sound = 1});
    cn_outbox_begin(outbox, 2, 0);
    cn_outbox_publish(outbox);
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(outbox, &pair));
    assert_null(pair.previous);
    assert_int_equal(pair.current->render.tick, 2);
    assert_int_equal(pair.current->render.item_count, 0);
    assert_int_equal(pair.current->render.light_count, 0);
    assert_false(pair.current->render.camera.valid);
    assert_int_equal(pair.current->ui.item_count, 0);
    cn_outbox_release(outbox);
    CnAudioCommand command;
    assert_false(cn_outbox_next_audio(outbox, &command));
}

static void published_snapshots_are_counted(void **state)
{
    (void)state;
    show_ticks(1, 5);
    assert_int_equal(cn_outbox_stats(outbox).published, 5);
}

/* ---- Pushing ---- */

static const CnTickSnapshot *publish_and_look(void)
{
    CnSnapshotPair pair;
    cn_outbox_publish(outbox);
    assert_true(cn_outbox_acquire(outbox, &pair));
    cn_outbox_release(outbox);
    return pair.current;
}

static void pushed_items_are_zeros_also_where_older_ones_were(void **state)
{
    (void)state;
    static const CnRenderItem nothing;
    for (uint64_t tick = 0; tick < 12; tick++) {
        cn_outbox_begin(outbox, tick, 0);
        CnRenderItem *items = cn_extract_items(&render, 3);
        for (uint32_t i = 0; i < 3; i++)
            assert_memory_equal(&items[i], &nothing, sizeof nothing);
        memset(items, 0xff, 3 * sizeof *items);
        cn_outbox_publish(outbox);
    }
}

static void items_stand_in_the_order_of_pushing(void **state)
{
    (void)state;
    cn_outbox_begin(outbox, 1, 0);
    for (uint32_t i = 0; i < 1000; i += 10) {
        CnRenderItem *items = cn_extract_items(&render, 10);
        for (uint32_t j = 0; j < 10; j++)
            items[j].mesh = i + j;
    }
    const CnTickSnapshot *seen = publish_and_look();
    assert_int_equal(seen->render.item_count, 1000);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(seen->render.items[i].mesh, i);
}

static void pushing_none_gives_null_and_cuts_nothing(void **state)
{
    (void)state;
    cn_outbox_begin(outbox, 1, 0);
    assert_null(cn_extract_items(&render, 0));
    assert_null(cn_extract_lights(&render, 0));
    const CnTickSnapshot *seen = publish_and_look();
    assert_int_equal(seen->render.item_count, 0);
    assert_int_equal(seen->render.dropped, 0);
}

static void lights_are_a_list_of_their_own(void **state)
{
    (void)state;
    cn_outbox_begin(outbox, 1, 0);
    cn_extract_items(&render, 2);
    cn_extract_lights(&render, 1)->kind = CN_LIGHT_POINT;
    cn_extract_lights(&render, 1)->kind = CN_LIGHT_SPOT;
    const CnTickSnapshot *seen = publish_and_look();
    assert_int_equal(seen->render.light_count, 2);
    assert_int_equal(seen->render.lights[0].kind, CN_LIGHT_POINT);
    assert_int_equal(seen->render.lights[1].kind, CN_LIGHT_SPOT);
}

static void the_last_camera_of_a_tick_counts(void **state)
{
    (void)state;
    cn_outbox_begin(outbox, 1, 0);
    cn_extract_camera(&render, &(CnRenderCamera){.fov = 1});
    cn_extract_camera(&render, &(CnRenderCamera){.fov = 2});
    const CnTickSnapshot *seen = publish_and_look();
    assert_true(seen->render.camera.valid);
    assert_true(seen->render.camera.fov == 2);
}

static void ui_items_have_an_id_and_a_value_or_a_text(void **state)
{
    (void)state;
    cn_outbox_begin(outbox, 1, 0);
    assert_true(cn_extract_ui_value(&ui, 4, 0.5f));
    assert_true(cn_extract_ui_text(&ui, 5, "Herzlich willkommen"));
    const CnTickSnapshot *seen = publish_and_look();
    assert_int_equal(seen->ui.item_count, 2);
    assert_int_equal(seen->ui.items[0].id, 4);
    assert_true(seen->ui.items[0].value == 0.5f);
    assert_string_equal(seen->ui.items[0].text, "");
    assert_int_equal(seen->ui.items[1].id, 5);
    assert_string_equal(seen->ui.items[1].text, "Herzlich willkommen");
}

static void a_text_that_is_too_long_is_cut_at_a_character_and_counted(void **state)
{
    (void)state;
    char text[CN_UI_TEXT_BYTES + 10] = {0};
    memset(text, 'a', CN_UI_TEXT_BYTES - 2);
    strcat(text, "\xc3\xa4");
    cn_outbox_begin(outbox, 1, 0);
    assert_true(cn_extract_ui_text(&ui, 1, text));
    const CnTickSnapshot *seen = NULL;
    QUIETLY(seen = publish_and_look());
    assert_int_equal(strlen(seen->ui.items[0].text), CN_UI_TEXT_BYTES - 2);
    assert_int_equal(cn_outbox_stats(outbox).truncated_texts, 1);
}

/* ---- Audio ---- */

static void push_sounds(uint32_t first, uint32_t last)
{
    for (uint32_t sound = first; sound <= last; sound++)
        assert_true(cn_extract_audio(&audio, &(CnAudioCommand){.sound = sound}));
}

static void assert_next_sound(uint32_t sound)
{
    CnAudioCommand command;
    assert_true(cn_outbox_next_audio(outbox, &command));
    assert_int_equal(command.sound, sound);
}

static void audio_commands_arrive_once_and_in_order(void **state)
{
    (void)state;
    CnAudioCommand command;
    uint32_t sent = 0, taken = 0;
    for (uint32_t tick = 0; tick < 50; tick++) {
        cn_outbox_begin(outbox, tick, 0);
        push_sounds(sent + 1, sent + tick % 5);
        sent += tick % 5;
        cn_outbox_publish(outbox);
        while (taken < sent)
            assert_next_sound(++taken);
        assert_false(cn_outbox_next_audio(outbox, &command));
    }
}

static void audio_commands_can_be_taken_after_their_tick_is_published(void **state)
{
    (void)state;
    CnAudioCommand command;
    cn_outbox_begin(outbox, 1, 0);
    push_sounds(1, 1);
    assert_false(cn_outbox_next_audio(outbox, &command));
    cn_outbox_publish(outbox);
    assert_next_sound(1);
}

static void an_audio_command_carries_its_tick(void **state)
{
    (void)state;
    cn_outbox_begin(outbox, 77, 0);
    push_sounds(1, 1);
    cn_outbox_publish(outbox);
    CnAudioCommand command;
    assert_true(cn_outbox_next_audio(outbox, &command));
    assert_int_equal(command.tick, 77);
}

static void a_full_ring_keeps_the_old_commands_and_counts_the_new_ones(void **state)
{
    (void)state;
    cn_outbox_begin(outbox, 1, 0);
    push_sounds(1, 8);
    for (uint32_t i = 0; i < 3; i++)
        assert_false(cn_extract_audio(&audio, &(CnAudioCommand){.sound = 100}));
    QUIETLY(cn_outbox_publish(outbox));
    assert_int_equal(cn_outbox_stats(outbox).dropped_audio, 3);
    for (uint32_t sound = 1; sound <= 8; sound++)
        assert_next_sound(sound);
    CnAudioCommand command;
    assert_false(cn_outbox_next_audio(outbox, &command));
}

static void taking_audio_makes_room(void **state)
{
    (void)state;
    cn_outbox_begin(outbox, 1, 0);
    push_sounds(1, 8);
    cn_outbox_publish(outbox);
    assert_next_sound(1);
    cn_outbox_begin(outbox, 2, 0);
    push_sounds(9, 9);
    assert_false(cn_extract_audio(&audio, &(CnAudioCommand){.sound = 10}));
}

static void commands_of_an_abandoned_tick_take_no_room(void **state)
{
    (void)state;
    cn_outbox_begin(outbox, 1, 0);
    push_sounds(1, 8);
    cn_outbox_begin(outbox, 1, 0);
    push_sounds(11, 18);
    cn_outbox_publish(outbox);
    assert_next_sound(11);
}

static void the_ring_is_rounded_up_to_a_power_of_two(void **state)
{
    (void)state;
    CnOutbox *other = cn_outbox_create(&(CnOutboxDesc){.max_audio = 3}, NULL);
    cn_outbox_begin(other, 1, 0);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(cn_extract_audio(&(CnAudioOut){other}, &(CnAudioCommand){0}));
    assert_false(cn_extract_audio(&(CnAudioOut){other}, &(CnAudioCommand){0}));
    cn_outbox_destroy(other);
}

static void a_ring_that_is_too_large_is_refused(void **state)
{
    (void)state;
    CnError error = {0};
    assert_null(cn_outbox_create(&(CnOutboxDesc){.max_audio = CN_OUTBOX_MAX_AUDIO + 1}, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
}

/* ---- Reports ---- */

static void count_warning(const CnLogRecord *record, void *user)
{
    *(uint32_t *)user += strcmp(record->module, "sim") == 0;
}

static void what_is_cut_is_reported_when_it_begins(void **state)
{
    (void)state;
    uint32_t warnings = 0;
    int sink = cn_log_add_sink(&(CnLogSink){count_warning, &warnings, CN_LOG_LEVEL_WARNING});
    for (uint64_t tick = 0; tick < 30; tick++) {
        cn_outbox_begin(outbox, tick, 0);
        for (uint32_t i = 0; tick % 10 < 5 && i < 9; i++)
            cn_extract_audio(&audio, &(CnAudioCommand){0});
        QUIETLY(cn_outbox_publish(outbox));
    }
    cn_log_remove_sink(sink);
    assert_int_equal(warnings, 3);
}

/* ---- Wrong calls: guards report them, and without guards they do no harm ---- */

#ifdef CN_GUARDS
static void a_second_acquire_is_a_wrong_call(void **state)
{
    (void)state;
    show_tick(1);
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(outbox, &pair));
    EXPECT_GUARD(cn_outbox_acquire(outbox, &pair));
    cn_outbox_release(outbox);
}

static void a_release_without_acquire_is_a_wrong_call(void **state)
{
    (void)state;
    EXPECT_GUARD(cn_outbox_release(outbox));
}

static void destroying_an_outbox_that_is_held_is_a_wrong_call(void **state)
{
    (void)state;
    show_tick(1);
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(outbox, &pair));
    EXPECT_GUARD(cn_outbox_destroy(outbox));
    cn_outbox_release(outbox);
}

static void publishing_what_was_not_begun_is_a_wrong_call(void **state)
{
    (void)state;
    show_tick(1);
    EXPECT_GUARD(cn_outbox_publish(outbox));
}

static void pushing_outside_of_a_tick_is_a_wrong_call(void **state)
{
    (void)state;
    EXPECT_GUARD(cn_extract_items(&render, 1));
    EXPECT_GUARD(cn_extract_lights(&render, 1));
    EXPECT_GUARD(cn_extract_camera(&render, &(CnRenderCamera){0}));
    EXPECT_GUARD(cn_extract_ui_value(&ui, 1, 1));
    EXPECT_GUARD(cn_extract_audio(&audio, &(CnAudioCommand){0}));
}
#else
static void who_acquires_what_is_held_gets_nothing(void **state)
{
    (void)state;
    show_tick(1);
    CnSnapshotPair pair, second;
    assert_true(cn_outbox_acquire(outbox, &pair));
    assert_false(cn_outbox_acquire(outbox, &second));
    assert_null(second.current);
    cn_outbox_release(outbox);
    assert_true(cn_outbox_acquire(outbox, &second));
    cn_outbox_release(outbox);
}

static void what_is_pushed_outside_of_a_tick_is_not_shown(void **state)
{
    (void)state;
    show_tick(1);
    assert_null(cn_extract_items(&render, 1));
    assert_null(cn_extract_lights(&render, 1));
    cn_extract_camera(&render, &(CnRenderCamera){0});
    assert_false(cn_extract_ui_value(&ui, 1, 1));
    assert_false(cn_extract_ui_text(&ui, 1, "late"));
    assert_false(cn_extract_audio(&audio, &(CnAudioCommand){0}));
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(outbox, &pair));
    assert_shows(pair.current, 1);
    assert_false(pair.current->render.camera.valid);
    cn_outbox_release(outbox);
}

static void what_was_not_begun_is_not_published(void **state)
{
    (void)state;
    show_ticks(1, 2);
    cn_outbox_publish(outbox);
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(outbox, &pair));
    assert_shows(pair.previous, 1);
    assert_shows(pair.current, 2);
    cn_outbox_release(outbox);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        OUTBOX_TEST(before_the_first_publish_there_is_nothing_to_acquire),
        OUTBOX_TEST(the_first_snapshot_has_no_previous_one),
        OUTBOX_TEST(a_pair_is_the_two_newest_snapshots),
        OUTBOX_TEST(acquiring_again_without_a_new_tick_gives_the_same_pair),
        OUTBOX_TEST(a_held_pair_stays_as_it_is_while_ticks_go_on),
        OUTBOX_TEST(after_a_long_hold_the_next_pair_is_the_newest),
        OUTBOX_TEST(a_tick_that_is_begun_again_shows_only_what_came_after),
        OUTBOX_TEST(published_snapshots_are_counted),
        OUTBOX_TEST(pushed_items_are_zeros_also_where_older_ones_were),
        OUTBOX_TEST(items_stand_in_the_order_of_pushing),
        OUTBOX_TEST(pushing_none_gives_null_and_cuts_nothing),
        OUTBOX_TEST(lights_are_a_list_of_their_own),
        OUTBOX_TEST(the_last_camera_of_a_tick_counts),
        OUTBOX_TEST(ui_items_have_an_id_and_a_value_or_a_text),
        OUTBOX_TEST(a_text_that_is_too_long_is_cut_at_a_character_and_counted),
        OUTBOX_TEST(audio_commands_arrive_once_and_in_order),
        OUTBOX_TEST(audio_commands_can_be_taken_after_their_tick_is_published),
        OUTBOX_TEST(an_audio_command_carries_its_tick),
        OUTBOX_TEST(a_full_ring_keeps_the_old_commands_and_counts_the_new_ones),
        OUTBOX_TEST(taking_audio_makes_room),
        OUTBOX_TEST(commands_of_an_abandoned_tick_take_no_room),
        OUTBOX_TEST(the_ring_is_rounded_up_to_a_power_of_two),
        OUTBOX_TEST(a_ring_that_is_too_large_is_refused),
        OUTBOX_TEST(what_is_cut_is_reported_when_it_begins),
#ifdef CN_GUARDS
        OUTBOX_TEST(a_second_acquire_is_a_wrong_call),
        OUTBOX_TEST(a_release_without_acquire_is_a_wrong_call),
        OUTBOX_TEST(destroying_an_outbox_that_is_held_is_a_wrong_call),
        OUTBOX_TEST(publishing_what_was_not_begun_is_a_wrong_call),
        OUTBOX_TEST(pushing_outside_of_a_tick_is_a_wrong_call),
#else
        OUTBOX_TEST(who_acquires_what_is_held_gets_nothing),
        OUTBOX_TEST(what_is_pushed_outside_of_a_tick_is_not_shown),
        OUTBOX_TEST(what_was_not_begun_is_not_published),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
