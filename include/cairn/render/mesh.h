/*
 * Meshes: triangles in GPU memory.
 *
 *     CnMeshDesc desc = {.name = "terrain",
 *                        .vertices = vertices,
 *                        .vertex_count = vertex_count,
 *                        .indices = indices,
 *                        .index_count = index_count};
 *     CnMesh terrain = cn_mesh_create(renderer, &desc, &error);
 *     CnMesh ball = cn_mesh_shape(renderer, CN_MESH_SPHERE, &error); // radius 1/2
 *
 * All meshes share one vertex buffer and one index buffer, so drawing different meshes requires no
 * rebinding. Front faces are counter-clockwise.
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
    CnVec3 normal; /* unit length */
    /* along increasing u; w is 1 or -1, bitangent = w * cross(normal, tangent). All 0: each pixel
     * derives it from the texture coordinates of its triangle */
    CnVec4 tangent;
    CnVec2 uv;        /* origin at the top left */
    uint8_t color[4]; /* linear, multiplied with the material's; all 0 selects white */
} CnVertex;

/* The joints that move a vertex, and their weights, which are normalized to a sum of 255. */
typedef struct CnVertexSkin {
    uint8_t joints[4], weights[4];
} CnVertexSkin;

typedef struct CnMeshDesc {
    const char *name;
    const CnVertex *vertices; /* copied */
    uint32_t vertex_count;
    const uint32_t *indices;
    uint32_t index_count;     /* a multiple of 3 */
    const CnVertexSkin *skin; /* one per vertex, or NULL */
    const CnVec2 *second_uv;  /* one per vertex, or NULL: CnTextureCoordinates.set */
} CnMeshDesc;

/* Creates a mesh. Returns null and an error if an index is out of range, a number is not finite, or
 * memory runs out. */
CN_API CnMesh cn_mesh_create(CnRenderer *renderer, const CnMeshDesc *desc, CnError *error);
/* Destroys a mesh once no frame in flight uses it. */
CN_API void cn_mesh_destroy(CnRenderer *renderer, CnMesh mesh);

typedef struct CnMeshInfo {
    const char *name;
    uint32_t vertex_count, index_count;
    /* Bounds of the positions; of skinned meshes in the rest pose, of meshes with morph targets in
     * all shapes. */
    CnVec3 minimum, maximum;
    CnVec3 center;
    float radius;
    bool is_skinned;
} CnMeshInfo;
/* Returns name, size and bounds of a mesh. */
CN_API CnMeshInfo cn_mesh_info(const CnRenderer *renderer, CnMesh mesh);

/* ---- Shapes: of size 1, centered at the origin, with normals, tangents and uv ---- */

typedef enum CnMeshShape {
    CN_MESH_CUBE,     /* "shapes://cube" */
    CN_MESH_SPHERE,   /* "shapes://sphere" */
    CN_MESH_PLANE,    /* "shapes://plane", faces +y */
    CN_MESH_QUAD,     /* "shapes://quad", faces +z */
    CN_MESH_CYLINDER, /* "shapes://cylinder", along y */
    CN_MESH_CONE,     /* "shapes://cone" */
    CN_MESH_CAPSULE,  /* "shapes://capsule", height 2, radius 1/2 */
    CN_MESH_TORUS,    /* "shapes://torus", about y, radii 0.35 and 0.15 */
    CN_MESH_SHAPE_COUNT
} CnMeshShape;

/* Returns a shape, which is created on first use. */
CN_API CnMesh cn_mesh_shape(CnRenderer *renderer, CnMeshShape shape, CnError *error);
/* Returns the shape with a name such as "sphere"; CN_MESH_SHAPE_COUNT if there is none. */
CN_API CnMeshShape cn_mesh_shape_from_name(const char *name);

CN_EXTERN_C_END

#endif
