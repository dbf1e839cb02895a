/* Bit fields of quads: the first bit of each field in its word. Chunks: CN_QUAD_... in
 * cairn/voxel/mesh.h; far terrain: CNI_RENDER_FAR_... in block/block_view.h. unit.render.quad_bits
 * compares them. */
#ifndef RENDER_BLOCK_BLOCKS_QUAD_BITS_GLSL
#define RENDER_BLOCK_BLOCKS_QUAD_BITS_GLSL

/* Quads of chunks, lower word */
#define QUAD_Y_SHIFT 4
#define QUAD_Z_SHIFT 8
#define QUAD_WIDTH_SHIFT 12
#define QUAD_HEIGHT_SHIFT 16
#define QUAD_CELL_MASK 15u
#define QUAD_BLOCK_SHIFT 20
/* Upper word, the light of a quad */
#define QUAD_OCCLUSION_BITS 2u
#define QUAD_OCCLUSION_MASK 3u
#define QUAD_BLOCK_LIGHT_SHIFT 8
#define QUAD_SKY_LIGHT_SHIFT 12
#define QUAD_LIGHT_MASK 15u
#define QUAD_CORNER_SHIFT 16u
#define QUAD_CORNER_BITS 4u
/* Faces of shapes, in the upper word: a marker, the size, the depth in two parts */
#define QUAD_SHAPE_MARK 0x33330000u
#define QUAD_SHAPE_DEPTH_SHIFT 18
#define QUAD_SHAPE_DEPTH_MASK 3u

/* Quads of far terrain, lower word */
#define FAR_CELL_MASK 63u
#define FAR_Z_SHIFT 6
#define FAR_Y_SHIFT 12
#define FAR_Y_MASK 1023u
#define FAR_WIDTH_SHIFT 22
#define FAR_WIDTH_MASK 31u
#define FAR_SKIRT_SHIFT 27
/* Upper word */
#define FAR_BLOCK_MASK 4095u
#define FAR_HEIGHT_SHIFT 12
#define FAR_HEIGHT_MASK 1023u

#endif
