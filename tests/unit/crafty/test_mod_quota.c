/* Quotas of mods for what all share: each one is reached and not exceeded, and a state that is
 * restored at a limit goes on there. */
#include "cmocka_tests.h"
#include "mod_game.h"

#include <crafty/sim/creature/creature.h>
#include <crafty/sim/drops.h>
#include <crafty/sim/mod/mod_effect.h>
#include <crafty/sim/mod/mods_internal.h>

static ModGame game;

/* A box that schedules as many ticks as its command is told to, and counts them. */
static const char scheduler[] =
    "block { name = 'box', like = 'glass',\n"
    "        on_tick = function(e) storage.set('ran', (storage.get('ran') or 0) + 1) end }\n"
    "local function fill(count, delay)\n"
    "    local done = 0\n"
    "    for i = 1, count do\n"
    "        if world.schedule(0, 303, 3, delay) then done = done + 1 end\n"
    "    end\n"
    "    storage.set('done', (storage.get('done') or 0) + done)\n"
    "end\n"
    "on('tick', function()\n"
    "    if storage.get('count') then fill(storage.get('count'), storage.get('delay')) end\n"
    "end, 1)\n"
    "command { name = 'load_up', run = function(e)\n"
    "    storage.set('count', tonumber(e.arguments[1]))\n"
    "    storage.set('delay', tonumber(e.arguments[2]))\n"
    "end }\n"
    "command { name = 'halt', run = function() storage.remove('count') end }\n";

static int end(void **state)
{
    (void)state;
    mod_game_end(&game);
    return 0;
}

static void begin(const char *code)
{
    game.instructions_per_tick = game.instructions_per_call = 100000000;
    mod_game_add(&game, "castle", code);
    mod_game_begin(&game, 1);
    mod_game_ticks(&game, 1);
    mod_game_check(&game);
}

static double stored_in(const ModGame *from, const char *key)
{
    CnText text = crafty_mod_store_get(&from->mods->list[1].store, cn_text(key));
    return text.size ? strtod(text.data, NULL) : 0;
}

static double stored(const char *key)
{
    return stored_in(&game, key);
}

static uint64_t skipped(void)
{
    return crafty_mods_status(game.mods, 1).skipped;
}

static uint32_t count_all(const CnQueryDesc *desc)
{
    CnQuery *query = cn_query_acquire(game.world, desc, NULL);
    uint32_t count = cn_query_count(query);
    cn_query_release(query);
    return count;
}

/* ---- In each tick ---- */

static void a_mod_writes_a_limited_number_of_lines_in_a_tick(void **state)
{
    (void)state;
    begin("on('tick', function() for i = 1, 100 do chat.broadcast('x') end end, 1)");
    mod_game_forget_lines(&game);
    mod_game_ticks(&game, 1);
    assert_int_equal(game.line_count, 32);
    mod_game_ticks(&game, 1);
    assert_int_equal(game.line_count, 64);
    assert_int_equal(skipped(), 3 * (100 - 32));
}

static uint32_t count_effects(CnEventReader *reader)
{
    uint32_t count = 0;
    while (cn_read_next(reader, CraftyModEffect))
        count++;
    return count;
}

static void a_mod_makes_a_limited_number_of_sounds_in_a_tick(void **state)
{
    (void)state;
    begin("on('tick', function() for i = 1, 500 do sound.play('bell', 0, 301, 0) end end, 1)");
    CnEventReader *reader = cn_event_reader_create(cn_channel(game.world, CraftyModEffect), NULL);
    assert_non_null(reader);
    mod_game_ticks(&game, 1);
    assert_int_equal(count_effects(reader), 128);
    mod_game_ticks(&game, 1);
    assert_int_equal(count_effects(reader), 128);
    cn_event_reader_destroy(reader);
}

/* As if one of its handlers ran; then, what players do is still noted. */
static void a_mod_causes_a_limited_number_of_events_in_a_tick(void **state)
{
    (void)state;
    const CraftyModNote note = {.event = CRAFTY_MOD_DIED, .player = 1};
    begin("-- nothing");
    game.mods->run->notes.count = 0;
    game.mods->running = &game.mods->list[1];
    for (uint32_t i = 0; i < 100; i++)
        crafty_mods_note(game.world, &note);
    game.mods->running = NULL;
    assert_int_equal(game.mods->run->notes.count, 48);
    crafty_mods_note(game.world, &note);
    assert_int_equal(game.mods->run->notes.count, 49);
    assert_int_equal(skipped(), 100 - 48);
}

static void a_mod_schedules_a_limited_number_of_ticks_in_a_tick(void **state)
{
    (void)state;
    begin(scheduler);
    mod_game_set(&game, 0, 303, 3, "castle:box");
    mod_game_type(&game, 1, "/load_up 600 5");
    mod_game_ticks(&game, 1);
    assert_true((uint32_t)stored("done") % 512 == 0);
    assert_true(skipped() >= 88);
}

/* ---- At the same time ---- */

static void a_mod_has_a_limited_number_of_creatures(void **state)
{
    (void)state;
    begin("on('tick', function()\n"
          "    for i = 1, 400 do creatures.spawn('pig', i % 9 - 4, 301, i % 7 - 3) end\n"
          "end, 1)");
    mod_game_ticks(&game, 4);
    assert_int_equal(count_all(&(CnQueryDesc){.all = {cn_reads(CraftyModOwned)}}), 1024);
}

static void a_mod_has_a_limited_number_of_drops(void **state)
{
    (void)state;
    begin("on('tick', function()\n"
          "    for i = 1, 300 do world.drop('stick', 1, i % 20 - 10, 330, i % 20 - 10) end\n"
          "end, 1)");
    mod_game_ticks(&game, 3);
    uint32_t drops = count_all(&(CnQueryDesc){.all = {cn_reads(CraftyModOwned)}});
    assert_true(drops > 0 && drops <= 512);
    assert_true(skipped() > 0);
}

static void a_mod_has_a_limited_number_of_pending_ticks(void **state)
{
    (void)state;
    begin(scheduler);
    mod_game_set(&game, 0, 303, 3, "castle:box");
    mod_game_type(&game, 1, "/load_up 512 1000");
    mod_game_ticks(&game, 20);
    assert_int_equal(stored("done"), CRAFTY_MOD_MOST_PENDING);
    assert_int_equal(crafty_mod_pending(&game.mods->list[1]), CRAFTY_MOD_MOST_PENDING);
}

static void ticks_that_ran_are_not_pending(void **state)
{
    (void)state;
    begin(scheduler);
    mod_game_set(&game, 0, 303, 3, "castle:box");
    mod_game_type(&game, 1, "/load_up 100 2");
    mod_game_ticks(&game, 10);
    mod_game_type(&game, 1, "/halt");
    mod_game_ticks(&game, 3);
    assert_int_equal(crafty_mod_pending(&game.mods->list[1]), 0);
    assert_true(stored("ran") > 0);
    assert_int_equal(stored("ran"), stored("done"));
}

/* Whatever lies in the cell then, the ticks run, so that they do not count any more. */
static void ticks_of_a_block_that_is_gone_are_not_pending(void **state)
{
    (void)state;
    begin(scheduler);
    mod_game_set(&game, 0, 303, 3, "castle:box");
    mod_game_type(&game, 1, "/load_up 100 4");
    mod_game_type(&game, 1, "/halt");
    mod_game_set(&game, 0, 303, 3, "stone");
    assert_true(crafty_mod_pending(&game.mods->list[1]) > 0);
    mod_game_ticks(&game, 5);
    assert_int_equal(crafty_mod_pending(&game.mods->list[1]), 0);
    assert_int_equal(stored("ran"), 0);
}

/* ---- Many mods ---- */

static void mods_share_what_is_for_all(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        static const char *const names[] = {"a", "b", "c"};
        mod_game_add(&game, names[i],
                     "on('tick', function()\n"
                     "    for i = 1, 600 do creatures.spawn('pig', i % 9 - 4, 301, 0) end\n"
                     "end, 1)");
    }
    begin("on('tick', function(e) storage.set('id', creatures.spawn('cow', 0, 301, 3)) end, 1)");
    mod_game_ticks(&game, 4);
    for (uint32_t i = 1; i <= 4; i++)
        assert_false(crafty_mods_status(game.mods, i).is_disabled);
    CnText id = crafty_mod_store_get(&game.mods->list[4].store, cn_text("id"));
    assert_true(id.size && strtod(id.data, NULL) > 0);
}

/* ---- State ---- */

static void save(CnU8Array *saved)
{
    *saved = (CnU8Array){.allocator = cn_system_allocator()};
    assert_true(crafty_mods_save_state(game.mods->run, saved, NULL));
}

static void a_restored_state_goes_on_at_the_limit(void **state)
{
    (void)state;
    CnU8Array saved;
    begin(scheduler);
    mod_game_set(&game, 0, 303, 3, "castle:box");
    mod_game_type(&game, 1, "/load_up 512 1000");
    mod_game_ticks(&game, 20);
    uint64_t hash = crafty_mods_hash(game.mods->run);
    save(&saved);
    assert_true(crafty_mods_restore_state(game.mods->run, saved.items, saved.count, NULL));
    assert_int_equal(crafty_mods_hash(game.mods->run), hash);
    assert_int_equal(crafty_mod_pending(&game.mods->list[1]), CRAFTY_MOD_MOST_PENDING);
    mod_game_ticks(&game, 2);
    assert_int_equal(stored("done"), CRAFTY_MOD_MOST_PENDING);
    cn_array_fini(&saved);
}

static void a_state_without_scheduled_ticks_has_none_pending(void **state)
{
    (void)state;
    begin(scheduler);
    mod_game_set(&game, 0, 303, 3, "castle:box");
    mod_game_type(&game, 1, "/load_up 10 1000");
    assert_true(crafty_mod_pending(&game.mods->list[1]) > 0);
    void *part = crafty_mod_part(game.mods->run, &crafty_mod_schedule_part);
    assert_true(crafty_mod_schedule_part.restore(part, NULL, 0, NULL));
    assert_int_equal(crafty_mod_pending(&game.mods->list[1]), 0);
    assert_int_equal(crafty_mod_schedule_part.hash(part), 0);
}

static void damaged_scheduled_ticks_are_refused(void **state)
{
    (void)state;
    CnU8Array saved = {.allocator = cn_system_allocator()};
    begin(scheduler);
    mod_game_set(&game, 0, 303, 3, "castle:box");
    mod_game_type(&game, 1, "/load_up 10 1000");
    void *part = crafty_mod_part(game.mods->run, &crafty_mod_schedule_part);
    assert_true(crafty_mod_schedule_part.save(part, &saved, NULL));
    assert_true(saved.count > 12);
    for (uint32_t size = 1; size < saved.count; size++)
        if (size != 4) /* a version only: no ticks */
            assert_false(crafty_mod_schedule_part.restore(part, saved.items, size, NULL));
    for (uint32_t i = 0; i < saved.count; i++) {
        saved.items[i] ^= 0xA5;
        if (!crafty_mod_schedule_part.restore(part, saved.items, saved.count, NULL))
            assert_int_equal(crafty_mod_schedule_part.hash(part), 0);
        saved.items[i] ^= 0xA5;
    }
    cn_array_fini(&saved);
}

#define TEST(function) cmocka_unit_test_teardown(function, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_mod_writes_a_limited_number_of_lines_in_a_tick),
        TEST(a_mod_makes_a_limited_number_of_sounds_in_a_tick),
        TEST(a_mod_causes_a_limited_number_of_events_in_a_tick),
        TEST(a_mod_schedules_a_limited_number_of_ticks_in_a_tick),
        TEST(a_mod_has_a_limited_number_of_creatures),
        TEST(a_mod_has_a_limited_number_of_drops),
        TEST(a_mod_has_a_limited_number_of_pending_ticks),
        TEST(ticks_that_ran_are_not_pending),
        TEST(ticks_of_a_block_that_is_gone_are_not_pending),
        TEST(mods_share_what_is_for_all),
        TEST(a_restored_state_goes_on_at_the_limit),
        TEST(a_state_without_scheduled_ticks_has_none_pending),
        TEST(damaged_scheduled_ticks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
