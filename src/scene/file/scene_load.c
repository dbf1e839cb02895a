/* Reading scenes from files, and writing them. */
#include "scene/file/scene_source.h"
#include "scene/scene_internal.h"

/* The seed depends on the name, so the name must be known before the scene is created and the rest
 * is read. */
static bool read_name(CnAllocator *allocator, CnText text, const char *path,
                      char name[CN_SCENE_NAME_BYTES], CnError *error)
{
    CniSceneSourceText source = {.name = path, .text = text};
    CniSceneJsonIndex index;
    CniSceneJsonPart lists[CNI_SCENE_JSON_MAX_LEFT_OUT];
    json_t *json =
        cni_scene_json_index_init(&index, &source, CNI_SCENE_JSON_PART_BYTES, allocator, error)
            ? cni_scene_json_read_top(&source, &index, lists, error)
            : NULL;
    cni_scene_json_index_fini(&index);
    if (!json)
        return false;
    const char *id = json_string_value(json_object_get(json, "id"));
    bool done = id && *id && cn_copy_text(name, CN_SCENE_NAME_BYTES, cn_text(id));
    json_decref(json);
    return done ||
           cn_error_set_at(error, CN_ERROR_FORMAT, path, 1, 1,
                           "a scene needs an \"id\" of 1 to %u bytes", CN_SCENE_NAME_BYTES - 1);
}

static bool read(CnScene *scene, CnFileSystem *files, const CniSceneBytes *bytes, CnError *error)
{
    CnWorld *world = cn_scene_world(scene);
    if (!scene->scenes->desc.reloadable)
        return cni_scene_read_bytes(world, files, bytes, NULL, NULL, &scene->file, error);
    scene->source = cni_scene_source_create(world, files, bytes, &scene->file, error);
    return scene->source != NULL;
}

static CnScene *load(CnScenes *scenes, CnFileSystem *files, const char *path,
                     const CnFileBytes *bytes, CnError *error)
{
    char name[CN_SCENE_NAME_BYTES];
    CnText text = {(const char *)bytes->data, bytes->size};
    if (!read_name(scenes->allocator, text, path, name, error))
        return NULL;
    CnScene *scene = cni_scene_create(scenes, &(CnSceneDesc){.name = name}, error);
    if (!scene)
        return NULL;
    const CniSceneBytes content = {.name = path, .text = text, .budget = bytes->budget};
    scene->has_file = read(scene, files, &content, error);
    if (scene->has_file && cni_scene_registry_add(scenes, scene, error))
        return scene;
    cni_scene_free(scene);
    return NULL;
}

CnScene *cn_scene_load(CnScenes *scenes, CnFileSystem *files, const char *path, CnError *error)
{
    CN_ASSERT(scenes, "%s: scenes is NULL", __func__);
    CN_ASSERT(path, "cn_scene_load: the path is NULL");
    if (!path) {
        cn_error_set(error, CN_ERROR_NOT_FOUND, "the path of the scene file is missing");
        return NULL;
    }
    CnFileBytes bytes;
    if (!cn_file_read_all(files, path, scenes->allocator, &bytes, error))
        return NULL;
    CnScene *scene = load(scenes, files, path, &bytes, error);
    cn_file_bytes_free(&bytes);
    return scene;
}

static char nothing[1];

const CnSceneFile *cn_scene_file(const CnScene *scene)
{
    CN_ASSERT(scene, "%s: scene is NULL", __func__);
    static const CnSceneFile none = {.name = nothing,
                                     .schema = nothing,
                                     .id = nothing,
                                     .materials = nothing,
                                     .pipelines = nothing};
    return scene->has_file ? &scene->file : &none;
}
bool cn_scene_save(CnScene *scene, CnFileSystem *files, const char *path, CnError *error)
{
    CN_ASSERT(scene, "%s: scene is NULL", __func__);
    CnSceneFile file = *cn_scene_file(scene);
    file.id = scene->name;
    return cn_scene_write(cn_scene_world(scene), files, path, &file, error);
}
