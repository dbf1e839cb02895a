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
    uint32_t joints; /* index of the first joint in the frame + 1; 0: not skinned */
    int32_t skin;
};

/* An item whose model has joints. */
struct CniRenderSkinnedItem {
    uint32_t source;
    CnModel model;
    uint32_t first, count;
};

/* Updates renderer->items.sources, .parts and .posed for the snapshot. Returns false if out of
 * memory; they are empty then. */
bool cni_render_item_plan_update(CnRenderer *renderer, const CnRenderSnapshot *snapshot);

#endif
