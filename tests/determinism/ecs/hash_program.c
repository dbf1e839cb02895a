/*
 * Prints hashes of what an ECS world comes to: random operations, systems with float arithmetic,
 * parallel iteration, commands from several threads. tools/check-determinism builds it in every way
 * and compares what it prints.
 *
 *     hash_program WORKERS
 *
 * The first line names the SIMD path, the others must be the same everywhere.
 */
#include "ecs_model.h"

#include <stdio.h>
#include <stdlib.h>

CN_COMPONENT(Position, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(Velocity, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(Body, (f64, mass), (f32, drag), (u32, bounces));
CN_COMPONENT(Heat, (f32, degrees));
CN_TAG(Asleep);

static void print_hash(const char *name, uint64_t hash)
{
    printf("%-24s %016llx\n", name, (unsigned long long)hash);
}

static CnWorld *must(CnWorld *world)
{
    if (!world)
        exit(2);
    return world;
}

/* ---- Random operations ---- */

static void print_model(uint64_t seed, uint32_t operations)
{
    char name[32];
    ModelResult result =
        model_run(&(ModelOptions){.seed = seed, .operations = operations, .compare_every = 0});
    if (result.error[0]) {
        printf("%s\n", result.error);
        exit(1);
    }
    snprintf(name, sizeof name, "model seed %u", (unsigned)seed);
    print_hash(name, result.hash);
}

/* ---- Systems ---- */

CN_SYSTEM(accelerate, (write, Velocity, v), (read, Body, body))
{
    for (uint32_t i = 0; i < count; i++) {
        float slow = 1.0f - body[i].drag * context->dt;
        v[i].x = v[i].x * slow;
        v[i].y = (v[i].y - 9.81f * context->dt) * slow;
        v[i].z = v[i].z * slow + (float)(1.0 / body[i].mass) * 0.001f;
    }
}

CN_SYSTEM(move, (write, Position, p), (read, Velocity, v))
{
    for (uint32_t i = 0; i < count; i++) {
        p[i].x += v[i].x * context->dt;
        p[i].y += v[i].y * context->dt;
        p[i].z += v[i].z * context->dt;
    }
}

CN_SYSTEM(bounce, (write, Position, p), (write, Velocity, v), (write, Body, body))
{
    for (uint32_t i = 0; i < count; i++) {
        bool below = p[i].y < 0.0f;
        p[i].y = below ? -p[i].y : p[i].y;
        v[i].y = below ? v[i].y * -0.7f : v[i].y;
        body[i].bounces += below;
    }
}

CN_SYSTEM(cool, (write, Heat, degrees, heat))
{
    for (uint32_t i = 0; i < count; i++)
        heat[i] = heat[i] * 0.97f + 0.3f / (heat[i] * heat[i] + 1.0f);
}

/* Structure that follows from the numbers. */
static void fall_asleep(CnSystemContext *context)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        const Body *body = cn_column_const(&view, Body);
        const Position *p = cn_column_const(&view, Position);
        for (uint32_t i = 0; i < view.count; i++) {
            if (body[i].bounces % 7 == 6)
                cn_defer_add(context->commands, view.entities[i], Asleep);
            if (body[i].bounces > 40)
                cn_defer_destroy(context->commands, view.entities[i]);
            if (body[i].bounces % 13 == 12 && p[i].x < 20.0f)
                cn_defer_spawn(context->commands, cn_with(Position, {p[i].x + 1.0f, 5, 0}),
                               cn_with(Velocity, {0, 0, 1}), cn_with(Heat, {80}));
        }
    }
}

static void fill(CnWorld *world, uint32_t count)
{
    TestRandom random = {7};
    for (uint32_t i = 0; i < count; i++) {
        float x = (float)test_random_unit(&random) * 50.0f;
        float y = (float)test_random_unit(&random) * 20.0f;
        float speed = (float)test_random_unit(&random) * 4.0f - 2.0f;
        double mass = 0.5 + test_random_unit(&random);
        float drag = (float)test_random_unit(&random) * 0.1f;
        CnEntity e = cn_spawn(world, cn_with(Position, {x, y, 0}), cn_with(Velocity, {speed, 0, 1}),
                              cn_with(Body, {mass, drag, 0}));
        if (i % 3 == 0)
            cn_set(world, e, Heat, {x + y});
        if (i % 5 == 0)
            cn_add(world, e, Asleep);
    }
}

static CnWorld *make_world(void)
{
    CnWorld *world = must(cn_world_create(NULL, NULL));
    cn_register(world, Heat, .layout = CN_LAYOUT_FIELDS);
    cn_id(world, Asleep);
    fill(world, 2000);
    return world;
}

static void print_systems(void)
{
    CnWorld *world = make_world();
    cn_system(world, accelerate, .stage = CN_STAGE_PRE_UPDATE);
    cn_system(world, move, .stage = CN_STAGE_PRE_UPDATE, .after = {"accelerate"});
    cn_system(world, bounce, .stage = CN_STAGE_PRE_UPDATE, .after = {"move"});
    cn_system(world, cool, .stage = CN_STAGE_UPDATE);
    CnSystemDesc sleep = {.name = "fall asleep",
                          .run = fall_asleep,
                          .stage = CN_STAGE_POST_UPDATE,
                          .query = {.all = {cn_reads(Body), cn_reads(Position)}}};
    cn_system_add(world, &sleep, NULL);
    for (uint32_t tick = 1; tick <= 300; tick++) {
        cn_world_update(world, 0.021f, NULL);
        if (tick % 100 == 0) {
            char name[32];
            snprintf(name, sizeof name, "systems, tick %u", tick);
            print_hash(name, cn_world_hash(world));
        }
    }
    CnSnapshot snapshot;
    if (!cn_world_save(world, &snapshot, NULL))
        exit(2);
    print_hash("systems, saved bytes", cn_hash_bytes(snapshot.bytes, snapshot.size, 0));
    cn_snapshot_free(&snapshot);
    cn_world_destroy(world);
}

/* ---- Threads ---- */

static void push_chunk(const CnChunkView *view, void *user, uint32_t lane)
{
    (void)lane;
    float dt = *(const float *)user;
    Position *p = cn_column(view, Position);
    Velocity *v = cn_column(view, Velocity);
    for (uint32_t i = 0; i < view->count; i++) {
        float force = 1.0f / (p[i].x * p[i].x + p[i].y * p[i].y + 0.25f);
        v[i].x += force * dt;
        v[i].y -= force * dt * 0.5f;
        p[i].x += v[i].x * dt;
        p[i].y += v[i].y * dt;
    }
}

#define BUFFERS 8u

typedef struct Recording {
    CnCommands *buffers[BUFFERS];
    const CnEntity *entities;
    uint32_t count, round;
} Recording;

/* Each buffer is filled by whatever thread comes, always with the same. */
static void record_buffers(void *data, uint32_t begin, uint32_t end, uint32_t lane)
{
    (void)lane;
    const Recording *recording = data;
    for (uint32_t b = begin; b < end; b++) {
        CnCommands *commands = recording->buffers[b];
        for (uint32_t i = b; i < recording->count; i += BUFFERS) {
            CnEntity e = recording->entities[i];
            uint32_t what = (i + recording->round) % 11;
            if (what == 0 || what == 8 || what == 10)
                cn_defer_destroy(commands, e);
            else if (what < 3)
                cn_defer_add(commands, e, Asleep);
            else if (what < 5)
                cn_defer_remove(commands, e, Asleep);
            else if (what < 7)
                cn_defer_set(commands, e, Heat, {(float)(i % 100)});
            if (what % 4 == 1)
                cn_defer_spawn(commands, cn_with(Position, {(float)i, 1, 2}),
                               cn_with(Velocity, {1, 1, 1}));
        }
    }
}

static void print_threads(uint32_t workers)
{
    CnJobPool *pool =
        cn_job_pool_create(&(CnJobPoolDesc){.workers = workers ? workers : CN_JOBS_NONE}, NULL);
    CnWorld *world = make_world();
    CnQuery *all = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_writes(Position), cn_writes(Velocity)}}, NULL);
    if (!pool || !all)
        exit(2);
    static CnEntity entities[1u << 16];
    Recording recording = {.entities = entities};
    for (uint32_t b = 0; b < BUFFERS; b++)
        recording.buffers[b] = cn_commands_create(world, NULL);
    float dt = 0.013f;
    for (uint32_t round = 0; round < 60; round++) {
        cn_query_parallel(all, pool, push_chunk, &dt);
        recording.count = cn_query_entities(all, entities, CN_COUNT_OF(entities));
        recording.round = round;
        if (recording.count > CN_COUNT_OF(entities))
            exit(2);
        cn_job_parallel_for(pool, BUFFERS, 1, record_buffers, &recording);
        cn_flush(world);
        if (round % 20 == 19) {
            char name[32];
            snprintf(name, sizeof name, "threads, round %u", round + 1);
            print_hash(name, cn_world_hash(world));
        }
    }
    cn_world_destroy(world);
    cn_job_pool_destroy(pool);
}

int main(int argc, char **argv)
{
    cn_log_set_level(CN_LOG_LEVEL_ERROR);
    printf("%s\n", cn_simd_path_name(cn_simd_path()));
    for (uint64_t seed = 1; seed <= 3; seed++)
        print_model(seed, 20000);
    print_systems();
    print_threads(argc > 1 ? (uint32_t)atoi(argv[1]) : 0);
    return 0;
}
