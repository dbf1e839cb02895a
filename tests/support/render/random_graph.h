/*
 * Random render graphs, with a record of what was declared, for models to compare with.
 */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_RANDOM_GRAPH_H
#define CAIRN_TESTS_SUPPORT_RENDER_RANDOM_GRAPH_H

#include "random.h"

#include <cairn/render.h>

#define MAX_RANDOM_RESOURCES 32u
#define MAX_RANDOM_PASSES 40u
#define MAX_RANDOM_USES 8u    /* of a pass */
#define MAX_RANDOM_WRITES 64u /* of a resource */
#define RANDOM_IMPORTS 4u

typedef struct RandomUse {
    uint32_t resource, version; /* created by a write */
    CnGpuAccess access;
    bool writes, discards;
    uint32_t mip, mip_count, layer, layer_count;
} RandomUse;

typedef struct RandomPass {
    struct RandomGraph *graph;
    char name[16];
    CnGraphPassKind kind;
    RandomUse uses[MAX_RANDOM_USES];
    uint32_t use_count;
    bool has_run;
} RandomPass;

typedef struct RandomResource {
    bool is_texture, is_depth;
    CnGraphOrigin origin;
    uint32_t size, mips, layers;
    uint32_t ids[MAX_RANDOM_WRITES + 1]; /* handles by version */
    RandomUse writes[MAX_RANDOM_WRITES]; /* by version - 1 */
    uint32_t version;
    uint32_t written[MAX_RANDOM_WRITES + 1]; /* by version: bits by layer * mips + mip */
    uint32_t physical;                       /* its id, once a pass has run */
} RandomResource;

typedef struct RandomGraph {
    TestRandom random;
    CnGpu *gpu;
    CnGraph *graph;
    RandomResource resources[MAX_RANDOM_RESOURCES];
    uint32_t resource_count;
    RandomPass passes[MAX_RANDOM_PASSES];
    uint32_t pass_count;
    /* Imported resources, persistent over frames, and their access. */
    CnGpuTexture import_textures[RANDOM_IMPORTS];
    CnGpuBuffer import_buffers[RANDOM_IMPORTS];
    CnGpuAccess import_access[RANDOM_IMPORTS];
    /* Called by each pass that runs, if it is set. */
    void (*work)(const CnGraphRun *run, const RandomPass *pass, void *user);
    void *user;
} RandomGraph;

void random_graph_init(RandomGraph *random, CnGpu *gpu, CnGraph *graph, uint64_t seed);
void random_graph_fini(RandomGraph *random);
/* Begins a frame and declares resources and passes. */
void random_graph_declare(RandomGraph *random);
/* After the graph was executed. */
void random_graph_executed(RandomGraph *random);

#endif
