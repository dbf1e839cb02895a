/*
 * The cost of systems in Lua plugin files: the mover of bench_ecs over 100,000 entities, as a loop
 * over views and as column arithmetic, compared with the same system in C. All variants alternate.
 * `--help` lists the options.
 */
#include "measure.h"
#include "options.h"

#include <cairn/ecs.h>
#include <cairn/script.h>
#include <cairn/sim.h>

#include <stdio.h>
#include <string.h>

#define ENTITIES 100000u
#define RUNS 201u

CN_COMPONENT(Position, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(Velocity, (f32, x), (f32, y), (f32, z));

/* ---- In C ---- */

CN_SYSTEM(move, (write, Position, p), (read, Velocity, v))
{
    float dt = context->dt;
    for (uint32_t i = 0; i < count; i++) {
        p[i].x += v[i].x * dt;
        p[i].y += v[i].y * dt;
        p[i].z += v[i].z * dt;
    }
}

CN_SYSTEM(move_fields, (write, Position, x, px), (write, Position, y, py), (write, Position, z, pz),
          (read, Velocity, x, vx), (read, Velocity, y, vy), (read, Velocity, z, vz))
{
    float dt = context->dt;
    for (uint32_t i = 0; i < count; i++) {
        px[i] += vx[i] * dt;
        py[i] += vy[i] * dt;
        pz[i] += vz[i] * dt;
    }
}

static bool add_c_system(CnWorld *world, CnLayout layout)
{
    return layout == CN_LAYOUT_PACKED
               ? cn_system(world, move, .stage = CN_STAGE_UPDATE).id != 0
               : cn_system(world, move_fields, .stage = CN_STAGE_UPDATE).id != 0;
}

/* ---- In Lua ---- */

#define FILE_OF(body)                                                                              \
    "system { name = 'move', reads = { 'Velocity' }, writes = { 'Position' },\n"                   \
    "         run = function(batch, dt)\n" body "end }\n"

static const char loop[] = FILE_OF("    local p, v = batch.Position, batch.Velocity\n"
                                   "    for i = 0, batch.count - 1 do\n"
                                   "        p[i].x = p[i].x + v[i].x * dt\n"
                                   "        p[i].y = p[i].y + v[i].y * dt\n"
                                   "        p[i].z = p[i].z + v[i].z * dt\n"
                                   "    end\n");
static const char loop_fields[] = FILE_OF("    local p, v = batch.Position, batch.Velocity\n"
                                          "    local px, py, pz, vx, vy, vz =\n"
                                          "        p.x, p.y, p.z, v.x, v.y, v.z\n"
                                          "    for i = 0, batch.count - 1 do\n"
                                          "        px[i] = px[i] + vx[i] * dt\n"
                                          "        py[i] = py[i] + vy[i] * dt\n"
                                          "        pz[i] = pz[i] + vz[i] * dt\n"
                                          "    end\n");
static const char columns[] = FILE_OF("    batch:add('Position', 'Velocity', dt)\n");

typedef struct Way {
    const char *name, *code; /* NULL: in C */
    CnLayout layout;
    bool unchecked;
    uint32_t reference; /* the variant it is compared with */
    CnSim *sim;
    CnScriptSystemDesc desc;
    char path[128];
    uint64_t times[RUNS];
} Way;

enum { C_PACKED, C_FIELDS };

static Way ways[] = {
    [C_PACKED] = {.name = "c_packed", .reference = C_PACKED},
    [C_FIELDS] = {.name = "c_fields", .layout = CN_LAYOUT_FIELDS, .reference = C_FIELDS},
    {.name = "loop_packed", .code = loop, .unchecked = true, .reference = C_PACKED},
    {.name = "loop_checked", .code = loop, .reference = C_PACKED},
    {.name = "columns_packed", .code = columns, .reference = C_PACKED},
    {.name = "loop_fields",
     .code = loop_fields,
     .unchecked = true,
     .layout = CN_LAYOUT_FIELDS,
     .reference = C_FIELDS},
    {.name = "columns_fields", .code = columns, .layout = CN_LAYOUT_FIELDS, .reference = C_FIELDS},
};

static bool add_plugin(Way *way, CnError *error)
{
    cn_format(way->path, sizeof way->path, "/tmp/cairn_bench_%s.lua", way->name);
    way->desc =
        (CnScriptSystemDesc){.path = way->path, .trusted = true, .unchecked = way->unchecked};
    CnPlugin plugin = cn_script_system_plugin(&way->desc);
    bool done =
        cn_file_write_all(cn_native_files(), way->path, way->code, strlen(way->code), error) &&
        cn_sim_add_plugin(way->sim, &plugin, error);
    remove(way->path);
    return done;
}

static bool make(Way *way, CnError *error)
{
    way->sim = cn_sim_create(NULL, error);
    if (!way->sim)
        return false;
    CnWorld *world = cn_sim_world(way->sim);
    cn_register(world, Position, .layout = way->layout);
    cn_register(world, Velocity, .layout = way->layout);
    if (way->code ? !add_plugin(way, error) : !add_c_system(world, way->layout))
        return false;
    for (uint32_t i = 0; i < ENTITIES; i++)
        cn_spawn(world, cn_with(Position, {(float)i, 1, 2}),
                 cn_with(Velocity, {1, (float)(i & 15), 3}));
    return cn_sim_tick_n(way->sim, 5, error);
}

static uint64_t run_stage(Way *way)
{
    uint64_t start = cn_clock_ns();
    cn_world_run_stage(cn_sim_world(way->sim), CN_STAGE_UPDATE, 1.0f / 60, NULL);
    return cn_clock_ns() - start;
}

/* A system that failed would appear to be fast. */
static bool check(const Way *way)
{
    CnError error;
    if (!way->code || !cn_script_system_error(cn_sim_world(way->sim), "move", &error))
        return true;
    fprintf(stderr, "%s: %s\n", way->name, error.message);
    return false;
}

static void print(const Way *way, double ns, double raw_ns, bool json)
{
    if (json)
        printf("{\"workload\":\"lua_%s\",\"n\":%u,\"threads\":1,\"ns\":%.3f,\"raw_ns\":%.3f}\n",
               way->name, ENTITIES, ns, raw_ns);
    else
        printf("%-18s %10.3f %10.3f %10.2f\n", way->name, ns, ns * ENTITIES / 1e6, ns / raw_ns);
}

static bool measure(bool json)
{
    CnError error = {0};
    double ns[CN_COUNT_OF(ways)];
    bool good = true;
    for (uint32_t w = 0; w < CN_COUNT_OF(ways); w++)
        if (!make(&ways[w], &error)) {
            fprintf(stderr, "%s: %s\n", ways[w].name, error.message);
            return false;
        }
    for (uint32_t i = 0; i < RUNS; i++)
        for (uint32_t w = 0; w < CN_COUNT_OF(ways); w++)
            ways[w].times[i] = run_stage(&ways[w]);
    for (uint32_t w = 0; w < CN_COUNT_OF(ways); w++) {
        ns[w] = measure_summarize(ways[w].times, RUNS).median_ns / ENTITIES;
        good &= check(&ways[w]);
    }
    for (uint32_t w = 0; w < CN_COUNT_OF(ways); w++) {
        print(&ways[w], ns[w], ns[ways[w].reference], json);
        cn_sim_destroy(ways[w].sim);
    }
    return good;
}

int main(int argc, char **argv)
{
    bool json = false;
    char about[512];
    cn_format(about, sizeof about,
              "Nanoseconds per entity, medians of %u runs of a system that moves %u entities;\n"
              "raw_ns is the same system in C.",
              RUNS, ENTITIES);
    const BenchOption options[] = {BENCH_OPTION_JSON(&json)};
    bench_read_options(
        &(BenchUsage){"bench_lua_systems", about, options, CN_COUNT_OF(options), NULL}, argc, argv);
    machine_print(json);
    if (!json)
        printf("%-18s %10s %10s %10s\n", "", "ns/entity", "ms", "to C");
    return measure(json) ? 0 : 1;
}
