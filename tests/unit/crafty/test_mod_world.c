/* The tables `world` and `sound` of mods. */
#include "mod_game.h"

#include <crafty/sim/day.h>
#include <crafty/sim/drops.h>
#include <crafty/sim/mod/mod_effect.h>
#include <crafty/sim/undo.h>
#include <crafty/sim/vitals.h>
#include <crafty/sim/weather.h>

static ModGame game;

static int end(void **state)
{
    (void)state;
    mod_game_end(&game);
    return 0;
}

static void play(const char *body)
{
    mod_game_play(&game, "", body);
}

static void refuse(const char *body, const char *part)
{
    mod_game_refuse(&game, body, part);
}

/* ---- Blocks ---- */

static void a_block_has_its_name(void **state)
{
    (void)state;
    play("assert(world.get(0, 300, 0) == 'stone') assert(world.get(0, 301, 0) == 'air')");
}

static void a_block_is_set(void **state)
{
    (void)state;
    play("assert(world.set(4, 301, 4, 'glowstone') == true)");
    assert_string_equal(mod_game_get(&game, 4, 301, 4), "glowstone");
}

static void an_edit_is_nobodys_and_in_the_log(void **state)
{
    (void)state;
    play("world.set(4, 301, 4, 'glowstone')");
    const CnEditLog *log = cn_voxels_log(game.voxels);
    CnEdit edit = cn_edit_log_at(log, cn_edit_log_count(log) - 1);
    assert_int_equal(edit.player, CN_EDIT_NOBODY);
    assert_int_equal(edit.new_block, mod_game_block(&game, "glowstone"));
    assert_int_equal(crafty_undo_count(game.world, game.players[0]), 0);
}

static void a_chest_that_is_replaced_drops_its_contents(void **state)
{
    (void)state;
    play("world.set(4, 301, 4, 'chest')\n"
         "slots.set(4, 301, 4, 1, 'apple', 5)\n"
         "assert(world.set(4, 301, 4, 'stone'))");
    assert_int_equal(crafty_drop_items(game.world, mod_game_item(&game, "apple")), 5);
}

static void an_unknown_block_is_named(void **state)
{
    (void)state;
    refuse("world.set(4, 301, 4, 'stoen')", "there is no block \"stoen\"");
}

static void cells_outside_of_the_world_are_refused(void **state)
{
    (void)state;
    refuse("world.get(1e9, 0, 0)", "outside of the world");
}

static void far_cells_count_as_not_loaded(void **state)
{
    (void)state;
    play("assert(world.get(5000, 300, 0) == nil)\n"
         "assert(world.set(5000, 300, 0, 'stone') == false)\n"
         "assert(world.loaded(5000, 300, 0) == false and world.loaded(100, 300, 0) == true)\n"
         "assert(world.light(5000, 300, 0) == nil and world.surface(5000, 0) == nil)\n"
         "assert(world.color(5000, 0) == nil)");
    assert_false(cn_voxels_is_loaded(game.voxels, cn_chunk_of((CnCell){5000, 300, 0})));
}

static void far_chunks_are_charged_once_in_a_tick(void **state)
{
    (void)state;
    play("for i = 1, 200 do world.get(100, 300, 0) end");
    uint64_t once = crafty_mods_status(game.mods, 1).lua.tick_instructions;
    assert_in_range(once, 100000, 199999);
}

static void blocks_need_the_permission(void **state)
{
    (void)state;
    game.permissions = CRAFTY_MOD_MAY_ALL & ~(1u << CRAFTY_MOD_MAY_BLOCKS);
    refuse("world.set(0, 300, 0, 'stone')", "\"blocks\"");
}

static void light_has_two_numbers(void **state)
{
    (void)state;
    play("world.set(2, 301, 2, 'glowstone')\n"
         "local sky, block = world.light(2, 302, 2)\n"
         "assert(sky == 15 and block > 10)");
}

static void the_surface_is_the_topmost_block(void **state)
{
    (void)state;
    play("assert(world.surface(3, 3) == 300)\n"
         "world.set(3, 305, 3, 'oak_planks')\n"
         "assert(world.surface(3, 3) == 305)");
}

static void a_column_has_a_color_and_a_biome(void **state)
{
    (void)state;
    play("assert(world.color(3, 3):match('^#%x%x%x%x%x%x$'))\n"
         "local stone = world.color(3, 3)\n"
         "world.set(3, 301, 3, 'oak_planks')\n"
         "assert(world.color(3, 3) ~= stone)\n"
         "assert(type(world.biome(3, 3)) == 'string')\n"
         "assert(world.biome(100000, 3))");
}

static void data_stays_if_it_is_kept(void **state)
{
    (void)state;
    mod_game_play(&game, "block { name = 'off' } block { name = 'on' }",
                  "world.set(1, 301, 1, 'castle:off')\n"
                  "data.set(1, 301, 1, { power = 3 })\n"
                  "world.set(1, 301, 1, 'castle:on', true)\n"
                  "assert(data.get(1, 301, 1).power == 3)\n"
                  "world.set(1, 301, 1, 'castle:off')\n"
                  "assert(data.get(1, 301, 1) == nil)");
}

/* ---- Time and weather ---- */

static void the_time_is_told_and_set(void **state)
{
    (void)state;
    play("local hours, day = world.time()\n"
         "assert(hours > 11.9 and hours < 12.1 and day == 1)\n"
         "world.setTime(18.5)\n"
         "assert(world.time() == 18.5)");
    assert_true(crafty_day_hours(game.world) >= 18.5f);
}

static void a_time_is_in_a_day(void **state)
{
    (void)state;
    refuse("world.setTime(25)", "0 to 24");
}

static void the_weather_is_told_and_set(void **state)
{
    (void)state;
    play("world.setWeather('heavy-rain') assert(world.weather() == 'heavy-rain')");
    assert_true(cn_resource(game.world, CraftyWeather)->held);
    mod_game_end(&game);
    play("world.setWeather('clear') world.setWeather('changing')");
    assert_false(cn_resource(game.world, CraftyWeather)->held);
}

static void an_unknown_weather_is_named(void **state)
{
    (void)state;
    refuse("world.setWeather('frogs')", "there is no weather \"frogs\"");
}

static void time_and_weather_need_the_permission(void **state)
{
    (void)state;
    game.permissions = CRAFTY_MOD_MAY_ALL & ~(1u << CRAFTY_MOD_MAY_WORLD);
    refuse("world.setTime(1)", "\"world\"");
    mod_game_end(&game);
    game.permissions = CRAFTY_MOD_MAY_ALL & ~(1u << CRAFTY_MOD_MAY_WORLD);
    refuse("world.setWeather('clear')", "\"world\"");
}

static void the_tick_counts(void **state)
{
    (void)state;
    mod_game_play(&game,
                  "local last on('tick', function(e)\n"
                  "    assert(e.tick == world.tick() and (not last or e.tick == last + 1))\n"
                  "    last = e.tick\n"
                  "end, 1)",
                  "assert(world.tick() > 0)");
    mod_game_ticks(&game, 5);
    mod_game_check(&game);
}

/* ---- Chance ---- */

static void random_numbers_are_in_their_range(void **state)
{
    (void)state;
    play("local seen = {}\n"
         "for i = 1, 500 do\n"
         "    local a, b, c = world.random(), world.random(3), world.random(-2, 2)\n"
         "    assert(a >= 0 and a < 1 and b >= 1 and b <= 3 and c >= -2 and c <= 2)\n"
         "    assert(b % 1 == 0 and c % 1 == 0)\n"
         "    seen[b] = true\n"
         "end\n"
         "assert(seen[1] and seen[2] and seen[3])\n"
         "assert(world.random(4, 4) == 4)");
}

static void random_numbers_are_the_same_in_the_same_game(void **state)
{
    (void)state;
    static const char *const code = "return table.concat({ world.random(1000000), "
                                    "world.random(1000000) }, ' ')";
    char first[CRAFTY_CHAT_LINE_BYTES];
    play(code);
    cn_copy_text(first, sizeof first, cn_text(game.lines[0].text));
    mod_game_end(&game);
    play(code);
    assert_string_equal(game.lines[0].text, first);
}

static void an_empty_range_is_refused(void **state)
{
    (void)state;
    refuse("world.random(2, 1)", "no whole number");
}

/* ---- What happens ---- */

static void a_scheduled_tick_comes(void **state)
{
    (void)state;
    mod_game_play(&game,
                  "block { name = 'timer', on_tick = function(e)\n"
                  "    world.set(e.x, e.y, e.z, 'gold_block')\n"
                  "end }",
                  "world.set(2, 301, 2, 'castle:timer')\n"
                  "assert(world.schedule(2, 301, 2, 10) == true)\n"
                  "assert(world.schedule(2, 300, 2, 10) == false)");
    mod_game_ticks(&game, 8);
    assert_string_equal(mod_game_get(&game, 2, 301, 2), "castle:timer");
    mod_game_ticks(&game, 4);
    assert_string_equal(mod_game_get(&game, 2, 301, 2), "gold_block");
}

static void a_delay_is_limited(void **state)
{
    (void)state;
    refuse("world.schedule(0, 300, 0, 1201)", "1 to 1200 ticks");
}

static void items_drop(void **state)
{
    (void)state;
    play("assert(world.drop('apple', 100, 4.5, 302, 4.5) == 100)\n"
         "assert(world.drop('apple', 1, 5000, 302, 0) == 0)");
    assert_int_equal(crafty_drop_items(game.world, mod_game_item(&game, "apple")), 100);
    assert_int_equal(crafty_drop_count(game.world), 2);
}

static void an_unknown_item_is_named(void **state)
{
    (void)state;
    refuse("world.drop('aple', 1, 0, 302, 0)", "there is no item \"aple\"");
}

static void drops_need_the_permission(void **state)
{
    (void)state;
    game.permissions = CRAFTY_MOD_MAY_ALL & ~(1u << CRAFTY_MOD_MAY_CREATURES);
    refuse("world.drop('apple', 1, 0, 302, 0)", "\"creatures\"");
}

static void an_explosion_breaks_blocks_and_hurts(void **state)
{
    (void)state;
    play("assert(world.explode(2.5, 301.5, 0.5, 3) == true)");
    assert_string_equal(mod_game_get(&game, 2, 300, 0), "air");
    assert_true(cn_get(game.world, game.players[0], CraftyVitals)->health < CRAFTY_MAX_HEALTH);
}

static void an_explosion_of_a_mod_that_may_not_hurt_does_not(void **state)
{
    (void)state;
    game.permissions = CRAFTY_MOD_MAY_ALL & ~(1u << CRAFTY_MOD_MAY_PLAYERS);
    play("world.explode(2.5, 301.5, 0.5, 3)");
    assert_string_equal(mod_game_get(&game, 2, 300, 0), "air");
    assert_true(cn_get(game.world, game.players[0], CraftyVitals)->health >= CRAFTY_MAX_HEALTH);
}

static void a_radius_is_limited(void **state)
{
    (void)state;
    refuse("world.explode(0, 301, 0, 9)", "1 to 8");
}

/* ---- Effects ---- */

static void particles_are_sent_to_clients(void **state)
{
    (void)state;
    mod_game_play(&game,
                  "on('tick', function()\n"
                  "    world.particles('crumbs', 1, 302, 3, 5, '#102030')\n"
                  "end, 1)",
                  "");
    CnEventReader *reader = cn_event_reader_create(cn_channel(game.world, CraftyModEffect), NULL);
    mod_game_ticks(&game, 1);
    const CraftyModEffect *effect = cn_read_next(reader, CraftyModEffect);
    assert_non_null(effect);
    assert_int_equal(effect->kind, CRAFTY_MOD_EFFECT_PARTICLES);
    assert_int_equal(effect->choice, CRAFTY_MOD_CRUMBS);
    assert_int_equal(effect->count, 5);
    assert_int_equal(effect->color, 0x102030);
    assert_string_equal(effect->mod, "castle");
    assert_true(effect->position.y == 302);
    cn_event_reader_destroy(reader);
}

static void a_sound_is_sent_to_clients(void **state)
{
    (void)state;
    mod_game_play(&game, "on('tick', function() sound.play('bell', 1, 302, 3, 0.5, 2) end, 1)", "");
    CnEventReader *reader = cn_event_reader_create(cn_channel(game.world, CraftyModEffect), NULL);
    mod_game_ticks(&game, 1);
    const CraftyModEffect *effect = cn_read_next(reader, CraftyModEffect);
    assert_non_null(effect);
    assert_int_equal(effect->kind, CRAFTY_MOD_EFFECT_SOUND);
    assert_string_equal(effect->name, "bell");
    assert_true(effect->gain == 0.5f && effect->pitch == 2);
    cn_event_reader_destroy(reader);
}

static void unknown_particles_are_named(void **state)
{
    (void)state;
    refuse("world.particles('glitter', 0, 0, 0, 1)", "there are no particles \"glitter\"");
}

static void a_sound_has_a_name_and_limits(void **state)
{
    (void)state;
    refuse("sound.play('../x', 0, 0, 0)", "not the name of a sound");
    mod_game_end(&game);
    refuse("sound.play('bell', 0, 0, 0, 3)", "gain of a sound is 0 to 2");
    mod_game_end(&game);
    refuse("sound.play('bell', 0, 0, 0, 1, 0.1)", "pitch of a sound is 0.5 to 2");
}

/* ---- Phases ---- */

static void handlers_of_before_only_read(void **state)
{
    (void)state;
    mod_game_add(&game, "castle",
                 "before('chat', function(e)\n"
                 "    assert(world.get(0, 300, 0) == 'stone')\n"
                 "    world.set(0, 300, 0, 'dirt')\n"
                 "end)");
    mod_game_begin(&game, 1);
    mod_game_type(&game, 1, "hello");
    CraftyModStatus status = crafty_mods_status(game.mods, 1);
    assert_true(status.is_disabled);
    assert_int_equal(status.error.line, 3);
    assert_non_null(strstr(status.error.message, "change nothing"));
    assert_string_equal(mod_game_get(&game, 0, 300, 0), "stone");
}

static void main_lua_reaches_no_world(void **state)
{
    (void)state;
    mod_game_add(&game, "castle", "world.get(0, 300, 0)");
    mod_game_begin(&game, 1);
    CraftyModStatus status = crafty_mods_status(game.mods, 1);
    assert_true(status.is_disabled);
    assert_non_null(strstr(status.error.message, "main.lua"));
}

#define TEST(function) cmocka_unit_test_teardown(function, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_block_has_its_name),
        TEST(a_block_is_set),
        TEST(an_edit_is_nobodys_and_in_the_log),
        TEST(a_chest_that_is_replaced_drops_its_contents),
        TEST(an_unknown_block_is_named),
        TEST(cells_outside_of_the_world_are_refused),
        TEST(far_cells_count_as_not_loaded),
        TEST(far_chunks_are_charged_once_in_a_tick),
        TEST(blocks_need_the_permission),
        TEST(light_has_two_numbers),
        TEST(the_surface_is_the_topmost_block),
        TEST(a_column_has_a_color_and_a_biome),
        TEST(data_stays_if_it_is_kept),
        TEST(the_time_is_told_and_set),
        TEST(a_time_is_in_a_day),
        TEST(the_weather_is_told_and_set),
        TEST(an_unknown_weather_is_named),
        TEST(time_and_weather_need_the_permission),
        TEST(the_tick_counts),
        TEST(random_numbers_are_in_their_range),
        TEST(random_numbers_are_the_same_in_the_same_game),
        TEST(an_empty_range_is_refused),
        TEST(a_scheduled_tick_comes),
        TEST(a_delay_is_limited),
        TEST(items_drop),
        TEST(an_unknown_item_is_named),
        TEST(drops_need_the_permission),
        TEST(an_explosion_breaks_blocks_and_hurts),
        TEST(an_explosion_of_a_mod_that_may_not_hurt_does_not),
        TEST(a_radius_is_limited),
        TEST(particles_are_sent_to_clients),
        TEST(a_sound_is_sent_to_clients),
        TEST(unknown_particles_are_named),
        TEST(a_sound_has_a_name_and_limits),
        TEST(handlers_of_before_only_read),
        TEST(main_lua_reaches_no_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
