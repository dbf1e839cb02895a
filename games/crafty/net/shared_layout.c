#include "shared_layout.h"

#include "crafty/sim/creature/creature.h"
#include "crafty/sim/drops.h"
#include "crafty/sim/hand.h"
#include "crafty/sim/identity.h"
#include "crafty/sim/motion.h"
#include "crafty/sim/player.h"
#include "crafty/sim/villager.h"
#include "crafty/sim/vitals.h"

#define FIELDS(list) .fields = (list), .field_count = CN_COUNT_OF(list)

static const CnNetField transform_fields[] = {
    {.name = "position", .encoding = CN_NET_POSITION},
    {.name = "rotation", .encoding = CN_NET_ROTATION},
};
static const CnNetField actions_fields[] = {{.name = "player"}};
static const CnNetField identity_fields[] = {{.name = "name"}};
static const CnNetField player_fields[] = {{.name = "mode"}, {.name = "swims"}, {.name = "flies"}};
static const CnNetField hand_fields[] = {{.name = "held_item"}, {.name = "breaking"}};
static const CnNetField motion_fields[] = {
    {.name = "sneaks"}, {.name = "sprints"}, {.name = "climbs"}, {.name = "grounded"}};
static const CnNetField vitals_fields[] = {{.name = "dead"}, {.name = "hurt_tick"}};
static const CnNetField creature_fields[] = {
    {.name = "kind"},
    {.name = "state"},
    {.name = "sits"},
    {.name = "sheared"},
    {.name = "growth"},
    {.name = "head_yaw", .encoding = CN_NET_STEPS, .step = 1.0 / 32, .interpolate = true},
    {.name = "head_pitch", .encoding = CN_NET_STEPS, .step = 1.0 / 32, .interpolate = true},
    {.name = "hurt_ticks"},
    {.name = "fuse"},
    {.name = "owner"},
    {.name = "seed"},
    {.name = "label"},
};
static const CnNetField body_fields[] = {
    {.name = "velocity", .encoding = CN_NET_STEPS, .step = 1.0 / 16},
    {.name = "yaw", .encoding = CN_NET_STEPS, .step = 1.0 / 32},
    {.name = "grounded"},
    {.name = "swims"},
};
static const CnNetField villager_fields[] = {{.name = "profession"}, {.name = "activity"}};
static const CnNetField drop_fields[] = {
    {.name = "stack.item"}, {.name = "stack.count"}, {.name = "stack.wear"}, {.name = "rests"}};

static const CnNetComponent components[] = {
    {.type = &cn_type_CnTransform, FIELDS(transform_fields), .flags = CN_NET_PREDICTED},
    {.type = &cn_type_CnPlayerActions, FIELDS(actions_fields), .flags = CN_NET_PREDICTED},
    {.type = &cn_type_CraftyIdentity, FIELDS(identity_fields)},
    {.type = &cn_type_CraftyPlayer, FIELDS(player_fields), .flags = CN_NET_PREDICTED},
    {.type = &cn_type_CraftyHand, FIELDS(hand_fields), .flags = CN_NET_PREDICTED},
    {.type = &cn_type_CraftyMotion, FIELDS(motion_fields), .flags = CN_NET_PREDICTED},
    {.type = &cn_type_CraftyVitals, FIELDS(vitals_fields), .flags = CN_NET_PREDICTED},
    {.type = &cn_type_CraftyCreature, FIELDS(creature_fields)},
    {.type = &cn_type_CraftyBody, FIELDS(body_fields)},
    {.type = &cn_type_CraftyVillager, FIELDS(villager_fields)},
    {.type = &cn_type_CraftyDrop, FIELDS(drop_fields)},
};

CnNetLayout *crafty_shared_layout_create(CnWorld *world, CnError *error)
{
    return cn_net_layout_create(
        world,
        &(CnNetLayoutDesc){.components = components, .component_count = CN_COUNT_OF(components)},
        error);
}

static uint32_t owner_of_player(const CnWorld *world, CnEntity entity)
{
    const CnPlayerActions *own = cn_get(world, entity, CnPlayerActions);
    return own ? own->player : 0;
}

CnNetReplication *crafty_shared_replication_create(CnWorld *world, const CnNetLayout *layout,
                                                   CnError *error)
{
    static const CnNetKind kinds[] = {
        /* Absent players have no CnPlayerActions. */
        {.all = {&cn_type_CraftyPlayer, &cn_type_CnPlayerActions},
         .kind = CRAFTY_SHARED_PLAYER,
         .owner = owner_of_player},
        {.all = {&cn_type_CraftyCreature}, .kind = CRAFTY_SHARED_CREATURE},
        {.all = {&cn_type_CraftyDrop}, .kind = CRAFTY_SHARED_DROP},
    };
    return cn_net_replication_create(
        &(CnNetReplicationDesc){
            .world = world, .layout = layout, .kinds = kinds, .kind_count = CN_COUNT_OF(kinds)},
        error);
}
