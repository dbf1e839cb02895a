#include "player.h"

#define AUTO_JUMP 8.0f
#define GRAVITY (-28.0f)
#define TERMINAL (-50.0f)
#define WATER_GRAVITY (-4.0f)
#define WATER_SINK (-2.0f)
#define SWIM 3.5f
#define WATER_DRAG 0.5f /* of the speed of walking */
#define FLY_SPEED 20.0f

CnVoxelBox crafty_player_box(CnVec3 eye)
{
    float half = CRAFTY_PLAYER_WIDTH / 2, feet = eye.y - CRAFTY_PLAYER_EYE;
    return (CnVoxelBox){{eye.x - half, feet, eye.z - half},
                        {eye.x + half, feet + CRAFTY_PLAYER_HEIGHT, eye.z + half}};
}

static CnCell cell_of(CnVec3 point)
{
    return (CnCell){(int32_t)cn_floorf(point.x), (int32_t)cn_floorf(point.y),
                    (int32_t)cn_floorf(point.z)};
}

static bool is_water(CnVoxels *voxels, CnVec3 point)
{
    return (cn_block_flags[cn_voxels_get(voxels, cell_of(point))] & CN_BLOCK_IS_WATER) != 0;
}

/* ---- Walking and swimming ---- */

static void swim(CnPlayerController *controller, const CnInputState *input)
{
    controller->gravity = WATER_GRAVITY;
    controller->terminal = WATER_SINK;
    controller->velocity.x *= WATER_DRAG;
    controller->velocity.z *= WATER_DRAG;
    if (cn_key_held(input, CN_KEY_SPACE))
        controller->velocity.y = SWIM;
}

/* A step of one block before the feet, with room above it. */
static bool may_step_up(CnVoxels *voxels, CnVoxelBox box, CnVec3 move, CnVec3 moved)
{
    box.min.y += 1.05f;
    box.max.y += 1.05f;
    move.y = 0;
    CnVec3 above = cn_voxels_sweep(voxels, box, move).moved;
    return !cn_voxels_overlap(voxels, box) &&
           above.x * above.x + above.z * above.z > moved.x * moved.x + moved.z * moved.z + 1e-6f;
}

static void walk(CnVoxels *voxels, CraftyPlayer *player, CnPlayerController *controller,
                 CnTransform *transform, const CnInputState *input, float dt)
{
    CnVec3 hips = transform->position;
    hips.y -= CRAFTY_PLAYER_EYE - 0.5f;
    player->swims = is_water(voxels, hips);
    if (player->swims) {
        swim(controller, input);
    } else {
        controller->gravity = GRAVITY;
        controller->terminal = TERMINAL;
    }
    CnVoxelBox box = crafty_player_box(transform->position);
    CnVec3 move = cn_vec3_scale(controller->velocity, dt);
    bool was_grounded = controller->grounded;
    CnVoxelSweep sweep = cn_voxels_sweep(voxels, box, move);
    transform->position = cn_vec3_add(transform->position, sweep.moved);
    controller->grounded = sweep.on_ground;
    if (sweep.hit[1])
        controller->velocity.y = 0;
    if ((sweep.hit[0] || sweep.hit[2]) && (was_grounded || player->swims) &&
        may_step_up(voxels, box, move, sweep.moved))
        controller->velocity.y = AUTO_JUMP;
}

static void run_walking(CnSystemContext *context)
{
    CnVoxels *voxels = cn_resource(context->world, CraftyBlocks)->voxels;
    const CnInputState *input = cn_resource(context->world, CnInputState);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        CraftyPlayer *players = cn_column(&view, CraftyPlayer);
        CnPlayerController *controllers = cn_column(&view, CnPlayerController);
        CnTransform *transforms = cn_column(&view, CnTransform);
        for (uint32_t i = 0; i < view.count; i++)
            walk(voxels, &players[i], &controllers[i], &transforms[i], input, context->dt);
    }
}

bool crafty_player_aims(CnWorld *world, CnEntity eye)
{
    const CnFlyCamera *fly = cn_get(world, eye, CnFlyCamera);
    const CnPlayerController *walker = cn_get(world, eye, CnPlayerController);
    return (fly && fly->captured) || (walker && walker->captured);
}

/* ---- Changing between walking and flying ---- */

static bool set_mode(CnWorld *world, CnEntity eye, CraftyPlayerMode mode)
{
    CraftyPlayer *player = cn_get_mut(world, eye, CraftyPlayer);
    if (!player)
        return false;
    player->mode = (uint8_t)mode;
    bool captured = crafty_player_aims(world, eye);
    cn_remove(world, eye, CnFlyCamera);
    cn_remove(world, eye, CnPlayerController);
    if (mode == CRAFTY_PLAYER_FLIES) {
        if (!cn_add(world, eye, CnFlyCamera))
            return false;
        CnFlyCamera *camera = cn_get_mut(world, eye, CnFlyCamera);
        camera->speed = FLY_SPEED;
        camera->captured = captured;
        return true;
    }
    if (!cn_add(world, eye, CnPlayerController))
        return false;
    CnPlayerController *controller = cn_get_mut(world, eye, CnPlayerController);
    controller->external = true;
    controller->captured = captured;
    return true;
}

static void run_modes(CnSystemContext *context)
{
    const CnInputState *input = cn_resource(context->world, CnInputState);
    if (!cn_key_pressed(input, CN_KEY_F))
        return;
    CnChunkView view;
    CnEntity eye = {0};
    uint8_t mode = 0;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        if (view.count) {
            eye = view.entities[0];
            mode = cn_column_const(&view, CraftyPlayer)[0].mode;
        }
    set_mode(context->world, eye,
             mode == CRAFTY_PLAYER_FLIES ? CRAFTY_PLAYER_WALKS : CRAFTY_PLAYER_FLIES);
}

/* ---- The hand ---- */

static void use_hand(CnSystemContext *context, CnEntity eye, CraftyPlayer *player,
                     const CnTransform *transform)
{
    CnWorld *world = context->world;
    const CnInputState *input = cn_resource(world, CnInputState);
    CraftyHand *hand = cn_resource_mut(world, CraftyHand);
    bool may = crafty_player_aims(world, eye);
    CnInteractEvent events[CN_INTERACT_MAX_EVENTS];
    uint32_t count = 0;
    cn_interact_update(
        &hand->interact, cn_resource(world, CraftyBlocks)->voxels,
        &(CnInteractInput){.eye = transform->position,
                           .forward = cn_quat_rotate(transform->rotation, cn_vec3(0, 0, -1)),
                           .body = crafty_player_box(transform->position),
                           .breaking = may && cn_mouse_held(input, CN_MOUSE_LEFT),
                           .placing = may && cn_mouse_held(input, CN_MOUSE_RIGHT),
                           .held = player->held,
                           .dt = context->dt,
                           .tick = cn_resource(world, CnTickInfo)->tick},
        events, &count);
    if (may && cn_mouse_pressed(input, CN_MOUSE_MIDDLE) && hand->interact.aiming &&
        cn_blocks[hand->interact.target.block].placeable)
        player->held = hand->interact.target.block;
    for (uint32_t i = 0; i < count && hand->event_count < CRAFTY_HAND_EVENTS; i++)
        hand->events[hand->event_count++] = events[i];
}

static void run_hands(CnSystemContext *context)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            use_hand(context, view.entities[i], &cn_column(&view, CraftyPlayer)[i],
                     &cn_column_const(&view, CnTransform)[i]);
}

/* ---- Adding ---- */

bool crafty_player_add(CnWorld *world, CnVoxels *voxels, CnError *error)
{
    const CnSystemDesc systems[] = {
        {.name = "CraftyPlayerModes",
         .run = run_modes,
         .stage = CN_STAGE_PRE_UPDATE,
         .query = {.all = {cn_reads(CraftyPlayer)}},
         .alone = true},
        {.name = "CraftyWalking",
         .run = run_walking,
         .stage = CN_STAGE_UPDATE,
         .query = {.all = {cn_writes(CraftyPlayer), cn_writes(CnPlayerController),
                           cn_writes(CnTransform)}},
         .after = {"PlayerControllers"},
         .alone = true},
        {.name = "CraftyHands",
         .run = run_hands,
         .stage = CN_STAGE_UPDATE,
         .query = {.all = {cn_writes(CraftyPlayer), cn_reads(CnTransform)}},
         .after = {"CraftyWalking", "FlyCameras"},
         .alone = true},
    };
    static const CraftyPlayer fresh = {.held = CN_BLOCK_STONE};
    if (!cn_component_register(
             world, &(CnComponentDesc){.type = &cn_type_CraftyPlayer, .default_value = &fresh},
             error)
             .id ||
        !cn_component_register(
             world,
             &(CnComponentDesc){.type = &cn_type_CraftyBlocks, .flags = CN_COMPONENT_TRANSIENT},
             error)
             .id ||
        !cn_component_register(
             world,
             &(CnComponentDesc){.type = &cn_type_CraftyHand, .flags = CN_COMPONENT_TRANSIENT},
             error)
             .id)
        return false;
    if (!cn_resource_set(world, CraftyBlocks, {voxels}) ||
        !cn_resource_set(world, CraftyHand, {.interact = {.player = 1}}))
        return cn_error_set(error, CN_ERROR_MEMORY, "out of memory for the player");
    for (uint32_t i = 0; i < CN_COUNT_OF(systems); i++)
        if (!cn_system_add(world, &systems[i], error).id)
            return false;
    return true;
}

bool crafty_player_make(CnWorld *world, CnEntity eye, CraftyPlayerMode mode)
{
    return cn_add(world, eye, CraftyPlayer) && set_mode(world, eye, mode);
}
