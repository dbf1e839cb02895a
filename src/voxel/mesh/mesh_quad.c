/* Decodes quads. */
#include <cairn/voxel/mesh.h>

CnQuadFields cn_quad_unpack(CnQuad quad, CnChunkMeshPart part)
{
    CnQuadFields parts = {
        .x = quad >> CN_QUAD_X_SHIFT & CN_QUAD_CELL_MASK,
        .y = quad >> CN_QUAD_Y_SHIFT & CN_QUAD_CELL_MASK,
        .z = quad >> CN_QUAD_Z_SHIFT & CN_QUAD_CELL_MASK,
        .width = (uint8_t)((quad >> CN_QUAD_WIDTH_SHIFT & CN_QUAD_CELL_MASK) + 1),
        .height = (uint8_t)((quad >> CN_QUAD_HEIGHT_SHIFT & CN_QUAD_CELL_MASK) + 1),
        .block = (CnBlock)(quad >> CN_QUAD_BLOCK_SHIFT & CN_QUAD_BLOCK_MASK),
    };
    parts.is_shape_face = cn_quad_is_shape_face(quad, part);
    if (parts.is_shape_face) {
        uint32_t size = (uint32_t)(quad >> CN_QUAD_OCCLUSION_SHIFT),
                 corners = (uint32_t)(quad >> CN_QUAD_CORNER_SHIFT);
        parts.u = (uint8_t)(parts.width - 1);
        parts.v = (uint8_t)(parts.height - 1);
        parts.units_wide = (uint8_t)((size & 15) + 1);
        parts.units_high = (uint8_t)((size >> 4 & 15) + 1);
        parts.depth =
            (uint8_t)((corners >> 2 & 3) | (corners >> 6 & 3) << 2 | (corners >> 10 & 1) << 4);
        parts.width = parts.height = 1;
        quad |= (CnQuad)0xFF << CN_QUAD_OCCLUSION_SHIFT;
        quad &= ((CnQuad)1 << CN_QUAD_CORNER_SHIFT) - 1;
    }
    uint32_t block_light = quad >> CN_QUAD_BLOCK_LIGHT_SHIFT & CN_QUAD_LIGHT_MASK;
    uint32_t sky_light = quad >> CN_QUAD_SKY_LIGHT_SHIFT & CN_QUAD_LIGHT_MASK;
    for (uint32_t c = 0; c < 4; c++) {
        uint32_t corner =
            quad >> (CN_QUAD_CORNER_SHIFT + CN_QUAD_CORNER_BITS * c) & CN_QUAD_CORNER_MASK;
        uint32_t occlusion =
            quad >> (CN_QUAD_OCCLUSION_SHIFT + CN_QUAD_OCCLUSION_BITS * c) & CN_QUAD_OCCLUSION_MASK;
        bool water = part == CN_CHUNK_MESH_WATER;
        parts.occlusion[c] = (uint8_t)(water ? CN_QUAD_OCCLUSION_MASK : occlusion);
        parts.block_light[c] = (uint8_t)(block_light - (water ? 0 : corner & 3));
        parts.sky_light[c] = (uint8_t)(sky_light - (water ? 0 : corner >> 2));
        parts.water_height[c] = water ? (uint8_t)(corner + 1) : 16;
    }
    return parts;
}

void cn_quad_corners(CnQuad quad, CnChunkMeshPart part, CnFace face, float corners[4][3])
{
    static const uint8_t axes[CN_FACE_COUNT][3] = {{0, 1, 2}, {0, 1, 2}, {2, 1, 0},
                                                   {2, 1, 0}, {0, 2, 1}, {0, 2, 1}}; /* u, v, n */
    CnQuadFields parts = cn_quad_unpack(quad, part);
    const float cell[3] = {parts.x, parts.y, parts.z};
    const uint8_t *axis = axes[face];
    bool positive = face & 1;
    for (uint32_t c = 0; c < 4; c++) {
        bool right = c == 1 || c == 2, upper = c >= 2;
        if (parts.is_shape_face) {
            const float unit = 1.0f / CN_BLOCK_SHAPE_UNITS;
            corners[c][axis[0]] =
                cell[axis[0]] + unit * (float)(parts.u + (right ? parts.units_wide : 0));
            corners[c][axis[1]] =
                cell[axis[1]] + unit * (float)(parts.v + (upper ? parts.units_high : 0));
            corners[c][axis[2]] = cell[axis[2]] + unit * (float)parts.depth;
            continue;
        }
        corners[c][axis[0]] = cell[axis[0]] + (right ? (float)parts.width : 0);
        corners[c][axis[1]] = cell[axis[1]] + (upper ? (float)parts.height : 0);
        corners[c][axis[2]] = cell[axis[2]] + (positive ? 1.0f : 0);
        if (part == CN_CHUNK_MESH_PROPS)
            corners[c][2] = cell[2] + (right ? 1.0f : 0);
        /* Corners of water below the full height are lowered; those at the bottom have the full
         * height and stay. */
        bool sinks = axis[1] == 1 ? upper : positive && axis[2] == 1;
        if (part == CN_CHUNK_MESH_WATER && sinks)
            corners[c][1] -= (float)(16 - parts.water_height[c]) / 16;
    }
}
