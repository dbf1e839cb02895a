/* test-labels: threads
 *
 * Waves on the job pool, split systems, and guards on other lanes. */
/* Before the fixture, whose `world` its parameters would shadow. */
#include "ecs/schedule/schedule.h"
#include "ecs/schedule/split_system.h"

#include "ecs_fixture.h"
#include "guards.h"
#include "jobs.h"

#include <cairn/base/assert.h>
#include <pthread.h>
#include <string.h>

CN_COMPONENT(Damage, (f32, amount));
CN_COMPONENT(Gravity, (f32, y));
CN_COMPONENT(Hunger, (f32, amount));
CN_COMPONENT(Thirst, (f32, amount));

enum { COUNT = 20000, WORKERS = 3 };

static CnJobPool *pool;
static CnEntity first;
static CnChannel *channel;

static int make_crowd(void **state)
{
    if (make_world(state))
        return -1;
    pool = create_pool(WORKERS, 0);
    channel = cn_channel(world, Damage);
    cn_register(world, Enemy);
    cn_resource_set(world, Gravity, {-10});
    static CnEntity entities[COUNT];
    cn_spawn_many(world, COUNT, entities, cn_with(Position, {0}), cn_with(Velocity, {1, 2, 3}),
                  cn_with(Mass, {1}));
    first = entities[0];
    cn_world_set_jobs(world, pool);
    return 0;
}

static int drop_crowd(void **state)
{
    int result = drop_world(state);
    cn_job_pool_destroy(pool);
    return result;
}

static void update(void)
{
    assert_true(cn_world_update(world, 1, NULL));
}

static void pretend_to_be_slow(void)
{
    for (uint32_t i = 0; i < world->systems.count; i++)
        world->systems.items[i]->cost_ns = 1000000;
}

/* ---- Waves ---- */

static Meeting meeting;
static bool meets;

static void attend(CnSystemContext *context)
{
    (void)context;
    if (meets)
        meet(&meeting, 0);
}

static void add_attender(const char *name, CnTerm term)
{
    CnSystemDesc desc = {.name = name, .run = attend, .stage = CN_STAGE_UPDATE};
    desc.access[0] = term;
    cn_system_add(world, &desc, NULL);
}

static void systems_of_a_wave_run_at_the_same_time(void **state)
{
    (void)state;
    add_attender("a", (CnTerm)cn_writes(Position));
    add_attender("b", (CnTerm)cn_writes(Velocity));
    add_attender("c", (CnTerm)cn_reads(Mass));
    pretend_to_be_slow();
    meeting = (Meeting){.expected = 3};
    meets = true;
    update(); /* ends only when all three are there */
    assert_int_equal(meeting.arrived, 3);
}

static CnChannel *opened[3];

static void open_channels(CnSystemContext *context)
{
    meet(&meeting, 0);
    opened[*(const int *)context->user] = cn_channel(context->world, Hunger);
    cn_channel(context->world, Thirst);
}

static void systems_of_a_wave_may_open_the_channels_they_declare(void **state)
{
    (void)state;
    static const int numbers[3] = {0, 1, 2};
    const char *const names[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++)
        cn_system_add(world,
                      &(CnSystemDesc){.name = names[i],
                                      .run = open_channels,
                                      .user = (void *)(uintptr_t)&numbers[i],
                                      .stage = CN_STAGE_UPDATE,
                                      .access = {cn_reads(Hunger), cn_reads(Thirst)}},
                      NULL);
    pretend_to_be_slow();
    meeting = (Meeting){.expected = 3};
    update();
    assert_non_null(opened[0]);
    assert_ptr_equal(opened[0], opened[1]);
    assert_ptr_equal(opened[0], opened[2]);
    assert_int_equal(world->channels.count, 3); /* with Damage */
}

static pthread_t threads[2];

static void note_thread(CnSystemContext *context)
{
    *(pthread_t *)context->user = pthread_self();
}

static void systems_that_cost_little_stay_on_the_thread_of_the_world(void **state)
{
    (void)state;
    const CnTerm terms[2] = {cn_writes(Position), cn_writes(Velocity)};
    for (int i = 0; i < 2; i++) {
        CnSystemDesc desc = {.name = i ? "a" : "b", .run = note_thread, .user = &threads[i]};
        desc.stage = CN_STAGE_UPDATE;
        desc.access[0] = terms[i];
        cn_system_add(world, &desc, NULL);
    }
    update(); /* nothing is known about their cost yet */
    assert_true(pthread_equal(threads[0], pthread_self()));
    assert_true(pthread_equal(threads[1], pthread_self()));
}

static _Atomic uint32_t running_now;

static void be_alone(CnSystemContext *context)
{
    (void)context;
    assert_int_equal(atomic_fetch_add(&running_now, 1), 0);
    cn_clock_sleep_ns(200000);
    atomic_fetch_sub(&running_now, 1);
}

static void systems_that_conflict_never_run_at_the_same_time(void **state)
{
    (void)state;
    const char *const names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++) {
        CnSystemDesc desc = {.name = names[i], .run = be_alone, .stage = CN_STAGE_UPDATE};
        if (i < 2)
            desc.access[0] = (CnTerm)cn_writes(Position);
        else if (i == 2)
            desc.alone = true;
        cn_system_add(world, &desc, NULL);
    }
    for (int i = 0; i < 5; i++) {
        pretend_to_be_slow();
        update();
    }
}

static void on_set(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component;
    ++*(uint32_t *)user;
    cn_add(of, entity, Enemy);
}

static void set_values(CnSystemContext *context)
{
    bool which = context->user != NULL;
    for (int i = 0; i < 100; i++)
        if (which)
            cn_set(context->world, first, Position, {1, 1, 1});
        else
            cn_set(context->world, first, Velocity, {1, 1, 1});
}

static void hooks_that_systems_call_run_one_at_a_time(void **state)
{
    (void)state;
    uint32_t calls = 0;
    cn_register(world, Position, .hooks = {.on_set = {on_set, &calls}});
    cn_register(world, Velocity, .hooks = {.on_set = {on_set, &calls}});
    CnSystemDesc a = {.name = "a", .run = set_values, .user = &calls, .stage = CN_STAGE_UPDATE};
    CnSystemDesc b = {.name = "b", .run = set_values, .stage = CN_STAGE_UPDATE};
    a.access[0] = (CnTerm)cn_writes(Position);
    b.access[0] = (CnTerm)cn_writes(Velocity);
    cn_system_add(world, &a, NULL);
    cn_system_add(world, &b, NULL);
    pretend_to_be_slow();
    update();
    assert_int_equal(calls, 200);
    assert_true(cn_has(world, first, Enemy));
}

static void waves_make_no_heap_call(void **state)
{
    (void)state;
    meets = false;
    add_attender("a", (CnTerm)cn_writes(Position));
    add_attender("b", (CnTerm)cn_writes(Velocity));
    pretend_to_be_slow();
    update();
    uint64_t calls = cn_heap_stats(heap).calls;
    pretend_to_be_slow();
    update();
    assert_int_equal(cn_heap_stats(heap).calls, calls);
}

/* ---- Split systems ---- */

CN_SYSTEM(move, (write, Position, p), (read, Velocity, v))
{
    for (uint32_t i = 0; i < count; i++)
        p[i].x += v[i].x * context->dt;
}

static float sum_of_places(void)
{
    float sum = 0;
    CnChunkView view;
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL);
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            sum += cn_column_const(&view, Position)[i].x;
    return sum;
}

static void a_split_system_does_all_its_rows_once(void **state)
{
    (void)state;
    cn_system(world, move, .stage = CN_STAGE_UPDATE, .split = true);
    for (int i = 0; i < 10; i++)
        update();
    assert_number_equal(sum_of_places(), 10.0 * COUNT);
}

static void a_split_system_works_without_a_pool(void **state)
{
    (void)state;
    cn_world_set_jobs(world, NULL);
    cn_system(world, move, .stage = CN_STAGE_UPDATE, .split = true);
    update();
    assert_number_equal(sum_of_places(), COUNT);
}

CN_SYSTEM(weigh, (write, Mass, m))
{
    (void)context, (void)chunk;
    for (uint32_t i = 0; i < count; i++)
        m[i].kilograms += 1;
}

static void split_systems_of_one_wave_run_inside_each_other(void **state)
{
    (void)state;
    cn_system(world, move, .stage = CN_STAGE_UPDATE, .split = true);
    cn_system(world, weigh, .stage = CN_STAGE_UPDATE, .split = true);
    for (int i = 0; i < 10; i++) {
        pretend_to_be_slow();
        update();
    }
    assert_number_equal(sum_of_places(), 10.0 * COUNT);
    assert_number_equal(cn_get(world, first, Mass)->kilograms, 11);
}

/* ---- Guards ---- */

#ifdef CN_GUARDS

/* What happens in a chunk of a split system that reads Velocity and writes Position. */
static void (*action)(CnSystemContext *context, const CnChunkView *chunk);

CN_SYSTEM(split_action, (write, Position, p), (read, Velocity, v))
{
    (void)p, (void)v, (void)count;
    action(context, chunk);
}

#define OPERATION(name, ...)                                                                       \
    static void name(CnSystemContext *context, const CnChunkView *chunk)                           \
    {                                                                                              \
        (void)context, (void)chunk;                                                                \
        __VA_ARGS__;                                                                               \
    }

/* On this thread: the guard jumps out. */
static void expect_report(void (*what)(CnSystemContext *, const CnChunkView *), const char *reason)
{
    cn_world_set_jobs(world, NULL);
    if (!cn_system_find(world, "split_action").id)
        cn_system(world, split_action, .stage = CN_STAGE_UPDATE, .split = true,
                  .access = {cn_writes(Damage)});
    action = what;
    EXPECT_GUARD(cn_world_update(world, 1, NULL));
    world->updating = world->in_stage = false; /* the guard has jumped over the end of the stage */
    cni_ecs_lane_set(NULL);
    if (!strstr(guard_message(), reason))
        fail_msg("\"%s\" does not say \"%s\"", guard_message(), reason);
}

#define WHO "system split_action (stage Update, query: Position, Velocity) "

OPERATION(read_mass, (void)cn_get(context->world, first, Mass))
OPERATION(write_velocity, (void)cn_get_mut(context->world, first, Velocity))
OPERATION(read_gravity, (void)cn_resource(context->world, Gravity))

static void undeclared_access_in_a_split_system_is_reported(void **state)
{
    (void)state;
    expect_report(read_mass, WHO "does not declare to read Mass");
    expect_report(write_velocity, WHO "does not declare to write Velocity");
    expect_report(read_gravity, WHO "does not declare to read Gravity");
}

static void send_from_inside(const CnChunkView *view, void *user, uint32_t lane)
{
    (void)view, (void)user, (void)lane;
    cn_send(channel, Damage, {1});
}

static void destroy_from_inside(const CnChunkView *view, void *user, uint32_t lane)
{
    (void)view, (void)lane;
    cn_defer_destroy(user, first);
}

OPERATION(send_in_a_loop, cn_query_parallel(context->query, NULL, send_from_inside, NULL))
OPERATION(destroy_in_a_loop,
          cn_query_parallel(context->query, NULL, destroy_from_inside, context->commands))

static void recording_in_a_loop_inside_of_a_split_system_is_reported(void **state)
{
    (void)state;
    expect_report(send_in_a_loop, WHO "is run in parallel by cn_query_parallel and must not send");
    expect_report(destroy_in_a_loop,
                  WHO "is run in parallel by cn_query_parallel and must not record commands");
}

static CnCommands *foreign;

OPERATION(record_into_a_foreign_buffer, cn_defer_destroy(foreign, first))

static void recording_into_a_buffer_that_is_not_the_split_systems_is_reported(void **state)
{
    (void)state;
    foreign = cn_commands_create(world, NULL);
    expect_report(record_into_a_foreign_buffer, "a buffer that is not the system's");
}

/* On other lanes the guard cannot jump: it is recorded, and the action continues. */
static struct {
    pthread_mutex_t lock;
    char message[1024];
} report = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Atomic bool reported_elsewhere;
static pthread_t main_thread;

static void note_report(const char *file, int line, const char *message, void *user)
{
    (void)file, (void)line, (void)user;
    pthread_mutex_lock(&report.lock);
    cn_copy_text(report.message, sizeof report.message, cn_text(message));
    pthread_mutex_unlock(&report.lock);
    if (!pthread_equal(pthread_self(), main_thread))
        atomic_store(&reported_elsewhere, true);
}

/* This thread waits until another one has been caught. */
static void read_mass_elsewhere(const CnChunkView *view, void *user, uint32_t lane)
{
    (void)view, (void)user;
    if (lane != 0)
        (void)cn_get(world, first, Mass);
    while (lane == 0 && !atomic_load(&reported_elsewhere))
        cn_clock_sleep_ns(10000);
}

static void run_elsewhere(CnSystemContext *context)
{
    cn_query_parallel(context->query, context->jobs, read_mass_elsewhere, NULL);
}

static void undeclared_access_on_another_lane_is_reported_like_here(void **state)
{
    (void)state;
    CnSystemDesc desc = {.name = "spread", .run = run_elsewhere, .stage = CN_STAGE_UPDATE};
    desc.query.all[0] = (CnTerm)cn_writes(Position);
    cn_system_add(world, &desc, NULL);
    main_thread = pthread_self();
    atomic_store(&reported_elsewhere, false);
    cn_assert_set_handler(note_report, NULL);
    update();
    cn_assert_set_handler(NULL, NULL);
    assert_string_equal(report.message, "system spread (stage Update, query: Position) does not "
                                        "declare to read Mass");
}

static void leave_rows(const CnChunkView *view, void *user, uint32_t lane)
{
    (void)view, (void)user, (void)lane;
}

static void split_then_send(CnSystemContext *context)
{
    cn_query_parallel(context->query, context->jobs, leave_rows, NULL);
    cn_send(channel, Damage, {1});
    cn_defer_destroy(context->commands, first);
}

static void after_its_query_a_system_may_record_and_send(void **state)
{
    (void)state;
    CnSystemDesc desc = {.name = "both", .run = split_then_send, .stage = CN_STAGE_UPDATE};
    desc.query.all[0] = (CnTerm)cn_writes(Position);
    desc.access[0] = (CnTerm)cn_writes(Damage);
    cn_system_add(world, &desc, NULL);
    update();
    assert_int_equal(cn_event_count(channel), 1);
    assert_false(cn_is_alive(world, first));
}

#endif

#define CROWD_TEST(name) cmocka_unit_test_setup_teardown(name, make_crowd, drop_crowd)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CROWD_TEST(systems_of_a_wave_run_at_the_same_time),
        CROWD_TEST(systems_of_a_wave_may_open_the_channels_they_declare),
        CROWD_TEST(systems_that_cost_little_stay_on_the_thread_of_the_world),
        CROWD_TEST(systems_that_conflict_never_run_at_the_same_time),
        CROWD_TEST(hooks_that_systems_call_run_one_at_a_time),
        CROWD_TEST(waves_make_no_heap_call),
        CROWD_TEST(a_split_system_does_all_its_rows_once),
        CROWD_TEST(a_split_system_works_without_a_pool),
        CROWD_TEST(split_systems_of_one_wave_run_inside_each_other),
#ifdef CN_GUARDS
        CROWD_TEST(undeclared_access_in_a_split_system_is_reported),
        CROWD_TEST(recording_in_a_loop_inside_of_a_split_system_is_reported),
        CROWD_TEST(recording_into_a_buffer_that_is_not_the_split_systems_is_reported),
        CROWD_TEST(undeclared_access_on_another_lane_is_reported_like_here),
        CROWD_TEST(after_its_query_a_system_may_record_and_send),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
