/*
 * A player on a floor of stone high above everything, so that only what a test builds is there.
 *
 *     Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
 *     hold(&fixture, CN_KEY_W, 60);
 *     end_fixture(&fixture);
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_PLAYER_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_PLAYER_FIXTURE_H

#include "item_fixture.h"
#include "player_input.h"
#include "standard_blocks.h"
#include "voxel_world.h"

#include <crafty/sim/player.h>

#define FLOOR 300
#define SIDE 6

typedef struct Fixture {
    VoxelWorld blocks;
    CraftyItems *items;
    CnSim *sim;
    CnWorld *world;
    CnEntity eye;
    PlayerInput input;
} Fixture;

static inline void put(Fixture *fixture, int32_t x, int32_t y, int32_t z, CnBlock block)
{
    assert_true(voxel_set(fixture->blocks.world, (CnCell){x, y, z}, block));
}

static inline Fixture make_fixture(CraftyPlayerMode mode)
{
    Fixture fixture = {.blocks = voxel_world_create(cn_system_allocator(), 0, NULL),
                       .items = make_items(NULL)};
    for (int32_t z = -SIDE; z <= SIDE; z++)
        for (int32_t x = -SIDE; x <= SIDE; x++)
            put(&fixture, x, FLOOR, z, BLOCK_STONE);
    CnPlugin scene = cn_scene_plugin();
    fixture.sim = cn_sim_create(&(CnSimDesc){.core = &scene, .core_count = 1}, NULL);
    assert_non_null(fixture.sim);
    fixture.world = cn_sim_world(fixture.sim);
    assert_true(crafty_player_add(fixture.world, fixture.blocks.world, fixture.items, NULL));
    assert_true(crafty_commands_add(fixture.world, NULL));
    fixture.input = make_input(fixture.world, 1);
    fixture.eye = cn_object(fixture.world, "Eye");
    assert_true(crafty_player_make(fixture.world, fixture.eye, 1, mode));
    cn_get_mut(fixture.world, fixture.eye, CnTransform)->position =
        cn_vec3(0.5f, FLOOR + 1 + CRAFTY_PLAYER_EYE + 0.2f, 0.5f);
    return fixture;
}

static inline void end_fixture(Fixture *fixture)
{
    end_input(&fixture->input);
    cn_sim_destroy(fixture->sim);
    crafty_items_destroy(fixture->items);
    voxel_world_destroy(&fixture->blocks);
}

static inline CnVec3 place(const Fixture *fixture)
{
    return cn_get(fixture->world, fixture->eye, CnTransform)->position;
}

static inline float feet(const Fixture *fixture)
{
    return place(fixture).y - CRAFTY_PLAYER_EYE;
}

static inline void hold(Fixture *fixture, uint32_t key, uint64_t ticks)
{
    input_key(&fixture->input, key, true);
    input_ticks(&fixture->input, fixture->sim, ticks);
    input_key(&fixture->input, key, false);
}

/* Fills a box of cells, both corners included. */
static inline void fill(Fixture *fixture, CnCell from, CnCell to, CnBlock block)
{
    for (int32_t z = from.z; z <= to.z; z++)
        for (int32_t y = from.y; y <= to.y; y++)
            for (int32_t x = from.x; x <= to.x; x++)
                put(fixture, x, y, z, block);
}

static inline CnBlock block_named(const Fixture *fixture, const char *name)
{
    CnBlock block = cn_block_find(cn_voxels_blocks(fixture->blocks.world), name);
    assert_int_not_equal(block, CN_BLOCK_NONE);
    return block;
}

#endif
