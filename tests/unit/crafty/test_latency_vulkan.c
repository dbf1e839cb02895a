/*
 * From an event to a changed pixel, counted in frames: a click reaches the simulation in the next
 * tick, and the frame of that tick shows the broken or placed block. With a window, a render thread
 * draws that frame while the next one is prepared, so that the image is at most one frame later.
 */
#include "client_options.h"
#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/client/game.h>
#include <crafty/sim/command.h>

#include <stdlib.h>

#define WIDTH 96u
#define HEIGHT 54u
#define HIGH 300
#define TRIALS 12u
#define MOST_FRAMES 12u
#define CHANGED 6.0 /* of 255: mean difference of the pixels in the middle */

static Scratch scratch;
static Crafty *crafty;

static CnVoxels *voxels(void)
{
    return crafty_terrain_voxels(crafty->play->terrain);
}

static void put(int32_t x, int32_t y, int32_t z, const char *name)
{
    CnEdit edit = {.cell = {x, y, z}, .new_block = cn_block_find(cn_voxels_blocks(voxels()), name)};
    assert_true(cn_voxels_edit(voxels(), &edit, NULL));
}

/* A player on a floor before a wall of stone, with bricks behind it. */
static void begin(void)
{
    CnError error = {0};
    scratch_init(&scratch);
    setenv("XDG_STATE_HOME", scratch.folder, 1);
    CraftyOptions options = null_client_options();
    options.engine.backend = CN_GPU_DEFAULT;
    options.engine.width = WIDTH;
    options.engine.height = HEIGHT;
    options.engine.validation = true;
    options.engine.image_path = scratch_path(&scratch, "%04d.png"); /* every frame is read back */
    options.engine.fps = 7; /* interpolated, as in a window */
    options.effects_off = NULL;
    options.effects_on = "highlight,particles";
    options.mode = CRAFTY_MODE_CREATIVE;
    options.no_world = false;
    options.has_camera = true;
    options.camera = (CraftyPose){.position = {0.5f, HIGH + 1.63f, 0.5f}};
    crafty = crafty_create(&options, &error);
    if (!crafty) {
        scratch_fini(&scratch);
        skip(); /* no Vulkan device */
    }
    for (int32_t x = -3; x <= 3; x++) {
        for (int32_t z = -4; z <= 3; z++)
            put(x, HIGH - 1, z, "stone");
        for (int32_t y = HIGH; y < HIGH + 5; y++) {
            put(x, y, -2, "stone");
            put(x, y, -4, "bricks");
        }
    }
    assert_true(crafty_connection_send_command(
        crafty->play->connection, &(CraftyCommand){.kind = CRAFTY_COMMAND_CAPTURE, .choice = 1}));
    for (uint32_t i = 0; i < 40; i++)
        assert_true(cn_engine_frame_with_delta(crafty->engine, 1.0 / 60));
}

static void end(void)
{
    CnGpuStats stats = cn_gpu_stats(cn_engine_gpu(crafty->engine));
    crafty_destroy(crafty);
    crafty = NULL;
    scratch_fini(&scratch);
    assert_int_equal(stats.wrong_calls, 0);
    assert_int_equal(stats.validation_messages, 0);
}

static uint64_t tick(void)
{
    return cn_resource(cn_engine_world(crafty->engine), CnTickInfo)->tick;
}

static void read_middle(uint8_t middle[(WIDTH / 4) * (HEIGHT / 4) * 4])
{
    uint32_t width, height;
    const uint8_t *pixels =
        cn_renderer_pixels(cn_engine_renderer(crafty->engine), &width, &height, NULL);
    assert_non_null(pixels);
    uint32_t next = 0;
    for (uint32_t y = 0; y < HEIGHT / 4; y++)
        for (uint32_t x = 0; x < WIDTH; x++) /* a quarter of the width, 4 bytes per pixel */
            middle[next++] = pixels[((y + 3 * HEIGHT / 8) * width + 3 * WIDTH / 8) * 4 + x];
}

static double difference(const uint8_t *a, const uint8_t *b)
{
    uint64_t sum = 0;
    uint32_t count = (WIDTH / 4) * (HEIGHT / 4) * 4;
    for (uint32_t i = 0; i < count; i++)
        sum += (uint64_t)abs(a[i] - b[i]);
    return (double)sum / count;
}

static void press(uint32_t button, bool pressed)
{
    cn_engine_send(
        crafty->engine,
        &(CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .code = button, .pressed = pressed});
}

typedef struct Latency {
    uint32_t frames[MOST_FRAMES + 1]; /* trials by frames from the event to the image; 1: the frame
                                         that got the event */
    uint32_t late; /* trials in which the image came after the frame of the tick */
} Latency;

/* Presses a button and counts frames until the middle of the image changes. */
static void try_once(uint32_t button, double seconds, uint32_t wait, Latency *latency)
{
    uint8_t before[(WIDTH / 4) * (HEIGHT / 4) * 4], now[sizeof before];
    for (uint32_t i = 0; i < wait; i++)
        cn_engine_frame_with_delta(crafty->engine, seconds);
    read_middle(before);
    uint64_t first_tick = tick();
    uint32_t ticked_in = 0, changed_in = 0;
    press(button, true);
    for (uint32_t i = 1; i <= MOST_FRAMES && !changed_in; i++) {
        cn_engine_frame_with_delta(crafty->engine, seconds);
        read_middle(now);
        if (!ticked_in && tick() > first_tick)
            ticked_in = i;
        if (difference(before, now) > CHANGED)
            changed_in = i;
    }
    press(button, false);
    assert_in_range(changed_in, 1, MOST_FRAMES);
    latency->frames[changed_in]++;
    latency->late += changed_in != ticked_in;
}

static Latency measure(double seconds)
{
    Latency latency = {0};
    uint32_t settle = (uint32_t)(0.5 / seconds); /* particles and delays end */
    for (uint32_t i = 0; i < TRIALS; i++)
        try_once(i % 2 ? CN_MOUSE_RIGHT : CN_MOUSE_LEFT, seconds, settle + i % 5, &latency);
    print_message("%3.0f Hz:", 1 / seconds);
    for (uint32_t i = 1; i <= MOST_FRAMES; i++)
        if (latency.frames[i])
            print_message(" %u in frame %u;", latency.frames[i], i);
    print_message("\n");
    return latency;
}

static void at_60_hz_the_frame_of_the_event_shows_it(void **state)
{
    (void)state;
    begin();
    Latency latency = measure(1.0 / 60);
    end();
    assert_int_equal(latency.late, 0);
    assert_in_range(latency.frames[1] + latency.frames[2], TRIALS, TRIALS);
    assert_true(latency.frames[1] >= TRIALS - 2); /* rounding of frame times: rarely no tick */
}

static void at_30_hz_the_frame_of_the_event_shows_it(void **state)
{
    (void)state;
    begin();
    Latency latency = measure(1.0 / 30);
    end();
    assert_int_equal(latency.frames[1], TRIALS);
}

/* A tick lasts 2.4 frames. */
static void at_144_hz_the_frame_of_the_next_tick_shows_it(void **state)
{
    (void)state;
    begin();
    Latency latency = measure(1.0 / 144);
    end();
    assert_int_equal(latency.late, 0);
    assert_int_equal(latency.frames[1] + latency.frames[2] + latency.frames[3], TRIALS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_60_hz_the_frame_of_the_event_shows_it),
        cmocka_unit_test(at_30_hz_the_frame_of_the_event_shows_it),
        cmocka_unit_test(at_144_hz_the_frame_of_the_next_tick_shows_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
