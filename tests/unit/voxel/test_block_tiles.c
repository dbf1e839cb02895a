#include "cmocka_tests.h"
#include "standard_blocks.h"

#include <crafty/world/glyph_tiles.h>

#include <cairn/base/file.h>
#include <cairn/base/memory.h>
#include <cairn/voxel/block.h>
#include <cairn/voxel/tiles.h>

#include <stdlib.h>
#include <string.h>

enum { TILE = 16 * 16 * 4 };

static CnFileBytes file;
static CnBlockTiles textures;

static int read_file(void **state)
{
    (void)state;
    CnError error = {0};
    if (!cn_file_read_all(cn_native_files(), CRAFTY_BLOCK_TILES, NULL, &file, &error) ||
        !cn_block_tiles_read(file.data, file.size, &textures, &error)) {
        print_message("%s\n", error.message);
        return -1;
    }
    return 0;
}

static int free_file(void **state)
{
    (void)state;
    cn_file_bytes_free(&file);
    return 0;
}

static const uint8_t *tile(uint32_t layer)
{
    return textures.color[0] + (size_t)layer * TILE;
}

static const uint8_t *tile_of(const char *block)
{
    CnBlock found = cn_block_find(standard_blocks(), block);
    assert_true(found != CN_BLOCK_NONE);
    return tile(standard_blocks()->info[found].top);
}

static void every_face_of_a_block_has_a_layer(void **state)
{
    (void)state;
    assert_int_equal(textures.count, BLOCK_TILE_COUNT);
    for (CnBlock b = 0; b < BLOCK_COUNT; b++) {
        assert_true(standard_blocks()->info[b].side < textures.count);
        assert_true(standard_blocks()->info[b].bottom < textures.count);
        assert_true(standard_blocks()->info[b].top < textures.count);
    }
}

static void no_block_but_air_shows_cracks(void **state)
{
    (void)state;
    for (CnBlock b = 1; b < BLOCK_COUNT; b++) {
        assert_true(standard_blocks()->info[b].side >= CN_TILE_CRACKS);
        assert_true(standard_blocks()->info[b].top >= CN_TILE_CRACKS);
    }
}

static void opaque_blocks_have_no_holes(void **state)
{
    (void)state;
    for (CnBlock b = 0; b < BLOCK_COUNT; b++) {
        if (standard_blocks()->info[b].material != CN_BLOCK_MATERIAL_OPAQUE)
            continue;
        const uint16_t faces[] = {standard_blocks()->info[b].side,
                                  standard_blocks()->info[b].bottom,
                                  standard_blocks()->info[b].top};
        for (size_t i = 0; i < CN_COUNT_OF(faces); i++)
            for (int pixel = 0; pixel < 256; pixel++)
                if (tile(faces[i])[4 * pixel + 3] != 255)
                    fail_msg("%s has a hole", standard_blocks()->info[b].name);
    }
}

static void leaves_and_props_have_holes(void **state)
{
    (void)state;
    for (CnBlock b = 1; b < BLOCK_COUNT; b++)
        if (cn_block_is_plain_prop(standard_blocks(), b))
            assert_int_equal(textures.holes[standard_blocks()->info[b].side], 1);
    assert_int_equal(textures.holes[standard_blocks()->info[BLOCK_OAK_LEAVES].side], 1);
}

static int compare_tiles(const void *left, const void *right)
{
    return memcmp(tile(*(const uint32_t *)left), tile(*(const uint32_t *)right), TILE);
}

/* Characters, which follow, may be: several have the same box. */
static void no_two_tiles_of_blocks_and_items_are_alike(void **state)
{
    (void)state;
    static uint32_t order[CN_TILE_MAX];
    uint32_t count = crafty_glyphs[0].layer;
    assert_true(count > 0 && count <= textures.count);
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    qsort(order, count, sizeof *order, compare_tiles);
    for (uint32_t i = 1; i < count; i++)
        if (compare_tiles(&order[i - 1], &order[i]) == 0)
            fail_msg("layers %u and %u", order[i - 1], order[i]);
}

/* Difference of two pixels, all channels. */
static int step(const uint8_t *pixels, int a, int b)
{
    int sum = 0;
    for (int k = 0; k < 3; k++)
        sum += abs(pixels[4 * a + k] - pixels[4 * b + k]);
    return sum;
}

static void natural_tiles_go_on_over_their_edges(void **state)
{
    (void)state;
    static const char *const natural[] = {
        "grass",  "dirt", "sand", "stone",   "gravel", "snow",     "clay",   "mycelium",
        "podzol", "moss", "mud",  "granite", "slate",  "andesite", "basalt", "red_sand"};
    for (size_t n = 0; n < CN_COUNT_OF(natural); n++) {
        const uint8_t *pixels = tile_of(natural[n]);
        int inside = 0, over = 0;
        for (int i = 0; i < 16; i++) {
            over += step(pixels, 16 * i, 16 * i + 15) + step(pixels, i, 240 + i);
            for (int k = 1; k < 16; k++)
                inside += step(pixels, 16 * i + k, 16 * i + k - 1) +
                          step(pixels, 16 * k + i, 16 * (k - 1) + i);
        }
        if (over * 15 > inside * 2)
            fail_msg("%s has a seam: %d over the edges, %d inside", natural[n], over, inside / 15);
    }
}

static void cracks_only_grow(void **state)
{
    (void)state;
    int last = 0;
    for (uint32_t stage = 0; stage < CN_TILE_CRACKS; stage++) {
        int count = 0;
        for (int pixel = 0; pixel < 256; pixel++) {
            bool drawn = tile(CN_TILE_CRACK + stage)[4 * pixel + 3] >= 128;
            count += drawn;
            if (stage > 0 && tile(CN_TILE_CRACK + stage - 1)[4 * pixel + 3] >= 128)
                assert_true(drawn);
        }
        assert_true(count > last);
        last = count;
    }
}

static int drawn_part(uint32_t layer, uint32_t level)
{
    int side = CN_TILE_SIZE >> level, count = 0;
    const uint8_t *pixels = textures.color[level] + (size_t)layer * (size_t)(side * side * 4);
    for (int i = 0; i < side * side; i++)
        count += pixels[4 * i + 3] >= 128;
    return count * 100 / (side * side);
}

static void leaves_are_as_dense_from_afar(void **state)
{
    (void)state;
    static const char *const names[] = {"oak_leaves", "spruce_leaves", "willow_leaves"};
    for (size_t i = 0; i < CN_COUNT_OF(names); i++) {
        uint32_t layer = standard_blocks()->info[cn_block_find(standard_blocks(), names[i])].side;
        for (uint32_t level = 1; level < 3; level++)
            assert_true(abs(drawn_part(layer, level) - drawn_part(layer, 0)) <= 10);
    }
}

static void the_color_of_a_block_is_the_smallest_level_of_its_top(void **state)
{
    (void)state;
    for (CnBlock b = 1; b < BLOCK_COUNT; b++) {
        const CnBlockInfo *info = &standard_blocks()->info[b];
        for (int k = 0; k < 3; k++)
            assert_int_equal(info->color[k],
                             (textures.color[4][4 * info->top + k] * info->tint[k] + 127) / 255);
    }
}

/* Black and white in equal parts are half the light: 188 in sRGB, not 128. */
static void levels_average_light(void **state)
{
    (void)state;
    const uint8_t *pixels = tile(standard_blocks()->info[BLOCK_STONE].side);
    double light = 0;
    for (int i = 0; i < 256; i++) {
        double s = pixels[4 * i] / 255.0;
        light += s * s / 256; /* near enough to sRGB to tell it from an average of bytes */
    }
    double mean = textures.color[4][4 * standard_blocks()->info[BLOCK_STONE].side] / 255.0;
    assert_true(mean * mean > light * .97 && mean * mean < light * 1.03);
}

static void lamps_glow_and_stone_does_not(void **state)
{
    (void)state;
    const uint8_t *details = textures.detail[4];
    assert_true(details[4 * standard_blocks()->info[BLOCK_GLOWSTONE].side + 3] > 100);
    assert_true(details[4 * standard_blocks()->info[BLOCK_MAGMA].side + 3] > 60);
    assert_int_equal(details[4 * standard_blocks()->info[BLOCK_STONE].side + 3], 0);
}

static void normals_are_no_longer_than_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < (size_t)textures.count * 256; i++) {
        int x = textures.detail[0][4 * i] - 128, y = textures.detail[0][4 * i + 1] - 128;
        assert_true(x * x + y * y <= 127 * 127);
    }
}

/* ---- Files that are none ---- */

static void refuses(size_t at, uint8_t value, size_t size, CnErrorCode code)
{
    uint8_t *copy = cn_alloc(NULL, file.size);
    CnBlockTiles out;
    CnError error = {0};
    memcpy(copy, file.data, file.size);
    copy[at] = value;
    assert_false(cn_block_tiles_read(copy, size, &out, &error));
    assert_int_equal(error.code, code);
    cn_free(NULL, copy, file.size);
}

static void what_is_no_file_of_tiles_is_refused(void **state)
{
    (void)state;
    refuses(0, 'X', file.size, CN_ERROR_FORMAT);
    refuses(8, 2, file.size, CN_ERROR_VERSION);
    refuses(12, 0, file.size, CN_ERROR_FORMAT);
    refuses(15, 255, file.size, CN_ERROR_FORMAT);
    refuses(16, 32, file.size, CN_ERROR_FORMAT);
    refuses(20, 6, file.size, CN_ERROR_FORMAT);
    refuses(0, 'C', file.size - 1, CN_ERROR_FORMAT);
    refuses(0, 'C', 31, CN_ERROR_FORMAT);
    refuses(0, 'C', 0, CN_ERROR_FORMAT);
}

static void a_damaged_pixel_is_seen(void **state)
{
    (void)state;
    refuses(file.size - 1, (uint8_t)(file.data[file.size - 1] + 1), file.size, CN_ERROR_FORMAT);
    refuses(40, (uint8_t)(file.data[40] + 1), file.size, CN_ERROR_FORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_face_of_a_block_has_a_layer),
        cmocka_unit_test(no_block_but_air_shows_cracks),
        cmocka_unit_test(opaque_blocks_have_no_holes),
        cmocka_unit_test(leaves_and_props_have_holes),
        cmocka_unit_test(no_two_tiles_of_blocks_and_items_are_alike),
        cmocka_unit_test(natural_tiles_go_on_over_their_edges),
        cmocka_unit_test(cracks_only_grow),
        cmocka_unit_test(leaves_are_as_dense_from_afar),
        cmocka_unit_test(the_color_of_a_block_is_the_smallest_level_of_its_top),
        cmocka_unit_test(levels_average_light),
        cmocka_unit_test(lamps_glow_and_stone_does_not),
        cmocka_unit_test(normals_are_no_longer_than_one),
        cmocka_unit_test(what_is_no_file_of_tiles_is_refused),
        cmocka_unit_test(a_damaged_pixel_is_seen),
    };
    return cmocka_run_group_tests(tests, read_file, free_file);
}
