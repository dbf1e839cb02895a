#include "trade.h"

#include "creature/creature.h"
#include "day.h"
#include "inventory.h"
#include "villager.h"
#include "vitals.h"

#define MORNING 0.25    /* of a day: six o'clock */
#define MAX_DAYS 4e9    /* of CraftyDay that is counted */
#define DANGER_TICKS 8u /* between two looks for monsters */
#define HEAD 1.6f       /* height of the head of a villager */
#define BODY_HEIGHT 1.9f

bool crafty_trade_add(CnWorld *world, CnError *error)
{
    const CnComponentDesc descs[] = {{.type = &cn_type_CraftyTrader},
                                     {.type = &cn_type_CraftyCustomer}};
    for (uint32_t i = 0; i < CN_COUNT_OF(descs); i++)
        if (!cn_component_register(world, &descs[i], error).id)
            return false;
    return true;
}

/* ---- Villagers ---- */

/* Returns false if the villager can trade. */
static bool is_refused(const CnWorld *world, CnEntity entity, bool looks_for_danger,
                       CraftyRefusal *why)
{
    const CraftyVillager *villager = cn_get(world, entity, CraftyVillager);
    const CraftyCreature *creature = cn_get(world, entity, CraftyCreature);
    const CnTransform *transform = cn_get(world, entity, CnTransform);
    const CraftyItemList *list = cn_resource(world, CraftyItemList);
    *why = CRAFTY_REFUSAL_OTHER;
    if (!villager || !creature || !transform || !list || !(creature->health > 0))
        return true;
    if (!crafty_trades_count(list->trades, (CraftyProfession)villager->profession))
        *why = CRAFTY_REFUSAL_TRADE_NOTHING;
    else if (villager->activity == CRAFTY_VILLAGER_SLEEPS)
        *why = CRAFTY_REFUSAL_TRADE_ASLEEP;
    else if (looks_for_danger && crafty_villager_is_in_danger(world, transform->position))
        *why = CRAFTY_REFUSAL_TRADE_DANGER;
    return *why != CRAFTY_REFUSAL_OTHER;
}

static CnVec3 head_of(const CnWorld *world, CnEntity villager)
{
    const CnTransform *transform = cn_get(world, villager, CnTransform);
    return transform ? cn_vec3_add(transform->position, cn_vec3(0, HEAD, 0)) : cn_vec3(0, 0, 0);
}

/* From the eye to the nearest point of the villager's axis. */
static bool is_near(const CnWorld *world, CnEntity villager, CnVec3 eye)
{
    const CnTransform *transform = cn_get(world, villager, CnTransform);
    if (!transform)
        return false;
    CnVec3 d = cn_vec3_sub(eye, transform->position);
    d.y = d.y < 0 ? d.y : d.y > BODY_HEIGHT ? d.y - BODY_HEIGHT : 0;
    return d.x * d.x + d.y * d.y + d.z * d.z <= CN_REACH * CN_REACH;
}

static void send(CnWorld *world, CnEntity player, CnEntity villager, CraftyPlayerEvent event)
{
    event.player = player;
    event.position = head_of(world, villager);
    crafty_player_event_send(world, &event);
}

static void refuse(CnWorld *world, CnEntity player, CnEntity entity, CraftyRefusal why)
{
    const CraftyVillager *villager = cn_get(world, entity, CraftyVillager);
    send(world, player, entity,
         (CraftyPlayerEvent){.kind = CRAFTY_PLAYER_REFUSED,
                             .item = villager ? villager->profession : 0,
                             .count = (uint16_t)why});
}

/* ---- Opening and closing ---- */

bool crafty_trade_use(CnWorld *world, CnEntity player, CnEntity villager)
{
    CraftyRefusal why;
    if (!cn_get(world, villager, CraftyVillager))
        return false;
    if (is_refused(world, villager, true, &why)) {
        refuse(world, player, villager, why);
        return true;
    }
    crafty_inventory_open(world, player, CRAFTY_OPEN_TRADE, (CnCell){0});
    if (!cn_set(world, player, CraftyCustomer, {.villager = villager})) { /* out of memory */
        crafty_inventory_close(world, player);
        return true;
    }
    send(world, player, villager, (CraftyPlayerEvent){.kind = CRAFTY_PLAYER_TRADE_OPENED});
    return true;
}

CnEntity crafty_trade_partner(const CnWorld *world, CnEntity entity)
{
    const CraftyPlayer *player = cn_get(world, entity, CraftyPlayer);
    const CraftyCustomer *customer = cn_get(world, entity, CraftyCustomer);
    bool trades = player && customer && player->open == CRAFTY_OPEN_TRADE &&
                  cn_get(world, customer->villager, CraftyVillager);
    return trades ? customer->villager : (CnEntity){0};
}

bool crafty_trade_goes_on(const CnWorld *world, CnEntity player, CnVec3 eye)
{
    CnEntity villager = crafty_trade_partner(world, player);
    const CnTickInfo *info = cn_resource(world, CnTickInfo);
    bool looks = !info || info->tick % DANGER_TICKS == 0;
    CraftyRefusal why;
    return villager.id && is_near(world, villager, eye) &&
           !is_refused(world, villager, looks, &why);
}

void crafty_trade_end(CnWorld *world, CnEntity player)
{
    CraftyCustomer *customer = cn_get_mut(world, player, CraftyCustomer);
    if (customer)
        customer->villager = (CnEntity){0};
}

/* ---- Stock ---- */

uint32_t crafty_trade_day(const CnWorld *world)
{
    const CraftyDay *day = cn_resource(world, CraftyDay);
    double days = day ? day->days + (1 - MORNING) : 0;
    return days > 0 && days < MAX_DAYS ? (uint32_t)days : 0;
}

/* What a villager has traded today. */
static CraftyTrader trader_of(const CnWorld *world, CnEntity villager)
{
    const CraftyTrader *trader = cn_get(world, villager, CraftyTrader);
    uint32_t day = crafty_trade_day(world);
    return trader && trader->day == day ? *trader : (CraftyTrader){.day = day};
}

static uint32_t stock_of(const CraftyTrader *trader, const CraftyOffer *offer)
{
    uint32_t used = trader->used[offer->number - 1];
    return used < offer->stock ? offer->stock - used : 0;
}

uint32_t crafty_trade_stock(const CnWorld *world, CnEntity villager, const CraftyOffer *offer)
{
    CraftyTrader trader = trader_of(world, villager);
    return stock_of(&trader, offer);
}

/* ---- Buying ---- */

static bool is_given(const CraftyStack *stack, CraftyItem item)
{
    return stack->item == item && stack->wear == 0;
}

uint32_t crafty_trade_owned(const CraftyPlayer *player, CraftyItem item)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < CRAFTY_SLOTS; i++)
        count += is_given(&player->slots[i], item) ? player->slots[i].count : 0u;
    for (uint32_t i = 0; i < CRAFTY_INVENTORY_SLOTS; i++)
        count += is_given(&player->inventory[i], item) ? player->inventory[i].count : 0u;
    return count;
}

/* The hotbar comes last. */
static void take(CraftyPlayer *player, CraftyItem item, uint32_t count)
{
    for (uint32_t i = CRAFTY_PLAYER_SLOTS; i-- > 0 && count > 0;) {
        CraftyStack *stack = crafty_player_slot(player, i);
        uint32_t taken = stack->count < count ? stack->count : count;
        if (!is_given(stack, item))
            continue;
        crafty_stack_take(stack, taken);
        count -= taken;
    }
}

/* Exchanges the items of a copy of a player. After false, the copy is not used any more. */
static bool exchange(const CraftyItems *items, CraftyPlayer *player, const CraftyOffer *offer,
                     CraftyRefusal *why)
{
    for (uint32_t i = 0; i < offer->cost_count; i++)
        if (crafty_trade_owned(player, offer->costs[i].item) < offer->costs[i].count) {
            *why = CRAFTY_REFUSAL_TRADE_COST;
            return false;
        }
    for (uint32_t i = 0; i < offer->cost_count; i++)
        take(player, offer->costs[i].item, offer->costs[i].count);
    CraftyStack result = {.item = offer->result.item, .count = offer->result.count};
    crafty_player_give(items, player, &result);
    *why = CRAFTY_REFUSAL_TRADE_ROOM;
    return crafty_stack_is_empty(result);
}

/* Repeats an offer on a copy of the player, as often as possible. */
static uint32_t repeat(const CraftyItems *items, CraftyPlayer *player, const CraftyOffer *offer,
                       uint32_t most, CraftyRefusal *why)
{
    uint32_t times = 0;
    for (; times < most; times++) {
        CraftyPlayer next = *player;
        if (!exchange(items, &next, offer, why))
            break;
        *player = next;
    }
    return times;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint32_t crafty_trade_times(const CnWorld *world, CnEntity entity, const CraftyOffer *offer,
                            uint32_t most, CraftyRefusal *why)
{
    const CraftyItemList *list = cn_resource(world, CraftyItemList);
    CnEntity villager = crafty_trade_partner(world, entity);
    CraftyRefusal reason = CRAFTY_REFUSAL_OTHER;
    uint32_t times = 0;
    if (villager.id && list) {
        CraftyPlayer copy = *cn_get(world, entity, CraftyPlayer);
        uint32_t stock = crafty_trade_stock(world, villager, offer);
        reason = CRAFTY_REFUSAL_TRADE_STOCK;
        times = repeat(list->items, &copy, offer, least(stock, most), &reason);
    }
    if (why)
        *why = reason;
    return times;
}

bool crafty_trade_command_valid(const CraftyCommand *command)
{
    return command->count > 0 && command->count <= CRAFTY_MAX_OFFER_STOCK && command->choice > 0 &&
           command->choice <= CRAFTY_MAX_OFFERS;
}

/* The memory for the stock is there before anything changes. */
static bool commit(CnWorld *world, CnEntity player, CnEntity villager, const CraftyPlayer *after,
                   const CraftyTrader *trader)
{
    if (!cn_set_component(world, villager, cn_id(world, CraftyTrader), trader))
        return false;
    *cn_get_mut(world, player, CraftyPlayer) = *after;
    return true;
}

bool crafty_trade_buy(CnWorld *world, CnEntity player, uint32_t number, uint32_t times)
{
    const CraftyItemList *list = cn_resource(world, CraftyItemList);
    const CnTransform *eye = cn_get(world, player, CnTransform);
    const CraftyVitals *vitals = cn_get(world, player, CraftyVitals);
    CnEntity entity = crafty_trade_partner(world, player);
    CraftyRefusal why;
    if (!entity.id || !eye || !list || (vitals && vitals->dead) ||
        !is_near(world, entity, eye->position) || is_refused(world, entity, true, &why))
        return false;
    const CraftyVillager *villager = cn_get(world, entity, CraftyVillager);
    const CraftyOffer *offer =
        crafty_trades_find(list->trades, (CraftyProfession)villager->profession, number);
    if (!offer)
        return false;
    CraftyPlayer after = *cn_get(world, player, CraftyPlayer);
    CraftyTrader trader = trader_of(world, entity);
    why = CRAFTY_REFUSAL_TRADE_STOCK;
    uint32_t done =
        repeat(list->items, &after, offer, least(stock_of(&trader, offer), times), &why);
    if (done == 0) {
        refuse(world, player, entity, why);
        return false;
    }
    trader.used[offer->number - 1] = (uint8_t)(trader.used[offer->number - 1] + done);
    if (!commit(world, player, entity, &after, &trader))
        return false;
    send(world, player, entity,
         (CraftyPlayerEvent){.kind = CRAFTY_PLAYER_TRADED,
                             .item = offer->result.item,
                             .count = (uint16_t)(done * offer->result.count)});
    return true;
}
