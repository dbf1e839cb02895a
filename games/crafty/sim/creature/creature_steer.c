/* Going somewhere: straight ahead where that is safe, otherwise along a path. */
#include "creature_internal.h"

#define STUCK_TICKS 90u  /* without getting to the next cell */
#define RETRY_TICKS 120u /* after a search without a result */
#define ARRIVE 0.35f
#define LONGEST_DROP 3

typedef enum Ahead { AHEAD_FREE, AHEAD_JUMP, AHEAD_NOT } Ahead;

static bool is_wet_kind(const CraftyCreatureKind *kind)
{
    return kind->spawn.habitat == CRAFTY_HABITAT_SHORE;
}

/* What is one step ahead of a creature on the ground. */
static Ahead look_ahead(CraftyThink *think, CnVec3 direction)
{
    const CraftyActor *actor = think->actor;
    CnVec3 at = actor->transform->position;
    float reach = actor->kind->width * 0.5f + 0.35f;
    CnCell cell = crafty_cell_of(
        cn_vec3(at.x + direction.x * reach, at.y + 0.1f, at.z + direction.z * reach));
    CnCell own = crafty_cell_of(cn_vec3(at.x, at.y + 0.1f, at.z));
    bool is_high = actor->kind->height * crafty_creature_scale(actor->kind, actor->creature) > 1;
    bool may_swim = is_wet_kind(actor->kind) || actor->body->swims;
    if (cell.x == own.x && cell.z == own.z)
        return AHEAD_FREE;
    uint8_t level = crafty_think_traits(think, cell);
    uint8_t above = crafty_think_traits(think, (CnCell){cell.x, cell.y + 1, cell.z});
    if ((level | (is_high ? above : 0)) & CRAFTY_PATH_HURTS)
        return AHEAD_NOT;
    if (level & CRAFTY_PATH_FENCE)
        return AHEAD_NOT;
    if (is_high && (above & CRAFTY_PATH_SOLID))
        return AHEAD_NOT;
    if (level & CRAFTY_PATH_DOOR)
        return AHEAD_NOT;
    if (level & CRAFTY_PATH_SOLID) {
        uint8_t head = crafty_think_traits(think, (CnCell){own.x, own.y + 1 + is_high, own.z});
        uint8_t room = crafty_think_traits(think, (CnCell){cell.x, cell.y + 1 + is_high, cell.z});
        bool fits =
            !((above | head | (is_high ? room : 0)) & (CRAFTY_PATH_SOLID | CRAFTY_PATH_HURTS));
        return fits ? AHEAD_JUMP : AHEAD_NOT;
    }
    for (int32_t down = 0; down <= LONGEST_DROP; down++) {
        uint8_t floor = crafty_think_traits(think, (CnCell){cell.x, cell.y - down, cell.z});
        if (floor & CRAFTY_PATH_HURTS)
            return AHEAD_NOT;
        if (floor & CRAFTY_PATH_WATER)
            return may_swim ? AHEAD_FREE : AHEAD_NOT;
        if (floor & (CRAFTY_PATH_SOLID | CRAFTY_PATH_SHAPED))
            return AHEAD_FREE;
    }
    return AHEAD_NOT;
}

void crafty_think_stop(CraftyThink *think)
{
    think->actor->wish = cn_vec3(0, 0, 0);
    think->actor->walk->status = CRAFTY_WALK_NONE;
    think->actor->mind->stuck = 0;
}

static CraftyGoing fly(CraftyThink *think, CnVec3 goal, float speed, float near)
{
    CraftyActor *actor = think->actor;
    CnVec3 way = cn_vec3_sub(goal, actor->transform->position);
    float length = cn_sqrtf(cn_vec3_dot(way, way));
    if (length <= near)
        return CRAFTY_ARRIVED;
    actor->wish = cn_vec3_scale(way, speed / length);
    return actor->body->blocked ? CRAFTY_BLOCKED : CRAFTY_GOING;
}

CraftyGoing crafty_think_steer(CraftyThink *think, CnVec3 goal, float speed, float near)
{
    CraftyActor *actor = think->actor;
    CnVec3 at = actor->transform->position;
    if (actor->kind->medium != CRAFTY_MEDIUM_GROUND)
        return fly(think, goal, speed, near);
    float x = goal.x - at.x, z = goal.z - at.z, length = cn_sqrtf(x * x + z * z);
    if (length <= near || length < 1e-3f)
        return CRAFTY_ARRIVED;
    CnVec3 direction = cn_vec3(x / length, 0, z / length);
    Ahead ahead = look_ahead(think, direction);
    if (ahead == AHEAD_NOT && !actor->body->swims)
        return CRAFTY_BLOCKED;
    actor->wish = cn_vec3_scale(direction, speed);
    actor->jumps = ahead == AHEAD_JUMP && actor->body->blocked;
    actor->mind->stuck = (uint16_t)(actor->body->blocked ? actor->mind->stuck + 1 : 0);
    return actor->mind->stuck > STUCK_TICKS / 2 ? CRAFTY_BLOCKED : CRAFTY_GOING;
}

/* ---- Paths ---- */

static CnCell walk_cell(const CraftyWalk *walk, uint32_t index)
{
    return (CnCell){walk->origin[0] + walk->cells[3 * index],
                    walk->origin[1] + walk->cells[3 * index + 1],
                    walk->origin[2] + walk->cells[3 * index + 2]};
}

static void ask(CraftyThink *think, CnVec3 goal, float near)
{
    CraftyWalk *walk = think->actor->walk;
    CnCell cell = crafty_cell_of(cn_vec3(goal.x, goal.y + 0.1f, goal.z));
    walk->status = CRAFTY_WALK_WAITING;
    walk->goal[0] = cell.x;
    walk->goal[1] = cell.y;
    walk->goal[2] = cell.z;
    walk->near = near < 1 ? 0 : near > 8 ? 8 : (uint8_t)near;
    walk->ticks = 0;
    think->actor->did |= CRAFTY_DID_ASK;
}

static void pass_doors(CraftyThink *think, CnCell next)
{
    CraftyActor *actor = think->actor;
    CraftyMind *mind = actor->mind;
    CnCell door = {mind->door[0], mind->door[1], mind->door[2]};
    CnVec3 at = actor->transform->position;
    float dx = at.x - (float)door.x - 0.5f, dz = at.z - (float)door.z - 0.5f;
    if (mind->has_door && dx * dx + dz * dz > 1.7f * 1.7f) {
        mind->has_door = false;
        actor->did |= CRAFTY_DID_CLOSE;
        actor->cell = door;
    }
    if (!actor->kind->opens_doors || mind->has_door ||
        !(crafty_think_traits(think, next) & CRAFTY_PATH_DOOR))
        return;
    mind->has_door = true;
    mind->door[0] = next.x;
    mind->door[1] = next.y;
    mind->door[2] = next.z;
    actor->did |= CRAFTY_DID_OPEN;
    actor->cell = next;
}

static CraftyGoing follow(CraftyThink *think, float speed)
{
    CraftyActor *actor = think->actor;
    CraftyWalk *walk = actor->walk;
    CnVec3 at = actor->transform->position;
    if (walk->index >= walk->count || walk->count > CRAFTY_WALK_CELLS)
        return CRAFTY_ARRIVED;
    CnCell next = walk_cell(walk, walk->index);
    float middle = crafty_path_middle(actor->kind->width *
                                      crafty_creature_scale(actor->kind, actor->creature));
    CnVec3 to = cn_vec3((float)next.x + middle, (float)next.y, (float)next.z + middle);
    float x = to.x - at.x, z = to.z - at.z, length = cn_sqrtf(x * x + z * z);
    float rise = to.y - at.y;
    pass_doors(think, next);
    if (length < ARRIVE && rise > -0.95f && rise < 0.75f) {
        walk->ticks = 0;
        walk->index++;
        return walk->index >= walk->count ? CRAFTY_ARRIVED : CRAFTY_GOING;
    }
    if (++walk->ticks > STUCK_TICKS)
        return CRAFTY_BLOCKED;
    bool on_ladder =
        (crafty_think_traits(think, crafty_cell_of(cn_vec3(at.x, at.y + 0.1f, at.z))) |
         crafty_think_traits(think, crafty_cell_of(cn_vec3(at.x, at.y - 0.2f, at.z)))) &
        CRAFTY_PATH_LADDER;
    if (length > 0.05f)
        actor->wish = cn_vec3(x / length * speed, 0, z / length * speed);
    if (on_ladder && (rise > -0.15f || length < 0.8f)) /* up to the edge before going over it */
        actor->wish.y = rise > -0.15f ? 1 : -1;
    actor->jumps = rise > 0.6f && (actor->body->blocked || length < 0.9f);
    return CRAFTY_GOING;
}

static bool goal_moved(const CraftyWalk *walk, CnVec3 goal)
{
    CnCell cell = crafty_cell_of(goal);
    int32_t x = cell.x - walk->goal[0], y = cell.y - walk->goal[1], z = cell.z - walk->goal[2];
    return x * x + y * y + z * z > 9;
}

CraftyGoing crafty_think_go(CraftyThink *think, CnVec3 goal, float speed, float near)
{
    CraftyActor *actor = think->actor;
    CraftyWalk *walk = actor->walk;
    float x = goal.x - actor->transform->position.x, z = goal.z - actor->transform->position.z;
    float y = goal.y - actor->transform->position.y;
    if (actor->kind->medium != CRAFTY_MEDIUM_GROUND)
        return fly(think, goal, speed, near);
    if (x * x + z * z <= near * near && y < 1.5f && y > -1.5f)
        return CRAFTY_ARRIVED;
    if (walk->status == CRAFTY_WALK_FOLLOWING) {
        CraftyGoing going = follow(think, speed);
        if (going == CRAFTY_GOING && !(goal_moved(walk, goal) && walk->index > 4))
            return going;
        walk->status = going == CRAFTY_BLOCKED ? CRAFTY_WALK_FAILED : CRAFTY_WALK_NONE;
        walk->ticks = 0;
        return going == CRAFTY_BLOCKED ? CRAFTY_BLOCKED : CRAFTY_GOING;
    }
    if (walk->status == CRAFTY_WALK_WAITING) {
        if (++walk->ticks > 4 * RETRY_TICKS) /* lost, as in a manipulated save */
            walk->status = CRAFTY_WALK_NONE;
        return CRAFTY_GOING;
    }
    if (walk->status == CRAFTY_WALK_FAILED && ++walk->ticks < RETRY_TICKS) {
        crafty_think_steer(think, goal, speed, near);
        return CRAFTY_BLOCKED;
    }
    walk->status = CRAFTY_WALK_NONE;
    bool is_level = y < 0.9f && y > -3.5f;
    CraftyGoing going = is_level ? crafty_think_steer(think, goal, speed, near) : CRAFTY_BLOCKED;
    if (going != CRAFTY_BLOCKED)
        return CRAFTY_GOING;
    ask(think, goal, near);
    return CRAFTY_GOING;
}
