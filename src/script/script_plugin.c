/* The plugin: systems that call scripts, hooks that detect them, and the public functions. */
#include "script/runtime/runtime.h"

#include <cairn/scene/presentation.h>
#include <cairn/scene/reflection.h>
#include <cairn/sim/loop.h>
#include <cairn/sim/random.h>

#define PHYSICS_STEP "physics.step"
#define FOLLOW_CAMERAS "FollowCameras"
#define MAX_EVENT_ROUNDS 64u

/* A transient resource that leads from a world to its scripts. */
typedef struct CniScriptContextRef {
    CniScriptRuntime *runtime;
} CniScriptContextRef;
CN_OPAQUE(CniScriptContextRef);

CniScriptRuntime *cni_script_runtime_of(const CnWorld *world)
{
    const CniScriptContextRef *place = cn_resource(world, CniScriptContextRef);
    return place ? place->runtime : NULL;
}

/* ---- Hooks ---- */

static void on_add(CnWorld *world, CnEntity object, CnComponent component, void *user)
{
    CniScriptRuntime *runtime = cni_script_runtime_of(world);
    (void)component, (void)user;
    if (runtime && (runtime->walking || !cni_script_instance_add(runtime, object)))
        runtime->stale = true;
}

/* Other operations of the world that change its structure wait until the hook has returned. */
static void end_in_hook(CniScriptRuntime *runtime, CniScriptInstance *instance)
{
    bool outer = runtime->shared.in_hook;
    runtime->shared.in_hook = true;
    cni_script_instance_end(runtime, instance);
    runtime->shared.in_hook = outer;
}

/* The file has changed: the old script ends, and the new one waits. */
static void on_set(CnWorld *world, CnEntity object, CnComponent component, void *user)
{
    CniScriptRuntime *runtime = cni_script_runtime_of(world);
    CniScriptInstance *instance = runtime ? cni_script_instance_find(runtime, object) : NULL;
    const CnScript *script = cn_get(world, object, CnScript);
    (void)component, (void)user;
    if (!instance || !instance->file || !strcmp(instance->file->path, script->script_path))
        return;
    end_in_hook(runtime, instance);
    if (runtime->walking || !cni_script_instance_add(runtime, object))
        runtime->stale = true;
}

static void on_remove(CnWorld *world, CnEntity object, CnComponent component, void *user)
{
    CniScriptRuntime *runtime = cni_script_runtime_of(world);
    CniScriptInstance *instance = runtime ? cni_script_instance_find(runtime, object) : NULL;
    (void)component, (void)user;
    if (instance)
        end_in_hook(runtime, instance);
}

/* Finds scripts without hook calls: after loading a world, or when a hook ran out of memory. */
static void look_for_scripts(CniScriptRuntime *runtime)
{
    CnWorld *world = runtime->shared.world;
    if (!runtime->stale && cn_query_count(runtime->query) == runtime->instances.count)
        return;
    runtime->stale = false;
    for (uint32_t i = 0; i < runtime->instances.count; i++)
        if (!cn_has_component(world, runtime->instances.items[i]->object, runtime->script))
            runtime->instances.items[i]->gone = true;
    cni_script_end_removed(runtime);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(runtime->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            if (!cni_script_instance_add(runtime, view.entities[i]))
                runtime->stale = true;
}

/* ---- Systems ---- */

static void begin(CniScriptRuntime *runtime, const CnSystemContext *context)
{
    CN_ASSERT(!runtime->walking && !runtime->running, "scripts run in two systems at once");
    runtime->shared.dt = context->dt;
    runtime->walking = true;
}

static void end(CniScriptRuntime *runtime)
{
    CN_ASSERT(runtime->walking && !runtime->running, "a system ends within a call of a script");
    runtime->walking = false;
    cni_script_apply_removals(runtime);
}

bool cni_script_instance_is_active(const CniScriptRuntime *runtime,
                                   const CniScriptInstance *instance)
{
    const CnWorld *world = runtime->shared.world;
    return !instance->gone && cn_is_alive(world, instance->object) &&
           !cn_has_component(world, instance->object, runtime->inactive);
}

static void call_all(CniScriptRuntime *runtime, CniScriptCallback callback)
{
    for (uint32_t i = 0; i < runtime->instances.count; i++) {
        CniScriptInstance *instance = runtime->instances.items[i];
        if (instance->status == CN_SCRIPT_RUNNING &&
            cni_script_instance_is_active(runtime, instance))
            cni_script_instance_call(runtime, instance, callback, CN_NO_PARENT);
    }
}

static void count_running(CniScriptRuntime *runtime)
{
    for (uint32_t i = 0; i < runtime->instances.count; i++) {
        const CniScriptInstance *instance = runtime->instances.items[i];
        if (instance->status == CN_SCRIPT_RUNNING)
            instance->file->state->running++;
    }
}

static void run_fixed(CnSystemContext *context)
{
    CniScriptRuntime *runtime = context->user;
    cni_script_owners_begin_tick(runtime);
    cni_script_game_begin_tick(runtime);
    cni_script_ui_begin_tick(runtime);
    look_for_scripts(runtime);
    begin(runtime, context);
    count_running(runtime);
    for (uint32_t i = 0; i < runtime->instances.count; i++) {
        CniScriptInstance *instance = runtime->instances.items[i];
        if (instance->status == CN_SCRIPT_WAITING &&
            cni_script_instance_is_active(runtime, instance))
            cni_script_instance_start(runtime, instance);
    }
    if (!runtime->game.systems_paused)
        call_all(runtime, CNI_SCRIPT_ON_FIXEDUPDATE);
    cni_script_collisions_prepare(runtime);
    end(runtime);
}

/* A callback may play and stop sounds, so each search starts anew. */
static void notify_sound_ends(CniScriptRuntime *runtime)
{
    CniScriptSound sound;
    while (cni_script_sounds_next_end(runtime, &sound)) {
        CniScriptInstance *instance = cni_script_instance_find(runtime, sound.owner);
        if (instance && !instance->gone)
            cni_script_instance_sound_end(runtime, instance, sound.number);
    }
}

static void call_timers(lua_State *lua, void *user)
{
    (void)user;
    cni_script_bind_timers(lua);
}

static void delay_timers(lua_State *lua, void *user)
{
    (void)user;
    cni_script_bind_delay_timers(lua);
}

static void deliver_events(lua_State *lua, void *user)
{
    *(bool *)user = cni_script_bind_events(lua);
}

/* Runs a job of the bindings. Scripts that fail in it are disabled individually; only memory errors
 * remain. */
static void run_job(CniScriptLuaState *state, CniScriptProtectedFn *job, void *user)
{
    if (state->lua && !cni_script_protected(state, job, user))
        CN_LOG_ERROR("script", "timers and events: %s", state->fault.message);
}

static void run_update(CnSystemContext *context)
{
    CniScriptRuntime *runtime = context->user;
    begin(runtime, context);
    cni_script_collisions_notify(runtime);
    notify_sound_ends(runtime);
    bool paused = runtime->game.systems_paused;
    if (!paused) /* otherwise animators rest, with the ends of the last tick */
        cni_script_animations_notify(runtime);
    for (uint32_t i = 0; i < cni_script_state_count(runtime); i++)
        run_job(cni_script_state_at(runtime, i), paused ? delay_timers : call_timers, NULL);
    call_all(runtime, paused ? CNI_SCRIPT_ON_PAUSED : CNI_SCRIPT_ON_UPDATE);
    end(runtime);
}

static void run_events(CnSystemContext *context)
{
    CniScriptRuntime *runtime = context->user;
    begin(runtime, context);
    bool any = true;
    /* Scripts that answer each other endlessly continue in the next tick. */
    for (uint32_t round = 0; round < MAX_EVENT_ROUNDS && any; round++) {
        any = false;
        for (uint32_t i = 0; i < cni_script_state_count(runtime); i++) {
            bool delivered = false;
            run_job(cni_script_state_at(runtime, i), deliver_events, &delivered);
            any |= delivered;
        }
        any |= cni_script_messages_distribute(&runtime->shared);
    }
    cni_script_owners_end_tick(runtime);
    end(runtime);
    cni_script_game_apply_pause(runtime);
}

static bool add_systems(CniScriptRuntime *runtime, CnError *error)
{
    CnWorld *world = runtime->shared.world;
    CnSystemDesc fixed = {.name = "script.fixedupdate",
                          .run = run_fixed,
                          .user = runtime,
                          .stage = CN_STAGE_UPDATE,
                          .alone = true,
                          .before = {"script.update"},
                          .after = {cn_scene_update_set(world)}};
    CnSystemDesc update = {.name = "script.update",
                           .run = run_update,
                           .user = runtime,
                           .stage = CN_STAGE_UPDATE,
                           .alone = true};
    CnSystemDesc events = {.name = "script.events",
                           .run = run_events,
                           .user = runtime,
                           .stage = CN_STAGE_POST_UPDATE,
                           .before = {"PropagateTransforms"}, /* handlers move objects */
                           .alone = true};
    /* Naming systems that do not exist is an error. */
    if (cn_system_find(world, FOLLOW_CAMERAS).id)
        events.before[1] = FOLLOW_CAMERAS;
    if (cn_system_find(world, PHYSICS_STEP).id) {
        fixed.before[1] = PHYSICS_STEP;
        update.after[0] = PHYSICS_STEP;
    }
    return cn_system_add(world, &fixed, error).id && cn_system_add(world, &update, error).id &&
           cn_system_add(world, &events, error).id &&
           cni_script_sounds_system_add(runtime, error) &&
           cni_script_bursts_system_add(runtime, error);
}

/* ---- The plugin ---- */

static const CnReflectedField script_fields[] = {
    {.key = "scriptName",
     .alias = "script_name",
     .field = "script_name",
     .about = "a name for people"},
    {.key = "scriptPath",
     .alias = "script_path",
     .field = "script_path",
     .about = "virtual path of a Lua file"},
};

static const CnReflectedType reflected_script = {
    .name = "ScriptComponent",
    .type = &cn_type_CnScript,
    .fields = script_fields,
    .field_count = CN_COUNT_OF(script_fields),
    .about = "a Lua script on this object",
};

static bool register_types(CniScriptRuntime *runtime, CnError *error)
{
    CnWorld *world = runtime->shared.world;
    CnComponentDesc script = {.type = &cn_type_CnScript,
                              .hooks = {{on_add, NULL}, {on_set, NULL}, {on_remove, NULL}}};
    CnComponentDesc place = {.type = &cn_type_CniScriptContextRef, .flags = CN_COMPONENT_TRANSIENT};
    if (!cn_object_add(world, error))
        return false;
    if (!cn_random_stream(world, "script", error).id)
        /* the random stream of scripts is part of the state, so it exists from the start */
        return false;
    runtime->script = cn_component_register(world, &script, error);
    if (!runtime->script.id || !cn_component_register(world, &place, error).id ||
        !cn_reflection_add(world, &reflected_script, error))
        return false;
    runtime->inactive = cn_id(world, CnInactive);
    runtime->query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(CnScript)}}, error);
    runtime->collisions = cn_channel(world, CnCollision);
    runtime->input = cn_channel(world, CnInputEvent);
    return (runtime->inactive.id && runtime->query && runtime->collisions && runtime->input) ||
           cn_error_memory(error, "scripts");
}

static void free_runtime(CniScriptRuntime *runtime)
{
    cni_script_state_section_end(runtime);
    cni_script_owners_section_end(runtime);
    cni_script_stored_section_end(runtime);
    cni_script_stored_fini(&runtime->stored);
    cni_script_sounds_section_end(runtime);
    cni_script_sounds_fini(&runtime->sounds);
    cni_script_bursts_fini(&runtime->bursts);
    cni_script_models_fini(&runtime->models);
    cni_script_game_section_end(runtime);
    cni_script_ui_fini(&runtime->ui);
    cni_script_instances_clear(runtime);
    cn_array_fini(&runtime->instances);
    cn_hash_map_fini(&runtime->destroyed);
    cn_array_fini(&runtime->ending);
    cn_array_fini(&runtime->script_files);
    cn_array_fini(&runtime->modules);
    cn_array_fini(&runtime->contacts);
    cn_array_fini(&runtime->uses);
    cn_hash_map_fini(&runtime->is_used);
    cn_array_fini(&runtime->ended);
    cn_array_fini(&runtime->kept);
    cn_array_fini(&runtime->channel_names);
    cni_script_lua_close(&runtime->trusted);
    cni_script_owners_close(runtime);
    cni_script_messages_fini(&runtime->shared);
    cn_query_release(runtime->query);
    cn_free(runtime->shared.allocator, runtime, sizeof *runtime);
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    CnAllocator *allocator = cn_sim_allocator(sim);
    CniScriptRuntime *runtime = cn_alloc_zeroed(allocator, sizeof *runtime);
    if (!runtime)
        return cn_error_memory(error, "scripts");
    runtime->sim = sim;
    runtime->shared =
        (CniScriptContext){.world = cn_sim_world(sim), .desc = user, .allocator = allocator};
    cn_array_init(&runtime->instances, allocator);
    cn_hash_map_init_keyed(&runtime->destroyed, allocator, sizeof(bool));
    cn_array_init(&runtime->ending, allocator);
    cn_array_init(&runtime->script_files, allocator);
    cn_array_init(&runtime->modules, allocator);
    cn_array_init(&runtime->owners, allocator);
    cn_array_init(&runtime->contacts, allocator);
    cn_array_init(&runtime->uses, allocator);
    cn_hash_map_init_keyed(&runtime->is_used, allocator, sizeof(bool));
    cn_array_init(&runtime->ended, allocator);
    cn_array_init(&runtime->kept, allocator);
    cn_array_init(&runtime->channel_names, allocator);
    cni_script_messages_init(&runtime->shared);
    cni_script_stored_init(&runtime->stored, allocator);
    cni_script_sounds_init(&runtime->sounds, allocator);
    cni_script_bursts_init(&runtime->bursts, allocator);
    cni_script_models_init(&runtime->models, allocator);
    cni_script_ui_init(&runtime->ui, allocator);
    cni_script_game_init(&runtime->game);
    runtime->stale = true; /* finds scripts that existed before the plugin */
    bool done = register_types(runtime, error) && add_systems(runtime, error) &&
                cni_script_stored_section_begin(runtime, error) && /* before bodies run again */
                cni_script_sounds_section_begin(runtime, error) &&
                cni_script_game_section_begin(runtime, error) &&
                cni_script_owners_section_begin(runtime, error) &&
                cni_script_state_section_begin(runtime, error);
    if (done && !cn_resource_set(runtime->shared.world, CniScriptContextRef, {runtime}))
        done = cn_error_memory(error, "scripts");
    if (!done)
        free_runtime(runtime);
    return done;
}

static void finish(CnSim *sim, void *user)
{
    CniScriptRuntime *runtime = cni_script_runtime_of(cn_sim_world(sim));
    (void)user;
    runtime->walking = true; /* objects that on_destroy creates get no scripts */
    for (uint32_t i = 0; i < runtime->instances.count; i++)
        if (runtime->instances.items[i]->begun)
            cni_script_instance_call(runtime, runtime->instances.items[i], CNI_SCRIPT_ON_DESTROY,
                                     CN_NO_PARENT);
    runtime->walking = false;
    cn_resource_remove(runtime->shared.world, CniScriptContextRef);
    free_runtime(runtime);
}

static bool clone(CnSim *to, const CnSim *from, void *user, CnError *error)
{
    (void)from;
    CnPlugin plugin = cn_script_plugin(user);
    return cn_sim_add_plugin(to, &plugin, error);
}

CnPlugin cn_script_plugin(const CnScriptDesc *desc)
{
    return (CnPlugin){.name = "Script",
                      .version = 1,
                      .build = build,
                      .finish = finish,
                      .clone = clone,
                      .user = (void *)(uintptr_t)desc};
}

/* ---- Inspection ---- */

CnScriptStatus cn_script_status(const CnWorld *world, CnEntity object)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniScriptRuntime *runtime = cni_script_runtime_of(world);
    if (!runtime || !cn_has_component(world, object, runtime->script))
        return CN_SCRIPT_NONE;
    const CniScriptInstance *instance = cni_script_instance_find(runtime, object);
    return instance && !instance->gone ? instance->status : CN_SCRIPT_WAITING;
}

bool cn_script_error(const CnWorld *world, CnEntity object, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniScriptRuntime *runtime = cni_script_runtime_of(world);
    const CniScriptInstance *instance = runtime ? cni_script_instance_find(runtime, object) : NULL;
    cn_error_clear(error);
    if (!instance || instance->status != CN_SCRIPT_FAILED)
        return false;
    if (instance->error)
        *error = *instance->error;
    else
        cn_error_set(error, CN_ERROR_MEMORY,
                     "a script failed, and there was no memory for its error");
    return true;
}

CnScriptStats cn_script_stats(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniScriptRuntime *runtime = cni_script_runtime_of(world);
    CnScriptStats stats = {0};
    if (!runtime)
        return stats;
    stats.trusted_bytes = runtime->trusted.bytes;
    for (uint32_t i = 0; i < runtime->owners.count; i++) {
        const CniScriptLuaState *owner = runtime->owners.items[i];
        stats.sandboxed_bytes += owner->bytes;
        if (owner->peak_bytes > stats.sandboxed_peak_bytes)
            stats.sandboxed_peak_bytes = owner->peak_bytes;
        stats.watchdog_stops += owner->watchdog_stops;
    }
    stats.calls = runtime->calls;
    stats.errors = runtime->errors;
    stats.sounds = runtime->sounds.playing.count;
    stats.refused_sounds = runtime->sounds.refused;
    for (uint32_t i = 0; i < runtime->instances.count; i++) {
        stats.running += runtime->instances.items[i]->status == CN_SCRIPT_RUNNING;
        stats.failed += runtime->instances.items[i]->status == CN_SCRIPT_FAILED;
    }
    return stats;
}
