/* Blocks for compute shaders: culling lists items of up to 64 quads on one face of a record. */
#ifndef RENDER_BLOCK_BLOCKS_ITEMS_GLSL
#define RENDER_BLOCK_BLOCKS_ITEMS_GLSL

#include "render/block/blocks_vertex.glsl"

/* of props: face 0 is turned towards the camera, 1 and 2 are the planes of a cross */
const uint CROSS_FACES = 1u;

/* Of two phases: groups per axis and number of items. Those of the second phase follow those of the
 * first. */
layout(set = 0, binding = 9, std430) readonly buffer BlockItems {
    uint item_heads[8];
    uvec2 block_items[]; /* record, part, face, view, quads - 1; first quad */
};

/* A rectangle: positions on it are multiples of two vectors, whose duals recover them. */
struct BlockPlane {
    vec3 corner, right, up;
    vec3 right_dual, up_dual, normal;
    vec2 size;
    vec2 offset; /* of its corner on the tile */
};

BlockPlane plane_of(uint number, BlockVertex v)
{
    BlockPlane plane;
    plane.corner = record_from_eye(block_records[number]) + v.cell;
    plane.size = v.size;
    plane.offset = tile_offset(v);
    plane.right = on_plane(v.face, vec2(1.0, 0.0));
    plane.up = on_plane(v.face, vec2(0.0, 1.0));
    plane.normal = face_normal(v.face);
    if (v.part == PART_PROPS) {
        vec3 middle = plane.corner + vec3(0.5, 0.0, 0.5);
        plane.right = v.face == 0u ? prop_right(middle) : vec3(1.0, 0.0, v.face == CROSS_FACES ? 1.0 : -1.0);
        plane.up = vec3(0.0, 1.0, 0.0);
        plane.corner = middle - 0.5 * plane.right;
        plane.normal = cross(plane.right, plane.up);
    }
    plane.right_dual = plane.right / dot(plane.right, plane.right);
    plane.up_dual = plane.up;
    return plane;
}

struct BlockItem {
    uint record, part, face, raster_view, count, first;
};

BlockItem read_item(uint index)
{
    uvec2 words = block_items[index];
    return BlockItem(words.x & 0xFFFFu, words.x >> 16 & 3u, words.x >> 18 & 7u, words.x >> 21 & 3u, (words.x >> 23 & 63u) + 1u, words.y);
}

#endif
