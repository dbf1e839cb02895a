/*
 * The plan of a snapshot's items: into which parts they fall, and what of these does not hang on where they are. It
 * is made once, and again when items have other meshes, materials or flags, or when one of those has changed.
 */
#ifndef CAIRN_SRC_RENDER_ITEM_PLAN_H
#define CAIRN_SRC_RENDER_ITEM_PLAN_H

#include "renderer.h"

/* Position, rotation and scale, as they lie in CnRenderItem. */
typedef struct CniPlace {
    CnVec3 position;
    CnQuat rotation;
    CnVec3 scale;
} CniPlace;

/* An item of the snapshot, and where it was drawn last. */
struct CniSource {
    CniPlace place;
    uint32_t value;
    uint32_t mesh, material, flags;
    uint32_t first_part, part_count;
    uint32_t written; /* in how many of the instance buffer's slots that is what stands there */
};

/* A part of a model that an item shows. */
struct CniPart {
    const CniModelPart *moved; /* NULL: it has no place of its own */
    CnVec3 centre;             /* of the mesh */
    float radius;
    uint64_t key; /* of an item that is not mirrored */
    uint32_t material;
    uint32_t joints; /* first in the frame + 1; 0: not skinned */
    int32_t skin;
};

/* An item whose model has joints. */
struct CniPosed {
    uint32_t source;
    CnModel model;
    uint32_t first, count;
};

/* Makes renderer->items.sources, .parts and .posed fit the snapshot. False when out of memory: there are none then. */
bool cni_plan_update(CnRenderer *renderer, const CnRenderSnapshot *snapshot);

#endif
