/* What the parts of the importer share. Only they see assimp. */
#ifndef CAIRN_RENDER_MODEL_IMPORT_H
#define CAIRN_RENDER_MODEL_IMPORT_H

#include "model_data.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/scene.h>

/* ---- Files: assimp sees what the file system shows, and nothing else ---- */

typedef struct CniImportFile {
    char *path; /* path_bytes with the terminator */
    size_t path_bytes;
    CnFileBytes bytes;
} CniImportFile;

typedef struct CniImportFiles {
    struct aiFileIO io;
    CnFileSystem *files;
    CnAllocator *allocator;
    uint64_t total_bytes;
    CN_ARRAY(CniImportFile) read; /* the first is the main one, whose bytes belong to the caller */
} CniImportFiles;

bool cni_import_files_init(CniImportFiles *files, CnFileSystem *under, CnAllocator *allocator,
                           const char *path, CnFileBytes main);
void cni_import_files_fini(CniImportFiles *files);
/* One of them, read if it was not yet; NULL: cannot be. Good until the next is read. */
const CniImportFile *cni_import_file(CniImportFiles *files, const char *path);

/* ---- The import ---- */

/* One of the scene's tree, parents before children. */
typedef struct CniImportNode {
    const struct aiNode *node;
    uint32_t parent; /* + 1 */
    uint32_t kept;   /* number + 1 in data->nodes; 0: no joint needs it */
    bool is_moved;   /* by some clip, or an ancestor is */
    CnAffine place;  /* in the model, in rest */
} CniImportNode;

typedef struct CniImport {
    CniModelData *data;
    const struct aiScene *scene;
    const struct CniGltf *gltf; /* without a document where the file is no glTF */
    const char *path;
    CnText folder; /* of the path, with its last '/' */
    CnAllocator *allocator;
    CnError *error;
    CN_ARRAY(CniImportNode) nodes;
    CnHashMap by_name; /* hash of the name: number of the first node */
    CnU32Array meshes; /* number + 1 of scene->mMeshes[i] as it is; 0: not yet */
} CniImport;

bool cni_import_fails(const CniImport *import, CnErrorCode code, const char *what);
CnAffine cni_import_affine(const struct aiMatrix4x4 *matrix);
static inline CnText cni_import_text(const struct aiString *text)
{
    return (CnText){text->data, text->length < MAXLEN ? text->length : 0};
}

/* In this order. */
bool cni_import_materials(CniImport *import);
bool cni_import_tree(CniImport *import);  /* fills import->nodes */
bool cni_import_parts(CniImport *import); /* meshes, parts, joints */
bool cni_import_keep(CniImport *import);  /* the nodes of joints and their ancestors */
bool cni_import_clips(CniImport *import);

/* NULL: none. */
CniImportNode *cni_import_find(const CniImport *import, CnText name);

/* ---- Meshes ---- */

/* Appends vertices and indices; *number is its place among the meshes. */
bool cni_import_mesh(CniImport *import, const struct aiMesh *mesh, uint32_t *number);
/* The vertices of a mesh that shares them with no other. */
void cni_import_move(CniModelData *data, const CniModelMesh *mesh, const CnAffine *place);
/* Tangents along growing u. */
bool cni_make_tangents(CnVertex *vertices, uint32_t vertex_count, const uint32_t *indices,
                       uint32_t index_count, CnAllocator *allocator);
/* Gives a mesh its joints; its vertices come to lie in the model as they do in rest. */
bool cni_import_bones(CniImport *import, const struct aiMesh *from, CniModelMesh *mesh);
/* One joint for all of it. */
bool cni_import_stiff(CniImport *import, uint32_t node, CniModelMesh *mesh);

#endif
