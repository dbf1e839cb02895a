/* Meshes in ODE, shared by bodies with the same file and scale. */
#ifndef CAIRN_SRC_PHYSICS_COLLISION_MESH_H
#define CAIRN_SRC_PHYSICS_COLLISION_MESH_H

#include "physics/collision_mesh_file.h"

#include <cairn/base/file.h>
#include <cairn/physics/body.h>

#include <ode/ode.h>

typedef struct CniMesh {
    char path[CN_MESH_PATH_BYTES];
    CnVec3 scale;
    uint32_t users;
    CniTriangles triangles; /* scaled; ODE reads them in place */
    dTriMeshDataID data;
} CniMesh;

typedef struct CniMeshes {
    CnAllocator *allocator;
    CnFileSystem *files;
    CN_ARRAY(CniMesh *) meshes;
} CniMeshes;

void cni_meshes_init(CniMeshes *meshes, CnAllocator *allocator, CnFileSystem *files);
void cni_meshes_fini(CniMeshes *meshes);
/* Returns NULL and an error when it cannot be read. */
CniMesh *cni_mesh_acquire(CniMeshes *meshes, const char *path, CnVec3 scale, CnError *error);
void cni_mesh_release(CniMeshes *meshes, CniMesh *mesh);

#endif
