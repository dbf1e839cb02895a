/*
 * The cost of scripts: objects whose on_update reads and writes this.position, sandboxed and
 * trusted, compared with the same work as a behavior and as a system in C; one script that
 * moves all objects by columns; and events: 100 hits on 1,000 objects, and finding objects by path.
 * All variants alternate. `--help` lists the options.
 */
#include "measure.h"
#include "options.h"

#include <cairn/ecs.h>
#include <cairn/scene.h>
#include <cairn/script.h>
#include <cairn/sim.h>

#include <stdio.h>
#include <string.h>

#define OBJECTS 10000u
#define RUNS 61u
#define BUDGET_MS (1000.0 / 60)
#define ENEMIES 1000u
#define HITS 100u

/* ---- The same in C ---- */

CN_COMPONENT(Moved, (f32, speed)); /* moved by a behavior */
CN_COMPONENT(Swept, (f32, speed)); /* moved by a system */

static void move_behavior(const CnBehaviorCall *call, void *self)
{
    const Moved *moved = self;
    CnTransform *transform = cn_get_mut(call->world, call->object, CnTransform);
    transform->position.x += moved->speed * call->dt;
}

CN_SYSTEM(sweep, (write, CnTransform, t), (read, Swept, s))
{
    for (uint32_t i = 0; i < count; i++)
        t[i].position.x += s[i].speed * context->dt;
}

/* ---- In Lua ---- */

static const char script_vector[] = "function on_update(dt)\n"
                                    "    this.position = this.position + Vec3(dt, 0, 0)\n"
                                    "end\n";
static const char script_parts[] = "function on_update(dt)\n"
                                   "    local p = this.position\n"
                                   "    p.x = p.x + dt\n"
                                   "    this.position = p\n"
                                   "end\n";
static const char script_empty[] = "function on_update(dt) end\n";
static const char script_batches[] = "local objects = query('TransformComponent')\n"
                                     "local x = {}\n"
                                     "function on_update(dt)\n"
                                     "    for batch in objects:batches() do\n"
                                     "        batch:column('TransformComponent', 'position.x', x)\n"
                                     "        for i = 1, batch.count do x[i] = x[i] + dt end\n"
                                     "        batch:set('TransformComponent', 'position.x', x)\n"
                                     "    end\n"
                                     "end\n";

typedef struct Way {
    const char *name, *script; /* NULL: in C */
    bool sandboxed, one;       /* one script for all objects */
    uint32_t reference;        /* the variant it is compared with */
    CnSim *sim;
    CnScriptDesc desc;
    char path[128];
    uint64_t times[RUNS];
} Way;

enum { NOTHING, SYSTEM, BEHAVIOR };

static Way ways[] = {
    [NOTHING] = {.name = "nothing", .reference = SYSTEM},
    [SYSTEM] = {.name = "c_system", .reference = SYSTEM},
    [BEHAVIOR] = {.name = "c_behavior", .reference = SYSTEM},
    {.name = "trusted_vector", .script = script_vector, .reference = BEHAVIOR},
    {.name = "sandboxed_vector", .script = script_vector, .sandboxed = true, .reference = BEHAVIOR},
    {.name = "trusted_parts", .script = script_parts, .reference = BEHAVIOR},
    {.name = "sandboxed_parts", .script = script_parts, .sandboxed = true, .reference = BEHAVIOR},
    {.name = "trusted_empty", .script = script_empty, .reference = BEHAVIOR},
    {.name = "sandboxed_empty", .script = script_empty, .sandboxed = true, .reference = BEHAVIOR},
    {.name = "trusted_batches", .script = script_batches, .one = true, .reference = SYSTEM},
    {.name = "boxed_batches",
     .script = script_batches,
     .sandboxed = true,
     .one = true,
     .reference = SYSTEM},
};

static const char *const trusted[] = {"/tmp/", NULL};

static bool fail(const CnError *error)
{
    fprintf(stderr, "%s\n", error->message);
    return false;
}

static bool write_script(Way *way)
{
    cn_format(way->path, sizeof way->path, "/tmp/cairn_bench_%s.lua", way->name);
    FILE *file = fopen(way->path, "w");
    return file && fputs(way->script, file) >= 0 && fclose(file) == 0;
}

static void add_object(const Way *way, CnWorld *world, uint32_t number)
{
    CnEntity object = cn_object(world, "Object");
    if (!way->script && way == &ways[SYSTEM])
        cn_set(world, object, Swept, {1});
    else if (!way->script && way == &ways[BEHAVIOR])
        cn_set(world, object, Moved, {1});
    else if (way->script && (!way->one || number == 0)) {
        CnScript script = {.script_name = "Bench"};
        cn_copy_text(script.script_path, sizeof script.script_path, cn_text(way->path));
        cn_set_component(world, object, cn_id(world, CnScript), &script);
    }
}

static bool make(Way *way)
{
    CnError error = {0};
    CnPlugin core[] = {cn_scene_plugin()};
    way->sim = cn_sim_create(&(CnSimDesc){.core = core, .core_count = 1}, &error);
    if (!way->sim)
        return fail(&error);
    CnWorld *world = cn_sim_world(way->sim);
    way->desc =
        (CnScriptDesc){.files = cn_native_files(), .trusted = way->sandboxed ? NULL : trusted};
    CnPlugin plugin = cn_script_plugin(&way->desc);
    if (way->script && (!write_script(way) || !cn_sim_add_plugin(way->sim, &plugin, &error)))
        return fail(&error);
    if (way == &ways[SYSTEM])
        cn_system(world, sweep, .stage = CN_STAGE_UPDATE);
    CnBehavior behavior = {.type = &cn_type_Moved, .update = move_behavior};
    if (way == &ways[BEHAVIOR] && !cn_behavior_add(world, &behavior, &error))
        return fail(&error);
    for (uint32_t i = 0; i < OBJECTS; i++)
        add_object(way, world, i);
    return cn_sim_tick_n(way->sim, 5, &error) || fail(&error);
}

/* A script that was stopped would appear to be fast. */
static bool check(const Way *way)
{
    if (!way->script)
        return true;
    CnScriptStats stats = cn_script_stats(cn_sim_world(way->sim));
    bool all = stats.running == (way->one ? 1 : OBJECTS) && !stats.failed;
    if (!all)
        fprintf(stderr, "%s: %u scripts run, %u failed\n", way->name, stats.running, stats.failed);
    return all;
}

static void print(const Way *way, double ns, double raw_ns, double system_ns, bool json)
{
    if (json)
        printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":1,\"ns\":%.3f,\"raw_ns\":%.3f}\n",
               way->name, OBJECTS, ns, raw_ns);
    else
        printf("%-18s %10.2f %9.3f %8.1f %% %10.1f %10.1f\n", way->name, ns, ns * OBJECTS / 1e6,
               ns * OBJECTS / 1e6 / BUDGET_MS * 100, ns / raw_ns, ns / system_ns);
}

static bool measure(bool json)
{
    for (uint32_t w = 0; w < CN_COUNT_OF(ways); w++)
        if (!make(&ways[w]))
            return false;
    for (uint32_t i = 0; i < RUNS; i++)
        for (uint32_t w = 0; w < CN_COUNT_OF(ways); w++) {
            uint64_t start = cn_clock_ns();
            cn_sim_tick_n(ways[w].sim, 1, NULL);
            ways[w].times[i] = cn_clock_ns() - start;
        }
    double ns[CN_COUNT_OF(ways)];
    bool good = true;
    for (uint32_t w = 0; w < CN_COUNT_OF(ways); w++) {
        ns[w] = measure_summarize(ways[w].times, RUNS).median_ns / OBJECTS;
        good &= check(&ways[w]);
    }
    for (uint32_t w = 0; w < CN_COUNT_OF(ways); w++) {
        print(&ways[w], ns[w], ns[ways[w].reference], ns[SYSTEM], json);
        cn_sim_destroy(ways[w].sim);
        if (ways[w].script)
            remove(ways[w].path);
    }
    return good;
}

/* ---- Hits: messages from one script to others ---- */

CN_COMPONENT(Health, (f32, left));

static void hit_in_c(CnSystemContext *context)
{
    const CnEntity *enemies = context->user;
    for (uint32_t i = 0; i < HITS; i++)
        cn_get_mut(context->world, enemies[i * (ENEMIES / HITS)], Health)->left -= 1;
}

static const char hit_receiver[] =
    "local hits = 0 subscribe('hit', function(amount) hits = hits + amount end)\n";
static const char hit_filter[] = "local hits = 0 subscribe('hit', function(hit) "
                                 "if hit.target == this then hits = hits + hit.amount end end)\n";
static const char hit_keyed[] = "local hits = 0 subscribe('hit', {target = this}, function(hit) "
                                "hits = hits + hit.amount end)\n";
static const char send_to_one[] =
    "local all = {} function on_init() for o in query('ScriptComponent'):each() do "
    "if o ~= this then all[#all + 1] = o end end end\n"
    "function on_update() for i = 1, 100 do send(all[i * 10], 'hit', 1) end end\n";
static const char send_to_all[] =
    "local all = {} function on_init() for o in query('ScriptComponent'):each() do "
    "if o ~= this then all[#all + 1] = o end end end\n"
    "function on_update() for i = 1, 100 do send('hit', {target = all[i * 10], amount = 1}) end end\n";
static const char find_by_path[] = "function on_update() for i = 1, 100 do "
                                   "getObject('Enemies/Enemy' .. i * 10) end end\n";

typedef struct HitWay {
    const char *name, *gun, *enemy; /* NULL: in C; no script */
    bool sandboxed;
    CnSim *sim;
    CnScriptDesc desc;
    CnEntity enemies[ENEMIES];
    uint64_t times[RUNS];
} HitWay;

static HitWay hit_ways[] = {
    {.name = "hits_c"},
    {.name = "hits_idle", .gun = "function on_update() end\n", .enemy = hit_receiver},
    {.name = "hits_to_one_trusted", .gun = send_to_one, .enemy = hit_receiver},
    {.name = "hits_to_one_sandboxed", .gun = send_to_one, .enemy = hit_receiver, .sandboxed = true},
    {.name = "hits_filtered_trusted", .gun = send_to_all, .enemy = hit_keyed},
    {.name = "hits_filtered_sandboxed", .gun = send_to_all, .enemy = hit_keyed, .sandboxed = true},
    {.name = "hits_to_all_trusted", .gun = send_to_all, .enemy = hit_filter},
    {.name = "hits_to_all_sandboxed", .gun = send_to_all, .enemy = hit_filter, .sandboxed = true},
    {.name = "find_by_path", .gun = find_by_path, .sandboxed = true},
};

static bool add_script(const HitWay *way, CnEntity object, const char *part, const char *code)
{
    CnWorld *world = cn_sim_world(way->sim);
    CnScript script = {.script_name = "Bench"};
    if (!code)
        return true;
    cn_format(script.script_path, sizeof script.script_path, "/tmp/cairn_bench_%s_%s.lua",
              way->name, part);
    FILE *file = fopen(script.script_path, "w");
    cn_set_component(world, object, cn_id(world, CnScript), &script);
    return file && fputs(code, file) >= 0 && fclose(file) == 0;
}

static bool fill_hits(HitWay *way)
{
    CnWorld *world = cn_sim_world(way->sim);
    CnEntity root = cn_object(world, "Enemies");
    for (uint32_t i = 0; i < ENEMIES; i++) {
        char name[16];
        cn_format(name, sizeof name, "Enemy%u", i + 1);
        way->enemies[i] = cn_object(world, name, .parent = root);
        if (!way->gun)
            cn_set(world, way->enemies[i], Health, {1e6f});
        else if (!add_script(way, way->enemies[i], "enemy", way->enemy))
            return false;
    }
    return add_script(way, cn_object(world, "Gun"), "gun", way->gun);
}

static bool make_hits(HitWay *way)
{
    CnError error = {0};
    CnPlugin core[] = {cn_scene_plugin()};
    way->sim = cn_sim_create(&(CnSimDesc){.core = core, .core_count = 1}, &error);
    if (!way->sim)
        return fail(&error);
    way->desc = (CnScriptDesc){.files = cn_native_files(),
                               .trusted = way->sandboxed ? NULL : trusted,
                               .instructions_per_tick = 1000000000};
    CnPlugin plugin = cn_script_plugin(&way->desc);
    CnSystemDesc system = {.name = "hits", .run = hit_in_c, .user = way->enemies, .alone = true};
    if (way->gun ? !cn_sim_add_plugin(way->sim, &plugin, &error)
                 : !cn_system_add(cn_sim_world(way->sim), &system, &error).id)
        return fail(&error);
    if (!way->gun)
        cn_register(cn_sim_world(way->sim), Health);
    return fill_hits(way) && (cn_sim_tick_n(way->sim, 5, &error) || fail(&error));
}

static void end_hits(HitWay *way)
{
    static const char *const parts[] = {"enemy", "gun"};
    for (uint32_t i = 0; i < CN_COUNT_OF(parts); i++) {
        char path[128];
        cn_format(path, sizeof path, "/tmp/cairn_bench_%s_%s.lua", way->name, parts[i]);
        remove(path);
    }
    cn_sim_destroy(way->sim);
}

static void print_hits(const HitWay *way, double ns, double raw_ns, bool json)
{
    if (json)
        printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":1,\"ns\":%.3f,\"raw_ns\":%.3f}\n",
               way->name, HITS, ns, raw_ns);
    else
        printf("%-22s %10.1f %9.3f %8.1f %% %10.1f\n", way->name, ns, ns * HITS / 1e6,
               ns * HITS / 1e6 / BUDGET_MS * 100, ns / raw_ns);
}

static bool measure_hits(bool json)
{
    for (uint32_t w = 0; w < CN_COUNT_OF(hit_ways); w++)
        if (!make_hits(&hit_ways[w]))
            return false;
    for (uint32_t i = 0; i < RUNS; i++)
        for (uint32_t w = 0; w < CN_COUNT_OF(hit_ways); w++) {
            uint64_t start = cn_clock_ns();
            cn_sim_tick_n(hit_ways[w].sim, 1, NULL);
            hit_ways[w].times[i] = cn_clock_ns() - start;
        }
    bool good = true;
    if (!json)
        printf("%-22s %10s %9s %10s %10s\n", "", "ns/hit", "ms/tick", "of a tick", "to C");
    double raw_ns = measure_summarize(hit_ways[0].times, RUNS).median_ns / HITS;
    for (uint32_t w = 0; w < CN_COUNT_OF(hit_ways); w++) {
        HitWay *way = &hit_ways[w];
        good &= cn_script_stats(cn_sim_world(way->sim)).failed == 0;
        print_hits(way, measure_summarize(way->times, RUNS).median_ns / HITS, raw_ns, json);
        end_hits(way);
    }
    return good;
}

int main(int argc, char **argv)
{
    bool json = false;
    char about[512];
    cn_format(about, sizeof about,
              "Nanoseconds per object and tick, medians of %u ticks of %u moving objects;\n"
              "raw_ns is the same tick in C as a behavior, for batches as a system.",
              RUNS, OBJECTS);
    const BenchOption options[] = {BENCH_OPTION_JSON(&json)};
    bench_read_options(&(BenchUsage){"bench_lua", about, options, CN_COUNT_OF(options), NULL}, argc,
                       argv);
    machine_print(json);
    if (!json)
        printf("%-18s %10s %9s %10s %10s %10s\n", "", "ns/object", "ms/tick", "of a tick", "to C",
               "to system");
    return measure(json) && measure_hits(json) ? 0 : 1;
}
