#include "scene/component/controller_input.h"

#include <cairn/scene/camera.h>
#include <cairn/scene/controller.h>
#include <cairn/scene/presentation.h>
#include <cairn/scene/reflection.h>

#define MAX_PITCH 89.0f
/* How long after leaving the ground a jump is still possible. */
#define COYOTE_TICKS 6u

/* ---- Rotation ---- */

/* Wraps an angle to -180 to 180 degrees. */
static float wrapped(float degrees)
{
    float rest = cn_fmodf(degrees, 360);
    return rest > 180 ? rest - 360 : rest <= -180 ? rest + 360 : rest;
}

static float clamped(float value, float limit)
{
    return value > limit ? limit : value < -limit ? -limit : value;
}

static bool is_finite(CnVec3 v)
{
    return v.x - v.x == 0 && v.y - v.y == 0 && v.z - v.z == 0;
}

static bool same_rotation(CnQuat a, CnQuat b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

typedef struct Angles {
    float yaw, pitch;
} Angles;

/* Returns the stored angles, or those of the rotation if other code has changed it. */
static Angles angles_of(Angles kept, CnQuat rotation)
{
    if (same_rotation(rotation, cn_quat_from_euler(cn_vec3(kept.pitch, kept.yaw, 0))))
        return kept;
    CnVec3 degrees = cn_quat_to_euler(rotation);
    return is_finite(degrees) ? (Angles){degrees.y, degrees.x} : (Angles){0, 0};
}

static Angles turned(Angles from, CniSceneInputAxes look)
{
    Angles to = {wrapped(from.yaw - look.right), clamped(from.pitch + look.up, MAX_PITCH)};
    return to.yaw - to.yaw == 0 && to.pitch - to.pitch == 0 ? to : from;
}

static CniSceneInputAxes look_of(const CniSceneControllerInput *controls, float sensitivity,
                                 bool follows, float dt)
{
    CniSceneInputAxes look = {controls->stick_look.right * dt, controls->stick_look.up * dt};
    if (follows) {
        look.right += controls->mouse.right * sensitivity;
        look.up += controls->mouse.up * sensitivity;
    }
    return look;
}

/* Clicks and Escape change it. Returns false in the tick of a change: earlier mouse motion is
 * ignored. */
static bool follows_mouse(bool *captured, const CniSceneControllerInput *controls)
{
    bool before = *captured;
    *captured = !controls->release && (before || controls->capture);
    return before && *captured;
}

/* ---- Input of each object ---- */

/* Both parts are computed when the first chunk of objects needs them. */
typedef struct InputOfObjects {
    CniSceneControllerInput shared;    /* of objects without CnPlayerActions */
    CniSceneControllerActions actions; /* of the others, in the world's list */
    bool has_shared, has_actions;
} InputOfObjects;

/* `own` is the column of a chunk, or NULL. */
static void prepare_input(InputOfObjects *input, const CnWorld *world, const CnPlayerActions *own)
{
    if (own && !input->has_actions) {
        input->actions = cni_scene_controller_find_actions(cn_player_actions_list(world));
        input->has_actions = true;
    } else if (!own && !input->has_shared) {
        input->shared = cni_scene_controller_default_input(world);
        input->has_shared = true;
    }
}

static CniSceneControllerInput input_of(const InputOfObjects *input, const CnPlayerActions *own,
                                        uint32_t row)
{
    return own ? cni_scene_controller_input(&input->actions, &own[row].actions) : input->shared;
}

/* ---- Fly camera ---- */

static void fly(CnFlyCamera *fly, CnTransform *transform, const CniSceneControllerInput *controls,
                float dt)
{
    bool follows = follows_mouse(&fly->captured, controls);
    Angles before = angles_of((Angles){fly->yaw, fly->pitch}, transform->rotation);
    CniSceneInputAxes look = look_of(controls, fly->sensitivity, follows, dt);
    Angles after = turned(before, look);
    fly->yaw = after.yaw;
    fly->pitch = after.pitch;
    if (look.right != 0 || look.up != 0)
        transform->rotation = cn_quat_from_euler(cn_vec3(after.pitch, after.yaw, 0));
    CnVec3 way =
        cn_quat_rotate(transform->rotation, cn_vec3(controls->move.right, 0, -controls->move.up));
    way.y += controls->rise;
    float length = cn_vec3_length(way);
    float speed = fly->speed * (controls->fast ? fly->boost : 1) / (length > 1 ? length : 1);
    CnVec3 position = cn_vec3_add(transform->position, cn_vec3_scale(way, speed * dt));
    if (is_finite(position))
        transform->position = position;
}

static void run_fly_cameras(CnSystemContext *context)
{
    InputOfObjects input = {0};
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        CnFlyCamera *cameras = cn_column(&view, CnFlyCamera);
        CnTransform *transforms = cn_column(&view, CnTransform);
        const CnPlayerActions *own = cn_column_const(&view, CnPlayerActions);
        prepare_input(&input, context->world, own);
        for (uint32_t i = 0; i < view.count; i++) {
            CniSceneControllerInput controls = input_of(&input, own, i);
            fly(&cameras[i], &transforms[i], &controls, context->dt);
        }
    }
}

/* ---- Player ---- */

static CnEntity head_of(CnWorld *world, CnEntity object, const CnPlayerController *player)
{
    if (cn_get(world, player->head, CnTransform))
        return player->head;
    return cn_object_first_with(world, object, cn_component_of(world, &cn_type_CnCamera));
}

static void turn_player(CnWorld *world, CnEntity object, CnPlayerController *player,
                        CnTransform *transform, CniSceneInputAxes look)
{
    CnEntity head = head_of(world, object, player);
    bool in_one = cn_entity_equal(head, object); /* the object itself is the head */
    CnTransform *eye = in_one ? NULL : cn_get_mut(world, head, CnTransform);
    Angles body = {player->yaw, in_one ? player->pitch : 0};
    body = angles_of(body, transform->rotation);
    Angles before = {body.yaw,
                     eye ? angles_of((Angles){0, player->pitch}, eye->rotation).pitch : body.pitch};
    Angles after = turned(before, look);
    player->yaw = after.yaw;
    player->pitch = after.pitch;
    if (eye && player->eye - player->eye == 0)
        eye->position.y = player->eye;
    if (look.right == 0 && look.up == 0)
        return;
    transform->rotation = cn_quat_from_euler(cn_vec3(in_one ? after.pitch : 0, after.yaw, 0));
    if (eye)
        eye->rotation = cn_quat_from_euler(cn_vec3(after.pitch, 0, 0));
}

/* Computes the velocity: immediate along the ground, by gravity and jumps vertically. */
static void drive_player(CnPlayerController *player, const CniSceneControllerInput *controls,
                         float dt)
{
    float sine, cosine;
    cn_sincosf(player->yaw * (CN_PIF / 180), &sine, &cosine);
    CniSceneInputAxes move = controls->move;
    float length = cn_sqrtf(move.right * move.right + move.up * move.up);
    float speed = (controls->slow   ? player->sneak
                   : controls->fast ? player->sprint
                                    : player->walk) /
                  (length > 1 ? length : 1);
    CnVec3 velocity = {(move.right * cosine - move.up * sine) * speed, player->velocity.y,
                       (-move.right * sine - move.up * cosine) * speed};
    player->airborne_ticks = player->grounded ? 0 : player->airborne_ticks + 1;
    if (player->airborne_ticks > COYOTE_TICKS)
        player->airborne_ticks = COYOTE_TICKS + 1; /* only the comparison matters */
    if (controls->jump && player->airborne_ticks <= COYOTE_TICKS) {
        velocity.y = player->jump;
        player->grounded = false;
        player->airborne_ticks = COYOTE_TICKS + 1;
    }
    velocity.y += player->gravity * dt;
    if (velocity.y < player->terminal)
        velocity.y = player->terminal;
    if (is_finite(velocity))
        player->velocity = velocity;
}

/* Used when no other system handles the ground. */
static void move_player(CnPlayerController *player, CnTransform *transform, float dt)
{
    CnVec3 position = cn_vec3_add(transform->position, cn_vec3_scale(player->velocity, dt));
    player->grounded = position.y <= player->floor && player->velocity.y <= 0;
    if (player->grounded) {
        position.y = player->floor;
        player->velocity.y = 0;
    }
    if (is_finite(position))
        transform->position = position;
}

static void run_players(CnSystemContext *context)
{
    InputOfObjects input = {0};
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        CnPlayerController *players = cn_column(&view, CnPlayerController);
        CnTransform *transforms = cn_column(&view, CnTransform);
        const CnPlayerActions *own = cn_column_const(&view, CnPlayerActions);
        prepare_input(&input, context->world, own);
        for (uint32_t i = 0; i < view.count; i++) {
            CnPlayerController *player = &players[i];
            CniSceneControllerInput controls = input_of(&input, own, i);
            bool follows = follows_mouse(&player->captured, &controls);
            CniSceneInputAxes look = look_of(&controls, player->sensitivity, follows, context->dt);
            turn_player(context->world, view.entities[i], player, &transforms[i], look);
            drive_player(player, &controls, context->dt);
            if (!player->external)
                move_player(player, &transforms[i], context->dt);
        }
    }
}

/* ---- Reflection and registration ---- */

#define SPEED .unit = "m/s", .minimum = 0, .maximum = 1e6
#define SENSITIVITY .unit = "degrees/pixel", .minimum = -100, .maximum = 100

static const CnReflectedField fly_fields[] = {
    {.key = "speed", .field = "speed", SPEED, .about = "speed of flight"},
    {.key = "boost",
     .field = "boost",
     .maximum = 1e6,
     .about = "factor of the speed while shift is held"},
    {.key = "sensitivity", .field = "sensitivity", SENSITIVITY, .about = "of the mouse"},
    {.key = "captured", .field = "captured", .about = "whether it follows the mouse"},
};

static const CnReflectedField player_fields[] = {
    {.key = "head",
     .field = "head",
     .about = "the object that pitches; by default the first camera below"},
    {.key = "walk", .field = "walk", SPEED, .about = "speed of walking"},
    {.key = "sprint", .field = "sprint", SPEED, .about = "speed with shift held"},
    {.key = "sneak", .field = "sneak", SPEED, .about = "speed with control held"},
    {.key = "jump", .field = "jump", SPEED, .about = "initial upward speed"},
    {.key = "gravity",
     .field = "gravity",
     .unit = "m/s^2",
     .minimum = -1e6,
     .maximum = 1e6,
     .about = "vertical acceleration; negative is down"},
    {.key = "terminal",
     .field = "terminal",
     .minimum = -1e6,
     .maximum = -1e-6,
     .unit = "m/s",
     .about = "velocity limit when falling"},
    {.key = "sensitivity", .field = "sensitivity", SENSITIVITY, .about = "of the mouse"},
    {.key = "eye", .field = "eye", .unit = "m", .about = "height of the eye"},
    {.key = "floor",
     .field = "floor",
     .unit = "m",
     .about = "ground height when no other system provides one"},
    {.key = "captured", .field = "captured", .about = "whether it follows the mouse"},
    {.key = "external",
     .field = "external",
     .about = "whether another system moves it by its velocity"},
};

static const CnReflectedField actions_fields[] = {
    {.key = "player", .field = "player", .about = "number of the player whose input it receives"},
    {.key = "relative",
     .field = "relative",
     .kind = CN_REFLECTED_HIDDEN,
     .about = "set by messages"},
    {.key = "ignored", .field = "ignored", .kind = CN_REFLECTED_HIDDEN, .about = "set by messages"},
    {.key = "held",
     .field = "actions.held",
     .kind = CN_REFLECTED_HIDDEN,
     .about = "set by messages"},
    {.key = "pressed",
     .field = "actions.pressed",
     .kind = CN_REFLECTED_HIDDEN,
     .about = "set by messages"},
    {.key = "released",
     .field = "actions.released",
     .kind = CN_REFLECTED_HIDDEN,
     .about = "set by messages"},
    {.key = "axes",
     .field = "actions.axes",
     .kind = CN_REFLECTED_HIDDEN,
     .about = "set by messages"},
};

static const CnReflectedType reflected_types[] = {
    {.name = "FlyCameraComponent",
     .type = &cn_type_CnFlyCamera,
     .fields = fly_fields,
     .field_count = CN_COUNT_OF(fly_fields),
     .about = "a flying camera, controlled by keyboard, mouse and gamepad"},
    {.name = "PlayerControllerComponent",
     .type = &cn_type_CnPlayerController,
     .fields = player_fields,
     .field_count = CN_COUNT_OF(player_fields),
     .about = "a walking player, controlled by keyboard, mouse and gamepad"},
    {.name = "PlayerActionsComponent",
     .type = &cn_type_CnPlayerActions,
     .fields = actions_fields,
     .field_count = CN_COUNT_OF(actions_fields),
     .about = "the actions of one player, which controllers of this object follow"},
};

static bool register_controllers(CnWorld *world, CnError *error)
{
    static const CnFlyCamera fly_camera = {.speed = 8, .boost = 4, .sensitivity = 0.11459156f};
    static const CnPlayerController player = {.walk = 4.3f,
                                              .sprint = 7,
                                              .sneak = 1.3f,
                                              .jump = 11.5f,
                                              .gravity = -28,
                                              .terminal = -50,
                                              .sensitivity = 0.11459156f, /* .002 rad */
                                              .eye = 1.62f};
    const CnComponentDesc descs[] = {
        {.type = &cn_type_CnFlyCamera, .default_value = &fly_camera},
        {.type = &cn_type_CnPlayerController, .default_value = &player},
        {.type = &cn_type_CnPlayerActions},
    };
    CN_STATIC_ASSERT(CN_COUNT_OF(descs) == CN_COUNT_OF(reflected_types),
                     "each component must have its table");
    for (uint32_t i = 0; i < CN_COUNT_OF(descs); i++)
        if (!cn_component_register(world, &descs[i], error).id ||
            !cn_reflection_add(world, &reflected_types[i], error))
            return false;
    return true;
}

bool cn_controller_add(CnWorld *world, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    if (!cn_camera_add(world, error) || !cn_player_actions_register(world, error) ||
        !register_controllers(world, error))
        return false;
    const CnSystemDesc systems[] = {
        {.name = "FlyCameras",
         .run = run_fly_cameras,
         .stage = CN_STAGE_UPDATE,
         .set = CN_SCENE_UPDATE,
         .query = {.all = {cn_writes(CnFlyCamera), cn_writes(CnTransform)},
                   .none = {cn_tag(CnInactive)},
                   .optional = {cn_reads(CnPlayerActions)}},
         .access = {cn_reads(CnInputState), cn_reads(CnGamepadState),
                    cn_reads(CnPlayerActionsList)}},
        {.name = "PlayerControllers",
         .run = run_players,
         .stage = CN_STAGE_UPDATE,
         .set = CN_SCENE_UPDATE,
         .after = {"FlyCameras"},
         .query = {.all = {cn_writes(CnPlayerController), cn_writes(CnTransform)},
                   .none = {cn_tag(CnInactive)},
                   .optional = {cn_reads(CnPlayerActions)}},
         .access = {cn_reads(CnInputState), cn_reads(CnGamepadState), cn_reads(CnPlayerActionsList),
                    cn_reads(CnObject), cn_reads(CnNode), cn_reads(CnCamera)}},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(systems); i++)
        if (!cn_system_find(world, systems[i].name).id &&
            !cn_system_add(world, &systems[i], error).id)
            return false;
    return true;
}
