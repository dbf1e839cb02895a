#include "physics/collision_mesh.h"

#include <string.h>

void cni_physics_meshes_init(CniPhysicsMeshCache *meshes, CnAllocator *allocator,
                             CnFileSystem *files)
{
    meshes->allocator = allocator;
    meshes->files = files;
    cn_array_init(&meshes->meshes, allocator);
}

static void mesh_destroy(CniPhysicsMeshCache *meshes, CniPhysicsMesh *mesh)
{
    if (mesh->data)
        dGeomTriMeshDataDestroy(mesh->data);
    cni_physics_triangles_fini(&mesh->triangles);
    cn_free(meshes->allocator, mesh, sizeof *mesh);
}

void cni_physics_meshes_fini(CniPhysicsMeshCache *meshes)
{
    for (uint32_t i = 0; i < meshes->meshes.count; i++)
        mesh_destroy(meshes, meshes->meshes.items[i]);
    cn_array_fini(&meshes->meshes);
}

static bool read_triangles(CniPhysicsMeshCache *meshes, CniPhysicsMesh *mesh, CnError *error)
{
    CnFileBytes bytes;
    if (!meshes->files)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "%s: meshes need CnPhysicsDesc.files, which is not set", mesh->path);
    if (!cn_file_read_all(meshes->files, mesh->path, meshes->allocator, &bytes, error))
        return false;
    bool read = cni_physics_mesh_parse(&mesh->triangles, mesh->path,
                                       (CnText){(const char *)bytes.data, bytes.size}, error);
    cn_file_bytes_free(&bytes);
    return read;
}

static void build(CniPhysicsMesh *mesh)
{
    float *corners = mesh->triangles.corners.items;
    for (uint32_t i = 0; i < mesh->triangles.corners.count; i += 3) {
        corners[i] *= mesh->scale.x;
        corners[i + 1] *= mesh->scale.y;
        corners[i + 2] *= mesh->scale.z;
    }
    mesh->data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(
        mesh->data, corners, 3 * sizeof(float), (int)(mesh->triangles.corners.count / 3),
        mesh->triangles.indices.items, (int)mesh->triangles.indices.count, 3 * sizeof(uint32_t));
}

CniPhysicsMesh *cni_physics_mesh_acquire(CniPhysicsMeshCache *meshes, const char *path,
                                         CnVec3 scale, CnError *error)
{
    for (uint32_t i = 0; i < meshes->meshes.count; i++) {
        CniPhysicsMesh *mesh = meshes->meshes.items[i];
        if (!strcmp(mesh->path, path) && mesh->scale.x == scale.x && mesh->scale.y == scale.y &&
            mesh->scale.z == scale.z) {
            mesh->users++;
            return mesh;
        }
    }
    CniPhysicsMesh *mesh = cn_alloc_zeroed(meshes->allocator, sizeof *mesh);
    if (!mesh || !cn_array_reserve(&meshes->meshes, (uint64_t)meshes->meshes.count + 1)) {
        cn_free(meshes->allocator, mesh, sizeof *mesh);
        cn_error_set(error, CN_ERROR_MEMORY, "%s: out of memory for the mesh", path);
        return NULL;
    }
    cni_physics_triangles_init(&mesh->triangles, meshes->allocator);
    cn_copy_text(mesh->path, sizeof mesh->path, cn_text(path));
    mesh->scale = scale;
    mesh->users = 1;
    if (!read_triangles(meshes, mesh, error)) {
        mesh_destroy(meshes, mesh);
        return NULL;
    }
    build(mesh);
    meshes->meshes.items[meshes->meshes.count++] = mesh;
    return mesh;
}

void cni_physics_mesh_release(CniPhysicsMeshCache *meshes, CniPhysicsMesh *mesh)
{
    if (--mesh->users)
        return;
    for (uint32_t i = 0; i < meshes->meshes.count; i++)
        if (meshes->meshes.items[i] == mesh)
            cn_array_remove_swap(&meshes->meshes, i);
    mesh_destroy(meshes, mesh);
}
