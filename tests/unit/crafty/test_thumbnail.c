/* test-labels: rendering */
/* The picture of a saved world shows what the player saw. */
#include "cmocka_tests.h"
#include "gpu_device.h"
#include "scratch.h"

#include <crafty/client/game.h>
#include <crafty/save/save_internal.h>

#include <stdlib.h>
#include <string.h>

#define COLUMNS 8u
#define ROWS 5u

static Scratch scratch;
static const char *path;

static CraftyOptions options_of(CnGpuBackend backend)
{
    return (CraftyOptions){
        .engine = {.headless = true, .backend = backend, .width = 320, .height = 180, .threads = 1},
        .hours = 12,
        .seed = 42,
        .has_weather = true,
        .has_quality = true,
        .view_distance = 3,
        .frames = 24,
        .world = path};
}

/* Plays a world and returns its thumbnail. */
static void play(CnGpuBackend backend, CnImage *image)
{
    CnError error = {0};
    CraftyOptions options = options_of(backend);
    Crafty *crafty = crafty_create(&options, &error);
    if (!crafty)
        fail_msg("%s", error.message);
    assert_int_equal(crafty_run(crafty), 0);
    crafty_destroy(crafty);
    CnStoreDesc desc = {.path = path,
                        .mode = CN_STORE_READ_ONLY,
                        .application = CRAFTY_SAVE_APPLICATION,
                        .version = CRAFTY_SAVE_VERSION,
                        .tables = crafty_save_tables,
                        .table_count = CRAFTY_SAVE_TABLES};
    CnStore *store = cn_store_create(&desc, &error);
    if (!store)
        fail_msg("%s", error.message);
    CnU8Array jpeg;
    bool found = false;
    cn_array_init(&jpeg, cn_system_allocator());
    assert_true(cn_store_get(store, CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_THUMBNAIL),
                             &jpeg, &found, &error));
    assert_true(found);
    assert_memory_equal(jpeg.items, "\xFF\xD8\xFF", 3);
    assert_true(cn_image_read(
        &(CnImageReadDesc){.bytes = jpeg.items, .size = jpeg.count, .name = "thumbnail"}, image,
        &error));
    cn_array_fini(&jpeg);
    cn_store_destroy(store);
}

/* What the world looks like: the image of a run that only looks at it. */
static void look(CnImage *image)
{
    CnError error = {0};
    CraftyOptions options = options_of(CN_GPU_VULKAN);
    const char *png = scratch_path(&scratch, "view.png");
    options.engine.image_path = png;
    Crafty *crafty = crafty_create(&options, &error);
    if (!crafty)
        fail_msg("%s", error.message);
    assert_int_equal(crafty_run(crafty), 0);
    crafty_destroy(crafty);
    CnFileBytes bytes;
    assert_true(cn_file_read_all(cn_native_files(), png, NULL, &bytes, &error));
    assert_true(cn_image_read(
        &(CnImageReadDesc){.bytes = bytes.data, .size = bytes.size, .name = png}, image, &error));
    cn_file_bytes_free(&bytes);
}

/* The mean color of a part of the image. */
static void mean_of(const CnImage *image, uint32_t column, uint32_t row, int mean[3])
{
    uint64_t sums[3] = {0}, count = 0;
    for (uint32_t y = row * image->height / ROWS; y < (row + 1) * image->height / ROWS; y++)
        for (uint32_t x = column * image->width / COLUMNS;
             x < (column + 1) * image->width / COLUMNS; x++, count++)
            for (uint32_t i = 0; i < 3; i++)
                sums[i] += image->pixels[(y * image->width + x) * 4 + i];
    for (uint32_t i = 0; i < 3; i++)
        mean[i] = (int)(sums[i] / count);
}

static void a_thumbnail_resembles_the_view(void **state)
{
    (void)state;
    CnGpu *gpu = make_vulkan(NULL);
    if (!gpu)
        skip();
    end_gpu(gpu);
    CnImage small, view;
    play(CN_GPU_VULKAN, &small);
    look(&view);
    int lightest = 0, darkest = 255;
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t column = 0; column < COLUMNS; column++) {
            int a[3], b[3];
            mean_of(&small, column, row, a);
            mean_of(&view, column, row, b);
            for (uint32_t i = 0; i < 3; i++)
                assert_in_range(abs(a[i] - b[i]), 0, 16);
            lightest = a[2] > lightest ? a[2] : lightest;
            darkest = a[2] < darkest ? a[2] : darkest;
        }
    assert_true(lightest > 100 && lightest - darkest > 40); /* a view, not one color */
    cn_image_free(&small);
    cn_image_free(&view);
}

static void a_thumbnail_has_160_x_90_pixels(void **state)
{
    (void)state;
    CnImage small;
    play(CN_GPU_NULL, &small);
    assert_int_equal(small.width, 160);
    assert_int_equal(small.height, 90);
    cn_image_free(&small);
}

static int begin(void **state)
{
    (void)state;
    scratch_init(&scratch);
    setenv("XDG_STATE_HOME", scratch.folder, 1); /* of crash reports */
    path = scratch_path(&scratch, "home.crafty");
    return 0;
}

static int end(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_thumbnail_resembles_the_view, begin, end),
        cmocka_unit_test_setup_teardown(a_thumbnail_has_160_x_90_pixels, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
