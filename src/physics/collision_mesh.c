#include "physics/collision_mesh.h"

#include <string.h>

void cni_physics_meshes_init(CniPhysicsMeshCache *meshes, CnAllocator *allocator,
                             CnFileSystem *files)
{
    meshes->allocator = allocator;
    meshes->files = files;
    meshes->triangles = 0;
    cn_hash_map_init_keyed(&meshes->by_path, allocator, sizeof(CniPhysicsMeshFile *));
    cn_hash_map_init_keyed(&meshes->by_scale, allocator, sizeof(CniPhysicsMesh *));
}

/* ---- Files ---- */

static void file_release(CniPhysicsMeshFile *file)
{
    if (--file->users == 0)
        cni_physics_triangles_fini(&file->triangles);
}

static bool fail_memory(const char *path, CnError *error)
{
    return cn_error_set(error, CN_ERROR_MEMORY, "%s: out of memory for the mesh", path);
}

/* Returns the entry of a path, which is not read yet if it is new. */
static CniPhysicsMeshFile *file_of(CniPhysicsMeshCache *meshes, const char *path, CnError *error)
{
    for (uint64_t key = cn_hash_keyed(path, strlen(path), 0);; key++) {
        CniPhysicsMeshFile **found = cn_hash_map_get(&meshes->by_path, key);
        if (found && strcmp((*found)->path, path) != 0)
            continue;
        if (found)
            return *found;
        CniPhysicsMeshFile *file = cn_alloc_zeroed(meshes->allocator, sizeof *file);
        if (!file || !cn_hash_map_set(&meshes->by_path, key, &file)) {
            cn_free(meshes->allocator, file, sizeof *file);
            fail_memory(path, error);
            return NULL;
        }
        cn_copy_text(file->path, sizeof file->path, cn_text(path));
        return file;
    }
}

/* Whether the file is still the one that could not be read. */
static bool has_failed(const CniPhysicsMeshCache *meshes, const CniPhysicsMeshFile *file)
{
    CnFileInfo now;
    return file->failure.code && meshes->files->info(meshes->files, file->path, &now, NULL) &&
           now.size_bytes == file->failed.size_bytes && now.modified_ns == file->failed.modified_ns;
}

static bool read_triangles(CniPhysicsMeshCache *meshes, CniPhysicsMeshFile *file, CnError *error)
{
    CnFileBytes bytes;
    CnFileInfo info;
    if (!meshes->files)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "%s: meshes need CnPhysicsDesc.files, which is not set", file->path);
    if (has_failed(meshes, file)) {
        if (error)
            *error = file->failure;
        return false;
    }
    cn_error_clear(&file->failure);
    if (!meshes->files->info(meshes->files, file->path, &info, error) ||
        !cn_file_read_all(meshes->files, file->path, meshes->allocator, &bytes, error))
        return false;
    CnError wrong = {0};
    cni_physics_triangles_init(&file->triangles, meshes->allocator);
    bool read = cni_physics_mesh_parse(&file->triangles, file->path,
                                       (CnText){(const char *)bytes.data, bytes.size}, &wrong);
    cn_file_bytes_free(&bytes);
    if (read)
        return true;
    cni_physics_triangles_fini(&file->triangles);
    if (error)
        *error = wrong;
    if (wrong.code != CN_ERROR_MEMORY) {
        file->failure = wrong;
        file->failed = info;
    }
    return false;
}

static CniPhysicsMeshFile *file_acquire(CniPhysicsMeshCache *meshes, const char *path,
                                        CnError *error)
{
    CniPhysicsMeshFile *file = file_of(meshes, path, error);
    if (!file || (!file->users && !read_triangles(meshes, file, error)))
        return NULL;
    file->users++;
    return file;
}

/* ---- Meshes ---- */

static void mesh_destroy(CniPhysicsMeshCache *meshes, CniPhysicsMesh *mesh)
{
    if (mesh->data) {
        dGeomTriMeshDataDestroy(mesh->data);
        meshes->triangles -= mesh->triangles.indices.count / 3;
    }
    cni_physics_triangles_fini(&mesh->triangles);
    file_release(mesh->file);
    cn_free(meshes->allocator, mesh, sizeof *mesh);
}

void cni_physics_meshes_fini(CniPhysicsMeshCache *meshes)
{
    for (uint32_t i = 0; i < meshes->by_scale.count; i++)
        mesh_destroy(meshes, *(CniPhysicsMesh **)cn_hash_map_value(&meshes->by_scale, i));
    for (uint32_t i = 0; i < meshes->by_path.count; i++)
        cn_free(meshes->allocator, *(CniPhysicsMeshFile **)cn_hash_map_value(&meshes->by_path, i),
                sizeof(CniPhysicsMeshFile));
    cn_hash_map_fini(&meshes->by_scale);
    cn_hash_map_fini(&meshes->by_path);
}

/* Copies the triangles of the file, scaled. */
static bool scale_triangles(CniPhysicsMesh *mesh)
{
    const CniPhysicsTriangles *from = &mesh->file->triangles;
    CniPhysicsTriangles *to = &mesh->triangles;
    if (!cn_array_reserve(&to->corners, from->corners.count) ||
        !cn_array_reserve(&to->indices, from->indices.count))
        return false;
    for (uint32_t i = 0; i < from->corners.count; i += 3) {
        to->corners.items[i] = from->corners.items[i] * mesh->scale.x;
        to->corners.items[i + 1] = from->corners.items[i + 1] * mesh->scale.y;
        to->corners.items[i + 2] = from->corners.items[i + 2] * mesh->scale.z;
    }
    memcpy(to->indices.items, from->indices.items, from->indices.count * sizeof *to->indices.items);
    to->corners.count = from->corners.count;
    to->indices.count = from->indices.count;
    return true;
}

static bool build(CniPhysicsMeshCache *meshes, CniPhysicsMesh *mesh, CnError *error)
{
    uint32_t triangles = mesh->file->triangles.indices.count / 3;
    if (triangles > CNI_PHYSICS_MAX_WORLD_TRIANGLES - meshes->triangles)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "%s: the meshes of the world have more than %u triangles, each scale "
                            "of a file counted",
                            mesh->file->path, CNI_PHYSICS_MAX_WORLD_TRIANGLES);
    if (!scale_triangles(mesh))
        return fail_memory(mesh->file->path, error);
    mesh->data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(mesh->data, mesh->triangles.corners.items, 3 * sizeof(float),
                                (int)(mesh->triangles.corners.count / 3),
                                mesh->triangles.indices.items, (int)mesh->triangles.indices.count,
                                3 * sizeof(uint32_t));
    meshes->triangles += triangles;
    return true;
}

static CniPhysicsMesh *mesh_create(CniPhysicsMeshCache *meshes, const char *path, CnVec3 scale,
                                   uint64_t key, CnError *error)
{
    CniPhysicsMeshFile *file = file_acquire(meshes, path, error);
    if (!file)
        return NULL;
    CniPhysicsMesh *mesh = cn_alloc_zeroed(meshes->allocator, sizeof *mesh);
    if (!mesh) {
        file_release(file);
        fail_memory(path, error);
        return NULL;
    }
    *mesh = (CniPhysicsMesh){.file = file, .key = key, .scale = scale, .users = 1};
    cni_physics_triangles_init(&mesh->triangles, meshes->allocator);
    bool is_made = build(meshes, mesh, error);
    if (is_made && cn_hash_map_set(&meshes->by_scale, key, &mesh))
        return mesh;
    if (is_made)
        fail_memory(path, error);
    mesh_destroy(meshes, mesh);
    return NULL;
}

CniPhysicsMesh *cni_physics_mesh_acquire(CniPhysicsMeshCache *meshes, const char *path,
                                         CnVec3 scale, CnError *error)
{
    scale = cn_vec3(scale.x + 0, scale.y + 0, scale.z + 0); /* -0 becomes 0 */
    uint64_t key = cn_hash_keyed(&scale, sizeof scale, cn_hash_keyed(path, strlen(path), 1));
    CniPhysicsMesh **found = cn_hash_map_get(&meshes->by_scale, key);
    if (!found)
        return mesh_create(meshes, path, scale, key, error);
    /* Nobody can find two of them with the same key, which is secret. */
    CN_ASSERT(!strcmp((*found)->file->path, path), "two meshes have the same key");
    (*found)->users++;
    return *found;
}

void cni_physics_mesh_release(CniPhysicsMeshCache *meshes, CniPhysicsMesh *mesh)
{
    if (--mesh->users)
        return;
    cn_hash_map_remove(&meshes->by_scale, mesh->key);
    mesh_destroy(meshes, mesh);
}
