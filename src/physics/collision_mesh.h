/* Meshes in ODE, shared by bodies with the same file and scale. */
#ifndef CAIRN_SRC_PHYSICS_COLLISION_MESH_H
#define CAIRN_SRC_PHYSICS_COLLISION_MESH_H

#include "physics/collision_mesh_file.h"

#include <cairn/base/file.h>
#include <cairn/physics/body.h>

#include <ode/ode.h>

typedef struct CniPhysicsMesh {
    char path[CN_MESH_PATH_BYTES];
    CnVec3 scale;
    uint32_t users;
    CniPhysicsTriangles triangles; /* scaled; ODE reads them in place */
    dTriMeshDataID data;
} CniPhysicsMesh;

typedef struct CniPhysicsMeshCache {
    CnAllocator *allocator;
    CnFileSystem *files;
    CN_ARRAY(CniPhysicsMesh *) meshes;
} CniPhysicsMeshCache;

void cni_physics_meshes_init(CniPhysicsMeshCache *meshes, CnAllocator *allocator,
                             CnFileSystem *files);
void cni_physics_meshes_fini(CniPhysicsMeshCache *meshes);
/* Returns NULL and an error when it cannot be read. */
CniPhysicsMesh *cni_physics_mesh_acquire(CniPhysicsMeshCache *meshes, const char *path,
                                         CnVec3 scale, CnError *error);
void cni_physics_mesh_release(CniPhysicsMeshCache *meshes, CniPhysicsMesh *mesh);

#endif
