/* Particles of emitters and bursts in snapshots: when they start, where they are, when they end. */
#include "render_fixture.h"

#include "render/feature/scene_particles.h"

#include <math.h>
#include <string.h>

enum { EMITTERS = 300 };

static CniRenderSceneParticles *particles;
static CnHeap *heap;
static CnRenderEmitter emitters[EMITTERS], emitters_before[EMITTERS];
static CnRenderBurst bursts[4];
static CnRenderSnapshot snapshot, snapshot_before;

static const CnParticleStyle plain = {.spread_cosine = 1,
                                      .life = 1,
                                      .speed = 2,
                                      .start_size = 0.2f,
                                      .end_size = 0.4f,
                                      .start_color = {1, 1, 1, 1},
                                      .end_color = {0, 0, 1, 0}};

static int make(void **state)
{
    (void)state;
    heap = cn_heap_create(NULL, NULL);
    particles = cn_alloc(NULL, sizeof *particles);
    cni_render_scene_particles_init(particles, cn_heap_tag(heap, "particles"));
    memset(emitters, 0, sizeof emitters);
    memset(bursts, 0, sizeof bursts);
    for (uint32_t i = 0; i < EMITTERS; i++)
        emitters[i] = (CnRenderEmitter){
            .entity = {i + 1}, .rotation = {0, 0, 0, 1}, .is_playing = true, .style = plain};
    snapshot = (CnRenderSnapshot){.tick = 1, .time = 10, .emitters = emitters, .bursts = bursts};
    return 0;
}

static int drop(void **state)
{
    (void)state;
    cni_render_scene_particles_fini(particles);
    cn_free(NULL, particles, sizeof *particles);
    uint64_t live = cn_heap_stats(heap).live_blocks;
    cn_heap_destroy(heap);
    return live == 0 ? 0 : -1;
}

#define PARTICLE_TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)

static void advance(double seconds)
{
    snapshot.tick++;
    snapshot.time += seconds;
    cni_render_scene_particles_advance(particles, &(CniRenderParticleFrame){.current = &snapshot});
}

static void sort(void)
{
    cni_render_scene_particles_sort(particles, cn_vec3(0, 0, 100), cn_vec3(0, 0, -1));
}

static CnVec3 position_of(uint32_t row)
{
    return cn_vec3_add(particles->rows.items[row].from_eye, cn_vec3(0, 0, 100));
}

static void burst_at(uint32_t index, uint64_t tick, double time, uint32_t count)
{
    bursts[index] = (CnRenderBurst){
        .tick = tick, .time = time, .count = count, .rotation = {0, 0, 0, 1}, .style = plain};
    snapshot.burst_count = index + 1;
}

/* ---- Emitters ---- */

static void an_emitter_starts_its_rate_of_particles(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].rate = 100;
    advance(0);
    for (uint32_t i = 0; i < 30; i++)
        advance(1.0 / 60);
    assert_in_range(particles->particles.count, 49, 50);
}

static void the_number_of_particles_does_not_depend_on_the_frame_rate(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].rate = 37;
    advance(0);
    advance(0.5);
    uint32_t started = particles->emitters[0].started;
    for (uint32_t i = 0; i < 50; i++)
        advance(0.01);
    assert_in_range(particles->emitters[0].started, 2 * started, 2 * started + 1);
}

static void particles_end_after_their_life(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].burst = 10;
    advance(0);
    assert_int_equal(particles->particles.count, 10);
    advance(0.99);
    assert_int_equal(particles->particles.count, 10);
    advance(0.02);
    assert_int_equal(particles->particles.count, 0);
}

static void a_burst_comes_again_when_the_emitter_plays_again(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].burst = 10;
    advance(0);
    advance(0.1);
    assert_int_equal(particles->particles.count, 10);
    snapshot.emitter_count = 0;
    advance(0.1);
    snapshot.emitter_count = 1;
    advance(0.1);
    assert_int_equal(particles->particles.count, 20);
}

static void a_paused_simulation_starts_nothing(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].rate = 1000;
    advance(0);
    advance(0.1);
    uint32_t count = particles->particles.count;
    advance(0);
    assert_int_equal(particles->particles.count, count);
}

static void particles_of_the_world_stay_where_they_started(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].burst = 1;
    emitters[0].style.speed = 0;
    advance(0);
    emitters[0].position = cn_vec3(5, 0, 0);
    advance(0.1);
    sort();
    assert_true(position_of(0).x == 0);
}

static void local_particles_move_with_their_emitter(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].burst = 1;
    emitters[0].style.speed = 0;
    emitters[0].style.flags = CN_PARTICLES_LOCAL;
    advance(0);
    emitters[0].position = cn_vec3(5, 0, 0);
    advance(0.1);
    sort();
    assert_true(position_of(0).x == 5);
}

static void local_particles_of_an_emitter_that_stopped_still_move_with_it(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].burst = 1;
    emitters[0].style.speed = 0;
    emitters[0].style.flags = CN_PARTICLES_LOCAL;
    advance(0);
    emitters[0].is_playing = false;
    emitters[0].position = cn_vec3(5, 0, 0);
    advance(0.1);
    sort();
    assert_true(position_of(0).x == 5);
}

static void a_moving_emitter_leaves_an_even_trail(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].rate = 10;
    emitters[0].style.speed = 0;
    advance(0);
    emitters[0].position = cn_vec3(10, 0, 0);
    advance(0.9999);
    sort();
    assert_int_equal(particles->rows.count, 9);
    for (uint32_t i = 0; i < 9; i++)
        assert_true(cn_fabsf(position_of(i).x - (float)(i + 1)) < 0.01f);
}

static void the_pose_is_interpolated_between_snapshots(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].burst = 1;
    emitters[0].style.speed = 0;
    memcpy(emitters_before, emitters, sizeof emitters);
    snapshot_before = snapshot;
    snapshot_before.emitters = emitters_before;
    snapshot.tick++;
    snapshot.time += 1;
    emitters[0].position = cn_vec3(8, 0, 0);
    cni_render_scene_particles_advance(
        particles, &(CniRenderParticleFrame){
                       .previous = &snapshot_before, .current = &snapshot, .alpha = 0.25f});
    sort();
    assert_true(position_of(0).x == 2);
    assert_true(particles->time == 10.25);
}

static void gravity_pulls_downward_along_a_parabola(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].burst = 1;
    emitters[0].style.gravity = 10;
    advance(0);
    advance(0.5);
    sort();
    assert_true(cn_fabsf(position_of(0).y - (2 * 0.5f - 5 * 0.25f)) < 1e-4f);
}

static void the_rotation_of_the_object_turns_the_direction(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].burst = 1;
    emitters[0].rotation = cn_quat_from_axis(cn_vec3(0, 0, 1), -CN_PIF / 2);
    advance(0);
    advance(0.5);
    sort();
    assert_true(cn_fabsf(position_of(0).x - 1) < 1e-4f && cn_fabsf(position_of(0).y) < 1e-4f);
}

static void the_shape_bounds_where_particles_start(void **state)
{
    (void)state;
    snapshot.emitter_count = 2;
    for (uint32_t i = 0; i < 2; i++) {
        emitters[i].burst = 500;
        emitters[i].style.speed = 0;
        emitters[i].style.extents = cn_vec3(2, 1, 0.5f);
        emitters[i].style.shape = i ? CN_EMITTER_BOX : CN_EMITTER_SPHERE;
    }
    advance(0);
    const CniRenderSceneParticle *all = particles->particles.items;
    for (uint32_t i = 0; i < 500; i++)
        assert_true(cn_vec3_length(all[i].start) <= 2.001f);
    float most = 0;
    for (uint32_t i = 500; i < 1000; i++) {
        CnVec3 at = all[i].start;
        assert_true(cn_fabsf(at.x) <= 2 && cn_fabsf(at.y) <= 1 && cn_fabsf(at.z) <= 0.5f);
        most = cn_fabsf(at.x) > most ? cn_fabsf(at.x) : most;
    }
    assert_true(most > 1.8f);
}

static void the_cone_bounds_the_directions(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].burst = 500;
    emitters[0].style.direction = cn_vec3(3, 0, 0);
    emitters[0].style.spread_cosine = 0.8f;
    advance(0);
    float least = 1;
    for (uint32_t i = 0; i < 500; i++) {
        float cosine = particles->particles.items[i].velocity.x / 2;
        least = cosine < least ? cosine : least;
    }
    assert_true(least >= 0.799f && least < 0.85f);
}

static void size_and_color_change_over_the_life(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].burst = 1;
    advance(0);
    advance(0.5);
    sort();
    const CniRenderParticleRow *row = &particles->rows.items[0];
    assert_true(cn_fabsf(row->size - 0.3f) < 1e-4f);
    assert_true(cn_fabsf(row->color.x - 0.5f) < 1e-4f && cn_fabsf(row->color.w - 0.5f) < 1e-4f);
}

/* ---- Bursts ---- */

static void a_burst_of_a_tick_starts_once(void **state)
{
    (void)state;
    advance(0.1);
    burst_at(0, snapshot.tick + 1, snapshot.time + 0.1, 7);
    advance(0.1);
    advance(0.1); /* the burst is still in the snapshot */
    assert_int_equal(particles->particles.count, 7);
}

static void a_burst_of_a_skipped_snapshot_has_its_age(void **state)
{
    (void)state;
    advance(0.1);
    burst_at(0, snapshot.tick + 1, snapshot.time + 0.1, 1);
    snapshot.tick += 4;
    advance(0.5);
    sort();
    assert_int_equal(particles->rows.count, 1);
    assert_true(cn_fabsf(position_of(0).y - 2 * 0.4f) < 1e-4f);
}

static void equal_bursts_of_a_tick_look_different(void **state)
{
    (void)state;
    burst_at(0, 2, 10, 1);
    burst_at(1, 2, 10, 1);
    bursts[1].number = 1;
    bursts[0].style.spread_cosine = bursts[1].style.spread_cosine = -1;
    advance(0);
    const CniRenderSceneParticle *all = particles->particles.items;
    assert_memory_not_equal(&all[0].velocity, &all[1].velocity, sizeof(CnVec3));
}

/* ---- Jumps ---- */

static void another_world_starts_anew(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].burst = 5;
    advance(0);
    emitters[0].burst = 0;
    snapshot.tick++;
    cni_render_scene_particles_advance(particles,
                                       &(CniRenderParticleFrame){.current = &snapshot, .world = 1});
    assert_int_equal(particles->particles.count, 0);
}

static void going_back_in_time_starts_anew(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].burst = 5;
    advance(0);
    emitters[0].burst = 2;
    advance(-1);
    assert_int_equal(particles->particles.count, 2);
}

static void a_long_time_starts_only_what_is_still_alive(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].rate = 100;
    advance(0);
    advance(1e6);
    assert_in_range(particles->particles.count, 99, 101);
    assert_int_equal(particles->stats.dropped_particles, 0);
}

/* ---- Limits and bad values ---- */

static void more_emitters_than_the_limit_are_left_out_and_counted(void **state)
{
    (void)state;
    snapshot.emitter_count = CN_MAX_SCENE_EMITTERS + 3;
    advance(0);
    assert_int_equal(particles->stats.emitters, CN_MAX_SCENE_EMITTERS);
    assert_int_equal(particles->stats.dropped_emitters, 3);
}

static void an_emitter_that_is_gone_makes_room(void **state)
{
    (void)state;
    snapshot.emitter_count = CN_MAX_SCENE_EMITTERS + 1;
    advance(0);
    emitters[0] = emitters[CN_MAX_SCENE_EMITTERS];
    snapshot.emitter_count = CN_MAX_SCENE_EMITTERS;
    advance(0.01);
    advance(0.01);
    assert_int_equal(particles->stats.emitters, CN_MAX_SCENE_EMITTERS);
    assert_int_equal(particles->stats.dropped_emitters, 2);
}

static void more_particles_than_the_limit_do_not_start(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].burst = CN_MAX_SCENE_PARTICLES + 100;
    advance(0);
    assert_int_equal(particles->stats.particles, CN_MAX_SCENE_PARTICLES);
    assert_int_equal(particles->stats.dropped_particles, 100);
}

static void values_that_make_no_sense_are_survived(void **state)
{
    (void)state;
    snapshot.emitter_count = 4;
    emitters[0].rate = INFINITY;
    emitters[1].rate = emitters[1].style.life = CN_NANF;
    emitters[2].rate = 100;
    emitters[2].position.x = CN_NANF;
    emitters[3].burst = 9;
    emitters[3].style.life = emitters[3].style.start_size = -1;
    advance(0);
    advance(1);
    advance(0.01);
    sort();
    assert_true(particles->particles.count <= CN_MAX_SCENE_PARTICLES);
}

/* ---- Order ---- */

static void rows_are_drawn_from_the_farthest_to_the_nearest(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].burst = 200;
    emitters[0].style.shape = CN_EMITTER_BOX;
    emitters[0].style.extents = cn_vec3(5, 5, 5);
    advance(0);
    sort();
    assert_int_equal(particles->order.count, 200);
    for (uint32_t i = 1; i < 200; i++)
        assert_true(particles->rows.items[particles->order.items[i]].from_eye.z >=
                    particles->rows.items[particles->order.items[i - 1]].from_eye.z);
}

static void particles_behind_the_camera_are_not_drawn(void **state)
{
    (void)state;
    snapshot.emitter_count = 1;
    emitters[0].burst = 3;
    advance(0);
    cni_render_scene_particles_sort(particles, cn_vec3(0, 0, -10), cn_vec3(0, 0, -1));
    assert_int_equal(particles->stats.drawn, 0);
    assert_int_equal(particles->stats.particles, 3);
}

static void steady_frames_do_not_allocate(void **state)
{
    (void)state;
    snapshot.emitter_count = 8;
    for (uint32_t i = 0; i < 8; i++)
        emitters[i].rate = 500;
    for (uint32_t i = 0; i < 150; i++) {
        advance(1.0 / 60);
        sort();
    }
    uint64_t before = cn_heap_stats(heap).calls;
    for (uint32_t i = 0; i < 150; i++) {
        advance(1.0 / 60);
        sort();
    }
    assert_int_equal(cn_heap_stats(heap).calls, before);
}

/* ---- The feature, on the null backend ---- */

static void worlds_without_particles_cost_nothing(void **state)
{
    (void)state;
    RenderFixture fixture;
    assert_true(render_fixture_init(&fixture, RENDER_NULL));
    CnFeature *feature = render_fixture_add(&fixture, &cn_feature_scene_particles, NULL);
    render_fixture_draw(&fixture, 2);
    uint32_t pipelines = cn_gpu_stats(fixture.gpu).pipelines;
    assert_int_equal(cn_scene_particles_stats(feature).particles, 0);
    assert_int_equal(cn_renderer_stats(fixture.renderer).draw_calls, 0);
    fixture.snapshot.emitters = emitters;
    fixture.snapshot.emitter_count = 1;
    render_fixture_draw(&fixture, 1);
    assert_int_equal(cn_gpu_stats(fixture.gpu).pipelines, pipelines + 1);
    render_fixture_fini(&fixture);
}

static void every_preset_draws_particles_in_one_call(void **state)
{
    (void)state;
    const CnPreset presets[] = {cn_preset_forward, cn_preset_forward_plus, cn_preset_deferred};
    for (uint32_t i = 0; i < CN_COUNT_OF(presets); i++) {
        RenderFixture fixture;
        assert_true(render_fixture_init(&fixture, RENDER_NULL));
        assert_true(presets[i](fixture.renderer, NULL, NULL, &fixture.error));
        render_fixture_camera(&fixture, cn_vec3(0, 2, 5), cn_vec3(0, 0, 0), 60);
        render_fixture_draw(&fixture, 1);
        uint32_t calls = cn_renderer_stats(fixture.renderer).draw_calls;
        emitters[0].burst = 50;
        fixture.snapshot.emitters = emitters;
        fixture.snapshot.emitter_count = 1;
        render_fixture_draw(&fixture, 1);
        CnFeature *feature = cn_renderer_feature(fixture.renderer, "Scene particles");
        assert_int_equal(cn_scene_particles_stats(feature).drawn, 50);
        assert_int_equal(cn_renderer_stats(fixture.renderer).draw_calls, calls + 1);
        render_fixture_fini(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PARTICLE_TEST(an_emitter_starts_its_rate_of_particles),
        PARTICLE_TEST(the_number_of_particles_does_not_depend_on_the_frame_rate),
        PARTICLE_TEST(particles_end_after_their_life),
        PARTICLE_TEST(a_burst_comes_again_when_the_emitter_plays_again),
        PARTICLE_TEST(a_paused_simulation_starts_nothing),
        PARTICLE_TEST(particles_of_the_world_stay_where_they_started),
        PARTICLE_TEST(local_particles_move_with_their_emitter),
        PARTICLE_TEST(local_particles_of_an_emitter_that_stopped_still_move_with_it),
        PARTICLE_TEST(a_moving_emitter_leaves_an_even_trail),
        PARTICLE_TEST(the_pose_is_interpolated_between_snapshots),
        PARTICLE_TEST(gravity_pulls_downward_along_a_parabola),
        PARTICLE_TEST(the_rotation_of_the_object_turns_the_direction),
        PARTICLE_TEST(the_shape_bounds_where_particles_start),
        PARTICLE_TEST(the_cone_bounds_the_directions),
        PARTICLE_TEST(size_and_color_change_over_the_life),
        PARTICLE_TEST(a_burst_of_a_tick_starts_once),
        PARTICLE_TEST(a_burst_of_a_skipped_snapshot_has_its_age),
        PARTICLE_TEST(equal_bursts_of_a_tick_look_different),
        PARTICLE_TEST(another_world_starts_anew),
        PARTICLE_TEST(going_back_in_time_starts_anew),
        PARTICLE_TEST(a_long_time_starts_only_what_is_still_alive),
        PARTICLE_TEST(more_emitters_than_the_limit_are_left_out_and_counted),
        PARTICLE_TEST(an_emitter_that_is_gone_makes_room),
        PARTICLE_TEST(more_particles_than_the_limit_do_not_start),
        PARTICLE_TEST(values_that_make_no_sense_are_survived),
        PARTICLE_TEST(rows_are_drawn_from_the_farthest_to_the_nearest),
        PARTICLE_TEST(particles_behind_the_camera_are_not_drawn),
        PARTICLE_TEST(steady_frames_do_not_allocate),
        PARTICLE_TEST(worlds_without_particles_cost_nothing),
        PARTICLE_TEST(every_preset_draws_particles_in_one_call),
    };
    return cmocka_run_group_tests_name("scene particles", tests, NULL, NULL);
}
