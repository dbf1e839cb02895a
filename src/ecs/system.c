#include "store.h"

/* All that running a system reads: one cache line. */
struct ReadySystem {
    CnSystemContext context;               /* what a run gets a copy of */
    void (*run)(CnSystemContext *context); /* NULL: disabled or removed */
    System *system;
};
CN_STATIC_ASSERT(sizeof(ReadySystem) <= (size_t)1 << CNI_BLOCK_MIN_CLASS, "not one line");

struct System {
    ReadySystem *ready;
    bool removed, disabled;
    CnSystem id;
    CnBitSet reads, writes; /* declared access */
    uint32_t waits_for;     /* scratch of the sort */
    CnSystemDesc desc;      /* names are interned, the query is empty */
};

static const char *const stage_names[CN_STAGE_COUNT] = {
    "PreStartup", "Startup", "PostStartup", "FixedUpdate", "PreUpdate", "Update", "PostUpdate",
};

const char *cn_stage_name(CnStage stage)
{
    return (unsigned)stage < CN_STAGE_COUNT ? stage_names[stage] : "unknown";
}

static System *find_system(const CnWorld *world, uint32_t id)
{
    for (uint32_t i = 0; i < world->systems.count; i++)
        if (world->systems.items[i]->id.id == id && !world->systems.items[i]->removed)
            return world->systems.items[i];
    return NULL;
}

static System *find_by_name(const CnWorld *world, const char *name)
{
    for (uint32_t i = 0; i < world->systems.count; i++)
        if (!world->systems.items[i]->removed && !strcmp(world->systems.items[i]->desc.name, name))
            return world->systems.items[i];
    return NULL;
}

CnSystem cn_system_find(const CnWorld *world, const char *name)
{
    const System *system = find_by_name(world, name);
    return system ? system->id : (CnSystem){0};
}

const char *cn_system_name(const CnWorld *world, CnSystem id)
{
    const System *system = find_system(world, id.id);
    return system ? system->desc.name : NULL;
}

/* ---- Adding ---- */

static bool intern(CnWorld *world, const char **name)
{
    if (!*name)
        return true;
    CnName interned = cn_name(&world->names, *name);
    *name = cn_name_text(&world->names, interned);
    return interned.id != 0;
}

static bool declare(CnWorld *world, System *system, const CnTerm *terms)
{
    for (uint32_t i = 0; i < CN_MAX_TERMS && (terms[i].type || terms[i].component.id); i++) {
        uint32_t id = cni_value_component(world, terms[i].type, terms[i].component);
        CnBitSet *set = terms[i].access == CN_ACCESS_WRITE ? &system->writes : &system->reads;
        if (!id || !cn_bitset_set(set, id))
            return false;
    }
    return true;
}

static bool is_empty_query(const CnQueryDesc *query)
{
    const CnTerm *first[] = {query->all, query->any, query->none, query->optional};
    for (uint32_t i = 0; i < CN_COUNT_OF(first); i++)
        if (first[i]->type || first[i]->component.id)
            return false;
    return true;
}

static void system_free(CnWorld *world, System *system)
{
    if (system->ready) {
        cn_commands_destroy(system->ready->context.commands);
        cni_block_release(&world->core_blocks, system->ready, CNI_BLOCK_MIN_CLASS);
    }
    cn_bitset_fini(&system->reads);
    cn_bitset_fini(&system->writes);
    cn_free(world->allocator, system, sizeof *system);
}

static void update_run(System *system)
{
    system->ready->run = system->removed || system->disabled ? NULL : system->desc.run;
}

static bool fill_system(CnWorld *world, System *system, const CnQueryDesc *query)
{
    CnSystemDesc *desc = &system->desc;
    ReadySystem *ready = cni_block_acquire(&world->core_blocks, CNI_BLOCK_MIN_CLASS);
    if (!ready)
        return false;
    *ready = (ReadySystem){.context = {.world = world, .user = desc->user}, .system = system};
    system->ready = ready;
    update_run(system);
    bool done = intern(world, &desc->name);
    for (uint32_t i = 0; i < CN_MAX_ORDER && done; i++)
        done = intern(world, &desc->before[i]) && intern(world, &desc->after[i]);
    if (!done || !declare(world, system, desc->access))
        return false;
    if (!is_empty_query(query)) {
        ready->context.query = cn_query(world, query);
        if (!ready->context.query || !declare(world, system, query->all) ||
            !declare(world, system, query->any) || !declare(world, system, query->optional))
            return false;
    }
    ready->context.commands = cn_commands_create(world);
    return ready->context.commands &&
           cn_array_reserve(&world->systems, (uint64_t)world->systems.count + 1);
}

CnSystem cn_system_add_query(CnWorld *world, const CnSystemDesc *desc, const CnQueryDesc *query,
                             CnError *error)
{
    CnSystem none = {0};
    if (!desc->name || !desc->name[0] || strlen(desc->name) >= CN_MAX_NAME_BYTES) {
        cn_error_set(error, CN_ERROR_FORMAT, "a system needs a name of 1 to %u bytes",
                     CN_MAX_NAME_BYTES - 1);
        return none;
    }
    if (!desc->run || (unsigned)desc->stage >= CN_STAGE_COUNT) {
        cn_error_set(error, CN_ERROR_FORMAT, "system %s has no %s", desc->name,
                     desc->run ? "valid stage" : "function to run");
        return none;
    }
    if (find_by_name(world, desc->name)) {
        CnError local;
        cn_error_set(error ? error : &local, CN_ERROR_EXISTS, "system %s is registered twice",
                     desc->name);
        CN_ASSERT(false, "system %s is registered twice", desc->name);
        return none;
    }
    System *system = cn_alloc_zeroed(world->allocator, sizeof *system);
    if (!system) {
        cn_error_set(error, CN_ERROR_MEMORY, "system %s: out of memory", desc->name);
        return none;
    }
    system->desc = *desc;
    system->disabled = desc->disabled;
    cn_bitset_init(&system->reads, world->allocator);
    cn_bitset_init(&system->writes, world->allocator);
    if (!fill_system(world, system, query)) {
        cn_error_set(error, CN_ERROR_MEMORY, "system %s: out of memory or an unknown component",
                     desc->name);
        system_free(world, system);
        return none;
    }
    memset(&system->desc.query, 0, sizeof system->desc.query);
    system->id = (CnSystem){++world->last_system};
    world->systems.items[world->systems.count++] = system;
    world->sorted_valid[system->desc.stage] = false;
    if (desc->on_added)
        desc->on_added(world, desc->user);
    return (CnSystem){system->id.id};
}

CnSystem cn_system_add(CnWorld *world, const CnSystemDesc *desc, CnError *error)
{
    return cn_system_add_query(world, desc, &desc->query, error);
}

bool cn_system_enable(CnWorld *world, CnSystem id, bool enabled)
{
    System *system = find_system(world, id.id);
    if (!system)
        return false;
    system->disabled = !enabled;
    update_run(system);
    return true;
}

/* ---- Removing ---- */

static void drop_system(CnWorld *world, System *system)
{
    if (system->desc.on_removed)
        system->desc.on_removed(world, system->desc.user);
    if (system->desc.dispose)
        system->desc.dispose(system->desc.user);
    system_free(world, system);
}

static void drop_removed(CnWorld *world)
{
    while (world->systems_removed) {
        world->systems_removed = false;
        for (uint32_t i = 0; i < world->systems.count; i++) {
            System *system = world->systems.items[i];
            if (!system->removed)
                continue;
            memmove(&world->systems.items[i], &world->systems.items[i + 1],
                    (world->systems.count - i - 1) * sizeof system);
            world->systems.count--;
            /* The callbacks may remove others: begin again. */
            world->systems_removed = true;
            drop_system(world, system);
            break;
        }
    }
}

/* A system that is removed while its stage runs ends with the stage. */
bool cn_system_remove(CnWorld *world, CnSystem id)
{
    System *system = find_system(world, id.id);
    if (!system)
        return false;
    system->removed = true;
    update_run(system);
    world->systems_removed = true;
    world->sorted_valid[system->desc.stage] = false;
    if (!world->in_stage)
        drop_removed(world);
    return true;
}

void cni_systems_fini(CnWorld *world)
{
    while (world->systems.count) {
        System *system = world->systems.items[--world->systems.count];
        if (system->desc.dispose)
            system->desc.dispose(system->desc.user);
        system_free(world, system);
    }
    cn_array_fini(&world->systems);
    for (int stage = 0; stage < CN_STAGE_COUNT; stage++)
        cn_array_fini(&world->sorted[stage]);
}

/* ---- Sorting ---- */

static bool runs_before(const System *a, const System *b)
{
    for (uint32_t i = 0; i < CN_MAX_ORDER && a->desc.before[i]; i++)
        if (!strcmp(a->desc.before[i], b->desc.name))
            return true;
    for (uint32_t i = 0; i < CN_MAX_ORDER && b->desc.after[i]; i++)
        if (!strcmp(b->desc.after[i], a->desc.name))
            return true;
    return false;
}

static bool check_names(const CnWorld *world, const System *system, const char *const *names,
                        const char *word, CnError *error)
{
    for (uint32_t i = 0; i < CN_MAX_ORDER && names[i]; i++) {
        const System *other = find_by_name(world, names[i]);
        if (!other)
            return cn_error_set(error, CN_ERROR_NOT_FOUND,
                                "system %s is to run %s %s, which does not exist",
                                system->desc.name, word, names[i]);
        if (other->desc.stage != system->desc.stage)
            return cn_error_set(error, CN_ERROR_MISMATCH,
                                "system %s (%s) is to run %s %s, which is in stage %s",
                                system->desc.name, cn_stage_name(system->desc.stage), word,
                                names[i], cn_stage_name(other->desc.stage));
    }
    return true;
}

static bool in_stage(const System *system, CnStage stage)
{
    return system->desc.stage == stage && !system->removed;
}

#define SORTED UINT32_MAX /* in waits_for */

static bool is_waiting(const System *system, CnStage stage)
{
    return in_stage(system, stage) && system->waits_for != SORTED;
}

static bool is_waited_for(const CnWorld *world, const System *system, CnStage stage)
{
    for (uint32_t i = 0; i < world->systems.count; i++)
        if (is_waiting(world->systems.items[i], stage) &&
            runs_before(system, world->systems.items[i]))
            return true;
    return false;
}

static bool report_cycle(const CnWorld *world, CnStage stage, CnError *error)
{
    /* Those that nobody waits for only stand behind the cycle. */
    for (uint32_t i = 0; i < world->systems.count;) {
        System *system = world->systems.items[i];
        bool behind = is_waiting(system, stage) && !is_waited_for(world, system, stage);
        if (behind)
            system->waits_for = SORTED;
        i = behind ? 0 : i + 1;
    }
    char names[200] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < world->systems.count; i++) {
        const System *system = world->systems.items[i];
        if (!is_waiting(system, stage) || used >= sizeof names - 1)
            continue;
        cn_format(names + used, sizeof names - used, "%s%s", used ? ", " : "", system->desc.name);
        used = strlen(names);
    }
    CN_ASSERT(false, "systems of stage %s wait for each other: %s", cn_stage_name(stage), names);
    return cn_error_set(error, CN_ERROR_CYCLE, "systems of stage %s wait for each other: %s",
                        cn_stage_name(stage), names);
}

/* A flush applies what the systems of a stage recorded in the order in which they run. */
static bool arrange_buffers(CnWorld *world, CnStage stage)
{
    uint32_t count = world->sorted[stage].count;
    CnCommands **buffers = cn_alloc(world->allocator, count * sizeof *buffers);
    if (!buffers)
        return !count;
    for (uint32_t i = 0; i < count; i++)
        buffers[i] = world->sorted[stage].items[i]->context.commands;
    bool done = cni_commands_arrange(world, buffers, count);
    cn_free(world->allocator, buffers, count * sizeof *buffers);
    return done;
}

/* Kahn's algorithm; among those that are ready, the first registered goes first. */
static bool sort_stage(CnWorld *world, CnStage stage, CnError *error)
{
    cn_array_clear(&world->sorted[stage]);
    if (!cn_array_reserve(&world->sorted[stage], world->systems.count))
        return cn_error_set(error, CN_ERROR_MEMORY, "stage %s: out of memory",
                            cn_stage_name(stage));
    uint32_t total = 0;
    for (uint32_t i = 0; i < world->systems.count; i++) {
        System *system = world->systems.items[i];
        if (!in_stage(system, stage))
            continue;
        if (!check_names(world, system, system->desc.before, "before", error) ||
            !check_names(world, system, system->desc.after, "after", error))
            return false;
        total++;
        system->waits_for = 0;
        for (uint32_t j = 0; j < world->systems.count; j++)
            if (in_stage(world->systems.items[j], stage))
                system->waits_for += runs_before(world->systems.items[j], system);
    }
    while (world->sorted[stage].count < total) {
        System *ready = NULL;
        for (uint32_t i = 0; i < world->systems.count && !ready; i++)
            if (in_stage(world->systems.items[i], stage) && world->systems.items[i]->waits_for == 0)
                ready = world->systems.items[i];
        if (!ready)
            return report_cycle(world, stage, error);
        ready->waits_for = SORTED;
        world->sorted[stage].items[world->sorted[stage].count++] = ready->ready;
        for (uint32_t i = 0; i < world->systems.count; i++) {
            System *other = world->systems.items[i];
            if (is_waiting(other, stage) && runs_before(ready, other))
                other->waits_for--;
        }
    }
    if (!arrange_buffers(world, stage))
        return cn_error_set(error, CN_ERROR_MEMORY, "stage %s: out of memory",
                            cn_stage_name(stage));
    world->sorted_valid[stage] = true;
    return true;
}

bool cn_stage_systems(CnWorld *world, CnStage stage, CnSystem *systems, uint32_t capacity,
                      uint32_t *count, CnError *error)
{
    /* A stage that is running keeps its order until it ends. */
    bool runs = world->in_stage && world->running_stage == stage;
    if (!runs && !world->sorted_valid[stage] && !sort_stage(world, stage, error))
        return false;
    *count = 0;
    for (uint32_t i = 0; i < world->sorted[stage].count; i++) {
        const System *system = world->sorted[stage].items[i]->system;
        if (system->removed)
            continue;
        if (*count < capacity)
            systems[*count] = system->id;
        (*count)++;
    }
    return true;
}

/* ---- Running ---- */

bool cni_may_read(const CnWorld *world, uint32_t component)
{
    const System *system = world->running;
    return !system || cn_bitset_has(&system->reads, component) ||
           cn_bitset_has(&system->writes, component);
}

bool cni_may_write(const CnWorld *world, uint32_t component)
{
    return !world->running || cn_bitset_has(&world->running->writes, component);
}

/* Which term of the query an argument is; all of them are required, so every match has its column. */
static inline uint32_t argument_term(const CniQueryHead *query, const CniSystemColumn *argument,
                                     uint32_t place)
{
    CN_ASSERT(cni_query_is_packed(query, argument->type) == !argument->by_field, "%s is %s",
              argument->type->name, argument->by_field ? "packed" : "laid out by fields");
    CN_ASSERT(argument->writes ? cni_query_may_write(query, argument->type)
                               : cni_query_may_read(query, argument->type),
              "the query, or the running system, does not declare %s so", argument->type->name);
    /* Mostly the query's terms are just the arguments. */
    if (CN_LIKELY(place < query->term_count && query->term_types[place] == argument->type))
        return place;
    return cni_query_term(query, argument->type);
}

void cni_system_run(CnSystemContext *context, const CniSystemCode *code)
{
    const CniQueryHead *query = (const CniQueryHead *)(const void *)context->query;
    const CniWorldHead *world = query->world;
    const CniMatch *match = query->matches;
    __attribute__((unused)) const uint32_t structure = world->structure;
    const CniSystemColumn *arguments = (const CniSystemColumn *)(const void *)(code + 1);
    void (*const rows)(CnSystemContext *, const CnChunkView *, void *const *) =
        code->rows[cn_simd_path()];
    const uint32_t argument_count = (uint32_t)code->column_count;
    uint32_t terms[CN_MAX_TERMS];
    void *addresses[CN_MAX_TERMS];
    CnChunkView view;
    for (uint32_t i = 0; i < argument_count; i++)
        terms[i] = argument_term(query, &arguments[i], i);
    view.query = query;
    view.tick = world->tick;
    for (uint32_t m = query->match_count; m > 0; m--, match += query->term_count + 1u) {
        const CniArchetype *archetype = match->archetype;
        view.columns = cni_match_columns(match);
        view.ticks = archetype->ticks;
        for (uint32_t c = 0; c < archetype->chunk_count; c++) {
            const CniChunk *chunk = &world->chunks[archetype->chunk_ids[c]];
            view.chunk = chunk;
            view.count = chunk->count;
            view.capacity = chunk->capacity;
            view.entities = cni_chunk_entities(chunk);
            for (uint32_t i = 0; i < argument_count; i++) {
                const CniColumn *column = &view.columns[terms[i]];
                addresses[i] =
                    chunk->data + (size_t)(column->prefix + arguments[i].offset) * chunk->capacity;
                if (arguments[i].writes)
                    view.ticks[column->tick] = view.tick;
            }
            rows(context, &view, addresses);
            CN_ASSERT(world->structure == structure,
                      "the world's structure changed while a query was iterated; use commands");
            view.ticks += archetype->tick_stride;
        }
    }
}

static void run_system(CnWorld *world, ReadySystem *ready, float dt)
{
    CnSystemContext context = ready->context;
    context.dt = dt;
    ready->context.last_run = ++world->head.tick;
    world->running = ready->system;
    ready->run(&context);
    world->running = NULL;
}

static bool may_run(const CnWorld *world, CnError *error)
{
    CN_ASSERT(!world->in_stage, "a system cannot run a stage");
    return !world->in_stage ||
           cn_error_set(error, CN_ERROR_PERMISSION, "a system cannot run a stage");
}

bool cn_world_run_stage(CnWorld *world, CnStage stage, float dt, CnError *error)
{
    if (!may_run(world, error) || (!world->sorted_valid[stage] && !sort_stage(world, stage, error)))
        return false;
    world->in_stage = true;
    world->running_stage = stage;
    for (uint32_t i = 0; i < world->sorted[stage].count; i++) {
        ReadySystem *ready = world->sorted[stage].items[i];
        if (ready->run)
            run_system(world, ready, dt);
    }
    world->head.tick++; /* what the flush changes is newer than what any system has seen */
    bool flushed = cn_flush(world);
    world->in_stage = false;
    if (world->systems_removed)
        drop_removed(world);
    return flushed ||
           cn_error_set(error, CN_ERROR_MEMORY, "stage %s: some commands could not be applied",
                        cn_stage_name(stage));
}

bool cn_world_startup(CnWorld *world, CnError *error)
{
    if (!may_run(world, error))
        return false;
    cn_events_begin_update(world);
    bool done = cn_world_run_stage(world, CN_STAGE_PRE_STARTUP, 0, error) &&
                cn_world_run_stage(world, CN_STAGE_STARTUP, 0, error) &&
                cn_world_run_stage(world, CN_STAGE_POST_STARTUP, 0, error);
    cn_events_end_update(world);
    return done;
}

static bool run_fixed_steps(CnWorld *world, double dt, CnError *error)
{
    if (!world->sorted[CN_STAGE_FIXED_UPDATE].count)
        return true;
    double step = world->fixed_timestep, most = step * world->max_fixed_steps;
    world->accumulator += dt;
    if (world->accumulator > most)
        world->accumulator = most;
    bool done = true;
    while (done && world->accumulator >= step) {
        if (!world->sorted_valid[CN_STAGE_FIXED_UPDATE] &&
            !sort_stage(world, CN_STAGE_FIXED_UPDATE, error))
            return false;
        done = cn_world_run_stage(world, CN_STAGE_FIXED_UPDATE, (float)step, error);
        world->accumulator -= step; /* also when its flush failed: its systems have run */
    }
    return done;
}

bool cn_world_update(CnWorld *world, float dt, CnError *error)
{
    if (!may_run(world, error))
        return false;
    if (!(dt > 0) || dt > 1e9f)
        dt = 0;
    for (CnStage stage = CN_STAGE_FIXED_UPDATE; stage <= CN_STAGE_POST_UPDATE; stage++)
        if (!world->sorted_valid[stage] && !sort_stage(world, stage, error))
            return false;
    cn_events_begin_update(world);
    bool done = run_fixed_steps(world, (double)dt, error) &&
                cn_world_run_stage(world, CN_STAGE_PRE_UPDATE, dt, error) &&
                cn_world_run_stage(world, CN_STAGE_UPDATE, dt, error) &&
                cn_world_run_stage(world, CN_STAGE_POST_UPDATE, dt, error);
    cn_events_end_update(world);
    return done;
}

float cn_world_fixed_alpha(const CnWorld *world)
{
    double alpha = world->accumulator / world->fixed_timestep;
    return alpha < 1.0 ? (float)alpha : 1.0f;
}
