/*
 * Blocks: records of chunks and tiles of far terrain, quads of 8 bytes, and the table of blocks.
 * These are bindings 0 to 7 of every pipeline that draws blocks (culling has only 0 and 1);
 * src/render/block/block_view.h and block_gpu_storage.c have the same layouts.
 *
 * A draw is a range of quads: gl_VertexIndex is 4 times the quad plus the corner, and
 * gl_InstanceIndex is 8 times the record, plus 2 times the part (CnChunkMeshPart), plus the index
 * of the plane for crosses. The lightweight path has its own lists: blocks_quad_culling.glsl.
 */
#ifndef RENDER_BLOCK_BLOCKS_GLSL
#define RENDER_BLOCK_BLOCKS_GLSL

#include "render/core/frame.glsl"

const uint PART_OPAQUE = 0u, PART_SEMI = 1u, PART_WATER = 2u, PART_PROPS = 3u;

struct BlockRecord {
    ivec3 chunk_position; /* of the corner */
    uint first;  /* index of the first quad */
    vec3 low;    /* bounds of the contents, relative to the corner */
    uint level;  /* of far terrain; 0: a chunk; nonzero bits from 4 on: not drawn */
    vec3 high;
    float fade_start; /* seconds */
    uint ends[19]; /* of parts and faces, relative to `first` */
    uint is_dark;  /* sunlight cannot enter: it casts no sun shadow */
};

struct BlockRow {
    uint sides; /* layers: side, bottom */
    uint top;   /* layer; from bit 16 on the kind of surface; bit 24: foliage */
    uint tint;  /* sRGB; from bit 24 on the emission */
    uint appearance; /* APPEARANCE_; bits 4 up: face of the front, 7: none; bits 8 up: turns of the
                        top; bits 16 up: layer of the front */
};

/* Reduce visible tiling, see blocks_surface.glsl. */
const uint APPEARANCE_TURNS = 1u;   /* tiles without an orientation */
const uint APPEARANCE_MIRRORS = 2u; /* sides and props: horizontally only */
const uint APPEARANCE_CLIMATE = 4u; /* its greens are tinted by the climate */
const uint APPEARANCE_FOLIAGE = 8u; /* translucent */
const int FRONT_FACE_SHIFT = 4, TOP_TURN_SHIFT = 8, FRONT_LAYER_SHIFT = 16;

layout(set = 0, binding = 1, std430) readonly buffer BlockRecords { BlockRecord block_records[]; };
#ifndef BLOCKS_CULL
layout(set = 0, binding = 2, std430) readonly buffer BlockQuads { uvec2 block_quads[]; };
layout(set = 0, binding = 3, std430) readonly buffer BlockTable { BlockRow block_table[]; };
layout(set = 0, binding = 4, std430) readonly buffer BlockPresence { uint block_presence[]; };
layout(set = 0, binding = 5) uniform sampler2DArray block_colors;  /* sRGB and alpha */
/* normal x and y, roughness, emission */
layout(set = 0, binding = 6) uniform sampler2DArray block_details;
/* tint factors times 128 / 255; repeats */
layout(set = 0, binding = 7) uniform sampler2D block_climate;
#endif

const float FADE_SECONDS = 0.6; /* of new tiles: far_quadtree.c */

/* Faces are -z, +z, -x, +x, -y, +y. */
vec3 face_normal(uint face)
{
    float side = (face & 1u) != 0u ? 1.0 : -1.0;
    return face < 2u ? vec3(0.0, 0.0, side) : face < 4u ? vec3(side, 0.0, 0.0) : vec3(0.0, side, 0.0);
}

/* Right and up directions of a face's tile; their cross product is the normal. */
vec3 face_right(uint face)
{
    return face == 0u ? vec3(-1.0, 0.0, 0.0) : face == 2u ? vec3(0.0, 0.0, 1.0) : face == 3u ? vec3(0.0, 0.0, -1.0) : vec3(1.0, 0.0, 0.0);
}

vec3 face_up(uint face)
{
    return face < 4u ? vec3(0.0, 1.0, 0.0) : face == 4u ? vec3(0.0, 0.0, 1.0) : vec3(0.0, 0.0, -1.0);
}

/* Maps the axes of a face's plane to those of the world. */
vec3 on_plane(uint face, vec2 at)
{
    return face < 2u ? vec3(at, 0.0) : face < 4u ? vec3(0.0, at.y, at.x) : vec3(at.x, 0.0, at.y);
}

/* Maps a position on the face, in blocks along its plane's axes, to the tile: u to the right, v
 * down. */
vec2 face_uv(uint face, vec2 at)
{
    float u = face == 0u || face == 3u ? -at.x : at.x;
    return vec2(u, face == 5u ? at.y : -at.y);
}

/* The axes of a face's plane. */
vec2 plane_part(uint face, vec3 at)
{
    return face < 2u ? at.xy : face < 4u ? at.zy : at.xz;
}

/* Turns the tile of a top clockwise, seen from above. */
vec2 turned_uv(vec2 uv, uint turns)
{
    vec2 quarter = (turns & 1u) != 0u ? vec2(uv.y, -uv.x) : uv;
    return (turns & 2u) != 0u ? -quarter : quarter;
}

/* Cells modulo CELL_PERIOD; 64 heights are sufficient to tell blocks apart. */
const int CELL_PERIOD = 8192; /* blocks: CNI_CLIMATE_PERIOD */
uint pack_cell(ivec3 cell)
{
    return uint(cell.x & 8191) | uint(cell.z & 8191) << 13 | uint(cell.y & 63) << 26;
}

ivec3 unpack_cell(uint cell)
{
    return ivec3(cell & 8191u, cell >> 26, cell >> 13 & 8191u);
}

/* The chunk of the camera and the position within it, which keep precision far from the origin. */
ivec3 eye_chunk()
{
    return ivec3(floor(frame.camera.xyz / 16.0)) + (frame.origin.xyz >> 4);
}

vec3 eye_in_chunk()
{
    return frame.camera.xyz - 16.0 * floor(frame.camera.xyz / 16.0);
}

/* From the camera to the corner of a record. */
vec3 record_from_eye(BlockRecord record)
{
    return vec3((record.chunk_position - eye_chunk()) * 16) - eye_in_chunk();
}

#endif
