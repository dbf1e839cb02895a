#include "scene/file/file_writer.h"

#include <cairn/base/json_size.h>
#include <cairn/scene/camera.h>

/* Memory of the values of materials or pipelines (CnJsonSize): as much as the renderer reads. */
#define MAX_TREE_BYTES (64u << 20)

static void init(CniSceneFileWriter *writer, CnWorld *world, CnTextBuilder *text, CnError *error)
{
    CnAllocator *allocator = cn_world_allocator(world);
    *writer = (CniSceneFileWriter){.world = world, .layout = {.text = text}, .error = error};
    cn_array_init(&writer->nodes, allocator);
    cn_hash_map_init_keyed(&writer->by_entity, allocator, sizeof(uint32_t));
    cn_hash_map_init_keyed(&writer->names, allocator, sizeof(uint32_t));
    cn_arena_init(&writer->arena, allocator, 0);
    cn_array_init(&writer->path, allocator);
}

static void fini(CniSceneFileWriter *writer)
{
    cn_array_fini(&writer->path);
    cn_arena_fini(&writer->arena);
    cn_hash_map_fini(&writer->names);
    cn_hash_map_fini(&writer->by_entity);
    cn_array_fini(&writer->nodes);
}

/* ---- Nodes ---- */

static bool write_head(CniSceneFileWriter *writer, uint32_t index, const char *prefab)
{
    CniSceneJsonWriter *layout = &writer->layout;
    const CniSceneWrittenNode *node = &writer->nodes.items[index];
    bool done = cni_scene_json_next(layout, "id") &&
                cni_scene_json_append_string(layout->text, cn_text(node->name));
    if (!writer->is_prefab)
        done = done && cni_scene_json_next(layout, "uid") &&
               cni_scene_json_append_integer(layout->text,
                                             cn_object_uid(writer->world, node->entity), false);
    if (!cn_object_is_enabled(writer->world, node->entity))
        done = done && cni_scene_json_next(layout, "enabled") &&
               cni_scene_json_append(layout->text, "false");
    if (prefab)
        done = done && cni_scene_json_next(layout, "origin") &&
               cni_scene_json_append_string(layout->text, cn_text(prefab));
    return done || cni_scene_writer_fail_memory(writer);
}

static bool write_node(CniSceneFileWriter *writer, uint32_t index);

static bool write_children(CniSceneFileWriter *writer, uint32_t index)
{
    CniSceneJsonWriter *layout = &writer->layout;
    uint32_t end = writer->nodes.items[index].end;
    if (!cni_scene_json_next(layout, "children") || !cni_scene_json_open(layout, "["))
        return cni_scene_writer_fail_memory(writer);
    for (uint32_t child = index + 1; child < end; child = writer->nodes.items[child].end)
        if (!write_node(writer, child))
            return false;
    return cni_scene_json_close(layout, "]") || cni_scene_writer_fail_memory(writer);
}

/* A node from a prefab is written in full, with its origin, so that it is not created from the
 * prefab again. The origin of the root of a prefab is not written. */
static bool write_node(CniSceneFileWriter *writer, uint32_t index)
{
    CniSceneJsonWriter *layout = &writer->layout;
    const CniSceneWrittenNode *node = &writer->nodes.items[index];
    const CnPrefabSource *source = cn_get(writer->world, node->entity, CnPrefabSource);
    bool is_whole_text = writer->is_prefab && index == 0;
    const char *prefab = source && source->path[0] && !is_whole_text ? source->path : NULL;
    if ((!is_whole_text && !cni_scene_json_next(layout, NULL)) || !cni_scene_json_open(layout, "{"))
        return cni_scene_writer_fail_memory(writer);
    if (!write_head(writer, index, prefab) || !cni_scene_write_components(writer, index) ||
        (node->end > index + 1 && !write_children(writer, index)))
        return false;
    return cni_scene_json_close(layout, "}") || cni_scene_writer_fail_memory(writer);
}

/* ---- Scenes ---- */

static bool add_roots(CniSceneFileWriter *writer)
{
    uint32_t count = cn_object_roots(writer->world, NULL, 0);
    CnEntity *roots =
        cn_arena_alloc(&writer->arena, count * sizeof *roots + 1, CN_ALIGN_OF(CnEntity));
    if (!roots)
        return cni_scene_writer_fail_memory(writer);
    cn_object_roots(writer->world, roots, count);
    for (uint32_t i = 0; i < count; i++)
        if (!cni_scene_writer_add(writer, roots[i]))
            return false;
    return true;
}

/* Writes existing JSON unchanged. */
static bool write_part(CniSceneFileWriter *writer, const char *key, const char *json)
{
    json_error_t wrong;
    if (!json || !json[0])
        return true;
    if (cn_json_measure(cn_text(json)).tree_bytes > MAX_TREE_BYTES)
        return cn_error_set(writer->error, CN_ERROR_LIMIT,
                            "the values of %s would take more than %u MiB of memory", key,
                            MAX_TREE_BYTES >> 20);
    json_t *read = json_loads(json, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &wrong);
    if (!read)
        return cn_error_set(writer->error, CN_ERROR_FORMAT, "%s is not JSON: %s", key, wrong.text);
    json_decref(read);
    return (cni_scene_json_next(&writer->layout, key) &&
            cni_scene_json_append(writer->layout.text, json)) ||
           cni_scene_writer_fail_memory(writer);
}

static bool write_id(CniSceneFileWriter *writer, const char *id)
{
    if (!id || !id[0])
        return true;
    if (!cn_text_is_utf8(cn_text(id)))
        return cn_error_set(writer->error, CN_ERROR_FORMAT, "the id is not UTF-8");
    return (cni_scene_json_next(&writer->layout, "id") &&
            cni_scene_json_append_string(writer->layout.text, cn_text(id))) ||
           cni_scene_writer_fail_memory(writer);
}

static bool write_camera(CniSceneFileWriter *writer)
{
    CnEntity camera = cn_camera_active(writer->world);
    uint32_t node = cni_scene_writer_find(writer, camera);
    if (node == CNI_SCENE_NO_NODE || !cn_has(writer->world, camera, CnCamera))
        return true;
    return (cni_scene_json_next(&writer->layout, "activeCamera") &&
            cni_scene_json_append_string(writer->layout.text,
                                         cn_text(cni_scene_writer_path(writer, node)))) ||
           cni_scene_writer_fail_memory(writer);
}

static bool write_scene(CniSceneFileWriter *writer, const CnSceneFile *file)
{
    CniSceneJsonWriter *layout = &writer->layout;
    if (!cni_scene_writer_find_components(writer) || !add_roots(writer))
        return false;
    if (!cni_scene_json_open(layout, "{"))
        return cni_scene_writer_fail_memory(writer);
    if (!write_part(writer, "$schema", file ? file->schema : NULL) ||
        !write_id(writer, file ? file->id : NULL))
        return false;
    if (!cni_scene_json_next(layout, "nodes") || !cni_scene_json_open(layout, "["))
        return cni_scene_writer_fail_memory(writer);
    for (uint32_t i = 0; i < writer->nodes.count; i = writer->nodes.items[i].end)
        if (!write_node(writer, i))
            return false;
    if (!cni_scene_json_close(layout, "]"))
        return cni_scene_writer_fail_memory(writer);
    if (!write_part(writer, "materials", file ? file->materials : NULL) ||
        !write_part(writer, "pipelines", file ? file->pipelines : NULL) || !write_camera(writer))
        return false;
    return (cni_scene_json_close(layout, "}") && cni_scene_json_append(layout->text, "\n")) ||
           cni_scene_writer_fail_memory(writer);
}

bool cn_scene_write_text(CnWorld *world, CnTextBuilder *text, const CnSceneFile *file,
                         CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CniSceneFileWriter writer;
    uint32_t before = text->count;
    init(&writer, world, text, error);
    bool done = write_scene(&writer, file);
    fini(&writer);
    if (!done)
        text->count = before;
    return done;
}

bool cn_scene_write(CnWorld *world, CnFileSystem *files, const char *path, const CnSceneFile *file,
                    CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnTextBuilder text;
    cn_array_init(&text, cn_world_allocator(world));
    bool done = cn_scene_write_text(world, &text, file, error) &&
                cn_file_write_all(files, path, text.items, text.count, error);
    cn_array_fini(&text);
    return done;
}

/* ---- Prefabs ---- */

static bool write_prefab(CniSceneFileWriter *writer, CnEntity object)
{
    if (!cn_has(writer->world, object, CnObject))
        return cn_error_set(writer->error, CN_ERROR_NOT_FOUND, "there is no such object");
    writer->is_prefab = true;
    return cni_scene_writer_find_components(writer) && cni_scene_writer_add(writer, object) &&
           write_node(writer, 0) &&
           (cni_scene_json_append(writer->layout.text, "\n") ||
            cni_scene_writer_fail_memory(writer));
}

bool cn_prefab_write(CnWorld *world, CnFileSystem *files, const char *path, CnEntity object,
                     CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnTextBuilder text;
    CniSceneFileWriter writer;
    cn_array_init(&text, cn_world_allocator(world));
    init(&writer, world, &text, error);
    bool done = write_prefab(&writer, object) &&
                cn_file_write_all(files, path, text.items, text.count, error);
    fini(&writer);
    cn_array_fini(&text);
    if (done)
        cn_prefab_unload(world, path);
    return done;
}
