#include "eating.h"

#include "actions.h"
#include "hand.h"
#include "harvest.h"
#include "player.h"
#include "player_index.h"
#include "systems.h"
#include "vitals.h"

/* Returns the held food; NULL if the player does not hold any, or is not about to eat. */
static const CraftyItemInfo *food_of(const CnWorld *world, CnEntity entity)
{
    const CraftyPlayer *player = cn_get(world, entity, CraftyPlayer);
    const CraftyVitals *vitals = cn_get(world, entity, CraftyVitals);
    const CraftyHand *hand = cn_get(world, entity, CraftyHand);
    const CraftyItems *items = cn_resource(world, CraftyItemList)->items;
    CnAction eat = cn_resource(world, CraftyActionSet)->place_block;
    if (player->mode != CRAFTY_MODE_SURVIVAL || vitals->food >= CRAFTY_MAX_FOOD || hand->rests ||
        crafty_player_is_helpless(world, entity) || !crafty_player_aims(world, entity) ||
        !cn_action_held(&cn_get(world, entity, CnPlayerActions)->actions, eat))
        return NULL;
    CraftyStack held = crafty_player_held(items, player);
    const CraftyItemInfo *info =
        crafty_stack_is_empty(held) ? NULL : crafty_items_info(items, held.item);
    return info && info->food > 0 && info->block == CN_BLOCK_AIR ? info : NULL;
}

/* What is left of the food, such as a bowl, goes to the slots or drops. */
static void leave_rest(CnWorld *world, CnEntity entity, CraftyItem item)
{
    const CraftyItems *items = cn_resource(world, CraftyItemList)->items;
    CnVec3 eye = cn_get(world, entity, CnTransform)->position;
    CnCell cell = {(int32_t)cn_floorf(eye.x), (int32_t)cn_floorf(eye.y), (int32_t)cn_floorf(eye.z)};
    CraftyStack rest = {.item = item, .count = 1};
    crafty_player_give(items, cn_get_mut(world, entity, CraftyPlayer), &rest);
    if (!crafty_stack_is_empty(rest))
        crafty_drop_or_give(world, entity, cell, rest);
}

static void finish(CnWorld *world, CnEntity entity, const CraftyItemInfo *food)
{
    CraftyPlayer *player = cn_get_mut(world, entity, CraftyPlayer);
    CraftyStack *held = &player->slots[player->slot % CRAFTY_SLOTS];
    uint16_t item = held->item;
    float before = cn_get(world, entity, CraftyVitals)->food;
    if (!crafty_vitals_eat(world, entity, (float)food->food))
        return;
    held->count--;
    if (held->count == 0)
        *held = (CraftyStack){0};
    crafty_player_event_send(
        world, &(CraftyPlayerEvent){.player = entity,
                                    .kind = CRAFTY_PLAYER_ATE,
                                    .item = item,
                                    .count = 1,
                                    .value = cn_get(world, entity, CraftyVitals)->food - before,
                                    .position = cn_get(world, entity, CnTransform)->position});
    if (food->remainder)
        leave_rest(world, entity, food->remainder);
}

static void eat(CnWorld *world, CnEntity entity, float dt)
{
    const CraftyItemInfo *food = food_of(world, entity);
    const CraftyPlayer *player = cn_get(world, entity, CraftyPlayer);
    CraftyVitals *vitals = cn_get_mut(world, entity, CraftyVitals);
    uint16_t item = player->slots[player->slot % CRAFTY_SLOTS].item;
    if (!food || vitals->eaten_item != item) {
        vitals->eating = 0;
        vitals->eaten_item = food ? item : 0;
        return;
    }
    vitals->eating += dt;
    if (vitals->eating < CRAFTY_EATING_SECONDS)
        return;
    vitals->eating = 0;
    finish(world, entity, food);
}

/* What is left may drop, which creates an entity, so players are collected first. */
static void run_eating(CnSystemContext *context)
{
    uint32_t count;
    const CnEntity *players = crafty_player_list(context, CRAFTY_LIST_EATING, &count);
    for (uint32_t i = 0; i < count; i++)
        eat(context->world, players[i], context->dt);
}

bool crafty_eating_add(CnWorld *world, CnError *error)
{
    CnSystemDesc desc = {
        .name = "CraftyEating",
        .run = run_eating,
        .stage = CN_STAGE_UPDATE,
        .query = {.all = {cn_writes(CraftyPlayer), cn_writes(CraftyVitals), cn_reads(CraftyHand),
                          cn_reads(CnPlayerActions), cn_reads(CnTransform)}},
        .alone = true};
    return cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error);
}
