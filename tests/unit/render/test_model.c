/* Models in the renderer: shapes, files, parts of files, and the cache. */
#include "render_fixture.h"
#include "scratch.h"

#include "render/asset/model_file.h"

#include <cairn/base/bytes.h>

static RenderFixture fixture;
static Scratch scratch;
static CnCache *cache;

static int make(void **state)
{
    (void)state;
    scratch_init(&scratch);
    cache = cn_cache_create(&(CnCacheDesc){.folder = scratch_path(&scratch, "cache")}, NULL);
    assert_non_null(cache);
    return render_fixture_init_with(&fixture, RENDER_NULL,
                                    &(CnRendererDesc){.files = cn_native_files(), .cache = cache})
               ? 0
               : -1;
}

static int drop(void **state)
{
    (void)state;
    render_fixture_fini(&fixture);
    cn_cache_destroy(cache);
    scratch_fini(&scratch);
    return 0;
}

#define MODEL_TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)

static CnModel load(const char *path)
{
    CnModel model = cn_model_load(fixture.renderer, path, &fixture.error);
    if (!model.id)
        fail_msg("%s", fixture.error.message);
    return model;
}

static void a_file_is_loaded_once(void **state)
{
    (void)state;
    CnModel box = load("scenes/models/box.gltf");
    assert_int_equal(load("scenes/models/box.gltf").id, box.id);
}

static void a_model_has_its_parts_with_materials(void **state)
{
    (void)state;
    CnModelInfo info = cn_model_info(fixture.renderer, load("scenes/models/crate.obj"));
    assert_int_equal(info.part_count, 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_true(info.parts[i].mesh.id && info.parts[i].material.id);
    assert_true(info.maximum.y > 0.9f && info.minimum.y < 0.1f);
}

static void a_model_says_joints_and_clips(void **state)
{
    (void)state;
    CnModel column = load("scenes/models/column.glb");
    CnModelInfo info = cn_model_info(fixture.renderer, column);
    const char *name;
    float seconds;
    assert_int_equal(info.joint_count, 5);
    assert_int_equal(info.clip_count, 2);
    assert_true(cn_model_clip(fixture.renderer, column, 1, &name, &seconds));
    assert_string_equal(name, "Wave");
    assert_true(seconds == 2);
    assert_false(cn_model_clip(fixture.renderer, column, 2, &name, &seconds));
}

static void a_part_is_found_by_its_name(void **state)
{
    (void)state;
    CnModel frame = load("scenes/models/crate.obj#Frame");
    assert_int_equal(cn_model_info(fixture.renderer, frame).part_count, 1);
}

static void a_part_outlives_the_whole(void **state)
{
    (void)state;
    CnModel frame = load("scenes/models/crate.obj#Frame");
    cn_model_destroy(fixture.renderer, load("scenes/models/crate.obj"));
    CnModelInfo info = cn_model_info(fixture.renderer, frame);
    assert_true(cn_mesh_info(fixture.renderer, info.parts[0].mesh).vertex_count > 0);
}

static void what_a_model_is_made_of_goes_with_it(void **state)
{
    (void)state;
    CnRendererStats before = cn_renderer_stats(fixture.renderer);
    cn_model_destroy(fixture.renderer, load("scenes/models/lighthouse.glb"));
    CnRendererStats after = cn_renderer_stats(fixture.renderer);
    assert_int_equal(before.meshes, after.meshes);
    assert_int_equal(before.materials, after.materials);
    assert_int_equal(before.textures, after.textures);
}

static void a_part_that_is_not_there_is_refused(void **state)
{
    (void)state;
    assert_int_equal(
        cn_model_load(fixture.renderer, "scenes/models/crate.obj#Lid", &fixture.error).id, 0);
    assert_int_equal(fixture.error.code, CN_ERROR_NOT_FOUND);
}

static void a_file_that_is_not_there_is_refused(void **state)
{
    (void)state;
    assert_int_equal(cn_model_load(fixture.renderer, "nowhere.glb", &fixture.error).id, 0);
    assert_non_null(strstr(fixture.error.message, "nowhere.glb"));
}

/* ---- Values of items ---- */

static float turned_by(uint32_t previous, uint32_t current, float alpha)
{
    CnModel column = load("scenes/models/column.glb");
    const CniRenderModel *model = cn_slot_table_get(&fixture.renderer->models, column.id);
    CnAffine joints[5];
    const CniRenderAnimation animation = {.previous = previous, .current = current};
    cni_render_model_pose_between(model, &animation, alpha, joints);
    return cn_atan2f(joints[4].m[0][1], joints[4].m[0][0]) * 180 / CN_PIF;
}

static bool is_near(float a, float b)
{
    return a - b < 0.01f && b - a < 0.01f;
}

static float turned_in_transition(float weight)
{
    CnModel column = load("scenes/models/column.glb");
    const CniRenderModel *model = cn_slot_table_get(&fixture.renderer->models, column.id);
    uint32_t from = cn_animation_value(0, 0.25), to = cn_animation_value(0, 0.75);
    const CniRenderAnimation animation = {to, to, from, from, weight};
    CnAffine joints[5];
    cni_render_model_pose_between(model, &animation, 1, joints);
    return cn_atan2f(joints[4].m[0][1], joints[4].m[0][0]) * 180 / CN_PIF;
}

static void a_transition_is_between_two_poses(void **state)
{
    (void)state;
    assert_true(is_near(turned_in_transition(0), 66));
    assert_true(is_near(turned_in_transition(0.5f), 44));
    assert_true(is_near(turned_in_transition(1), 22));
}

static void time_is_interpolated_within_a_clip(void **state)
{
    (void)state;
    uint32_t a = cn_animation_value(0, 0.5), b = cn_animation_value(0, 0.75);
    assert_true(is_near(turned_by(a, b, 1), 66));
    assert_true(is_near(turned_by(a, b, 0), 44));
    assert_true(is_near(turned_by(a, b, 0.5f), 55));
}

static void another_clip_begins_where_it_is(void **state)
{
    (void)state;
    uint32_t a = cn_animation_value(1, 0.5), b = cn_animation_value(0, 0.75);
    assert_true(is_near(turned_by(a, b, 0.5f), 66));
}

static void time_is_interpolated_over_its_wrap(void **state)
{
    (void)state;
    uint32_t a = cn_animation_value(0, CN_ANIMATION_WRAP - 0.25), b = cn_animation_value(0, 0.25);
    assert_true(is_near(turned_by(a, b, 0.5f), 0));
}

/* What a frame has sent for the joint at the column's end. */
static float drawn_turn(float alpha)
{
    CnRenderSnapshot before = fixture.snapshot;
    CnRenderItem item = fixture.items[0];
    before.tick = fixture.snapshot.tick - 1;
    before.items = &item;
    item.value = cn_animation_value(0, 0.5);
    fixture.items[0].value = cn_animation_value(0, 0.75);
    fixture.frame_desc.previous = &before;
    fixture.frame_desc.alpha = alpha;
    assert_true(cn_renderer_draw(fixture.renderer, &fixture.frame_desc, &fixture.error));
    fixture.frame_desc.previous = NULL;
    const CnAffine *joints = fixture.renderer->frame.joint_data.data;
    return cn_atan2f(joints[4].m[0][1], joints[4].m[0][0]) * 180 / CN_PIF;
}

static void items_are_drawn_between_snapshots(void **state)
{
    (void)state;
    CnRenderItem *item =
        render_fixture_item(&fixture, "scenes/models/column.glb", NULL, cn_vec3(0, 0, 0), 1);
    item->entity = (CnEntity){1};
    assert_true(is_near(drawn_turn(0.5f), 55));
    assert_true(is_near(drawn_turn(1), 66));
}

static void steady_frames_with_clips_make_no_heap_call(void **state)
{
    (void)state;
    CnRenderItem *item =
        render_fixture_item(&fixture, "scenes/models/column.glb", NULL, cn_vec3(0, 0, 0), 1);
    uint64_t calls = 0;
    for (uint32_t i = 0; i < 40; i++) {
        item->value = cn_animation_value(1, i * 0.1);
        fixture.snapshot.tick++;
        assert_true(cn_renderer_draw(fixture.renderer, &fixture.frame_desc, &fixture.error));
        if (i == 20)
            calls = cn_heap_stats(fixture.heap).calls;
    }
    assert_int_equal(cn_heap_stats(fixture.heap).calls, calls);
}

/* ---- The cache ---- */

/* The number of entries; the key is none. */
static size_t cached(void)
{
    Scratch folder;
    cn_copy_text(folder.folder, sizeof folder.folder, cn_text(scratch_path(&scratch, "cache")));
    return scratch_count(&folder) - 1;
}

static const char *copy_box(void)
{
    static const char *const names[] = {"box.gltf", "box.bin", "box.png"};
    for (uint32_t i = 0; i < 3; i++) {
        char from[64];
        CnFileBytes bytes;
        cn_format(from, sizeof from, "scenes/models/%s", names[i]);
        assert_true(cn_file_read_all(cn_native_files(), from, NULL, &bytes, &fixture.error));
        assert_true(cn_file_write_all(cn_native_files(), scratch_path(&scratch, names[i]),
                                      bytes.data, bytes.size, &fixture.error));
        cn_file_bytes_free(&bytes);
    }
    return scratch_path(&scratch, "box.gltf");
}

/* Reads the model as the renderer does; the x of its first vertex. */
static float read_first_x(const char *path)
{
    CniRenderModelData data;
    cni_render_model_data_init(&data, cn_renderer_allocator(fixture.renderer));
    const CnBudget *budget;
    assert_true(cni_render_model_read(fixture.renderer, path, &data, &budget, &fixture.error));
    float x = data.vertices.items[0].position.x;
    cni_render_model_data_fini(&data);
    return x;
}

static bool find_entry(const char *name, bool is_directory, void *user)
{
    (void)is_directory;
    if (strcmp(name, "key") != 0)
        cn_copy_text(user, CN_CACHE_NAME_BYTES, cn_text(name));
    return true;
}

/* Writes another number where the first vertex is, with or without the right checksum. */
static void change_cache(bool with_checksum)
{
    CnFileBytes bytes;
    char name[CN_CACHE_NAME_BYTES] = "";
    assert_true(cn_native_files()->list(cn_native_files(), scratch_path(&scratch, "cache"),
                                        find_entry, name, &fixture.error));
    assert_true(cn_cache_read(cache, name, NULL, &bytes));
    size_t at = 20; /* texts, sources, vertices: each a count and so many */
    at += 4 + cn_load_u32(bytes.data + at);
    at += 4 + cn_load_u32(bytes.data + at) * sizeof(CniRenderModelSource) + 4;
    float x;
    memcpy(&x, bytes.data + at, 4);
    x *= 3;
    memcpy(bytes.data + at, &x, 4);
    if (with_checksum) {
        uint64_t hash = cn_hash_bytes(bytes.data + 20, bytes.size - 20, CNI_RENDER_BAKED_VERSION);
        memcpy(bytes.data + 12, &hash, sizeof hash);
    }
    assert_true(cn_cache_write(cache, name, bytes.data, bytes.size, &fixture.error));
    cn_file_bytes_free(&bytes);
}

static void a_model_is_kept_and_read_from_the_cache(void **state)
{
    (void)state;
    const char *path = copy_box();
    float x = read_first_x(path);
    assert_int_equal(cached(), 1);
    change_cache(true);
    assert_true(read_first_x(path) == x * 3);
}

static void a_cache_that_is_damaged_is_made_again(void **state)
{
    (void)state;
    const char *path = copy_box();
    float x = read_first_x(path);
    change_cache(false);
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_true(read_first_x(path) == x);
    assert_int_equal(cached(), 1);
    assert_true(read_first_x(path) == x);
}

static void a_cache_is_made_again_when_another_file_has_changed(void **state)
{
    (void)state;
    const char *path = copy_box();
    read_first_x(path);
    CnFileBytes bytes;
    const char *bin = scratch_path(&scratch, "box.bin");
    assert_true(cn_file_read_all(cn_native_files(), bin, NULL, &bytes, &fixture.error));
    memcpy(bytes.data, &(float){0.25f}, 4);
    assert_true(cn_file_write_all(cn_native_files(), bin, bytes.data, bytes.size, &fixture.error));
    cn_file_bytes_free(&bytes);
    CniRenderModelData data;
    cni_render_model_data_init(&data, cn_renderer_allocator(fixture.renderer));
    const CnBudget *budget;
    assert_true(cni_render_model_read(fixture.renderer, path, &data, &budget, &fixture.error));
    bool found = false;
    for (uint32_t i = 0; i < data.vertices.count; i++)
        found |= data.vertices.items[i].position.x == 0.25f;
    assert_true(found);
    cni_render_model_data_fini(&data);
}

static void the_cached_form_is_the_same_each_time(void **state)
{
    (void)state;
    CnU8Array baked[2];
    for (uint32_t i = 0; i < 2; i++) {
        CniRenderModelData data;
        cni_render_model_data_init(&data, NULL);
        cn_array_init(&baked[i], NULL);
        CnFileBytes bytes;
        assert_true(cn_file_read_all(cn_native_files(), "scenes/models/lighthouse.glb", NULL,
                                     &bytes, &fixture.error));
        assert_true(cni_render_model_import(cn_native_files(), "scenes/models/lighthouse.glb", NULL,
                                            bytes, &data, &fixture.error));
        assert_true(cni_render_model_write_baked(&data, &baked[i]));
        cn_file_bytes_free(&bytes);
        cni_render_model_data_fini(&data);
    }
    assert_int_equal(baked[0].count, baked[1].count);
    assert_memory_equal(baked[0].items, baked[1].items, baked[0].count);
    cn_array_fini(&baked[0]);
    cn_array_fini(&baked[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        MODEL_TEST(a_file_is_loaded_once),
        MODEL_TEST(a_model_has_its_parts_with_materials),
        MODEL_TEST(a_model_says_joints_and_clips),
        MODEL_TEST(a_part_is_found_by_its_name),
        MODEL_TEST(a_part_outlives_the_whole),
        MODEL_TEST(what_a_model_is_made_of_goes_with_it),
        MODEL_TEST(a_part_that_is_not_there_is_refused),
        MODEL_TEST(a_file_that_is_not_there_is_refused),
        MODEL_TEST(time_is_interpolated_within_a_clip),
        MODEL_TEST(a_transition_is_between_two_poses),
        MODEL_TEST(another_clip_begins_where_it_is),
        MODEL_TEST(time_is_interpolated_over_its_wrap),
        MODEL_TEST(items_are_drawn_between_snapshots),
        MODEL_TEST(steady_frames_with_clips_make_no_heap_call),
        MODEL_TEST(a_model_is_kept_and_read_from_the_cache),
        MODEL_TEST(a_cache_that_is_damaged_is_made_again),
        MODEL_TEST(a_cache_is_made_again_when_another_file_has_changed),
        MODEL_TEST(the_cached_form_is_the_same_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
