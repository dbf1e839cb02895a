/* Out of memory at every allocation of a pass: it says so, reads are right, and the next pass
 * mends. */
#include "cmocka_tests.h"
#include "failing_heap.h"

#include <cairn/scene/transform.h>

#define NODES 300u

static bool make_nodes(CnWorld *world, CnEntity *entities, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; i++) {
        entities[i] = cn_spawn(world, cn_with(CnTransform, {{1, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}));
        if (!entities[i].id)
            return false;
        if (i && i % 3 && !cn_set_parent(world, entities[i], entities[i / 4]))
            return false;
    }
    return true;
}

static void assert_reads_are_right(CnWorld *world, const CnEntity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        float x = 1;
        for (CnEntity e = cn_parent(world, entities[i]); e.id; e = cn_parent(world, e))
            x += 1;
        assert_true(cn_transform_world_position(world, entities[i]).x == x);
    }
}

static bool add_and_pass(CnAllocator *allocator, void *user)
{
    (void)user;
    static CnEntity entities[NODES];
    CnWorld *world = cn_world_create(&(CnWorldDesc){.allocator = allocator}, NULL);
    if (!world)
        return false;
    bool done = cn_transform_add(world, NULL) && make_nodes(world, entities, 0, NODES / 2);
    if (done) {
        done = cn_transform_propagate(world, NULL, NULL);
        assert_reads_are_right(world, entities, NODES / 2);
    }
    if (done && (done = make_nodes(world, entities, NODES / 2, NODES))) {
        done = cn_transform_propagate(world, NULL, NULL);
        assert_reads_are_right(world, entities, NODES);
    }
    cn_world_destroy(world);
    return done;
}

static void a_pass_without_memory_leaves_reads_right(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(add_and_pass, NULL) > 10);
}

static void a_pass_with_memory_again_mends_all(void **state)
{
    (void)state;
    static CnEntity entities[NODES];
    bool failed = true;
    for (uint64_t n = 0; failed; n++) {
        CnHeap *heap = cn_heap_create(NULL, NULL);
        CnWorld *world =
            cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "world")}, NULL);
        assert_true(cn_transform_add(world, NULL) && make_nodes(world, entities, 0, NODES));
        cn_heap_fail_after(heap, n);
        failed = !cn_transform_propagate(world, NULL, NULL);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        assert_true(cn_transform_propagate(world, NULL, NULL));
        for (uint32_t i = 0; i < NODES; i++) {
            CnAffine read = cn_transform_world_affine_peek(world, entities[i]);
            assert_memory_equal(cn_get(world, entities[i], CnWorldTransform), &read, sizeof read);
        }
        cn_world_destroy(world);
        cn_heap_destroy(heap);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pass_without_memory_leaves_reads_right),
        cmocka_unit_test(a_pass_with_memory_again_mends_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
