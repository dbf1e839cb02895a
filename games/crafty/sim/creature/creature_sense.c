/* What creatures perceive. */
#include "creature_internal.h"

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

static uint32_t grid_slot(int32_t x, int32_t z)
{
    return ((uint32_t)x * 73856093u ^ (uint32_t)z * 19349663u) % CRAFTY_CREATURE_SLOTS;
}

static int32_t grid_cell(float at)
{
    return (int32_t)cn_floorf(at / CRAFTY_CREATURE_CELL);
}

void crafty_think_near(const CraftyThink *think, float distance,
                       bool (*visit)(void *user, const CraftyActor *other), void *user)
{
    const CraftyCreatureWork *work = think->work;
    CnVec3 at = think->actor->position;
    int32_t low_x = grid_cell(at.x - distance), high_x = grid_cell(at.x + distance);
    int32_t low_z = grid_cell(at.z - distance), high_z = grid_cell(at.z + distance);
    for (int32_t z = low_z; z <= high_z; z++)
        for (int32_t x = low_x; x <= high_x; x++)
            for (uint32_t i = work->grid[grid_slot(x, z)]; i; i = work->actors[i - 1].next) {
                const CraftyActor *other = &work->actors[i - 1];
                bool is_here = grid_cell(other->position.x) == x &&
                               grid_cell(other->position.z) == z; /* slots are shared */
                if (is_here && other != think->actor &&
                    crafty_distance2(other->position, at) <= distance * distance &&
                    !visit(user, other))
                    return;
            }
}

/* ---- Finding one ---- */

typedef struct Wanted {
    CnEntity entity;
    const CraftyActor *found;
} Wanted;

static bool compare(void *user, const CraftyActor *other)
{
    Wanted *wanted = user;
    if (other->entity.id == wanted->entity.id)
        wanted->found = other;
    return !wanted->found;
}

const CraftyActor *crafty_think_find(const CraftyThink *think, CnEntity entity, float distance)
{
    Wanted wanted = {.entity = entity};
    if (entity.id)
        crafty_think_near(think, distance, compare, &wanted);
    return wanted.found;
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
