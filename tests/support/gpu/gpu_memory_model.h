/*
 * A model of a GPU's memory that reads the null backend's log. It knows nothing of the render
 * graph: each access runs in stages, sees a write only if barriers led from it to these stages, and
 * may write only what no stage is still reading; textures have layouts; resources at the same place
 * share its fate.
 */
#ifndef CAIRN_TESTS_SUPPORT_GPU_GPU_MEMORY_MODEL_H
#define CAIRN_TESTS_SUPPORT_GPU_GPU_MEMORY_MODEL_H

#include "random_graph.h"

#define MODEL_STAGES 8u
#define MODEL_PARTS 16u
#define MODEL_RESOURCES 512u

typedef struct ModelPart {
    uint32_t write_stages;              /* of the last write; 0: none */
    uint32_t seen_by;                   /* stages that see it */
    uint32_t read_stages;               /* since then */
    uint32_t after_reads[MODEL_STAGES]; /* by stage that reads: stages that come after */
    uint32_t accesses;                  /* that the barriers so far allow */
    uint32_t layout;
    bool has_contents;
    uint32_t version; /* in this frame; 0: older */
} ModelPart;

typedef struct ModelResource {
    bool is_texture;
    uint32_t id, mips, layers;
    uint32_t heap; /* 0: not in one */
    uint64_t offset, end;
    ModelPart parts[MODEL_PARTS];
} ModelResource;

typedef struct MemoryModel {
    ModelResource resources[MODEL_RESOURCES];
    uint32_t count;
    uint32_t barriers, uses; /* seen so far */
} MemoryModel;

/* Fails the test if the frame that was executed last has an access without the barrier it needs, a
 * barrier that nobody needs, or a pass that reads another version than it declared. `heap` tells
 * heaps apart. */
void memory_model_check(MemoryModel *model, const RandomGraph *random, uint32_t heap);

#endif
