#include "creatures.h"

#include "creature_internal.h"

#include "../day.h"
#include "../motion.h"
#include "../systems.h"
#include "../vitals.h"

#include <string.h>

#define GRAIN 64u /* creatures that one thread moves at a time */
#define PUSH_DISTANCE 0.9f
#define PUSH_SPEED 0.6f

/* ---- Acting ---- */

static void count_down(uint16_t *ticks, uint32_t steps)
{
    *ticks = (uint16_t)(*ticks > steps ? *ticks - steps : 0);
}

static void count_down_long(uint32_t *ticks, uint32_t steps)
{
    *ticks = *ticks > steps ? *ticks - steps : 0;
}

static void count_timers(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    CraftyCreature *creature = actor->creature;
    CraftyMind *mind = actor->mind;
    uint32_t steps = actor->steps, growth = creature->growth;
    count_down(&creature->hurt_ticks, steps);
    count_down(&creature->love, steps);
    count_down(&mind->attack_wait, steps);
    count_down(&mind->anger, steps);
    count_down_long(&creature->rest, steps);
    count_down_long(&creature->growth, steps);
    if (growth > 0 && creature->growth == 0)
        actor->did |= CRAFTY_DID_GROW;
    if (actor->kind->voice_seconds > 0 && mind->voice_wait < steps) {
        float most = 120 * actor->kind->voice_seconds;
        CnRandom random = cn_random_fork(think->work->key, creature->seed, ~think->work->tick);
        mind->voice_wait = (uint32_t)(cn_random_f32(&random) * most);
        actor->did |= CRAFTY_DID_VOICE;
    } else {
        mind->voice_wait -= actor->kind->voice_seconds > 0 ? steps : 0;
    }
    if (!actor->kind->egg || creature->growth)
        return;
    if (mind->egg_wait < steps) {
        mind->egg_wait = (uint32_t)(60 * actor->kind->egg_seconds);
        actor->did |= CRAFTY_DID_LAY;
    } else {
        mind->egg_wait -= steps;
    }
}

static CraftyBehaviourKind active_of(const CraftyActor *actor)
{
    return actor->mind->behaviour < actor->kind->behaviour_count
               ? actor->kind->behaviours[actor->mind->behaviour].kind
               : CRAFTY_BEHAVIOUR_COUNT;
}

static CraftyCreatureState state_of(const CraftyActor *actor)
{
    const CraftyCreature *creature = actor->creature;
    CraftyBehaviourKind active = active_of(actor);
    CnVec3 v = actor->body->velocity;
    uint32_t attack_ticks = (uint32_t)(actor->kind->attack_seconds * 60);
    if (creature->hurt_ticks > 0)
        return CRAFTY_CREATURE_HURT;
    if (creature->fuse > 0)
        return CRAFTY_CREATURE_FUSE;
    if (actor->mind->attack_wait > 0 &&
        actor->mind->attack_wait + CRAFTY_ATTACK_TICKS > attack_ticks)
        return CRAFTY_CREATURE_ATTACK;
    if (creature->sits && creature->owner)
        return CRAFTY_CREATURE_SIT;
    if (active == CRAFTY_BEHAVIOUR_HANG && actor->is_still)
        return CRAFTY_CREATURE_HANG;
    if (active == CRAFTY_BEHAVIOUR_GRAZE)
        return CRAFTY_CREATURE_EAT;
    if (actor->kind->medium == CRAFTY_MEDIUM_AIR)
        return CRAFTY_CREATURE_FLY;
    if (actor->body->swims)
        return CRAFTY_CREATURE_SWIM;
    if (v.x * v.x + v.z * v.z > 0.01f)
        return CRAFTY_CREATURE_WALK;
    return actor->looks ? CRAFTY_CREATURE_LOOK : CRAFTY_CREATURE_IDLE;
}

static bool push_apart(void *user, const CraftyActor *other)
{
    CraftyActor *own = ((CraftyThink *)user)->actor;
    float x = own->position.x - other->position.x, z = own->position.z - other->position.z;
    float y = own->position.y - other->position.y;
    float room = (own->kind->width + other->kind->width) / 2, d = x * x + z * z;
    if (d >= room * room || d < 1e-6f || y > 1 || y < -1 || other->is_dead)
        return true;
    float part = PUSH_SPEED / cn_sqrtf(d);
    own->body->velocity.x += x * part;
    own->body->velocity.z += z * part;
    return false; /* one at a time is enough */
}

static void act_dead(CraftyThink *think)
{
    CraftyCreature *creature = think->actor->creature;
    creature->state = CRAFTY_CREATURE_DIE;
    creature->state_ticks += think->actor->steps;
    if (creature->state_ticks >= CRAFTY_DEATH_TICKS)
        think->actor->did |= CRAFTY_DID_VANISH;
    crafty_creature_move(think);
}

/* In ticks that are due, `turn` is even for those who act in every second one. */
static void act(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    CraftyCreature *creature = actor->creature;
    uint64_t turn = think->work->tick + creature->seed;
    if (!(creature->health > 0)) {
        act_dead(think);
        return;
    }
    count_timers(think);
    if (turn % CRAFTY_DECIDE_TICKS == 0 || actor->mind->behaviour != CRAFTY_NO_BEHAVIOUR)
        think->random = cn_random_fork(think->work->key, creature->seed, think->work->tick);
    if (turn % CRAFTY_DECIDE_TICKS == 0)
        crafty_creature_decide(think);
    uint16_t fuse = creature->fuse;
    crafty_creature_act(think);
    if (creature->fuse == fuse)
        count_down(&creature->fuse, actor->steps);
    if (turn % 4 == 0)
        crafty_think_near(think, PUSH_DISTANCE, 0, push_apart, think);
    crafty_creature_burn(think);
    crafty_creature_move(think);
    CraftyCreatureState state = state_of(actor);
    creature->state_ticks = creature->state == state ? creature->state_ticks + actor->steps : 0;
    creature->state = (uint8_t)state;
    actor->waits = actor->walk->status == CRAFTY_WALK_WAITING;
}

static void act_range(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    CraftyCreatureWork *work = data;
    CraftyWindowView view = crafty_window_view(&work->window);
    (void)lane;
    for (uint32_t i = begin; i < end; i++) {
        CraftyActor *actor = &work->actors[i];
        CraftyThink think = {.work = work,
                             .actor = actor,
                             .view = &view,
                             .reader = crafty_window_reader(&view),
                             .dt = work->dt * (float)actor->steps};
        if (actor->steps > 0)
            act(&think);
    }
}

static void run_creatures(CnSystemContext *context)
{
    CnWorld *world = context->world;
    CraftyCreatureWork *work = crafty_creature_work(world);
    const CraftyCreatureRules *state = cn_resource(world, CraftyCreatureRules);
    if (!work || !state || state->difficulty == CRAFTY_NO_CREATURES)
        return;
    float hours = crafty_day_hours(world);
    work->tick = cn_resource(world, CnTickInfo)->tick;
    work->key = state->key;
    work->dt = context->dt;
    work->is_night = hours < 6 || hours > 18;
    crafty_creature_collect_players(world, work);
    if (work->watcher_count == 0)
        return;
    crafty_creatures_populate(world, work);
    crafty_creature_collect(world, work, context->jobs);
    cn_job_parallel_for(context->jobs, work->actor_count, GRAIN, act_range, work);
    crafty_creature_search(world, work, context->jobs);
    crafty_creature_apply(world, work);
    crafty_creature_remove_far(world, work);
}

/* ---- Adding ---- */

static bool make_work(CnWorld *world, CraftyCreatureWork *work, CnError *error)
{
    const CraftyBlocks *blocks = cn_resource(world, CraftyBlocks);
    const CnBlockTable *table = cn_voxels_blocks(blocks->voxels);
    CnQueryDesc creatures = {.all = {cn_writes(CraftyCreature), cn_writes(CraftyBody),
                                     cn_writes(CraftyMind), cn_writes(CraftyWalk),
                                     cn_writes(CnTransform)}};
    CnQueryDesc players = {
        .all = {cn_reads(CraftyPlayer), cn_reads(CnTransform), cn_reads(CnPlayerActions)}};
    CnQueryDesc populated = {.all = {cn_writes(CraftyPopulated)}};
    work->grass = cn_block_find(table, "grass");
    work->dirt = cn_block_find(table, "dirt");
    crafty_window_init(&work->window, work->allocator);
    work->traits = crafty_path_traits_create(work->allocator, table, blocks->families, error);
    work->creatures = work->traits ? cn_query_acquire(world, &creatures, error) : NULL;
    work->players = work->creatures ? cn_query_acquire(world, &players, error) : NULL;
    work->populated = work->players ? cn_query_acquire(world, &populated, error) : NULL;
    return work->populated != NULL;
}

static void free_work(CraftyCreatureWork *work)
{
    for (uint32_t i = 0; i < work->scratch_count; i++)
        crafty_path_scratch_destroy(work->scratches[i]);
    cn_free(work->allocator, work->scratches, work->scratch_count * sizeof *work->scratches);
    cn_free(work->allocator, work->searches, crafty_creature_search_bytes());
    crafty_creature_forget_actors(work);
    crafty_window_fini(&work->window);
    crafty_path_traits_destroy(work->traits);
    cn_free(work->allocator, work, sizeof *work);
}

static bool add_work(CnWorld *world, const CraftyCreaturesDesc *desc, CnError *error)
{
    CnAllocator *allocator = cn_world_allocator(world);
    CraftyCreatureWork *work = cn_alloc_zeroed(allocator, sizeof *work);
    if (!work)
        return cn_error_memory(error, "the creatures");
    work->allocator = allocator;
    work->kinds = desc->kinds;
    CraftyCreatureList list = {.kinds = desc->kinds,
                               .work = work,
                               .seed = desc->seed,
                               .difficulty = (uint8_t)desc->difficulty};
    if (make_work(world, work, error) &&
        cn_resource_set_value(world, cn_id(world, CraftyCreatureList), &list))
        return true;
    free_work(work);
    return cn_error_memory(error, "the creatures");
}

static bool register_all(CnWorld *world, CnError *error)
{
    const CnComponentDesc descs[] = {
        {.type = &cn_type_CraftyCreature},
        {.type = &cn_type_CraftyBody},
        {.type = &cn_type_CraftyMind},
        {.type = &cn_type_CraftyWalk},
        {.type = &cn_type_CraftyCreatureRules},
        {.type = &cn_type_CraftyPopulated},
        {.type = &cn_type_CraftyStrike},
        {.type = &cn_type_CraftyCreatureEvent},
        {.type = &cn_type_CraftyCreatureList, .flags = CN_COMPONENT_TRANSIENT}};
    for (uint32_t i = 0; i < CN_COUNT_OF(descs); i++)
        if (!cn_component_register(world, &descs[i], error).id)
            return false;
    return cn_channel(world, CraftyCreatureEvent) ||
           cn_error_memory(error, "the events of creatures");
}

bool crafty_creatures_complete(CnWorld *world, CnError *error)
{
    const CraftyCreatureList *list = cn_resource(world, CraftyCreatureList);
    if (!list || !list->difficulty || cn_resource(world, CraftyCreatureRules))
        return true;
    CraftyCreatureRules rules = {.difficulty = list->difficulty,
                                 .key = cn_random_make(list->seed, "creatures").key};
    return cn_resource_set_value(world, cn_id(world, CraftyCreatureRules), &rules) ||
           cn_error_memory(error, "the creatures");
}

bool crafty_creatures_add(CnWorld *world, const CraftyCreaturesDesc *desc, CnError *error)
{
    const CnSystemDesc system = {
        .name = "CraftyCreatures", .run = run_creatures, .stage = CN_STAGE_UPDATE, .alone = true};
    if (!register_all(world, error))
        return false;
    if (!desc->kinds)
        return true;
    if (!cn_resource(world, CraftyCreatureList) && !add_work(world, desc, error))
        return false;
    return crafty_creatures_complete(world, error) &&
           (cn_system_find(world, system.name).id || crafty_system_add(world, &system, error));
}

uint32_t crafty_creatures_clear(CnWorld *world)
{
    CraftyCreatureWork *work = crafty_creature_work(world);
    CnEntity removed[CRAFTY_REMOVED_PER_TICK];
    uint32_t total = 0, count = CRAFTY_REMOVED_PER_TICK;
    while (work && count == CRAFTY_REMOVED_PER_TICK) {
        CnChunkView view;
        count = 0;
        for (CnQueryIter it = cn_query_iter(work->creatures); cn_query_next(&it, &view);)
            for (uint32_t i = 0; i < view.count && count < CRAFTY_REMOVED_PER_TICK; i++)
                if (!crafty_creature_is_kept(&cn_column_const(&view, CraftyCreature)[i]))
                    removed[count++] = view.entities[i];
        for (uint32_t i = 0; i < count; i++)
            crafty_creature_remove(world, removed[i]);
        total += count;
    }
    return total;
}

void crafty_creatures_remove(CnWorld *world)
{
    CraftyCreatureList *list = cn_resource_mut(world, CraftyCreatureList);
    if (!list || !list->work)
        return;
    cn_query_release(list->work->creatures);
    cn_query_release(list->work->players);
    cn_query_release(list->work->populated);
    free_work(list->work);
    list->work = NULL;
}
