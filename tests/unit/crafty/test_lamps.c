/* Blocks as point lights: which there are, which are shown, how they flicker. */
#include "cmocka_tests.h"
#include "standard_blocks.h"
#include "voxel_world.h"

#include <crafty/client/lamps.h>

#include <cairn/scene/presentation.h>

/* High above the ground, so that only what a test builds is there. */
#define HIGH 300

typedef struct Stand {
    VoxelWorld blocks;
    CraftyLamps *lamps;
    CnOutbox *outbox;
    CnSnapshotPair pair;
} Stand;

static void mesh_changed(void *user, CnChunkPos position, const CnChunkMesh *mesh)
{
    (void)mesh;
    Stand *stand = user;
    assert_true(crafty_lamps_update(stand->lamps, stand->blocks.world, position));
}

static void chunk_removed(void *user, CnChunkPos position)
{
    crafty_lamps_remove(((Stand *)user)->lamps, position);
}

static void begin(Stand *stand)
{
    *stand = (Stand){.lamps = crafty_lamps_create(NULL, standard_blocks()),
                     .outbox = cn_outbox_create(NULL, NULL)};
    assert_true(stand->lamps && stand->outbox);
    stand->blocks = voxel_world_create(cn_system_allocator(), 0,
                                       &(CnVoxelsHooks){.user = stand,
                                                        .mesh_changed = mesh_changed,
                                                        .chunk_removed = chunk_removed});
}

static void end(Stand *stand)
{
    if (stand->pair.current)
        cn_outbox_release(stand->outbox);
    voxel_world_destroy(&stand->blocks);
    crafty_lamps_destroy(stand->lamps);
    cn_outbox_destroy(stand->outbox);
}

static void put(Stand *stand, int32_t x, int32_t y, int32_t z, CnBlock block)
{
    assert_true(voxel_set(stand->blocks.world, (CnCell){x, HIGH + y, z}, block));
}

static void show_blocks(Stand *stand)
{
    voxel_show(stand->blocks.world, cn_chunk_of((CnCell){0, HIGH, 0}));
}

/* Until the next call. */
static const CnRenderSnapshot *show(Stand *stand, CnVec3 eye, double seconds)
{
    crafty_lamps_set_eye(stand->lamps, eye);
    if (stand->pair.current)
        cn_outbox_release(stand->outbox);
    cn_outbox_begin(stand->outbox, 1, seconds);
    crafty_lamps_extract(stand->lamps, &(CnRenderOut){stand->outbox}, seconds);
    cn_outbox_publish(stand->outbox);
    assert_true(cn_outbox_acquire(stand->outbox, &stand->pair));
    return &stand->pair.current->render;
}

static void a_torch_is_a_light_near_the_top_of_its_cell(void **state)
{
    (void)state;
    Stand stand;
    begin(&stand);
    put(&stand, 3, 0, 5, BLOCK_TORCH);
    show_blocks(&stand);
    const CnRenderSnapshot *seen = show(&stand, cn_vec3(0, HIGH, 0), 1);
    assert_int_equal(seen->light_count, 1);
    CnRenderLight light = seen->lights[0];
    assert_int_equal(light.kind, CN_LIGHT_POINT);
    assert_float_equal(light.position.x, 3.5f, 1e-4f);
    assert_float_equal(light.position.y, HIGH + 0.9f, 1e-4f);
    assert_float_equal(light.position.z, 5.5f, 1e-4f);
    assert_float_equal(light.range, 6, 0);
    assert_int_equal(light.flags, CN_RENDER_LEVEL(14) | CN_RENDER_CASTS_SHADOWS);
    end(&stand);
}

static void a_torch_that_is_broken_is_no_light(void **state)
{
    (void)state;
    Stand stand;
    begin(&stand);
    put(&stand, 3, 0, 5, BLOCK_TORCH);
    show_blocks(&stand);
    put(&stand, 3, 0, 5, CN_BLOCK_AIR);
    show_blocks(&stand);
    assert_int_equal(crafty_lamps_count(stand.lamps), 0);
    end(&stand);
}

static void magma_shines_from_before_its_open_face(void **state)
{
    (void)state;
    Stand stand;
    begin(&stand);
    for (int32_t x = 3; x <= 5; x++)
        for (int32_t z = 3; z <= 5; z++)
            for (int32_t y = -2; y <= 0; y++)
                put(&stand, x, y, z, BLOCK_STONE);
    put(&stand, 4, -1, 4, BLOCK_MAGMA);
    show_blocks(&stand);
    assert_int_equal(crafty_lamps_count(stand.lamps), 0); /* closed in */
    put(&stand, 4, 0, 4, CN_BLOCK_AIR);
    show_blocks(&stand);
    const CnRenderSnapshot *seen = show(&stand, cn_vec3(0, HIGH, 0), 1);
    assert_int_equal(seen->light_count, 1);
    assert_true(seen->lights[0].position.y > HIGH && seen->lights[0].position.y < HIGH + 0.2f);
    end(&stand);
}

static void lights_of_unloaded_chunks_go(void **state)
{
    (void)state;
    Stand stand;
    begin(&stand);
    put(&stand, 3, 0, 5, BLOCK_TORCH);
    show_blocks(&stand);
    voxel_show(stand.blocks.world, cn_chunk_of((CnCell){400, HIGH, 0}));
    assert_int_equal(crafty_lamps_count(stand.lamps), 0);
    end(&stand);
}

static void of_very_many_the_nearest_are_shown(void **state)
{
    (void)state;
    Stand stand;
    begin(&stand);
    for (int32_t i = 0; i < 1024; i++)
        put(&stand, (i & 31) - 12, 0, (i >> 5) - 12, BLOCK_TORCH);
    show_blocks(&stand);
    assert_int_equal(crafty_lamps_count(stand.lamps), 1024);
    CnVec3 eye = cn_vec3(0, HIGH, 0);
    const CnRenderSnapshot *seen = show(&stand, eye, 1);
    assert_in_range(seen->light_count, CRAFTY_MAX_SHOWN_LAMPS / 2, CRAFTY_MAX_SHOWN_LAMPS);
    for (uint32_t i = 0; i < seen->light_count; i++)
        assert_true(cn_vec3_length(cn_vec3_sub(seen->lights[i].position, eye)) < 17);
    end(&stand);
}

static void far_lamps_fade(void **state)
{
    (void)state;
    Stand stand;
    begin(&stand);
    put(&stand, 0, 0, 0, BLOCK_TORCH);
    show_blocks(&stand);
    float near = show(&stand, cn_vec3(0, HIGH, 10), 1)->lights[0].color.x;
    float middle = show(&stand, cn_vec3(0, HIGH, 84), 1)->lights[0].color.x;
    float far = show(&stand, cn_vec3(0, HIGH, 94), 1)->lights[0].color.x;
    assert_true(near > middle && middle > far && far > 0);
    assert_int_equal(show(&stand, cn_vec3(0, HIGH, 100), 1)->light_count, 0);
    end(&stand);
}

typedef struct Swing {
    float least, most; /* of the brightness over 100 seconds, relative to the mean of both */
} Swing;

static Swing swing_of(CnBlock block)
{
    Stand stand;
    begin(&stand);
    put(&stand, 0, 0, 0, block);
    show_blocks(&stand);
    Swing swing = {1e9f, 0};
    for (int i = 0; i < 4000; i++) {
        const CnRenderSnapshot *seen = show(&stand, cn_vec3(0, HIGH, 0), i * 0.025);
        assert_int_equal(seen->light_count, 1);
        const float red = seen->lights[0].color.x;
        swing.least = red < swing.least ? red : swing.least;
        swing.most = red > swing.most ? red : swing.most;
    }
    const float middle = 0.5f * (swing.least + swing.most);
    end(&stand);
    return (Swing){swing.least / middle, swing.most / middle};
}

static void torches_flicker_by_16_percent(void **state)
{
    (void)state;
    const Swing swing = swing_of(BLOCK_TORCH);
    assert_true(swing.most > 1.145f && swing.most < 1.165f);
    assert_true(swing.least < 0.855f && swing.least > 0.835f);
}

static void magma_pulses_by_34_percent(void **state)
{
    (void)state;
    const Swing swing = swing_of(BLOCK_MAGMA);
    assert_true(swing.most > 1.31f && swing.most < 1.345f);
    assert_true(swing.least < 0.69f && swing.least > 0.655f);
}

static void lanterns_shine_steadily(void **state)
{
    (void)state;
    const Swing swing = swing_of(BLOCK_LANTERN);
    assert_true(swing.most == swing.least);
}

static void torches_flicker_each_in_its_own_way(void **state)
{
    (void)state;
    Stand stand;
    begin(&stand);
    put(&stand, 0, 0, 0, BLOCK_TORCH);
    put(&stand, 2, 0, 0, BLOCK_TORCH);
    show_blocks(&stand);
    float apart = 0;
    for (int i = 0; i < 200; i++) {
        const CnRenderSnapshot *seen = show(&stand, cn_vec3(0, HIGH, 0), i * 0.05);
        float one = seen->lights[0].color.x, other = seen->lights[1].color.x;
        assert_false(cn_entity_equal(seen->lights[0].entity, seen->lights[1].entity));
        apart += one > other ? one - other : other - one;
    }
    assert_true(apart > 200 * 0.05f);
    end(&stand);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_torch_is_a_light_near_the_top_of_its_cell),
        cmocka_unit_test(a_torch_that_is_broken_is_no_light),
        cmocka_unit_test(magma_shines_from_before_its_open_face),
        cmocka_unit_test(lights_of_unloaded_chunks_go),
        cmocka_unit_test(of_very_many_the_nearest_are_shown),
        cmocka_unit_test(far_lamps_fade),
        cmocka_unit_test(torches_flicker_each_in_its_own_way),
        cmocka_unit_test(torches_flicker_by_16_percent),
        cmocka_unit_test(magma_pulses_by_34_percent),
        cmocka_unit_test(lanterns_shine_steadily),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
