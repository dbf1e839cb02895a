/*
 * Meshes: triangles in the renderer's memory.
 *
 *     CnMesh ball = cn_mesh_shape(renderer, CN_MESH_SPHERE, &error);           // radius 1/2
 *     CnMesh terrain = cn_mesh_create(renderer, &(CnMeshDesc){.name = "terrain", .vertices = vertices,
 *         .vertex_count = n, .indices = indices, .index_count = m}, &error);
 *
 * All of them share one buffer of vertices and one of indices, so that draws of different meshes need nothing
 * bound in between. Front faces are counter-clockwise.
 */
#ifndef CAIRN_RENDER_MESH_H
#define CAIRN_RENDER_MESH_H

#include <cairn/base/vector.h>
#include <cairn/render/shader.h>

CN_EXTERN_C_BEGIN

#define CN_MAX_MESHES 65536u

typedef struct CnMesh {
    uint32_t id;
} CnMesh;

typedef struct CnVertex {
    CnVec3 position;
    CnVec3 normal; /* of length 1 */
    CnVec4
        tangent; /* along growing u; w: 1 or -1, bitangent = w * cross(normal, tangent). All 0: made up */
    CnVec2 uv;        /* from the top left */
    uint8_t color[4]; /* linear, times the material's; all 0 means white */
} CnVertex;

/* Which joints move a vertex, and how much: weights are made to add up to 255. */
typedef struct CnVertexSkin {
    uint8_t joints[4], weights[4];
} CnVertexSkin;

typedef struct CnMeshDesc {
    const char *name;
    const CnVertex *vertices; /* copied */
    uint32_t vertex_count;
    const uint32_t *indices;
    uint32_t index_count;     /* a multiple of 3 */
    const CnVertexSkin *skin; /* as many as vertices, or NULL */
} CnMeshDesc;

/* Null and an error for indices that lead nowhere, numbers that are not finite, or when memory runs out. */
CN_API CnMesh cn_mesh_create(CnRenderer *renderer, const CnMeshDesc *desc, CnError *error);
/* Frames in flight keep what they use. */
CN_API void cn_mesh_destroy(CnRenderer *renderer, CnMesh mesh);

typedef struct CnMeshInfo {
    const char *name;
    uint32_t vertex_count, index_count;
    CnVec3 minimum, maximum; /* of positions; of skinned ones in rest */
    CnVec3 centre;
    float radius;
    bool is_skinned;
} CnMeshInfo;
CN_API CnMeshInfo cn_mesh_info(const CnRenderer *renderer, CnMesh mesh);

/* ---- Shapes: of size 1, about the origin, with normals, tangents and uv ---- */

typedef enum CnShape {
    CN_MESH_CUBE,     /* "shapes://cube" */
    CN_MESH_SPHERE,   /* "shapes://sphere" */
    CN_MESH_PLANE,    /* "shapes://plane", looks along +y */
    CN_MESH_QUAD,     /* "shapes://quad", looks along +z */
    CN_MESH_CYLINDER, /* "shapes://cylinder", along y */
    CN_MESH_CONE,     /* "shapes://cone" */
    CN_MESH_CAPSULE,  /* "shapes://capsule", height 2, radius 1/2 */
    CN_MESH_TORUS,    /* "shapes://torus", about y, radii 0.35 and 0.15 */
    CN_MESH_SHAPES
} CnShape;

/* Made on first use, then always the same. */
CN_API CnMesh cn_mesh_shape(CnRenderer *renderer, CnShape shape, CnError *error);
/* The shape of a name such as "sphere"; CN_MESH_SHAPES: none. */
CN_API CnShape cn_shape_from_name(const char *name);

CN_EXTERN_C_END

#endif
