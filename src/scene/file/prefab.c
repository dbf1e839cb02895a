#include "scene/file/file_reader.h"
#include "scene/object/object_internal.h"

/* The cache of prefabs, stored with the objects of the world, sorted by path. */
typedef struct Prefab {
    char path[sizeof(((CnPrefabSource *)0)->path)];
    CniScenePlan plan;
    uint32_t users; /* operations that are creating objects from it */
    bool is_forgotten;
} Prefab;

struct CniScenePrefabs {
    CN_ARRAY(Prefab *) list;
};

static void free_prefab(CnAllocator *allocator, Prefab *prefab)
{
    cni_scene_plan_fini(&prefab->plan);
    cn_free(allocator, prefab, sizeof *prefab);
}

void cni_scene_prefabs_destroy(struct CniScenePrefabs *prefabs)
{
    if (!prefabs)
        return;
    CnAllocator *allocator = prefabs->list.allocator;
    for (uint32_t i = 0; i < prefabs->list.count; i++)
        free_prefab(allocator, prefabs->list.items[i]);
    cn_array_fini(&prefabs->list);
    cn_free(allocator, prefabs, sizeof *prefabs);
}

/* Returns NULL when out of memory, or in a world without objects. */
static struct CniScenePrefabs *prefabs_of(CnWorld *world)
{
    CniSceneObjects *objects = cni_scene_objects_mut(world);
    if (!objects || objects->prefabs)
        return objects ? objects->prefabs : NULL;
    CnAllocator *allocator = cn_world_allocator(world);
    objects->prefabs = cn_alloc_zeroed(allocator, sizeof *objects->prefabs);
    if (objects->prefabs)
        cn_array_init(&objects->prefabs->list, allocator);
    return objects->prefabs;
}

/* Returns the index of a path in the list, or where it belongs. */
static uint32_t index_of(const struct CniScenePrefabs *prefabs, const char *path, bool *found)
{
    uint32_t low = 0, high = prefabs->list.count;
    *found = false;
    while (low < high && !*found) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(prefabs->list.items[middle]->path, path);
        *found = order == 0;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return *found ? high : low;
}

/* ---- Reading ---- */

static bool fail_prefab_user(const CniScenePrefabUser *prefab_user, const char *path,
                             CnError *error, CnErrorCode code, const char *message)
{
    if (prefab_user)
        return cni_scene_fail(&prefab_user->reader->source, prefab_user->where,
                              CNI_SCENE_JSON_AT_VALUE, error, code, "%s", message);
    return cn_error_set_at(error, code, path, 0, 0, "%s", message);
}

static bool check_chain(const CniScenePrefabUser *prefab_user, const char *path, CnError *error)
{
    uint32_t length = 0;
    for (const CniSceneSourceText *s = prefab_user ? &prefab_user->reader->source : NULL; s;
         s = s->outer) {
        if (strcmp(s->name, path) == 0)
            return fail_prefab_user(prefab_user, path, error, CN_ERROR_CYCLE,
                                    "the prefab contains itself");
        if (++length > CN_SCENE_FILE_MAX_DEPTH)
            return fail_prefab_user(prefab_user, path, error, CN_ERROR_LIMIT,
                                    "prefabs are nested too deeply");
    }
    return true;
}

static bool parse(Prefab *prefab, CnWorld *world, CnFileSystem *files, CnText text,
                  const CniScenePrefabUser *prefab_user, CnError *error)
{
    CniSceneFileReader reader;
    cni_scene_reader_init(&reader, world, files, &prefab->plan, error);
    reader.source =
        (CniSceneSourceText){prefab->path, text, prefab_user ? &prefab_user->reader->source : NULL};
    reader.is_prefab = true;
    reader.outer_depth =
        prefab_user ? prefab_user->reader->outer_depth + prefab_user->depth - 1 : 0;
    json_t *json = cni_scene_json_read(&reader.source, error);
    bool done = json &&
                cni_scene_read_node(&reader, json, &(CniSceneJsonPath){0}, CNI_SCENE_NO_NODE) &&
                cni_scene_read_references(&reader);
    json_decref(json);
    cni_scene_reader_fini(&reader);
    return done;
}

static bool read_file(CnWorld *world, CnFileSystem *files, const char *path,
                      const CniScenePrefabUser *prefab_user, CnFileBytes *bytes, CnError *error)
{
    if (!files)
        return fail_prefab_user(prefab_user, path, error, CN_ERROR_UNSUPPORTED,
                                "no file system was given to read prefabs from");
    CnError wrong = {0};
    if (cn_file_read_all(files, path, cn_world_allocator(world), bytes, &wrong))
        return true;
    char message[CN_ERROR_MESSAGE_BYTES];
    cn_format(message, sizeof message, "the prefab cannot be read: %s", wrong.message);
    return fail_prefab_user(prefab_user, path, error, wrong.code, message);
}

static Prefab *read_prefab(CnWorld *world, CnFileSystem *files, const char *path,
                           const CniScenePrefabUser *prefab_user, CnError *error)
{
    CnFileBytes bytes;
    if (!check_chain(prefab_user, path, error) ||
        !read_file(world, files, path, prefab_user, &bytes, error))
        return NULL;
    CnAllocator *allocator = cn_world_allocator(world);
    Prefab *prefab = cn_alloc_zeroed(allocator, sizeof *prefab);
    if (prefab) {
        cn_copy_text(prefab->path, sizeof prefab->path, cn_text(path));
        cni_scene_plan_init(&prefab->plan, allocator);
        CnText text = {(const char *)bytes.data, bytes.size};
        if (!parse(prefab, world, files, text, prefab_user, error)) {
            free_prefab(allocator, prefab);
            prefab = NULL;
        }
    } else {
        cn_error_set_at(error, CN_ERROR_MEMORY, path, 0, 0, "out of memory");
    }
    cn_file_bytes_free(&bytes);
    return prefab;
}

static bool insert(struct CniScenePrefabs *prefabs, Prefab *prefab)
{
    bool found;
    uint32_t index = index_of(prefabs, prefab->path, &found);
    if (!cn_array_push(&prefabs->list, prefab))
        return false;
    Prefab **items = prefabs->list.items;
    memmove(&items[index + 1], &items[index], (prefabs->list.count - 1 - index) * sizeof *items);
    items[index] = prefab;
    return true;
}

static Prefab *get_prefab(CnWorld *world, CnFileSystem *files, const char *path,
                          const CniScenePrefabUser *prefab_user, CnError *error)
{
    bool found = false;
    struct CniScenePrefabs *prefabs = prefabs_of(world);
    if (!prefabs) {
        cn_error_set_at(
            error, cni_scene_objects_mut(world) ? CN_ERROR_MEMORY : CN_ERROR_MISMATCH, path, 0, 0,
            cni_scene_objects_mut(world) ? "out of memory" : "the world has no objects");
        return NULL;
    }
    uint32_t index = index_of(prefabs, path, &found);
    if (found)
        return prefabs->list.items[index];
    if (strlen(path) >= sizeof(((Prefab *)0)->path)) {
        fail_prefab_user(prefab_user, path, error, CN_ERROR_LIMIT,
                         "the path of a prefab must have 1 to 127 bytes");
        return NULL;
    }
    Prefab *prefab = read_prefab(world, files, path, prefab_user, error);
    if (prefab && !insert(prefabs, prefab)) {
        cn_error_set_at(error, CN_ERROR_MEMORY, path, 0, 0, "out of memory");
        free_prefab(prefabs->list.allocator, prefab);
        return NULL;
    }
    return prefab;
}

const CniScenePlan *cni_scene_prefab_plan(CnWorld *world, CnFileSystem *files, const char *path,
                                          const CniScenePrefabUser *prefab_user, CnError *error)
{
    const Prefab *prefab = get_prefab(world, files, path, prefab_user, error);
    return prefab ? &prefab->plan : NULL;
}

uint32_t cn_prefab_root(CnWorld *world, const char *path, CnObject *object, CnTransform *transform)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(object, "%s: object is NULL", __func__);
    CN_ASSERT(transform, "%s: transform is NULL", __func__);
    const CniSceneObjects *objects = cni_scene_objects_mut(world);
    const struct CniScenePrefabs *prefabs = objects ? objects->prefabs : NULL;
    bool found = false;
    uint32_t index = prefabs ? index_of(prefabs, path, &found) : 0;
    if (!found)
        return 0;
    const CniScenePlan *plan = &prefabs->list.items[index]->plan;
    const CniScenePlanNode *root = &plan->nodes.items[0];
    CnComponent component = cn_id(world, CnTransform);
    *object = (CnObject){.enabled = !root->disabled};
    cn_copy_text(object->name, sizeof object->name, cn_text(root->name));
    *transform = CN_TRANSFORM_IDENTITY;
    for (uint32_t i = 0; i < root->value_count; i++)
        if (root->values[i].component.id == component.id)
            memcpy(transform, root->values[i].data, sizeof *transform);
    return (uint32_t)plan->nodes.count;
}

/* ---- Removing from the cache ---- */

static void forget(struct CniScenePrefabs *prefabs, Prefab *prefab)
{
    prefab->is_forgotten = true;
    if (prefab->users == 0)
        free_prefab(prefabs->list.allocator, prefab);
}

void cn_prefab_unload(CnWorld *world, const char *path)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CniSceneObjects *objects = cni_scene_objects_mut(world);
    struct CniScenePrefabs *prefabs = objects ? objects->prefabs : NULL;
    bool found = false;
    if (!prefabs)
        return;
    if (!path) {
        for (uint32_t i = 0; i < prefabs->list.count; i++)
            forget(prefabs, prefabs->list.items[i]);
        cn_array_clear(&prefabs->list);
        return;
    }
    uint32_t index = index_of(prefabs, path, &found);
    if (!found)
        return;
    Prefab **items = prefabs->list.items;
    forget(prefabs, items[index]);
    memmove(&items[index], &items[index + 1], (prefabs->list.count - 1 - index) * sizeof *items);
    prefabs->list.count--;
}

/* Hooks run while objects are created, and may remove their prefab from the cache. */
static Prefab *acquire(Prefab *prefab)
{
    if (prefab)
        prefab->users++;
    return prefab;
}

static void release(CnWorld *world, Prefab *prefab)
{
    if (--prefab->users == 0 && prefab->is_forgotten)
        free_prefab(cn_world_allocator(world), prefab);
}

/* ---- Spawning ---- */

#define FEW_NODES 64u

static CnEntity spawn(CnWorld *world, CnCommands *commands, CnFileSystem *files, const char *path,
                      CnEntity parent, CnError *error)
{
    Prefab *prefab = acquire(get_prefab(world, files, path, NULL, error));
    if (!prefab)
        return CN_NO_PARENT;
    CnAllocator *allocator = cn_world_allocator(world);
    CnEntity few[FEW_NODES], *made = few;
    size_t bytes = prefab->plan.nodes.count * sizeof *made;
    if (prefab->plan.nodes.count > FEW_NODES)
        made = cn_alloc(allocator, bytes);
    CnEntity root = CN_NO_PARENT;
    CnError wrong = {.code = CN_ERROR_MEMORY, .message = "out of memory"};
    if (made && cni_scene_plan_instantiate(world, commands, &prefab->plan, parent, prefab->path,
                                           made, &wrong))
        root = made[0];
    else
        cn_error_set_at(error, wrong.code, path, 0, 0, "%s", wrong.message);
    if (made != few)
        cn_free(allocator, made, bytes);
    release(world, prefab);
    return root;
}

CnEntity cn_prefab_spawn(CnWorld *world, CnFileSystem *files, const char *path, CnEntity parent,
                         CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return spawn(world, NULL, files, path, parent, error);
}

CnEntity cn_defer_prefab(CnCommands *commands, CnFileSystem *files, const char *path,
                         CnEntity parent, CnError *error)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    return spawn(cn_commands_world(commands), commands, files, path, parent, error);
}
