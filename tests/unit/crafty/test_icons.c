/* Images of blocks for the hand. */
#include "cmocka_tests.h"
#include "standard_blocks.h"

#include <crafty/client/icon_paint.h>
#include <crafty/client/block_textures.h>

#include <string.h>

#define SIZE CRAFTY_ICON_SIZE

static uint8_t pixels[SIZE * SIZE * 4];

static void paint(CnBlock block)
{
    CnBlockTiles tiles;
    assert_true(
        cn_block_tiles_read(crafty_tiles, (size_t)(crafty_tiles_end - crafty_tiles), &tiles, NULL));
    memset(pixels, 0x55, sizeof pixels);
    crafty_icon_paint_block(&tiles, standard_blocks(), block, pixels, SIZE);
}

/* At shares of the image. */
static const uint8_t *pixel(float x, float y)
{
    return pixels + ((uint32_t)(y * SIZE) * SIZE + (uint32_t)(x * SIZE)) * 4;
}

static void a_cube_leaves_the_corners_open(void **state)
{
    (void)state;
    paint(BLOCK_STONE);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(pixel(0.02f + 0.96f * (float)(i & 1), 0.02f + 0.96f * (float)(i >> 1))[3],
                         0);
    assert_int_equal(pixel(0.5f, 0.25f)[3], 255);
    assert_int_equal(pixel(0.25f, 0.6f)[3], 255);
    assert_int_equal(pixel(0.75f, 0.6f)[3], 255);
}

static uint32_t mean_light(float x, float y)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 64; i++) {
        const uint8_t *at =
            pixel(x + 0.02f * ((float)(i % 8) - 3.5f), y + 0.02f * ((float)(i / 8) - 3.5f));
        sum += (uint32_t)(at[0] + at[1] + at[2]);
    }
    return sum;
}

static void light_comes_from_above_and_from_the_left(void **state)
{
    (void)state;
    paint(BLOCK_STONE);
    assert_true(mean_light(0.5f, 0.26f) > mean_light(0.26f, 0.6f));
    assert_true(mean_light(0.26f, 0.6f) > mean_light(0.74f, 0.6f));
}

static void the_top_of_grass_is_green_and_its_side_brown(void **state)
{
    (void)state;
    paint(BLOCK_GRASS);
    assert_true(pixel(0.5f, 0.25f)[1] > pixel(0.5f, 0.25f)[0]);
    assert_true(pixel(0.25f, 0.75f)[0] > pixel(0.25f, 0.75f)[1]);
}

static void a_torch_stands_before_nothing(void **state)
{
    (void)state;
    paint(BLOCK_TORCH);
    assert_int_equal(pixel(0.1f, 0.5f)[3], 0);
    assert_int_equal(pixel(0.9f, 0.5f)[3], 0);
    assert_true(pixel(0.5f, 0.8f)[3] > 128);
}

/* A slab is drawn without its upper half, stairs without a quarter. */
static void blocks_with_shapes_show_their_boxes(void **state)
{
    (void)state;
    CnBlock slab = cn_block_find(standard_blocks(), "stone_slab");
    if (!slab || !cn_block_shape(standard_blocks(), slab))
        skip();
    paint(slab);
    assert_int_equal(pixel(0.5f, 0.1f)[3], 0);
    assert_int_equal(pixel(0.5f, 0.5f)[3], 255);
    paint(BLOCK_STONE);
    assert_int_equal(pixel(0.5f, 0.1f)[3], 255);
}

static void every_symbol_covers_a_part_of_its_square(void **state)
{
    (void)state;
    for (uint32_t i = CRAFTY_SYMBOL_NONE + 1; i < CRAFTY_SYMBOL_COUNT; i++) {
        uint32_t covered = 0;
        crafty_icon_paint_symbol((CraftySymbol)i, pixels, SIZE);
        for (uint32_t k = 0; k < SIZE * SIZE; k++)
            covered += pixels[4 * k + 3] > 0;
        assert_true(covered > SIZE * SIZE / 8 && covered < SIZE * SIZE);
    }
}

static void half_a_heart_is_filled_on_its_left(void **state)
{
    (void)state;
    crafty_icon_paint_symbol(CRAFTY_SYMBOL_HEART_HALF, pixels, SIZE);
    assert_true(pixel(0.3f, 0.45f)[0] > 200);
    assert_true(pixel(0.7f, 0.45f)[0] < 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_leaves_the_corners_open),
        cmocka_unit_test(light_comes_from_above_and_from_the_left),
        cmocka_unit_test(the_top_of_grass_is_green_and_its_side_brown),
        cmocka_unit_test(a_torch_stands_before_nothing),
        cmocka_unit_test(blocks_with_shapes_show_their_boxes),
        cmocka_unit_test(every_symbol_covers_a_part_of_its_square),
        cmocka_unit_test(half_a_heart_is_filled_on_its_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
