/* Every example of the reference of mods runs: its definitions are valid, and its handlers, blocks
 * and commands work when what they wait for happens. */
#include "mod_game.h"

#include <crafty/sim/creature/creature.h>

static ModGame game;

static int end(void **state)
{
    (void)state;
    mod_game_end(&game);
    return 0;
}

static void note(CraftyModNote what)
{
    crafty_mods_note(game.world, &what);
}

/* ---- What examples wait for ---- */

static void touch_blocks(void)
{
    static const char *const blocks[] = {"stone",      "gravel",   "hay_bale",  "barrel",
                                         "glass",      "chest",    "glowstone", "furnace",
                                         "oak_barrel", "bookshelf"};
    static const uint8_t events[] = {CRAFTY_MOD_PLACE, CRAFTY_MOD_BREAK, CRAFTY_MOD_USE,
                                     CRAFTY_MOD_STEPPED};
    for (uint32_t i = 0; i < CN_COUNT_OF(blocks); i++) {
        CnBlock block = cn_block_find(cn_voxels_blocks(game.voxels), blocks[i]);
        if (block == CN_BLOCK_NONE)
            continue;
        for (uint32_t k = 0; k < CN_COUNT_OF(events); k++) {
            mod_game_set(&game, 4, MOD_GAME_FLOOR + 1, 4, blocks[i]);
            note((CraftyModNote){.event = events[k],
                                 .player = 1,
                                 .block = (uint16_t)block,
                                 .cell = {4, MOD_GAME_FLOOR + 1, 4}});
            mod_game_ticks(&game, 1);
        }
    }
}

static void live(void)
{
    CnEntity pig = crafty_creature_spawn(
        game.world,
        &(CraftyCreatureDesc){.kind = "pig", .position = cn_vec3(3.5f, MOD_GAME_FLOOR + 1, 3.5f)});
    note((CraftyModNote){.event = CRAFTY_MOD_HURT, .player = 1, .value = 1});
    note((CraftyModNote){.event = CRAFTY_MOD_DIED, .player = 1});
    note((CraftyModNote){.event = CRAFTY_MOD_RESPAWNED, .player = 1});
    note((CraftyModNote){
        .event = CRAFTY_MOD_ATE, .player = 1, .item = mod_game_item(&game, "apple"), .count = 1});
    note((CraftyModNote){.event = CRAFTY_MOD_CRAFTED,
                         .player = 1,
                         .item = mod_game_item(&game, "bread"),
                         .count = 1});
    note((CraftyModNote){.event = CRAFTY_MOD_PICKED_UP,
                         .player = 1,
                         .item = mod_game_item(&game, "coal"),
                         .count = 2});
    note((CraftyModNote){.event = CRAFTY_MOD_TALK, .player = 1, .creature = pig.id});
    note((CraftyModNote){
        .event = CRAFTY_MOD_CHOICE, .player = 1, .count = 1, .text = "castle:help"});
    mod_game_type(&game, 2, "hello");
    mod_game_ticks(&game, 600);
}

static void use_own_blocks(void)
{
    const CnBlockTable *blocks = cn_voxels_blocks(game.voxels);
    CnCell cell = {5, MOD_GAME_FLOOR + 1, 5};
    for (uint32_t i = 1; i < blocks->count; i++) {
        if (!cn_block_exists(blocks, (CnBlock)i) ||
            strncmp(cn_block_info(blocks, (CnBlock)i)->name, "castle:", 7) != 0)
            continue;
        mod_game_set(&game, cell.x, cell.y, cell.z, cn_block_info(blocks, (CnBlock)i)->name);
        note((CraftyModNote){
            .event = CRAFTY_MOD_PLACE, .player = 1, .block = (uint16_t)i, .cell = cell});
        mod_game_ticks(&game, 1);
        crafty_mods_use_block(game.world, game.players[0], cell, (CnBlock)i);
        crafty_mods_block_tick(game.world, cell, (CnBlock)i, false);
        mod_game_ticks(&game, 1);
    }
}

static void type_commands(void)
{
    uint32_t count;
    char line[64];
    const CraftyChatCommand *commands = crafty_mods_commands(game.world, &count);
    for (uint32_t i = 0; i < count; i++) {
        cn_format(line, sizeof line, "/%s", commands[i].name);
        mod_game_type(&game, 1, line);
    }
}

static void run_example(const char *name, const char *example)
{
    mod_game_file(&game, "castle/gems.json", "{\"gems\": [\"opal\", \"jade\"]}");
    mod_game_add(&game, "castle", example);
    mod_game_begin(&game, 1);
    CraftyModStatus status = crafty_mods_status(game.mods, 1);
    if (!status.is_disabled) {
        mod_game_ticks(&game, 3);
        type_commands();
        touch_blocks();
        use_own_blocks();
        live();
        status = crafty_mods_status(game.mods, 1);
    }
    if (status.is_disabled || status.skipped)
        fail_msg("the example of %s, line %d: %s", name, status.error.line, status.error.message);
    mod_game_end(&game);
}

static void every_function_has_an_example_that_runs(void **state)
{
    (void)state;
    uint32_t count = 0;
    for (const CnLuaTable *const *table = crafty_mods_tables(); *table; table++)
        for (const CnLuaFunction *row = (*table)->functions; row->name; row++) {
            if (!row->example)
                fail_msg("%s has no example", row->name);
            run_example(row->name, row->example);
            count++;
        }
    assert_true(count > 60);
}

static void every_class_that_a_type_names_is_described(void **state)
{
    (void)state;
    static const char *const named[] = {
        "BlockDef", "ItemDef",    "RecipeDef",    "CreatureDef", "BlockEvent", "CommandDef",
        "Position", "PlayerInfo", "CreatureInfo", "HudElement",  "Dialog",     "CreatureOptions"};
    for (uint32_t i = 0; i < CN_COUNT_OF(named); i++) {
        bool found = false;
        for (const CnLuaTable *const *table = crafty_mods_tables(); *table; table++)
            for (const CnLuaClass *one = (*table)->classes; one && one->name; one++)
                found |= strcmp(one->name, named[i]) == 0;
        if (!found)
            fail_msg("the class %s is not described", named[i]);
    }
}

#define TEST(function) cmocka_unit_test_teardown(function, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_function_has_an_example_that_runs),
        TEST(every_class_that_a_type_names_is_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
