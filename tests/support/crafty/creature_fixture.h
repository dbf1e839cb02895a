/* Creatures on the floor of a sim_fixture: nothing appears by itself there, because the floor hangs
 * in the sky of a world without biomes for them. */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_CREATURE_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_CREATURE_FIXTURE_H

#include "sim_fixture.h"

#include <crafty/sim/creature/creatures.h>

typedef struct CreatureFixture {
    SimFixture sim;
    CraftyCreatureKinds *kinds;
} CreatureFixture;

/* A floor that reaches `side` blocks from the middle. Without natural creatures: the populated
 * columns are not those of the test, because no kind has a biome. `allocator` is that of the
 * simulation; NULL: the system's. */
static inline void creatures_make_with(CreatureFixture *fixture, uint32_t players, int32_t side,
                                       CnAllocator *allocator)
{
    fixture_make_with(&fixture->sim, players, allocator);
    fixture->kinds = crafty_creature_kinds_create(NULL, NULL);
    assert_non_null(fixture->kinds);
    CnError error = {0};
    if (!crafty_creature_kinds_read(fixture->kinds, fixture->sim.items, "creatures.json",
                                    crafty_creatures_text(), &error))
        fail_msg("%s", error.message);
    for (uint32_t i = 0; i < crafty_creature_kinds_count(fixture->kinds); i++)
        ((CraftyCreatureKind *)(uintptr_t)crafty_creature_kind_at(fixture->kinds, i))
            ->spawn.biomes = 0;
    for (int32_t x = -side; x <= side; x++)
        for (int32_t z = -side; z <= side; z++)
            assert_true(voxel_set(fixture->sim.voxels, (CnCell){x, FLOOR_Y, z}, BLOCK_STONE));
    assert_true(crafty_creatures_add(
        fixture->sim.world,
        &(CraftyCreaturesDesc){.kinds = fixture->kinds, .seed = 1, .difficulty = CRAFTY_NORMAL},
        NULL));
}

static inline void creatures_make(CreatureFixture *fixture, uint32_t players, int32_t side)
{
    creatures_make_with(fixture, players, side, NULL);
}

static inline void creatures_end(CreatureFixture *fixture)
{
    crafty_creatures_remove(fixture->sim.world);
    fixture_end(&fixture->sim);
    crafty_creature_kinds_destroy(fixture->kinds);
}

static inline CnEntity creature_at(CreatureFixture *fixture, const char *kind, float x, float z)
{
    CnEntity entity = crafty_creature_spawn(
        fixture->sim.world,
        &(CraftyCreatureDesc){.kind = kind, .position = {x, FLOOR_Y + 1.01f, z}});
    assert_int_not_equal(entity.id, 0);
    return entity;
}

static inline const CraftyCreature *creature_of(CreatureFixture *fixture, CnEntity entity)
{
    return cn_get(fixture->sim.world, entity, CraftyCreature);
}

static inline CnVec3 creature_place(CreatureFixture *fixture, CnEntity entity)
{
    const CnTransform *transform = cn_get(fixture->sim.world, entity, CnTransform);
    assert_non_null(transform);
    return transform->position;
}

static inline float flat_distance(CnVec3 a, CnVec3 b)
{
    return cn_sqrtf((a.x - b.x) * (a.x - b.x) + (a.z - b.z) * (a.z - b.z));
}

static inline void put_block(CreatureFixture *fixture, int32_t x, int32_t y, int32_t z,
                             const char *name)
{
    assert_true(voxel_set(fixture->sim.voxels, (CnCell){x, FLOOR_Y + y, z},
                          fixture_block(&fixture->sim, name)));
}

/* Survival, so that hostile creatures notice the player. */
static inline void make_mortal(CreatureFixture *fixture, uint32_t player)
{
    assert_true(crafty_player_set_mode(fixture->sim.world, fixture->sim.players[player],
                                       CRAFTY_MODE_SURVIVAL));
}

#endif
