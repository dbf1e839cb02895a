#include "player.h"

#include "actions.h"
#include "hand.h"
#include "place.h"
#include "systems.h"

#define AUTO_JUMP 8.0f
#define STEP 1.05f /* blocks; step height climbed without pressing jump */
#define BANK 1.6f  /* from the swimming eye to the top of a block beside the water */
#define LEAP 10.0f
#define EDGE 0.1f /* a deeper drop counts as an edge when sneaking */
#define GRAVITY (-28.0f)
#define TERMINAL (-50.0f)
#define WATER_GRAVITY (-4.0f)
#define WATER_SINK (-2.0f)
#define SWIM 3.5f
#define WATER_DRAG 0.5f /* fraction of the walking speed */
#define FLY_SPEED 20.0f
#define MAX_LIFT 512u
#define LIFT_GAP 0.01f

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
    return (cn_voxels_blocks(voxels)->flags[cn_voxels_get(voxels, cell_of(point))] &
            CN_BLOCK_IS_WATER) != 0;
}

/* ---- Walking and swimming ---- */

static void swim(CnPlayerController *controller, bool rises)
{
    controller->gravity = WATER_GRAVITY;
    controller->terminal = WATER_SINK;
    controller->velocity.x *= WATER_DRAG;
    controller->velocity.z *= WATER_DRAG;
    if (rises && controller->velocity.y < SWIM)
        controller->velocity.y = SWIM;
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
    eye.y -= EDGE;
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

/* Returns the climbing speed if a step or a bank is in the way, otherwise 0. */
static float step_speed(CnVoxels *voxels, CnVec3 eye, CnVec3 move, CnVec3 moved, bool swims)
{
    CnVoxelBox box = crafty_player_box(eye);
    bool is_under = swims && is_water(voxels, eye);
    if (may_step_up(voxels, box, move, moved, STEP))
        return is_under ? SWIM : AUTO_JUMP;
    bool is_bank = swims && !is_under && may_step_up(voxels, box, move, moved, BANK);
    return is_bank ? LEAP : 0;
}

typedef struct Walk {
    bool jumps, sneaks;
    float dt;
} Walk;

static void walk(CnVoxels *voxels, CraftyPlayer *player, CnPlayerController *controller,
                 CnTransform *transform, const Walk *wish)
{
    CnVec3 hips = transform->position;
    hips.y -= CRAFTY_PLAYER_EYE - 0.5f;
    player->swims = is_water(voxels, hips);
    if (player->swims) {
        swim(controller, wish->jumps);
    } else {
        controller->gravity = GRAVITY;
        controller->terminal = TERMINAL;
    }
    CnVec3 eye = transform->position, move = cn_vec3_scale(controller->velocity, wish->dt);
    bool was_grounded = controller->grounded;
    if (was_grounded && !player->swims && controller->velocity.y <= 0 && wish->sneaks)
        move = kept_on_edge(voxels, eye, move);
    CnVoxelSweep sweep = cn_voxels_sweep(voxels, crafty_player_box(eye), move);
    transform->position = cn_vec3_add(eye, sweep.moved);
    controller->grounded = sweep.on_ground;
    if (sweep.hit[1])
        controller->velocity.y = 0;
    if ((sweep.hit[0] || sweep.hit[2]) && (was_grounded || player->swims)) {
        float up = step_speed(voxels, eye, move, sweep.moved, player->swims);
        if (controller->velocity.y < up)
            controller->velocity.y = up;
    }
}

static void run_walking(CnSystemContext *context)
{
    CnVoxels *voxels = cn_resource(context->world, CraftyBlocks)->voxels;
    const CraftyActionSet *set = cn_resource(context->world, CraftyActionSet);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        const CnPlayerActions *own = cn_column_const(&view, CnPlayerActions);
        CraftyPlayer *players = cn_column(&view, CraftyPlayer);
        CnPlayerController *controllers = cn_column(&view, CnPlayerController);
        CnTransform *transforms = cn_column(&view, CnTransform);
        for (uint32_t i = 0; i < view.count; i++) {
            Walk wish = {.jumps = cn_action_held(&own[i].actions, set->jump),
                         .sneaks = cn_action_held(&own[i].actions, set->sneak),
                         .dt = context->dt};
            walk(voxels, &players[i], &controllers[i], &transforms[i], &wish);
        }
    }
}

bool crafty_player_aims(const CnWorld *world, CnEntity eye)
{
    const CnFlyCamera *fly = cn_get(world, eye, CnFlyCamera);
    const CnPlayerController *walker = cn_get(world, eye, CnPlayerController);
    return (fly && fly->captured) || (walker && walker->captured);
}

bool crafty_player_capture(CnWorld *world, CnEntity eye, bool captured)
{
    CnFlyCamera *fly = cn_get_mut(world, eye, CnFlyCamera);
    CnPlayerController *walker = cn_get_mut(world, eye, CnPlayerController);
    if (fly)
        fly->captured = captured;
    if (walker)
        walker->captured = captured;
    return fly || walker;
}

bool crafty_player_set_sensitivity(CnWorld *world, CnEntity eye, float degrees)
{
    CnFlyCamera *fly = cn_get_mut(world, eye, CnFlyCamera);
    CnPlayerController *walker = cn_get_mut(world, eye, CnPlayerController);
    if (fly)
        fly->sensitivity = degrees;
    if (walker)
        walker->sensitivity = degrees;
    return fly || walker;
}

/* ---- Switching between walking and flying ---- */

/* Returns 0 if there is no controller yet. */
static float sensitivity_of(CnWorld *world, CnEntity eye)
{
    const CnFlyCamera *fly = cn_get(world, eye, CnFlyCamera);
    const CnPlayerController *walker = cn_get(world, eye, CnPlayerController);
    return fly ? fly->sensitivity : walker ? walker->sensitivity : 0;
}

static bool add_controller(CnWorld *world, CnEntity eye, CraftyPlayerMode mode)
{
    if (mode == CRAFTY_PLAYER_FLIES) {
        if (!cn_add(world, eye, CnFlyCamera))
            return false;
        cn_get_mut(world, eye, CnFlyCamera)->speed = FLY_SPEED;
        return true;
    }
    if (!cn_add(world, eye, CnPlayerController))
        return false;
    CnPlayerController *walker = cn_get_mut(world, eye, CnPlayerController);
    walker->external = true;
    walker->head = eye; /* also without a camera */
    return true;
}

static bool change_controller(CnWorld *world, CnEntity eye, CraftyPlayerMode mode)
{
    CraftyPlayer *player = cn_get_mut(world, eye, CraftyPlayer);
    if (!player)
        return false;
    player->mode = (uint8_t)mode;
    bool captured = crafty_player_aims(world, eye);
    float sensitivity = sensitivity_of(world, eye);
    cn_remove(world, eye, CnFlyCamera);
    cn_remove(world, eye, CnPlayerController);
    if (!add_controller(world, eye, mode))
        return false;
    crafty_player_capture(world, eye, captured);
    if (sensitivity > 0)
        crafty_player_set_sensitivity(world, eye, sensitivity);
    return true;
}

/* A player who starts walking inside rock is moved to its top. */
static void leave_rock(CnWorld *world, CnEntity eye)
{
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    CnTransform *transform = cn_get_mut(world, eye, CnTransform);
    CnVec3 place = transform->position;
    for (uint32_t i = 0; i < MAX_LIFT && cn_voxels_overlap(voxels, crafty_player_box(place)); i++)
        place.y = cn_floorf(place.y - CRAFTY_PLAYER_EYE) + 1 + LIFT_GAP + CRAFTY_PLAYER_EYE;
    transform->position = place;
}

bool crafty_player_set_mode(CnWorld *world, CnEntity eye, CraftyPlayerMode mode)
{
    if (!change_controller(world, eye, mode))
        return false;
    if (mode == CRAFTY_PLAYER_WALKS)
        leave_rock(world, eye);
    return true;
}

/* A change of mode moves the entity to another archetype, so players are collected first. */
static void run_modes(CnSystemContext *context)
{
    CnEntity eyes[CRAFTY_MAX_PLAYERS];
    CraftyPlayerMode modes[CRAFTY_MAX_PLAYERS];
    uint32_t count = 0;
    CnAction toggle = cn_resource(context->world, CraftyActionSet)->toggle_fly;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count && count < CRAFTY_MAX_PLAYERS; i++) {
            if (!cn_action_pressed(&cn_column_const(&view, CnPlayerActions)[i].actions, toggle))
                continue;
            bool flies = cn_column_const(&view, CraftyPlayer)[i].mode == CRAFTY_PLAYER_FLIES;
            modes[count] = flies ? CRAFTY_PLAYER_WALKS : CRAFTY_PLAYER_FLIES;
            eyes[count++] = view.entities[i];
        }
    for (uint32_t i = 0; i < count; i++)
        crafty_player_set_mode(context->world, eyes[i], modes[i]);
}

/* ---- Slots ---- */

CraftyStack crafty_player_held(const CraftyItems *items, const CraftyPlayer *player)
{
    return crafty_stack_checked(items, player->slots[player->slot % CRAFTY_SLOTS]);
}

static bool holds_unknown(const CraftyItems *items, CraftyStack stack)
{
    const CraftyItemInfo *info = crafty_items_info(items, stack.item);
    return info && !info->is_known && !crafty_stack_is_empty(stack);
}

bool crafty_player_take(const CraftyItems *items, CraftyPlayer *player, CraftyItem item,
                        uint32_t count)
{
    CraftyStack taken = {0};
    if (!count || crafty_stack_put(items, &taken, item, count) != count)
        return false;
    for (uint8_t i = 0; i < CRAFTY_SLOTS; i++)
        if (crafty_stack_checked(items, player->slots[i]).item == item) {
            player->slot = i;
            return true;
        }
    for (uint32_t i = 0; i < CRAFTY_SLOTS; i++) {
        uint8_t slot = (uint8_t)((player->slot + i) % CRAFTY_SLOTS);
        if (holds_unknown(items, player->slots[slot]))
            continue;
        player->slot = slot;
        player->slots[slot] = taken;
        return true;
    }
    return false;
}

CraftyStack *crafty_player_slot(CraftyPlayer *player, uint32_t slot)
{
    if (slot < CRAFTY_SLOTS)
        return &player->slots[slot];
    return slot < CRAFTY_PLAYER_SLOTS ? &player->inventory[slot - CRAFTY_SLOTS] : NULL;
}

void crafty_player_give(const CraftyItems *items, CraftyPlayer *player, CraftyStack *stack)
{
    for (uint32_t i = 0; i < 2 * CRAFTY_PLAYER_SLOTS && stack->count > 0; i++) {
        bool wants_empty = i >= CRAFTY_PLAYER_SLOTS;
        CraftyStack *slot = crafty_player_slot(player, i % CRAFTY_PLAYER_SLOTS);
        bool fits = wants_empty ? crafty_stack_is_empty(*slot) : slot->item == stack->item;
        if (fits)
            crafty_stack_move(items, stack, slot, stack->count);
    }
}

/* Slots of items that the game does not have stay empty. */
static CraftyPlayer new_player(const CraftyItems *items)
{
    static const char *const names[CRAFTY_SLOTS] = {"stone",        "dirt",      "oak_planks",
                                                    "stone_bricks", "glass",     "oak_log",
                                                    "torch",        "glowstone", "white_wool"};
    CraftyPlayer player = {0};
    for (uint32_t i = 0; i < CRAFTY_SLOTS; i++)
        crafty_stack_put(items, &player.slots[i], crafty_items_find(items, names[i]), 1);
    return player;
}

/* ---- Adding ---- */

CnEntity crafty_player_find(const CnQuery *players, uint32_t number)
{
    CnChunkView view;
    CnEntity found = {0};
    for (CnQueryIter it = cn_query_iter(players); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count && !found.id; i++)
            if (cn_column_const(&view, CnPlayerActions)[i].player == number)
                found = view.entities[i];
    return number ? found : (CnEntity){0};
}

static bool add_resources(CnWorld *world, CnVoxels *voxels, const CraftyItems *items,
                          CnError *error)
{
    CraftyPlayer fresh = new_player(items);
    CraftyActionSet set = crafty_action_set();
    const CnComponentDesc descs[] = {
        {.type = &cn_type_CraftyPlayer, .default_value = &fresh},
        {.type = &cn_type_CraftyBlocks, .flags = CN_COMPONENT_TRANSIENT},
        {.type = &cn_type_CraftyItemList, .flags = CN_COMPONENT_TRANSIENT},
        {.type = &cn_type_CraftyActionSet, .flags = CN_COMPONENT_TRANSIENT},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(descs); i++)
        if (!cn_component_register(world, &descs[i], error).id)
            return false;
    return (cn_resource_set(world, CraftyBlocks, {.voxels = voxels}) &&
            cn_resource_set(world, CraftyItemList, {.items = items}) &&
            cn_resource_set_value(world, cn_id(world, CraftyActionSet), &set)) ||
           cn_error_memory(error, "the player");
}

bool crafty_player_add(CnWorld *world, CnVoxels *voxels, const CraftyItems *items, CnError *error)
{
    const CnSystemDesc systems[] = {
        {.name = "CraftyPlayerModes",
         .run = run_modes,
         .stage = CN_STAGE_PRE_UPDATE,
         .query = {.all = {cn_reads(CraftyPlayer), cn_reads(CnPlayerActions)}},
         .alone = true},
        {.name = "CraftyWalking",
         .run = run_walking,
         .stage = CN_STAGE_UPDATE,
         .query = {.all = {cn_writes(CraftyPlayer), cn_writes(CnPlayerController),
                           cn_writes(CnTransform), cn_reads(CnPlayerActions)}},
         .alone = true},
    };
    CN_ASSERT(voxels && items, "the player needs a voxel world and items");
    if (!voxels || !items)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "the player needs a voxel world and items; give both");
    if (!cn_player_actions_add(world, crafty_actions(), error) ||
        !add_resources(world, voxels, items, error))
        return false;
    for (uint32_t i = 0; i < CN_COUNT_OF(systems); i++)
        if (!crafty_system_add(world, &systems[i], error))
            return false;
    return crafty_hand_add(world, error);
}

bool crafty_player_make(CnWorld *world, CnEntity eye, uint32_t number, CraftyPlayerMode mode)
{
    return cn_set(world, eye, CnPlayerActions, {.player = number}) &&
           cn_add(world, eye, CraftyPlayer) && cn_add(world, eye, CraftyHand) &&
           cn_add(world, eye, CraftyPlace) && change_controller(world, eye, mode);
}
