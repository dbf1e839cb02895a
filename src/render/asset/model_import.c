#include "render/asset/model_gltf.h"

#include <assimp/config.h>
#include <assimp/postprocess.h>

#define MAX_TREE 65536u
#define SMOOTH_DEGREES 60 /* sharper edges stay hard if the file has no normals */

bool cni_render_import_fails(const CniRenderImport *import, CnErrorCode code, const char *what)
{
    return cn_error_set_at(import->error, code, import->path, 0, 0, "%s", what);
}

CnAffine cni_render_import_affine(const struct aiMatrix4x4 *m)
{
    return (CnAffine){
        {{m->a1, m->a2, m->a3, m->a4}, {m->b1, m->b2, m->b3, m->b4}, {m->c1, m->c2, m->c3, m->c4}}};
}

/* ---- Node tree ---- */

static uint64_t hash_name(CnText name)
{
    return cn_hash_bytes(name.data, name.size, 0);
}

CniRenderImportNode *cni_render_import_find(const CniRenderImport *import, CnText name)
{
    const uint32_t *found = cn_hash_map_get(&import->by_name, hash_name(name));
    return found ? &import->nodes.items[*found] : NULL;
}

static bool add_node(CniRenderImport *import, const struct aiNode *node, uint32_t parent)
{
    CniRenderImportNode added = {
        .node = node, .parent = parent, .place = cni_render_import_affine(&node->mTransformation)};
    if (parent) {
        CnAffine above = import->nodes.items[parent - 1].place;
        added.place = cn_affine_mul(&above, &added.place);
    }
    if (import->nodes.count >= MAX_TREE)
        return cni_render_import_fails(import, CN_ERROR_LIMIT, "the model has too many nodes");
    uint64_t key = hash_name(cni_render_import_text(&node->mName));
    uint32_t number = import->nodes.count;
    if (!cn_array_push(&import->nodes, added) || (!cn_hash_map_get(&import->by_name, key) &&
                                                  !cn_hash_map_set(&import->by_name, key, &number)))
        return cni_render_import_fails(import, CN_ERROR_MEMORY, "no memory for the model");
    return true;
}

static void find_moved(CniRenderImport *import)
{
    for (uint32_t i = 0; i < import->scene->mNumAnimations; i++) {
        const struct aiAnimation *clip = import->scene->mAnimations[i];
        for (uint32_t j = 0; j < clip->mNumChannels; j++) {
            CniRenderImportNode *node = cni_render_import_find(
                import, cni_render_import_text(&clip->mChannels[j]->mNodeName));
            if (node)
                node->is_moved = true;
        }
    }
    for (uint32_t i = 0; i < import->nodes.count; i++) {
        CniRenderImportNode *node = &import->nodes.items[i];
        if (node->parent && import->nodes.items[node->parent - 1].is_moved)
            node->is_moved = true;
    }
}

bool cni_render_import_tree(CniRenderImport *import)
{
    if (!add_node(import, import->scene->mRootNode, 0))
        return false;
    /* Breadth-first: the children of each node in the list are appended. */
    for (uint32_t i = 0; i < import->nodes.count; i++) {
        const struct aiNode *node = import->nodes.items[i].node;
        for (uint32_t j = 0; j < node->mNumChildren; j++)
            if (!add_node(import, node->mChildren[j], i + 1))
                return false;
    }
    find_moved(import);
    return true;
}

/* ---- Parts ---- */

/* Adds a separate mesh with joints. */
static bool add_moving_mesh(CniRenderImport *import, uint32_t node, const struct aiMesh *from,
                            uint32_t *number)
{
    if (!cni_render_import_mesh(import, from, number))
        return false;
    CniRenderModelMesh *mesh = &import->data->meshes.items[*number];
    return from->mNumBones ? cni_render_import_bones(import, from, mesh)
                           : cni_render_import_rigid(import, node, mesh);
}

static bool add_part(CniRenderImport *import, uint32_t node, uint32_t mesh_number)
{
    const struct aiMesh *from = import->scene->mMeshes[mesh_number];
    const CniRenderImportNode *at = &import->nodes.items[node];
    uint32_t *seen = &import->meshes.items[mesh_number];
    bool moves = from->mNumBones || at->is_moved, ok = true;
    if (from->mNumBones && *seen)
        return true; /* moved by joints instead of the node: added only once */
    CniRenderModelPartData part = {.place = moves ? cn_affine_identity() : at->place};
    if (moves)
        ok = add_moving_mesh(import, node, from, &part.mesh);
    else if (*seen)
        part.mesh = *seen - 1;
    else
        ok = cni_render_import_mesh(import, from, &part.mesh);
    if (!ok)
        return false;
    if (!moves || from->mNumBones)
        *seen = part.mesh + 1;
    if (import->data->meshes.items[part.mesh].index_count == 0)
        return true;
    part.name = cni_render_model_text(import->data, cni_render_import_text(&at->node->mName), &ok);
    if (import->data->parts.count >= CNI_RENDER_MODEL_MAX_PARTS)
        return cni_render_import_fails(import, CN_ERROR_LIMIT, "the model has too many parts");
    return (ok && cn_array_push(&import->data->parts, part)) ||
           cni_render_import_fails(import, CN_ERROR_MEMORY, "no memory for the model");
}

bool cni_render_import_parts(CniRenderImport *import)
{
    uint32_t mesh_count = import->scene->mNumMeshes;
    if (mesh_count > CNI_RENDER_MODEL_MAX_MESHES)
        return cni_render_import_fails(import, CN_ERROR_LIMIT, "the model has too many meshes");
    if (!cn_array_reserve(&import->meshes, mesh_count))
        return cni_render_import_fails(import, CN_ERROR_MEMORY, "no memory for the model");
    import->meshes.count = mesh_count;
    for (uint32_t i = 0; i < mesh_count; i++)
        import->meshes.items[i] = 0;
    for (uint32_t i = 0; i < import->nodes.count; i++) {
        const struct aiNode *node = import->nodes.items[i].node;
        for (uint32_t j = 0; j < node->mNumMeshes; j++)
            if (node->mMeshes[j] >= mesh_count || !add_part(import, i, node->mMeshes[j]))
                return node->mMeshes[j] < mesh_count
                           ? false
                           : cni_render_import_fails(import, CN_ERROR_FORMAT,
                                                     "a node refers to a mesh that does not exist");
    }
    return import->data->parts.count > 0 ||
           cni_render_import_fails(import, CN_ERROR_FORMAT, "the model has no triangles");
}

/* ---- Import ---- */

static bool add_sources(CniRenderImport *import, const CniRenderImportFiles *files)
{
    CniRenderModelData *data = import->data;
    for (uint32_t i = 1; i < files->read.count; i++) {
        const CniRenderImportFile *file = &files->read.items[i];
        bool ok = true;
        CniRenderModelSource source = {
            .path = cni_render_model_text(data, cn_text(file->path), &ok),
            .hash = cn_hash_bytes(file->bytes.data, file->bytes.size, 0)};
        if (!ok || !cn_array_push(&data->sources, source))
            return cni_render_import_fails(import, CN_ERROR_MEMORY, "no memory for the model");
    }
    return true;
}

static const struct aiScene *read_scene(CniRenderImportFiles *files, const char *path)
{
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (!properties)
        return NULL;
    aiSetImportPropertyFloat(properties, AI_CONFIG_PP_GSN_MAX_SMOOTHING_ANGLE, SMOOTH_DEGREES);
    const struct aiScene *scene = aiImportFileExWithProperties(
        path,
        aiProcess_ValidateDataStructure | aiProcess_Triangulate | aiProcess_SortByPType |
            aiProcess_GenSmoothNormals | aiProcess_JoinIdenticalVertices |
            aiProcess_ImproveCacheLocality | aiProcess_LimitBoneWeights | aiProcess_FlipUVs,
        &files->io, properties);
    aiReleasePropertyStore(properties);
    return scene;
}

static CnText folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return (CnText){path, slash ? (size_t)(slash + 1 - path) : 0};
}

static bool take_over(CniRenderImport *import, const CniRenderImportFiles *files)
{
    cn_array_init(&import->nodes, import->allocator);
    cn_array_init(&import->meshes, import->allocator);
    cn_hash_map_init(&import->by_name, import->allocator, sizeof(uint32_t));
    bool ok = cni_render_import_materials(import) && cni_render_import_tree(import) &&
              cni_render_import_parts(import) && cni_render_import_keep_nodes(import) &&
              cni_render_import_clips(import) && add_sources(import, files);
    cn_hash_map_fini(&import->by_name);
    cn_array_fini(&import->meshes);
    cn_array_fini(&import->nodes);
    return ok && cni_render_model_check(import->data, import->path, import->error);
}

static bool read_over(CniRenderImport *import, const CniRenderImportFiles *files)
{
    const struct aiScene *scene = import->scene;
    if (!scene)
        return cni_render_import_fails(import, CN_ERROR_FORMAT, aiGetErrorString());
    if (scene->mFlags & AI_SCENE_FLAGS_INCOMPLETE || !scene->mRootNode)
        return cni_render_import_fails(import, CN_ERROR_FORMAT, "the model is incomplete");
    return take_over(import, files);
}

/* Untrusted data is parsed by as little of assimp as possible. */
static bool is_known(const char *path)
{
    static const char *const known[] = {".gltf", ".glb", ".obj"};
    for (uint32_t i = 0; i < CN_COUNT_OF(known); i++)
        if (cn_text_ends_with(cn_text(path), cn_text(known[i])))
            return true;
    return false;
}

bool cni_render_model_import(CnFileSystem *files, const char *path, CnFileBytes main,
                             CniRenderModelData *data, CnError *error)
{
    CniRenderImport import = {.data = data,
                              .path = path,
                              .folder = folder_of(path),
                              .allocator = data->allocator,
                              .error = error};
    CniRenderImportFiles io;
    if (!is_known(path))
        return cni_render_import_fails(&import, CN_ERROR_UNSUPPORTED,
                                       "the model format must be .gltf, .glb or .obj");
    if (main.size > CNI_RENDER_MODEL_MAX_BYTES)
        return cni_render_import_fails(&import, CN_ERROR_LIMIT, "the model is larger than 256 MiB");
    if (!cni_render_import_files_init(&io, files, data->allocator, path, main))
        return cni_render_import_fails(&import, CN_ERROR_MEMORY, "no memory for the model");
    CniRenderGltf gltf = {0};
    import.gltf = &gltf;
    bool ok = !cni_render_gltf_is(path) || cni_render_gltf_open(&gltf, &io, path, error);
    if (ok) {
        import.scene = read_scene(&io, path);
        ok = read_over(&import, &io);
        aiReleaseImport(import.scene);
    }
    cni_render_gltf_close(&gltf);
    cni_render_import_files_fini(&io);
    return ok;
}
