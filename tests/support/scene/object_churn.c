#include "object_churn.h"

#include <cairn/scene/behavior.h>
#include <cairn/sim/random.h>

#define MOST 400u

static uint64_t draw(const CnWorld *world, CnEntity object, uint64_t what)
{
    const CnTickInfo *tick = cn_resource(world, CnTickInfo);
    return cn_random_at(cn_object_uid(world, object) ^ what, tick->tick, 0);
}

static void attach(const CnBehaviorCall *call, void *self)
{
    ChurnLife *life = self;
    life->born_at = (uint32_t)cn_resource(call->world, CnTickInfo)->tick;
}

/* A friend dies: its name passes on. */
static void detach(const CnBehaviorCall *call, void *self)
{
    const ChurnLife *life = self;
    const CnObject *heir = cn_get(call->world, life->friend_, CnObject);
    if (heir && life->friend_.id != call->object.id)
        cn_object_rename(call->world, life->friend_, cn_object_name(call->world, call->object),
                         NULL);
}

/* A leaf that goes below an older one makes no cycle, whoever else does the same in this tick. */
static bool may_follow(const CnWorld *world, CnEntity object, CnEntity friend_)
{
    const CnObject *older = cn_get(world, friend_, CnObject);
    return older && older->creation_order < cn_get(world, object, CnObject)->creation_order &&
           !cn_child_count(world, object);
}

static void live(const CnBehaviorCall *call, void *self)
{
    CnWorld *world = call->world;
    ChurnLife *life = self;
    uint64_t chance = draw(world, call->object, 1);
    life->age++;
    life->seen = life->seen * 31 + chance;
    if (chance % 13 == 0 && cn_entity_count(world) < MOST) {
        CnObjectDesc desc = {.name = chance & 64 ? "Child" : "Sibling",
                             .parent = chance & 64 ? call->object : cn_parent(world, call->object),
                             .disabled = chance % 5 == 0};
        CnEntity child = cn_defer_object(call->commands, &desc);
        cn_defer_set(call->commands, child, ChurnLife, {.friend_ = call->object});
    }
    if (chance % 29 == 1)
        cn_get_mut(world, call->object, CnObject)->enabled = false;
    if (chance % 37 == 2 && may_follow(world, call->object, life->friend_))
        cn_defer_set_parent(call->commands, call->object, life->friend_);
    if (chance % 41 == 3 && cn_entity_count(world) > MOST / 4)
        cn_defer_destroy(call->commands, call->object);
}

static CnEntity pick(CnWorld *world, CnEntity *all, uint32_t count, uint64_t which)
{
    (void)world;
    return count ? all[which % count] : CN_NO_PARENT;
}

/* What code does that runs alone. */
static void meddle(CnSystemContext *context)
{
    CnWorld *world = context->world;
    CnEntity all[64];
    uint32_t count = cn_object_roots(world, all, CN_COUNT_OF(all));
    count = count < CN_COUNT_OF(all) ? count : (uint32_t)CN_COUNT_OF(all);
    uint64_t chance = cn_random_at(7, cn_resource(world, CnTickInfo)->tick, 1);
    CnEntity one = pick(world, all, count, chance), other = pick(world, all, count, chance >> 20);
    if (chance % 3 == 0)
        cn_object_set_parent(world, one, other,
                             chance & 32 ? CN_REPARENT_KEEP_WORLD : CN_REPARENT_KEEP_LOCAL, NULL);
    if (chance % 5 == 0 && cn_entity_count(world) < MOST)
        cn_object_clone(world, one, chance & 32 ? other : CN_NO_PARENT, NULL);
    if (chance % 2 == 0)
        cn_object_set_enabled(world, other, chance & 4);
    if (chance % 7 == 0)
        cn_set_parent(world, one, CN_NO_PARENT);
    CnEntity waking[16];
    CnQuery *asleep = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(CnObject), cn_tag(CnInactive)}}, NULL);
    uint32_t sleeping = asleep ? cn_query_entities(asleep, waking, CN_COUNT_OF(waking)) : 0;
    for (uint32_t i = 0; i < sleeping && i < CN_COUNT_OF(waking) && chance % 4 == 0; i++)
        cn_get_mut(world, waking[i], CnObject)->enabled = true;
}

CN_SYSTEM(churn_move, (write, CnTransform, t), (read, ChurnLife, life))
{
    for (uint32_t i = 0; i < count; i++)
        t[i].position.x += (float)(life[i].seen & 15u) * 0.125f - 1;
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    CnWorld *world = cn_sim_world(sim);
    CnBehavior behavior = {
        .type = &cn_type_ChurnLife, .on_attach = attach, .on_detach = detach, .update = live};
    CnSystemDesc desc = {
        .name = "meddle", .run = meddle, .stage = CN_STAGE_PRE_UPDATE, .alone = true};
    (void)user;
    if (!cn_behavior_add(world, &behavior, error) || !cn_system_add(world, &desc, error).id)
        return false;
    desc = (CnSystemDesc){
        .name = "churn_move", .run = churn_move, .stage = CN_STAGE_UPDATE, .split = true};
    return cn_system_add_query(world, &desc, &churn_move_query, error).id != 0;
}

CnPlugin object_churn_plugin(void)
{
    return (CnPlugin){.name = "Churn", .needs = {"Scene"}, .build = build};
}

bool object_churn_begin(CnWorld *world, uint32_t count)
{
    CnEntity last = CN_NO_PARENT;
    for (uint32_t i = 0; i < count; i++) {
        CnValue life = cn_with(ChurnLife, {.friend_ = last});
        CnObjectDesc desc = {.name = i % 3 ? "Leaf" : "Root",
                             .parent = i % 3 ? last : CN_NO_PARENT,
                             .values = &life,
                             .value_count = 1};
        last = cn_object_create(world, &desc, NULL);
        if (!last.id)
            return false;
    }
    return true;
}
