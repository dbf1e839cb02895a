#include "hand.h"

#include "actions.h"
#include "player.h"
#include "systems.h"

#include <string.h>

#define MAX_TURN 1e6f /* maximum wheel movement per tick */
#define CRACK_STAGES 10

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
}

/* ---- Events ---- */

static void send(CnChannel *channel, CnEntity player, const CnInteractEvent *event)
{
    CraftyHandEvent sent = {.player = player,
                            .block = (uint16_t)event->block,
                            .kind = (uint8_t)event->kind,
                            .reason = (uint8_t)event->reason,
                            .stage = event->stage,
                            .surface = event->surface,
                            .face = event->face};
    store_cell(sent.cell, event->cell);
    memcpy(sent.color, event->color, sizeof sent.color);
    cn_send_value(channel, &sent); /* the channel counts events for which it has no room */
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
    bool aims = crafty_player_aims(world, eye);
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

/* One row of the query. */
typedef struct Row {
    CnEntity eye;
    CraftyPlayer *player;
    CraftyHand *hand;
    const CnTransform *transform;
    const CnPlayerActions *own;
} Row;

static void use_hand(CnSystemContext *context, const CraftyActionSet *set, const Row *row)
{
    CnWorld *world = context->world;
    CraftyPlayer *player = row->player;
    CraftyHand *hand = row->hand;
    const CnTransform *transform = row->transform;
    Wish wish = {set, &row->own->actions};
    bool may = may_use_hand(world, row->eye, hand, wish);
    if (may)
        choose_slot(player, hand, wish);
    const CraftyItems *items = cn_resource(world, CraftyItemList)->items;
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    CnInteract state = load(cn_voxels_blocks(voxels), hand, row->own->player);
    CnInteractEvent events[CN_INTERACT_MAX_EVENTS];
    uint32_t count = 0;
    cn_interact_update(
        &state, voxels,
        &(CnInteractInput){.eye = transform->position,
                           .forward = cn_quat_rotate(transform->rotation, cn_vec3(0, 0, -1)),
                           .body = crafty_player_box(transform->position),
                           .breaking = may && uses(wish.actions, set->break_block),
                           .placing = may && uses(wish.actions, set->place_block),
                           .held =
                               crafty_items_block(items, crafty_player_held(items, player).item),
                           .dt = context->dt,
                           .tick = cn_resource(world, CnTickInfo)->tick},
        events, &count);
    store(hand, &state);
    if (may && cn_action_pressed(wish.actions, set->pick_block) && state.aiming)
        crafty_player_take(items, player, crafty_items_of_block(items, state.target.block), 1);
    for (uint32_t i = 0; i < count; i++)
        send(context->user, row->eye, &events[i]);
}

static void run_hands(CnSystemContext *context)
{
    const CraftyActionSet *set = cn_resource(context->world, CraftyActionSet);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            Row row = {.eye = view.entities[i],
                       .player = &cn_column(&view, CraftyPlayer)[i],
                       .hand = &cn_column(&view, CraftyHand)[i],
                       .transform = &cn_column_const(&view, CnTransform)[i],
                       .own = &cn_column_const(&view, CnPlayerActions)[i]};
            use_hand(context, set, &row);
        }
}

bool crafty_hand_add(CnWorld *world, CnError *error)
{
    CnComponentDesc hand = {.type = &cn_type_CraftyHand},
                    event = {.type = &cn_type_CraftyHandEvent};
    if (!cn_component_register(world, &hand, error).id ||
        !cn_component_register(world, &event, error).id)
        return false;
    CnChannel *channel = cn_channel(world, CraftyHandEvent);
    if (!channel)
        return cn_error_memory(error, "the events of hands");
    CnSystemDesc desc = {.name = "CraftyHands",
                         .run = run_hands,
                         .user = channel,
                         .stage = CN_STAGE_UPDATE,
                         .query = {.all = {cn_writes(CraftyPlayer), cn_writes(CraftyHand),
                                           cn_reads(CnTransform), cn_reads(CnPlayerActions)}},
                         .alone = true};
    return cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error);
}
