/*
 * Import of models from files: glTF 2.0 (.gltf, .glb) and Wavefront OBJ (.obj with .mtl).
 *
 * Both readers check all data of a file before using it, take time that is linear in its size, and
 * share what this header declares: access to further files, and the functions that add meshes,
 * textures and tangents to a CniRenderModelData.
 */
#ifndef CAIRN_SRC_RENDER_IMPORT_IMPORT_H
#define CAIRN_SRC_RENDER_IMPORT_IMPORT_H

#include "render/asset/model_data.h"

#define CNI_RENDER_IMPORT_MAX_FILES 256u

/* ---- The import ---- */

typedef struct CniRenderImportFile {
    char *path; /* path_bytes with the terminator */
    size_t path_bytes;
    CnFileBytes bytes;
} CniRenderImportFile;

typedef struct CniRenderImport {
    CniRenderModelData *data;
    CnFileSystem *files;
    CnAllocator *allocator; /* for the time of the import */
    const CnBudget *budget; /* of the model's file */
    /* Of a further file that is foreign, if the model's is not; NULL: none. */
    const CnBudget *foreign;
    CnError *error;
    const char *path;                   /* of the model */
    const char *scene;                  /* name; NULL: the one that the file selects */
    CnText main;                        /* its contents */
    CnText folder;                      /* of the path, with the trailing '/' */
    uint64_t total_bytes;               /* of all files together */
    CN_ARRAY(CniRenderImportFile) read; /* further files */
    CnHashMap texture_by_key;           /* hash of a texture: index in data->textures */
    /* Of the mesh that is being added, if it has morph targets: per vertex, its number at first. */
    CnU32Array origins;
} CniRenderImport;

/* Return false. The first sets an error at the model's file. */
bool cni_render_import_fails(const CniRenderImport *import, CnErrorCode code, const char *format,
                             ...) CN_PRINTF_LIKE(3, 4);
bool cni_render_import_memory(const CniRenderImport *import);

/* Resolves a URI reference such as "a%20b\c.png" in the folder of the model to "folder/a b/c.png".
 * Returns false if the result is too long or not a path. */
bool cni_render_import_resolve(const CniRenderImport *import, CnText uri,
                               char path[CNI_RENDER_PATH_MAX]);
/* Reads a further file by its path, once. Returns false with the reason in `error`. The bytes stay
 * valid until the import ends. */
bool cni_render_import_file(CniRenderImport *import, const char *path, CnText *bytes,
                            CnError *error);

/* Adds a texture unless an equal one exists; *number receives its index + 1. */
bool cni_render_import_texture(CniRenderImport *import, const CniRenderModelTexture *texture,
                               uint32_t *number);
/* Adds the mesh of a node, or of an instance of it; a mesh without triangles is left out. */
bool cni_render_import_part(CniRenderImport *import, uint32_t mesh, CnText name,
                            const CnAffine *place, uint32_t morph);

/* ---- Meshes ---- */

/* Checks that this many more vertices and indices are within the limits, which also depend on the
 * bytes that were read: a small file must not expand without bound. Reserves memory for them. */
bool cni_render_import_reserve(CniRenderImport *import, uint64_t vertices, uint64_t indices);

/* A mesh that is being added: its vertices and indices are at the end of the arrays. */
typedef struct CniRenderImportMesh {
    CniRenderModelMesh mesh;
    bool has_normals, has_tangents, has_uv;
    bool needs_tangents; /* if it has none; otherwise the shader derives them, if at all */
    bool is_ordered;     /* by cni_render_import_order, and vertices by first use */
} CniRenderImportMesh;

/* Returns whether tangents must be computed. */
static inline bool cni_render_import_lacks_tangents(const CniRenderImportMesh *mesh)
{
    return mesh->has_uv && mesh->needs_tangents && !(mesh->has_tangents && mesh->has_normals);
}

/* Returns the vector with length 1, or up if that is not possible. Vectors whose length differs
 * from 1 only by rounding stay as they are. */
static inline CnVec3 cni_render_import_unit(CnVec3 v)
{
    float squared = cn_vec3_dot(v, v);
    if (squared > 1 - 4e-7f && squared < 1 + 4e-7f)
        return v;
    v = cn_vec3_normalize(v);
    squared = cn_vec3_dot(v, v);
    return squared > 0.9f && squared < 1.1f ? v : cn_vec3(0, 1, 0);
}

/* Returns the normal of a triangle; up, if it has none. */
CnVec3 cni_render_import_face_normal(const CnVertex corners[3]);
/* Orders triangles for the cache of transformed vertices. Takes linear time. */
bool cni_render_import_order(CniRenderImport *import, uint32_t *indices, uint32_t index_count,
                             uint32_t vertex_count);
/* Gives a mesh without normals flat ones, computes missing tangents if
 * they are needed, optimizes the order of
 * triangles and vertices for the GPU unless that is done, and appends the mesh; *number receives
 * its index. */
bool cni_render_import_finish_mesh(CniRenderImport *import, CniRenderImportMesh *mesh,
                                   uint32_t *number);
/* Transforms the vertices and morph targets of a mesh that shares them with no other. */
void cni_render_import_move(CniRenderModelData *data, const CniRenderModelMesh *mesh,
                            const CnAffine *place);

/*
 * Computes the tangents of triangles as MikkTSpace does (M. Mikkelsen, "Simulation of Wrinkled
 * Surfaces Revisited", 2008), with the bitangent pointing to the top of the image. Vertices whose
 * corners have different tangents are duplicated at the end of data->vertices, and of data->skins
 * and import->origins if the mesh has them. Takes linear time.
 */
bool cni_render_import_tangents(CniRenderImport *import, CniRenderModelMesh *mesh);

/* ---- Half-precision floats ---- */

/* Rounds to the nearest; numbers that are too large become the largest. */
uint16_t cni_render_half_from_float(float value);
float cni_render_half_to_float(uint16_t half);

/* ---- Formats ---- */

bool cni_render_import_gltf(CniRenderImport *import);
bool cni_render_import_obj(CniRenderImport *import);

#endif
