#include "creatures.h"

#include "creature_internal.h"

#include "../day.h"
#include "../motion.h"
#include "../systems.h"
#include "../vitals.h"

#include <string.h>

#define GRAIN 64u /* creatures that one thread moves at a time */
#define REMOVED_PER_TICK 64u
#define PUSH_DISTANCE 0.9f
#define PUSH_SPEED 0.6f
#define RECENT_TICKS 300u

/* ---- Collecting ---- */

static void collect_watchers(CnWorld *world, CraftyCreatureWork *work)
{
    const CraftyItems *items = cn_resource(world, CraftyItemList)->items;
    CnChunkView view;
    work->watcher_count = 0;
    for (CnQueryIter it = cn_query_iter(work->players); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count && work->watcher_count < CRAFTY_MAX_PLAYERS; i++) {
            const CraftyPlayer *player = &cn_column_const(&view, CraftyPlayer)[i];
            CnVec3 eye = cn_column_const(&view, CnTransform)[i].position;
            bool is_dead = crafty_player_is_dead(world, view.entities[i]);
            const CraftyStrike *strike = cn_get(world, view.entities[i], CraftyStrike);
            bool is_recent = strike && strike->tick + RECENT_TICKS > work->tick;
            work->watchers[work->watcher_count++] =
                (CraftyWatcher){.entity = view.entities[i],
                                .number = cn_column_const(&view, CnPlayerActions)[i].player,
                                .eye = eye,
                                .feet = cn_vec3(eye.x, eye.y - CRAFTY_PLAYER_EYE, eye.z),
                                .held = crafty_player_held(items, player).item,
                                .is_target = player->mode == CRAFTY_MODE_SURVIVAL && !is_dead,
                                .has_body = player->mode != CRAFTY_MODE_SPECTATOR && !is_dead,
                                .attacked = is_recent ? strike->target : (CnEntity){0}};
        }
}

/* Distance along the ground to the nearest player, squared. */
static float distance_to_players(const CraftyCreatureWork *work, CnVec3 at)
{
    float nearest = 1e18f;
    for (uint32_t i = 0; i < work->watcher_count; i++) {
        float x = work->watchers[i].feet.x - at.x, z = work->watchers[i].feet.z - at.z;
        nearest = x * x + z * z < nearest ? x * x + z * z : nearest;
    }
    return nearest;
}

static bool reserve_actors(CraftyCreatureWork *work, uint32_t count)
{
    if (count <= work->actor_capacity)
        return true;
    uint32_t capacity = work->actor_capacity ? work->actor_capacity : 256;
    while (capacity < count)
        capacity *= 2;
    CraftyActor *actors = cn_alloc_zeroed(work->allocator, capacity * sizeof *actors);
    if (!actors)
        return false;
    cn_free(work->allocator, work->actors, work->actor_capacity * sizeof *work->actors);
    work->actors = actors;
    work->actor_capacity = capacity;
    return true;
}

static bool is_valid(CnVec3 at)
{
    const float limit = CN_CELL_LIMIT - 64;
    return at.x > -limit && at.x < limit && at.y > -limit && at.y < limit && at.z > -limit &&
           at.z < limit;
}

static bool is_kept(const CraftyCreature *creature)
{
    return creature->owner || creature->label[0];
}

static bool should_vanish(const CraftyCreatureWork *work, const CraftyCreatureKind *kind,
                          const CraftyCreature *creature, CnVec3 at, float distance,
                          CraftyDifficulty difficulty)
{
    if (!is_valid(at)) /* of a manipulated save */
        return true;
    if (kind->is_hostile && difficulty == CRAFTY_PEACEFUL)
        return true;
    return !is_kept(creature) && work->watcher_count > 0 &&
           distance > CRAFTY_REMOVE_DISTANCE * CRAFTY_REMOVE_DISTANCE;
}

static void forget_column(CnWorld *world, CraftyCreatureWork *work, CnVec3 at)
{
    int32_t x = (int32_t)cn_floorf(at.x) >> 4, z = (int32_t)cn_floorf(at.z) >> 4;
    (void)world;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(work->populated); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            CraftyPopulated *region = &cn_column(&view, CraftyPopulated)[i];
            uint32_t bit = (uint32_t)((x & 15) + 16 * (z & 15));
            if (region->x == x >> 4 && region->z == z >> 4)
                region->columns[bit / 64] &= ~(1ull << bit % 64);
        }
}

static void remove_far(CnWorld *world, CraftyCreatureWork *work, const CnEntity *removed,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const CnTransform *transform = cn_get(world, removed[i], CnTransform);
        if (transform && is_valid(transform->position))
            forget_column(world, work, transform->position);
        crafty_creature_remove(world, removed[i]);
    }
}

static void add_actor(CraftyCreatureWork *work, const CnChunkView *view, uint32_t row,
                      const CraftyCreatureKind *kind)
{
    CraftyCreature *creature = &cn_column(view, CraftyCreature)[row];
    CraftyBody *body = &cn_column(view, CraftyBody)[row];
    CnTransform *transform = &cn_column(view, CnTransform)[row];
    work->actors[work->actor_count++] = (CraftyActor){.entity = view->entities[row],
                                                      .kind = kind,
                                                      .creature = creature,
                                                      .body = body,
                                                      .mind = &cn_column(view, CraftyMind)[row],
                                                      .walk = &cn_column(view, CraftyWalk)[row],
                                                      .transform = transform,
                                                      .position = transform->position,
                                                      .velocity = body->velocity,
                                                      .owner = creature->owner,
                                                      .is_adult = creature->growth == 0,
                                                      .loves = creature->love > 0,
                                                      .is_dead = !(creature->health > 0)};
}

/* Removes those that are too far away, then lists those that act. */
static void vanish(CnWorld *world, CraftyCreatureWork *work)
{
    CraftyDifficulty difficulty = crafty_difficulty(world);
    CnEntity removed[REMOVED_PER_TICK];
    uint32_t count = 0;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(work->creatures); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count && count < REMOVED_PER_TICK; i++) {
            const CraftyCreature *creature = &cn_column_const(&view, CraftyCreature)[i];
            CnVec3 at = cn_column_const(&view, CnTransform)[i].position;
            const CraftyCreatureKind *kind = crafty_creature_kind(work->kinds, creature->kind);
            if (kind &&
                should_vanish(work, kind, creature, at, distance_to_players(work, at), difficulty))
                removed[count++] = view.entities[i];
        }
    remove_far(world, work, removed, count);
}

static void collect_actors(CraftyCreatureWork *work)
{
    CnChunkView view;
    work->actor_count = 0;
    if (!reserve_actors(work, cn_query_count(work->creatures)))
        return; /* nobody moves until there is memory */
    for (CnQueryIter it = cn_query_iter(work->creatures); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            const CraftyCreature *creature = &cn_column_const(&view, CraftyCreature)[i];
            CnVec3 at = cn_column_const(&view, CnTransform)[i].position;
            const CraftyCreatureKind *kind = crafty_creature_kind(work->kinds, creature->kind);
            if (kind && is_valid(at) &&
                distance_to_players(work, at) <= CRAFTY_ACTIVE_DISTANCE * CRAFTY_ACTIVE_DISTANCE)
                add_actor(work, &view, i, kind);
        }
}

static void build_grid(CraftyCreatureWork *work)
{
    memset(work->grid, 0, sizeof work->grid);
    for (uint32_t i = work->actor_count; i-- > 0;) {
        CraftyActor *actor = &work->actors[i];
        int32_t x = (int32_t)cn_floorf(actor->position.x / CRAFTY_CREATURE_CELL);
        int32_t z = (int32_t)cn_floorf(actor->position.z / CRAFTY_CREATURE_CELL);
        uint32_t slot = ((uint32_t)x * 73856093u ^ (uint32_t)z * 19349663u) % CRAFTY_CREATURE_SLOTS;
        actor->next = work->grid[slot];
        work->grid[slot] = i + 1;
    }
}

/* Creatures whose blocks cannot be loaded for lack of memory stand still. */
static void open_window(CraftyCreatureWork *work, CnVoxels *voxels)
{
    crafty_window_begin(&work->window, voxels);
    for (uint32_t i = 0; i < work->actor_count; i++)
        if (!crafty_window_add_around(&work->window,
                                      cn_chunk_of(crafty_cell_of(work->actors[i].position)))) {
            work->actor_count = i;
            return;
        }
}

/* ---- Acting ---- */

static bool count_down16(uint16_t *ticks)
{
    return *ticks > 0 && --*ticks == 0;
}

static void count_timers(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    CraftyCreature *creature = actor->creature;
    CraftyMind *mind = actor->mind;
    count_down16(&creature->hurt_ticks);
    count_down16(&creature->love);
    count_down16(&mind->attack_wait);
    count_down16(&mind->anger);
    creature->rest -= creature->rest > 0;
    if (creature->growth > 0 && --creature->growth == 0)
        actor->did |= CRAFTY_DID_GROW;
    if (actor->kind->voice_seconds > 0 && mind->voice_wait-- == 0) {
        float most = 120 * actor->kind->voice_seconds;
        CnRandom random = cn_random_fork(think->work->key, creature->seed, ~think->work->tick);
        mind->voice_wait = (uint32_t)(cn_random_f32(&random) * most);
        actor->did |= CRAFTY_DID_VOICE;
    }
    if (actor->kind->egg && !creature->growth && mind->egg_wait-- == 0) {
        mind->egg_wait = (uint32_t)(60 * actor->kind->egg_seconds);
        actor->did |= CRAFTY_DID_LAY;
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

static void act(CraftyThink *think)
{
    CraftyActor *actor = think->actor;
    CraftyCreature *creature = actor->creature;
    uint64_t turn = think->work->tick + creature->seed;
    if (!(creature->health > 0)) {
        creature->state = CRAFTY_CREATURE_DIE;
        if (++creature->state_ticks >= CRAFTY_DEATH_TICKS)
            actor->did |= CRAFTY_DID_VANISH;
        crafty_creature_move(think);
        return;
    }
    count_timers(think);
    if (turn % CRAFTY_DECIDE_TICKS == 0)
        crafty_creature_decide(think);
    uint16_t fuse = creature->fuse;
    crafty_creature_act(think);
    if (creature->fuse == fuse && fuse > 0)
        creature->fuse--;
    if (turn % 4 == 0)
        crafty_think_near(think, PUSH_DISTANCE, push_apart, think);
    crafty_creature_move(think);
    CraftyCreatureState state = state_of(actor);
    creature->state_ticks = creature->state == state ? creature->state_ticks + 1 : 0;
    creature->state = (uint8_t)state;
}

static void act_range(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    CraftyCreatureWork *work = data;
    CraftyWindowView view = crafty_window_view(&work->window);
    (void)lane;
    for (uint32_t i = begin; i < end; i++) {
        CraftyThink think = {
            .work = work,
            .actor = &work->actors[i],
            .view = &view,
            .reader = crafty_window_reader(&view),
            .random = cn_random_fork(work->key, work->actors[i].creature->seed, work->tick)};
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
    collect_watchers(world, work);
    if (work->watcher_count == 0)
        return;
    vanish(world, work);
    crafty_creatures_populate(world, work);
    collect_actors(work);
    build_grid(work);
    open_window(work, cn_resource(world, CraftyBlocks)->voxels);
    cn_job_parallel_for(context->jobs, work->actor_count, GRAIN, act_range, work);
    crafty_creature_search(world, work, context->jobs);
    crafty_creature_apply(world, work);
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
    cn_free(work->allocator, work->actors, work->actor_capacity * sizeof *work->actors);
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
    CnEntity removed[REMOVED_PER_TICK];
    uint32_t total = 0, count = REMOVED_PER_TICK;
    while (work && count == REMOVED_PER_TICK) {
        CnChunkView view;
        count = 0;
        for (CnQueryIter it = cn_query_iter(work->creatures); cn_query_next(&it, &view);)
            for (uint32_t i = 0; i < view.count && count < REMOVED_PER_TICK; i++)
                if (!is_kept(&cn_column_const(&view, CraftyCreature)[i]))
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
