/* Meshes in ODE, shared by bodies with the same file and scale. */
#ifndef CAIRN_SRC_PHYSICS_COLLISION_MESH_H
#define CAIRN_SRC_PHYSICS_COLLISION_MESH_H

#include "physics/collision_mesh_file.h"

#include <cairn/base/file.h>
#include <cairn/base/hash_map.h>
#include <cairn/physics/body.h>

#include <ode/ode.h>

/* Triangles of all meshes of a world together, each scale of a file counted: about 60 bytes each.
 */
#define CNI_PHYSICS_MAX_WORLD_TRIANGLES (1u << 23)

/* A file, read once for all scales and, if it cannot be read, once until it changes. */
typedef struct CniPhysicsMeshFile {
    char path[CN_MESH_PATH_BYTES];
    CniPhysicsTriangles triangles; /* as in the file; empty without users */
    uint32_t users;                /* meshes */
    CnFileInfo failed;             /* what could not be read because of `failure` */
    CnError failure;               /* code CN_OK: none */
} CniPhysicsMeshFile;

typedef struct CniPhysicsMesh {
    CniPhysicsMeshFile *file;
    uint64_t key; /* in `by_scale` */
    CnVec3 scale;
    uint32_t users;
    CniPhysicsTriangles triangles; /* scaled; ODE reads them in place */
    dTriMeshDataID data;
} CniPhysicsMesh;

typedef struct CniPhysicsMeshCache {
    CnAllocator *allocator;
    CnFileSystem *files;
    CnHashMap by_path;  /* hash of the path -> CniPhysicsMeshFile *; kept until the end */
    CnHashMap by_scale; /* hash of path and scale -> CniPhysicsMesh * */
    uint32_t triangles; /* of all meshes */
} CniPhysicsMeshCache;

void cni_physics_meshes_init(CniPhysicsMeshCache *meshes, CnAllocator *allocator,
                             CnFileSystem *files);
void cni_physics_meshes_fini(CniPhysicsMeshCache *meshes);
/* Returns NULL and an error when it cannot be read. */
CniPhysicsMesh *cni_physics_mesh_acquire(CniPhysicsMeshCache *meshes, const char *path,
                                         CnVec3 scale, CnError *error);
void cni_physics_mesh_release(CniPhysicsMeshCache *meshes, CniPhysicsMesh *mesh);

#endif
