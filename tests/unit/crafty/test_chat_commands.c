/* What the commands of the chat do, and what they answer. */
#include "chat_fixture.h"

#include <crafty/sim/day.h>
#include <crafty/sim/rules.h>
#include <crafty/sim/undo.h>
#include <crafty/sim/vitals.h>
#include <crafty/sim/weather.h>

#include <stdio.h>

static int begin(void **state)
{
    (void)state;
    begin_chat();
    return 0;
}

static int begin_creative(void **state)
{
    begin(state);
    type("/gamemode creative");
    return 0;
}

static void answers(const char *text, const char *answer)
{
    type(text);
    assert_true(chat_count > 0);
    assert_string_equal(chat_lines[0].text, answer);
    assert_int_equal(chat_lines[0].kind, CRAFTY_CHAT_ANSWER);
}

static void fails(const char *text, const char *answer)
{
    uint64_t before = cn_voxels_hash(crafty_world_voxels(crafty_session_world(chat_session)));
    type(text);
    assert_true(chat_count > 0);
    assert_string_equal(chat_lines[0].text, answer);
    assert_int_equal(chat_lines[0].kind, CRAFTY_CHAT_ERROR);
    assert_int_equal(cn_voxels_hash(crafty_world_voxels(crafty_session_world(chat_session))),
                     before);
}

static CnVec3 eye_of(uint32_t player)
{
    return cn_get(chat_world, chat_player(player), CnTransform)->position;
}

static CnBlock block_at(int32_t x, int32_t y, int32_t z)
{
    return cn_voxels_get(crafty_world_voxels(crafty_session_world(chat_session)),
                         (CnCell){x, y, z});
}

static CnBlock block(const char *name)
{
    return cn_block_find(crafty_world_blocks(crafty_session_world(chat_session)), name);
}

/* ---- Time and weather ---- */

static void the_time_of_day_is_set_and_shown(void **state)
{
    (void)state;
    type("/time speed 0");
    answers("/time set 18:30", "It is 18:30 on day 1; time runs at 0 times the normal speed.");
    answers("/time set noon", "It is 12:00 on day 1; time runs at 0 times the normal speed.");
    answers("/time add 13:15", "It is 01:15 on day 2; time runs at 0 times the normal speed.");
    answers("/time add -2", "It is 23:15 on day 1; time runs at 0 times the normal speed.");
    answers("/time add -240", "It is 00:00 on day 1; time runs at 0 times the normal speed.");
    answers("/time", "It is 00:00 on day 1; time runs at 0 times the normal speed.");
}

static void the_weather_is_held(void **state)
{
    (void)state;
    answers("/weather heavy-rain", "The weather changes to heavy-rain.");
    const CraftyWeather *weather = cn_resource(chat_world, CraftyWeather);
    assert_true(weather->held && weather->kind == CRAFTY_HEAVY_RAIN);
}

/* ---- Position ---- */

static void a_player_is_moved_to_the_middle_of_a_block(void **state)
{
    (void)state;
    answers("/tp 100 150 -20", "player1 is now at 100.5 150.0 -19.5.");
    CnVec3 eye = eye_of(1);
    assert_true(eye.x == 100.5f && eye.z == -19.5f);
    answers("/tp ~-0.5 ~10 ~", "player1 is now at 100.0 160.0 -19.5.");
}

static void a_player_is_moved_to_another_one(void **state)
{
    (void)state;
    type("/tp player2 40 200 40");
    assert_true(eye_of(2).x == 40.5f);
    type("/tp player2");
    CnVec3 own = eye_of(1), other = eye_of(2);
    assert_true(own.x == other.x && own.z == other.z);
}

static void the_direction_of_the_view_stays(void **state)
{
    (void)state;
    CnQuat before = cn_get(chat_world, chat_player(1), CnTransform)->rotation;
    type("/tp 5 150 5");
    CnQuat after = cn_get(chat_world, chat_player(1), CnTransform)->rotation;
    assert_memory_equal(&before, &after, sizeof before);
}

static void a_walking_player_is_lifted_out_of_rock_far_away(void **state)
{
    (void)state;
    type("/tp 4000 -50 4000");
    assert_int_equal(last_line()->kind, CRAFTY_CHAT_ANSWER);
    CnVoxels *voxels = crafty_world_voxels(crafty_session_world(chat_session));
    assert_false(cn_voxels_overlap(voxels, crafty_player_box(eye_of(1))));
}

static void two_coordinates_lead_to_the_ground(void **state)
{
    (void)state;
    type("/tp 3000 -2500");
    CnVoxels *voxels = crafty_world_voxels(crafty_session_world(chat_session));
    CnVec3 eye = eye_of(1);
    assert_true(eye.x == 3000.5f && eye.z == -2499.5f);
    float ground = (float)cn_voxels_height(voxels, 3000, -2500) + 1;
    assert_true(eye.y - CRAFTY_PLAYER_EYE <= ground + 0.1f &&
                eye.y - CRAFTY_PLAYER_EYE > ground - 2);
}

static void a_relative_position_outside_of_the_world_is_refused(void **state)
{
    (void)state;
    CnVec3 before = eye_of(1);
    type("/tp ~ ~1000 ~");
    assert_string_equal(last_line()->text,
                        "That is outside of the world: y goes from -128 to 1000.");
    assert_int_equal(last_line()->at, 6);
    assert_int_equal(last_line()->bytes, 5);
    assert_true(eye_of(1).x == before.x);
}

/* ---- Players ---- */

static void the_mode_of_a_player_changes(void **state)
{
    (void)state;
    answers("/gamemode survival", "The mode of player1 is now survival.");
    assert_int_equal(cn_get(chat_world, chat_player(1), CraftyPlayer)->mode, CRAFTY_MODE_SURVIVAL);
    answers("/gamemode spectator player2", "The mode of player2 is now spectator.");
    assert_int_equal(cn_get(chat_world, chat_player(2), CraftyPlayer)->mode, CRAFTY_MODE_SPECTATOR);
}

static uint32_t count_items(uint32_t player, const char *name)
{
    CraftyPlayer own = *cn_get(chat_world, chat_player(player), CraftyPlayer);
    const CraftyItems *items = cn_resource(chat_world, CraftyItemList)->items;
    uint32_t count = 0;
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        if (crafty_player_slot(&own, i)->item == crafty_items_find(items, name))
            count += crafty_player_slot(&own, i)->count;
    return count;
}

static void items_are_given_and_cleared(void **state)
{
    (void)state;
    type("/clear");
    answers("/give torch 70", "player1 got 70 Torch.");
    assert_int_equal(count_items(1, "torch"), 70);
    answers("/clear", "70 items of player1 are removed.");
    type("/clear player2");
    answers("/give player2 stone", "player2 got 1 Stone.");
    assert_int_equal(count_items(2, "stone"), 1);
}

static void a_full_inventory_takes_only_what_fits(void **state)
{
    (void)state;
    type("/clear");
    answers("/give stone 2304", "player1 got 2304 Stone.");
    fails("/give stone", "The inventory of player1 is full.");
    assert_int_equal(count_items(1, "stone"), 2304);
}

static void a_killed_player_is_dead_and_healing_does_not_help(void **state)
{
    (void)state;
    answers("/kill", "player1 died.");
    assert_true(cn_get(chat_world, chat_player(1), CraftyVitals)->dead);
    fails("/kill", "player1 is dead already.");
    fails("/heal", "player1 is dead.");
}

static void healing_restores_health_and_food(void **state)
{
    (void)state;
    type("/gamemode survival player2");
    crafty_vitals_hurt(chat_world, chat_player(2), 8, CRAFTY_DAMAGE_COMMAND);
    answers("/heal player2", "player2 is healthy.");
    assert_true(cn_get(chat_world, chat_player(2), CraftyVitals)->health == CRAFTY_MAX_HEALTH);
}

static void the_spawn_point_is_a_cell(void **state)
{
    (void)state;
    answers("/spawnpoint -3 70 9", "You respawn at -3 70 9.");
    const CraftyVitals *vitals = cn_get(chat_world, chat_player(1), CraftyVitals);
    assert_true(vitals->has_spawn && vitals->spawn[0] == -3 && vitals->spawn[1] == 70 &&
                vitals->spawn[2] == 9);
}

static void a_dead_player_respawns_at_the_spawn_point(void **state)
{
    (void)state;
    type("/spawnpoint 30 180 40");
    type("/kill");
    assert_true(crafty_connection_send_command(chat_connection,
                                               &(CraftyCommand){.kind = CRAFTY_COMMAND_RESPAWN}));
    chat_ticks(1);
    CnVec3 eye = eye_of(1);
    assert_true(eye.x == 30.5f && eye.z == 40.5f && eye.y > 178);
}

static void players_are_listed(void **state)
{
    (void)state;
    answers("/list", "2 players: player1 player2");
}

/* ---- Blocks ---- */

static void a_box_is_filled_from_any_two_corners(void **state)
{
    (void)state;
    answers("/fill 4 202 4 2 200 3 glass", "18 blocks changed. /undo reverts it.");
    assert_int_equal(block_at(2, 200, 3), block("glass"));
    assert_int_equal(block_at(4, 202, 4), block("glass"));
    assert_int_equal(block_at(5, 202, 4), CN_BLOCK_AIR);
}

static void only_the_named_block_is_replaced(void **state)
{
    (void)state;
    type("/fill 0 200 0 3 200 0 stone");
    type("/fill 1 200 0 1 200 0 dirt");
    answers("/fill 0 200 0 3 200 3 glass replace dirt", "1 block changed. /undo reverts it.");
    assert_int_equal(block_at(1, 200, 0), block("glass"));
    assert_int_equal(block_at(0, 200, 0), block("stone"));
    assert_int_equal(block_at(0, 200, 1), CN_BLOCK_AIR);
}

static void a_fill_is_undone_and_redone_as_one_change(void **state)
{
    (void)state;
    type("/fill 0 200 0 3 203 3 stone");
    type("/fill 0 200 0 1 201 1 dirt");
    answers("/undo", "1 change undone, 8 blocks.");
    assert_int_equal(block_at(0, 200, 0), block("stone"));
    answers("/undo", "1 change undone, 64 blocks.");
    assert_int_equal(block_at(0, 200, 0), CN_BLOCK_AIR);
    fails("/undo", "There is nothing to undo.");
    answers("/redo 5", "2 changes restored, 72 blocks.");
    assert_int_equal(block_at(0, 200, 0), block("dirt"));
    assert_int_equal(block_at(3, 203, 3), block("stone"));
}

static void the_largest_box_can_be_undone(void **state)
{
    (void)state;
    type("/fill 0 200 0 31 231 31 stone");
    assert_string_equal(chat_lines[0].text, "32768 blocks changed. /undo reverts it.");
    answers("/undo", "1 change undone, 32768 blocks.");
    assert_int_equal(block_at(31, 231, 31), CN_BLOCK_AIR);
}

static void boxes_that_are_too_large_are_refused(void **state)
{
    (void)state;
    fails("/fill 0 200 0 31 232 31 stone", "The box has 33792 blocks; at most 32768 are possible.");
    fails("/fill 0 200 0 128 200 0 stone",
          "The box is 129 blocks long; at most 128 along each axis are possible.");
    fails("/fill -8000000 200 0 8000000 200 0 stone",
          "The box is 16000001 blocks long; at most 128 along each axis are possible.");
}

static void only_creative_players_undo(void **state)
{
    (void)state;
    type("/gamemode survival");
    fails("/undo", "Only changes in creative mode can be undone: /gamemode creative");
}

/* ---- The world ---- */

static void the_seed_is_shown(void **state)
{
    (void)state;
    answers("/seed", "Seed: 42");
}

/* Runs until the search has answered. */
static const CraftyChatLine *locate(const char *text)
{
    type(text);
    for (uint32_t i = 0; i < 2000 && last_line()->text[0] == 'S'; i++) {
        chat_ticks(1);
        if (!chat_count)
            chat_lines[chat_count++].text[0] = 'S';
    }
    return last_line();
}

static void a_biome_is_found_where_the_generator_has_it(void **state)
{
    (void)state;
    int32_t x, z;
    uint32_t distance;
    const CraftyChatLine *line = locate("/locate desert");
    assert_int_equal(line->kind, CRAFTY_CHAT_ANSWER);
    assert_int_equal(sscanf(line->text, "The nearest desert is %u blocks away, at x %d and z %d",
                            &distance, &x, &z),
                     3);
    CraftyBiomes biomes = crafty_world_biomes(crafty_session_world(chat_session));
    assert_int_equal(cn_generate_column(biomes.generator, biomes.scratch, x, z).biome,
                     CN_BIOME_DESERT);
    int64_t dx = x - 8, dz = z - 8;
    assert_true((int64_t)distance * distance <= dx * dx + dz * dz);
    assert_true((int64_t)(distance + 1) * (distance + 1) > dx * dx + dz * dz);
}

static void the_nearest_village_is_found(void **state)
{
    (void)state;
    int32_t x, z;
    uint32_t distance;
    CnCell village;
    const CraftyChatLine *line = locate("/locate village");
    assert_int_equal(sscanf(line->text, "The nearest village is %u blocks away, at x %d and z %d",
                            &distance, &x, &z),
                     3);
    CraftyBiomes terrain = crafty_world_terrain(crafty_session_world(chat_session));
    assert_true(cn_generate_find_village(terrain.generator, terrain.scratch, 8, 8, 3000, &village));
    assert_true(village.x == x && village.z == z);
}

static void villages_are_planned_by_jobs_ahead_of_the_search(void **state)
{
    (void)state;
    CraftyVillagePrefetch *villages = crafty_world_villages(crafty_session_world(chat_session));
    uint64_t before = villages->jobs_begun;
    locate("/locate village");
    if (cn_job_pool_workers(villages->jobs))
        assert_true(villages->jobs_begun > before);
    else
        assert_int_equal(villages->jobs_begun, before);
}

static void another_search_replaces_the_first_one(void **state)
{
    (void)state;
    assert_true(send_line(chat_connection, "/locate badlands"));
    chat_ticks(2); /* it is not over */
    assert_non_null(strstr(locate("/locate desert")->text, "desert"));
    chat_ticks(1000);
    assert_int_equal(chat_count, 0);
}

/* ---- Permission ---- */

static void worlds_without_commands_allow_only_harmless_ones(void **state)
{
    (void)state;
    cn_resource_mut(chat_world, CraftyRules)->commands = false;
    float before = crafty_day_hours(chat_world);
    fails("/time set midnight", "This world does not allow /time to you.");
    assert_true(crafty_day_hours(chat_world) >= before);
    fails("/fill 0 200 0 1 201 1 stone", "This world does not allow /fill to you.");
    answers("/list", "2 players: player1 player2");
    type("/help");
    assert_int_equal(chat_lines[0].kind, CRAFTY_CHAT_ANSWER);
    assert_non_null(strstr(chat_lines[0].text, "/list"));
    assert_null(strstr(chat_lines[0].text, "/fill"));
}

static void the_console_may_use_commands_in_every_world(void **state)
{
    (void)state;
    CraftyConnection *console = crafty_connection_create(chat_world, CRAFTY_CONSOLE, NULL);
    cn_resource_mut(chat_world, CraftyRules)->commands = false;
    assert_true(send_line(console, "/weather clear"));
    chat_ticks(1);
    assert_int_equal(last_line()->to, CRAFTY_CONSOLE);
    assert_int_equal(last_line()->kind, CRAFTY_CHAT_ANSWER);
    assert_true(send_line(console, "/kill"));
    chat_ticks(1);
    assert_string_equal(last_line()->text, "There is no such player; a console has to name one.");
    assert_true(send_line(console, "/fill 0 200 0 1 200 0 stone"));
    chat_ticks(1);
    assert_string_equal(last_line()->text, "2 blocks changed.");
    crafty_connection_destroy(console);
}

/* ---- Help ---- */

static void help_lists_every_command(void **state)
{
    (void)state;
    type("/help");
    for (uint32_t i = 0; i < crafty_chat_command_count(); i++) {
        char name[32];
        cn_format(name, sizeof name, " /%s", crafty_chat_command_at(i)->name);
        if (!strstr(chat_lines[0].text, name))
            fail_msg("%s is missing in: %s", name, chat_lines[0].text);
    }
}

static void help_explains_every_command_without_truncation(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < crafty_chat_command_count(); i++) {
        char text[64];
        const CraftyChatCommand *command = crafty_chat_command_at(i);
        cn_format(text, sizeof text, "/help %s", command->name);
        type(text);
        size_t size = strlen(chat_lines[0].text), help = strlen(command->help);
        assert_true(size > help);
        assert_string_equal(chat_lines[0].text + size - help, command->help);
    }
}

static void an_error_shows_the_usage_and_marks_the_word(void **state)
{
    (void)state;
    type("/give stone many");
    assert_string_equal(last_line()->text, "Expected a whole number, from 1 to 2304. Usage: "
                                           "/give item [count]");
    assert_int_equal(last_line()->at, 12);
    assert_int_equal(last_line()->bytes, 4);
}

#define CHAT_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end_chat)
#define CREATIVE_TEST(name) cmocka_unit_test_setup_teardown(name, begin_creative, end_chat)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHAT_TEST(the_time_of_day_is_set_and_shown),
        CHAT_TEST(the_weather_is_held),
        CHAT_TEST(a_player_is_moved_to_the_middle_of_a_block),
        CHAT_TEST(a_player_is_moved_to_another_one),
        CHAT_TEST(the_direction_of_the_view_stays),
        CREATIVE_TEST(a_walking_player_is_lifted_out_of_rock_far_away),
        CREATIVE_TEST(two_coordinates_lead_to_the_ground),
        CHAT_TEST(a_relative_position_outside_of_the_world_is_refused),
        CHAT_TEST(the_mode_of_a_player_changes),
        CHAT_TEST(items_are_given_and_cleared),
        CHAT_TEST(a_full_inventory_takes_only_what_fits),
        CREATIVE_TEST(a_killed_player_is_dead_and_healing_does_not_help),
        CHAT_TEST(healing_restores_health_and_food),
        CHAT_TEST(the_spawn_point_is_a_cell),
        CREATIVE_TEST(a_dead_player_respawns_at_the_spawn_point),
        CHAT_TEST(players_are_listed),
        CREATIVE_TEST(a_box_is_filled_from_any_two_corners),
        CREATIVE_TEST(only_the_named_block_is_replaced),
        CREATIVE_TEST(a_fill_is_undone_and_redone_as_one_change),
        CREATIVE_TEST(the_largest_box_can_be_undone),
        CREATIVE_TEST(boxes_that_are_too_large_are_refused),
        CHAT_TEST(only_creative_players_undo),
        CHAT_TEST(the_seed_is_shown),
        CHAT_TEST(a_biome_is_found_where_the_generator_has_it),
        CHAT_TEST(the_nearest_village_is_found),
        CHAT_TEST(villages_are_planned_by_jobs_ahead_of_the_search),
        CHAT_TEST(another_search_replaces_the_first_one),
        CHAT_TEST(worlds_without_commands_allow_only_harmless_ones),
        CHAT_TEST(the_console_may_use_commands_in_every_world),
        CHAT_TEST(help_lists_every_command),
        CHAT_TEST(help_explains_every_command_without_truncation),
        CHAT_TEST(an_error_shows_the_usage_and_marks_the_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
