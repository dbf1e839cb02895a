/*
 * The plan of a snapshot's items: the model parts they consist of, and everything about these parts
 * that does not depend on their transforms. It is built once, and rebuilt when the meshes,
 * materials or flags of items change, or when one of these assets changes.
 */
#ifndef CAIRN_SRC_RENDER_CORE_ITEM_PLAN_H
#define CAIRN_SRC_RENDER_CORE_ITEM_PLAN_H

#include "render/core/renderer_internal.h"

/* Position, rotation and scale, laid out as in CnRenderItem. */
typedef struct CniRenderItemTransform {
    CnVec3 position;
    CnQuat rotation;
    CnVec3 scale;
} CniRenderItemTransform;

/* An item of the snapshot, and the transform with which it was last drawn. */
struct CniRenderItemSource {
    CniRenderItemTransform transform;
    uint32_t value;
    uint32_t mesh, material, flags;
    uint32_t first_part, part_count;
    uint32_t written; /* number of instance buffer slots that contain this transform */
};

/* A part of a model that belongs to an item. */
struct CniRenderItemPart {
    const CniRenderModelPart *moved; /* NULL: it has no transform of its own */
    CnVec3 center;                   /* of the mesh */
    float radius;
    uint64_t key; /* of an item that is not mirrored */
    uint32_t material;
    uint32_t joints; /* CniRenderInstance.joints */
    int32_t skin;
    uint32_t node; /* CniRenderModelPart.node */
};

/* An item whose model has joints. */
struct CniRenderSkinnedItem {
    uint32_t source;
    CnModel model;
    uint32_t first_row;
};

/* A part of an item whose mesh has morph targets. */
struct CniRenderMorphedPart {
    uint32_t source;
    CnModel model;
    uint32_t morph; /* of the model file */
    uint32_t target_count;
    uint32_t first_row;                    /* 1 + target_count / 2 rows, rounded up */
    uint32_t joints;                       /* row of the first joint + 1; 0: not skinned */
    uint32_t first_unit, units_per_target; /* of the deltas of vertex 0 in the pool of skins */
};

/* An item, and its model. */
struct CniRenderModelItem {
    uint32_t source;
    CnModel model;
};

/* A material that clips change: each item has a copy. */
struct CniRenderAnimatedMaterial {
    CniRenderModelItem item;
    uint32_t number; /* in the model file */
    CnMaterial material;
};

/* Returns the index of the copy of a part's material for the item that is being added. */
uint32_t cni_render_item_material(CnRenderer *renderer, CnModel model,
                                  const CniRenderModelPart *part);
/* Updates the copies of materials and the visibility of parts for the frame. */
void cni_render_items_animate(CnRenderer *renderer, const CnFrameDesc *frame_desc);
/* Returns the time of the clip that an item plays in the frame, and its number. */
float cni_render_item_time(const CnRenderer *renderer, const CnFrameDesc *frame_desc,
                           uint32_t source, uint32_t *clip);

/* Updates renderer->items.sources, .parts and those with joints, morph targets, lights or animated
 * properties for the snapshot. Returns false if
 * out of memory; they are empty then. */
bool cni_render_item_plan_update(CnRenderer *renderer, const CnRenderSnapshot *snapshot);

#endif
