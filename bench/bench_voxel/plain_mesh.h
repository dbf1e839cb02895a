/*
 * The meshers that ours is measured against, on chunks of plain arrays: one with a quad a face,
 * and the well-known greedy one, which fills a mask of 16 x 16 for each slice and takes
 * rectangles out of it.
 */
#ifndef CAIRN_BENCH_VOXEL_PLAIN_MESH_H
#define CAIRN_BENCH_VOXEL_PLAIN_MESH_H

#include <cairn/voxel/mesh.h>

#define PLAIN_SIDE 18

/* The middle and its 26 neighbours as CnNeighbourhood has them; NULL is air. */
typedef struct PlainAround {
    const CnBlock *chunks[27];
} PlainAround;

typedef struct PlainQuad {
    uint8_t face, x, y, z, width, height;
    CnBlock block;
    uint64_t corners; /* occlusion, 2 bits each, then light, 4 bits of both kinds each */
} PlainQuad;

#define PLAIN_MAX_QUADS 17152u

/* Both return the number of quads. `light` NULL: corners are left out. */
uint32_t plain_face_mesh(const PlainAround *around, const CnLightBox *light, PlainQuad *quads);
uint32_t plain_greedy_mesh(const PlainAround *around, const CnLightBox *light, PlainQuad *quads);

#endif
