/* What comes out of files of others: numbers of the models of scenes/models, and of small
 * documents. */
#include "cmocka_tests.h"
#include "memory_files.h"

#include "render/asset/model_data.h"

#include <cairn/vfs.h>

#include <math.h>

static CniRenderModelData data;
static CnError error;

static bool import(CnFileSystem *files, const char *path)
{
    CnFileBytes bytes;
    error = (CnError){0};
    cni_render_model_data_init(&data, NULL);
    assert_true(cn_file_read_all(files, path, NULL, &bytes, &error));
    bool ok = cni_render_model_import(files, path, NULL, bytes, &data, &error);
    cn_file_bytes_free(&bytes);
    return ok;
}

static void import_model(const char *path)
{
    if (!import(cn_native_files(), path))
        fail_msg("%s", error.message);
}

static int drop(void **state)
{
    (void)state;
    cni_render_model_data_fini(&data);
    return 0;
}

#define IMPORT_TEST(name) cmocka_unit_test_setup_teardown(name, NULL, drop)

static bool is_near(float a, float b)
{
    return fabsf(a - b) < 1e-4f;
}

static const CniRenderModelMaterial *material_named(const char *name)
{
    for (uint32_t i = 0; i < data.materials.count; i++)
        if (!strcmp(cni_render_model_text_at(&data, data.materials.items[i].name), name))
            return &data.materials.items[i];
    fail_msg("no material %s", name);
    return NULL;
}

/* ---- Meshes ---- */

static void a_box_has_its_corners(void **state)
{
    (void)state;
    import_model("scenes/models/box.gltf");
    assert_int_equal(data.meshes.count, 1);
    assert_int_equal(data.vertices.count, 24);
    assert_int_equal(data.indices.count, 36);
    assert_int_equal(data.parts.count, 1);
    assert_string_equal(cni_render_model_text_at(&data, data.parts.items[0].name), "Box");
    assert_true(is_near(data.parts.items[0].transform.m[1][3], 0.5f));
}

static void uv_begin_at_the_top_left(void **state)
{
    (void)state;
    import_model("scenes/models/box.gltf");
    for (uint32_t i = 0; i < data.vertices.count; i++) {
        const CnVertex *v = &data.vertices.items[i];
        if (v->normal.z > 0.5f) {
            assert_true(is_near(v->uv.x, v->position.x + 0.5f));
            assert_true(is_near(v->uv.y, 0.5f - v->position.y));
        }
    }
}

static void faces_look_outwards(void **state)
{
    (void)state;
    import_model("scenes/models/box.gltf");
    for (uint32_t i = 0; i < data.indices.count; i += 3) {
        const CnVertex *a = &data.vertices.items[data.indices.items[i]],
                       *b = &data.vertices.items[data.indices.items[i + 1]],
                       *c = &data.vertices.items[data.indices.items[i + 2]];
        CnVec3 out = cn_vec3_cross(cn_vec3_sub(b->position, a->position),
                                   cn_vec3_sub(c->position, a->position));
        assert_true(cn_vec3_dot(out, a->normal) > 0);
    }
}

static void an_obj_has_the_materials_of_its_library(void **state)
{
    (void)state;
    import_model("scenes/models/crate.obj");
    assert_int_equal(data.parts.count, 2);
    const CniRenderModelMaterial *wood = material_named("Wood"), *iron = material_named("Iron");
    assert_true(wood->textures[CN_TEXTURE_BASE_COLOR] != 0);
    assert_string_equal(
        cni_render_model_text_at(
            &data, data.textures.items[wood->textures[CN_TEXTURE_BASE_COLOR] - 1].path),
        "scenes/models/crate.png");
    assert_true(is_near(iron->base_color.x, 0.22f) && iron->roughness < 0.3f);
}

static void materials_are_as_gltf_says(void **state)
{
    (void)state;
    import_model("scenes/models/lighthouse.glb");
    const CniRenderModelMaterial *glass = material_named("Glass"),
                                 *railing = material_named("Railing");
    assert_int_equal(glass->alpha_mode, CN_ALPHA_BLEND);
    assert_true(glass->is_double_sided && is_near(glass->base_color.w, 0.25f));
    assert_int_equal(railing->alpha_mode, CN_ALPHA_MASK);
    assert_true(is_near(railing->alpha_cutoff, 0.5f));
    assert_true(is_near(material_named("Lamp")->emissive.y, 0.82f * 8));
    assert_true(material_named("Copper")->metallic == 1);
}

static void textures_inside_of_a_file_are_colors_or_numbers(void **state)
{
    (void)state;
    import_model("scenes/models/lighthouse.glb");
    const CniRenderModelMaterial *tower = material_named("Tower"), *metal = material_named("Metal");
    assert_false(data.textures.items[tower->textures[CN_TEXTURE_BASE_COLOR] - 1].is_linear);
    assert_true(data.textures.items[tower->textures[CN_TEXTURE_NORMAL] - 1].is_linear);
    const CniRenderModelTexture *wear =
        &data.textures.items[metal->textures[CN_TEXTURE_METALLIC_ROUGHNESS] - 1];
    assert_true(wear->is_linear);
    assert_memory_equal(data.bytes.items + wear->first_byte, "\x89PNG", 4);
}

static void other_files_are_remembered(void **state)
{
    (void)state;
    import_model("scenes/models/box.gltf");
    assert_int_equal(data.sources.count, 1);
    assert_string_equal(cni_render_model_text_at(&data, data.sources.items[0].path),
                        "scenes/models/box.bin");
}

/* ---- Joints and clips ---- */

static void pose(uint32_t clip, float seconds, CnAffine *joints)
{
    static CnAffine globals[64];
    assert_true(data.nodes.count <= CN_COUNT_OF(globals));
    cni_render_model_sample(&data, &(CniRenderModelPose){.clip = clip, .seconds = seconds}, globals,
                            joints);
}

static void a_skin_has_its_joints_and_clips(void **state)
{
    (void)state;
    import_model("scenes/models/column.glb");
    assert_int_equal(data.joints.count, 5);
    assert_int_equal(data.clips.count, 2);
    assert_string_equal(cni_render_model_text_at(&data, data.clips.items[0].name), "Bend");
    assert_true(data.clips.items[0].seconds == 2);
    for (uint32_t i = 0; i < data.skins.count; i++) {
        const CnVertexSkin *skin = &data.skins.items[i];
        assert_int_equal(skin->weights[0] + skin->weights[1] + skin->weights[2] + skin->weights[3],
                         255);
    }
}

static void in_rest_nothing_moves(void **state)
{
    (void)state;
    CnAffine joints[5], identity = cn_affine_identity();
    import_model("scenes/models/column.glb");
    pose(UINT32_MAX, 0, joints);
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t j = 0; j < 12; j++)
            assert_true(is_near((&joints[i].m[0][0])[j], (&identity.m[0][0])[j]));
}

/* Four joints that turn by 22 degrees each: the last has turned by 88. */
static void a_clip_turns_joints_one_after_the_other(void **state)
{
    (void)state;
    CnAffine joints[5];
    import_model("scenes/models/column.glb");
    pose(0, 1, joints);
    float angle = 0;
    for (uint32_t i = 0; i < 5; i++, angle += 22) {
        assert_true(is_near(joints[i].m[0][0], cn_cosf(angle * CN_PIF / 180)));
        assert_true(is_near(joints[i].m[0][1], cn_sinf(angle * CN_PIF / 180)));
    }
}

static void between_keys_joints_turn_evenly(void **state)
{
    (void)state;
    CnAffine joints[5];
    import_model("scenes/models/column.glb");
    pose(0, 0.25f, joints);
    assert_true(is_near(joints[4].m[0][0], cn_cosf(22 * CN_PIF / 180)));
}

static void a_clip_repeats(void **state)
{
    (void)state;
    CnAffine once[5], again[5];
    import_model("scenes/models/column.glb");
    pose(1, 0.75f, once);
    pose(1, 6.75f, again);
    for (uint32_t j = 0; j < 60; j++)
        assert_true(is_near((&once[0].m[0][0])[j], (&again[0].m[0][0])[j]));
}

static void what_a_clip_moves_as_a_whole_hangs_on_one_joint(void **state)
{
    (void)state;
    CnAffine joints[CN_MODEL_MAX_JOINTS];
    import_model("scenes/models/lighthouse.glb");
    assert_int_equal(data.joints.count, 2);
    pose(0, 2, joints); /* a quarter about y */
    CnVec3 p = cn_affine_point(&joints[0], cn_vec3(1, 4.82f, 0));
    assert_true(is_near(p.x, 0) && is_near(p.y, 4.82f) && is_near(p.z, -1));
}

/* ---- Small documents ---- */

/* A triangle, times 0 1 2, three places, and three of a cubic curve; all of it in the text. */
#define BYTES                                                                                      \
    "data:application/octet-stream;base64,"                                                        \
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAgD8AAABAAAAAAAAAAAAAAAAAAACAPwAA"     \
    "AAAAAAAAAAAAQAAAAAAAAAAAAAAQQQAAEEEAABBBAAAAAAAAAAAAAAAAAAAAAAAAQEAAAAAAAAAAAAAAQMAAAAAA"     \
    "AACAPwAAgD8AAAAAAAAAAAAAAAAAAAAAAAAQQQAAEEEAABBBAAAAQAAAAAAAAAAAAAAQQQAAEEEAABBB"
#define DOCUMENT(nodes, buffer, accessor, animation)                                                   \
    "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}],\n"              \
    "\"nodes\": [" nodes                                                                               \
    "], \"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}}]}],\n"                      \
    "\"buffers\": [{\"byteLength\": 192, \"uri\": \"" buffer "\"}],\n"                                 \
    "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 36},\n"                                         \
    " {\"buffer\": 0, \"byteOffset\": 36, \"byteLength\": 12},\n"                                      \
    " {\"buffer\": 0, \"byteOffset\": 48, \"byteLength\": 36},\n"                                      \
    " {\"buffer\": 0, \"byteOffset\": 84, \"byteLength\": 108}],\n"                                    \
    "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 3, \"type\": \"VEC3\",\n" \
    "  \"min\": [0, 0, 0], \"max\": [1, 1, 0]},\n"                                                     \
    " {\"bufferView\": 1, \"componentType\": 5126, \"count\": 3, \"type\": \"SCALAR\"},\n"             \
    " {\"bufferView\": 2, \"componentType\": 5126, \"count\": 3, \"type\": \"VEC3\"},\n"               \
    " {\"bufferView\": 3, \"componentType\": 5126, \"count\": " accessor                               \
    ", \"type\": \"VEC3\"}],\n"                                                                        \
    "\"animations\": [{\"name\": \"C\", \"samplers\": [{\"input\": 1, " animation "}],\n"              \
    "  \"channels\": [{\"sampler\": 0, \"target\": {\"node\": 0, \"path\": \"translation\"}}]}]}"
#define NODE "{\"name\": \"A\", \"mesh\": 0}"
#define LINEAR "\"output\": 2"

static bool import_text(const char *document)
{
    MemoryFiles memory;
    memory_files_init(&memory);
    memory_files_set(&memory, "a.gltf", document);
    return import(&memory.files, "a.gltf");
}

static CnAffine pose_of_text(const char *document, float seconds)
{
    CnAffine joint;
    if (!import_text(document))
        fail_msg("%s", error.message);
    pose(0, seconds, &joint);
    return joint;
}

static void keys_are_joined_by_lines(void **state)
{
    (void)state;
    CnAffine joint = pose_of_text(DOCUMENT(NODE, BYTES, "9", LINEAR), 1.5f);
    assert_true(is_near(joint.m[0][3], 1.5f));
}

static void steps_stay_until_the_next_key(void **state)
{
    (void)state;
    CnAffine joint =
        pose_of_text(DOCUMENT(NODE, BYTES, "9", LINEAR ", \"interpolation\": \"STEP\""), 1.5f);
    assert_true(is_near(joint.m[0][3], 1));
}

/* From (0,0) with the slope (0,3) to (1,1) with the slope (0,-3): in the middle at (1/2, 5/4). */
static void cubic_curves_follow_their_tangents(void **state)
{
    (void)state;
    CnAffine joint = pose_of_text(
        DOCUMENT(NODE, BYTES, "9", "\"output\": 3, \"interpolation\": \"CUBICSPLINE\""), 0.5f);
    assert_true(is_near(joint.m[0][3], 0.5f) && is_near(joint.m[1][3], 1.25f));
}

static void check_text_refused(const char *document, const char *what)
{
    assert_false(import_text(document));
    assert_string_equal(error.file, "a.gltf");
    if (!strstr(error.message, what))
        fail_msg("%s", error.message);
    cni_render_model_data_fini(&data);
}

static void what_leads_nowhere_is_refused(void **state)
{
    (void)state;
    check_text_refused(DOCUMENT(NODE, BYTES, "10", LINEAR),
                       "accessors[3]: 10 elements end at byte 120, past the end of bufferView 3");
    check_text_refused(DOCUMENT("{\"mesh\": 1}", BYTES, "9", LINEAR),
                       "nodes[0].mesh: mesh 1 does not exist");
    check_text_refused(DOCUMENT("{\"mesh\": 0, \"children\": [0]}", BYTES, "9", LINEAR),
                       "nodes: some nodes are their own descendants");
    check_text_refused(DOCUMENT(NODE, BYTES, "9", "\"output\": 7"),
                       "animations[0].samplers[0].output: accessor 7 does not exist");
    check_text_refused(
        DOCUMENT(NODE, BYTES, "3", "\"output\": 3, \"interpolation\": \"CUBICSPLINE\""),
        "animations[0].samplers[0].output: accessor 3 has 3 elements, but 3 keys need 9");
    check_text_refused(DOCUMENT(NODE, "data:;base64,AAAA", "9", LINEAR),
                       "buffers[0].byteLength: is 192, but the buffer has only 3 bytes");
    check_text_refused("{\"asset\"", "the document cannot be read");
    assert_false(import_text("{}"));
}

static void a_file_that_is_not_there_is_refused(void **state)
{
    (void)state;
    check_text_refused(DOCUMENT(NODE, "missing.bin", "9", LINEAR), "buffers[0].uri: ");
}

static void files_outside_cannot_be_reached(void **state)
{
    (void)state;
    CnVfs *vfs = cn_vfs_create(NULL, &error);
    assert_true(cn_vfs_mount(vfs, "models", "scenes/models", CN_MOUNT_READ, &error));
    assert_true(import(cn_vfs_files(vfs), "models://box.gltf"));
    assert_string_equal(cni_render_model_text_at(&data, data.sources.items[0].path),
                        "models://box.bin");
    cni_render_model_data_fini(&data);
    CnFileBytes document = {.data =
                                (uint8_t *)(uintptr_t)DOCUMENT(NODE, "../README.md", "9", LINEAR)};
    document.size = strlen((const char *)document.data);
    cni_render_model_data_init(&data, NULL);
    assert_false(cni_render_model_import(cn_vfs_files(vfs), "models://a.gltf", NULL, document,
                                         &data, &error));
    cn_vfs_destroy(vfs);
}

static void other_formats_are_refused(void **state)
{
    (void)state;
    MemoryFiles memory;
    memory_files_init(&memory);
    memory_files_set(&memory, "a.fbx", "; FBX");
    assert_false(import(&memory.files, "a.fbx"));
    assert_int_equal(error.code, CN_ERROR_UNSUPPORTED);
}

static void an_obj_without_triangles_is_refused(void **state)
{
    (void)state;
    MemoryFiles memory;
    memory_files_init(&memory);
    memory_files_set(&memory, "a.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n");
    assert_false(import(&memory.files, "a.obj"));
}

static void an_obj_without_normals_gets_some(void **state)
{
    (void)state;
    MemoryFiles memory;
    memory_files_init(&memory);
    memory_files_set(&memory, "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_true(import(&memory.files, "a.obj"));
    assert_true(is_near(data.vertices.items[0].normal.z, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IMPORT_TEST(a_box_has_its_corners),
        IMPORT_TEST(uv_begin_at_the_top_left),
        IMPORT_TEST(faces_look_outwards),
        IMPORT_TEST(an_obj_has_the_materials_of_its_library),
        IMPORT_TEST(materials_are_as_gltf_says),
        IMPORT_TEST(textures_inside_of_a_file_are_colors_or_numbers),
        IMPORT_TEST(other_files_are_remembered),
        IMPORT_TEST(a_skin_has_its_joints_and_clips),
        IMPORT_TEST(in_rest_nothing_moves),
        IMPORT_TEST(a_clip_turns_joints_one_after_the_other),
        IMPORT_TEST(between_keys_joints_turn_evenly),
        IMPORT_TEST(a_clip_repeats),
        IMPORT_TEST(what_a_clip_moves_as_a_whole_hangs_on_one_joint),
        IMPORT_TEST(keys_are_joined_by_lines),
        IMPORT_TEST(steps_stay_until_the_next_key),
        IMPORT_TEST(cubic_curves_follow_their_tangents),
        IMPORT_TEST(what_leads_nowhere_is_refused),
        IMPORT_TEST(a_file_that_is_not_there_is_refused),
        IMPORT_TEST(files_outside_cannot_be_reached),
        IMPORT_TEST(other_formats_are_refused),
        IMPORT_TEST(an_obj_without_triangles_is_refused),
        IMPORT_TEST(an_obj_without_normals_gets_some),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
