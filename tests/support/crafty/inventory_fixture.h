/*
 * Players in the air at 0, 300, 0 with the items and recipes of the game, a crate, a chest, a
 * crafting table and two furnaces within reach. For one test at a time: include it once.
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_INVENTORY_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_INVENTORY_FIXTURE_H

#include "data_fixture.h"
#include "voxel_world.h"

#include <crafty/sim/connection.h>
#include <crafty/sim/container.h>
#include <crafty/sim/crafty_sim.h>
#include <crafty/sim/drops.h>
#include <crafty/sim/furnace.h>
#include <crafty/sim/inventory.h>

#include <cairn/base/log.h>

#define FIXTURE_PLAYERS 3u

static const CnCell CRATE = {2, 300, 0}, CHEST = {-2, 300, 0}, TABLE = {0, 300, 3},
                    FURNACE = {0, 300, -2}, OTHER_FURNACE = {1, 302, 0};

static VoxelWorld blocks;
static GameData data;
static CraftySimDesc desc;
static CnSim *sim;
static CnWorld *world;
static CnEntity players[FIXTURE_PLAYERS];
static CraftyConnection *connections[FIXTURE_PLAYERS];

static inline CnBlock block_of(const char *name)
{
    CnBlock found = cn_block_find(cn_voxels_blocks(blocks.world), name);
    if (found == CN_BLOCK_NONE)
        fail_msg("there is no block %s", name);
    return found;
}

static inline void find_players(void)
{
    CnQueryDesc query = {.all = {cn_reads(CnPlayerActions)}};
    CnQuery *found = cn_query_acquire(world, &query, NULL);
    assert_non_null(found);
    for (uint32_t i = 0; i < FIXTURE_PLAYERS; i++) {
        players[i] = crafty_player_find(found, CRAFTY_FIRST_PLAYER + i);
        assert_true(players[i].id != 0);
        connections[i] = crafty_connection_create(world, CRAFTY_FIRST_PLAYER + i, NULL);
        assert_non_null(connections[i]);
    }
    cn_query_release(found);
}

/* `allocator` is that of the voxel world and of the simulation. */
static inline void begin_inventory_with(CnAllocator *allocator)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    blocks = voxel_world_create(allocator, 0, NULL);
    data = make_game_data();
    desc = (CraftySimDesc){.voxels = blocks.world,
                           .items = data.items,
                           .recipes = data.recipes,
                           .block_rules = data.rules,
                           .start = {.viewer = CRAFTY_VIEWER_WALKS,
                                     .mode = CRAFTY_MODE_SURVIVAL,
                                     .players = FIXTURE_PLAYERS,
                                     .pose = {.position = {0.5f, 300.62f, 0.5f}},
                                     .freeze_blocks = true}};
    CnPlugin scene = cn_scene_plugin(), crafty = crafty_sim_plugin(&desc);
    sim =
        cn_sim_create(&(CnSimDesc){.allocator = allocator, .core = &scene, .core_count = 1}, NULL);
    assert_non_null(sim);
    assert_true(cn_sim_add_plugin(sim, &crafty, NULL));
    world = cn_sim_world(sim);
    for (int32_t x = -3; x <= 3; x++) /* a floor below the feet */
        for (int32_t z = -3; z <= 3; z++)
            assert_true(voxel_set(blocks.world, (CnCell){x, 298, z}, BLOCK_STONE));
    assert_true(voxel_set(blocks.world, CRATE, block_of("crate")));
    assert_true(voxel_set(blocks.world, CHEST, block_of("chest_north")));
    assert_true(voxel_set(blocks.world, TABLE, block_of("crafting_table")));
    assert_true(voxel_set(blocks.world, FURNACE, block_of("furnace_south")));
    assert_true(voxel_set(blocks.world, OTHER_FURNACE, block_of("furnace")));
    find_players();
}

static inline int begin_inventory(void **state)
{
    (void)state;
    begin_inventory_with(cn_system_allocator());
    return 0;
}

static inline int end_inventory(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < FIXTURE_PLAYERS; i++)
        crafty_connection_destroy(connections[i]);
    cn_sim_destroy(sim);
    voxel_world_destroy(&blocks);
    end_game_data(&data);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    return 0;
}

static inline CraftyPlayer *player(uint32_t index)
{
    return cn_get_mut(world, players[index], CraftyPlayer);
}

static inline CraftyItem item_of(const char *name)
{
    CraftyItem found = crafty_items_find(data.items, name);
    if (!found)
        fail_msg("there is no item %s", name);
    return found;
}

static inline CraftyStack stack_of(const char *name, uint16_t count)
{
    return (CraftyStack){.item = item_of(name), .count = count};
}

static inline void expect_stack(CraftyStack stack, const char *name, uint32_t count)
{
    assert_int_equal(stack.count, count);
    assert_int_equal(stack.item, count ? item_of(name) : CRAFTY_NO_ITEM);
}

static inline void expect_slot(uint32_t slot, const char *name, uint32_t count)
{
    expect_stack(*crafty_player_slot(player(0), slot), name, count);
}

static inline void run_ticks(uint64_t ticks)
{
    assert_true(cn_sim_tick_n(sim, ticks, NULL));
}

/* Sends a command of the first player and returns whether it was applied. */
static inline bool command(CraftyCommand sent)
{
    CraftyCommandCounts before = *cn_resource(world, CraftyCommandCounts);
    assert_true(crafty_connection_send_command(connections[0], &sent));
    run_ticks(1);
    const CraftyCommandCounts *after = cn_resource(world, CraftyCommandCounts);
    assert_int_equal(after->applied + after->ignored + after->without_effect,
                     before.applied + before.ignored + before.without_effect + 1);
    return after->applied > before.applied;
}

static inline bool move(uint32_t from, uint32_t to, uint16_t count)
{
    return command((CraftyCommand){.kind = CRAFTY_COMMAND_MOVE_ITEMS,
                                   .from = (uint8_t)from,
                                   .to = (uint8_t)to,
                                   .count = count});
}

static inline bool quick_move(uint32_t from)
{
    return command((CraftyCommand){.kind = CRAFTY_COMMAND_QUICK_MOVE, .from = (uint8_t)from});
}

static inline bool open_inventory(void)
{
    return command((CraftyCommand){.kind = CRAFTY_COMMAND_OPEN, .choice = CRAFTY_OPEN_INVENTORY});
}

static inline bool fill_recipe(const char *name, uint16_t times)
{
    CraftyCommand sent = {.kind = CRAFTY_COMMAND_FILL_RECIPE, .count = times};
    cn_copy_text(sent.item, sizeof sent.item, cn_text(name));
    return command(sent);
}

#endif
