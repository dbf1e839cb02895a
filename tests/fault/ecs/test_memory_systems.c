/* Out of memory at every allocation while systems are added, sorted, run, replaced and removed.
 * What fails says so and changes nothing; the world stays sound and the same call succeeds later.
 */
/* Before the fixture, whose `world` its parameters would shadow. */
#include "ecs/schedule/schedule.h"

#include "../../unit/ecs/ecs_fixture.h"

#include "check_world.h"
#include "faulty_allocator.h"

#include <string.h>

CN_COMPONENT(Gravity, (f32, y));

enum { SYSTEMS = 40, PLUGIN = 3 };

typedef struct Counts {
    uint32_t runs, added, removed, disposed;
} Counts;

static Counts counts;

static void run(CnSystemContext *context)
{
    (void)context;
    counts.runs++;
}

static void on_added(CnWorld *of, void *user)
{
    (void)of, (void)user;
    counts.added++;
}

static void on_removed(CnWorld *of, void *user)
{
    (void)of, (void)user;
    counts.removed++;
}

static void on_dispose(void *user)
{
    (void)user;
    counts.disposed++;
}

static CnSystemDesc describe(uint32_t number)
{
    static char names[SYSTEMS][8];
    cn_format(names[number], sizeof names[number], "s%u", number);
    CnSystemDesc desc = {
        .name = names[number],
        .run = run,
        .stage = number % 3 ? CN_STAGE_UPDATE : CN_STAGE_POST_UPDATE,
        .on_added = on_added,
        .on_removed = on_removed,
        .dispose = on_dispose,
    };
    desc.query.all[0] = (CnTerm)cn_reads(Position);
    desc.query.optional[0] = number % 2 ? (CnTerm)cn_writes(Velocity) : (CnTerm)cn_reads(Mass);
    desc.access[0] = (CnTerm)cn_writes(Gravity);
    if (number >= 3)
        desc.after[0] = names[number - 3];
    return desc;
}

/* Every failed call is looked at, then memory is there again. */
typedef struct Trial {
    FaultyAllocator memory;
    uint64_t failures_seen;
} Trial;

static void look(Trial *trial, const char *call, const CnError *error)
{
    if (trial->memory.failures == trial->failures_seen)
        fail_msg("fails though there is memory: %s (%s)", call, error->message);
    trial->failures_seen = trial->memory.failures;
    trial->memory.lasting = false;
    assert_int_equal(error->code, CN_ERROR_MEMORY);
    assert_world_sound(world);
}

static CnSystem add(Trial *trial, uint32_t number)
{
    CnSystemDesc desc = describe(number);
    for (;;) {
        Counts before = counts;
        uint32_t systems = world->systems.count;
        CnError error = {0};
        CnSystem system = cn_system_add(world, &desc, &error);
        if (system.id)
            return system;
        look(trial, "add", &error);
        assert_memory_equal(&counts, &before, sizeof counts);
        assert_int_equal(world->systems.count, systems);
        const CniEcsSystem *there = cni_ecs_system_by_name(world, desc.name);
        assert_true(!there || there->stale);
    }
}

/* Nothing runs when it cannot be sorted. */
static void update(Trial *trial, uint32_t expected_runs)
{
    for (;;) {
        CnError error = {0};
        uint32_t runs = counts.runs;
        bool done = cn_world_update(world, 0.1f, &error);
        assert_int_equal(counts.runs, done ? runs + expected_runs : runs);
        if (done)
            return;
        look(trial, "update", &error);
    }
}

static bool scenario(Trial *trial)
{
    counts = (Counts){0};
    world = cn_world_create(&(CnWorldDesc){.allocator = &trial->memory.base}, NULL);
    if (!world)
        return false;
    CnSystem systems[SYSTEMS];
    for (uint32_t i = 0; i < SYSTEMS; i++) {
        cn_world_set_owner(world, i % 2 ? PLUGIN : 0);
        systems[i] = add(trial, i);
    }
    update(trial, SYSTEMS);
    cn_owner_begin_replace(world, PLUGIN);
    assert_world_sound(world);
    assert_int_equal(counts.disposed, SYSTEMS / 2);
    cn_world_set_owner(world, PLUGIN);
    for (uint32_t i = 1; i < SYSTEMS - 2; i += 2)
        assert_int_equal(add(trial, i).id, systems[i].id);
    cn_owner_end_replace(world, PLUGIN); /* without the last one */
    assert_int_equal(counts.disposed, SYSTEMS / 2);
    update(trial, SYSTEMS - 1);
    assert_true(cn_system_remove(world, systems[SYSTEMS - 2]));
    update(trial, SYSTEMS - 2);
    assert_int_equal(counts.disposed, SYSTEMS / 2 + 1);
    assert_world_sound(world);
    return true;
}

/* How many allocations it makes. */
static uint64_t try_with(uint64_t fail_at, bool lasting)
{
    CnHeap *under = cn_heap_create(NULL, NULL);
    Trial trial = {.memory = faulty_allocator(cn_heap_tag(under, "trial"))};
    trial.memory.fail_at = fail_at;
    trial.memory.lasting = lasting;
    QUIETLY(scenario(&trial));
    cn_world_destroy(world);
    world = NULL;
    assert_int_equal(cn_heap_stats(under).live_blocks, 0);
    cn_heap_destroy(under);
    return trial.memory.calls;
}

static void one_allocation_that_fails_is_survived(void **state)
{
    (void)state;
    uint64_t allocations = try_with(UINT64_MAX, false);
    assert_true(allocations > 100);
    for (uint64_t i = 0; i < allocations; i++)
        try_with(i, false);
}

static void memory_that_is_out_for_the_rest_of_a_call_is_survived(void **state)
{
    (void)state;
    uint64_t allocations = try_with(UINT64_MAX, false);
    for (uint64_t i = 0; i < allocations; i++)
        try_with(i, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_allocation_that_fails_is_survived),
        cmocka_unit_test(memory_that_is_out_for_the_rest_of_a_call_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
