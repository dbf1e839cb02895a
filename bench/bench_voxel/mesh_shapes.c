/* Meshing of a chunk full of stairs, compared with a simple program that draws every box whole. */
#include "bench.h"
#include "plain_mesh.h"

#include <cairn/voxel/mesh.h>

#include <stdlib.h>
#include <string.h>

typedef struct Work {
    CnNeighborhood around;
    CnBlock blocks[CN_CHUNK_BLOCKS];
    CnLightBox light;
    CnChunkMeshScratch *scratch;
    PlainQuad *quads;
    uint32_t count; /* of the last mesh of the simple program */
} Work;

static uint64_t run_ours(void *state)
{
    Work *work = state;
    CnChunkMesh mesh;
    uint64_t start = cn_clock_ns();
    cn_chunk_mesh_build(work->scratch, &work->around, &work->light, &mesh);
    measure_keep(mesh.quads);
    return cn_clock_ns() - start;
}

static uint64_t run_boxes(void *state)
{
    Work *work = state;
    uint64_t start = cn_clock_ns();
    work->count = 0;
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
        const CnBlockShape *shape = cn_block_shape(bench_blocks, work->blocks[i]);
        uint32_t light =
            work->light
                .cells[cn_padded_index((int32_t)i & 15, (int32_t)i >> 4 & 15, (int32_t)i >> 8)];
        for (uint32_t k = 0; k < 6 * shape->count; k++)
            work->quads[work->count++] = (PlainQuad){.face = (uint8_t)(k % 6),
                                                     .x = i & 15,
                                                     .y = i >> 4 & 15,
                                                     .z = (uint8_t)(i >> 8),
                                                     .width = 1,
                                                     .height = 1,
                                                     .block = work->blocks[i],
                                                     .corners = light};
    }
    measure_keep(work->quads);
    return cn_clock_ns() - start;
}

Figures measure_mesh_stairs(const Case *run)
{
    static const char *const names[] = {"oak_stairs_north", "oak_stairs_east", "oak_stairs_south",
                                        "oak_stairs_west", "oak_stairs_north_top"};
    Work *work = need_array(1, sizeof *work);
    CnBlock stairs[5];
    for (uint32_t i = 0; i < 5; i++)
        stairs[i] = cn_block_find(bench_blocks, names[i]);
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++)
        work->blocks[i] = stairs[(i * 2654435761u >> 16) % 5];
    memset(&work->light, 0xF0, sizeof work->light);
    work->around.chunks[13] = need(cn_chunk_create(NULL, bench_blocks, work->blocks));
    work->scratch = need(cn_chunk_mesh_scratch_create(NULL));
    work->quads = need_array(CN_CHUNK_BLOCKS * 6 * CN_BLOCK_SHAPE_BOXES, sizeof *work->quads);
    Figures figures = take_turns(run, run_ours, run_boxes, work, run->n);
    CnChunkMesh mesh;
    cn_chunk_mesh_build(work->scratch, &work->around, &work->light, &mesh);
    expect(mesh.count > CN_CHUNK_BLOCKS, "the chunk shows its stairs");
    figures.extras[0] = (Extra){"quads", mesh.count};
    figures.extras[1] = (Extra){"raw_quads", work->count};
    cn_chunk_release((CnChunk *)work->around.chunks[13]);
    cn_chunk_mesh_scratch_destroy(work->scratch);
    free(work->quads);
    free(work);
    return figures;
}
