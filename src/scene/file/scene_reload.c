/* Reloading scenes: reads the files again and applies what has changed. */
#include "scene/file/scene_source.h"
#include "scene/object/object_internal.h"

#include <cairn/scene/camera.h>

/* ---- What is kept ---- */

void cni_scene_source_free(CnAllocator *allocator, CniSceneSource *source)
{
    if (!source)
        return;
    cni_scene_plan_fini(&source->plan);
    cn_free(allocator, source, sizeof *source);
}

static bool keep_uids(CniSceneSource *source, CnWorld *world, const CnEntity *objects)
{
    uint32_t count = source->plan.nodes.count;
    source->uids = cn_arena_alloc(&source->plan.arena, count * sizeof *source->uids + 1,
                                  CN_ALIGN_OF(uint64_t));
    for (uint32_t i = 0; source->uids && i < count; i++)
        source->uids[i] = cn_object_uid(world, objects[i]);
    return source->uids != NULL;
}

CniSceneSource *cni_scene_source_create(CnWorld *world, CnFileSystem *files,
                                        const CniSceneBytes *bytes, CnSceneFile *file,
                                        CnError *error)
{
    CnAllocator *allocator = cn_world_allocator(world);
    CniSceneSource *source = cn_alloc_zeroed(allocator, sizeof *source);
    CnEntity *objects;
    if (!source) {
        cn_error_memory(error, "the file of a scene");
        return NULL;
    }
    if (!cni_scene_read_bytes(world, files, bytes, &source->plan, &objects, file, error)) {
        cn_free(allocator, source, sizeof *source);
        return NULL;
    }
    if (keep_uids(source, world, objects))
        return source;
    cn_error_memory(error, "the file of a scene");
    cn_scene_file_free(file);
    cni_scene_source_free(allocator, source);
    return NULL;
}

/* ---- Instances of prefabs that were spawned by the game ---- */

typedef CN_ARRAY(CnEntity) Entities;

static const char *origin_of(const CnWorld *world, CnEntity object)
{
    const CnPrefabSource *source = cn_get(world, object, CnPrefabSource);
    return source ? source->path : NULL;
}

/* Returns the node at a path below the first node of a plan. */
static uint32_t node_below(const CnWorld *world, const CniScenePlan *plan, CnEntity root,
                           CnEntity object)
{
    if (cn_entity_equal(root, object))
        return 0;
    CnEntity parent = cn_parent(world, object);
    uint32_t node = parent.id ? node_below(world, plan, root, parent) : CNI_SCENE_NO_NODE;
    return node == CNI_SCENE_NO_NODE
               ? node
               : cni_scene_plan_child(plan, node, cn_object_name(world, object));
}

/* Returns whether the object came with a file that contains the prefab: changes of the prefab reach
 * it through that file. */
static bool came_with_another(CnWorld *world, const CniScenePrefabs *old, CnEntity object)
{
    const char *path = origin_of(world, object);
    uint32_t depth = 0;
    for (CnEntity above = cn_parent(world, object); above.id && depth++ < CN_SCENE_FILE_MAX_DEPTH;
         above = cn_parent(world, above)) {
        const char *origin = origin_of(world, above);
        const CniScenePlan *plan = origin ? cni_scene_prefabs_find(old, origin) : NULL;
        uint32_t node = plan ? node_below(world, plan, above, object) : CNI_SCENE_NO_NODE;
        if (node != CNI_SCENE_NO_NODE && plan->nodes.items[node].prefab &&
            !strcmp(plan->nodes.items[node].prefab, path))
            return true;
    }
    return false;
}

static bool is_of_scene(const CniSceneSource *source, uint64_t uid)
{
    for (uint32_t i = 0; source && i < source->plan.nodes.count; i++)
        if (source->plan.nodes.items[i].prefab && source->uids[i] == uid)
            return true;
    return false;
}

/* Collects the roots of instances in order of entities. */
static bool find_instances(const CnScene *scene, const CniScenePrefabs *old, Entities *instances)
{
    CnWorld *world = cn_scene_world(scene);
    CnChunkView view;
    CnQuery *query =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(CnPrefabSource)}}, NULL);
    bool done = query != NULL;
    for (CnQueryIter it = cn_query_iter(query); done && cn_query_next(&it, &view);)
        for (uint32_t i = 0; done && i < view.count; i++) {
            CnEntity object = view.entities[i];
            if (cni_scene_prefabs_find(old, origin_of(world, object)) &&
                !is_of_scene(scene->source, cn_object_uid(world, object)) &&
                !came_with_another(world, old, object))
                done = cn_array_push(instances, object);
        }
    if (query)
        cn_query_release(query);
    return done;
}

/* Finds the objects of the nodes by their names. */
static void find_nodes(CnWorld *world, const CniScenePlan *plan, CnEntity root, CnEntity *objects)
{
    objects[0] = root;
    for (uint32_t i = 1; i < plan->nodes.count; i++) {
        const CniScenePlanNode *node = &plan->nodes.items[i];
        CnEntity parent = objects[node->parent];
        objects[i] = parent.id ? cn_object_child(world, parent, node->name) : CN_NO_PARENT;
    }
}

static bool change_instance(CnWorld *world, const CniScenePrefabs *old, CnEntity root,
                            CnSceneReload *report, CnError *error)
{
    CnAllocator *allocator = cn_world_allocator(world);
    const char *path = cn_is_alive(world, root) ? origin_of(world, root) : NULL;
    const CniScenePlan *before = path ? cni_scene_prefabs_find(old, path) : NULL;
    const CniScenePlan *now =
        path ? cni_scene_prefabs_find(cni_scene_objects_mut(world)->prefabs, path) : NULL;
    if (!before || !now)
        return true;
    size_t bytes = (before->nodes.count + now->nodes.count) * sizeof(CnEntity);
    CnEntity *objects = cn_alloc(allocator, bytes);
    if (!objects)
        return cn_error_memory(error, "reloading a prefab");
    find_nodes(world, before, root, objects);
    const CniScenePlanChange change = {.world = world,
                                       .old = before,
                                       .now = now,
                                       .objects = objects,
                                       .made = objects + before->nodes.count,
                                       .is_instance = true,
                                       .report = report};
    bool done = cni_scene_plan_apply_changes(&change, error);
    cn_free(allocator, objects, bytes);
    return done;
}

/* ---- The scene's own file ---- */

/* A file that was read again, before anything changes. */
typedef struct NewFile {
    CniSceneSource *source;
    CniSceneParts parts;
} NewFile;

static void free_new_file(CnAllocator *allocator, NewFile *file)
{
    if (file->parts.file.name)
        cn_scene_file_free(&file->parts.file);
    cni_scene_source_free(allocator, file->source);
    *file = (NewFile){0};
}

static bool read_file(const CnScene *scene, CnFileSystem *files, NewFile *made, CnError *error)
{
    CnWorld *world = cn_scene_world(scene);
    CnAllocator *allocator = cn_world_allocator(world);
    CnFileBytes bytes;
    *made = (NewFile){0};
    if (!scene->source)
        return true;
    if (!cn_file_read_all(files, scene->file.name, allocator, &bytes, error))
        return false;
    made->source = cn_alloc_zeroed(allocator, sizeof *made->source);
    bool done = false;
    if (made->source) {
        const CniSceneBytes content = {.name = scene->file.name,
                                       .text = {(const char *)bytes.data, bytes.size},
                                       .budget = bytes.budget,
                                       .is_reload = true};
        cni_scene_plan_init(&made->source->plan, allocator);
        done = cni_scene_parse(world, files, &content, &made->source->plan, &made->parts, error);
    } else {
        cn_error_memory(error, "the file of a scene");
    }
    cn_file_bytes_free(&bytes);
    if (!done)
        free_new_file(allocator, made);
    return done;
}

static void find_objects(CnWorld *world, const CniSceneSource *source, CnEntity *objects)
{
    for (uint32_t i = 0; i < source->plan.nodes.count; i++)
        objects[i] = source->uids[i] ? cn_object_by_uid(world, source->uids[i]) : CN_NO_PARENT;
}

/* Makes another camera the active one if the file now names another. */
static void change_camera(CnWorld *world, const CnSceneFile *old, CnSceneFile *now,
                          const CnEntity *objects, uint32_t camera)
{
    if (camera == CNI_SCENE_NO_NODE)
        return;
    now->active_camera = objects[camera];
    if (!cn_entity_equal(old->active_camera, now->active_camera))
        cn_resource_set(world, CnActiveCamera, {now->active_camera});
}

static bool change_scene(CnScene *scene, NewFile *made, CnSceneReload *report, CnError *error)
{
    CnWorld *world = cn_scene_world(scene);
    CniSceneSource *old = scene->source, *now = made->source;
    CnEntity *objects = cn_arena_alloc(
        &old->plan.arena, (old->plan.nodes.count + now->plan.nodes.count) * sizeof *objects + 1,
        CN_ALIGN_OF(CnEntity));
    if (!objects)
        return cn_error_memory(error, "the file of a scene");
    CnEntity *new_objects = objects + old->plan.nodes.count;
    find_objects(world, old, objects);
    const CniScenePlanChange change = {.world = world,
                                       .old = &old->plan,
                                       .now = &now->plan,
                                       .objects = objects,
                                       .made = new_objects,
                                       .report = report};
    bool done = cni_scene_plan_apply_changes(&change, error);
    if (!done || !keep_uids(now, world, new_objects))
        return done ? cn_error_memory(error, "the file of a scene") : false;
    CnSceneFile *file = &made->parts.file;
    change_camera(world, &scene->file, file, new_objects, made->parts.camera);
    file->node_count = now->plan.nodes.count;
    report->has_other_materials = strcmp(file->materials, scene->file.materials) != 0 ||
                                  strcmp(file->pipelines, scene->file.pipelines) != 0;
    NewFile gone = {old, {.file = scene->file}};
    scene->file = *file;
    scene->source = now;
    *made = gone;
    return true;
}

/* ---- The whole ---- */

static bool uses_any(const CnScene *scene, const char *const *paths, uint32_t count)
{
    bool uses = false;
    for (uint32_t i = 0; i < count && !uses; i++)
        uses = (scene->source && !strcmp(scene->file.name, paths[i])) ||
               cni_scene_prefabs_contain(cn_scene_world(scene), paths[i]) ||
               (scene->is_stale && cn_text_ends_with(cn_text(paths[i]), cn_text(".json")));
    return uses;
}

static bool apply_all(CnScene *scene, NewFile *made, const CniScenePrefabs *old,
                      CnSceneReload *report, CnError *error)
{
    CnWorld *world = cn_scene_world(scene);
    Entities instances;
    cn_array_init(&instances, cn_world_allocator(world));
    bool done = find_instances(scene, old, &instances) ||
                cn_error_memory(error, "the instances of a prefab");
    if (done && made->source)
        done = change_scene(scene, made, report, error);
    for (uint32_t i = 0; done && i < instances.count; i++)
        done = change_instance(world, old, instances.items[i], report, error);
    cn_array_fini(&instances);
    return done;
}

bool cn_scene_reload(CnScene *scene, CnFileSystem *files, const char *const *paths,
                     uint32_t path_count, CnSceneReload *reload, CnError *error)
{
    CN_ASSERT(scene, "%s: scene is NULL", __func__);
    CN_ASSERT(reload, "%s: reload is NULL", __func__);
    CN_ASSERT(scene->scenes->running != scene, "a scene is reloaded during its tick");
    CnWorld *world = cn_scene_world(scene);
    *reload = (CnSceneReload){0};
    if (!scene->scenes->desc.reloadable)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "the scene was not loaded with CnScenesDesc.reloadable");
    if (!uses_any(scene, paths, path_count))
        return true;
    reload->is_read = true;
    NewFile made;
    CniScenePrefabs *old = cni_scene_prefabs_exchange(world, NULL);
    bool is_read = read_file(scene, files, &made, error) &&
                   cni_scene_prefabs_read_again(world, files, old, error);
    bool done = is_read && apply_all(scene, &made, old, reload, error);
    if (!is_read)
        old = cni_scene_prefabs_exchange(world, old);
    cni_scene_prefabs_destroy(old);
    free_new_file(cn_world_allocator(world), &made);
    scene->is_stale = !done;
    return done;
}
