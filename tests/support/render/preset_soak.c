#include "preset_soak.h"

#include "random.h"

#define LARGEST 64u
#define ITEMS 9u
#define LAMPS 5u
#define SETTLE_EVERY 500u /* frames between two looks at the memory */
/* Until what is no longer needed is freed, and histories are full. */
#define SETTLE_FRAMES (CN_GRAPH_KEEP_FRAMES + 8u)
#define STEADY_FRAMES 4u
#define RARE_BYTES 16384u /* by which lists may grow later */

typedef struct Soak {
    RenderFixture fixture;
    TestRandom random;
    /* When it was settled first; 0: not yet. */
    uint64_t gpu_bytes, heap_blocks;
    uint32_t resources;
    /* Lists grow to what some frame needs, and stay so: in the first half. */
    uint64_t heap_bytes;
    bool may_grow;
} Soak;

static float between(Soak *soak, float from, float to)
{
    return from + (to - from) * (float)test_random_unit(&soak->random);
}

static void make_scene(Soak *soak)
{
    static const char *const shapes[] = {"shapes://cube", "shapes://sphere", "shapes://torus",
                                         "shapes://cone"};
    RenderFixture *fixture = &soak->fixture;
    CnRenderItem *floor = render_fixture_item(fixture, "shapes://cube", NULL, cn_vec3(0, -1, 0), 1);
    floor->scale = cn_vec3(60, 1, 60);
    const CnMaterialDesc materials[] = {
        {.name = "Red", .base_color = {0.8f, 0.1f, 0.1f, 1}, .metallic = 1, .roughness = 0.3f},
        {.name = "Glass", .base_color = {0.3f, 0.5f, 0.8f, 0.4f}, .alpha_mode = CN_ALPHA_BLEND},
        {.name = "Lamp", .emissive = {4, 3, 1}, .double_sided = true}};
    for (uint32_t i = 0; i < CN_COUNT_OF(materials); i++)
        assert_true(cn_material_create(fixture->renderer, &materials[i], &fixture->error).id != 0);
    for (uint32_t i = 0; i < ITEMS; i++)
        render_fixture_item(
            fixture, shapes[i % CN_COUNT_OF(shapes)], i % 4 == 3 ? NULL : materials[i % 3].name,
            cn_vec3(between(soak, -8, 8), between(soak, 0, 3), between(soak, -8, 8)),
            between(soak, 0.3f, 2));
    render_fixture_sun(fixture, cn_vec3(0.4f, -1, 0.3f), cn_vec3(3, 3, 3));
    for (uint32_t i = 0; i < LAMPS; i++) {
        CnVec3 place = cn_vec3(between(soak, -8, 8), 2, between(soak, -8, 8));
        CnVec3 color = cn_vec3(between(soak, 0, 5), between(soak, 0, 5), between(soak, 0, 5));
        CnRenderLight *lamp =
            i % 2 ? render_fixture_point_light(fixture, place, color, 6)
                  : render_fixture_spot_light(fixture, place, cn_vec3(0, -1, 0.2f), color, 8, 70);
        lamp->flags = i % 3 ? CN_RENDER_CASTS_SHADOWS : 0;
    }
}

static void move_things(Soak *soak)
{
    RenderFixture *fixture = &soak->fixture;
    float angle = 0.02f * (float)fixture->frame_desc.time * 60;
    CnVec3 eye = cn_vec3(9 * cn_sinf(angle), 3, 9 * cn_cosf(angle));
    render_fixture_camera(fixture, eye, cn_vec3(0, 0.5f, 0), 60);
    for (uint32_t i = 0; i < 4; i++)
        fixture->items[1 + i].position.y = 1 + cn_sinf(angle * (float)(2 + i));
    fixture->lights[1].position.x = 5 * cn_sinf(angle * 3);
}

/* A frame of eight has another size, one of eight switches something. There are few sizes, because
 * the graph remembers (up to a limit) what each of them needs. */
static void disturb(Soak *soak)
{
    static const uint32_t sizes[] = {1, 17, 31, LARGEST};
    RenderFixture *fixture = &soak->fixture;
    if (test_random_chance(&soak->random, 12)) {
        fixture->frame_desc.width = sizes[test_random_below(&soak->random, CN_COUNT_OF(sizes))];
        fixture->frame_desc.height = sizes[test_random_below(&soak->random, CN_COUNT_OF(sizes))];
    }
    if (test_random_chance(&soak->random, 12)) {
        uint32_t count = 0;
        while (cn_renderer_feature_at(fixture->renderer, count))
            count++;
        CnFeature *feature =
            cn_renderer_feature_at(fixture->renderer, test_random_below(&soak->random, count));
        cn_feature_set_enabled(feature, !cn_feature_is_enabled(feature));
    }
}

static void draw(Soak *soak)
{
    RenderFixture *fixture = &soak->fixture;
    move_things(soak);
    fixture->frame_desc.time += (double)fixture->frame_desc.delta;
    if (!cn_renderer_draw(fixture->renderer, &fixture->frame_desc, &fixture->error))
        fail_msg("frame %llu: %s", (unsigned long long)cn_renderer_stats(fixture->renderer).frames,
                 fixture->error.message);
    CnGpuStats stats = cn_gpu_stats(fixture->gpu);
    if (stats.validation_messages || stats.wrong_calls || stats.upload_refused)
        fail_msg("frame %llu: validation, a wrong call, or too much to upload",
                 (unsigned long long)cn_renderer_stats(fixture->renderer).frames);
}

/* Everything on, the largest size: the memory is what it was the last time, and the heap is quiet.
 */
static void settle(Soak *soak)
{
    RenderFixture *fixture = &soak->fixture;
    CnFeature *feature;
    for (uint32_t i = 0; (feature = cn_renderer_feature_at(fixture->renderer, i)); i++)
        cn_feature_set_enabled(feature, true);
    fixture->frame_desc.width = fixture->frame_desc.height = LARGEST;
    fixture->frame_desc.read_back = true;
    for (uint32_t i = 0; i < SETTLE_FRAMES; i++)
        draw(soak);
    uint64_t calls = cn_heap_stats(fixture->heap).calls;
    for (uint32_t i = 0; i < STEADY_FRAMES; i++)
        draw(soak);
    assert_int_equal(cn_heap_stats(fixture->heap).calls, calls);
    CnGpuStats gpu = cn_gpu_stats(fixture->gpu);
    /* Pipelines are made when they are first needed. */
    uint32_t resources = gpu.buffers + gpu.textures + gpu.heaps;
    CnHeapStats heap = cn_heap_stats(fixture->heap);
    if (!soak->gpu_bytes) {
        soak->gpu_bytes = gpu.used_bytes;
        soak->heap_blocks = heap.live_blocks;
        soak->resources = resources;
    }
    if (soak->may_grow && heap.live_bytes > soak->heap_bytes)
        soak->heap_bytes = heap.live_bytes;
    assert_true(gpu.used_bytes <= soak->gpu_bytes);
    assert_true(resources <= soak->resources);
    assert_true(heap.live_blocks <= soak->heap_blocks);
    assert_true(heap.live_bytes <= soak->heap_bytes + RARE_BYTES);
}

static CnRenderOptions everything(void)
{
    return (CnRenderOptions){.sky = {.kind = CN_SKY_ATMOSPHERE},
                             .shadow = CN_SWITCH_ON,
                             .shadows = {.size = 128, .local_size = 64, .local_lights = 2},
                             .ao = CN_SWITCH_ON,
                             .transparent = CN_SWITCH_ON,
                             .point_spot_lights = CN_SWITCH_ON,
                             .transparent_tiled_lights = true,
                             .taa = CN_SWITCH_ON,
                             .dof = CN_SWITCH_ON,
                             .bloom = CN_SWITCH_ON,
                             .auto_exposure = CN_SWITCH_ON};
}

void preset_soak(CnPreset preset, RenderBackend backend, uint32_t frames)
{
    Soak soak = {.random = {1}};
    if (!render_fixture_init(&soak.fixture, backend))
        return;
    CnRenderOptions options = everything();
    if (!preset(soak.fixture.renderer, &options, NULL, &soak.fixture.error))
        fail_msg("%s", soak.fixture.error.message);
    make_scene(&soak);
    soak.may_grow = true;
    settle(&soak);
    for (uint32_t i = 1; i <= frames; i++) {
        soak.fixture.frame_desc.read_back = test_random_chance(&soak.random, 5);
        soak.may_grow = i <= frames / 2;
        disturb(&soak);
        draw(&soak);
        if (i % SETTLE_EVERY == 0 || i == frames)
            settle(&soak);
    }
    render_fixture_fini(&soak.fixture);
}
