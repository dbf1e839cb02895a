/* Particle emitters as data, and what snapshots contain of them. */
#include "camera_fixture.h"

static CnOutbox *outbox;
static uint64_t tick;

static int make_all(void **state)
{
    if (make_eyes(state))
        return -1;
    tick = 0;
    outbox = cn_outbox_create(&(CnOutboxDesc){.allocator = cn_heap_tag(heap, "outbox")}, NULL);
    return outbox && cn_extract_add(world, outbox, NULL) ? 0 : -1;
}

static int drop_all(void **state)
{
    cn_outbox_destroy(outbox);
    return drop_eyes(state);
}

#define EMITTER_TEST(name) cmocka_unit_test_setup_teardown(name, make_all, drop_all)

static CnRenderSnapshot run_tick(void)
{
    cn_outbox_begin(outbox, ++tick, 0);
    assert_true(cn_world_update(world, 1.0f / 60, NULL));
    cn_outbox_publish(outbox);
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(outbox, &pair));
    cn_outbox_release(outbox);
    return pair.current->render;
}

static CnEntity make_emitter(void)
{
    CnEntity fire = cn_object(world, "Fire");
    assert_true(cn_add(world, fire, CnParticleEmitter));
    return fire;
}

static void a_new_emitter_plays_and_fades_out(void **state)
{
    (void)state;
    const CnParticleEmitter *emitter = cn_get(world, make_emitter(), CnParticleEmitter);
    assert_true(emitter->playing && emitter->rate == 20 && emitter->life == 1);
    assert_true(emitter->start_color.w == 1 && emitter->end_color.w == 0);
}

static void an_emitter_is_extracted_where_it_is_in_the_world(void **state)
{
    (void)state;
    CnEntity parent = cn_object(world, "Parent"), fire = make_emitter();
    cn_get_mut(world, parent, CnTransform)->position = cn_vec3(10, 0, 0);
    cn_get_mut(world, fire, CnTransform)->position = cn_vec3(0, 2, 0);
    assert_true(cn_set_parent(world, fire, parent));
    CnRenderSnapshot seen = run_tick();
    assert_int_equal(seen.emitter_count, 1);
    assert_true(cn_entity_equal(seen.emitters[0].entity, fire));
    assert_true(seen.emitters[0].position.x == 10 && seen.emitters[0].position.y == 2);
    assert_true(seen.emitters[0].is_playing);
}

static void the_style_has_the_values_of_the_component(void **state)
{
    (void)state;
    CnParticleEmitter *emitter = cn_get_mut(world, make_emitter(), CnParticleEmitter);
    emitter->spread = 90;
    emitter->gravity = 3;
    emitter->shape = CN_EMITTER_BOX;
    emitter->additive = true;
    CnRenderSnapshot seen = run_tick();
    const CnParticleStyle *style = &seen.emitters[0].style;
    assert_true(style->gravity == 3 && style->shape == CN_EMITTER_BOX);
    assert_true(cn_fabsf(style->spread_cosine) < 1e-6f);
    assert_int_equal(style->flags, CN_PARTICLES_ADDITIVE);
}

static void an_emitter_that_does_not_play_is_left_out(void **state)
{
    (void)state;
    cn_get_mut(world, make_emitter(), CnParticleEmitter)->playing = false;
    assert_int_equal(run_tick().emitter_count, 0);
}

static void a_local_emitter_that_does_not_play_moves_its_particles(void **state)
{
    (void)state;
    CnParticleEmitter *emitter = cn_get_mut(world, make_emitter(), CnParticleEmitter);
    emitter->playing = false;
    emitter->local = true;
    CnRenderSnapshot seen = run_tick();
    assert_int_equal(seen.emitter_count, 1);
    assert_false(seen.emitters[0].is_playing);
}

static void an_inactive_emitter_is_left_out(void **state)
{
    (void)state;
    CnEntity fire = make_emitter();
    cn_object_set_enabled(world, fire, false);
    assert_int_equal(run_tick().emitter_count, 0);
}

static void fields_have_names_and_ranges(void **state)
{
    (void)state;
    static const char *const keys[] = {
        "rate",   "burst",   "life",      "speed",    "variation",  "direction",
        "spread", "gravity", "startSize", "endSize",  "startColor", "endColor",
        "shape",  "extents", "local",     "additive", "playing"};
    CnReflectedComponent reflected;
    assert_true(cn_reflection_find(world, cn_text("ParticleEmitterComponent"), &reflected));
    for (uint32_t i = 0; i < CN_COUNT_OF(keys); i++) {
        CnReflectedMember item;
        assert_true(cn_reflection_find_field(world, &reflected, cn_text(keys[i]), &item));
        bool is_number = item.field->type == CN_FIELD_F32 || item.field->type == CN_FIELD_U32;
        assert_true(!is_number || item.reflected.maximum > 0);
    }
}

static void an_emitter_is_read_and_written_as_in_files(void **state)
{
    (void)state;
    CnError error = {0};
    CnTextBuilder first, second;
    cn_array_init(&first, NULL);
    cn_array_init(&second, NULL);
    CnEntity fire = make_emitter();
    CnParticleEmitter *emitter = cn_get_mut(world, fire, CnParticleEmitter);
    emitter->burst = 12;
    emitter->shape = CN_EMITTER_SPHERE;
    emitter->start_color.x = 4;
    assert_true(cn_scene_write_text(world, &first, NULL, &error));
    assert_true(cn_destroy(world, fire));
    CnSceneFile file;
    if (!cn_scene_read_text(world, NULL, "scene.json", (CnText){first.items, first.count}, &file,
                            &error))
        fail_msg("%s", error.message);
    assert_true(cn_scene_write_text(world, &second, NULL, &error));
    assert_int_equal(first.count, second.count);
    assert_memory_equal(first.items, second.items, first.count);
    assert_true(cn_text_append(&first, (CnText){"", 1}));
    assert_non_null(strstr(first.items, "\"shape\": \"Sphere\""));
    cn_scene_file_free(&file);
    cn_array_fini(&first);
    cn_array_fini(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EMITTER_TEST(a_new_emitter_plays_and_fades_out),
        EMITTER_TEST(an_emitter_is_extracted_where_it_is_in_the_world),
        EMITTER_TEST(the_style_has_the_values_of_the_component),
        EMITTER_TEST(an_emitter_that_does_not_play_is_left_out),
        EMITTER_TEST(a_local_emitter_that_does_not_play_moves_its_particles),
        EMITTER_TEST(an_inactive_emitter_is_left_out),
        EMITTER_TEST(fields_have_names_and_ranges),
        EMITTER_TEST(an_emitter_is_read_and_written_as_in_files),
    };
    return cmocka_run_group_tests_name("particle emitters", tests, NULL, NULL);
}
