/* Morph targets of glTF files, their weights and animations; models with many joints. */
#include "glb_fixture.h"

#include "render/import/import.h"

#include <math.h>
#include <stdio.h>

static void import(const char *keys)
{
    if (!glb_build(&glb, &builder, keys))
        fail_msg("%s", glb.error.message);
}

static bool is_near(float a, float b)
{
    return fabsf(a - b) < 1e-3f;
}

#define FLOATS3(count) "'componentType': 5126, 'count': " #count ", 'type': 'VEC3'"
#define FLOATS1(count) "'componentType': 5126, 'count': " #count ", 'type': 'SCALAR'"
#define NORMALS_UP                                                                                 \
    {0, 0, 1}, {0, 0, 1},                                                                          \
    {                                                                                              \
        0, 0, 1                                                                                    \
    }

/* Accessors 0 and 1: a triangle with normals. Accessors 2 and 3: targets that move it along y, and
 * its first corner along x. */
static void add_targets(void)
{
    static const float triangle[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const float normals[3][3] = {NORMALS_UP};
    static const float up[3][3] = {{0, 4, 0}, {0, 4, 0}, {0, 4, 0}}, right[3][3] = {{2, 0, 0}};
    glb_add(&builder, triangle, sizeof triangle, 0, FLOATS3(3));
    glb_add(&builder, normals, sizeof normals, 0, FLOATS3(3));
    glb_add(&builder, up, sizeof up, 0, FLOATS3(3));
    glb_add(&builder, right, sizeof right, 0, FLOATS3(3));
}

#define PRIMITIVE                                                                                  \
    "'primitives': [{'attributes': {'POSITION': 0, 'NORMAL': 1}, 'targets': [{'POSITION': 2}, "    \
    "{'POSITION': 3}]}]"

/* Returns the delta of a target at the vertex with this position. */
static const CniRenderModelDelta *delta_at(uint32_t target, float x, float y)
{
    const CniRenderModelMesh *mesh = &glb.data.meshes.items[0];
    assert_true(target < mesh->target_count);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        CnVec3 p = glb.data.vertices.items[mesh->first_vertex + i].position;
        if (is_near(p.x, x) && is_near(p.y, y))
            return &glb.data.deltas.items[mesh->first_delta - 1 + target * mesh->vertex_count + i];
    }
    fail_msg("no vertex at %g, %g", (double)x, (double)y);
    return NULL;
}

static float weight_at(uint32_t clip, float seconds, uint32_t morph, uint32_t target)
{
    float weights[16];
    assert_true(glb.data.morphs.items[morph].weight_count <= 16);
    cni_render_model_sample_weights(&glb.data, clip, seconds, morph, weights);
    return weights[target];
}

static void targets_have_deltas_and_initial_weights(void **state)
{
    (void)state;
    add_targets();
    import("'meshes': [{'weights': [0.5, 0.25], " PRIMITIVE "}], 'nodes': [{'mesh': 0}]");
    assert_true(is_near(delta_at(0, 1, 0)->position.y, 4));
    assert_true(is_near(delta_at(1, 0, 0)->position.x, 2));
    assert_true(is_near(delta_at(1, 1, 0)->position.x, 0));
    assert_true(is_near(weight_at(UINT32_MAX, 0, 0, 0), 0.5f));
    assert_true(is_near(weight_at(UINT32_MAX, 0, 0, 1), 0.25f));
}

static void nodes_share_a_mesh_with_weights_of_their_own(void **state)
{
    (void)state;
    add_targets();
    import("'meshes': [{" PRIMITIVE "}], 'nodes': [{'mesh': 0}, {'mesh': 0, 'weights': [0, 1]}]");
    assert_int_equal(glb.data.meshes.count, 1);
    assert_int_equal(glb.data.parts.count, 2);
    assert_true(is_near(weight_at(0, 0, glb.data.parts.items[0].morph - 1, 1), 0));
    assert_true(is_near(weight_at(0, 0, glb.data.parts.items[1].morph - 1, 1), 1));
}

/* Accessor 2 has no view: zeros, of which the vertex 1 is replaced. */
static void sparse_targets_move_the_vertices_that_they_name(void **state)
{
    (void)state;
    static const float triangle[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, value[3] = {0, 0, 7};
    static const uint16_t index[2] = {1, 0};
    glb_add(&builder, triangle, sizeof triangle, 0, FLOATS3(3));
    glb_add(&builder, index, sizeof index, 0,
            "'componentType': 5123, 'count': 2, 'type': 'SCALAR'");
    glb_add(&builder, value, sizeof value, 0,
            FLOATS3(1) "}, {'componentType': 5126, 'count': 3, 'type': 'VEC3', 'sparse': {'count': "
                       "1, 'indices': {'bufferView': 1, 'componentType': 5123}, 'values': "
                       "{'bufferView': 2}}");
    import("'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'targets': [{'POSITION': "
           "3}]}]}], 'nodes': [{'mesh': 0}]");
    assert_true(is_near(delta_at(0, 1, 0)->position.z, 7));
    assert_true(is_near(delta_at(0, 0, 0)->position.z, 0));
}

static void targets_have_normals_and_tangents(void **state)
{
    (void)state;
    static const float normals[3][3] = {{0.5f, 0, -1}, {0.5f, 0, -1}, {0.5f, 0, -1}};
    add_targets();
    glb_add(&builder, normals, sizeof normals, 0, FLOATS3(3));
    import("'meshes': [{'primitives': [{'attributes': {'POSITION': 0, 'NORMAL': 1}, 'targets': "
           "[{'NORMAL': 4, 'TANGENT': 4}]}]}], 'nodes': [{'mesh': 0}]");
    const CniRenderModelDelta *delta = delta_at(0, 1, 0);
    assert_true(is_near(cni_render_half_to_float(delta->normal[0]), 0.5f));
    assert_true(is_near(cni_render_half_to_float(delta->normal[2]), -1));
    assert_true(is_near(cni_render_half_to_float(delta->tangent[2]), -1));
}

/* A triangle that a target turns about the x axis by 90 degrees. */
static void without_normals_those_of_targets_are_flat(void **state)
{
    (void)state;
    static const float triangle[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const float turn[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, -1, 1}};
    glb_add(&builder, triangle, sizeof triangle, 0, FLOATS3(3));
    glb_add(&builder, turn, sizeof turn, 0, FLOATS3(3));
    import("'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'targets': [{'POSITION': "
           "1}]}]}], 'nodes': [{'mesh': 0}]");
    const CniRenderModelDelta *delta = delta_at(0, 1, 0);
    assert_true(is_near(cni_render_half_to_float(delta->normal[1]), -1));
    assert_true(is_near(cni_render_half_to_float(delta->normal[2]), -1));
}

/* ---- Animation ---- */

/* Accessors 4 and 5: keys at 0 s and 2 s of two weights. */
static void add_keys(const char *curve, const float *values, uint32_t value_count)
{
    static const float times[2] = {0, 2};
    char accessor[128], keys[1024];
    add_targets();
    glb_add(&builder, times, sizeof times, 0, FLOATS1(2));
    cn_format(accessor, sizeof accessor, "'componentType': 5126, 'count': %u, 'type': 'SCALAR'",
              value_count);
    glb_add(&builder, values, value_count * sizeof *values, 0, accessor);
    cn_format(keys, sizeof keys,
              "'meshes': [{" PRIMITIVE "}], 'nodes': [{'mesh': 0}], 'animations': [{'samplers': "
              "[{'input': 4, 'output': 5, 'interpolation': '%s'}], 'channels': [{'sampler': 0, "
              "'target': {'node': 0, 'path': 'weights'}}]}]",
              curve);
    import(keys);
    assert_true(is_near(glb.data.clips.items[0].seconds, 2));
}

static void weights_change_linearly(void **state)
{
    (void)state;
    add_keys("LINEAR", (const float[4]){0, 1, 1, 0}, 4);
    assert_true(is_near(weight_at(0, 0.5f, 0, 0), 0.25f));
    assert_true(is_near(weight_at(0, 0.5f, 0, 1), 0.75f));
}

static void weights_change_in_steps(void **state)
{
    (void)state;
    add_keys("STEP", (const float[4]){0.5f, 1, 1, 0}, 4);
    assert_true(is_near(weight_at(0, 1.9f, 0, 0), 0.5f));
    assert_true(is_near(weight_at(0, 1.9f, 0, 1), 1));
}

/* From 0 with slope 1 to 0 with slope 0: at half the time, 2 s / 8. */
static void weights_follow_cubic_curves(void **state)
{
    (void)state;
    add_keys("CUBICSPLINE", (const float[12]){0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0}, 12);
    assert_true(is_near(weight_at(0, 1, 0, 0), 0.25f));
    assert_true(is_near(weight_at(0, 1, 0, 1), 1));
}

/* Keys have four values: more targets need more channels. */
static void more_than_four_targets_are_animated(void **state)
{
    (void)state;
    static const float times[1] = {1}, weights[6] = {1, 2, 3, 4, 5, 6};
    add_targets();
    glb_add(&builder, times, sizeof times, 0, FLOATS1(1));
    glb_add(&builder, weights, sizeof weights, 0, FLOATS1(6));
    import("'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'targets': [{'POSITION': 2},"
           "{'POSITION': 2}, {'POSITION': 2}, {'POSITION': 2}, {'POSITION': 2}, {'POSITION': 3}]}]}"
           "], 'nodes': [{'mesh': 0}], 'animations': [{'samplers': [{'input': 4, 'output': 5}], "
           "'channels': [{'sampler': 0, 'target': {'node': 0, 'path': 'weights'}}]}]");
    for (uint32_t i = 0; i < 6; i++)
        assert_true(is_near(weight_at(0, 0.5f, 0, i), (float)(i + 1)));
}

/* The node is moved by the clip, so its mesh is in model space, with a joint of its own. */
static void targets_of_animated_nodes_are_scaled_with_them(void **state)
{
    (void)state;
    static const float times[1] = {0}, position[3] = {0, 0, 5};
    add_targets();
    glb_add(&builder, times, sizeof times, 0, FLOATS1(1));
    glb_add(&builder, position, sizeof position, 0, FLOATS3(1));
    import("'meshes': [{" PRIMITIVE "}], 'nodes': [{'mesh': 0, 'scale': [3, 3, 3]}], 'animations': "
           "[{'samplers': [{'input': 4, 'output': 5}], 'channels': [{'sampler': 0, 'target': "
           "{'node': 0, 'path': 'translation'}}]}]");
    assert_true(is_near(delta_at(0, 3, 0)->position.y, 12));
    assert_int_equal(glb.data.joints.count, 1);
}

/* ---- Refusals ---- */

static void too_few_animated_weights_are_refused(void **state)
{
    (void)state;
    static const float times[2] = {0, 1}, weights[3] = {0};
    add_targets();
    glb_add(&builder, times, sizeof times, 0, FLOATS1(2));
    glb_add(&builder, weights, sizeof weights, 0, FLOATS1(3));
    assert_false(glb_build(&glb, &builder,
                           "'meshes': [{" PRIMITIVE "}], 'nodes': [{'mesh': 0}], 'animations': "
                           "[{'samplers': [{'input': 4, 'output': 5}], 'channels': [{'sampler': 0, "
                           "'target': {'node': 0, 'path': 'weights'}}]}]"));
    assert_non_null(strstr(glb.error.message,
                           "animations[0].channels[0].sampler: accessor 5 has 3 elements, but 2 "
                           "keys of 2 weights need 4"));
}

/* An accessor without a view costs no bytes of the file. */
static void targets_of_a_small_file_do_not_fill_the_memory(void **state)
{
    (void)state;
    static char keys[400000];
    size_t at = (size_t)snprintf(keys, sizeof keys,
                                 "'meshes': [{'primitives': [{'attributes': "
                                 "{'POSITION': 0}, 'targets': [{}");
    for (uint32_t i = 0; i < 65000; i++)
        at += (size_t)snprintf(keys + at, sizeof keys - at, ",{}");
    snprintf(keys + at, sizeof keys - at, "]}]}], 'nodes': [{'mesh': 0}]");
    glb_add(&builder, (const float[3]){0}, 12, 0,
            FLOATS3(1) "}, {'componentType': 5126, 'count': 60000, 'type': 'VEC3'");
    char *primitive = strstr(keys, "'POSITION': 0");
    primitive[strlen("'POSITION': ")] = '1';
    assert_false(glb_build(&glb, &builder, keys));
    assert_int_equal(glb.error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(glb.error.message, "meshes[0].primitives[0].targets"));
}

/* ---- Joints ---- */

/* Each animated node has a joint; a mesh can name 256. */
static void a_model_may_have_more_than_256_joints(void **state)
{
    (void)state;
    static char keys[64000];
    static const float times[1] = {0}, position[3] = {0, 0, 5};
    add_targets();
    glb_add(&builder, times, sizeof times, 0, FLOATS1(1));
    glb_add(&builder, position, sizeof position, 0, FLOATS3(1));
    size_t at = (size_t)snprintf(
        keys, sizeof keys,
        "'meshes': [{'primitives': [{'attributes': {'POSITION': 0}}]}], 'animations': "
        "[{'samplers': [{'input': 4, 'output': 5}], 'channels': [");
    for (uint32_t i = 0; i < 300; i++)
        at += (size_t)snprintf(keys + at, sizeof keys - at,
                               "%s{'sampler': 0, 'target': {'node': %u, 'path': 'translation'}}",
                               i ? "," : "", i);
    at += (size_t)snprintf(keys + at, sizeof keys - at, "]}], 'nodes': [");
    for (uint32_t i = 0; i < 300; i++)
        at += (size_t)snprintf(keys + at, sizeof keys - at, "%s{'mesh': 0}", i ? "," : "");
    snprintf(keys + at, sizeof keys - at, "]");
    import(keys);
    assert_int_equal(glb.data.joints.count, 300);
    const CniRenderModelMesh *last = &glb.data.meshes.items[299];
    assert_int_equal(last->first_joint + glb.data.skins.items[last->first_skin - 1].joints[0], 299);
}

/* ---- Half-precision floats ---- */

static void half_floats_keep_three_digits(void **state)
{
    (void)state;
    static const float values[] = {0, 1, -1, 0.1f, -0.333f, 1e-6f, 12.34f, 65504, -2048};
    for (uint32_t i = 0; i < CN_COUNT_OF(values); i++) {
        float back = cni_render_half_to_float(cni_render_half_from_float(values[i]));
        assert_true(fabsf(back - values[i]) <= fabsf(values[i]) * 0x1p-11f + 0x1p-25f);
    }
    assert_true(cni_render_half_to_float(cni_render_half_from_float(1e9f)) == 65504);
    assert_int_equal(cni_render_half_from_float(NAN), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GLTF_TEST(targets_have_deltas_and_initial_weights),
        GLTF_TEST(nodes_share_a_mesh_with_weights_of_their_own),
        GLTF_TEST(sparse_targets_move_the_vertices_that_they_name),
        GLTF_TEST(targets_have_normals_and_tangents),
        GLTF_TEST(without_normals_those_of_targets_are_flat),
        GLTF_TEST(weights_change_linearly),
        GLTF_TEST(weights_change_in_steps),
        GLTF_TEST(weights_follow_cubic_curves),
        GLTF_TEST(more_than_four_targets_are_animated),
        GLTF_TEST(targets_of_animated_nodes_are_scaled_with_them),
        GLTF_TEST(too_few_animated_weights_are_refused),
        GLTF_TEST(targets_of_a_small_file_do_not_fill_the_memory),
        GLTF_TEST(a_model_may_have_more_than_256_joints),
        cmocka_unit_test(half_floats_keep_three_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
