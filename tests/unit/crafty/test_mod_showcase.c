/* The mods that come with the game, as players play them. */
#include "mod_game.h"

#include <crafty/sim/creature/creature.h>
#include <crafty/sim/mod/hud.h>
#include <crafty/sim/vitals.h>

static ModGame game;
static CraftyModHudView view;

static int end(void **state)
{
    (void)state;
    crafty_mod_hud_view_fini(&view);
    mod_game_end(&game);
    return 0;
}

static void begin(const char *name)
{
    crafty_mod_hud_view_init(&view, cn_system_allocator());
    mod_game_add_example(&game, name);
    mod_game_begin(&game, 1);
    mod_game_check(&game);
    mod_game_ticks(&game, 2);
}

static const CraftyModHudElement *element(const char *key, CraftyModHudKind kind)
{
    crafty_mod_hud_view_update(&view, game.world, 1);
    for (uint32_t i = 0; i < view.element_count; i++)
        if (strcmp(view.elements[i].key, key) == 0 && view.elements[i].kind == kind)
            return &view.elements[i];
    return NULL;
}

/* ---- minimap ---- */

static void the_map_shows_the_colors_of_the_ground(void **state)
{
    (void)state;
    begin("minimap");
    mod_game_set(&game, 4, MOD_GAME_FLOOR + 1, -6, "gold_block");
    mod_game_ticks(&game, 31);
    mod_game_check(&game);
    const CraftyModHudElement *grid = element("map", CRAFTY_MOD_HUD_GRID);
    assert_non_null(grid);
    assert_int_equal(grid->columns, 32);
    uint32_t middle = grid->cells[16 * 32 + 16], gold = grid->cells[13 * 32 + 18];
    const CnBlockInfo *stone =
        cn_block_info(cn_voxels_blocks(game.voxels), mod_game_block(&game, "stone"));
    assert_int_equal(middle >> 24, stone->color[0]);
    assert_int_not_equal(gold, middle);
}

static void a_waypoint_is_added_listed_reached_and_removed(void **state)
{
    (void)state;
    begin("minimap");
    mod_game_type(&game, 1, "/waypoint add home");
    assert_true(mod_game_has_line(&game, "Waypoint home is here."));
    const CraftyModHudElement *marker = element("waypoint1", CRAFTY_MOD_HUD_MARKER);
    assert_non_null(marker);
    assert_string_equal(marker->text, "home");
    assert_true(marker->position.x == 0.5f);
    mod_game_ticks(&game, 60);
    cn_get_mut(game.world, game.players[0], CnTransform)->position.x += 5;
    mod_game_type(&game, 1, "/waypoint go home");
    assert_true(cn_get(game.world, game.players[0], CnTransform)->position.x == 0.5f);
    mod_game_ticks(&game, 60);
    mod_game_type(&game, 1, "/waypoint list");
    assert_true(mod_game_has_line(&game, "home: 0 301 0"));
    mod_game_ticks(&game, 60);
    mod_game_type(&game, 1, "/waypoint remove home");
    assert_null(element("waypoint1", CRAFTY_MOD_HUD_MARKER));
    mod_game_check(&game);
}

static void waypoints_of_players_are_their_own(void **state)
{
    (void)state;
    begin("minimap");
    mod_game_type(&game, 1, "/waypoint add home");
    mod_game_type(&game, 2, "/waypoint go home");
    assert_true(mod_game_has_line(&game, "There is no waypoint home."));
}

static void the_map_is_hidden_and_shown(void **state)
{
    (void)state;
    begin("minimap");
    mod_game_ticks(&game, 31);
    mod_game_type(&game, 1, "/map");
    mod_game_ticks(&game, 31);
    assert_null(element("map", CRAFTY_MOD_HUD_GRID));
    mod_game_type(&game, 1, "/map");
    mod_game_ticks(&game, 31);
    assert_non_null(element("map", CRAFTY_MOD_HUD_GRID));
}

static void a_player_who_dies_gets_a_waypoint(void **state)
{
    (void)state;
    begin("minimap");
    crafty_vitals_hurt(game.world, game.players[0], 100, CRAFTY_DAMAGE_COMMAND);
    mod_game_ticks(&game, 2);
    mod_game_check(&game);
    assert_string_equal(element("waypoint1", CRAFTY_MOD_HUD_MARKER)->text, "grave");
}

/* ---- elevator ---- */

#define BASE (MOD_GAME_FLOOR + 1)

static void place(int32_t x, int32_t y, int32_t z, const char *name)
{
    mod_game_set(&game, x, y, z, name);
    crafty_mods_note(game.world, &(CraftyModNote){.event = CRAFTY_MOD_PLACE,
                                                  .player = 1,
                                                  .block = mod_game_block(&game, name),
                                                  .cell = {x, y, z}});
    mod_game_ticks(&game, 1);
}

static void use(int32_t x, int32_t y, int32_t z)
{
    CnCell cell = {x, y, z};
    assert_true(
        crafty_mods_use_block(game.world, game.players[0], cell, cn_voxels_get(game.voxels, cell)));
    mod_game_ticks(&game, 1);
}

static void expect(int32_t x, int32_t y, int32_t z, const char *name)
{
    mod_game_check(&game);
    assert_string_equal(mod_game_get(&game, x, y, z), name);
}

static void a_lever_lights_a_lamp_through_wires(void **state)
{
    (void)state;
    begin("elevator");
    place(3, BASE, 3, "elevator:lever");
    for (int32_t x = 4; x < 9; x++)
        place(x, BASE, 3, "elevator:wire");
    place(9, BASE, 3, "elevator:lamp");
    use(3, BASE, 3);
    expect(6, BASE, 3, "elevator:wire_on");
    expect(9, BASE, 3, "elevator:lamp_on");
    use(3, BASE, 3);
    expect(6, BASE, 3, "elevator:wire");
    expect(9, BASE, 3, "elevator:lamp");
}

static void a_button_goes_out_by_itself(void **state)
{
    (void)state;
    begin("elevator");
    place(3, BASE, 3, "elevator:button");
    place(4, BASE, 3, "elevator:lamp");
    use(3, BASE, 3);
    expect(4, BASE, 3, "elevator:lamp_on");
    mod_game_ticks(&game, 62);
    expect(3, BASE, 3, "elevator:button");
    expect(4, BASE, 3, "elevator:lamp");
}

static void a_broken_wire_interrupts_the_power(void **state)
{
    (void)state;
    begin("elevator");
    place(3, BASE, 3, "elevator:lever");
    place(4, BASE, 3, "elevator:wire");
    place(5, BASE, 3, "elevator:wire");
    place(6, BASE, 3, "elevator:lamp");
    use(3, BASE, 3);
    expect(6, BASE, 3, "elevator:lamp_on");
    CnBlock wire = mod_game_block(&game, "elevator:wire_on");
    mod_game_set(&game, 4, BASE, 3, "air");
    crafty_mods_note(game.world, &(CraftyModNote){.event = CRAFTY_MOD_BREAK,
                                                  .player = 1,
                                                  .block = wire,
                                                  .cell = {4, BASE, 3}});
    mod_game_ticks(&game, 2);
    expect(6, BASE, 3, "elevator:lamp");
}

static void gates_compute(void **state)
{
    (void)state;
    begin("elevator");
    /* A not gate that looks east, and an and gate that looks south between two levers. */
    place(2, BASE, 5, "elevator:lever");
    place(3, BASE, 5, "elevator:not_e");
    place(4, BASE, 5, "elevator:lamp");
    mod_game_ticks(&game, 8);
    expect(4, BASE, 5, "elevator:lamp_on");
    use(2, BASE, 5);
    mod_game_ticks(&game, 8);
    expect(4, BASE, 5, "elevator:lamp");
    place(6, BASE, -4, "elevator:lever");
    place(7, BASE, -4, "elevator:and_s");
    place(8, BASE, -4, "elevator:lever");
    place(7, BASE, -3, "elevator:lamp");
    use(6, BASE, -4);
    mod_game_ticks(&game, 8);
    expect(7, BASE, -3, "elevator:lamp");
    use(8, BASE, -4);
    mod_game_ticks(&game, 8);
    expect(7, BASE, -3, "elevator:lamp_on");
}

static void a_lift_carries_a_player_up_and_down(void **state)
{
    (void)state;
    begin("elevator");
    for (int32_t y = 0; y < 6; y++)
        place(1, BASE + y, 0, "elevator:rail");
    place(2, BASE, 0, "elevator:lever");
    cn_get_mut(game.world, game.players[0], CnTransform)->position =
        cn_vec3(0.5f, BASE + 1 + CRAFTY_PLAYER_EYE + 0.01f, 0.5f);
    cn_get_mut(game.world, game.players[1], CnTransform)->position.x = -6.5f;
    place(0, BASE, 0, "elevator:lift");
    mod_game_ticks(&game, 10);
    expect(0, BASE, 0, "elevator:lift");
    use(2, BASE, 0);
    mod_game_ticks(&game, 80);
    expect(0, BASE + 5, 0, "elevator:lift");
    expect(0, BASE, 0, "air");
    float feet = cn_get(game.world, game.players[0], CnTransform)->position.y - CRAFTY_PLAYER_EYE;
    assert_true(feet > (float)BASE + 5.9f && feet < (float)BASE + 6.2f);
    use(2, BASE, 0);
    mod_game_ticks(&game, 80);
    expect(0, BASE, 0, "elevator:lift");
    feet = cn_get(game.world, game.players[0], CnTransform)->position.y - CRAFTY_PLAYER_EYE;
    assert_true(feet > (float)BASE + 0.9f && feet < (float)BASE + 1.2f);
    assert_true(cn_get(game.world, game.players[0], CraftyVitals)->health >= CRAFTY_MAX_HEALTH);
}

static void a_gate_behind_itself_blinks_and_hangs_nothing(void **state)
{
    (void)state;
    begin("elevator");
    place(3, BASE, 3, "elevator:wire");
    place(4, BASE, 3, "elevator:not_e");
    place(5, BASE, 3, "elevator:wire");
    for (int32_t x = 3; x <= 5; x++)
        place(x, BASE, 4, "elevator:wire");
    uint32_t changes = 0;
    const char *last = mod_game_get(&game, 5, BASE, 3);
    for (uint32_t i = 0; i < 120; i++) {
        mod_game_ticks(&game, 1);
        const char *now = mod_game_get(&game, 5, BASE, 3);
        changes += now != last;
        last = now;
    }
    mod_game_check(&game);
    assert_in_range(changes, 4, 40);
    assert_int_equal(crafty_mods_status(game.mods, 1).skipped, 0);
}

/* ---- quest ---- */

static CnEntity elder(void)
{
    CnQuery *query = cn_query_acquire(
        game.world, &(CnQueryDesc){.all = {cn_reads(CraftyCreature), cn_reads(CnTransform)}}, NULL);
    CnEntity found = {0};
    CnChunkView chunk;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &chunk);)
        for (uint32_t i = 0; i < chunk.count; i++)
            if (strcmp(crafty_creature_kind_of(game.world, chunk.entities[i])->name,
                       "quest:elder") == 0)
                found = chunk.entities[i];
    cn_query_release(query);
    assert_true(found.id);
    return found;
}

static void talk(void)
{
    crafty_mods_note(
        game.world,
        &(CraftyModNote){.event = CRAFTY_MOD_TALK, .player = 1, .creature = elder().id});
    mod_game_ticks(&game, 2);
    mod_game_check(&game);
    crafty_mod_hud_view_update(&view, game.world, 1);
    assert_true(view.dialog.number);
}

static void answer(uint32_t choice)
{
    assert_true(crafty_connection_send_command(
        game.inputs[0].connection, &(CraftyCommand){.kind = CRAFTY_COMMAND_CHOOSE,
                                                    .cell = {(int32_t)view.dialog.number, 0, 0},
                                                    .choice = (uint8_t)choice}));
    mod_game_ticks(&game, 32);
    mod_game_check(&game);
    crafty_mod_hud_view_update(&view, game.world, 1);
}

static void give(const char *item, uint32_t count)
{
    CraftyStack stack = {.item = mod_game_item(&game, item), .count = (uint16_t)count};
    crafty_player_give(crafty_world_items(game.land), mod_game_player(&game, 1), &stack);
}

static uint32_t count(const char *item)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++) {
        const CraftyStack *slot = crafty_player_slot(mod_game_player(&game, 1), i);
        found += slot->item == mod_game_item(&game, item) ? slot->count : 0u;
    }
    return found;
}

static void the_quest_is_played_to_its_end(void **state)
{
    (void)state;
    begin("quest");
    assert_true(mod_game_has_line(&game, "An elder waves at you."));
    talk();
    assert_non_null(strstr(view.dialog.text, "8 oak planks"));
    answer(1);
    assert_non_null(element("goal", CRAFTY_MOD_HUD_BAR));
    assert_true(element("goal", CRAFTY_MOD_HUD_BAR)->value == 0);
    give("oak_planks", 6);
    mod_game_ticks(&game, 32);
    assert_true(element("goal", CRAFTY_MOD_HUD_BAR)->value == 0.75f);
    talk();
    assert_non_null(strstr(view.dialog.text, "Eight oak planks would do"));
    answer(1);
    give("oak_planks", 3);
    talk();
    assert_non_null(strstr(view.dialog.text, "You have the planks"));
    answer(1);
    assert_int_equal(count("oak_planks"), 1);
    assert_int_equal(count("bread"), 4);
    assert_non_null(strstr(view.dialog.text, "4 torches")); /* the next task follows at once */
    answer(1);
    give("torch", 4);
    talk();
    answer(1);
    assert_int_equal(count("emerald"), 3);
    assert_int_equal(count("torch"), 0);
    assert_non_null(strstr(view.dialog.text, "dry and bright"));
    answer(1);
    assert_null(element("goal", CRAFTY_MOD_HUD_BAR));
}

static void who_keeps_the_items_gets_nothing(void **state)
{
    (void)state;
    begin("quest");
    talk();
    answer(1);
    give("oak_planks", 8);
    talk();
    answer(2);
    assert_int_equal(count("oak_planks"), 8);
    assert_int_equal(count("bread"), 0);
}

static void the_elder_comes_when_called(void **state)
{
    (void)state;
    begin("quest");
    CnEntity first = elder();
    cn_get_mut(game.world, game.players[0], CnTransform)->position.x = 9.5f;
    mod_game_type(&game, 1, "/elder");
    CnEntity second = elder();
    assert_int_not_equal(first.id, second.id);
    assert_true(cn_get(game.world, second, CnTransform)->position.x > 10);
}

#define TEST(function) cmocka_unit_test_teardown(function, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_map_shows_the_colors_of_the_ground),
        TEST(a_waypoint_is_added_listed_reached_and_removed),
        TEST(waypoints_of_players_are_their_own),
        TEST(the_map_is_hidden_and_shown),
        TEST(a_player_who_dies_gets_a_waypoint),
        TEST(a_lever_lights_a_lamp_through_wires),
        TEST(a_button_goes_out_by_itself),
        TEST(a_broken_wire_interrupts_the_power),
        TEST(gates_compute),
        TEST(a_lift_carries_a_player_up_and_down),
        TEST(a_gate_behind_itself_blinks_and_hangs_nothing),
        TEST(the_quest_is_played_to_its_end),
        TEST(who_keeps_the_items_gets_nothing),
        TEST(the_elder_comes_when_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
