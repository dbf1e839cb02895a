#include "scene/file/file_reader.h"

#include <cairn/scene/camera.h>

/* ---- The content of a file apart from its nodes ---- */

static void free_text(CnAllocator *allocator, char **text)
{
    if (*text)
        cn_free(allocator, *text, strlen(*text) + 1);
    *text = NULL;
}

void cn_scene_file_free(CnSceneFile *file)
{
    free_text(file->allocator, &file->name);
    free_text(file->allocator, &file->schema);
    free_text(file->allocator, &file->id);
    free_text(file->allocator, &file->materials);
    free_text(file->allocator, &file->pipelines);
    *file = (CnSceneFile){0};
}

static char *copy_text(CnAllocator *allocator, CnText text)
{
    char *copy = cn_alloc(allocator, text.size + 1);
    if (!copy)
        return NULL;
    if (text.size)
        memcpy(copy, text.data, text.size);
    copy[text.size] = 0;
    return copy;
}

/* ---- The keys of a scene ---- */

static const char *const scene_keys[] = {"$schema",   "id",           "nodes", "materials",
                                         "pipelines", "activeCamera", NULL};

static const CniSceneJsonPath whole = {0};

static bool check_keys(const CniSceneFileReader *reader, json_t *json)
{
    const char *key;
    json_t *value;
    json_object_foreach(json, key, value)
    {
        bool known = false;
        (void)value;
        for (uint32_t i = 0; scene_keys[i]; i++)
            known = known || strcmp(scene_keys[i], key) == 0;
        char suggestion[CNI_SCENE_SUGGESTION_BYTES];
        if (!known)
            return cni_scene_fail(
                &reader->source, &(CniSceneJsonPath){&whole, json, key, 0}, CNI_SCENE_JSON_AT_KEY,
                reader->error, CN_ERROR_NOT_FOUND, "a scene has no member \"%.64s\"%s", key,
                cni_scene_suggestion(suggestion, cni_scene_find_similar_in(key, scene_keys)));
    }
    return true;
}

static bool check_text(const CniSceneFileReader *reader, json_t *json, const char *key)
{
    json_t *value = json_object_get(json, key);
    return !value || json_is_string(value) ||
           cni_scene_fail(&reader->source, &(CniSceneJsonPath){&whole, json, key, 0},
                          CNI_SCENE_JSON_AT_VALUE, reader->error, CN_ERROR_FORMAT,
                          "\"%s\" must be a string, not %s", key, cni_scene_json_kind(value));
}

/* `list` has no text if the nodes are in `json`. */
static bool read_nodes(CniSceneFileReader *reader, json_t *json, CniSceneJsonPart list)
{
    json_t *nodes = json_object_get(json, "nodes");
    CniSceneJsonPath where = {&whole, json, "nodes", 0};
    if (!nodes)
        return cni_scene_fail(&reader->source, &whole, CNI_SCENE_JSON_AT_VALUE, reader->error,
                              CN_ERROR_FORMAT, "a scene needs \"nodes\"");
    if (!json_is_array(nodes))
        return cni_scene_fail(&reader->source, &where, CNI_SCENE_JSON_AT_VALUE, reader->error,
                              CN_ERROR_FORMAT, "\"nodes\" must be an array, not %s",
                              cni_scene_json_kind(nodes));
    if (list.text.data && !cni_scene_read_node_parts(reader, list, CNI_SCENE_NO_NODE))
        return false;
    for (size_t i = 0; i < json_array_size(nodes); i++)
        if (!cni_scene_read_node(reader, json_array_get(nodes, i),
                                 &(CniSceneJsonPath){&where, nodes, NULL, i}, CNI_SCENE_NO_NODE))
            return false;
    return cni_scene_read_references(reader);
}

static bool read_camera(const CniSceneFileReader *reader, json_t *json, uint32_t *camera)
{
    json_t *path = json_object_get(json, "activeCamera");
    CniSceneJsonPath where = {&whole, json, "activeCamera", 0};
    *camera = CNI_SCENE_NO_NODE;
    if (!path)
        return true;
    *camera = cni_scene_plan_find(reader->plan, cn_text(json_string_value(path)));
    if (*camera == CNI_SCENE_NO_NODE)
        return cni_scene_fail(&reader->source, &where, CNI_SCENE_JSON_AT_VALUE, reader->error,
                              CN_ERROR_NOT_FOUND, "no node of this file has the path \"%.100s\"",
                              json_string_value(path));
    const CniScenePlanNode *node = &reader->plan->nodes.items[*camera];
    CnComponent component = cn_component_of(reader->world, &cn_type_CnCamera);
    for (uint32_t i = 0; i < node->value_count; i++)
        if (node->values[i].component.id == component.id)
            return true;
    return cni_scene_fail(&reader->source, &where, CNI_SCENE_JSON_AT_VALUE, reader->error,
                          CN_ERROR_NOT_FOUND, "\"%.100s\" is not a camera",
                          json_string_value(path));
}

/* ---- Scenes ---- */

/* Copies the text of a value exactly as in the file; `place` may be NULL. */
static char *copy_part(const CniSceneFileReader *reader, json_t *json, const char *key,
                       CnAllocator *allocator, CnFileLocation *location)
{
    CnText text = {0};
    if (json_object_get(json, key)) {
        text =
            cni_scene_locate_value(reader->source.text, &(CniSceneJsonPath){&whole, json, key, 0});
        if (location)
            cn_text_line_column(reader->source.text, text.data, &location->line, &location->column);
    }
    return copy_text(allocator, text);
}

static bool copy_parts(const CniSceneFileReader *reader, json_t *json, CnSceneFile *file)
{
    CnAllocator *allocator = cn_world_allocator(reader->world);
    const char *id = json_string_value(json_object_get(json, "id"));
    *file = (CnSceneFile){.allocator = allocator};
    file->name = copy_text(allocator, cn_text(reader->source.name));
    file->schema = copy_part(reader, json, "$schema", allocator, NULL);
    file->id = copy_text(allocator, cn_text(id));
    file->materials = copy_part(reader, json, "materials", allocator, &file->materials_location);
    file->pipelines = copy_part(reader, json, "pipelines", allocator, &file->pipelines_location);
    if (file->name && file->schema && file->id && file->materials && file->pipelines)
        return true;
    cn_scene_file_free(file);
    return cni_scene_fail_memory(&reader->source, reader->error);
}

/* Creates the objects. *made receives their ids, in memory of the plan. */
static bool make(CnWorld *world, CniScenePlan *plan, const CniSceneParts *parts, CnEntity **made,
                 CnError *error)
{
    const char *name = parts->file.name;
    *made =
        cn_arena_alloc(&plan->arena, plan->nodes.count * sizeof **made + 1, CN_ALIGN_OF(CnEntity));
    /* Created first if it is missing, so that nothing can fail after the objects exist. */
    bool makes_active = parts->camera != CNI_SCENE_NO_NODE && !cn_resource(world, CnActiveCamera);
    if (!*made || (makes_active && !cn_resource_set(world, CnActiveCamera, {{0}})))
        return cn_error_set_at(error, CN_ERROR_MEMORY, name, 0, 0, "out of memory");
    CnError wrong = {0};
    if (cni_scene_plan_instantiate(world, NULL, plan, CN_NO_PARENT, NULL, *made, &wrong))
        return true;
    if (makes_active)
        cn_resource_remove(world, CnActiveCamera);
    return cn_error_set_at(error, wrong.code, name, 0, 0, "%s", wrong.message);
}

/* Lists of a scene that are read element by element if the file is large. */
enum { NODES, MATERIALS, PIPELINES, LIST_COUNT };
static const char *const list_keys[LIST_COUNT + 1] = {"nodes", "materials", "pipelines", NULL};

/* The content of materials and pipelines is read by others; here only its syntax is checked. */
static bool check_lists(const CniSceneFileReader *reader, const CniSceneJsonPart *lists)
{
    for (uint32_t i = MATERIALS; i < LIST_COUNT; i++)
        if (lists[i].text.data &&
            !cni_scene_json_check_list(&reader->source, &reader->index, lists[i], reader->error))
            return false;
    return true;
}

static bool read_scene(CniSceneFileReader *reader, json_t *json, const CniSceneJsonPart *lists,
                       CniSceneParts *parts)
{
    return check_keys(reader, json) && check_text(reader, json, "$schema") &&
           check_text(reader, json, "id") && check_text(reader, json, "activeCamera") &&
           check_lists(reader, lists) && read_nodes(reader, json, lists[NODES]) &&
           read_camera(reader, json, &parts->camera) && copy_parts(reader, json, &parts->file);
}

json_t *cni_scene_json_read_top(const CniSceneSourceText *source, const CniSceneJsonIndex *index,
                                CniSceneJsonPart lists[CNI_SCENE_JSON_MAX_LEFT_OUT], CnError *error)
{
    CN_STATIC_ASSERT(LIST_COUNT <= CNI_SCENE_JSON_MAX_LEFT_OUT, "too many lists");
    return cni_scene_json_read_part(source, index, cni_scene_json_root(source), list_keys, lists,
                                    error);
}

bool cni_scene_parse(CnWorld *world, CnFileSystem *files, const CniSceneBytes *bytes,
                     CniScenePlan *plan, CniSceneParts *parts, CnError *error)
{
    CniSceneFileReader reader;
    CniSceneLoad load = cni_scene_load_of(bytes->budget);
    CniSceneJsonPart lists[CNI_SCENE_JSON_MAX_LEFT_OUT];
    *parts = (CniSceneParts){.camera = CNI_SCENE_NO_NODE};
    cni_scene_reader_init(&reader, world, files, plan, &load, error);
    reader.source = (CniSceneSourceText){bytes->name, bytes->text, NULL};
    reader.is_reload = bytes->is_reload;
    json_t *json =
        cni_scene_json_index_init(&reader.index, &reader.source, CNI_SCENE_JSON_PART_BYTES,
                                  cn_world_allocator(world), error)
            ? cni_scene_json_read_top(&reader.source, &reader.index, lists, error)
            : NULL;
    bool done = json && read_scene(&reader, json, lists, parts);
    json_decref(json);
    cni_scene_reader_fini(&reader);
    return done;
}

bool cni_scene_read_bytes(CnWorld *world, CnFileSystem *files, const CniSceneBytes *bytes,
                          CniScenePlan *kept, CnEntity **made, CnSceneFile *file, CnError *error)
{
    CniScenePlan own, *plan = kept ? kept : &own;
    CniSceneParts parts;
    CnEntity *objects;
    if (file)
        *file = (CnSceneFile){0};
    cni_scene_plan_init(plan, cn_world_allocator(world));
    bool done = cni_scene_parse(world, files, bytes, plan, &parts, error) &&
                make(world, plan, &parts, &objects, error);
    if (done) {
        parts.file.node_count = plan->nodes.count;
        if (parts.camera != CNI_SCENE_NO_NODE) {
            parts.file.active_camera = objects[parts.camera];
            cn_resource_set(world, CnActiveCamera, {parts.file.active_camera});
        }
    }
    if (done && made)
        *made = objects;
    if (done && file)
        *file = parts.file;
    else if (parts.file.name)
        cn_scene_file_free(&parts.file);
    if (!kept || !done)
        cni_scene_plan_fini(plan);
    return done;
}

bool cn_scene_read_text(CnWorld *world, CnFileSystem *files, const char *name, CnText text,
                        CnSceneFile *file, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniSceneBytes bytes = {.name = name, .text = text};
    return cni_scene_read_bytes(world, files, &bytes, NULL, NULL, file, error);
}

bool cn_scene_read(CnWorld *world, CnFileSystem *files, const char *path, CnSceneFile *file,
                   CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CnFileBytes bytes;
    if (file)
        *file = (CnSceneFile){0};
    CN_ASSERT(path, "cn_scene_read: the path is NULL");
    if (!path)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "the path of the scene file is missing");
    if (!cn_file_read_all(files, path, cn_world_allocator(world), &bytes, error))
        return false;
    const CniSceneBytes content = {
        .name = path, .text = {(const char *)bytes.data, bytes.size}, .budget = bytes.budget};
    bool done = cni_scene_read_bytes(world, files, &content, NULL, NULL, file, error);
    cn_file_bytes_free(&bytes);
    return done;
}
