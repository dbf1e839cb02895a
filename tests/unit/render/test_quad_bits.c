/* The shaders and the library have the same bit fields of quads. */
#include "cmocka_tests.h"

#include "render/block/block_view.h"

#include <cairn/voxel/mesh.h>

#include <stdio.h>
#include <string.h>

typedef struct Constant {
    const char *name;
    unsigned value;
} Constant;

/* The shaders see a quad as two words. */
static const Constant constants[] = {
    {"QUAD_Y_SHIFT", CN_QUAD_Y_SHIFT},
    {"QUAD_Z_SHIFT", CN_QUAD_Z_SHIFT},
    {"QUAD_WIDTH_SHIFT", CN_QUAD_WIDTH_SHIFT},
    {"QUAD_HEIGHT_SHIFT", CN_QUAD_HEIGHT_SHIFT},
    {"QUAD_CELL_MASK", CN_QUAD_CELL_MASK},
    {"QUAD_BLOCK_SHIFT", CN_QUAD_BLOCK_SHIFT},
    {"QUAD_OCCLUSION_BITS", CN_QUAD_OCCLUSION_BITS},
    {"QUAD_OCCLUSION_MASK", CN_QUAD_OCCLUSION_MASK},
    {"QUAD_BLOCK_LIGHT_SHIFT", CN_QUAD_BLOCK_LIGHT_SHIFT - 32},
    {"QUAD_SKY_LIGHT_SHIFT", CN_QUAD_SKY_LIGHT_SHIFT - 32},
    {"QUAD_LIGHT_MASK", CN_QUAD_LIGHT_MASK},
    {"QUAD_CORNER_SHIFT", CN_QUAD_CORNER_SHIFT - 32},
    {"QUAD_CORNER_BITS", CN_QUAD_CORNER_BITS},
    {"QUAD_SHAPE_MARK", CN_QUAD_SHAPE_MARK << (CN_QUAD_CORNER_SHIFT - 32)},
    {"QUAD_SHAPE_DEPTH_SHIFT", CN_QUAD_CORNER_SHIFT - 32 + 2},
    {"QUAD_SHAPE_DEPTH_MASK", 3},
    {"FAR_CELL_MASK", (1u << (CNI_RENDER_FAR_Y_SHIFT - CNI_RENDER_FAR_Z_SHIFT)) - 1},
    {"FAR_Z_SHIFT", CNI_RENDER_FAR_Z_SHIFT},
    {"FAR_Y_SHIFT", CNI_RENDER_FAR_Y_SHIFT},
    {"FAR_Y_MASK", (1u << (CNI_RENDER_FAR_WIDTH_SHIFT - CNI_RENDER_FAR_Y_SHIFT)) - 1},
    {"FAR_WIDTH_SHIFT", CNI_RENDER_FAR_WIDTH_SHIFT},
    {"FAR_WIDTH_MASK", (1u << (CNI_RENDER_FAR_SKIRT_SHIFT - CNI_RENDER_FAR_WIDTH_SHIFT)) - 1},
    {"FAR_SKIRT_SHIFT", CNI_RENDER_FAR_SKIRT_SHIFT},
    {"FAR_BLOCK_MASK", CN_BLOCK_MAX},
    {"FAR_HEIGHT_SHIFT", CNI_RENDER_FAR_HEIGHT_SHIFT - 32},
    {"FAR_HEIGHT_MASK", 1023},
};

static void check_line(const char *line, uint32_t *found)
{
    char name[64];
    unsigned value;
    if (sscanf(line, "#define %63s %i", name, (int *)&value) != 2)
        return;
    for (uint32_t i = 0; i < CN_COUNT_OF(constants); i++) {
        if (strcmp(name, constants[i].name) != 0)
            continue;
        assert_int_equal(value, constants[i].value);
        (*found)++;
        return;
    }
    fail_msg("%s is not compared", name);
}

static void shaders_have_the_bit_fields_of_the_library(void **state)
{
    (void)state;
    FILE *file = fopen("shaders/render/block/blocks_quad_bits.glsl", "r");
    assert_non_null(file);
    char line[256];
    uint32_t found = 0;
    while (fgets(line, sizeof line, file))
        check_line(line, &found);
    fclose(file);
    assert_int_equal(found, CN_COUNT_OF(constants));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shaders_have_the_bit_fields_of_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
