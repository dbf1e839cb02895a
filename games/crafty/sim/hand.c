#include "hand.h"

#include "hand_internal.h"

#include "actions.h"
#include "creature/creature_care.h"
#include "inventory.h"
#include "mod/mod_notes.h"
#include "motion.h"
#include "player_grid.h"
#include "player_index.h"
#include "systems.h"
#include "trade.h"
#include "undo.h"
#include "villager.h"
#include "vitals.h"

#include <string.h>

#define MAX_TURN 1e6f /* maximum wheel movement per tick */
#define CRACK_STAGES 10
#define SWING_TICKS 15u /* of one swing while breaking */
#define EXHAUSTION_STRIKE 0.1f
#define BODY_DISTANCE 1.0f       /* from the middle of a cell to the middle of a body in it */
#define CREATIVE_DELAY_MS 250.0f /* between two blocks while the button is held */

/* ---- State ---- */

static CnCell cell_from(const int32_t cell[3])
{
    return (CnCell){cell[0], cell[1], cell[2]};
}

static void store_cell(int32_t to[3], CnCell cell)
{
    to[0] = cell.x;
    to[1] = cell.y;
    to[2] = cell.z;
}

/* The target is found again in every tick. Values of a manipulated save are replaced. */
static CnInteract load(const CnBlockTable *blocks, const CraftyHand *hand, uint32_t player)
{
    bool is_valid = hand->crack_stage >= -1 && hand->crack_stage < CRACK_STAGES &&
                    cn_block_exists(blocks, hand->breaking_block);
    CnInteract state = {
        .player = player, .placing = hand->placing, .place_wait_ms = hand->place_wait_ms};
    if (!is_valid)
        return state;
    state.breaking = hand->breaking;
    state.breaking_cell = cell_from(hand->breaking_cell);
    state.breaking_block = (CnBlock)hand->breaking_block;
    state.progress_ms = hand->progress_ms;
    state.break_ms = hand->break_ms;
    state.crack_stage = hand->crack_stage;
    state.break_wait_ms = hand->break_wait_ms;
    return state;
}

static void store(CraftyHand *hand, const CnInteract *state)
{
    hand->aiming = state->aiming;
    hand->target_face = state->aiming ? state->target.face : 0;
    hand->target_block = state->aiming ? (uint16_t)state->target.block : CN_BLOCK_AIR;
    store_cell(hand->target_cell, state->aiming ? state->target.cell : (CnCell){0});
    hand->breaking = state->breaking;
    store_cell(hand->breaking_cell, state->breaking_cell);
    hand->breaking_block = (uint16_t)state->breaking_block;
    hand->progress_ms = state->progress_ms;
    hand->break_ms = state->break_ms;
    hand->crack_stage = state->crack_stage;
    hand->placing = state->placing;
    hand->place_wait_ms = state->place_wait_ms;
    hand->break_wait_ms = state->break_wait_ms;
}

/* ---- Events ---- */

void crafty_hand_send(CnWorld *world, CnEntity player, CnInteractEvent event)
{
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    event = cn_interact_describe(cn_voxels_blocks(voxels), event);
    CraftyHandEvent sent = {.player = player,
                            .block = (uint16_t)event.block,
                            .kind = (uint8_t)event.kind,
                            .reason = (uint8_t)event.reason,
                            .stage = event.stage,
                            .surface = event.surface,
                            .face = event.face};
    store_cell(sent.cell, event.cell);
    memcpy(sent.color, event.color, sizeof sent.color);
    /* The channel counts events for which it has no room. */
    cn_send_value(cn_channel(world, CraftyHandEvent), &sent);
}

CnInteractEvent crafty_hand_interact_event(const CraftyHandEvent *event)
{
    CnInteractEvent interact = {.kind = (CnInteractKind)event->kind,
                                .reason = (CnInteractReason)event->reason,
                                .cell = cell_from(event->cell),
                                .block = (CnBlock)event->block,
                                .stage = event->stage,
                                .surface = event->surface,
                                .face = event->face};
    memcpy(interact.color, event->color, sizeof interact.color);
    return interact;
}

/* ---- Buttons ---- */

/* Also true for a click shorter than a tick, as happens at low frame rates. */
static bool uses(const CnActions *actions, CnAction action)
{
    return cn_action_held(actions, action) || cn_action_pressed(actions, action);
}

/* `set` are the actions that the system reads, `actions` those of the player in this tick. */
typedef struct Wish {
    const CraftyActionSet *set;
    const CnActions *actions;
} Wish;

static bool may_use_hand(const CnWorld *world, CnEntity eye, CraftyHand *hand, Wish wish)
{
    bool aims = crafty_player_aims(world, eye) && !crafty_player_is_helpless(world, eye);
    if (!aims)
        hand->rests = true;
    else if (!uses(wish.actions, wish.set->break_block) &&
             !uses(wish.actions, wish.set->place_block))
        hand->rests = false;
    return aims && !hand->rests;
}

/* Selects a slot by number or by steps to the right. */
static void choose_slot(CraftyPlayer *player, CraftyHand *hand, Wish wish)
{
    for (uint32_t i = 0; i < CRAFTY_SLOTS; i++)
        if (cn_action_pressed(wish.actions, wish.set->slots[i]))
            player->slot = (uint8_t)i;
    hand->wheel += cn_action_axis(wish.actions, wish.set->next_slot);
    if (!(hand->wheel > -MAX_TURN &&
          hand->wheel < MAX_TURN)) /* input from outside is not trusted */
        hand->wheel = 0;
    int32_t steps = (int32_t)hand->wheel % (int32_t)CRAFTY_SLOTS;
    hand->wheel -= (float)(int32_t)hand->wheel;
    player->slot = (uint8_t)((player->slot + CRAFTY_SLOTS + (uint32_t)steps) % CRAFTY_SLOTS);
}

/* While the player breaks, the arm swings again and again. */
static void swing_arm(CraftyHand *hand, bool acts)
{
    if (hand->swing < UINT16_MAX)
        hand->swing++;
    if (acts || (hand->breaking && hand->swing >= SWING_TICKS))
        hand->swing = 0;
}

/* ---- One player ---- */

/* Returns whether another player or a creature is in the way. */
static bool has_body(void *user, CnCell cell, const CnBlockBox *box)
{
    const CraftyHandUse *use = user;
    CnVec3 middle = {(float)cell.x + 0.5f, (float)cell.y + 0.5f, (float)cell.z + 0.5f};
    CraftyGridIter it = crafty_grid_iter(use->grid, middle, BODY_DISTANCE);
    for (const CraftyGridPlayer *near; (near = crafty_grid_next(&it));) {
        CnVoxelBox body = crafty_player_box(near->eye);
        if (near->entity.id != use->player.id && cn_interact_is_inside(&body, cell, box))
            return true;
    }
    return crafty_creature_is_inside(use->world, cell, box);
}

static CraftyHandUse begin_use(CnSystemContext *context, CnEntity eye, Wish wish, bool may)
{
    CnWorld *world = context->world;
    const CraftyPlayer *player = cn_get(world, eye, CraftyPlayer);
    const CraftyHand *hand = cn_get(world, eye, CraftyHand);
    const CnTransform *transform = cn_get(world, eye, CnTransform);
    CraftyHandUse use = {.world = world,
                         .player = eye,
                         .number = cn_get(world, eye, CnPlayerActions)->player,
                         .voxels = cn_resource(world, CraftyBlocks)->voxels,
                         .items = cn_resource(world, CraftyItemList)->items,
                         .is_survival = player->mode == CRAFTY_MODE_SURVIVAL,
                         .sneaks = cn_action_held(wish.actions, wish.set->sneak),
                         .is_first = !hand->placing};
    use.input = (CnInteractInput){
        .eye = crafty_player_eye(world, eye),
        .forward = cn_quat_rotate(transform->rotation, cn_vec3(0, 0, -1)),
        .body = crafty_player_box(transform->position),
        .breaking = may && uses(wish.actions, wish.set->break_block),
        .placing = may && uses(wish.actions, wish.set->place_block),
        .held = crafty_items_block(use.items, crafty_player_held(use.items, player).item),
        .dt = context->dt,
        .tick = cn_resource(world, CnTickInfo)->tick};
    return use;
}

/* Keys other than those of breaking and placing. */
static void press_keys(CraftyHandUse *use, const CnInteract *state, Wish wish)
{
    if (cn_action_pressed(wish.actions, wish.set->pick_block) && state->aiming)
        crafty_hand_pick(use, state->target.block);
    if (cn_action_pressed(wish.actions, wish.set->drop_item))
        crafty_hand_drop(use, use->sneaks);
    if (cn_action_pressed(wish.actions, wish.set->undo))
        crafty_undo(use->world, use->player);
    if (cn_action_pressed(wish.actions, wish.set->redo))
        crafty_redo(use->world, use->player);
}

/* Another tool begins anew. */
static void compare_held(CnWorld *world, CraftyHand *hand, CnEntity eye, CnInteract *state)
{
    const CraftyItems *items = cn_resource(world, CraftyItemList)->items;
    CraftyItem held = crafty_player_held(items, cn_get(world, eye, CraftyPlayer)).item;
    if (held != hand->held_item)
        state->breaking = false;
    hand->held_item = held;
}

static const char *profession_of(const CnWorld *world, CnEntity entity)
{
    const CraftyVillager *villager = cn_get(world, entity, CraftyVillager);
    return villager ? crafty_profession_name((CraftyProfession)villager->profession) : NULL;
}

/* A villager in sight is used instead of a block. Returns whether there is one. */
static bool touch_villager(CraftyHandUse *use)
{
    CnEntity villager = crafty_villager_aimed(use->world, use->player);
    if (!villager.id)
        return false;
    if (use->is_first && crafty_mods_ask_talk(use->world, use->player, villager,
                                              profession_of(use->world, villager)))
        use->acts = crafty_trade_use(use->world, use->player, villager);
    use->touches = true;
    use->input.placing = false;
    return true;
}

/* A creature before the block in sight is hit or cared for, and the block is left alone. */
static void touch_creature(CraftyHandUse *use)
{
    if (!use->input.breaking && !use->input.placing)
        return;
    if (use->input.placing && touch_villager(use))
        return;
    CnEntity creature = crafty_creature_in_reach(use->world, use->input.eye, use->input.forward);
    if (!creature.id)
        return;
    CraftyStack held =
        crafty_player_held(use->items, cn_get(use->world, use->player, CraftyPlayer));
    if (use->input.breaking) {
        use->input.breaking = false;
        if (!crafty_creature_strike(use->world, use->player, creature, held, use->input.forward))
            return;
        use->acts = true;
        crafty_vitals_exhaust(use->world, use->player, EXHAUSTION_STRIKE);
        crafty_hand_wear(use);
        return;
    }
    bool may = use->is_first && crafty_mods_ask_talk(use->world, use->player, creature, NULL);
    CraftyCare care =
        may ? crafty_creature_care(use->world, use->player, creature, held) : CRAFTY_CARE_NONE;
    use->acts = care != CRAFTY_CARE_NONE;
    use->touches = true;
    use->input.placing = use->input.placing && may && care == CRAFTY_CARE_NONE;
    if (care == CRAFTY_CARE_EATEN)
        crafty_hand_consume(use);
    else if (care == CRAFTY_CARE_WORN)
        crafty_hand_wear(use);
}

/* A stroke through the air is an event, for its sound. */
static void miss(const CraftyHandUse *use, const CnInteract *state, Wish wish)
{
    if (!use->input.breaking || use->acts || state->aiming ||
        !cn_action_pressed(wish.actions, wish.set->break_block))
        return;
    crafty_player_event_send(
        use->world,
        &(CraftyPlayerEvent){.player = use->player,
                             .kind = CRAFTY_PLAYER_MISSED,
                             .position = cn_get(use->world, use->player, CnTransform)->position});
}

static void use_hand(CnSystemContext *context, CnEntity eye, const CraftyPlayerGrid *grid)
{
    CnWorld *world = context->world;
    CnActions actions = cn_get(world, eye, CnPlayerActions)->actions;
    Wish wish = {cn_resource(world, CraftyActionSet), &actions};
    CraftyHand *hand = cn_get_mut(world, eye, CraftyHand);
    bool may = may_use_hand(world, eye, hand, wish);
    if (may)
        choose_slot(cn_get_mut(world, eye, CraftyPlayer), hand, wish);
    may = may && crafty_player_has_hands(world, eye) &&
          cn_get(world, eye, CraftyPlayer)->open == CRAFTY_OPEN_NOTHING;
    CraftyHandUse use = begin_use(context, eye, wish, may);
    bool places = use.input.placing;
    touch_creature(&use);
    hand = cn_get_mut(world, eye, CraftyHand); /* entities may have moved */
    CnInteractRules rules = {.user = &use,
                             .break_ms = crafty_hand_break_ms,
                             .break_block = crafty_hand_break,
                             .place_block = crafty_hand_place,
                             .break_delay_ms = use.is_survival ? 0 : CREATIVE_DELAY_MS};
    use.grid = grid;
    use.input.has_body = has_body;
    use.input.bodies_user = &use;
    use.input.rules = &rules;
    CnInteract state = load(cn_voxels_blocks(use.voxels), hand, use.number);
    compare_held(world, hand, eye, &state);
    CnInteractEvent events[CN_INTERACT_MAX_EVENTS];
    uint32_t count = 0;
    cn_interact_update(&state, use.voxels, &use.input, events, &count);
    for (uint32_t i = 0; i < count; i++)
        crafty_hand_send(world, eye, events[i]);
    hand = cn_get_mut(world, eye, CraftyHand); /* entities may have moved */
    bool begins = state.breaking && !hand->breaking;
    store(hand, &state);
    hand->placing = hand->placing || (use.touches && places); /* one use for each click */
    swing_arm(hand, use.acts || begins);
    miss(&use, &state, wish);
    if (may)
        press_keys(&use, &state, wish);
}

bool crafty_player_has_hands(const CnWorld *world, CnEntity player)
{
    const CraftyPlayer *own = cn_get(world, player, CraftyPlayer);
    return own && own->mode != CRAFTY_MODE_SPECTATOR && !crafty_player_is_dead(world, player);
}

/* Hands create and destroy entities, so players are collected first. */
static void run_hands(CnSystemContext *context)
{
    uint32_t count;
    const CnEntity *players = crafty_player_list(context, CRAFTY_LIST_HANDS, &count);
    const CraftyPlayerGrid *grid = crafty_player_grid(context->world, context->query);
    for (uint32_t i = 0; i < count; i++)
        use_hand(context, players[i], grid);
}

bool crafty_hand_add(CnWorld *world, CnError *error)
{
    CnComponentDesc hand = {.type = &cn_type_CraftyHand},
                    event = {.type = &cn_type_CraftyHandEvent};
    if (!cn_component_register(world, &hand, error).id ||
        !cn_component_register(world, &event, error).id)
        return false;
    if (!cn_channel(world, CraftyHandEvent))
        return cn_error_memory(error, "the events of hands");
    CnSystemDesc desc = {.name = "CraftyHands",
                         .run = run_hands,
                         .stage = CN_STAGE_UPDATE,
                         .query = {.all = {cn_writes(CraftyPlayer), cn_writes(CraftyHand),
                                           cn_reads(CnTransform), cn_reads(CnPlayerActions)}},
                         .alone = true};
    return cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error);
}
