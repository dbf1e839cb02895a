/*
 * Reference meshers on plain arrays: one with a quad per face, and the well-known greedy mesher,
 * which fills a mask of 16 x 16 for each slice and extracts rectangles.
 */
#ifndef CAIRN_BENCH_VOXEL_PLAIN_MESH_H
#define CAIRN_BENCH_VOXEL_PLAIN_MESH_H

#include <cairn/voxel/mesh.h>

/* The chunk and its 26 neighbors in the order of CnNeighborhood; NULL is air. */
typedef struct PlainAround {
    const CnBlock *chunks[27];
} PlainAround;

typedef struct PlainQuad {
    uint8_t face, x, y, z, width, height;
    CnBlock block;
    uint64_t corners; /* occlusion, 2 bits each, then light, 4 bits per kind each */
} PlainQuad;

#define PLAIN_MAX_QUADS 17152u

/* Both return the number of quads. If `light` is NULL, corners are omitted. */
uint32_t plain_face_mesh(const PlainAround *around, const CnLightBox *light, PlainQuad *quads);
uint32_t plain_greedy_mesh(const PlainAround *around, const CnLightBox *light, PlainQuad *quads);

#endif
