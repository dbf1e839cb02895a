#include "render_fixture.h"

#include <string.h>

bool render_fixture_init(RenderFixture *fixture, RenderBackend backend)
{
    return render_fixture_init_with(fixture, backend, &(CnRendererDesc){0});
}

bool render_fixture_init_with(RenderFixture *fixture, RenderBackend backend,
                              const CnRendererDesc *desc)
{
    *fixture = (RenderFixture){0};
    fixture->gpu = backend == RENDER_NULL ? make_null() : make_vulkan(NULL);
    if (!fixture->gpu)
        return false;
    fixture->heap = cn_heap_create(NULL, NULL);
    CnRendererDesc all = *desc;
    all.allocator = cn_heap_tag(fixture->heap, "render");
    all.gpu = fixture->gpu;
    fixture->renderer = cn_renderer_create(&all, &fixture->error);
    if (!fixture->renderer)
        fail_msg("%s", fixture->error.message);
    fixture->items = cn_alloc_zeroed(NULL, RENDER_FIXTURE_ITEMS * sizeof *fixture->items);
    fixture->lights = cn_alloc_zeroed(NULL, RENDER_FIXTURE_LIGHTS * sizeof *fixture->lights);
    fixture->snapshot =
        (CnRenderSnapshot){.tick = 1, .items = fixture->items, .lights = fixture->lights};
    fixture->frame_desc = (CnFrameDesc){.current = &fixture->snapshot,
                                        .alpha = 1,
                                        .width = RENDER_FIXTURE_WIDTH,
                                        .height = RENDER_FIXTURE_HEIGHT,
                                        .delta = 1.0f / 60};
    render_fixture_camera(fixture, cn_vec3(0, 0, 5), cn_vec3(0, 0, 0), 60);
    return true;
}

void render_fixture_fini(RenderFixture *fixture)
{
    cn_renderer_destroy(fixture->renderer);
    assert_int_equal(cn_heap_stats(fixture->heap).live_blocks, 0);
    cn_heap_destroy(fixture->heap);
    end_gpu(fixture->gpu);
    cn_free(NULL, fixture->items, RENDER_FIXTURE_ITEMS * sizeof *fixture->items);
    cn_free(NULL, fixture->lights, RENDER_FIXTURE_LIGHTS * sizeof *fixture->lights);
}

CnFeature *render_fixture_add(RenderFixture *fixture, const CnFeatureType *type,
                              const void *options)
{
    CnFeature *feature = cn_renderer_add_feature(fixture->renderer, type, options, &fixture->error);
    if (!feature)
        fail_msg("%s: %s", type->name, fixture->error.message);
    return feature;
}

void render_fixture_camera(RenderFixture *fixture, CnVec3 from, CnVec3 to, float fov_degrees)
{
    fixture->snapshot.camera =
        (CnRenderCamera){.valid = true,
                         .position = from,
                         .rotation = cn_quat_look(cn_vec3_sub(to, from), cn_vec3(0, 1, 0)),
                         .fov = fov_degrees * 0.0174532925f,
                         .near_plane = 0.1f,
                         .far_plane = 200};
}

/* The number of a name: the same name has the same one. */
static uint32_t asset(RenderFixture *fixture, const char *name)
{
    static char names[64][128];
    for (uint32_t i = 0; i < fixture->asset_count; i++) {
        if (!strcmp(names[i], name))
            return i + 1;
    }
    assert_true(fixture->asset_count < CN_COUNT_OF(names));
    cn_copy_text(names[fixture->asset_count], sizeof names[0], cn_text(name));
    assert_true(cn_renderer_set_asset(fixture->renderer, ++fixture->asset_count, name));
    return fixture->asset_count;
}

CnRenderItem *render_fixture_item(RenderFixture *fixture, const char *mesh, const char *material,
                                  CnVec3 position, float scale)
{
    assert_true(fixture->snapshot.item_count < RENDER_FIXTURE_ITEMS);
    CnRenderItem *item = &fixture->items[fixture->snapshot.item_count++];
    *item = (CnRenderItem){.entity = {fixture->snapshot.item_count},
                           .position = position,
                           .rotation = {0, 0, 0, 1},
                           .scale = {scale, scale, scale},
                           .mesh = asset(fixture, mesh),
                           .material = material ? asset(fixture, material) : 0,
                           .flags = CN_RENDER_CASTS_SHADOWS};
    return item;
}

static CnRenderLight *add_light(RenderFixture *fixture, CnRenderLight light)
{
    assert_true(fixture->snapshot.light_count < RENDER_FIXTURE_LIGHTS);
    CnRenderLight *added = &fixture->lights[fixture->snapshot.light_count++];
    light.entity.id = 1000000 + fixture->snapshot.light_count;
    *added = light;
    return added;
}

void render_fixture_sun(RenderFixture *fixture, CnVec3 direction, CnVec3 color)
{
    add_light(fixture, (CnRenderLight){.kind = CN_LIGHT_DIRECTIONAL,
                                       .direction = cn_vec3_normalize(direction),
                                       .color = color,
                                       .flags = CN_RENDER_CASTS_SHADOWS});
}

CnRenderLight *render_fixture_point_light(RenderFixture *fixture, CnVec3 position, CnVec3 color,
                                          float range)
{
    return add_light(fixture, (CnRenderLight){.kind = CN_LIGHT_POINT,
                                              .position = position,
                                              .direction = {0, -1, 0},
                                              .color = color,
                                              .range = range});
}

CnRenderLight *render_fixture_spot_light(RenderFixture *fixture, CnVec3 position, CnVec3 direction,
                                         CnVec3 color, float range, float cone_degrees)
{
    float half = cone_degrees / 2 * 0.0174532925f;
    return add_light(fixture, (CnRenderLight){.kind = CN_LIGHT_SPOT,
                                              .position = position,
                                              .direction = cn_vec3_normalize(direction),
                                              .color = color,
                                              .range = range,
                                              .inner_cosine = cn_cosf(half * 0.8f),
                                              .outer_cosine = cn_cosf(half)});
}

void render_fixture_clear(RenderFixture *fixture)
{
    fixture->snapshot.item_count = fixture->snapshot.light_count = 0;
}

void render_fixture_draw(RenderFixture *fixture, uint32_t frames)
{
    for (uint32_t i = 0; i < frames; i++) {
        fixture->frame_desc.read_back = i + 1 == frames;
        fixture->frame_desc.time += (double)fixture->frame_desc.delta;
        if (!cn_renderer_draw(fixture->renderer, &fixture->frame_desc, &fixture->error))
            fail_msg("%s", fixture->error.message);
    }
    uint32_t width, height;
    fixture->pixels = cn_renderer_pixels(fixture->renderer, &width, &height, &fixture->error);
    if (!fixture->pixels)
        fail_msg("%s", fixture->error.message);
    assert_int_equal(width, fixture->frame_desc.width);
    assert_int_equal(height, fixture->frame_desc.height);
}

const uint8_t *render_fixture_pixel(const RenderFixture *fixture, uint32_t x, uint32_t y)
{
    return fixture->pixels + ((size_t)y * fixture->frame_desc.width + x) * 4;
}
