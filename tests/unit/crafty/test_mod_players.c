/* The tables `players`, `creatures`, `chat` and `hud` of mods. */
#include "mod_game.h"

#include <crafty/sim/creature/creature.h>
#include <crafty/sim/mod/hud.h>
#include <crafty/sim/motion.h>
#include <crafty/sim/vitals.h>

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

static void refuse_without(CraftyModPermission permission, const char *body, const char *part)
{
    game.permissions = CRAFTY_MOD_MAY_ALL & ~(1u << permission);
    refuse(body, part);
    mod_game_end(&game);
}

static const CraftyVitals *vitals(void)
{
    return cn_get(game.world, game.players[0], CraftyVitals);
}

/* ---- Players ---- */

static void all_players_are_listed(void **state)
{
    (void)state;
    play("local all = players.list() assert(#all == 2 and all[1] == 1 and all[2] == 2)");
}

static void a_player_is_described(void **state)
{
    (void)state;
    play("players.give(1, 'apple', 2)\n"
         "local p = players.get(1)\n"
         "assert(p.name == 'player1' and p.mode == 'survival' and p.held == 'apple')\n"
         "assert(p.health == 20 and p.food > 19 and not p.sneaking and p.grounded)\n"
         "assert(math.abs(p.position.x - 0.5) < 0.01 and math.abs(p.position.y - 301) < 0.1)\n"
         "assert(math.abs(p.yaw) < 0.01 and math.abs(p.pitch) < 0.01 and not p.dead)");
}

static void an_unknown_player_is_named(void **state)
{
    (void)state;
    refuse("players.get(7)", "there is no player 7");
}

static void a_player_is_teleported_and_lifted_out_of_blocks(void **state)
{
    (void)state;
    play("players.teleport(1, 5.5, 300, -4.5)");
    CnVec3 at = cn_get(game.world, game.players[0], CnTransform)->position;
    assert_true(at.x == 5.5f && at.z == -4.5f);
    assert_true(at.y > 301 + CRAFTY_PLAYER_EYE - 0.1f);
}

static void the_world_around_a_teleported_player_is_loaded(void **state)
{
    (void)state;
    play("players.teleport(1, 800.5, 305, 0.5)\n"
         "assert(world.get(800, 310, 0) == 'air')");
}

static void a_player_is_pushed(void **state)
{
    (void)state;
    play("players.push(1, 0, 10, 0)");
    assert_true(cn_get(game.world, game.players[0], CnTransform)->position.y >
                MOD_GAME_FLOOR + 1 + CRAFTY_PLAYER_EYE + 0.1f);
}

static void a_push_is_limited(void **state)
{
    (void)state;
    refuse("players.push(1, 0, 41, 0)", "at most 40");
}

static void health_is_taken_and_given(void **state)
{
    (void)state;
    play("assert(players.hurt(1, 7) == true) assert(players.get(1).health == 13)\n"
         "assert(players.heal(1, 3) == true) assert(players.get(1).health == 16)");
    assert_int_equal(vitals()->cause, CRAFTY_DAMAGE_MOD);
}

static void a_dead_player_is_not_healed(void **state)
{
    (void)state;
    play("players.hurt(1, 100) assert(players.heal(1, 5) == false)");
    assert_true(vitals()->dead);
}

static void items_are_given_counted_and_taken(void **state)
{
    (void)state;
    play("assert(players.give(1, 'apple', 70) == 0)\n"
         "assert(players.count(1, 'apple') == 70)\n"
         "assert(players.take(1, 'apple', 68) == 68)\n"
         "assert(players.count(1, 'apple') == 2)\n"
         "assert(players.take(1, 'apple', 5) == 2)\n"
         "assert(players.give(1, 'apple', 2304) == 0)\n"
         "assert(players.give(1, 'apple', 3) == 3)");
}

static void a_player_aims_at_a_block(void **state)
{
    (void)state;
    mod_game_add(&game, "castle",
                 "command { name = 'test', run = function(e)\n"
                 "    local x, y, z, block = players.target(1)\n"
                 "    assert(x == 0 and y == 302 and z == -2 and block == 'glowstone')\n"
                 "end }");
    mod_game_begin(&game, 1);
    mod_game_set(&game, 0, 302, -2, "glowstone");
    assert_true(crafty_player_capture(game.world, game.players[0], true));
    mod_game_ticks(&game, 3);
    mod_game_type(&game, 1, "/test");
    mod_game_check(&game);
}

static void players_need_the_permission(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "players.teleport(1, 0, 0, 0)", "players.push(1, 0, 0, 0)", "players.heal(1, 1)",
        "players.hurt(1, 1)",           "players.give(1, 'apple')", "players.take(1, 'apple')"};
    for (uint32_t i = 0; i < CN_COUNT_OF(bodies); i++)
        refuse_without(CRAFTY_MOD_MAY_PLAYERS, bodies[i], "\"players\"");
}

/* ---- Creatures ---- */

static void a_creature_is_spawned_and_described(void **state)
{
    (void)state;
    play("local pig = creatures.spawn('pig', 3.5, 301, 3.5, { name = 'Greta', owner = 1 })\n"
         "local c = creatures.get(pig)\n"
         "assert(c.kind == 'pig' and c.name == 'Greta' and c.owner == 1 and not c.young)\n"
         "assert(c.position.x == 3.5 and c.health > 0)\n"
         "assert(creatures.get(creatures.spawn('pig', 3, 301, 3, { young = true })).young)");
    assert_int_equal(crafty_creature_count(game.world, 0), 2);
}

static void creatures_are_found_the_nearest_first(void **state)
{
    (void)state;
    play("local far = creatures.spawn('pig', 8.5, 301, 0.5)\n"
         "local near = creatures.spawn('cow', 2.5, 301, 0.5)\n"
         "creatures.spawn('cow', 0.5, 340, 0.5)\n"
         "local found = creatures.near(0.5, 301, 0.5, 16)\n"
         "assert(#found == 2 and found[1] == near and found[2] == far)\n"
         "assert(#creatures.near(0.5, 301, 0.5, 4) == 1)");
}

static void a_creature_is_removed(void **state)
{
    (void)state;
    play("local pig = creatures.spawn('pig', 3.5, 301, 3.5)\n"
         "assert(creatures.remove(pig) == true and creatures.remove(pig) == false)\n"
         "assert(creatures.get(pig) == nil and creatures.hurt(pig, 1) == false)\n"
         "assert(creatures.name(pig, 'a') == false and creatures.walk(pig, 0, 0, 0) == false)");
    assert_int_equal(crafty_creature_count(game.world, 0), 0);
}

static void a_creature_is_hurt_and_named(void **state)
{
    (void)state;
    play("local pig = creatures.spawn('pig', 3.5, 301, 3.5)\n"
         "local health = creatures.get(pig).health\n"
         "assert(creatures.hurt(pig, 2) == true)\n"
         "assert(creatures.get(pig).health == health - 2)\n"
         "assert(creatures.name(pig, 'Rosa') == true)\n"
         "assert(creatures.get(pig).name == 'Rosa')");
}

static void a_creature_walks_to_a_point(void **state)
{
    (void)state;
    mod_game_play(&game, "local pig",
                  "if not pig then\n"
                  "    pig = creatures.spawn('pig', -6.5, 301.01, -6.5)\n"
                  "    assert(creatures.walk(pig, 6.5, 301, 6.5) == true)\n"
                  "    return 'away'\n"
                  "end\n"
                  "local at = creatures.get(pig).position\n"
                  "local x, z = at.x - 6.5, at.z - 6.5\n"
                  "return x * x + z * z < 4 and 'arrived' or 'elsewhere ' .. at.x .. ' ' .. at.z");
    for (uint32_t i = 0; i < 25 && !mod_game_has_line(&game, "arrived"); i++) {
        mod_game_ticks(&game, 40);
        mod_game_type(&game, 1, "/test");
    }
    mod_game_check(&game);
    assert_true(mod_game_has_line(&game, "arrived"));
}

static void unknown_creatures_and_options_are_named(void **state)
{
    (void)state;
    refuse("creatures.spawn('pgi', 0, 301, 0)", "there is no creature \"pgi\"");
    mod_game_end(&game);
    refuse("creatures.spawn('pig', 0, 301, 0, { size = 3 })", "there is no option \"size\"");
    mod_game_end(&game);
    refuse("creatures.spawn('pig', 0, 301, 0, { owner = 9 })", "the owner is not a player");
    mod_game_end(&game);
    refuse("creatures.near(0, 301, 0, 65)", "0 to 64");
}

static void creatures_need_the_permission(void **state)
{
    (void)state;
    static const char *const bodies[] = {"creatures.spawn('pig', 0, 301, 0)", "creatures.remove(1)",
                                         "creatures.hurt(1, 1)", "creatures.name(1, 'a')",
                                         "creatures.walk(1, 0, 0, 0)"};
    for (uint32_t i = 0; i < CN_COUNT_OF(bodies); i++)
        refuse_without(CRAFTY_MOD_MAY_CREATURES, bodies[i], "\"creatures\"");
}

/* ---- Chat ---- */

static void lines_reach_one_player_or_all(void **state)
{
    (void)state;
    play("chat.send(2, 'secret') chat.broadcast('loud')");
    assert_int_equal(game.line_count, 2);
    assert_string_equal(game.lines[0].text, "secret");
    assert_int_equal(game.lines[0].to, 2);
    assert_int_equal(game.lines[1].to, CRAFTY_CHAT_EVERYONE);
}

static void lines_are_limited_and_need_the_permission(void **state)
{
    (void)state;
    refuse("chat.broadcast(('x'):rep(256))", "1 to 255 bytes");
    mod_game_end(&game);
    refuse("chat.send(5, 'a')", "there is no player 5");
    mod_game_end(&game);
    refuse_without(CRAFTY_MOD_MAY_CHAT, "chat.broadcast('a')", "\"chat\"");
}

/* ---- The screen ---- */

static CraftyModHudView view;

static void look(void)
{
    crafty_mod_hud_view_init(&view, cn_system_allocator());
    crafty_mod_hud_view_update(&view, game.world, 1);
}

static void elements_are_set_removed_and_cleared(void **state)
{
    (void)state;
    play("hud.set(1, 'a', { kind = 'text', text = 'A' })\n"
         "hud.set(1, 'b', { kind = 'bar', value = 0.5 })\n"
         "hud.set(2, 'a', { kind = 'panel' })\n"
         "assert(hud.remove(1, 'b') == true and hud.remove(1, 'b') == false)\n"
         "hud.clear(2)");
    look();
    assert_int_equal(view.element_count, 1);
    assert_string_equal(view.elements[0].mod, "castle");
    assert_true(crafty_mod_hud_view_update(&view, game.world, 2));
    assert_int_equal(view.element_count, 0);
    crafty_mod_hud_view_fini(&view);
}

static void a_wrong_element_is_reported_with_its_line(void **state)
{
    (void)state;
    refuse("hud.set(1, 'a', { kind = 'text', text = 'A', colour = '#ffffff' })", "colour");
}

static void a_choice_is_an_event_of_the_mod_that_asked(void **state)
{
    (void)state;
    static const char *const code =
        "on('choice', function(e)\n"
        "    chat.broadcast(mod.name .. ' ' .. e.player .. ' ' .. e.dialog .. ' ' .. e.choice)\n"
        "end)";
    mod_game_add(&game, "other", code);
    mod_game_play(&game, code,
                  "assert(hud.ask(1, { title = 'T', choices = { 'Yes', 'No' } }, 'help'))");
    look();
    assert_string_equal(view.dialog.title, "T");
    assert_true(crafty_connection_send_command(
        game.inputs[0].connection, &(CraftyCommand){.kind = CRAFTY_COMMAND_CHOOSE,
                                                    .cell = {(int32_t)view.dialog.number, 0, 0},
                                                    .choice = 2}));
    mod_game_ticks(&game, 2);
    assert_true(mod_game_has_line(&game, "castle 1 help 2"));
    assert_false(mod_game_has_line(&game, "other"));
    crafty_mod_hud_view_fini(&view);
}

static void a_dialog_is_closed_by_its_mod(void **state)
{
    (void)state;
    play("hud.ask(1, { choices = { 'Yes' } }, 'a')\n"
         "assert(hud.close(1) == true and hud.close(1) == false)");
}

static void a_disabled_mod_shows_nothing(void **state)
{
    (void)state;
    refuse("hud.set(1, 'a', { kind = 'panel' }); error('broken')", "broken");
    look();
    assert_int_equal(view.element_count, 0);
    crafty_mod_hud_view_fini(&view);
}

#define TEST(function) cmocka_unit_test_teardown(function, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_players_are_listed),
        TEST(a_player_is_described),
        TEST(an_unknown_player_is_named),
        TEST(a_player_is_teleported_and_lifted_out_of_blocks),
        TEST(the_world_around_a_teleported_player_is_loaded),
        TEST(a_player_is_pushed),
        TEST(a_push_is_limited),
        TEST(health_is_taken_and_given),
        TEST(a_dead_player_is_not_healed),
        TEST(items_are_given_counted_and_taken),
        TEST(a_player_aims_at_a_block),
        TEST(players_need_the_permission),
        TEST(a_creature_is_spawned_and_described),
        TEST(creatures_are_found_the_nearest_first),
        TEST(a_creature_is_removed),
        TEST(a_creature_is_hurt_and_named),
        TEST(a_creature_walks_to_a_point),
        TEST(unknown_creatures_and_options_are_named),
        TEST(creatures_need_the_permission),
        TEST(lines_reach_one_player_or_all),
        TEST(lines_are_limited_and_need_the_permission),
        TEST(elements_are_set_removed_and_cleared),
        TEST(a_wrong_element_is_reported_with_its_line),
        TEST(a_choice_is_an_event_of_the_mod_that_asked),
        TEST(a_dialog_is_closed_by_its_mod),
        TEST(a_disabled_mod_shows_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
