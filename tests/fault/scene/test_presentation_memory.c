/* Cameras, parts and what is seen of them while memory runs out: errors, never a crash or a leak.
 */
#include "cmocka_tests.h"
#include "failing_heap.h"

#include <cairn/base/log.h>
#include <cairn/ecs.h>
#include <cairn/scene.h>

#include <string.h>

static bool add_boxes(CnWorld *world, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        CnEntity box = cn_object(world, "Box");
        CnMeshRenderer renderer = {.visible = true};
        cn_format(renderer.mesh, sizeof renderer.mesh, "mesh %u", i);
        if (cn_entity_is_null(box) ||
            !cn_set_component(world, box, cn_id(world, CnMeshRenderer), &renderer) ||
            !cn_add(world, box, CnLight) || !cn_add(world, box, CnCamera))
            return false;
    }
    return true;
}

/* Everything that is seen has its own name. */
static bool look(CnWorld *world, CnOutbox *outbox, uint64_t tick, uint32_t count)
{
    cn_outbox_begin(outbox, tick, 0);
    bool ran = cn_world_update(world, 1, NULL);
    cn_outbox_publish(outbox);
    CnSnapshotPair pair;
    if (!cn_outbox_acquire(outbox, &pair))
        return false;
    const CnRenderSnapshot *seen = &pair.current->render;
    bool all = seen->item_count == count;
    for (uint32_t i = 0; i < seen->item_count; i++) {
        const CnMeshRenderer *renderer = cn_get(world, seen->items[i].entity, CnMeshRenderer);
        const char *name = cn_asset_name(world, seen->items[i].mesh);
        if (seen->items[i].mesh)
            assert_string_equal(name, renderer->mesh);
        else
            all = false;
    }
    cn_outbox_release(outbox);
    return ran && all;
}

static bool run_scene(CnAllocator *allocator, void *user)
{
    (void)user;
    CnWorld *world = cn_world_create(&(CnWorldDesc){.allocator = allocator}, NULL);
    CnOutbox *outbox = cn_outbox_create(&(CnOutboxDesc){.allocator = allocator}, NULL);
    bool done = world && outbox && cn_extract_add(world, outbox, NULL) &&
                cn_scene_add(world, NULL) && add_boxes(world, 40) && look(world, outbox, 1, 40) &&
                add_boxes(world, 40) && look(world, outbox, 2, 80);
    if (world)
        cn_world_destroy(world);
    if (outbox)
        cn_outbox_destroy(outbox);
    return done;
}

static void a_scene_without_memory_fails_cleanly(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(run_scene, NULL) > 50);
}

/* When there is memory again, all is seen. */
static void what_was_not_seen_for_lack_of_memory_is_seen_later(void **state)
{
    (void)state;
    for (uint64_t after = 0; after < 30; after++) {
        CnHeap *heap = cn_heap_create(NULL, NULL);
        CnAllocator *allocator = cn_heap_tag(heap, "world");
        CnWorld *world = cn_world_create(&(CnWorldDesc){.allocator = allocator}, NULL);
        CnOutbox *outbox = cn_outbox_create(NULL, NULL);
        assert_true(cn_extract_add(world, outbox, NULL) && cn_scene_add(world, NULL));
        assert_true(look(world, outbox, 1, 0) && add_boxes(world, 40));
        assert_true(cn_world_run_stage(world, CN_STAGE_POST_UPDATE, 0, NULL));
        cn_heap_fail_after(heap, after);
        look(world, outbox, 2, 40);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        assert_true(look(world, outbox, 3, 40));
        cn_world_destroy(world);
        cn_outbox_destroy(outbox);
        cn_heap_destroy(heap);
    }
}

int main(void)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_without_memory_fails_cleanly),
        cmocka_unit_test(what_was_not_seen_for_lack_of_memory_is_seen_later),
    };
    return cmocka_run_group_tests_name("parts memory", tests, NULL, NULL);
}
