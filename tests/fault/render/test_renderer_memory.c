/* Renderers whose n-th allocation fails: an error or less in the image, never a crash or a leak.
 */
#include "failing_heap.h"
#include "mesh_feature.h"
#include "render_fixture.h"

#include <string.h>

static CnRenderSnapshot snapshot;
static CnRenderItem items[40];

static void fill_snapshot(void)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(items); i++)
        items[i] = (CnRenderItem){.entity = {i + 1},
                                  .position = {(float)i * 0.01f, 0, -3},
                                  .rotation = {0, 0, 0, 1},
                                  .scale = {1, 1, 1},
                                  .mesh = 1 + i % 2,
                                  .material = i % 3 ? 3 : 0,
                                  .flags = 1};
    snapshot = (CnRenderSnapshot){.tick = 1, .items = items, .item_count = CN_COUNT_OF(items)};
}

static bool set_up(CnRenderer *renderer, CnError *error)
{
    return cn_renderer_set_asset(renderer, 1, "shapes://cube") &&
           cn_renderer_set_asset(renderer, 2, "shapes://torus") &&
           cn_renderer_set_asset(renderer, 3, "glass") &&
           cn_material_create(
               renderer, &(CnMaterialDesc){.name = "glass", .alpha_mode = CN_ALPHA_BLEND}, error)
               .id &&
           cn_renderer_add_feature(renderer, &mesh_feature, NULL, error);
}

/* Frames go on being drawn, with less in them, until there is memory. */
static bool draw(CnRenderer *renderer)
{
    bool ok = true;
    for (uint32_t i = 0; i < 3; i++) {
        CnError error = {0};
        CnFrameDesc frame_desc = {
            .current = &snapshot, .width = 64, .height = 64, .read_back = i == 2};
        if (!cn_renderer_draw(renderer, &frame_desc, &error)) {
            assert_int_equal(error.code, CN_ERROR_MEMORY);
            ok = false;
        }
    }
    return ok && cn_renderer_stats(renderer).visible_items == CN_COUNT_OF(items);
}

static bool use_renderer(CnAllocator *allocator, void *user)
{
    (void)user;
    CnError error = {0};
    CnGpu *gpu = make_null();
    CnRenderer *renderer =
        cn_renderer_create(&(CnRendererDesc){.allocator = allocator, .gpu = gpu}, &error);
    bool ok = renderer && set_up(renderer, &error);
    if (!ok && error.code)
        assert_int_equal(error.code, CN_ERROR_MEMORY);
    ok = ok && draw(renderer);
    cn_renderer_destroy(renderer);
    end_gpu(gpu);
    return ok;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    fill_snapshot();
    uint64_t calls = run_with_failing_allocations(use_renderer, NULL);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    assert_true(calls > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
