/*
 * A village and the wild around it, without a player: a spectator hangs in the air, so that the
 * world lives. What lives there is counted in between. For one test program: include it once.
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_LIFE_WORLD_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_LIFE_WORLD_H

#include "cmocka_tests.h"

#include <crafty/replay/session.h>
#include <crafty/sim/creature/creatures.h>
#include <crafty/sim/day.h>
#include <crafty/sim/drops.h>
#include <crafty/sim/growth.h>
#include <crafty/sim/villager.h>

#include <malloc.h>

#define LIFE_SEED 42u
#define LIFE_MAX_KINDS 64u
#define LIFE_REACH 40  /* blocks around the village that are counted */
#define LIFE_DEPTH 12  /* below it */
#define LIFE_HEIGHT 28 /* above it */

typedef struct LifeCensus {
    uint32_t creatures, kinds[LIFE_MAX_KINDS]; /* by their index */
    uint32_t villagers, drops;
    uint32_t crops, farmland, logs, leaves, fires;
    uint64_t edits, heap_bytes;
} LifeCensus;

typedef struct LifeWorld {
    CraftySession *session;
    CnSim *sim;
    CnWorld *world;
    CnVoxels *voxels;
    const CraftyCreatureKinds *kinds;
    CnCell village;
} LifeWorld;

static inline LifeWorld life_open(uint32_t threads, CraftySave *save)
{
    CnError error = {0};
    LifeWorld life = {0};
    CraftyWorld *probe =
        crafty_world_create(&(CraftyWorldDesc){.seed = LIFE_SEED, .workers = CN_JOBS_NONE}, NULL);
    assert_non_null(probe);
    assert_true(cn_generate_find_village(crafty_world_generator(probe), crafty_world_scratch(probe),
                                         0, 0, 4000, &life.village));
    crafty_world_destroy(probe);
    CraftySessionDesc desc = {.start = {.seed = LIFE_SEED,
                                        .viewer = CRAFTY_VIEWER_FLIES,
                                        .difficulty = CRAFTY_NORMAL,
                                        .hours = 5,
                                        .players = 1},
                              .threads = threads,
                              .save = save};
    desc.start.pose.position = cn_vec3((float)life.village.x + 0.5f, (float)life.village.y + 12,
                                       (float)life.village.z + 0.5f);
    life.session = crafty_session_create(&desc, &error);
    if (!life.session)
        fail_msg("%s", error.message);
    life.sim = crafty_session_sim(life.session);
    life.world = cn_sim_world(life.sim);
    life.voxels = crafty_world_voxels(crafty_session_world(life.session));
    life.kinds = crafty_world_creatures(crafty_session_world(life.session));
    return life;
}

static inline void life_close(LifeWorld *life)
{
    crafty_session_destroy(life->session);
    *life = (LifeWorld){0};
}

static inline uint64_t life_hash(const LifeWorld *life)
{
    return cn_sim_hash(life->sim) ^ cn_voxels_hash(life->voxels);
}

/* ---- Counting ---- */

static inline void life_count_block(const CnBlockInfo *info, LifeCensus *census)
{
    size_t size = strlen(info->name);
    census->logs += size > 4 && strcmp(info->name + size - 4, "_log") == 0;
    census->leaves += strstr(info->name, "_leaves") != NULL;
    census->crops += strstr(info->name, "_stage_") || !strcmp(info->name, "wheat") ||
                     !strcmp(info->name, "carrots") || !strcmp(info->name, "potatoes");
    census->farmland += strncmp(info->name, "farmland", 8) == 0;
    census->fires += strncmp(info->name, "fire", 4) == 0;
}

static inline LifeCensus life_census(const LifeWorld *life)
{
    LifeCensus census = {.creatures = crafty_creature_count(life->world, 0),
                         .villagers = crafty_villager_count(life->world),
                         .drops = crafty_drop_count(life->world),
                         .edits = cn_edit_log_total(cn_voxels_log(life->voxels))};
    const CnBlockTable *blocks = cn_voxels_blocks(life->voxels);
    struct mallinfo2 heap = mallinfo2();
    census.heap_bytes = heap.uordblks + heap.hblkhd; /* 0 under sanitizers */
    for (uint32_t i = 0; i < crafty_creature_kinds_count(life->kinds) && i < LIFE_MAX_KINDS; i++)
        census.kinds[i] =
            crafty_creature_count(life->world, crafty_creature_kind_at(life->kinds, i)->number);
    for (int32_t y = -LIFE_DEPTH; y <= LIFE_HEIGHT; y++)
        for (int32_t z = -LIFE_REACH; z <= LIFE_REACH; z++)
            for (int32_t x = -LIFE_REACH; x <= LIFE_REACH; x++) {
                CnCell cell = {life->village.x + x, life->village.y + y, life->village.z + z};
                CnBlock block = cn_voxels_get(life->voxels, cell);
                if (block != CN_BLOCK_AIR)
                    life_count_block(cn_block_info(blocks, block), &census);
            }
    return census;
}

static inline void life_print(const LifeWorld *life, const LifeCensus *census, const char *when)
{
    print_message("%s: %u creatures (", when, census->creatures);
    for (uint32_t i = 0; i < crafty_creature_kinds_count(life->kinds) && i < LIFE_MAX_KINDS; i++)
        if (census->kinds[i])
            print_message(" %s %u", crafty_creature_kind_at(life->kinds, i)->name,
                          census->kinds[i]);
    print_message(
        " ), %u villagers, %u drops, %u crops, %u farmland, %u logs, %u leaves, %u fires, "
        "%llu edits, %llu KiB\n",
        census->villagers, census->drops, census->crops, census->farmland, census->logs,
        census->leaves, census->fires, (unsigned long long)census->edits,
        (unsigned long long)census->heap_bytes >> 10);
}

/* ---- Bounds ---- */

/* Natural ones stop appearing at the cap; the last group may exceed it, and some are born. */
static inline void life_expect_caps(const LifeWorld *life, const LifeCensus *census)
{
    for (uint32_t i = 0; i < crafty_creature_kinds_count(life->kinds) && i < LIFE_MAX_KINDS; i++) {
        const CraftyCreatureKind *kind = crafty_creature_kind_at(life->kinds, i);
        uint32_t most = kind->spawn.cap + 2u * (kind->spawn.high + kind->spawn.family);
        if (census->kinds[i] > most)
            fail_msg("%u of %s, but %u at most", census->kinds[i], kind->name, most);
    }
}

/* Compares a number with what it was at the begin, in percent. */
static inline void life_expect_between(const char *what, uint64_t begin, uint64_t now,
                                       uint32_t least, uint32_t most)
{
    if (100 * now < begin * least || 100 * now > begin * most)
        fail_msg("%llu %s, but %llu at the begin", (unsigned long long)now, what,
                 (unsigned long long)begin);
}

static inline void life_expect_bounds(const LifeWorld *life, const LifeCensus *begin,
                                      const LifeCensus *now)
{
    life_expect_caps(life, now);
    assert_int_equal(now->villagers, begin->villagers);
    assert_true(now->villagers >= 3);
    assert_true(now->creatures > 5);
    assert_true(now->drops < 200);
    assert_true(now->fires <= CRAFTY_MAX_FIRES);
    life_expect_between("crops", begin->crops, now->crops, 50, 150);
    life_expect_between("logs", begin->logs, now->logs, 70, 150);
    life_expect_between("leaves", begin->leaves, now->leaves, 70, 150);
}

#endif
