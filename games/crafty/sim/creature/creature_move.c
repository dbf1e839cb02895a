/* Bodies of creatures among blocks. */
#include "creature_internal.h"

#define GRAVITY (-28.0f)
#define TERMINAL (-40.0f)
#define FLUTTER (-3.0f) /* birds */
#define JUMP 8.6f       /* 1.3 blocks */
#define STEP 0.6f
#define GROUND_GRIP 12.0f /* part of the difference to the wish, per second */
#define AIR_GRIP 2.0f
#define FLY_GRIP 4.0f
#define FLOAT_SPEED 1.6f
#define LEAP 7.0f /* out of water */
#define CLIMB 2.5f
#define TURN 360.0f /* degrees per second */
#define HEAD_TURN 240.0f
#define WALKED_WRAP 1024.0f
#define STRIDE 1.2f
#define SAFE_FALL 3.0f
#define SPLASH 3.0f
#define CHECK_TICKS 8u /* between two looks at the ground of a creature at rest */
#define SUFFER_TICKS 30u

static bool is_water(CraftyThink *think, CnVec3 at, float height)
{
    at.y += height;
    return (crafty_think_traits(think, crafty_cell_of(at)) & CRAFTY_PATH_WATER) != 0;
}

static float approached(float value, float to, float part)
{
    return value + (to - value) * (part < 1 ? part : 1);
}

/* ---- Directions ---- */

static float wrapped(float degrees)
{
    while (degrees > 180)
        degrees -= 360;
    while (degrees < -180)
        degrees += 360;
    return degrees;
}

static float turned(float from, float to, float most)
{
    float way = wrapped(to - from);
    return wrapped(from + (way > most ? most : way < -most ? -most : way));
}

static void turn(CraftyThink *think, float dt)
{
    CraftyActor *actor = think->actor;
    CraftyBody *body = actor->body;
    CraftyCreature *creature = actor->creature;
    float speed2 = actor->wish.x * actor->wish.x + actor->wish.z * actor->wish.z;
    float head_yaw = 0, head_pitch = 0, old = body->yaw;
    if (speed2 > 0.01f)
        body->yaw = turned(body->yaw, cn_atan2f(-actor->wish.x, -actor->wish.z) * (180 / CN_PIF),
                           TURN * dt);
    if (actor->looks) {
        CnVec3 way = cn_vec3_sub(actor->look, crafty_actor_eye(actor));
        float flat = cn_sqrtf(way.x * way.x + way.z * way.z);
        float yaw = cn_atan2f(-way.x, -way.z) * (180 / CN_PIF);
        head_yaw = wrapped(yaw - body->yaw);
        if (speed2 <= 0.01f && (head_yaw > 70 || head_yaw < -70))
            body->yaw = turned(body->yaw, yaw, TURN / 2 * dt);
        head_yaw = head_yaw > 80 ? 80 : head_yaw < -80 ? -80 : head_yaw;
        head_pitch = cn_atan2f(way.y, flat > 0.01f ? flat : 0.01f) * (180 / CN_PIF);
        head_pitch = head_pitch > 60 ? 60 : head_pitch < -60 ? -60 : head_pitch;
    }
    creature->head_yaw = turned(creature->head_yaw, head_yaw, HEAD_TURN * dt);
    creature->head_pitch = turned(creature->head_pitch, head_pitch, HEAD_TURN * dt);
    if (body->yaw != old) {
        CnQuat rotation = {0, 0, 0, 1};
        cn_sincosf(body->yaw * (CN_PIF / 360), &rotation.y, &rotation.w);
        actor->transform->rotation = rotation;
    }
}

/* ---- Speed ---- */

static void push_along(CraftyActor *actor, float grip, float dt)
{
    CraftyBody *body = actor->body;
    body->velocity.x = approached(body->velocity.x, actor->wish.x, grip * dt);
    body->velocity.z = approached(body->velocity.z, actor->wish.z, grip * dt);
}

static void float_up(CraftyThink *think, float height, float dt)
{
    CraftyActor *actor = think->actor;
    CraftyBody *body = actor->body;
    bool is_deep = is_water(think, actor->transform->position, 0.6f * height);
    push_along(actor, GROUND_GRIP / 2, dt);
    body->velocity.y = approached(body->velocity.y, is_deep ? FLOAT_SPEED : 0, 6 * dt);
    if (body->blocked && !is_deep && (actor->wish.x != 0 || actor->wish.z != 0))
        body->velocity.y = LEAP;
}

static void fall(CraftyActor *actor, float dt)
{
    CraftyBody *body = actor->body;
    float terminal = actor->kind->egg ? FLUTTER : TERMINAL;
    push_along(actor, body->grounded ? GROUND_GRIP : AIR_GRIP, dt);
    if (actor->jumps && body->grounded)
        body->velocity.y = JUMP;
    body->velocity.y += GRAVITY * dt;
    if (body->velocity.y < terminal)
        body->velocity.y = terminal;
}

static void climb(CraftyActor *actor, float dt)
{
    push_along(actor, GROUND_GRIP, dt);
    actor->body->velocity.y = actor->wish.y > 0.1f ? CLIMB : actor->wish.y < -0.1f ? -CLIMB : 0;
}

static void swim_freely(CraftyThink *think, float dt)
{
    CraftyActor *actor = think->actor;
    CraftyBody *body = actor->body;
    push_along(actor, FLY_GRIP, dt);
    body->velocity.y = approached(body->velocity.y, actor->wish.y, FLY_GRIP * dt);
    CnVec3 ahead = cn_vec3_add(actor->transform->position, cn_vec3_scale(body->velocity, 0.25f));
    if (actor->kind->medium == CRAFTY_MEDIUM_WATER && !is_water(think, ahead, 0.3f)) {
        body->velocity = cn_vec3_scale(body->velocity, -0.5f); /* stays in the water */
        body->velocity.y = body->velocity.y > 0 ? 0 : body->velocity.y;
        body->blocked = true;
    }
}

static void choose_speed(CraftyThink *think, float height, float dt)
{
    CraftyActor *actor = think->actor;
    CraftyMedium medium = actor->kind->medium;
    bool lives = actor->creature->health > 0;
    if (lives &&
        (medium == CRAFTY_MEDIUM_AIR || (medium == CRAFTY_MEDIUM_WATER && actor->body->swims)))
        swim_freely(think, dt);
    else if (lives && actor->body->swims)
        float_up(think, height, dt);
    else if (lives && actor->wish.y != 0)
        climb(actor, dt);
    else
        fall(actor, dt);
}

/* ---- Moving ---- */

/* Up, along, and down again. */
static bool step_up(CraftyThink *think, CnVec3 move, CnVec3 moved)
{
    CraftyActor *actor = think->actor;
    CnVec3 at = actor->transform->position;
    CnVoxelBox box = crafty_creature_box(actor->kind, actor->creature, at);
    CnVec3 up = cn_block_reader_sweep(&think->reader, box, cn_vec3(0, STEP, 0)).moved;
    CnVec3 high = cn_vec3_add(at, up);
    box = crafty_creature_box(actor->kind, actor->creature, high);
    CnVec3 along = cn_block_reader_sweep(&think->reader, box, cn_vec3(move.x, 0, move.z)).moved;
    if (along.x * along.x + along.z * along.z <= moved.x * moved.x + moved.z * moved.z + 1e-6f)
        return false;
    CnVec3 there = cn_vec3_add(high, along);
    box = crafty_creature_box(actor->kind, actor->creature, there);
    CnVoxelSweep down = cn_block_reader_sweep(&think->reader, box, cn_vec3(0, -up.y, 0));
    if (!down.on_ground)
        return false;
    actor->transform->position = cn_vec3_add(there, down.moved);
    return true;
}

static void sweep(CraftyThink *think, float dt)
{
    CraftyActor *actor = think->actor;
    CraftyBody *body = actor->body;
    CnVec3 at = actor->transform->position, way = cn_vec3_scale(body->velocity, dt);
    bool was_grounded = body->grounded;
    CnVoxelSweep hit = cn_block_reader_sweep(
        &think->reader, crafty_creature_box(actor->kind, actor->creature, at), way);
    bool is_blocked = hit.hit[0] || hit.hit[2];
    bool steps =
        is_blocked && was_grounded && body->velocity.y <= 0 && step_up(think, way, hit.moved);
    body->grounded = hit.on_ground || steps;
    body->blocked = is_blocked && !steps;
    if (hit.hit[1])
        body->velocity.y = 0;
    if (steps)
        return;
    actor->transform->position = cn_vec3_add(at, hit.moved);
    if (hit.hit[0])
        body->velocity.x = 0;
    if (hit.hit[2])
        body->velocity.z = 0;
}

static void count_distance(CraftyActor *actor, CnVec3 before)
{
    CraftyBody *body = actor->body;
    CnVec3 moved = cn_vec3_sub(actor->transform->position, before);
    float along = cn_sqrtf(moved.x * moved.x + moved.z * moved.z), old = body->walked;
    if (body->grounded && along > 0) {
        body->walked += along;
        if (cn_floorf(body->walked / STRIDE) != cn_floorf(old / STRIDE))
            actor->did |= CRAFTY_DID_STEP;
        if (body->walked >= WALKED_WRAP)
            body->walked -= WALKED_WRAP;
    }
    if (body->swims || actor->kind->medium != CRAFTY_MEDIUM_GROUND || actor->kind->egg)
        body->fall = 0;
    else if (moved.y < 0)
        body->fall -= moved.y;
    if (!body->grounded)
        return;
    if (body->fall > SAFE_FALL + 0.5f) {
        actor->did |= CRAFTY_DID_SUFFER;
        actor->value = cn_floorf(body->fall - SAFE_FALL + 0.5f);
    }
    body->fall = 0;
}

/* Magma and cactus hurt, lava more; fish suffer on land. */
static void suffer(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    CnVec3 at = actor->transform->position;
    if ((think->work->tick + actor->creature->seed) % SUFFER_TICKS != 0)
        return;
    uint8_t inside =
        crafty_think_traits(think, crafty_cell_of(cn_vec3_add(at, cn_vec3(0, 0.2f, 0))));
    uint8_t below =
        crafty_think_traits(think, crafty_cell_of(cn_vec3_add(at, cn_vec3(0, -0.05f, 0))));
    bool is_dry = actor->kind->medium == CRAFTY_MEDIUM_WATER && !actor->body->swims;
    float damage = inside & CRAFTY_PATH_HURTS ? 4 : below & CRAFTY_PATH_HURTS || is_dry ? 1 : 0;
    if (damage > 0 && at.y > -CN_CELL_LIMIT) {
        actor->did |= CRAFTY_DID_SUFFER;
        actor->value = damage;
    }
}

static bool rests(const CraftyThink *think)
{
    const CraftyActor *actor = think->actor;
    const CraftyBody *body = actor->body;
    bool is_slow =
        body->velocity.x * body->velocity.x + body->velocity.z * body->velocity.z < 1e-4f;
    return body->grounded && !body->swims && is_slow && !actor->jumps && actor->wish.x == 0 &&
           actor->wish.z == 0 && actor->wish.y == 0 &&
           (think->work->tick + actor->creature->seed) % CHECK_TICKS != 0;
}

void crafty_creature_move(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    float dt = think->dt;
    float height = actor->kind->height * crafty_creature_scale(actor->kind, actor->creature);
    CnVec3 before = actor->transform->position;
    if (actor->creature->health > 0)
        turn(think, dt);
    if (actor->is_still || rests(think)) {
        actor->body->velocity = cn_vec3(0, 0, 0);
        suffer(think);
        return;
    }
    bool swam = actor->body->swims;
    actor->body->swims = is_water(think, before, 0.35f * height);
    if (actor->body->swims && !swam && actor->body->velocity.y < -SPLASH) {
        actor->did |= CRAFTY_DID_SPLASH;
        actor->value = -actor->body->velocity.y;
    }
    choose_speed(think, height, dt);
    sweep(think, dt);
    count_distance(actor, before);
    suffer(think);
}
