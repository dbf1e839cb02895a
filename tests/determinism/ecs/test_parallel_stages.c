/* test-labels: threads
 *
 * Random schedules: about 30 systems that read and write what they declare, record commands, send
 * and read events, look at what changed, split their queries and change structure alone. A world
 * comes to the same state with any number of workers, and without a pool. */
/* Before the fixture, whose `world` its parameters would shadow. */
#include "ecs/schedule/schedule.h"

#include "../../unit/ecs/ecs_fixture.h"
#include "check_world.h"
#include "jobs.h"
#include "random.h"

#include <pthread.h>

CN_COMPONENT(Cell0, (u64, value));
CN_COMPONENT(Cell1, (u64, value));
CN_COMPONENT(Cell2, (u64, value));
CN_COMPONENT(Cell3, (u64, value));
CN_COMPONENT(Cell4, (u64, value));
CN_COMPONENT(Cell5, (u64, value));
CN_COMPONENT(Total0, (u64, value));
CN_COMPONENT(Total1, (u64, value));
CN_COMPONENT(Total2, (u64, value));
CN_COMPONENT(Event0, (u64, value));
CN_COMPONENT(Event1, (u64, value));
CN_COMPONENT(Event2, (u64, value));

enum { CELLS = 6, TOTALS = 3, EVENTS = 3, THINGS = CELLS + TOTALS + EVENTS };
enum { SYSTEMS = 30, TICKS = 25, CROWD = 300 };

#ifdef __SANITIZE_THREAD__
enum { SEEDS = 4 };
#else
enum { SEEDS = 25 };
#endif

static const CnType *const types[THINGS] = {
    &cn_type_Cell0,  &cn_type_Cell1,  &cn_type_Cell2,  &cn_type_Cell3,
    &cn_type_Cell4,  &cn_type_Cell5,  &cn_type_Total0, &cn_type_Total1,
    &cn_type_Total2, &cn_type_Event0, &cn_type_Event1, &cn_type_Event2,
};

static bool is_cell(uint32_t thing)
{
    return thing < CELLS;
}

static bool is_total(uint32_t thing)
{
    return thing >= CELLS && thing < CELLS + TOTALS;
}

/* One system, as the seed describes it. */
typedef struct Plan {
    char name[16];
    uint64_t salt;
    CnAccess access[THINGS];
    bool commands, changed, split, alone, moody;
    CnStage stage;
    int after;        /* number of an earlier system, or -1 */
    pthread_t thread; /* of the last run */
} Plan;

static Plan plans[SYSTEMS];
static CnComponent ids[THINGS];
static CnChannel *channels[EVENTS];
static _Atomic uint32_t runs_elsewhere; /* on threads other than the first */

static uint64_t mix(uint64_t a, uint64_t b)
{
    return cn_hash_mix(a ^ b * 0x9e3779b97f4a7c15u);
}

/* ---- What systems do ---- */

static uint64_t change_rows(const Plan *plan, const CnChunkView *view, uint64_t sum)
{
    uint64_t *written[CELLS] = {0};
    const uint64_t *read[CELLS] = {0};
    for (uint32_t c = 0; c < CELLS; c++) {
        if (plan->access[c] == CN_ACCESS_WRITE)
            written[c] = cn_column_by_id_mut(view, ids[c], NULL);
        else if (plan->access[c] == CN_ACCESS_READ)
            read[c] = cn_column_by_id(view, ids[c], NULL);
    }
    for (uint32_t row = 0; row < view->count; row++) {
        uint64_t value = mix(plan->salt, view->entities[row].id);
        for (uint32_t c = 0; c < CELLS; c++)
            if (read[c])
                value = mix(value, read[c][row]);
        for (uint32_t c = 0; c < CELLS; c++)
            if (written[c])
                value = written[c][row] = mix(value, written[c][row]);
        sum = mix(sum, value);
    }
    return sum;
}

static void change_piece(const CnChunkView *view, void *user, uint32_t lane)
{
    (void)lane;
    change_rows(user, view, 0);
}

static uint64_t read_things(const CnSystemContext *context, const Plan *plan)
{
    uint64_t sum = mix(plan->salt, context->last_run);
    for (uint32_t i = CELLS; i < THINGS; i++) {
        if (plan->access[i] == CN_ACCESS_NONE)
            continue;
        if (is_total(i)) {
            sum = mix(sum, *(const uint64_t *)cn_resource_get(context->world, ids[i]));
            continue;
        }
        const CnChannel *channel = channels[i - CELLS - TOTALS];
        uint32_t count = cn_event_count(channel);
        for (uint32_t e = 0; e < count; e++)
            sum = mix(sum, ((const uint64_t *)(const void *)channel->rows)[e]);
    }
    return sum;
}

static void write_things(const CnSystemContext *context, const Plan *plan, uint64_t sum)
{
    for (uint32_t i = CELLS; i < THINGS; i++) {
        if (plan->access[i] != CN_ACCESS_WRITE)
            continue;
        if (is_total(i))
            *(uint64_t *)cn_resource_get_mut(context->world, ids[i]) = sum;
        else
            for (uint32_t e = 0; e < sum % 3; e++)
                cn_send_value(channels[i - CELLS - TOTALS], &(uint64_t){mix(sum, e)});
    }
}

/* A few of the rows, chosen by their numbers. */
static void record(const CnSystemContext *context, const CnChunkView *view, uint64_t sum)
{
    for (uint32_t row = 0; row < view->count; row++) {
        CnEntity entity = view->entities[row];
        uint64_t chance = mix(sum, entity.id);
        CnComponent cell = ids[chance / 64 % CELLS];
        switch (chance % 64) {
        case 0:
            cn_defer_destroy(context->commands, entity);
            break;
        case 1:
        case 2: {
            if (cn_entity_count(context->world) > 2 * CROWD)
                break;
            CnValue values[2] = {{.component = cell, .data = &chance},
                                 {.component = ids[chance % CELLS], .data = &sum}};
            CnEntity child = cn_defer_spawn_values(context->commands, values, 2);
            cn_defer_set_component(context->commands, child, ids[0], &sum);
            break;
        }
        case 3:
            cn_defer_set_component(context->commands, entity, cell, &chance);
            break;
        case 4:
            cn_defer_remove_component(context->commands, entity, cell);
            break;
        case 5:
            cn_defer_add_component(context->commands, entity, cell);
            break;
        default:
            break;
        }
    }
}

static void change_structure(CnWorld *of, uint64_t sum)
{
    CnEntity entity = cn_spawn(of, (CnValue){.component = ids[sum % CELLS], .data = &sum});
    cn_set_component(of, entity, ids[1], &sum);
    if (sum & 64)
        cn_destroy(of, entity);
}

static void run_plan(CnSystemContext *context)
{
    Plan *plan = context->user;
    plan->thread = pthread_self();
    uint64_t sum = read_things(context, plan);
    if (plan->split) {
        cn_query_parallel(context->query, context->jobs, change_piece, plan);
        return;
    }
    CnChunkView view;
    CnQueryIter it = cn_query_iter_changed(context->query, plan->changed ? context->last_run : 0);
    while (cn_query_next(&it, &view)) {
        sum = change_rows(plan, &view, sum);
        if (plan->commands)
            record(context, &view, sum);
    }
    write_things(context, plan, sum);
    if (plan->alone)
        change_structure(context->world, sum);
}

static bool is_in_the_mood(const CnSystemContext *context)
{
    return read_things(context, context->user) % 4 != 0;
}

/* ---- Making them up ---- */

static void make_plans(uint64_t seed)
{
    static const CnStage stages[] = {CN_STAGE_INPUT, CN_STAGE_UPDATE, CN_STAGE_UPDATE,
                                     CN_STAGE_UPDATE, CN_STAGE_POST_UPDATE};
    TestRandom random = {seed};
    for (int s = 0; s < SYSTEMS; s++) {
        Plan *plan = &plans[s];
        *plan = (Plan){.salt = test_random(&random), .thread = pthread_self(), .after = -1};
        cn_format(plan->name, sizeof plan->name, "s%d", s);
        plan->stage = stages[test_random_below(&random, CN_COUNT_OF(stages))];
        plan->split = test_random_chance(&random, 20);
        plan->commands = !plan->split && test_random_chance(&random, 50);
        plan->alone = !plan->split && test_random_chance(&random, 5);
        plan->changed = test_random_chance(&random, 30);
        plan->moody = test_random_chance(&random, 20);
        for (uint32_t i = 0; i < THINGS; i++) {
            uint32_t chance = test_random_below(&random, is_cell(i) ? 8 : 16);
            plan->access[i] = chance == 0  ? CN_ACCESS_WRITE
                              : chance < 3 ? CN_ACCESS_READ
                                           : CN_ACCESS_NONE;
            if (plan->split && !is_cell(i)) /* its body may not */
                plan->access[i] = CN_ACCESS_NONE;
        }
        if (plan->access[0] == CN_ACCESS_NONE)
            plan->access[0] = CN_ACCESS_READ; /* something to iterate */
        int other = (int)test_random_below(&random, SYSTEMS);
        if (other < s && plans[other].stage == plan->stage && test_random_chance(&random, 40))
            plan->after = other;
    }
}

static void add_plan(Plan *plan)
{
    CnSystemDesc desc = {.name = plan->name, .run = run_plan, .user = plan, .stage = plan->stage};
    uint32_t optional = 0, further = 0;
    desc.query.all[0] = (CnTerm){NULL, ids[0], plan->access[0]};
    for (uint32_t i = 1; i < THINGS; i++) {
        if (plan->access[i] == CN_ACCESS_NONE)
            continue;
        if (is_cell(i))
            desc.query.optional[optional++] = (CnTerm){NULL, ids[i], plan->access[i]};
        else
            desc.access[further++] = (CnTerm){NULL, ids[i], plan->access[i]};
    }
    desc.alone = plan->alone;
    desc.split = plan->split;
    desc.run_if = plan->moody ? is_in_the_mood : NULL;
    if (plan->after >= 0)
        desc.after[0] = plans[plan->after].name;
    assert_int_not_equal(cn_system_add(world, &desc, NULL).id, 0);
}

/* Waves are to be spread over the pool whatever they cost. */
static void pretend_to_be_slow(void)
{
    for (uint32_t i = 0; i < world->systems.count; i++)
        world->systems.items[i]->cost_ns = 1000000;
}

static void fill_world(void)
{
    for (uint32_t i = 0; i < THINGS; i++) {
        ids[i] = cn_component_register(world, &(CnComponentDesc){.type = types[i]}, NULL);
        if (is_total(i))
            cn_resource_set_value(world, ids[i], NULL);
        else if (!is_cell(i))
            channels[i - CELLS - TOTALS] =
                cn_channel_open(world, &(CnChannelDesc){.component = ids[i]});
    }
    for (uint32_t e = 0; e < CROWD; e++) {
        CnEntity entity = cn_spawn(world, cn_with(Cell0, {e}));
        for (uint32_t c = 1; c < CELLS; c++)
            if (mix(e, c) % 3 == 0)
                cn_set_component(world, entity, ids[c], &(uint64_t){mix(c, e)});
    }
}

/* The hashes of all ticks in one. */
static uint64_t run_world(uint64_t seed, CnJobPool *pool)
{
    CnWorld *before = world;
    world = cn_world_create(NULL, NULL);
    make_plans(seed);
    fill_world();
    for (int s = 0; s < SYSTEMS; s++)
        add_plan(&plans[s]);
    cn_world_set_jobs(world, pool);
    uint64_t hash = 0;
    for (int tick = 0; tick < TICKS; tick++) {
        pretend_to_be_slow();
        assert_true(cn_world_update(world, 0.1f, NULL));
        hash = mix(hash, cn_world_hash(world));
        hash = mix(hash, cn_world_tick(world));
        for (int s = 0; s < SYSTEMS; s++)
            runs_elsewhere += !pthread_equal(plans[s].thread, pthread_self());
    }
    assert_world_sound(world);
    cn_world_destroy(world);
    world = before;
    return hash;
}

static void compare_with_workers(uint32_t workers)
{
    CnJobPool *pool = create_pool(workers, 0);
    runs_elsewhere = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        uint64_t alone = run_world(seed, NULL);
        if (run_world(seed, pool) != alone)
            fail_msg("seed %d: another state with %u workers", (int)seed, workers);
    }
    cn_job_pool_destroy(pool);
    assert_true(workers ? runs_elsewhere > 0 : runs_elsewhere == 0);
}

static void a_pool_without_workers_leads_to_the_same_state(void **state)
{
    (void)state;
    compare_with_workers(0);
}

static void one_worker_leads_to_the_same_state(void **state)
{
    (void)state;
    compare_with_workers(1);
}

static void three_workers_lead_to_the_same_state(void **state)
{
    (void)state;
    compare_with_workers(3);
}

static void seven_workers_lead_to_the_same_state(void **state)
{
    (void)state;
    compare_with_workers(7);
}

static void another_schedule_leads_to_another_state(void **state)
{
    (void)state;
    assert_true(run_world(1, NULL) != run_world(2, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_without_workers_leads_to_the_same_state),
        cmocka_unit_test(one_worker_leads_to_the_same_state),
        cmocka_unit_test(three_workers_lead_to_the_same_state),
        cmocka_unit_test(seven_workers_lead_to_the_same_state),
        cmocka_unit_test(another_schedule_leads_to_another_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
