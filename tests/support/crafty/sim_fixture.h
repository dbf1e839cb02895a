/* A simulation of Crafty in the empty sky, with players whose input a test sends. */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_SIM_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_SIM_FIXTURE_H

#include "player_input.h"
#include "standard_blocks.h"
#include "voxel_world.h"

#include <crafty/sim/crafty_sim.h>
#include <crafty/sim/drops.h>
#include <crafty/sim/hand.h>
#include <crafty/sim/harvest.h>
#include <crafty/world/game_data.h>
#include <crafty/world/items_file.h>

#define FLOOR_Y 300 /* of the floor; above all terrain */
#define FIXTURE_MAX_PLAYERS 4
/* Other blocks drop their own items. */
#define FIXTURE_RULES                                                                              \
    "{\"rules\": [{\"match\": \"stone\", \"tool\": \"pickaxe\", \"tier\": \"wood\","               \
    " \"drops\": \"cobblestone\"}]}"

typedef struct SimFixture {
    VoxelWorld blocks;
    CnVoxels *voxels;
    CraftyItems *items;
    CraftyBlockRules *rules;
    CraftyBlockFamilies *families;
    CraftySimDesc desc;
    CnSim *sim;
    CnWorld *world;
    CnEntity players[FIXTURE_MAX_PLAYERS];
    PlayerInput inputs[FIXTURE_MAX_PLAYERS];
    uint32_t player_count;
} SimFixture;

static inline CnBlock fixture_block(const SimFixture *fixture, const char *name)
{
    CnBlock block = cn_block_find(cn_voxels_blocks(fixture->voxels), name);
    assert_int_not_equal(block, CN_BLOCK_NONE);
    return block;
}

static inline CraftyItem fixture_item(const SimFixture *fixture, const char *name)
{
    CraftyItem item = crafty_items_find(fixture->items, name);
    assert_int_not_equal(item, CRAFTY_NO_ITEM);
    return item;
}

/* The item of a block or of its family. */
static inline CraftyItem fixture_item_of(const SimFixture *fixture, const char *block)
{
    CraftyItem item = crafty_harvest_item(fixture->world, fixture_block(fixture, block));
    assert_int_not_equal(item, CRAFTY_NO_ITEM);
    return item;
}

static inline CraftyPlayer *fixture_player(SimFixture *fixture, uint32_t index)
{
    return cn_get_mut(fixture->world, fixture->players[index], CraftyPlayer);
}

static inline void fixture_ticks(SimFixture *fixture, uint64_t ticks)
{
    for (uint64_t i = 0; i < ticks; i++) {
        for (uint32_t k = 0; k < fixture->player_count; k++)
            input_send(&fixture->inputs[k]);
        assert_true(cn_sim_tick_n(fixture->sim, 1, NULL));
    }
}

/* A stone floor of 17 x 17 blocks; the players stand on it beside each other with empty slots and
 * captured mice, and look to the north. `fixture` must stay where it is. `allocator` is that of the
 * simulation; NULL: the system's. */
static inline void fixture_make_with(SimFixture *fixture, uint32_t players, CnAllocator *allocator)
{
    *fixture = (SimFixture){
        .blocks = voxel_world_create(cn_system_allocator(), 0, NULL),
        .items = crafty_items_create(&(CraftyItemsDesc){.blocks = standard_blocks()}, NULL),
        .player_count = players};
    assert_true(fixture->items && crafty_items_add_blocks(fixture->items, NULL) &&
                crafty_items_read(fixture->items, "items.json", crafty_items_text(), NULL));
    fixture->rules =
        crafty_block_rules_create(&(CraftyBlockRulesDesc){.items = fixture->items,
                                                          .blocks = standard_blocks(),
                                                          .file = "fixture",
                                                          .text = cn_text(FIXTURE_RULES)},
                                  NULL);
    assert_non_null(fixture->rules);
    fixture->voxels = fixture->blocks.world;
    fixture->families = crafty_block_families_create(NULL, cn_voxels_blocks(fixture->voxels), NULL);
    assert_non_null(fixture->families);
    for (int32_t x = -8; x <= 8; x++)
        for (int32_t z = -8; z <= 8; z++)
            assert_true(voxel_set(fixture->voxels, (CnCell){x, FLOOR_Y, z}, BLOCK_STONE));
    fixture->desc = (CraftySimDesc){
        .voxels = fixture->voxels,
        .items = fixture->items,
        .families = fixture->families,
        .block_rules = fixture->rules,
        .start = {.viewer = CRAFTY_VIEWER_WALKS,
                  .players = players,
                  .pose = {.position = {0.5f, FLOOR_Y + 1 + CRAFTY_PLAYER_EYE + 0.01f, 0.5f}}}};
    CnPlugin scene = cn_scene_plugin(), crafty = crafty_sim_plugin(&fixture->desc);
    fixture->sim =
        cn_sim_create(&(CnSimDesc){.allocator = allocator, .core = &scene, .core_count = 1}, NULL);
    assert_non_null(fixture->sim);
    assert_true(cn_sim_add_plugin(fixture->sim, &crafty, NULL));
    fixture->world = cn_sim_world(fixture->sim);
    CnQuery *query =
        cn_query_acquire(fixture->world, &(CnQueryDesc){.all = {cn_reads(CnPlayerActions)}}, NULL);
    assert_non_null(query);
    for (uint32_t i = 0; i < players; i++) {
        fixture->players[i] = crafty_player_find(query, i + 1);
        fixture->inputs[i] = make_input(fixture->world, i + 1);
        CraftyPlayer *player = fixture_player(fixture, i);
        memset(player->slots, 0, sizeof player->slots);
        assert_true(crafty_player_capture(fixture->world, fixture->players[i], true));
        cn_get_mut(fixture->world, fixture->players[i], CnTransform)->position.x += 2 * (float)i;
    }
    cn_query_release(query);
    fixture_ticks(fixture, 2);
}

static inline void fixture_make(SimFixture *fixture, uint32_t players)
{
    fixture_make_with(fixture, players, NULL);
}

static inline void fixture_end(SimFixture *fixture)
{
    for (uint32_t i = 0; i < fixture->player_count; i++)
        end_input(&fixture->inputs[i]);
    cn_sim_destroy(fixture->sim);
    crafty_block_rules_destroy(fixture->rules);
    crafty_block_families_destroy(fixture->families);
    crafty_items_destroy(fixture->items);
    voxel_world_destroy(&fixture->blocks);
}

#endif
