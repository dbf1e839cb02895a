#include "blast.h"

#include "creature_internal.h"

#include "../harvest.h"
#include "../motion.h"
#include "../vitals.h"

#define HARD 10.0f /* of blocks that stay */
#define MAX_RADIUS 8.0f
#define DROP_PART 0.3f
#define PUSH 9.0f
#define MAX_HIT 128u

static bool is_hard(const CnBlockTable *table, CnBlock block)
{
    float hardness = cn_block_info(table, block)->hardness;
    return (table->flags[block] & CN_BLOCK_COLLIDES) && (hardness < 0 || hardness >= HARD);
}

/* Whether a hard block is between the center and a point. */
static bool is_shielded(CnVoxels *voxels, CnVec3 from, CnVec3 to)
{
    const CnBlockTable *table = cn_voxels_blocks(voxels);
    CnVec3 way = cn_vec3_sub(to, from);
    uint32_t steps = (uint32_t)(2 * cn_sqrtf(cn_vec3_dot(way, way))) + 1;
    for (uint32_t i = 1; i < steps; i++) {
        CnVec3 at = cn_vec3_add(from, cn_vec3_scale(way, (float)i / (float)steps));
        if (is_hard(table, cn_voxels_get(voxels, crafty_cell_of(at))))
            return true;
    }
    return false;
}

static CnVec3 middle_of(CnCell cell)
{
    return cn_vec3((float)cell.x + 0.5f, (float)cell.y + 0.5f, (float)cell.z + 0.5f);
}

static void break_cell(CnWorld *world, const CraftyBlast *blast, CnCell cell, CnRandom *random)
{
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    const CnBlockTable *table = cn_voxels_blocks(voxels);
    CnBlock block = cn_voxels_get(voxels, cell);
    float d2 = crafty_distance2(middle_of(cell), blast->center);
    float reach = blast->radius * (0.85f + 0.15f * cn_random_f32(random));
    bool drops = cn_random_f32(random) < DROP_PART;
    if (block == CN_BLOCK_AIR || (table->flags[block] & CN_BLOCK_IS_WATER) ||
        is_hard(table, block) || cn_block_info(table, block)->hardness < 0 || d2 > reach * reach ||
        is_shielded(voxels, blast->center, middle_of(cell)))
        return;
    CnEdit edit = {.tick = cn_resource(world, CnTickInfo)->tick,
                   .player = CN_EDIT_NOBODY,
                   .kind = CN_EDIT_BREAK,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = CN_BLOCK_AIR};
    if (cn_voxels_edit(voxels, &edit, NULL) && drops)
        crafty_harvest_drop(world, (CnEntity){0}, cell, block, (CraftyStack){0});
}

static void make_crater(CnWorld *world, const CraftyBlast *blast)
{
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    CnCell middle = crafty_cell_of(blast->center);
    int32_t reach = (int32_t)blast->radius;
    const CraftyCreatureRules *state = cn_resource(world, CraftyCreatureRules);
    CnRandom random = cn_random_fork(state ? state->key : 0, cn_resource(world, CnTickInfo)->tick,
                                     (uint32_t)middle.x * 31u + (uint32_t)middle.z);
    if (cn_voxels_blocks(voxels)->flags[cn_voxels_get(voxels, middle)] & CN_BLOCK_IS_WATER)
        return;
    for (int32_t y = -reach; y <= reach; y++)
        for (int32_t z = -reach; z <= reach; z++)
            for (int32_t x = -reach; x <= reach; x++)
                break_cell(world, blast, (CnCell){middle.x + x, middle.y + y, middle.z + z},
                           &random);
}

/* ---- Bodies ---- */

/* 1 in the middle, 0 at twice the radius. */
static float part_at(const CraftyBlast *blast, CnVec3 at)
{
    float d = cn_sqrtf(crafty_distance2(at, blast->center));
    float part = 1 - d / (2 * blast->radius);
    return part > 0 ? part : 0;
}

static CnVec3 push_at(const CraftyBlast *blast, CnVec3 at, float part)
{
    CnVec3 way = cn_vec3_sub(at, blast->center);
    float length = cn_sqrtf(cn_vec3_dot(way, way));
    CnVec3 push = length > 0.01f ? cn_vec3_scale(way, PUSH * part / length) : cn_vec3(0, 0, 0);
    push.y = push.y > 0 ? push.y + 4 * part : 4 * part;
    return push;
}

typedef struct Hit {
    CnEntity entity;
    CnVec3 push;
    float damage;
} Hit;

static uint32_t find_creatures(CnWorld *world, const CraftyBlast *blast, Hit hits[MAX_HIT])
{
    CraftyCreatureWork *work = crafty_creature_work(world);
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    uint32_t count = 0;
    CnChunkView view;
    if (!work)
        return 0;
    for (CnQueryIter it = cn_query_iter(work->creatures); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count && count < MAX_HIT; i++) {
            CnVec3 at = cn_column_const(&view, CnTransform)[i].position;
            float part = part_at(blast, at);
            at.y += 0.4f;
            if (part > 0 && view.entities[i].id != blast->by.id &&
                !is_shielded(voxels, blast->center, at))
                hits[count++] = (Hit){view.entities[i], push_at(blast, at, part),
                                      cn_floorf(blast->damage * part + 0.5f)};
        }
    return count;
}

static void hit_players(CnWorld *world, const CraftyBlast *blast)
{
    CraftyCreatureWork *work = crafty_creature_work(world);
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    for (uint32_t i = 0; work && i < work->watcher_count; i++) {
        CnVec3 at = work->watchers[i].feet;
        at.y += 0.9f;
        float part = part_at(blast, at);
        if (part > 0 && !is_shielded(voxels, blast->center, at) &&
            crafty_vitals_hurt(world, work->watchers[i].entity,
                               cn_floorf(blast->damage * part + 0.5f), CRAFTY_DAMAGE_BLAST))
            crafty_player_push(world, work->watchers[i].entity, push_at(blast, at, part));
    }
}

void crafty_blast(CnWorld *world, const CraftyBlast *given)
{
    CraftyBlast blast = *given;
    Hit hits[MAX_HIT];
    blast.radius = blast.radius < MAX_RADIUS ? blast.radius : MAX_RADIUS;
    uint32_t count = find_creatures(world, &blast, hits);
    hit_players(world, &blast);
    for (uint32_t i = 0; i < count; i++)
        crafty_creature_hurt(world, hits[i].entity, hits[i].damage, hits[i].push, blast.by);
    make_crater(world, &blast);
}
