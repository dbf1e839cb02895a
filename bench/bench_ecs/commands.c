/* Deferred commands, and events between systems. */
#include "raw.h"

/* ---- Deferred changes ---- */

/* The raw side records into an array and replays it in order. */
typedef enum RawKind { RAW_ADD, RAW_REMOVE } RawKind;

typedef struct RawCommand {
    CnEntity entity;
    RawKind kind;
} RawCommand;

/* The id of a spawned entity is known at once: its slot is taken when the command is recorded. */
typedef struct RawSpawn {
    CnEntity entity;
    Position position;
    Velocity velocity;
} RawSpawn;

typedef struct Deferred {
    uint32_t n;
    CnWorld *world;
    CnCommands *commands;
    CnEntity *entities;
    RawStore store;
    CnEntity *raw_entities;
    RawCommand *recorded;
    RawSpawn *spawns;
    uint32_t count, capacity;
} Deferred;

static void deferred_init(Deferred *deferred, const Case *run)
{
    CnWorld *world = make_moving_world(run);
    *deferred = (Deferred){
        .n = run->n,
        .world = world,
        .commands = need(cn_commands_create(world, NULL)),
        .entities = need_array(run->n, sizeof(CnEntity)),
        .raw_entities = need_array(run->n, sizeof(CnEntity)),
        .recorded = raw_alloc(run->n * sizeof(RawCommand)),
        .spawns = raw_alloc(run->n * sizeof(RawSpawn)),
        .capacity = run->n,
    };
    raw_store_init(&deferred->store, run->n);
}

static void deferred_fini(Deferred *deferred)
{
    cn_world_destroy(deferred->world);
    raw_store_fini(&deferred->store);
    free(deferred->entities);
    free(deferred->raw_entities);
    raw_free(deferred->recorded);
    raw_free(deferred->spawns);
}

static uint64_t changes_ours(void *state)
{
    Deferred *deferred = state;
    CnCommands *commands = deferred->commands;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < deferred->n; i++)
        cn_defer_add(commands, deferred->entities[i], Mark);
    cn_flush(deferred->world);
    for (uint32_t i = 0; i < deferred->n; i++)
        cn_defer_remove(commands, deferred->entities[i], Mark);
    cn_flush(deferred->world);
    return cn_clock_ns() - start;
}

static inline void raw_record(Deferred *deferred, CnEntity entity, RawKind kind)
{
    if (CN_UNLIKELY(deferred->count == deferred->capacity)) {
        deferred->capacity *= 2;
        deferred->recorded =
            need(realloc(deferred->recorded, deferred->capacity * sizeof(RawCommand)));
    }
    deferred->recorded[deferred->count++] = (RawCommand){entity, kind};
}

static __attribute__((noinline)) void raw_flush(Deferred *deferred)
{
    RawStore *store = &deferred->store;
    for (uint32_t i = 0; i < deferred->count; i++) {
        const RawCommand *command = &deferred->recorded[i];
        if (command->kind == RAW_ADD)
            raw_mark(store, command->entity, false, (Extra){0});
        else
            raw_unmark(store, command->entity, false);
    }
    deferred->count = 0;
}

static uint64_t changes_raw(void *state)
{
    Deferred *deferred = state;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < deferred->n; i++)
        raw_record(deferred, deferred->raw_entities[i], RAW_ADD);
    raw_flush(deferred);
    for (uint32_t i = 0; i < deferred->n; i++)
        raw_record(deferred, deferred->raw_entities[i], RAW_REMOVE);
    raw_flush(deferred);
    return cn_clock_ns() - start;
}

Figures measure_deferred_add_remove(const Case *run)
{
    Deferred deferred;
    deferred_init(&deferred, run);
    add_movers(deferred.world, run->n, deferred.entities);
    raw_add_movers(&deferred.store, run->n, deferred.raw_entities);
    Figures figures = take_turns(run, changes_ours, changes_raw, &deferred, 2.0 * run->n);
    CnWorldStats stats = cn_world_stats(deferred.world);
    expect_count("commands fail", (uint32_t)(stats.skipped_commands + stats.failed_commands), 0);
    deferred_fini(&deferred);
    return figures;
}

static uint64_t spawns_ours(void *state)
{
    Deferred *deferred = state;
    CnCommands *commands = deferred->commands;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < deferred->n; i++)
        deferred->entities[i] = cn_defer_spawn(commands, cn_with(Position, {(float)i, 1, 2}),
                                               cn_with(Velocity, {1, 2, 3}));
    cn_flush(deferred->world);
    uint64_t ns = cn_clock_ns() - start;
    expect_count("entities live", cn_entity_count(deferred->world), deferred->n);
    for (uint32_t i = 0; i < deferred->n; i++)
        cn_destroy(deferred->world, deferred->entities[i]);
    return ns;
}

static inline CnEntity raw_record_spawn(Deferred *deferred, Position position, Velocity velocity)
{
    if (CN_UNLIKELY(deferred->count == deferred->capacity)) {
        deferred->capacity *= 2;
        deferred->spawns = need(realloc(deferred->spawns, deferred->capacity * sizeof(RawSpawn)));
    }
    CnEntity entity = raw_slot_acquire(&deferred->store, 0);
    deferred->spawns[deferred->count++] = (RawSpawn){entity, position, velocity};
    return entity;
}

static __attribute__((noinline)) void raw_flush_spawns(Deferred *deferred)
{
    RawStore *store = &deferred->store;
    RawTable *table = &store->plain;
    for (uint32_t i = 0; i < deferred->count; i++) {
        const RawSpawn *spawn = &deferred->spawns[i];
        uint32_t row = raw_append(table);
        table->entities[row] = spawn->entity;
        table->positions[row] = spawn->position;
        table->velocities[row] = spawn->velocity;
        store->slots[cn_entity_index(spawn->entity)].row = row;
    }
    deferred->count = 0;
}

static uint64_t spawns_raw(void *state)
{
    Deferred *deferred = state;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < deferred->n; i++)
        deferred->raw_entities[i] =
            raw_record_spawn(deferred, (Position){(float)i, 1, 2}, (Velocity){1, 2, 3});
    raw_flush_spawns(deferred);
    uint64_t ns = cn_clock_ns() - start;
    expect_count("raw rows live", deferred->store.plain.count, deferred->n);
    for (uint32_t i = 0; i < deferred->n; i++)
        raw_destroy(&deferred->store, deferred->raw_entities[i]);
    return ns;
}

Figures measure_deferred_spawn(const Case *run)
{
    Deferred deferred;
    deferred_init(&deferred, run);
    Figures figures = take_turns(run, spawns_ours, spawns_raw, &deferred, run->n);
    deferred_fini(&deferred);
    return figures;
}

/* ---- Events ---- */

CN_COMPONENT(Hit, (entity, target), (i64, damage));

typedef struct Messages {
    uint32_t n;
    CnLayout layout;
    CnWorld *world;
    CnChannel *channel;
    Hit *hits;
    uint32_t count, capacity;
} Messages;

static uint64_t events_ours(void *state)
{
    Messages *messages = state;
    CnChannel *channel = messages->channel;
    uint64_t targets = 0;
    int64_t damage = 0;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < messages->n; i++)
        cn_send(channel, Hit, {.target = {i + 1}, .damage = 5});
    uint32_t count = cn_event_count(channel);
    if (messages->layout == CN_LAYOUT_PACKED) {
        const Hit *hits = cn_events(channel, Hit);
        for (uint32_t i = 0; i < count; i++) {
            targets += hits[i].target.id;
            damage += hits[i].damage;
        }
    } else {
        const CnEntity *target = cn_event_field(channel, Hit, target);
        const int64_t *amount = cn_event_field(channel, Hit, damage);
        for (uint32_t i = 0; i < count; i++) {
            targets += target[i].id;
            damage += amount[i];
        }
    }
    cn_events_end_update(messages->world);
    cn_events_begin_update(messages->world);
    uint64_t ns = cn_clock_ns() - start;
    measure_keep(targets);
    measure_keep(damage);
    expect_count("events arrive", count, messages->n);
    return ns;
}

static uint64_t events_raw(void *state)
{
    Messages *messages = state;
    uint64_t targets = 0;
    int64_t damage = 0;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < messages->n; i++) {
        if (CN_UNLIKELY(messages->count == messages->capacity)) {
            messages->capacity *= 2;
            messages->hits = need(realloc(messages->hits, messages->capacity * sizeof(Hit)));
        }
        messages->hits[messages->count++] = (Hit){.target = {i + 1}, .damage = 5};
    }
    for (uint32_t i = 0; i < messages->count; i++) {
        targets += messages->hits[i].target.id;
        damage += messages->hits[i].damage;
    }
    messages->count = 0;
    uint64_t ns = cn_clock_ns() - start;
    measure_keep(targets);
    measure_keep(damage);
    return ns;
}

Figures measure_event(const Case *run)
{
    CnWorld *world = need(cn_world_create(NULL, NULL));
    cn_register(world, Hit, .layout = run->layout);
    Messages messages = {
        .n = run->n,
        .layout = run->layout,
        .world = world,
        .channel = need(
            cn_channel_open(world, &(CnChannelDesc){.type = &cn_type_Hit, .max_events = run->n})),
        .hits = raw_alloc(run->n * sizeof(Hit)),
        .capacity = run->n,
    };
    Figures figures = take_turns(run, events_ours, events_raw, &messages, run->n);
    raw_free(messages.hits);
    cn_world_destroy(world);
    return figures;
}
