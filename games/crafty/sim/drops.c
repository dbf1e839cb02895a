#include "drops.h"

#include "command.h"
#include "hand.h"
#include "player_grid.h"
#include "mod/mod_quota.h"
#include "player.h"
#include "player_event.h"
#include "systems.h"

#include <cairn/base/hash_map.h>
#include <cairn/base/log.h>

#define GRAVITY (-20.0f)
#define TERMINAL (-40.0f)
#define MAX_SPEED 60.0f
#define AIR_DRAG 0.98f /* of the horizontal speed, per tick */
#define GROUND_FRICTION 0.75f
#define WATER_DRAG 0.9f
#define WATER_SURFACE 0.8f /* height in its cell at which a drop floats */
#define FLOAT_RATE 4.0f    /* of the way to the surface, per second */
#define FLOAT_SPEED 1.5f
#define RISE_SPEED 3.0f    /* out of a block that was placed on the drop */
#define REST_SPEED 0.05f   /* slower drops on the ground rest */
#define PULL_DISTANCE 1.5f /* from the body of a player */
#define FAR 3.0f           /* along an axis; certainly farther than that */
#define PULL_SPEED 9.0f
#define PICK_DISTANCE 0.3f
#define MERGE_DISTANCE 0.8f
#define MERGES_PER_TICK 8u /* drops that look for others to merge with */
#define MAX_REMOVED 256u   /* per tick; the others follow */
#define THROW_SPEED 6.0f
#define POP_SPEED 1.2f

/* Transient resource. */
typedef struct CraftyDropList {
    CnQuery *drops, *players;
    uint64_t seen_edits; /* of the edit log */
} CraftyDropList;
CN_OPAQUE(CraftyDropList);

static CnVoxels *voxels_of(CnWorld *world)
{
    return cn_resource(world, CraftyBlocks)->voxels;
}

/* ---- Positions ---- */

static bool is_in_range(float value, float limit)
{
    return value >= -limit && value <= limit; /* false for NaN */
}

static bool is_valid_position(CnVec3 at)
{
    return is_in_range(at.x, CRAFTY_MAX_COORDINATE) && is_in_range(at.y, CRAFTY_MAX_COORDINATE) &&
           is_in_range(at.z, CRAFTY_MAX_COORDINATE);
}

static CnVec3 valid_velocity(CnVec3 v)
{
    bool is_valid =
        is_in_range(v.x, MAX_SPEED) && is_in_range(v.y, MAX_SPEED) && is_in_range(v.z, MAX_SPEED);
    return is_valid ? v : cn_vec3(0, 0, 0);
}

static CnVoxelBox box_at(CnVec3 at)
{
    float half = CRAFTY_DROP_SIZE / 2;
    return (CnVoxelBox){{at.x - half, at.y - half, at.z - half},
                        {at.x + half, at.y + half, at.z + half}};
}

static bool is_water(CnVoxels *voxels, CnVec3 at)
{
    CnCell cell = {(int32_t)cn_floorf(at.x), (int32_t)cn_floorf(at.y), (int32_t)cn_floorf(at.z)};
    return (cn_voxels_blocks(voxels)->flags[cn_voxels_get(voxels, cell)] & CN_BLOCK_IS_WATER) != 0;
}

/* ---- Movement ---- */

/* Drops approach the surface of water and stay there. */
static void float_up(CnVoxels *voxels, CraftyDrop *drop, CnVec3 at)
{
    bool is_deep = is_water(voxels, cn_vec3(at.x, at.y + 1, at.z));
    float up = is_deep ? FLOAT_SPEED : (cn_floorf(at.y) + WATER_SURFACE - at.y) * FLOAT_RATE;
    drop->velocity = cn_vec3_scale(drop->velocity, WATER_DRAG);
    drop->velocity.y = up < FLOAT_SPEED ? up : FLOAT_SPEED;
}

static bool is_slow(CnVec3 velocity)
{
    return is_in_range(velocity.x, REST_SPEED) && is_in_range(velocity.y, REST_SPEED) &&
           is_in_range(velocity.z, REST_SPEED);
}

static void move(CnVoxels *voxels, CraftyDrop *drop, CnTransform *transform, float dt)
{
    CnVec3 at = transform->position;
    drop->velocity = valid_velocity(drop->velocity);
    if (cn_voxels_overlap(voxels, box_at(at))) { /* a block was placed here */
        transform->position.y += RISE_SPEED * dt;
        drop->velocity = cn_vec3(0, 0, 0);
        return;
    }
    bool floats = is_water(voxels, at);
    if (floats) {
        float_up(voxels, drop, at);
    } else {
        float fall = drop->velocity.y + GRAVITY * dt;
        drop->velocity.y = fall > TERMINAL ? fall : TERMINAL;
        drop->velocity.x *= AIR_DRAG;
        drop->velocity.z *= AIR_DRAG;
    }
    CnVoxelSweep sweep = cn_voxels_sweep(voxels, box_at(at), cn_vec3_scale(drop->velocity, dt));
    transform->position = cn_vec3_add(at, sweep.moved);
    if (sweep.hit[0])
        drop->velocity.x = 0;
    if (sweep.hit[1])
        drop->velocity.y = 0;
    if (sweep.hit[2])
        drop->velocity.z = 0;
    if (sweep.on_ground) {
        drop->velocity.x *= GROUND_FRICTION;
        drop->velocity.z *= GROUND_FRICTION;
    }
    drop->rests = (sweep.on_ground || floats) && is_slow(drop->velocity);
    if (drop->rests)
        drop->velocity = cn_vec3(0, 0, 0);
}

/* ---- Picking up ---- */

static float beside(float at, float low, float high)
{
    return at < low ? low - at : at > high ? at - high : 0;
}

/* Returns the square of the distance to the body of a player. */
static float distance2(CnVec3 at, CnVec3 eye)
{
    CnVoxelBox body = crafty_player_box(eye);
    float x = beside(at.x, body.min.x, body.max.x), y = beside(at.y, body.min.y, body.max.y),
          z = beside(at.z, body.min.z, body.max.z);
    return x * x + y * y + z * z;
}

/* Returns the nearest player who may and can take the drop; NULL: none. */
static const CraftyGridPlayer *find_taker(CnWorld *world, const CraftyPlayerGrid *players,
                                          const CraftyDrop *drop, CnVec3 at, float *distance)
{
    const CraftyGridPlayer *found = NULL;
    *distance = PULL_DISTANCE * PULL_DISTANCE;
    CraftyGridIter it = crafty_grid_iter(players, at, FAR);
    for (const CraftyGridPlayer *near; (near = crafty_grid_next(&it));) {
        float d = distance2(at, near->eye);
        bool waits = drop->wait > 0 && (!drop->owner || drop->owner == near->number);
        bool is_nearer = d < *distance || (found && d == *distance && near->order < found->order);
        if (!is_nearer || waits)
            continue;
        const CraftyItems *items = cn_resource(world, CraftyItemList)->items;
        if (!crafty_player_has_room(items, cn_get(world, near->entity, CraftyPlayer), drop->stack))
            continue;
        found = near;
        *distance = d;
    }
    return found;
}

/* Returns whether something was taken. */
static bool pick_up(CnWorld *world, CnEntity taker, CraftyDrop *drop)
{
    const CraftyItems *items = cn_resource(world, CraftyItemList)->items;
    CraftyStack before = drop->stack;
    crafty_player_give(items, cn_get_mut(world, taker, CraftyPlayer), &drop->stack);
    uint16_t taken = (uint16_t)(before.count - drop->stack.count);
    if (taken > 0)
        crafty_player_event_send(
            world, &(CraftyPlayerEvent){.player = taker,
                                        .kind = CRAFTY_PLAYER_PICKED_UP,
                                        .item = before.item,
                                        .count = taken,
                                        .position = cn_get(world, taker, CnTransform)->position});
    return taken > 0;
}

/* A drop near a player flies to it. Returns whether it does. */
static bool follow(CnWorld *world, const CraftyPlayerGrid *players, CraftyDrop *drop, CnVec3 at)
{
    float distance;
    const CraftyGridPlayer *taker = find_taker(world, players, drop, at, &distance);
    if (!taker)
        return false;
    if (distance <= PICK_DISTANCE * PICK_DISTANCE)
        return pick_up(world, taker->entity, drop);
    CnVec3 to = taker->eye;
    to.y -= CRAFTY_PLAYER_EYE / 2;
    drop->velocity = cn_vec3_scale(cn_vec3_normalize(cn_vec3_sub(to, at)), PULL_SPEED);
    drop->rests = false;
    return true;
}

/* ---- Merging ---- */

static bool may_merge(const CraftyItems *items, const CraftyDrop *a, const CraftyDrop *b)
{
    const CraftyItemInfo *info = crafty_items_info(items, a->stack.item);
    return crafty_stack_same(a->stack, b->stack) && a->stack.count && b->stack.count && info &&
           info->is_known && (uint32_t)a->stack.count + b->stack.count <= info->stack_max;
}

/* The younger age counts, and the longer wait. */
static void merge(const CraftyItems *items, CraftyDrop *into, CraftyDrop *from)
{
    crafty_stack_move(items, &from->stack, &into->stack, from->stack.count);
    into->age = from->age < into->age ? from->age : into->age;
    into->wait = from->wait > into->wait ? from->wait : into->wait;
    if (into->owner != from->owner)
        into->owner = 0;
}

static bool is_near(CnVec3 a, CnVec3 b)
{
    CnVec3 d = cn_vec3_sub(a, b);
    return cn_vec3_dot(d, d) <= MERGE_DISTANCE * MERGE_DISTANCE;
}

static void merge_with_near(CnWorld *world, CnQuery *drops, CnEntity entity)
{
    const CraftyItems *items = cn_resource(world, CraftyItemList)->items;
    CraftyDrop *own = cn_get_mut(world, entity, CraftyDrop);
    CnVec3 at = cn_get(world, entity, CnTransform)->position;
    const CraftyItemInfo *info = crafty_items_info(items, own->stack.item);
    if (!info || own->stack.count >= info->stack_max)
        return;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(drops); cn_query_next(&it, &view);) {
        const CnTransform *places = cn_column_const(&view, CnTransform);
        CraftyDrop *others = cn_column(&view, CraftyDrop);
        for (uint32_t i = 0; i < view.count; i++)
            if (others[i].stack.item == own->stack.item && is_near(places[i].position, at) &&
                view.entities[i].id != entity.id && may_merge(items, own, &others[i]))
                merge(items, own, &others[i]);
    }
}

/* Each tick another few drops look for others, so that the cost per tick is bounded. */
static void merge_some(CnWorld *world, CnQuery *drops, uint64_t tick)
{
    uint32_t total = cn_query_count(drops), count = 0;
    CnEntity chosen[MERGES_PER_TICK];
    if (total < 2)
        return;
    uint32_t wanted = total < MERGES_PER_TICK ? total : MERGES_PER_TICK;
    uint32_t first = (uint32_t)(tick * MERGES_PER_TICK % total), index = 0;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(drops); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++, index++)
            if ((index + total - first) % total < wanted && count < MERGES_PER_TICK)
                chosen[count++] = view.entities[i];
    for (uint32_t i = 0; i < count; i++)
        merge_with_near(world, drops, chosen[i]);
}

/* ---- Ticks ---- */

/* Returns whether the drop is to be removed. */
static bool update(CnWorld *world, const CraftyPlayerGrid *players, CraftyDrop *drop,
                   CnTransform *transform, float dt)
{
    if (!is_valid_position(transform->position)) { /* of a manipulated save */
        cn_resource_mut(world, CraftyDropCounts)->vanished_items += drop->stack.count;
        return true;
    }
    drop->wait -= drop->wait > 0;
    if (drop->age++ >= CRAFTY_DROP_LIFETIME) {
        cn_resource_mut(world, CraftyDropCounts)->vanished_items += drop->stack.count;
        return true;
    }
    bool follows = follow(world, players, drop, transform->position);
    if (crafty_stack_is_empty(drop->stack))
        return true;
    if (follows || !drop->rests)
        move(voxels_of(world), drop, transform, dt);
    return false;
}

static void run_drops(CnSystemContext *context)
{
    CnWorld *world = context->world;
    CraftyDropList *list = cn_resource_mut(world, CraftyDropList);
    CnEntity removed[MAX_REMOVED];
    uint32_t count = 0;
    if (cn_query_count(list->drops) == 0)
        return;
    const CraftyPlayerGrid *players = crafty_player_grid(world, list->players);
    merge_some(world, list->drops, cn_resource(world, CnTickInfo)->tick);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(list->drops); cn_query_next(&it, &view);) {
        CraftyDrop *drops = cn_column(&view, CraftyDrop);
        CnTransform *transforms = cn_column(&view, CnTransform);
        for (uint32_t i = 0; i < view.count && count < MAX_REMOVED; i++)
            if (update(world, players, &drops[i], &transforms[i], context->dt))
                removed[count++] = view.entities[i];
    }
    cn_destroy_many(world, removed, count);
}

/* ---- Waking ---- */

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

static CnVoxelBox extended(const CnVoxelBox *box, CnVec3 point)
{
    return (CnVoxelBox){
        {smaller(box->min.x, point.x), smaller(box->min.y, point.y), smaller(box->min.z, point.z)},
        {-smaller(-box->max.x, -point.x), -smaller(-box->max.y, -point.y),
         -smaller(-box->max.z, -point.z)}};
}

/* A box around all cells that changed since the last tick. */
static bool changed_cells(CnVoxels *voxels, uint64_t *seen, CnVoxelBox *box)
{
    const CnEditLog *log = cn_voxels_log(voxels);
    uint64_t total = cn_edit_log_total(log), added = total - *seen;
    uint32_t count = cn_edit_log_count(log);
    *seen = total;
    if (added == 0 || count == 0)
        return false;
    for (uint32_t i = added < count ? count - (uint32_t)added : 0, first = i; i < count; i++) {
        CnCell cell = cn_edit_log_at(log, i).cell;
        CnVec3 low = cn_vec3((float)cell.x, (float)cell.y, (float)cell.z);
        *box = i == first ? (CnVoxelBox){low, low} : extended(box, low);
    }
    box->min = cn_vec3_sub(box->min, cn_vec3(1, 1, 1));
    box->max = cn_vec3_add(box->max, cn_vec3(2, 2, 2));
    return true;
}

static bool is_inside(const CnVoxelBox *box, CnVec3 at)
{
    return at.x >= box->min.x && at.x <= box->max.x && at.y >= box->min.y && at.y <= box->max.y &&
           at.z >= box->min.z && at.z <= box->max.z;
}

/* Runs after everything that changes blocks in a tick, so that nothing is left to see when the
 * world is saved between ticks. */
static void run_wake(CnSystemContext *context)
{
    CraftyDropList *list = cn_resource_mut(context->world, CraftyDropList);
    CnVoxelBox box = {0};
    if (!changed_cells(voxels_of(context->world), &list->seen_edits, &box))
        return;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(list->drops); cn_query_next(&it, &view);) {
        CraftyDrop *drops = cn_column(&view, CraftyDrop);
        const CnTransform *transforms = cn_column_const(&view, CnTransform);
        for (uint32_t i = 0; i < view.count; i++)
            if (is_inside(&box, transforms[i].position))
                drops[i].rests = false;
    }
}

/* ---- Dropping ---- */

/* Returns a drop with room for the whole stack, or the null entity. */
static CnEntity find_equal(CnWorld *world, CnQuery *drops, const CraftyDrop *drop)
{
    const CraftyItems *items = cn_resource(world, CraftyItemList)->items;
    CnEntity found = {0};
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(drops); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count && !found.id; i++)
            if (may_merge(items, &cn_column_const(&view, CraftyDrop)[i], drop))
                found = view.entities[i];
    return found;
}

static CnEntity merge_anywhere(CnWorld *world, CnQuery *drops, CraftyDrop drop)
{
    CnEntity found = find_equal(world, drops, &drop);
    if (found.id)
        merge(cn_resource(world, CraftyItemList)->items, cn_get_mut(world, found, CraftyDrop),
              &drop);
    return found;
}

static CnEntity spawn(CnWorld *world, CnVec3 at, CraftyDrop drop)
{
    const CraftyDropList *list = cn_resource(world, CraftyDropList);
    if (!list || crafty_stack_is_empty(drop.stack) || !is_valid_position(at))
        return (CnEntity){0};
    drop.velocity = valid_velocity(drop.velocity);
    if (!crafty_mods_may_add(world, CRAFTY_MOD_DROPS))
        return (CnEntity){0};
    if (cn_query_count(list->drops) >= CRAFTY_MAX_DROP_ENTITIES)
        return merge_anywhere(world, list->drops, drop);
    CnTransform transform = CN_TRANSFORM_IDENTITY;
    transform.position = at;
    const CnValue values[] = {{.type = &cn_type_CnTransform, .data = &transform},
                              {.type = &cn_type_CraftyDrop, .data = &drop}};
    CnEntity entity = cn_spawn_values(world, values, CN_COUNT_OF(values));
    crafty_mods_added(world, CRAFTY_MOD_DROPS, entity);
    return entity;
}

CnEntity crafty_drop_spawn(CnWorld *world, CnVec3 at, CnVec3 velocity, CraftyStack stack,
                           uint32_t wait_ticks)
{
    return spawn(world, at, (CraftyDrop){.stack = stack, .velocity = velocity, .wait = wait_ticks});
}

CnEntity crafty_drop_in_cell(CnWorld *world, CnCell cell, CraftyStack stack)
{
    uint64_t tick = cn_resource(world, CnTickInfo) ? cn_resource(world, CnTickInfo)->tick : 0;
    const uint32_t words[] = {(uint32_t)cell.x, (uint32_t)cell.y, (uint32_t)cell.z, stack.item,
                              (uint32_t)tick};
    uint64_t hash = cn_hash_bytes(words, sizeof words, 0);
    float x = (float)(hash & 255) / 255 - 0.5f, z = (float)(hash >> 8 & 255) / 255 - 0.5f;
    return crafty_drop_spawn(
        world, cn_vec3((float)cell.x + 0.5f, (float)cell.y + 0.5f, (float)cell.z + 0.5f),
        cn_vec3(x * 2 * POP_SPEED, 2 * POP_SPEED, z * 2 * POP_SPEED), stack, CRAFTY_DROP_WAIT);
}

bool crafty_drop_or_keep(CnWorld *world, CnCell cell, uint32_t player, CraftyStack *stack)
{
    if (crafty_stack_is_empty(*stack) || crafty_drop_in_cell(world, cell, *stack).id) {
        *stack = (CraftyStack){0};
        return true;
    }
    CnEntity entity = crafty_player_find(cn_resource(world, CraftyDropList)->players, player);
    CraftyPlayer *taker = entity.id ? cn_get_mut(world, entity, CraftyPlayer) : NULL;
    if (taker)
        crafty_player_give(cn_resource(world, CraftyItemList)->items, taker, stack);
    return crafty_stack_is_empty(*stack);
}

CnEntity crafty_drop_throw(CnWorld *world, CnEntity player, CraftyStack stack)
{
    const CnTransform *eye = cn_get(world, player, CnTransform);
    const CnPlayerActions *own = cn_get(world, player, CnPlayerActions);
    if (!eye || !own)
        return (CnEntity){0};
    CnVec3 forward = cn_quat_rotate(eye->rotation, cn_vec3(0, 0, -1));
    CnVec3 at = cn_vec3_add(eye->position, cn_vec3(0, -CRAFTY_DROP_SIZE, 0));
    CnVec3 velocity = cn_vec3_scale(forward, THROW_SPEED);
    velocity.y += POP_SPEED;
    CraftyPlayerEvent event = {.player = player,
                               .kind = CRAFTY_PLAYER_THREW,
                               .item = stack.item,
                               .count = stack.count,
                               .position = eye->position};
    CnEntity drop = spawn(world, at,
                          (CraftyDrop){.stack = stack,
                                       .velocity = velocity,
                                       .wait = CRAFTY_DROP_THROWN_WAIT,
                                       .owner = own->player});
    if (drop.id)
        crafty_player_event_send(world, &event);
    return drop;
}

uint32_t crafty_drop_count(CnWorld *world)
{
    return cn_query_count(cn_resource(world, CraftyDropList)->drops);
}

uint64_t crafty_drop_items(CnWorld *world, CraftyItem item)
{
    uint64_t sum = 0;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(cn_resource(world, CraftyDropList)->drops);
         cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            CraftyStack stack = cn_column_const(&view, CraftyDrop)[i].stack;
            sum += stack.item == item ? stack.count : 0;
        }
    return sum;
}

/* ---- Adding ---- */

static bool add_list(CnWorld *world, CnError *error)
{
    CnQueryDesc drops = {.all = {cn_writes(CraftyDrop), cn_writes(CnTransform)}};
    CnQueryDesc players = {
        .all = {cn_reads(CraftyPlayer), cn_reads(CnTransform), cn_reads(CnPlayerActions)}};
    CraftyDropList list = {.seen_edits = cn_edit_log_total(cn_voxels_log(voxels_of(world)))};
    list.drops = cn_query_acquire(world, &drops, error);
    list.players = list.drops ? cn_query_acquire(world, &players, error) : NULL;
    if (!list.players)
        return false;
    return cn_resource_set_value(world, cn_id(world, CraftyDropList), &list) ||
           cn_error_memory(error, "the drops");
}

bool crafty_drops_add(CnWorld *world, CnError *error)
{
    const CnComponentDesc descs[] = {
        {.type = &cn_type_CraftyDrop},
        {.type = &cn_type_CraftyDropCounts},
        {.type = &cn_type_CraftyDropList, .flags = CN_COMPONENT_TRANSIENT},
    };
    const CnSystemDesc system = {
        .name = "CraftyDrops", .run = run_drops, .stage = CN_STAGE_UPDATE, .alone = true};
    for (uint32_t i = 0; i < CN_COUNT_OF(descs); i++)
        if (!cn_component_register(world, &descs[i], error).id)
            return false;
    if (!cn_resource(world, CraftyDropCounts) && !cn_resource_set(world, CraftyDropCounts, {0}))
        return cn_error_memory(error, "the drops");
    if (!cn_resource(world, CraftyDropList) && !add_list(world, error))
        return false;
    return cn_system_find(world, system.name).id || crafty_system_add(world, &system, error);
}

bool crafty_drops_watch(CnWorld *world, CnError *error)
{
    const CnSystemDesc system = {
        .name = "CraftyDropsWake", .run = run_wake, .stage = CN_STAGE_POST_UPDATE, .alone = true};
    cn_resource_mut(world, CraftyDropList)->seen_edits =
        cn_edit_log_total(cn_voxels_log(voxels_of(world)));
    if (!cn_resource(world, CraftyDropCounts) && !cn_resource_set(world, CraftyDropCounts, {0}))
        return cn_error_memory(error, "the drops");
    return cn_system_find(world, system.name).id || crafty_system_add(world, &system, error);
}
