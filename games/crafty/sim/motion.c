#include "motion.h"

#include "actions.h"
#include "block_effects.h"
#include "systems.h"
#include "vitals.h"

#define WALK 4.3f
#define SPRINT 7.0f
#define SNEAK 1.3f
#define JUMP 11.5f
#define AUTO_JUMP 8.0f
#define GRAVITY (-28.0f)
#define TERMINAL (-50.0f)
#define COYOTE_TICKS 6u /* a jump is possible for so long after leaving the ground */
#define TAP_TICKS 18u   /* between two taps of a key */
#define AXIS_HELD 0.5f  /* part of an axis from which a direction counts as held */
#define STEP 0.6f       /* blocks; climbed without a jump, and walked down while sneaking */
#define BLOCK_STEP 1.05f
#define HUNGRY 6.0f /* food below which a player cannot sprint */

#define WATER_GRAVITY (-4.0f)
#define WATER_SINK (-2.0f)
#define SWIM 3.5f
#define WATER_DRAG 0.5f /* fraction of the walking speed */
#define BANK 1.6f       /* from the swimming eye to the top of a block beside the water */
#define LEAP 10.0f

#define CLIMB 3.0f      /* on ladders, up and down */
#define CLIMB_DRAG 0.5f /* fraction of the walking speed */
#define FLY 11.0f       /* in creative mode */
#define FLY_FAST 22.0f
#define RISE 8.0f

#define WALKED_WRAP 1024.0f
#define STRIDE 2.0f             /* blocks between two steps */
#define SPLASH 3.0f             /* speed from which water splashes */
#define EXHAUSTION_SPRINT 0.05f /* per block */
#define EXHAUSTION_SWIM 0.01f
#define EXHAUSTION_JUMP 0.05f
#define EXHAUSTION_SPRINT_JUMP 0.2f

/* What a player wants in this tick. */
typedef struct Wish {
    CnVec2 move; /* right, forward */
    bool jumps, presses_jump, sneaks, fast;
    float dt;
} Wish;

/* One player. */
typedef struct Body {
    CnWorld *world;
    CnEntity entity;
    CnVoxels *voxels;
    CraftyPlayer *player;
    CraftyMotion *motion;
    CraftyVitals *vitals;
    CnPlayerController *controller;
    CnTransform *transform;
} Body;

/* ---- Surroundings ---- */

static CnCell cell_of(CnVec3 point)
{
    return (CnCell){(int32_t)cn_floorf(point.x), (int32_t)cn_floorf(point.y),
                    (int32_t)cn_floorf(point.z)};
}

static bool is_water(CnVoxels *voxels, CnVec3 point)
{
    return (cn_voxels_blocks(voxels)->flags[cn_voxels_get(voxels, cell_of(point))] &
            CN_BLOCK_IS_WATER) != 0;
}

static CnVec3 above_feet(CnVec3 eye, float height)
{
    return cn_vec3(eye.x, eye.y - CRAFTY_PLAYER_EYE + height, eye.z);
}

static bool is_on_ladder(const Body *body)
{
    CnVec3 eye = body->transform->position;
    return (crafty_block_effects_at(body->world, cell_of(above_feet(eye, 0.1f))) |
            crafty_block_effects_at(body->world, cell_of(above_feet(eye, 0.9f)))) &
           CRAFTY_BLOCK_CLIMBS;
}

/* Returns whether the player can move on when raised by that height, and fits there. */
static bool may_step_up(CnVoxels *voxels, CnVoxelBox box, CnVec3 move, CnVec3 moved, float height)
{
    box.min.y += height;
    box.max.y += height;
    move.y = 0;
    CnVec3 above = cn_voxels_sweep(voxels, box, move).moved;
    return !cn_voxels_overlap(voxels, box) &&
           above.x * above.x + above.z * above.z > moved.x * moved.x + moved.z * moved.z + 1e-6f;
}

static bool has_ground(CnVoxels *voxels, CnVec3 eye)
{
    eye.y -= STEP;
    return cn_voxels_overlap(voxels, crafty_player_box(eye));
}

/* A sneaking player does not step over an edge. */
static CnVec3 kept_on_edge(CnVoxels *voxels, CnVec3 eye, CnVec3 move)
{
    if (!has_ground(voxels, cn_vec3(eye.x + move.x, eye.y, eye.z)))
        move.x = 0;
    if (!has_ground(voxels, cn_vec3(eye.x + move.x, eye.y, eye.z + move.z)))
        move.z = 0;
    return move;
}

/* ---- Wishes ---- */

static uint8_t counted(uint8_t ticks)
{
    return ticks < UINT8_MAX ? (uint8_t)(ticks + 1) : ticks;
}

/* Tapping forward twice starts a sprint, tapping jump twice starts and ends a flight. */
static void read_taps(Body *body, const Wish *wish)
{
    CraftyMotion *motion = body->motion;
    bool forward = wish->move.y > AXIS_HELD, starts = forward && !motion->is_forward;
    motion->sprints = motion->sprints || (starts && motion->forward_ticks < TAP_TICKS);
    motion->forward_ticks = starts ? 0 : counted(motion->forward_ticks);
    motion->is_forward = forward;
    bool is_second = wish->presses_jump && motion->jump_ticks < TAP_TICKS;
    motion->jump_ticks = is_second            ? UINT8_MAX
                         : wish->presses_jump ? 0
                                              : counted(motion->jump_ticks);
    if (is_second && body->player->mode == CRAFTY_MODE_CREATIVE)
        body->player->flies = !body->player->flies;
}

static void decide(Body *body, const Wish *wish)
{
    CraftyMotion *motion = body->motion;
    bool is_hungry = body->player->mode == CRAFTY_MODE_SURVIVAL && body->vitals->food <= HUNGRY;
    motion->sneaks = wish->sneaks && !body->player->flies;
    motion->sprints = (motion->sprints || wish->fast) && wish->move.y > AXIS_HELD &&
                      !motion->sneaks && !is_hungry;
}

static float speed_of(const Body *body)
{
    const CraftyMotion *motion = body->motion;
    if (body->player->flies)
        return motion->sprints ? FLY_FAST : FLY;
    float speed = motion->sneaks ? SNEAK : motion->sprints ? SPRINT : WALK;
    return body->player->swims ? speed * WATER_DRAG : motion->climbs ? speed * CLIMB_DRAG : speed;
}

/* The speed along the ground changes at once. */
static void steer(Body *body, const Wish *wish)
{
    float sine, cosine, right = wish->move.x, forward = wish->move.y;
    cn_sincosf(body->controller->yaw * (CN_PIF / 180), &sine, &cosine);
    float length = cn_sqrtf(right * right + forward * forward);
    float speed = speed_of(body) / (length > 1 ? length : 1);
    body->motion->velocity.x = (right * cosine - forward * sine) * speed;
    body->motion->velocity.z = (-right * sine - forward * cosine) * speed;
}

#define PUSH_FADES 8.0f /* per second */

/* What a blow adds to the speed. The component exists while it does. */
static void push(Body *body, float dt)
{
    const CraftyPush *old = cn_get(body->world, body->entity, CraftyPush);
    if (!old || (old->velocity.x == 0 && old->velocity.z == 0))
        return;
    CraftyPush *given = cn_get_mut(body->world, body->entity, CraftyPush);
    float part = 1 - PUSH_FADES * dt;
    body->motion->velocity.x += given->velocity.x;
    body->motion->velocity.z += given->velocity.z;
    given->velocity = cn_vec3_scale(given->velocity, part > 0 ? part : 0);
    float left = cn_vec3_dot(given->velocity, given->velocity);
    if (!(left > 0.01f && left < 1e4f))
        given->velocity = cn_vec3(0, 0, 0);
}

void crafty_player_push(CnWorld *world, CnEntity player, CnVec3 velocity)
{
    CraftyMotion *motion = cn_get_mut(world, player, CraftyMotion);
    const CraftyPlayer *own = cn_get(world, player, CraftyPlayer);
    if (!motion || !own || own->flies || own->mode == CRAFTY_MODE_SPECTATOR)
        return;
    motion->velocity.y += velocity.y;
    motion->grounded = false;
    cn_set(world, player, CraftyPush, {.velocity = {velocity.x, 0, velocity.z}});
}

/* ---- Up and down ---- */

static void fall(CraftyMotion *motion, float gravity, float terminal, float dt)
{
    motion->velocity.y += gravity * dt;
    if (motion->velocity.y < terminal)
        motion->velocity.y = terminal;
}

static void jump(Body *body)
{
    CraftyMotion *motion = body->motion;
    motion->velocity.y = JUMP;
    motion->airborne_ticks = COYOTE_TICKS + 1;
    body->vitals->exhaustion += motion->sprints ? EXHAUSTION_SPRINT_JUMP : EXHAUSTION_JUMP;
}

/* A wall in the way is climbed. */
static float climb_speed(const Body *body, const Wish *wish)
{
    CnVec3 velocity = body->motion->velocity, way = cn_vec3_scale(velocity, wish->dt);
    way.y = 0;
    CnVoxelSweep sweep =
        cn_voxels_sweep(body->voxels, crafty_player_box(body->transform->position), way);
    bool climbs = wish->jumps || sweep.hit[0] || sweep.hit[2];
    return climbs ? CLIMB : wish->sneaks ? 0 : -CLIMB;
}

static void rise_and_fall(Body *body, const Wish *wish)
{
    CraftyMotion *motion = body->motion;
    if (body->player->flies) {
        motion->velocity.y = RISE * (float)((int)wish->jumps - (int)wish->sneaks);
    } else if (body->player->swims) {
        fall(motion, WATER_GRAVITY, WATER_SINK, wish->dt);
        if (wish->jumps && motion->velocity.y < SWIM)
            motion->velocity.y = SWIM;
        else if (wish->sneaks)
            motion->velocity.y = -SWIM;
    } else if (motion->climbs) {
        motion->velocity.y = climb_speed(body, wish);
    } else {
        if (wish->jumps && motion->airborne_ticks <= COYOTE_TICKS)
            jump(body);
        fall(motion, GRAVITY, TERMINAL, wish->dt);
    }
}

/* ---- Moving ---- */

/* Walks onto something that is at most STEP high: up, along, and down again. */
static bool step_up(Body *body, CnVec3 move, CnVec3 moved)
{
    CnVec3 eye = body->transform->position;
    CnVec3 up = cn_voxels_sweep(body->voxels, crafty_player_box(eye), cn_vec3(0, STEP, 0)).moved;
    CnVec3 high = cn_vec3_add(eye, up);
    CnVec3 along =
        cn_voxels_sweep(body->voxels, crafty_player_box(high), cn_vec3(move.x, 0, move.z)).moved;
    if (along.x * along.x + along.z * along.z <= moved.x * moved.x + moved.z * moved.z + 1e-6f)
        return false;
    CnVec3 there = cn_vec3_add(high, along);
    CnVoxelSweep down =
        cn_voxels_sweep(body->voxels, crafty_player_box(there), cn_vec3(0, -up.y, 0));
    if (!down.on_ground)
        return false;
    body->transform->position = cn_vec3_add(there, down.moved);
    return true;
}

/* Returns the speed upwards if a block or a bank is in the way, otherwise 0. */
static float step_speed(const Body *body, CnVec3 eye, CnVec3 move, CnVec3 moved)
{
    CnVoxelBox box = crafty_player_box(eye);
    bool swims = body->player->swims, is_under = swims && is_water(body->voxels, eye);
    bool jumps = swims || (body->motion->preferences & CRAFTY_PREFERS_AUTO_JUMP);
    if (jumps && may_step_up(body->voxels, box, move, moved, BLOCK_STEP))
        return is_under ? SWIM : AUTO_JUMP;
    bool is_bank = swims && !is_under && may_step_up(body->voxels, box, move, moved, BANK);
    return is_bank ? LEAP : 0;
}

/* What is in the way stops, is stepped on, jumped on or climbed. */
static void meet_wall(Body *body, CnVec3 eye, CnVec3 move, const CnVoxelSweep *sweep,
                      bool was_grounded)
{
    CraftyMotion *motion = body->motion;
    bool may_step = was_grounded && !body->player->flies && motion->velocity.y <= 0;
    if (may_step) {
        body->transform->position = eye;
        if (step_up(body, move, sweep->moved)) {
            motion->grounded = true;
            return;
        }
        body->transform->position = cn_vec3_add(eye, sweep->moved);
    }
    if (!body->player->flies && (may_step || body->player->swims)) {
        float up = step_speed(body, eye, move, sweep->moved);
        if (up > 0 && motion->velocity.y < up) {
            motion->velocity.y = up;
            motion->grounded = false;
            motion->airborne_ticks = COYOTE_TICKS + 1;
        }
    }
    if (sweep->hit[0])
        motion->velocity.x = 0;
    if (sweep->hit[2])
        motion->velocity.z = 0;
    motion->sprints = motion->sprints && !(sweep->hit[0] && sweep->hit[2]);
}

static void move(Body *body, const Wish *wish)
{
    CraftyMotion *motion = body->motion;
    CnVec3 eye = body->transform->position, way = cn_vec3_scale(motion->velocity, wish->dt);
    bool was_grounded = motion->grounded;
    bool is_walking = was_grounded && !body->player->swims && !body->player->flies;
    if (is_walking && motion->sneaks && motion->velocity.y <= 0)
        way = kept_on_edge(body->voxels, eye, way);
    CnVoxelSweep sweep = cn_voxels_sweep(body->voxels, crafty_player_box(eye), way);
    body->transform->position = cn_vec3_add(eye, sweep.moved);
    motion->grounded = sweep.on_ground;
    if (sweep.hit[1])
        motion->velocity.y = 0;
    if (sweep.hit[0] || sweep.hit[2])
        meet_wall(body, eye, way, &sweep, was_grounded);
    if (motion->grounded && body->player->flies && wish->sneaks)
        body->player->flies = false;
    motion->airborne_ticks = motion->grounded ? 0 : counted(motion->airborne_ticks);
}

/* ---- What becomes of it ---- */

static void count_distance(Body *body, CnVec3 before)
{
    CraftyMotion *motion = body->motion;
    CnVec3 moved = cn_vec3_sub(body->transform->position, before);
    float along = cn_sqrtf(moved.x * moved.x + moved.z * moved.z);
    bool falls = moved.y < 0 && !body->player->swims && !body->player->flies && !motion->climbs;
    if (falls)
        body->vitals->fall -= moved.y;
    else if (body->player->swims || body->player->flies || motion->climbs)
        body->vitals->fall = 0;
    if (motion->grounded)
        motion->walked += along;
    if (motion->walked >= WALKED_WRAP)
        motion->walked -= WALKED_WRAP;
    if (body->player->swims)
        body->vitals->exhaustion += EXHAUSTION_SWIM * along;
    else if (motion->sprints && motion->grounded)
        body->vitals->exhaustion += EXHAUSTION_SPRINT * along;
    if (body->player->mode != CRAFTY_MODE_SURVIVAL)
        body->vitals->exhaustion = 0;
}

/* ---- Events ---- */

static void send(const Body *body, CraftyPlayerEventKind kind, float value)
{
    CnVec3 eye = body->transform->position;
    CnBlock below = cn_voxels_get(body->voxels, cell_of(above_feet(eye, -0.05f)));
    crafty_player_event_send(body->world, &(CraftyPlayerEvent){.player = body->entity,
                                                               .kind = (uint8_t)kind,
                                                               .item = below,
                                                               .value = value,
                                                               .position = eye});
}

static void enter_water(Body *body)
{
    bool swam = body->player->swims;
    body->player->swims = is_water(body->voxels, above_feet(body->transform->position, 0.5f));
    float speed = -body->motion->velocity.y;
    if (body->player->swims && !swam && speed > SPLASH)
        send(body, CRAFTY_PLAYER_SPLASHED, speed);
}

/* Each step is an event, for its sound; sneaking is silent. */
static void count_steps(const Body *body, float walked_before)
{
    float steps = cn_floorf(body->motion->walked / STRIDE);
    if (body->motion->grounded && !body->motion->sneaks && !body->player->swims &&
        steps != cn_floorf(walked_before / STRIDE))
        send(body, CRAFTY_PLAYER_STEPPED, 0);
}

/* Falls of less than a step are not worth an event. The system CraftyVitals hurts. */
static void land(Body *body)
{
    CraftyVitals *vitals = body->vitals;
    vitals->landed = 0;
    if (!body->motion->grounded)
        return;
    bool is_wet = is_water(body->voxels, above_feet(body->transform->position, 0.1f));
    if (vitals->fall > STEP)
        send(body, CRAFTY_PLAYER_LANDED, vitals->fall);
    vitals->landed = is_wet ? 0 : vitals->fall;
    vitals->fall = 0;
}

static void rest(Body *body)
{
    body->motion->velocity = cn_vec3(0, 0, 0);
    body->motion->sprints = body->motion->sneaks = false;
}

static void walk(Body *body, const Wish *wish)
{
    CnVec3 before = body->transform->position;
    if (body->vitals->dead || body->vitals->sleep_ticks) {
        rest(body);
    } else {
        enter_water(body);
        read_taps(body, wish);
        body->motion->climbs = !body->player->flies && !body->player->swims && is_on_ladder(body);
        decide(body, wish);
        steer(body, wish);
        push(body, wish->dt);
        rise_and_fall(body, wish);
        move(body, wish);
        float walked = body->motion->walked;
        count_distance(body, before);
        count_steps(body, walked);
        land(body);
    }
    body->controller->velocity = body->motion->velocity; /* for those who read the controller */
    body->controller->grounded = body->motion->grounded;
}

static void run_walking(CnSystemContext *context)
{
    CnWorld *world = context->world;
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    const CraftyActionSet *set = cn_resource(world, CraftyActionSet);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            const CnActions *actions = &cn_column_const(&view, CnPlayerActions)[i].actions;
            Body body = {.world = world,
                         .entity = view.entities[i],
                         .voxels = voxels,
                         .player = &cn_column(&view, CraftyPlayer)[i],
                         .motion = &cn_column(&view, CraftyMotion)[i],
                         .vitals = &cn_column(&view, CraftyVitals)[i],
                         .controller = &cn_column(&view, CnPlayerController)[i],
                         .transform = &cn_column(&view, CnTransform)[i]};
            Wish wish = {.move = cn_action_axis2(actions, set->move),
                         .jumps = cn_action_held(actions, set->jump),
                         .presses_jump = cn_action_pressed(actions, set->jump),
                         .sneaks = cn_action_held(actions, set->sneak),
                         .fast = cn_action_held(actions, set->fast),
                         .dt = context->dt};
            walk(&body, &wish);
        }
}

/* ---- Adding ---- */

bool crafty_player_teleport(CnWorld *world, CnEntity player, const CraftyPose *pose)
{
    CnTransform *transform = cn_get_mut(world, player, CnTransform);
    if (!transform || (!cn_get(world, player, CraftyPlayer) && !cn_get(world, player, CnCamera)))
        return false;
    transform->position = pose->position;
    transform->rotation = crafty_pose_rotation(pose);
    CnPlayerController *walker = cn_get_mut(world, player, CnPlayerController);
    CraftyMotion *motion = cn_get_mut(world, player, CraftyMotion);
    CraftyVitals *vitals = cn_get_mut(world, player, CraftyVitals);
    if (walker)
        walker->velocity = cn_vec3(0, 0, 0);
    if (motion)
        motion->velocity = cn_vec3(0, 0, 0);
    if (vitals)
        vitals->fall = 0;
    return true;
}

bool crafty_player_is_low(const CnWorld *world, CnEntity player)
{
    const CraftyMotion *motion = cn_get(world, player, CraftyMotion);
    const CraftyPlayer *state = cn_get(world, player, CraftyPlayer);
    return motion && motion->sneaks && state && state->mode != CRAFTY_MODE_SPECTATOR &&
           !state->flies;
}

CnVec3 crafty_player_eye(const CnWorld *world, CnEntity player)
{
    CnVec3 eye = cn_get(world, player, CnTransform)->position;
    if (crafty_player_is_low(world, player))
        eye.y -= CRAFTY_SNEAK_DROP;
    return eye;
}

bool crafty_motion_add(CnWorld *world, CnError *error)
{
    static const CraftyMotion start = {.preferences = CRAFTY_PREFERS_AUTO_JUMP,
                                       .airborne_ticks = UINT8_MAX,
                                       .forward_ticks = UINT8_MAX,
                                       .jump_ticks = UINT8_MAX};
    CnComponentDesc motion = {.type = &cn_type_CraftyMotion, .default_value = &start};
    CnComponentDesc push_desc = {.type = &cn_type_CraftyPush};
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    if (!cn_component_register(world, &motion, error).id ||
        !cn_component_register(world, &push_desc, error).id ||
        !crafty_block_effects_add(world, cn_voxels_blocks(voxels), error))
        return false;
    CnSystemDesc desc = {.name = "CraftyWalking",
                         .run = run_walking,
                         .stage = CN_STAGE_UPDATE,
                         .query = {.all = {cn_writes(CraftyPlayer), cn_writes(CraftyMotion),
                                           cn_writes(CraftyVitals), cn_writes(CnPlayerController),
                                           cn_writes(CnTransform), cn_reads(CnPlayerActions)}},
                         .alone = true};
    return cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error);
}
