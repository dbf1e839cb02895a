/* Meshing of generated surface chunks, from packed chunks to quads, compared with simple meshers
 * that start from plain arrays. */
#include "bench.h"
#include "plain_mesh.h"

#include <cairn/voxel/generate.h>

#include <string.h>

#define SEED 42

/* A surface chunk and its surroundings, packed and plain. */
typedef struct Site {
    CnNeighborhood around;
    PlainAround plain;
    CnBlock blocks[27][CN_CHUNK_BLOCKS];
    CnLightBox light;
} Site;

typedef struct Work {
    uint32_t count;
    Site *sites;
    CnChunkMeshScratch *scratch;
    PlainQuad *quads;
    bool lit;
} Work;

/* ---- Sites ---- */

/* Finds the sky heights of one chunk column, from the top downwards until everything is covered. */
static void find_sky(CnGenerator *generator, CnGenerateScratch *scratch, CnChunkPos lowest,
                     int32_t open[256])
{
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    int32_t top = cn_generate_max_height(generator, scratch, lowest.x, lowest.z);
    for (uint32_t i = 0; i < 256; i++)
        open[i] = INT32_MIN;
    for (int32_t y = top >> 4; y >= lowest.y; y--) {
        cn_generate(generator, scratch, (CnChunkPos){lowest.x, y, lowest.z}, blocks);
        for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
            int32_t *here = &open[(i & 15) + 16 * (i >> 8)], above = 16 * y + (i >> 4 & 15) + 1;
            if (bench_blocks->flags[blocks[i]] & CN_BLOCK_DIMS_LIGHT && *here < above)
                *here = above;
        }
    }
}

static void make_site(CnGenerator *generator, CnGenerateScratch *scratch, CnLightScratch *light,
                      CnChunkPos column, Site *site)
{
    int32_t open[9][256];
    CnLightSky sky;
    column.y =
        cn_generate_column(generator, scratch, 16 * column.x + 8, 16 * column.z + 8).ground >> 4;
    site->around.position = column;
    for (uint32_t i = 0; i < 27; i++) {
        CnChunkPos position = {column.x + (int32_t)(i % 3) - 1, column.y + (int32_t)(i / 3 % 3) - 1,
                               column.z + (int32_t)(i / 9) - 1};
        cn_generate(generator, scratch, position, site->blocks[i]);
        site->plain.chunks[i] = site->blocks[i];
        site->around.chunks[i] = need(cn_chunk_create(NULL, bench_blocks, site->blocks[i]));
        if (i / 3 % 3 == 0) {
            uint32_t at = i % 3 + 3 * (i / 9);
            find_sky(generator, scratch, position, open[at]);
            sky.open[at] = open[at];
        }
    }
    cn_light_build(light, &site->around, &sky, &site->light);
}

static void make_sites(Work *work)
{
    CnGenerator *generator = need(cn_generator_create(
        &(CnGeneratorDesc){.blocks = bench_blocks, .seed = SEED}, &(CnError){0}));
    CnGenerateScratch *scratch = need(cn_generate_scratch_create(generator));
    CnLightScratch *light = need(cn_light_scratch_create(NULL, bench_blocks));
    work->sites = need_array(work->count, sizeof *work->sites);
    for (uint32_t i = 0; i < work->count; i++)
        make_site(generator, scratch, light,
                  (CnChunkPos){(int32_t)(i % 8) * 19, 0, (int32_t)(i / 8) * 23}, &work->sites[i]);
    cn_light_scratch_destroy(light);
    cn_generate_scratch_destroy(scratch);
    cn_generator_destroy(generator);
}

/* ---- Sides ---- */

static uint64_t run_ours(void *state)
{
    Work *work = state;
    CnChunkMesh mesh;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < work->count; i++) {
        Site *site = &work->sites[i];
        cn_chunk_mesh_build(work->scratch, &site->around, work->lit ? &site->light : NULL, &mesh);
        measure_keep(mesh.quads);
    }
    return cn_clock_ns() - start;
}

static uint64_t run_plain(Work *work, bool lit)
{
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < work->count; i++) {
        Site *site = &work->sites[i];
        plain_greedy_mesh(&site->plain, lit ? &site->light : NULL, work->quads);
        measure_keep(work->quads);
    }
    return cn_clock_ns() - start;
}

static uint64_t run_greedy(void *state)
{
    return run_plain(state, false);
}

static uint64_t run_greedy_lit(void *state)
{
    return run_plain(state, true);
}

static uint64_t run_faces(void *state)
{
    Work *work = state;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < work->count; i++) {
        Site *site = &work->sites[i];
        plain_face_mesh(&site->plain, work->lit ? &site->light : NULL, work->quads);
        measure_keep(work->quads);
    }
    return cn_clock_ns() - start;
}

/* Number of faces covered by quads; the same for all meshers. */
static uint64_t area_of_ours(const CnChunkMesh *mesh)
{
    uint64_t area = 0;
    for (uint32_t i = 0; i < mesh->count; i++) {
        CnQuadFields quad = cn_quad_unpack(mesh->quads[i], CN_CHUNK_MESH_OPAQUE);
        area += (uint64_t)quad.width * quad.height;
    }
    return area;
}

static uint64_t area_of_plain(const PlainQuad *quads, uint32_t count)
{
    uint64_t area = 0;
    for (uint32_t i = 0; i < count; i++)
        area += (uint64_t)quads[i].width * quads[i].height;
    return area;
}

/* Counts quads, after checking that all three do the same work. */
static void count_quads(Work *work, double *ours, double *greedy, double *faces)
{
    *ours = *greedy = *faces = 0;
    for (uint32_t i = 0; i < work->count; i++) {
        Site *site = &work->sites[i];
        const CnLightBox *light = work->lit ? &site->light : NULL;
        CnChunkMesh mesh;
        cn_chunk_mesh_build(work->scratch, &site->around, light, &mesh);
        uint64_t area = area_of_ours(&mesh);
        uint32_t merged = plain_greedy_mesh(&site->plain, light, work->quads);
        expect(area_of_plain(work->quads, merged) == area, "greedy meshes cover the same");
        uint32_t single = plain_face_mesh(&site->plain, light, work->quads);
        expect(single == area, "meshes cover all faces");
        *ours += mesh.count / (double)work->count;
        *greedy += merged / (double)work->count;
        *faces += single / (double)work->count;
    }
}

static Figures measure_meshes(const Case *run, bool lit)
{
    Work work = {.count = run->n, .lit = lit};
    work.scratch = need(cn_chunk_mesh_scratch_create(NULL));
    work.quads = need_array(PLAIN_MAX_QUADS, sizeof *work.quads);
    make_sites(&work);
    double quads, greedy_quads, faces;
    count_quads(&work, &quads, &greedy_quads, &faces);
    Figures figures = take_turns(run, run_ours, run_greedy, &work, run->n);
    Figures naive = take_turns(run, run_faces, lit ? run_greedy_lit : NULL, &work, run->n);
    figures.extras[0] = (Extra){"quads", quads};
    figures.extras[1] = (Extra){"raw_quads", greedy_quads};
    figures.extras[2] = (Extra){"faces", faces};
    figures.extras[3] = (Extra){"faces_ns", naive.ns};
    if (lit)
        figures.extras[4] = (Extra){"raw_lit_ns", naive.raw_ns};
    for (uint32_t i = 0; i < 27 * work.count; i++)
        cn_chunk_release((CnChunk *)work.sites[i / 27].around.chunks[i % 27]);
    free(work.sites);
    free(work.quads);
    cn_chunk_mesh_scratch_destroy(work.scratch);
    return figures;
}

Figures measure_mesh_surface(const Case *run)
{
    return measure_meshes(run, false);
}

/* The reference has neither occlusion nor light; this is the limit for the cost of both. */
Figures measure_mesh_surface_lit(const Case *run)
{
    return measure_meshes(run, true);
}
