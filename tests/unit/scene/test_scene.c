/* Scenes: a registry of worlds, of which one runs. */
#include "cmocka_tests.h"
#include "memory_files.h"
#include "scratch.h"

#include <cairn/scene/scene.h>
#include <cairn/sim/replay.h>

#include <string.h>

CN_COMPONENT(SceneCount, (u64, ticks));
CN_COMPONENT(SceneLate, (u32, value));

static CnHeap *heap;
static CnScenes *scenes;
static CnError error;

/* What the counting plugin does: in tick `at` of scene `in`, goes to scene `to`. */
static struct {
    const char *in, *to;
    uint64_t at;
    uint32_t frames;
} jump;

static void count_ticks(CnSystemContext *context)
{
    SceneCount *count = cn_resource_mut(context->world, SceneCount);
    const char *name = cn_scene_name(cn_scene_of(context->world));
    count->ticks++;
    if (jump.in && !strcmp(name, jump.in) && count->ticks == jump.at)
        assert_true(cn_scene_goto(context->world, jump.to, NULL));
}

static void count_frames(CnSystemContext *context)
{
    (void)context;
    jump.frames++;
}

static bool build_counting(CnSim *sim, void *user, CnError *out)
{
    CnWorld *world = cn_sim_world(sim);
    (void)user;
    assert_non_null(cn_scene_of(world));
    return cn_resource_set(world, SceneCount, {0}) &&
           cn_system_add(
               world,
               &(CnSystemDesc){.name = "count", .run = count_ticks, .stage = CN_STAGE_UPDATE}, out)
               .id &&
           cn_system_add(
               world,
               &(CnSystemDesc){.name = "frames", .run = count_frames, .stage = CN_STAGE_FRAME}, out)
               .id;
}

static bool refuse(CnSim *sim, void *user, CnError *out)
{
    (void)sim, (void)user;
    return cn_error_set(out, CN_ERROR_UNSUPPORTED, "not here");
}

static int make_scenes(void **state)
{
    (void)state;
    error = (CnError){0};
    memset(&jump, 0, sizeof jump);
    heap = cn_heap_create(NULL, NULL);
    CnPlugin plugin = {.name = "Counting", .needs = {"Scene"}, .build = build_counting};
    scenes = cn_scenes_create(&(CnScenesDesc){.allocator = cn_heap_tag(heap, "scenes"),
                                              .tick_hz = 10,
                                              .seed = 5,
                                              .plugins = &plugin,
                                              .plugin_count = 1},
                              &error);
    return scenes ? 0 : -1;
}

static int drop_scenes(void **state)
{
    (void)state;
    cn_scenes_destroy(scenes);
    int leaked = cn_heap_stats(heap).live_blocks != 0;
    cn_heap_destroy(heap);
    return leaked;
}

static CnScene *make(const char *name)
{
    CnScene *scene = cn_scene_create(scenes, &(CnSceneDesc){.name = name}, &error);
    assert_non_null(scene);
    return scene;
}

static uint64_t ticks_of(const char *name)
{
    return cn_resource(cn_scene_world(cn_scenes_find(scenes, name)), SceneCount)->ticks;
}

static void a_scene_is_found_by_its_name(void **state)
{
    (void)state;
    CnScene *menu = make("Menu"), *level = make("Level");
    assert_ptr_equal(cn_scenes_find(scenes, "Level"), level);
    assert_ptr_equal(cn_scenes_find(scenes, "Menu"), menu);
    assert_null(cn_scenes_find(scenes, "Men"));
    assert_string_equal(cn_scene_name(level), "Level");
    assert_int_equal(cn_scenes_count(scenes), 2);
    assert_ptr_equal(cn_scenes_at(scenes, 1), level);
    assert_null(cn_scenes_at(scenes, 2));
}

static void the_first_one_becomes_active(void **state)
{
    (void)state;
    assert_null(cn_scenes_active(scenes));
    CnScene *menu = make("Menu");
    make("Level");
    assert_ptr_equal(cn_scenes_active(scenes), menu);
}

static void a_name_is_taken_once(void **state)
{
    (void)state;
    make("Menu");
    assert_null(cn_scene_create(scenes, &(CnSceneDesc){.name = "Menu"}, &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
    assert_int_equal(cn_scenes_count(scenes), 1);
}

static void names_that_are_empty_or_too_long_are_refused(void **state)
{
    (void)state;
    char longest[CN_SCENE_NAME_BYTES + 1];
    memset(longest, 'x', sizeof longest);
    longest[CN_SCENE_NAME_BYTES] = '\0';
    assert_null(cn_scene_create(scenes, &(CnSceneDesc){.name = ""}, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_null(cn_scene_create(scenes, &(CnSceneDesc){.name = longest}, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    longest[CN_SCENE_NAME_BYTES - 1] = '\0';
    make(longest);
}

static void a_world_knows_its_scene(void **state)
{
    (void)state;
    CnScene *menu = make("Menu");
    CnWorld *bare = cn_world_create(NULL, NULL);
    assert_ptr_equal(cn_scene_of(cn_scene_world(menu)), menu);
    assert_null(cn_scene_of(bare));
    assert_false(cn_scene_goto(bare, "Menu", &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    cn_world_destroy(bare);
}

static void a_scene_has_objects_and_the_plugins(void **state)
{
    (void)state;
    CnScene *menu = make("Menu");
    assert_true(cn_sim_has_plugin(cn_scene_sim(menu), "Scene"));
    assert_true(cn_sim_has_plugin(cn_scene_sim(menu), "Counting"));
    assert_true(cn_object(cn_scene_world(menu), "Box").id != 0);
}

static void a_plugin_that_fails_leaves_no_scene(void **state)
{
    (void)state;
    CnPlugin plugin = {.name = "Refusing", .build = refuse};
    CnScenes *others =
        cn_scenes_create(&(CnScenesDesc){.plugins = &plugin, .plugin_count = 1}, &error);
    assert_null(cn_scene_create(others, &(CnSceneDesc){.name = "Menu"}, &error));
    assert_int_equal(error.code, CN_ERROR_UNSUPPORTED);
    assert_int_equal(cn_scenes_count(others), 0);
    assert_null(cn_scenes_active(others));
    cn_scenes_destroy(others);
}

static bool prepare(CnSim *sim, void *user, CnError *out)
{
    assert_true(cn_sim_has_plugin(sim, "Counting"));
    return ++*(uint32_t *)user < 3 || cn_error_set(out, CN_ERROR_UNSUPPORTED, "not here");
}

static void each_scene_is_prepared_after_the_plugins(void **state)
{
    (void)state;
    uint32_t prepared = 0;
    CnPlugin plugin = {.name = "Counting", .build = build_counting};
    CnScenes *others = cn_scenes_create(
        &(CnScenesDesc){
            .plugins = &plugin, .plugin_count = 1, .prepare = prepare, .user = &prepared},
        &error);
    assert_non_null(cn_scene_create(others, &(CnSceneDesc){.name = "A"}, &error));
    assert_non_null(cn_scene_create(others, &(CnSceneDesc){.name = "B"}, &error));
    assert_null(cn_scene_create(others, &(CnSceneDesc){.name = "C"}, &error));
    assert_int_equal(error.code, CN_ERROR_UNSUPPORTED);
    assert_int_equal(prepared, 3);
    assert_int_equal(cn_scenes_count(others), 2);
    cn_scenes_destroy(others);
}

static void only_the_active_scene_ticks(void **state)
{
    (void)state;
    make("Menu");
    make("Level");
    assert_true(cn_scenes_tick_n(scenes, 3, &error));
    assert_int_equal(ticks_of("Menu"), 3);
    assert_int_equal(ticks_of("Level"), 0);
}

static void without_a_scene_time_passes_idly(void **state)
{
    (void)state;
    assert_true(cn_scenes_frame(scenes, 1.0, &error));
    assert_true(cn_scenes_tick_n(scenes, 100, &error));
}

static void a_switch_between_ticks_is_at_once(void **state)
{
    (void)state;
    make("Menu");
    CnScene *level = make("Level");
    assert_true(cn_scenes_switch(scenes, "Level", &error));
    assert_ptr_equal(cn_scenes_active(scenes), level);
}

static void a_switch_to_nowhere_changes_nothing(void **state)
{
    (void)state;
    CnScene *menu = make("Menu");
    assert_false(cn_scenes_switch(scenes, "Level", &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_ptr_equal(cn_scenes_active(scenes), menu);
}

static void a_switch_in_a_tick_waits_for_its_end(void **state)
{
    (void)state;
    make("Menu");
    make("Level");
    jump.in = "Menu", jump.to = "Level", jump.at = 2;
    assert_true(cn_scenes_tick_n(scenes, 5, &error));
    assert_int_equal(ticks_of("Menu"), 2);
    assert_int_equal(ticks_of("Level"), 3);
    assert_string_equal(cn_scene_name(cn_scenes_active(scenes)), "Level");
}

static void after_a_switch_no_tick_of_the_old_scene_runs_in_the_frame(void **state)
{
    (void)state;
    make("Menu");
    make("Level");
    jump.in = "Menu", jump.to = "Level", jump.at = 2;
    assert_true(cn_scenes_frame(scenes, 0.55, &error));
    assert_int_equal(ticks_of("Menu"), 2);
    assert_int_equal(ticks_of("Level"), 0);
    assert_int_equal(jump.frames, 1);
    assert_true(cn_scenes_frame(scenes, 0.35, &error));
    assert_int_equal(ticks_of("Level"), 3);
}

static void a_switch_to_itself_runs_on(void **state)
{
    (void)state;
    make("Menu");
    jump.in = "Menu", jump.to = "Menu", jump.at = 2;
    assert_true(cn_scenes_frame(scenes, 0.45, &error));
    assert_int_equal(ticks_of("Menu"), 4);
}

static void destroying_the_active_scene_leaves_none(void **state)
{
    (void)state;
    CnScene *menu = make("Menu");
    CnScene *level = make("Level");
    cn_scene_destroy(menu);
    assert_null(cn_scenes_active(scenes));
    assert_ptr_equal(cn_scenes_at(scenes, 0), level);
    assert_true(cn_scenes_frame(scenes, 1, &error));
    CnScene *late = make("Late");
    assert_ptr_equal(cn_scenes_active(scenes), late);
}

static void destroying_another_scene_keeps_the_active_one(void **state)
{
    (void)state;
    CnScene *menu = make("Menu");
    cn_scene_destroy(make("Level"));
    assert_ptr_equal(cn_scenes_active(scenes), menu);
    cn_scene_destroy(NULL);
}

static void seeds_follow_from_registry_and_name(void **state)
{
    (void)state;
    uint64_t menu = cn_sim_seed(cn_scene_sim(make("Menu")));
    uint64_t level = cn_sim_seed(cn_scene_sim(make("Level")));
    assert_true(menu != level);
    CnScenes *others = cn_scenes_create(&(CnScenesDesc){.seed = 5}, &error);
    CnScenes *unlike = cn_scenes_create(&(CnScenesDesc){.seed = 6}, &error);
    assert_true(cn_sim_seed(cn_scene_sim(
                    cn_scene_create(others, &(CnSceneDesc){.name = "Menu"}, &error))) == menu);
    assert_true(cn_sim_seed(cn_scene_sim(
                    cn_scene_create(unlike, &(CnSceneDesc){.name = "Menu"}, &error))) != menu);
    cn_scenes_destroy(others);
    cn_scenes_destroy(unlike);
}

static void a_scene_may_have_its_own_seed_and_rate(void **state)
{
    (void)state;
    CnScene *scene = cn_scene_create(
        scenes, &(CnSceneDesc){.name = "Saved", .has_seed = true, .seed = 0, .tick_hz = 30},
        &error);
    assert_int_equal(cn_sim_seed(cn_scene_sim(scene)), 0);
    assert_int_equal(cn_sim_clock(cn_scene_sim(scene))->tick_hz, 30);
}

/* ---- Input ---- */

static const CnInputState *input_of(const char *name)
{
    return cn_resource(cn_scene_world(cn_scenes_find(scenes, name)), CnInputState);
}

static void press_in_active(bool pressed)
{
    assert_true(
        cn_input_key(cn_sim_input(cn_scene_sim(cn_scenes_active(scenes))), CN_KEY_W, pressed));
}

/* Makes Menu and Level, holds W in Menu, lets it go in Level and comes back. */
static void hold_and_let_go_elsewhere(void)
{
    make("Menu");
    make("Level");
    press_in_active(true);
    assert_true(cn_scenes_tick_n(scenes, 1, &error));
    assert_true(cn_key_held(input_of("Menu"), CN_KEY_W));
    assert_true(cn_scenes_switch(scenes, "Level", &error));
    press_in_active(false);
    assert_true(cn_scenes_tick_n(scenes, 1, &error));
    assert_true(cn_scenes_switch(scenes, "Menu", &error));
}

static void what_is_held_in_a_scene_that_is_left_is_released(void **state)
{
    (void)state;
    hold_and_let_go_elsewhere();
    assert_true(cn_scenes_tick_n(scenes, 1, &error));
    assert_false(cn_key_held(input_of("Menu"), CN_KEY_W));
    assert_true(cn_key_released(input_of("Menu"), CN_KEY_W));
}

static void a_key_that_is_pressed_after_coming_back_is_held(void **state)
{
    (void)state;
    hold_and_let_go_elsewhere();
    press_in_active(true);
    assert_true(cn_scenes_tick_n(scenes, 1, &error));
    assert_true(cn_key_held(input_of("Menu"), CN_KEY_W));
}

static void a_key_that_no_tick_saw_before_leaving_is_released(void **state)
{
    (void)state;
    make("Menu");
    make("Level");
    press_in_active(true);
    assert_true(cn_scenes_switch(scenes, "Level", &error));
    assert_true(cn_scenes_switch(scenes, "Menu", &error));
    assert_true(cn_scenes_tick_n(scenes, 1, &error));
    assert_true(cn_key_pressed(input_of("Menu"), CN_KEY_W));
    assert_false(cn_key_held(input_of("Menu"), CN_KEY_W));
}

static void the_scene_that_is_entered_has_the_focus(void **state)
{
    (void)state;
    make("Menu");
    make("Level");
    jump.in = "Menu", jump.to = "Level", jump.at = 2;
    assert_true(cn_scenes_tick_n(scenes, 3, &error));
    assert_true(input_of("Level")->focused);
    assert_true(cn_scenes_switch(scenes, "Menu", &error));
    assert_true(cn_scenes_tick_n(scenes, 1, &error));
    assert_true(input_of("Menu")->focused);
}

static void a_switch_to_itself_releases_nothing(void **state)
{
    (void)state;
    make("Menu");
    press_in_active(true);
    assert_true(cn_scenes_tick_n(scenes, 1, &error));
    assert_true(cn_scenes_switch(scenes, "Menu", &error));
    assert_true(cn_scenes_tick_n(scenes, 1, &error));
    assert_true(cn_key_held(input_of("Menu"), CN_KEY_W));
}

/* Menu is left in its tick 2 and entered again: its recording knows of that by its input alone. */
static void a_recording_has_the_focus_that_a_switch_moves(void **state)
{
    (void)state;
    CnSim *menu = cn_scene_sim(make("Menu"));
    make("Level");
    CnRecorder *recorder = cn_recorder_create(menu, NULL, &error);
    assert_non_null(recorder);
    press_in_active(true);
    jump.in = "Menu", jump.to = "Level", jump.at = 2;
    assert_true(cn_scenes_tick_n(scenes, 4, &error));
    assert_true(cn_scenes_switch(scenes, "Menu", &error));
    assert_true(cn_scenes_tick_n(scenes, 3, &error));
    assert_false(cn_key_held(input_of("Menu"), CN_KEY_W));
    size_t size;
    const uint8_t *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, &error);
    assert_non_null(replay);
    uint64_t hash = cn_sim_hash(menu);
    assert_true(cn_recorder_finish(recorder, &error));
    cn_recorder_destroy(recorder);

    CnReplayDifference difference = {0};
    assert_true(cn_replay_seek(replay, menu, 0, &error));
    assert_true(cn_replay_run(replay, menu, UINT64_MAX, &difference, &error));
    assert_false(difference.found);
    assert_int_equal(cn_sim_tick(menu), 5);
    assert_true(cn_sim_hash(menu) == hash);
    cn_replay_close(replay);
}

/* ---- Files ---- */

static CnScene *load(const char *text)
{
    MemoryFiles memory;
    memory_files_init(&memory);
    memory_files_set(&memory, "level.json", text);
    return cn_scene_load(scenes, &memory.files, "level.json", &error);
}

static void a_loaded_scene_is_named_by_its_id(void **state)
{
    (void)state;
    CnScene *level = load("{\"id\": \"Level\", \"nodes\": [{\"id\": \"Box\"}],"
                          " \"materials\": [1, 2]}");
    assert_non_null(level);
    assert_ptr_equal(cn_scenes_find(scenes, "Level"), level);
    assert_ptr_equal(cn_scenes_active(scenes), level);
    assert_true(cn_object_find(cn_scene_world(level), "Box").id != 0);
    assert_string_equal(cn_scene_file(level)->id, "Level");
    assert_string_equal(cn_scene_file(level)->materials, "[1, 2]");
}

static void a_loaded_scene_has_the_seed_of_its_name(void **state)
{
    (void)state;
    uint64_t seed = cn_sim_seed(cn_scene_sim(make("Level")));
    cn_scene_destroy(cn_scenes_find(scenes, "Level"));
    assert_true(cn_sim_seed(cn_scene_sim(load("{\"id\": \"Level\", \"nodes\": []}"))) == seed);
}

static void assert_not_loaded(const char *text, CnErrorCode code)
{
    uint32_t before = cn_scenes_count(scenes);
    assert_null(load(text));
    assert_int_equal(error.code, code);
    assert_int_equal(cn_scenes_count(scenes), before);
}

static void a_file_with_an_error_leaves_no_scene(void **state)
{
    (void)state;
    make("Menu");
    assert_not_loaded("{\"id\": \"Level\", \"nodes\": [{\"id\": \"a/b\"}]}", CN_ERROR_FORMAT);
    assert_not_loaded("{\"id\": \"Level\", \"nodes\": [", CN_ERROR_FORMAT);
    assert_not_loaded("{\"nodes\": []}", CN_ERROR_FORMAT);
    assert_not_loaded("{\"id\": \"\", \"nodes\": []}", CN_ERROR_FORMAT);
    assert_not_loaded("{\"id\": 7, \"nodes\": []}", CN_ERROR_FORMAT);
    assert_not_loaded("{\"id\": \"Menu\", \"nodes\": []}", CN_ERROR_EXISTS);
    assert_null(cn_scene_load(scenes, cn_native_files(), "no such file", &error));
    assert_int_equal(cn_scenes_count(scenes), 1);
}

static void a_saved_scene_is_loaded_as_the_same(void **state)
{
    (void)state;
    Scratch scratch;
    scratch_init(&scratch);
    const char *path = scratch_path(&scratch, "level.json");
    CnScene *level = load("{\"id\": \"Level\", \"nodes\": [{\"id\": \"Box\"}],"
                          " \"pipelines\": {\"a\": 1}}");
    assert_true(cn_scene_save(level, cn_native_files(), path, &error));
    uint64_t hash = cn_sim_hash(cn_scene_sim(level));
    uint64_t uid =
        cn_object_uid(cn_scene_world(level), cn_object_find(cn_scene_world(level), "Box"));
    cn_scene_destroy(level);
    level = cn_scene_load(scenes, cn_native_files(), path, &error);
    assert_non_null(level);
    assert_true(cn_sim_hash(cn_scene_sim(level)) == hash);
    assert_true(cn_object_by_uid(cn_scene_world(level), uid).id != 0);
    assert_string_equal(cn_scene_file(level)->pipelines, "{\"a\": 1}");
    scratch_fini(&scratch);
}

static void a_scene_without_a_file_is_saved_under_its_name(void **state)
{
    (void)state;
    Scratch scratch;
    scratch_init(&scratch);
    const char *path = scratch_path(&scratch, "menu.json");
    CnScene *menu = make("Menu");
    cn_object(cn_scene_world(menu), "Button");
    assert_true(cn_scene_save(menu, cn_native_files(), path, &error));
    cn_scene_destroy(menu);
    menu = cn_scene_load(scenes, cn_native_files(), path, &error);
    assert_non_null(menu);
    assert_string_equal(cn_scene_name(menu), "Menu");
    assert_true(cn_object_find(cn_scene_world(menu), "Button").id != 0);
    scratch_fini(&scratch);
}

static bool prepare_late(CnSim *sim, void *user, CnError *out)
{
    if (!*(bool *)user)
        return cn_error_set(out, CN_ERROR_UNSUPPORTED, "not now");
    return cn_component_register(cn_sim_world(sim), &(CnComponentDesc){.type = &cn_type_SceneLate},
                                 out)
               .id != 0;
}

static void what_prepare_registers_is_known_to_the_file(void **state)
{
    (void)state;
    bool allowed = true;
    MemoryFiles memory;
    memory_files_init(&memory);
    memory_files_set(&memory, "level.json",
                     "{\"id\": \"Level\", \"nodes\": [{\"id\": \"Box\", \"components\": "
                     "[{\"type\": \"SceneLate\", \"value\": 7}]}]}");
    CnScenes *others =
        cn_scenes_create(&(CnScenesDesc){.prepare = prepare_late, .user = &allowed}, &error);
    CnScene *level = cn_scene_load(others, &memory.files, "level.json", &error);
    assert_non_null(level);
    CnWorld *world = cn_scene_world(level);
    assert_int_equal(cn_get(world, cn_object_find(world, "Box"), SceneLate)->value, 7);
    allowed = false;
    assert_null(cn_scene_create(others, &(CnSceneDesc){.name = "Menu"}, &error));
    assert_int_equal(error.code, CN_ERROR_UNSUPPORTED);
    cn_scenes_destroy(others);
}

static void without_a_file_there_is_nothing_beside_nodes(void **state)
{
    (void)state;
    const CnSceneFile *file = cn_scene_file(make("Menu"));
    assert_string_equal(file->id, "");
    assert_string_equal(file->materials, "");
    assert_string_equal(file->pipelines, "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_scenes, drop_scenes)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_scene_is_found_by_its_name),
        TEST(the_first_one_becomes_active),
        TEST(a_name_is_taken_once),
        TEST(names_that_are_empty_or_too_long_are_refused),
        TEST(a_world_knows_its_scene),
        TEST(a_scene_has_objects_and_the_plugins),
        TEST(a_plugin_that_fails_leaves_no_scene),
        TEST(each_scene_is_prepared_after_the_plugins),
        TEST(only_the_active_scene_ticks),
        TEST(without_a_scene_time_passes_idly),
        TEST(a_switch_between_ticks_is_at_once),
        TEST(a_switch_to_nowhere_changes_nothing),
        TEST(a_switch_in_a_tick_waits_for_its_end),
        TEST(after_a_switch_no_tick_of_the_old_scene_runs_in_the_frame),
        TEST(a_switch_to_itself_runs_on),
        TEST(destroying_the_active_scene_leaves_none),
        TEST(destroying_another_scene_keeps_the_active_one),
        TEST(seeds_follow_from_registry_and_name),
        TEST(a_scene_may_have_its_own_seed_and_rate),
        TEST(what_is_held_in_a_scene_that_is_left_is_released),
        TEST(a_key_that_is_pressed_after_coming_back_is_held),
        TEST(a_key_that_no_tick_saw_before_leaving_is_released),
        TEST(the_scene_that_is_entered_has_the_focus),
        TEST(a_switch_to_itself_releases_nothing),
        TEST(a_recording_has_the_focus_that_a_switch_moves),
        TEST(a_loaded_scene_is_named_by_its_id),
        TEST(a_loaded_scene_has_the_seed_of_its_name),
        TEST(a_file_with_an_error_leaves_no_scene),
        TEST(a_saved_scene_is_loaded_as_the_same),
        TEST(a_scene_without_a_file_is_saved_under_its_name),
        TEST(what_prepare_registers_is_known_to_the_file),
        TEST(without_a_file_there_is_nothing_beside_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
