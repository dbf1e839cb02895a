#include "player.h"

#include "actions.h"
#include "bed.h"
#include "drops.h"
#include "eating.h"
#include "hand.h"
#include "motion.h"
#include "identity.h"
#include "place.h"
#include "player_index.h"
#include "rules.h"
#include "systems.h"
#include "vitals.h"

#define FLY_SPEED 20.0f
#define MAX_LIFT 512u
#define LIFT_GAP 0.01f

CnVoxelBox crafty_player_box(CnVec3 eye)
{
    float half = CRAFTY_PLAYER_WIDTH / 2, feet = eye.y - CRAFTY_PLAYER_EYE;
    return (CnVoxelBox){{eye.x - half, feet, eye.z - half},
                        {eye.x + half, feet + CRAFTY_PLAYER_HEIGHT, eye.z + half}};
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

/* ---- Modes ---- */

/* Returns 0 if there is no controller yet. */
static float sensitivity_of(CnWorld *world, CnEntity eye)
{
    const CnFlyCamera *fly = cn_get(world, eye, CnFlyCamera);
    const CnPlayerController *walker = cn_get(world, eye, CnPlayerController);
    return fly ? fly->sensitivity : walker ? walker->sensitivity : 0;
}

static bool add_controller(CnWorld *world, CnEntity eye, CraftyPlayerMode mode)
{
    if (mode == CRAFTY_MODE_SPECTATOR) {
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
    player->flies = player->flies && mode == CRAFTY_MODE_CREATIVE;
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

void crafty_player_leave_rock(CnWorld *world, CnEntity eye)
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
    if (mode != CRAFTY_MODE_SPECTATOR)
        crafty_player_leave_rock(world, eye);
    return true;
}

CnVec3 crafty_player_move_to(CnWorld *world, CnEntity player, CnVec3 feet)
{
    const CraftyPlayer *state = cn_get(world, player, CraftyPlayer);
    CnQuat rotation = cn_get(world, player, CnTransform)->rotation;
    CraftyPose pose = {.position = {feet.x, feet.y + CRAFTY_PLAYER_EYE, feet.z}};
    crafty_player_teleport(world, player, &pose);
    cn_get_mut(world, player, CnTransform)->rotation = rotation;
    if (state->mode != CRAFTY_MODE_SPECTATOR)
        crafty_player_leave_rock(world, player);
    feet = cn_get(world, player, CnTransform)->position;
    feet.y -= CRAFTY_PLAYER_EYE;
    return feet;
}

/* F starts and ends the flight of a player in creative mode; where commands are allowed, it also
 * makes a player of a spectator. A change of mode moves the entity to another archetype, so
 * spectators are collected first. */
static void run_modes(CnSystemContext *context)
{
    uint32_t count;
    const CnEntity *players = crafty_player_list(context, CRAFTY_LIST_MODES, &count);
    CnWorld *world = context->world;
    CnAction toggle = cn_resource(world, CraftyActionSet)->toggle_fly;
    for (uint32_t i = 0; i < count; i++) {
        if (!cn_action_pressed(&cn_get(world, players[i], CnPlayerActions)->actions, toggle))
            continue;
        CraftyPlayer *player = cn_get_mut(world, players[i], CraftyPlayer);
        if (player->mode == CRAFTY_MODE_CREATIVE)
            player->flies = !player->flies;
        else if (player->mode == CRAFTY_MODE_SPECTATOR &&
                 crafty_role_of(world, players[i]) >= CRAFTY_ROLE_OPERATOR)
            crafty_player_set_mode(world, players[i], CRAFTY_MODE_CREATIVE);
    }
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
        bool fits = wants_empty ? crafty_stack_is_empty(*slot) : crafty_stack_same(*slot, *stack);
        if (fits)
            crafty_stack_move(items, stack, slot, stack->count);
    }
}

bool crafty_player_has_room(const CraftyItems *items, const CraftyPlayer *player, CraftyStack stack)
{
    const CraftyItemInfo *info = crafty_items_info(items, stack.item);
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++) {
        const CraftyStack *slot =
            i < CRAFTY_SLOTS ? &player->slots[i] : &player->inventory[i - CRAFTY_SLOTS];
        bool is_same = crafty_stack_same(*slot, stack) && info && info->is_known;
        if (crafty_stack_is_empty(*slot) || (is_same && slot->count < info->stack_max))
            return true;
    }
    return false;
}

bool crafty_player_is_creative(const CraftyPlayer *player)
{
    return player->mode == CRAFTY_MODE_CREATIVE;
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
    CnSystemDesc modes = {.name = "CraftyPlayerModes",
                          .run = run_modes,
                          .stage = CN_STAGE_PRE_UPDATE,
                          .query = {.all = {cn_writes(CraftyPlayer), cn_reads(CnPlayerActions)}},
                          .alone = true};
    CN_ASSERT(voxels && items, "the player needs a voxel world and items");
    if (!voxels || !items)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "the player needs a voxel world and items; give both");
    return cn_player_actions_add(world, crafty_actions(), error) &&
           crafty_identity_register(world, error) && crafty_player_index_add(world, error) &&
           add_resources(world, voxels, items, error) && crafty_rules_add(world, error) &&
           crafty_vitals_register(world, error) && crafty_system_add(world, &modes, error) &&
           crafty_motion_add(world, error) && crafty_hand_add(world, error) &&
           crafty_eating_add(world, error) && crafty_vitals_add(world, error) &&
           crafty_beds_add(world, error) && crafty_drops_add(world, error);
}

bool crafty_player_make(CnWorld *world, CnEntity eye, uint32_t number, CraftyPlayerMode mode)
{
    if (!cn_set(world, eye, CnPlayerActions, {.player = number}) ||
        !cn_add(world, eye, CraftyPlayer) || !cn_add(world, eye, CraftyHand) ||
        !cn_add(world, eye, CraftyPlace) || !cn_add(world, eye, CraftyMotion) ||
        !cn_add(world, eye, CraftyVitals) || !change_controller(world, eye, mode))
        return false;
    CraftyPlayer *player = cn_get_mut(world, eye, CraftyPlayer);
    if (mode == CRAFTY_MODE_SURVIVAL)
        for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
            *crafty_player_slot(player, i) = (CraftyStack){0};
    crafty_player_index_update(world);
    return true;
}

/* Worlds without a spawn get the position of the first player. */
static void complete_spawn(CnWorld *world, CnEntity player)
{
    CraftyRules *rules = cn_resource_mut(world, CraftyRules);
    const CnTransform *transform = cn_get(world, player, CnTransform);
    if (!rules->has_spawn && transform) {
        rules->has_spawn = true;
        rules->spawn = transform->position;
    }
}

/* Adding a component moves the entity to another archetype, so players are collected first. */
bool crafty_player_complete(CnWorld *world, CnError *error)
{
    CnQueryDesc desc = {.all = {cn_reads(CraftyPlayer)}}; /* also absent ones */
    CnQuery *query = cn_query_acquire(world, &desc, error);
    if (!query)
        return false;
    uint32_t count;
    const CnEntity *players = crafty_player_list_of(world, query, CRAFTY_LIST_OTHER, &count);
    cn_query_release(query);
    for (uint32_t i = 0; i < count; i++)
        if ((!cn_get(world, players[i], CraftyVitals) &&
             !cn_add(world, players[i], CraftyVitals)) ||
            (!cn_get(world, players[i], CraftyMotion) && !cn_add(world, players[i], CraftyMotion)))
            return cn_error_memory(error, "a player");
    if (!crafty_rules_add(world, error))
        return false;
    if (count > 0)
        complete_spawn(world, players[0]);
    crafty_player_index_update(world);
    return true;
}
