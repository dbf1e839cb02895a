/* Far terrain tiles within 2 km of a camera. Each run starts with an empty generator cache, like a
 * game that has just started. */
#include "bench.h"

#include <cairn/base/clock.h>
#include <cairn/voxel/lod.h>

#define SEED 42

typedef struct Work {
    CnLodTile tiles[CN_LOD_MAX_TILES];
    uint32_t count;
    uint64_t quads;
    CnLodMesh mesh;
} Work;

static uint64_t build_all(void *state)
{
    Work *work = state;
    CnGenerator *generator =
        need(cn_generator_create(&(CnGeneratorDesc){.blocks = bench_blocks, .seed = SEED}, NULL));
    CnGenerateScratch *scratch = need(cn_generate_scratch_create(generator));
    work->quads = 0;
    uint64_t begin = cn_clock_ns();
    for (uint32_t i = 0; i < work->count; i++) {
        expect(cn_lod_build(NULL, generator, scratch, work->tiles[i], &work->mesh), "a tile");
        work->quads += work->mesh.count;
    }
    uint64_t ns = cn_clock_ns() - begin;
    cn_generate_scratch_destroy(scratch);
    cn_generator_destroy(generator);
    return ns;
}

Figures measure_lod_view(const Case *run)
{
    Work *work = need_array(1, sizeof *work);
    uint32_t all = cn_lod_select(&(CnLodView){.near_edge = 128}, work->tiles, CN_LOD_MAX_TILES);
    work->count = all < run->n ? all : run->n;
    Figures figures = take_turns(run, build_all, NULL, work, work->count);
    figures.extras[0] = (Extra){"tiles", work->count};
    figures.extras[1] = (Extra){"quads", (double)work->quads / work->count};
    cn_lod_mesh_fini(NULL, &work->mesh);
    free(work);
    return figures;
}
