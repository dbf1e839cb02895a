/* The contents of an OBJ file, and its conversion to meshes. */
#ifndef CAIRN_SRC_RENDER_IMPORT_OBJ_MESH_H
#define CAIRN_SRC_RENDER_IMPORT_OBJ_MESH_H

#include "render/import/obj.h"

/* Indices from 1; 0: none. */
typedef struct CniRenderObjCorner {
    uint32_t position, uv, normal;
} CniRenderObjCorner;

typedef struct CniRenderObjFace {
    uint32_t first_corner, corner_count;
    uint32_t mesh;
    uint32_t smoothing; /* group; 0: flat, if it has no normals */
} CniRenderObjFace;

typedef struct CniRenderObjMesh {
    CnText name;
    uint32_t material; /* index + 1 in data->materials */
    uint32_t face_count, corner_count;
    uint32_t first_face; /* in the order of meshes */
} CniRenderObjMesh;

typedef struct CniRenderObj {
    CniRenderImport *import;
    uint32_t line_number;
    CN_ARRAY(CnVec3) positions;
    CN_ARRAY(CnVec3) normals;
    CN_ARRAY(CnVec2) uvs;
    CnU32Array colors; /* per position; fewer if only the first ones have colors */
    CN_ARRAY(CniRenderObjCorner) corners;
    CN_ARRAY(CniRenderObjFace) faces;
    CN_ARRAY(CniRenderObjMesh) meshes;
    CnHashMap mesh_of; /* hash of name and material: index in `meshes` */
    CniRenderObjMaterials materials;
    /* The state of the file, as the last statements set it. */
    CnText name;
    uint32_t material, mesh, smoothing;
} CniRenderObj;

/* Adds all meshes and parts to the model. */
bool cni_render_obj_add_meshes(CniRenderObj *obj);

#endif
