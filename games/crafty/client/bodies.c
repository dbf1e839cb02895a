#include "bodies.h"

#include "crafty/sim/drops.h"
#include "crafty/sim/systems.h"

#include <cairn/sim/extract.h>

#define IS_DROP 1u
#define TELEPORT 8.0f /* blocks in a tick: not interpolated */

typedef CN_ARRAY(CnRenderItem) Items;

struct CraftyBodies {
    Items items[2]; /* of two ticks */
    uint32_t current;
    CnSnapshotMatch match;
    uint64_t ticks;
    float dt; /* seconds of a tick */
};

CraftyBodies *crafty_bodies_create(CnError *error)
{
    CnAllocator *allocator = cn_system_allocator();
    CraftyBodies *bodies = cn_alloc_zeroed(allocator, sizeof *bodies);
    if (!bodies) {
        cn_error_memory(error, "the bodies");
        return NULL;
    }
    cn_array_init(&bodies->items[0], allocator);
    cn_array_init(&bodies->items[1], allocator);
    cn_snapshot_match_init(&bodies->match, allocator);
    return bodies;
}

void crafty_bodies_destroy(CraftyBodies *bodies)
{
    if (!bodies)
        return;
    cn_array_fini(&bodies->items[0]);
    cn_array_fini(&bodies->items[1]);
    cn_snapshot_match_fini(&bodies->match);
    cn_free(cn_system_allocator(), bodies, sizeof *bodies);
}

/* ---- Ticks ---- */

static void note(CraftyBodies *bodies, const CnRenderItem *item)
{
    /* Out of memory: a body is not shown in this tick. */
    (void)cn_array_push(&bodies->items[bodies->current], *item);
}

static void show_players(CnSystemContext *context)
{
    CraftyBodies *bodies = context->user;
    bodies->current ^= 1;
    bodies->ticks++;
    bodies->dt = context->dt;
    cn_array_clear(&bodies->items[bodies->current]);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            const CnTransform *transform = &cn_column_const(&view, CnTransform)[i];
            note(bodies, &(CnRenderItem){.entity = view.entities[i],
                                         .position = transform->position,
                                         .rotation = transform->rotation});
        }
}

static CnRenderSnapshot snapshot_of(const Items *items)
{
    return (CnRenderSnapshot){.items = items->items, .item_count = items->count};
}

static void show_drops(CnSystemContext *context)
{
    CraftyBodies *bodies = context->user;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            const CraftyDrop *drop = &cn_column_const(&view, CraftyDrop)[i];
            note(bodies,
                 &(CnRenderItem){.entity = view.entities[i],
                                 .position = cn_column_const(&view, CnTransform)[i].position,
                                 .mesh = drop->stack.item,
                                 .material = drop->stack.count,
                                 .flags = IS_DROP,
                                 .value = drop->age});
        }
    CnRenderSnapshot previous = snapshot_of(&bodies->items[bodies->current ^ 1]);
    CnRenderSnapshot current = snapshot_of(&bodies->items[bodies->current]);
    if (!cn_snapshot_match(&bodies->match, &previous, &current))
        cn_array_clear(&bodies->items[bodies->current]); /* out of memory */
}

bool crafty_bodies_add(CnWorld *world, CraftyBodies *bodies, CnError *error)
{
    const CnSystemDesc systems[] = {
        {.name = "ShowPlayers",
         .run = show_players,
         .user = bodies,
         .stage = CN_STAGE_PRE_EXTRACT,
         .query = {.all = {cn_reads(CraftyPlayer), cn_reads(CnTransform)}},
         .alone = true},
        {.name = "ShowDrops",
         .run = show_drops,
         .user = bodies,
         .stage = CN_STAGE_PRE_EXTRACT,
         .query = {.all = {cn_reads(CraftyDrop), cn_reads(CnTransform)}},
         .alone = true},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(systems); i++)
        if (!crafty_system_add(world, &systems[i], error))
            return false;
    return true;
}

/* ---- Frames ---- */

uint32_t crafty_bodies_count(const CraftyBodies *bodies)
{
    return bodies->items[bodies->current].count;
}

uint64_t crafty_bodies_ticks(const CraftyBodies *bodies)
{
    return bodies->ticks;
}

CraftyShownBody crafty_bodies_at(const CraftyBodies *bodies, uint32_t index, float alpha)
{
    const CnRenderItem *now = &bodies->items[bodies->current].items[index];
    uint32_t matched =
        index < bodies->match.previous.count ? bodies->match.previous.items[index] : CN_NO_MATCH;
    CnRenderItem shown = *now;
    float age = (float)now->value;
    if (matched != CN_NO_MATCH) {
        const CnRenderItem *before = &bodies->items[bodies->current ^ 1].items[matched];
        CnVec3 moved = cn_vec3_sub(now->position, before->position);
        if (cn_vec3_length(moved) < TELEPORT)
            cn_render_item_lerp(before, now, alpha, &shown);
        age += alpha - 1;
    }
    return (CraftyShownBody){.entity = now->entity,
                             .position = shown.position,
                             .rotation = shown.rotation,
                             .is_drop = now->flags == IS_DROP,
                             .item = (CraftyItem)now->mesh,
                             .count = now->material,
                             .age = age * bodies->dt};
}

bool crafty_bodies_find(const CraftyBodies *bodies, CnEntity entity, float alpha,
                        CraftyShownBody *body)
{
    const Items *items = &bodies->items[bodies->current];
    for (uint32_t i = 0; i < items->count; i++)
        if (cn_entity_equal(items->items[i].entity, entity)) {
            *body = crafty_bodies_at(bodies, i, alpha);
            return true;
        }
    return false;
}
