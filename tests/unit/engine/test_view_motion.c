/* The camera that is drawn moves evenly, whatever the frame rate: the engine's clock is driven with
 * given frame times while an object with the camera moves at a constant speed in its ticks. */
#include "engine_fixture.h"

#include <math.h>

#define SPEED 4.3 /* meters per second */
#define FRAMES 400u
#define WARM_UP 8u
#define ALLOWED 2e-4 /* meters: rounding of positions in single precision */

typedef struct Seen {
    double positions[FRAMES];
    uint32_t count;
} Seen;

static void walk(CnSystemContext *context)
{
    CnEntity camera = cn_camera_active(context->world);
    cn_get_mut(context->world, camera, CnTransform)->position.x += (float)(SPEED / 60);
}

static void take_position(CnFrame *frame, void *user)
{
    Seen *seen = user;
    if (seen->count < FRAMES)
        seen->positions[seen->count++] = (double)(frame->view.position.x + frame->origin.x);
}

/* Draws frames of the given lengths, one after the other, and returns the largest difference
 * between the distance that the camera moves in a frame and the speed times its length. */
static double largest_deviation(const double *seconds, uint32_t count)
{
    Seen seen = {0};
    /* Without a window, frames are interpolated unless `fps` divides the tick rate. */
    CnEngine *engine = make_engine(&(CnEngineDesc){.fps = 7});
    CnWorld *world = cn_engine_world(engine);
    add_camera(world, cn_vec3(0, 2, 0));
    cn_system_add(
        world,
        &(CnSystemDesc){.name = "walk", .stage = CN_STAGE_UPDATE, .run = walk, .alone = true},
        NULL);
    cn_engine_before_render(engine, take_position, &seen);
    double largest = 0;
    for (uint32_t i = 0; i < FRAMES; i++)
        cn_engine_frame_with_delta(engine, seconds[i % count]);
    assert_int_equal(seen.count, FRAMES);
    for (uint32_t i = WARM_UP; i < FRAMES; i++) {
        double moved = seen.positions[i] - seen.positions[i - 1];
        double wrong = fabs(moved - SPEED * seconds[i % count]);
        largest = wrong > largest ? wrong : largest;
    }
    assert_true(seen.positions[FRAMES - 1] > 1); /* it did move */
    end_engine(engine);
    return largest;
}

static void at_30_hz_the_camera_moves_evenly(void **state)
{
    (void)state;
    assert_true(largest_deviation((double[]){1.0 / 30}, 1) < ALLOWED);
}

static void at_60_hz_the_camera_moves_evenly(void **state)
{
    (void)state;
    assert_true(largest_deviation((double[]){1.0 / 60}, 1) < ALLOWED);
}

static void at_144_hz_the_camera_moves_evenly(void **state)
{
    (void)state;
    assert_true(largest_deviation((double[]){1.0 / 144}, 1) < ALLOWED);
}

static void with_irregular_frames_the_camera_follows_time(void **state)
{
    (void)state;
    const double irregular[] = {0.016, 0.007, 0.033, 0.0042, 0.021, 0.0166, 0.011,
                                0.05,  0.003, 0.017, 0.0169, 0.029, 0.0083};
    assert_true(largest_deviation(irregular, CN_COUNT_OF(irregular)) < ALLOWED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_30_hz_the_camera_moves_evenly),
        cmocka_unit_test(at_60_hz_the_camera_moves_evenly),
        cmocka_unit_test(at_144_hz_the_camera_moves_evenly),
        cmocka_unit_test(with_irregular_frames_the_camera_follows_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
