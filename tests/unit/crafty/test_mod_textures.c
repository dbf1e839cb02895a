/* test-labels: threads */
/* Textures of mods: what definitions accept, and what the texture array of the client contains. */
#include "cmocka_tests.h"
#include "mod_client_fixture.h"

#include <crafty/client/block_textures.h>
#include <crafty/client/creature_view.h>
#include <crafty/client/tile_image.h>
#include <crafty/client/world_tiles.h>
#include <crafty/world/item_tiles.h>
#include <crafty/world/skin_tiles.h>
#include <crafty/world/world.h>

#include <string.h>

#define RED 0xFF0000FFu
#define GREEN 0x00FF00FFu

static CraftyWorldTiles *make_tiles(void)
{
    CnError error = {0};
    CraftyWorldTiles *tiles = crafty_world_tiles_create(NULL, mod_client.mods, &error);
    if (!tiles)
        fail_msg("%s", error.message);
    return tiles;
}

static const CnBlockInfo *first_block(void)
{
    const CraftyContent *content = crafty_mods_content(mod_client.mods);
    assert_int_equal(content->block_count, 1);
    return &content->blocks[0];
}

static uint32_t color_of(const CraftyWorldTiles *tiles, uint32_t layer, uint32_t level)
{
    const CnBlockTiles *all = crafty_world_tiles(tiles);
    size_t pixels = (size_t)(CN_TILE_SIZE >> level) * (CN_TILE_SIZE >> level);
    assert_true(layer < all->count);
    const uint8_t *color = all->color[level] + layer * pixels * 4;
    return (uint32_t)color[0] << 24 | (uint32_t)color[1] << 16 | (uint32_t)color[2] << 8 | color[3];
}

/* ---- Definitions ---- */

static void a_block_shows_the_texture_of_its_mod(void **state)
{
    (void)state;
    mod_client_write_texture("wall", 16, RED);
    mod_client_load_good("block { name = 'wall', all = 'wall' }");
    const CraftyModTexture *texture = crafty_mods_texture(mod_client.mods, 0);
    assert_string_equal(texture->name, "castle:wall");
    assert_string_equal(texture->path, "mods://castle/textures/wall.png");
    assert_int_equal(texture->layer, crafty_tile_count);
    assert_int_equal(first_block()->top, texture->layer);
    assert_int_equal(first_block()->side, texture->layer);
    assert_int_equal(first_block()->bottom, texture->layer);
}

static void faces_may_differ_and_be_those_of_blocks(void **state)
{
    (void)state;
    mod_client_write_texture("roof", 16, RED);
    mod_client_load_good("block { name = 'hut', all = 'stone', top = 'roof', side = 'oak_log' }");
    const CnBlockInfo *hut = first_block();
    assert_int_equal(hut->top, crafty_tile_count);
    for (uint32_t i = 0; i < crafty_standard_block_count; i++) {
        if (strcmp(crafty_standard_blocks[i].name, "oak_log") == 0)
            assert_int_equal(hut->side, crafty_standard_blocks[i].side);
        if (strcmp(crafty_standard_blocks[i].name, "stone") == 0)
            assert_int_equal(hut->bottom, crafty_standard_blocks[i].bottom);
    }
}

static void a_texture_that_is_used_twice_has_one_layer(void **state)
{
    (void)state;
    mod_client_write_texture("wall", 16, RED);
    mod_client_load_good("block { name = 'a', all = 'wall' }\nitem { name = 'b', tile = 'wall' }");
    assert_int_equal(crafty_mods_texture_count(mod_client.mods), 1);
}

static void other_textures_of_the_folder_come_later(void **state)
{
    (void)state;
    mod_client_write_texture("a_map", 16, RED);
    mod_client_write_texture("wall", 16, RED);
    mod_client_load_good("block { name = 'a', all = 'wall' }");
    assert_int_equal(crafty_mods_texture_count(mod_client.mods), 2);
    assert_string_equal(crafty_mods_texture(mod_client.mods, 0)->name, "castle:wall");
    assert_string_equal(crafty_mods_texture(mod_client.mods, 1)->name, "castle:a_map");
    assert_int_equal(crafty_mods_texture(mod_client.mods, 1)->layer, crafty_tile_count + 1);
}

static void a_mod_has_a_limited_number_of_other_textures(void **state)
{
    (void)state;
    char name[64];
    for (uint32_t i = 0; i < CRAFTY_MOD_SPARE_TEXTURES + 5; i++) {
        snprintf(name, sizeof name, "mods/castle/textures/t%u.png", i);
        mod_write_file(name, "x");
    }
    mod_client_load_good("-- nothing\n");
    assert_int_equal(crafty_mods_texture_count(mod_client.mods), CRAFTY_MOD_SPARE_TEXTURES);
}

static void an_item_has_its_texture_as_tile(void **state)
{
    (void)state;
    mod_client_write_texture("ruby", 32, RED);
    mod_client_load_good("item { name = 'gem', tile = 'ruby' }\nitem { name = 'ruby' }");
    CnError error = {0};
    CraftyWorld *world =
        crafty_world_create(&(CraftyWorldDesc){.content = crafty_mods_content(mod_client.mods),
                                               .workers = CN_JOBS_NONE},
                            &error);
    assert_non_null(world);
    const CraftyItems *items = crafty_world_items(world);
    const char *const names[] = {"castle:gem", "castle:ruby"};
    for (uint32_t i = 0; i < 2; i++) {
        const CraftyItemInfo *info = crafty_items_info(items, crafty_items_find(items, names[i]));
        assert_non_null(info);
        assert_int_equal(crafty_item_tile(info->tile), crafty_tile_count);
    }
    crafty_world_destroy(world);
}

static void refuse(const char *code, int line, const char *part)
{
    mod_client_load(code);
    CraftyModStatus status = mod_client_status();
    assert_true(status.is_disabled);
    if (!strstr(status.error.message, part))
        fail_msg("'%s' is not in '%s'", part, status.error.message);
    assert_non_null(strstr(status.error.file, "main.lua"));
    assert_int_equal(status.error.line, line);
    mod_client_unload();
}

static void a_missing_file_is_an_error_with_file_and_line(void **state)
{
    (void)state;
    refuse("\nblock { name = 'wall', all = 'gone' }", 2, "textures/gone.png");
    refuse("item { name = 'key', tile = 'gone' }", 1, "textures/gone.png");
    refuse("creature { name = 'c', model = 'pig', size = {1, 1}, skin = 'gone' }", 1,
           "textures/gone.png");
    refuse("block { name = 'wall', all = '../main' }", 1, "textures/../main.png");
    refuse("item { name = 'key', tile = '#12' }", 1, "textures/#12.png");
}

static void a_large_file_is_refused(void **state)
{
    (void)state;
    static char bytes[CRAFTY_MOD_TEXTURE_BYTES + 2];
    memset(bytes, 'x', sizeof bytes - 1);
    mod_write_file("mods/castle/textures/big.png", bytes);
    refuse("block { name = 'wall', all = 'big' }", 1, "at most 262144");
}

static void too_many_textures_are_refused(void **state)
{
    (void)state;
    char name[32];
    for (uint32_t i = 0; i <= CN_TILE_MAX - crafty_tile_count; i++) {
        snprintf(name, sizeof name, "mods/castle/textures/t%u.png", i);
        mod_write_file(name, "x");
    }
    refuse("for i = 0, 2048 do item { name = 'i' .. i, tile = 't' .. i } end", 1, "together");
}

/* ---- Skins ---- */

static void a_skin_replaces_all_skins_of_the_model(void **state)
{
    (void)state;
    mod_client_write_texture("stripes", 16, RED);
    mod_client_load_good(
        "creature { name = 'tiger', model = 'pig', size = {1, 1}, skin = 'stripes' }");
    uint16_t pig = (uint16_t)crafty_skin_tile("pig");
    assert_true(crafty_mods_has_skin(mod_client.mods, "castle:tiger"));
    assert_false(crafty_mods_has_skin(mod_client.mods, "pig"));
    assert_int_equal(crafty_mods_skin(mod_client.mods, "castle:tiger", pig), crafty_tile_count);
    assert_int_equal(crafty_mods_skin(mod_client.mods, "pig", pig), pig);
}

static void a_skin_replaces_single_skins_of_the_model(void **state)
{
    (void)state;
    mod_client_write_texture("stripes", 16, RED);
    mod_client_load_good("creature { name = 'tiger', model = 'pig', size = {1, 1},\n"
                         "           skin = { pig_body = 'stripes' } }");
    uint16_t face = (uint16_t)crafty_skin_tile("pig"),
             body = (uint16_t)crafty_skin_tile("pig_body");
    assert_int_equal(crafty_mods_skin(mod_client.mods, "castle:tiger", body), crafty_tile_count);
    assert_int_equal(crafty_mods_skin(mod_client.mods, "castle:tiger", face), face);
}

static void a_skin_of_no_creature_is_an_error(void **state)
{
    (void)state;
    mod_client_write_texture("stripes", 16, RED);
    refuse("creature { name = 't', model = 'pig', size = {1, 1}, skin = { unicorn = 'stripes' } }",
           1, "unicorn");
    refuse("creature { name = 't', model = 'pig', size = {1, 1}, skin = 7 }", 1,
           "name of a texture");
}

/* ---- Tiles made of images ---- */

static void make(uint32_t width, uint32_t height, const uint8_t *pixels, CraftyTileImage *tile)
{
    CnImage image = {width, height, (uint8_t *)(uintptr_t)pixels, NULL};
    CnError error = {0};
    if (!crafty_tile_image_make(&image, tile, &error))
        fail_msg("%s", error.message);
}

static void larger_images_are_averaged_in_linear_light(void **state)
{
    (void)state;
    static uint8_t pixels[64 * 64 * 4];
    CraftyTileImage tile;
    for (size_t i = 0; i < 64 * 64; i++)
        memset(pixels + 4 * i, i % 2 ? 255 : 0, 3), pixels[4 * i + 3] = 255;
    make(64, 64, pixels, &tile);
    assert_in_range(tile.color[0], 186, 189); /* half of the light */
    assert_int_equal(tile.color[3], 255);
    assert_false(tile.has_holes);
}

static void holes_keep_their_share_in_smaller_levels(void **state)
{
    (void)state;
    static uint8_t pixels[16 * 16 * 4];
    CraftyTileImage tile;
    for (size_t i = 0; i < 16 * 16; i++)
        memset(pixels + 4 * i, i % 4 == 0 ? 255 : 0, 4);
    make(16, 16, pixels, &tile);
    assert_true(tile.has_holes);
    uint32_t drawn = 0;
    for (size_t i = 0; i < 8 * 8; i++)
        drawn += tile.color[CRAFTY_TILE_LEVEL_BYTES(0) + 4 * i + 3] >= 128;
    assert_true(drawn > 0);
}

static void images_of_other_sizes_are_refused(void **state)
{
    (void)state;
    static uint8_t pixels[128 * 128 * 4];
    const uint32_t sizes[][2] = {{16, 32}, {17, 17}, {8, 8}, {128, 128}, {1, 1}};
    for (uint32_t i = 0; i < CN_COUNT_OF(sizes); i++) {
        CnImage image = {sizes[i][0], sizes[i][1], pixels, NULL};
        CraftyTileImage tile;
        CnError error = {0};
        assert_false(crafty_tile_image_make(&image, &tile, &error));
        assert_non_null(strstr(error.message, "pixels"));
    }
}

/* ---- The texture array ---- */

static void without_mods_the_array_is_the_standard_one(void **state)
{
    (void)state;
    CraftyWorldTiles *tiles = make_tiles();
    size_t size;
    assert_ptr_equal(crafty_world_tiles_bytes(tiles, &size), crafty_tiles);
    assert_int_equal(size, crafty_tiles_end - crafty_tiles);
    assert_int_equal(crafty_world_tiles(tiles)->count, crafty_tile_count);
    crafty_world_tiles_destroy(tiles);
}

static void textures_of_mods_follow_the_standard_ones(void **state)
{
    (void)state;
    mod_client_write_texture("wall", 16, RED);
    mod_client_write_texture("roof", 64, GREEN);
    mod_client_load_good("block { name = 'hut', all = 'wall', top = 'roof' }");
    CraftyWorldTiles *tiles = make_tiles();
    CnBlockTiles standard;
    size_t size;
    const uint8_t *bytes = crafty_world_tiles_bytes(tiles, &size);
    CnBlockTiles again;
    CnError error = {0};
    if (!cn_block_tiles_read(bytes, size, &again, &error))
        fail_msg("%s", error.message);
    assert_int_equal(crafty_world_tiles_problem_count(tiles), 0);
    assert_int_equal(again.count, crafty_tile_count + 2);
    for (uint32_t level = 0; level < CN_TILE_LEVELS; level++) {
        assert_int_equal(color_of(tiles, first_block()->side, level), RED);
        assert_int_equal(color_of(tiles, first_block()->top, level), GREEN);
    }
    assert_true(cn_block_tiles_read(crafty_tiles, (size_t)(crafty_tiles_end - crafty_tiles),
                                    &standard, &error));
    for (uint32_t level = 0; level < CN_TILE_LEVELS; level++) {
        size_t all = crafty_tile_count * CRAFTY_TILE_LEVEL_BYTES(level);
        assert_memory_equal(again.color[level], standard.color[level], all);
        assert_memory_equal(again.detail[level], standard.detail[level], all);
    }
    crafty_world_tiles_destroy(tiles);
}

static void a_broken_image_is_shown_as_missing(void **state)
{
    (void)state;
    mod_client_write_texture("good", 16, RED);
    mod_write_file("mods/castle/textures/broken.png", "\x89PNG\r\n\x1a\nnope");
    mod_client_load_good("block { name = 'hut', all = 'broken', top = 'good' }");
    CraftyWorldTiles *tiles = make_tiles();
    assert_int_equal(crafty_world_tiles_problem_count(tiles), 1);
    const CnError *problem = crafty_world_tiles_problem(tiles, 0);
    assert_string_equal(problem->file, "mods://castle/textures/broken.png");
    assert_true(problem->message[0]);
    assert_null(crafty_world_tiles_problem(tiles, 1));
    assert_int_equal(color_of(tiles, first_block()->side, 0), 0xE600C8FFu);
    assert_int_equal(color_of(tiles, first_block()->top, 0), RED);
    crafty_world_tiles_destroy(tiles);
}

static void an_image_with_too_many_pixels_is_shown_as_missing(void **state)
{
    (void)state;
    mod_client_write_texture("huge", 2048, RED);
    mod_client_load_good("block { name = 'hut', all = 'huge' }");
    CraftyWorldTiles *tiles = make_tiles();
    assert_int_equal(crafty_world_tiles_problem_count(tiles), 1);
    assert_non_null(strstr(crafty_world_tiles_problem(tiles, 0)->message, "image_pixels"));
    crafty_world_tiles_destroy(tiles);
}

static void a_file_that_vanished_is_shown_as_missing(void **state)
{
    (void)state;
    CnError error = {0};
    mod_client_write_texture("wall", 16, RED);
    mod_client_load_good("block { name = 'hut', all = 'wall' }");
    assert_true(cn_native_files()->remove(cn_native_files(),
                                          mod_path("mods/castle/textures/wall.png"), &error));
    CraftyWorldTiles *tiles = make_tiles();
    assert_int_equal(crafty_world_tiles_problem_count(tiles), 1);
    crafty_world_tiles_destroy(tiles);
}

static void a_changed_file_is_loaded_again(void **state)
{
    (void)state;
    mod_write_file("mods/castle/textures/wall.png", "x");
    mod_client_load_good("block { name = 'hut', all = 'wall' }");
    CraftyWorldTiles *tiles = make_tiles();
    assert_int_equal(crafty_world_tiles_problem_count(tiles), 1);
    assert_int_equal(crafty_world_tiles_reload(tiles), 0);
    mod_client_write_texture("wall", 16, GREEN);
    assert_int_equal(crafty_world_tiles_reload(tiles), 1);
    assert_int_equal(crafty_world_tiles_problem_count(tiles), 0);
    assert_int_equal(color_of(tiles, first_block()->side, 0), GREEN);
    size_t size;
    const uint8_t *bytes = crafty_world_tiles_bytes(tiles, &size);
    CnBlockTiles again;
    assert_true(cn_block_tiles_read(bytes, size, &again, NULL));
    crafty_world_tiles_destroy(tiles);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, mod_client_begin, mod_client_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_block_shows_the_texture_of_its_mod),
        TEST(faces_may_differ_and_be_those_of_blocks),
        TEST(a_texture_that_is_used_twice_has_one_layer),
        TEST(other_textures_of_the_folder_come_later),
        TEST(a_mod_has_a_limited_number_of_other_textures),
        TEST(an_item_has_its_texture_as_tile),
        TEST(a_missing_file_is_an_error_with_file_and_line),
        TEST(a_large_file_is_refused),
        TEST(too_many_textures_are_refused),
        TEST(a_skin_replaces_all_skins_of_the_model),
        TEST(a_skin_replaces_single_skins_of_the_model),
        TEST(a_skin_of_no_creature_is_an_error),
        TEST(larger_images_are_averaged_in_linear_light),
        TEST(holes_keep_their_share_in_smaller_levels),
        TEST(images_of_other_sizes_are_refused),
        TEST(without_mods_the_array_is_the_standard_one),
        TEST(textures_of_mods_follow_the_standard_ones),
        TEST(a_broken_image_is_shown_as_missing),
        TEST(an_image_with_too_many_pixels_is_shown_as_missing),
        TEST(a_file_that_vanished_is_shown_as_missing),
        TEST(a_changed_file_is_loaded_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
