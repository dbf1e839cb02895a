/* Packed light of a chunk. */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/voxel/light.h>

#include <string.h>

static uint8_t *cell(CnLightBox *box, uint32_t x, uint32_t y, uint32_t z)
{
    return &box->cells[cn_padded_index(x, y, z)];
}

/* Packs, compares every cell, and returns the bytes that it took. */
static size_t expect_same(CnLightBox *box)
{
    CnChunkLight *light = cn_light_pack(NULL, box);
    assert_non_null(light);
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
        uint32_t x = i % 16, y = i / 16 % 16, z = i / 256;
        if (cn_light_get(light, x, y, z) != *cell(box, x, y, z))
            fail_msg("%02x instead of %02x at %u, %u, %u", cn_light_get(light, x, y, z),
                     *cell(box, x, y, z), x, y, z);
    }
    size_t bytes = cn_light_bytes(light);
    cn_light_release(light);
    return bytes;
}

static void fill(CnLightBox *box, uint8_t light)
{
    memset(box->cells, light, sizeof box->cells);
    box->uniform = true;
}

static void uniform_light_is_a_few_bytes(void **state)
{
    (void)state;
    CnLightBox box;
    for (uint32_t light = 0; light < 256; light += 15) {
        fill(&box, (uint8_t)light);
        assert_int_equal(expect_same(&box), 16);
    }
}

static void the_rim_of_the_box_is_left_out(void **state)
{
    (void)state;
    CnLightBox box;
    fill(&box, 0xF0);
    box.cells[0] = 0;
    box.uniform = false;
    assert_int_equal(expect_same(&box), 16);
}

static void layers_of_any_number_of_lights_come_back(void **state)
{
    (void)state;
    TestRandom random = {3};
    CnLightBox box;
    for (uint32_t kinds = 1; kinds <= 256; kinds += kinds < 20 ? 1 : 59) {
        for (uint32_t i = 0; i < sizeof box.cells; i++)
            box.cells[i] = (uint8_t)(7 * test_random_below(&random, kinds));
        box.uniform = false;
        expect_same(&box);
    }
}

static void every_layer_has_a_form_of_its_own(void **state)
{
    (void)state;
    TestRandom random = {4};
    static const uint32_t kinds[] = {1, 2, 3, 4, 5, 16, 17, 200};
    CnLightBox box;
    for (uint32_t run = 0; run < 50; run++) {
        uint32_t of_layer[CN_CHUNK_PADDED_SIZE];
        for (uint32_t y = 0; y < CN_CHUNK_PADDED_SIZE; y++)
            of_layer[y] = kinds[test_random_below(&random, 8)];
        for (uint32_t i = 0; i < sizeof box.cells; i++)
            box.cells[i] = (uint8_t)(0xF0 - test_random_below(&random, of_layer[i / 18 % 18]));
        box.uniform = false;
        expect_same(&box);
    }
}

static void a_layer_like_the_one_below_costs_nothing(void **state)
{
    (void)state;
    CnLightBox box;
    fill(&box, 0);
    box.uniform = false;
    for (uint32_t y = 0; y < 16; y++)
        *cell(&box, 5, y, 9) = 0xF0;
    size_t all = expect_same(&box);
    for (uint32_t y = 0; y < 15; y++)
        *cell(&box, 5, y, 9) = 0;
    assert_int_equal(expect_same(&box), all);
}

/* Slopes, and a roof under which it gets darker. */
static void a_surface_takes_well_under_a_kibibyte(void **state)
{
    (void)state;
    CnLightBox box;
    for (uint32_t i = 0; i < sizeof box.cells; i++) {
        uint32_t x = i % CN_CHUNK_PADDED_SIZE, y = i / CN_CHUNK_PADDED_SIZE % CN_CHUNK_PADDED_SIZE,
                 z = i / CN_CHUNK_PADDED_LAYER, ground = 6 + (x + z) / 6;
        bool under_roof = x > 10 && z > 10 && y < ground + 3;
        uint32_t sky = y < ground ? 0 : under_roof ? 25 - x : 15;
        box.cells[i] = (uint8_t)(sky << 4);
    }
    box.uniform = false;
    assert_in_range(expect_same(&box), 100, 900);
}

static void light_lives_as_long_as_someone_holds_it(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnLightBox box;
    fill(&box, 0x30);
    CnChunkLight *light = cn_light_pack(cn_heap_tag(heap, "light"), &box);
    cn_light_acquire(light);
    cn_light_release(light);
    assert_int_equal(cn_light_get(light, 1, 2, 3), 0x30);
    assert_int_equal(cn_heap_stats(heap).live_bytes, cn_light_bytes(light));
    cn_light_release(light);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_light_is_a_few_bytes),
        cmocka_unit_test(the_rim_of_the_box_is_left_out),
        cmocka_unit_test(layers_of_any_number_of_lights_come_back),
        cmocka_unit_test(every_layer_has_a_form_of_its_own),
        cmocka_unit_test(a_layer_like_the_one_below_costs_nothing),
        cmocka_unit_test(a_surface_takes_well_under_a_kibibyte),
        cmocka_unit_test(light_lives_as_long_as_someone_holds_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
