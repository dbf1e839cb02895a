/* What creatures perceive. */
#include "creature_internal.h"

#include <cairn/base/hash_map.h>

uint8_t crafty_think_traits(CraftyThink *think, CnCell cell)
{
    return crafty_path_traits_of(think->work->traits, crafty_window_get(think->view, cell));
}

CnVec3 crafty_actor_eye(const CraftyActor *actor)
{
    float scale = crafty_creature_scale(actor->kind, actor->creature);
    CnVec3 eye = actor->transform->position;
    eye.y += actor->kind->height * scale * actor->kind->eye;
    return eye;
}

void crafty_think_near(const CraftyThink *think, float distance, uint32_t kind,
                       bool (*visit)(void *user, const CraftyActor *other), void *user)
{
    const CraftyCreatureWork *work = think->work;
    CnVec3 at = think->actor->position;
    float most = distance * distance;
    int32_t low_x = crafty_grid_cell(at.x - distance), high_x = crafty_grid_cell(at.x + distance);
    int32_t low_z = crafty_grid_cell(at.z - distance), high_z = crafty_grid_cell(at.z + distance);
    for (int32_t z = low_z; z <= high_z; z++)
        for (int32_t x = low_x; x <= high_x; x++) {
            uint32_t cell = crafty_grid_hash(x, z), slot = cell & (work->grid_slots - 1);
            for (uint32_t i = slot ? work->grid[slot - 1] : 0; i < work->grid[slot]; i++) {
                const CraftyNeighbor *near = &work->lists.neighbors[i];
                if (near->cell != cell || (kind && near->kind != kind) ||
                    !(crafty_distance2(near->position, at) <= most))
                    continue;
                const CraftyActor *other = &work->actors[near->actor];
                if (other != think->actor && !visit(user, other))
                    return;
            }
        }
}

const CraftyActor *crafty_think_find(const CraftyThink *think, CnEntity entity, float distance)
{
    const CraftyCreatureWork *work = think->work;
    uint32_t mask = 2 * work->lists.capacity - 1, i = (uint32_t)cn_hash_mix(entity.id) & mask;
    if (!entity.id || work->actor_count == 0)
        return NULL;
    for (uint32_t at; (at = work->lists.table[i]) != 0; i = (i + 1) & mask) {
        const CraftyActor *other = &work->actors[at - 1];
        if (other->entity.id == entity.id)
            return other != think->actor &&
                           crafty_distance2(other->position, think->actor->position) <=
                               distance * distance
                       ? other
                       : NULL;
    }
    return NULL;
}

const CraftyWatcher *crafty_think_player(const CraftyThink *think, float distance,
                                         bool (*accepts)(const CraftyThink *think,
                                                         const CraftyWatcher *watcher))
{
    const CraftyWatcher *found = NULL;
    float nearest = distance * distance;
    for (uint32_t i = 0; i < think->work->watcher_count; i++) {
        const CraftyWatcher *watcher = &think->work->watchers[i];
        float d = crafty_distance2(watcher->feet, think->actor->position);
        if (d <= nearest && watcher->has_body && (!accepts || accepts(think, watcher))) {
            nearest = d;
            found = watcher;
        }
    }
    return found;
}

bool crafty_think_target(const CraftyThink *think, CnVec3 *feet)
{
    CnEntity target = think->actor->mind->target;
    for (uint32_t i = 0; i < think->work->watcher_count; i++)
        if (think->work->watchers[i].entity.id == target.id && target.id) {
            *feet = think->work->watchers[i].feet;
            return true;
        }
    const CraftyActor *other = crafty_think_find(think, target, 32);
    if (!other || other->is_dead)
        return false;
    *feet = other->position;
    return true;
}

/* Samples the line twice per block; a thin corner may be missed, which nobody notices. */
bool crafty_think_sees(CraftyThink *think, CnVec3 to)
{
    CnVec3 from = crafty_actor_eye(think->actor), way = cn_vec3_sub(to, from);
    float length = cn_sqrtf(cn_vec3_dot(way, way));
    uint32_t steps = (uint32_t)(2 * length) + 1;
    for (uint32_t i = 1; i < steps; i++) {
        CnVec3 at = cn_vec3_add(from, cn_vec3_scale(way, (float)i / (float)steps));
        if (crafty_think_traits(think, crafty_cell_of(at)) & CRAFTY_PATH_SOLID)
            return false;
    }
    return true;
}
