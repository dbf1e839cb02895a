/* Declarations shared by the importer files. Only they use assimp. */
#ifndef CAIRN_SRC_RENDER_ASSET_MODEL_IMPORT_H
#define CAIRN_SRC_RENDER_ASSET_MODEL_IMPORT_H

#include "render/asset/model_data.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/scene.h>

/* ---- Files: assimp has access to the given file system only ---- */

typedef struct CniRenderImportFile {
    char *path; /* path_bytes with the terminator */
    size_t path_bytes;
    CnFileBytes bytes;
} CniRenderImportFile;

typedef struct CniRenderImportFiles {
    struct aiFileIO io;
    CnFileSystem *files;
    CnAllocator *allocator;
    uint64_t total_bytes;
    CN_ARRAY(CniRenderImportFile)
    read; /* the first is the main file, whose bytes the caller owns */
} CniRenderImportFiles;

bool cni_render_import_files_init(CniRenderImportFiles *files, CnFileSystem *under,
                                  CnAllocator *allocator, const char *path, CnFileBytes main);
void cni_render_import_files_fini(CniRenderImportFiles *files);
/* Returns a file, reading it if necessary; NULL if that fails. Valid until the next file is
 * read. */
const CniRenderImportFile *cni_render_import_file(CniRenderImportFiles *files, const char *path);

/* ---- The import ---- */

/* A node of the scene tree, parents before children. */
typedef struct CniRenderImportNode {
    const struct aiNode *node;
    uint32_t parent; /* + 1 */
    uint32_t kept;   /* index + 1 in data->nodes; 0: no joint needs it */
    bool is_moved;   /* by a clip, directly or through an ancestor */
    CnAffine place;  /* in the model, in the rest pose */
} CniRenderImportNode;

typedef struct CniRenderImport {
    CniRenderModelData *data;
    const struct aiScene *scene;
    const struct CniRenderGltf *gltf; /* has no document if the file is not glTF */
    const char *path;
    CnText folder; /* of the path, with the trailing '/' */
    CnAllocator *allocator;
    CnError *error;
    CN_ARRAY(CniRenderImportNode) nodes;
    CnHashMap by_name; /* hash of the name: index of the first node */
    CnU32Array meshes; /* index + 1 of scene->mMeshes[i] without changes; 0: not yet */
} CniRenderImport;

bool cni_render_import_fails(const CniRenderImport *import, CnErrorCode code, const char *what);
CnAffine cni_render_import_affine(const struct aiMatrix4x4 *matrix);
static inline CnText cni_render_import_text(const struct aiString *text)
{
    return (CnText){text->data, text->length < MAXLEN ? text->length : 0};
}

/* Called in this order. */
bool cni_render_import_materials(CniRenderImport *import);
bool cni_render_import_tree(CniRenderImport *import);  /* fills import->nodes */
bool cni_render_import_parts(CniRenderImport *import); /* meshes, parts, joints */
bool cni_render_import_keep_nodes(
    CniRenderImport *import); /* keeps the nodes of joints and their ancestors */
bool cni_render_import_clips(CniRenderImport *import);

/* Returns NULL if there is none. */
CniRenderImportNode *cni_render_import_find(const CniRenderImport *import, CnText name);

/* ---- Meshes ---- */

/* Appends vertices and indices; *number receives the index of the mesh. */
bool cni_render_import_mesh(CniRenderImport *import, const struct aiMesh *mesh, uint32_t *number);
/* Transforms the vertices of a mesh that shares them with no other. */
void cni_render_import_move(CniRenderModelData *data, const CniRenderModelMesh *mesh,
                            const CnAffine *place);
/* Computes tangents along increasing u. */
bool cni_render_make_tangents(CnVertex *vertices, uint32_t vertex_count, const uint32_t *indices,
                              uint32_t index_count, CnAllocator *allocator);
/* Adds the joints of a mesh and transforms its vertices to their rest pose in the model. */
bool cni_render_import_bones(CniRenderImport *import, const struct aiMesh *from,
                             CniRenderModelMesh *mesh);
/* Attaches the whole mesh to one joint. */
bool cni_render_import_rigid(CniRenderImport *import, uint32_t node, CniRenderModelMesh *mesh);

#endif
