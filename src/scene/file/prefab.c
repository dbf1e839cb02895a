#include "scene/file/file_reload.h"
#include "scene/object/object_internal.h"

#define PATH_BYTES sizeof(((CnPrefabSource *)0)->path)

/* Why a file could not be read, and what must change before it is read again. */
typedef struct Failure {
    CnError error; /* code CN_OK: none */
    CnFileInfo file;
    char prefab[PATH_BYTES]; /* the prefab in it that failed, or "" */
} Failure;

/* The cache of prefabs, stored with the objects of the world, sorted by path. */
typedef struct Prefab {
    char path[PATH_BYTES];
    CniScenePlan plan; /* empty after a failure */
    CnPrefabCost cost;
    Failure failure;
    uint32_t users; /* operations that are creating objects from it */
    bool is_forgotten;
} Prefab;

struct CniScenePrefabs {
    CN_ARRAY(Prefab *) list;
    size_t bytes; /* of their plans */
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

static bool read_node(CniSceneFileReader *reader)
{
    return cni_scene_json_index_init(&reader->index, &reader->source, CNI_SCENE_JSON_PART_BYTES,
                                     cn_world_allocator(reader->world), reader->error) &&
           cni_scene_read_node_part(reader, cni_scene_json_root(&reader->source),
                                    CNI_SCENE_NO_NODE) &&
           cni_scene_read_references(reader);
}

static bool parse(Prefab *prefab, CnWorld *world, CnFileSystem *files, CnText text,
                  const CniScenePrefabUser *prefab_user, CniSceneLoad *load, CnError *error)
{
    CniSceneFileReader reader;
    cni_scene_reader_init(&reader, world, files, &prefab->plan, load, error);
    reader.source =
        (CniSceneSourceText){prefab->path, text, prefab_user ? &prefab_user->reader->source : NULL};
    reader.is_prefab = true;
    reader.outer_depth =
        prefab_user ? prefab_user->reader->outer_depth + prefab_user->depth - 1 : 0;
    load->cost.text_bytes += text.size;
    CnError wrong = {0};
    bool done = cni_scene_load_check_cost(load, &wrong)
                    ? read_node(&reader)
                    : cn_error_set_at(error, wrong.code, prefab->path, 0, 0, "%s", wrong.message);
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

/* ---- What a load may take ---- */

static uint64_t left(uint64_t limit, uint64_t used)
{
    return used < limit ? limit - used : 0;
}

/* Bytes that a reader holds while it reads a prefab: its text and the part that is parsed. */
#define PARSED_BYTES_PER_BYTE 75u

static uint64_t bytes_held(const CniSceneFileReader *reader)
{
    size_t size = reader->source.text.size, part = CNI_SCENE_JSON_PART_BYTES;
    return reader->load->bytes + cni_scene_plan_bytes(reader->plan) + size +
           (uint64_t)(size < part ? size : part) * PARSED_BYTES_PER_BYTE;
}

/* A prefab may take what its own budget allows, and what the file that contains it has left. */
static CniSceneLoad load_within(const CnBudget *budget, const CniSceneFileReader *outer)
{
    CniSceneLoad load = cni_scene_load_of(budget);
    const CniSceneLoad *around = outer->load;
    uint32_t objects = (uint32_t)left(around->max_objects, around->objects);
    uint64_t held = bytes_held(outer), bytes = left(around->max_bytes, held);
    if (objects < load.max_objects) {
        load.max_objects = objects;
        load.outer_objects = around->outer_objects + around->objects;
        load.budget = around->budget;
    }
    if (bytes < load.max_bytes) {
        load.max_bytes = bytes;
        load.outer_bytes = around->outer_bytes + held;
        load.budget = around->budget;
    }
    load.max_cost = (CnPrefabCost){left(around->max_cost.text_bytes, around->cost.text_bytes),
                                   left(around->max_cost.objects, around->cost.objects)};
    return load;
}

/* ---- The cache ---- */

static void forget(struct CniScenePrefabs *prefabs, Prefab *prefab)
{
    prefabs->bytes -= cni_scene_plan_bytes(&prefab->plan);
    prefab->is_forgotten = true;
    if (prefab->users == 0)
        free_prefab(prefabs->list.allocator, prefab);
}

static void forget_at(struct CniScenePrefabs *prefabs, uint32_t index)
{
    Prefab **items = prefabs->list.items;
    forget(prefabs, items[index]);
    memmove(&items[index], &items[index + 1], (prefabs->list.count - 1 - index) * sizeof *items);
    prefabs->list.count--;
}

/* Makes room for the plans of another prefab. */
static void trim_cache(struct CniScenePrefabs *prefabs, size_t bytes)
{
    if (prefabs->bytes + bytes <= CNI_SCENE_PREFAB_CACHE_BYTES)
        return;
    for (uint32_t i = 0; i < prefabs->list.count; i++)
        forget(prefabs, prefabs->list.items[i]);
    cn_array_clear(&prefabs->list);
}

static bool insert(struct CniScenePrefabs *prefabs, Prefab *prefab)
{
    size_t bytes = cni_scene_plan_bytes(&prefab->plan);
    bool found;
    trim_cache(prefabs, bytes);
    uint32_t index = index_of(prefabs, prefab->path, &found);
    CN_ASSERT(!found, "the prefab is cached twice");
    if (!cn_array_push(&prefabs->list, prefab))
        return false;
    Prefab **items = prefabs->list.items;
    memmove(&items[index + 1], &items[index], (prefabs->list.count - 1 - index) * sizeof *items);
    items[index] = prefab;
    prefabs->bytes += bytes;
    return true;
}

/* ---- Failures ---- */

/* Whether the file would fail in the same way wherever it is used. */
static bool is_lasting(const struct CniScenePrefabs *prefabs, const CniSceneLoad *load,
                       CnErrorCode code)
{
    bool found = false;
    if (load->failed_prefab[0])
        index_of(prefabs, load->failed_prefab, &found);
    return (found || !load->failed_prefab[0]) && code != CN_ERROR_LIMIT && code != CN_ERROR_CYCLE &&
           code != CN_ERROR_MEMORY;
}

/* Whether neither the file nor the prefab in it that failed has changed. */
static bool is_current(const struct CniScenePrefabs *prefabs, CnFileSystem *files,
                       const Prefab *prefab)
{
    const Failure *failure = &prefab->failure;
    CnFileInfo file;
    if (!files || !files->info(files, prefab->path, &file, NULL) ||
        file.size_bytes != failure->file.size_bytes ||
        file.modified_ns != failure->file.modified_ns)
        return false;
    if (!failure->prefab[0])
        return true;
    bool found;
    uint32_t index = index_of(prefabs, failure->prefab, &found);
    return found && prefabs->list.items[index]->failure.error.code &&
           is_current(prefabs, files, prefabs->list.items[index]);
}

/* ---- Getting a prefab ---- */

/* Reads a file into a prefab, which after a failure has none of its content. Returns whether it
 * belongs in the cache. */
static bool fill_prefab(Prefab *prefab, CnWorld *world, CnFileSystem *files,
                        const CniScenePrefabUser *prefab_user, const CnPrefabCost *limit)
{
    CnError *error = &prefab->failure.error;
    CnFileBytes bytes;
    CnFileInfo file = {0};
    if (!check_chain(prefab_user, prefab->path, error) ||
        !read_file(world, files, prefab->path, prefab_user, &bytes, error))
        return false;
    CniSceneLoad load = prefab_user ? load_within(bytes.budget, prefab_user->reader)
                                    : cni_scene_load_of(bytes.budget);
    if (limit)
        load.max_cost = *limit;
    bool is_stamped = files->info(files, prefab->path, &file, NULL);
    CnText text = {(const char *)bytes.data, bytes.size};
    bool done = parse(prefab, world, files, text, prefab_user, &load, error);
    cn_file_bytes_free(&bytes);
    prefab->cost = load.cost;
    if (prefab_user) {
        prefab_user->reader->load->objects += load.objects;
        prefab_user->reader->load->bytes += load.bytes + cni_scene_plan_bytes(&prefab->plan);
    }
    if (done)
        return true;
    CnAllocator *allocator = cn_world_allocator(world);
    cni_scene_plan_fini(&prefab->plan);
    cni_scene_plan_init(&prefab->plan, allocator);
    prefab->failure.file = file;
    memcpy(prefab->failure.prefab, load.failed_prefab, sizeof load.failed_prefab);
    return is_stamped && is_lasting(prefabs_of(world), &load, error->code);
}

static Prefab *read_prefab(CnWorld *world, CnFileSystem *files, const char *path,
                           const CniScenePrefabUser *prefab_user, const CnPrefabCost *limit,
                           CnPrefabCost *cost, CnError *error)
{
    CnAllocator *allocator = cn_world_allocator(world);
    struct CniScenePrefabs *prefabs = prefabs_of(world);
    Prefab *prefab = cn_alloc_zeroed(allocator, sizeof *prefab);
    if (!prefab) {
        cn_error_set_at(error, CN_ERROR_MEMORY, path, 0, 0, "out of memory");
        return NULL;
    }
    cn_copy_text(prefab->path, sizeof prefab->path, cn_text(path));
    cni_scene_plan_init(&prefab->plan, allocator);
    bool is_kept = fill_prefab(prefab, world, files, prefab_user, limit);
    bool failed = prefab->failure.error.code != CN_OK;
    if (failed && error)
        *error = prefab->failure.error;
    *cost = prefab->cost;
    if (is_kept && insert(prefabs, prefab))
        return failed ? NULL : prefab;
    if (!failed)
        cn_error_set_at(error, CN_ERROR_MEMORY, path, 0, 0, "out of memory");
    free_prefab(allocator, prefab);
    return NULL;
}

/* Returns a prefab from the cache; *is_known is set if it is in there, also as a failure. */
static Prefab *get_cached(CnWorld *world, CnFileSystem *files, const char *path, bool *is_known,
                          CnPrefabCost *cost, CnError *error)
{
    struct CniScenePrefabs *prefabs = prefabs_of(world);
    uint32_t index = index_of(prefabs, path, is_known);
    Prefab *prefab = *is_known ? prefabs->list.items[index] : NULL;
    if (prefab && prefab->failure.error.code && !is_current(prefabs, files, prefab)) {
        forget_at(prefabs, index);
        *is_known = false;
        return NULL;
    }
    if (!prefab)
        return NULL;
    *cost = prefab->cost;
    if (!prefab->failure.error.code)
        return prefab;
    if (error)
        *error = prefab->failure.error;
    return NULL;
}

static Prefab *get_prefab(CnWorld *world, CnFileSystem *files, const char *path,
                          const CniScenePrefabUser *prefab_user, const CnPrefabCost *limit,
                          CnPrefabCost *cost, CnError *error)
{
    bool is_known;
    *cost = (CnPrefabCost){0};
    if (!prefabs_of(world)) {
        cn_error_set_at(
            error, cni_scene_objects_mut(world) ? CN_ERROR_MEMORY : CN_ERROR_MISMATCH, path, 0, 0,
            cni_scene_objects_mut(world) ? "out of memory" : "the world has no objects");
        return NULL;
    }
    if (strlen(path) >= PATH_BYTES) {
        fail_prefab_user(prefab_user, path, error, CN_ERROR_LIMIT,
                         "the path of a prefab must have 1 to 127 bytes");
        return NULL;
    }
    Prefab *prefab = get_cached(world, files, path, &is_known, cost, error);
    if (!is_known)
        prefab = read_prefab(world, files, path, prefab_user, limit, cost, error);
    CniSceneLoad total = {.cost = *cost, .max_cost = {UINT64_MAX, UINT64_MAX}};
    if (limit)
        total.max_cost = *limit;
    CnError wrong = {0};
    if (!prefab || cni_scene_load_check_cost(&total, &wrong))
        return prefab;
    cn_error_set_at(error, wrong.code, path, 0, 0, "%s", wrong.message);
    return NULL;
}

const CniScenePlan *cni_scene_prefab_plan(CnWorld *world, CnFileSystem *files, const char *path,
                                          const CniScenePrefabUser *prefab_user, CnError *error)
{
    CniSceneLoad *load = prefab_user->reader->load;
    CnPrefabCost cost;
    const Prefab *prefab = get_prefab(world, files, path, prefab_user, NULL, &cost, error);
    load->cost.text_bytes += cost.text_bytes;
    load->cost.objects += cost.objects;
    if (!prefab)
        cn_copy_text(load->failed_prefab, sizeof load->failed_prefab, cn_text(path));
    return prefab ? &prefab->plan : NULL;
}

uint32_t cn_prefab_load(CnWorld *world, CnFileSystem *files, const char *path,
                        const CnPrefabCost *limit, CnPrefabCost *cost, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(path, "%s: path is NULL", __func__);
    CN_ASSERT(cost, "%s: cost is NULL", __func__);
    const Prefab *prefab = get_prefab(world, files, path, NULL, limit, cost, error);
    return prefab ? prefab->plan.nodes.count : 0;
}

/* Returns the plan of a prefab that has been read, or NULL. */
static const CniScenePlan *cached_plan(CnWorld *world, const char *path)
{
    const CniSceneObjects *objects = cni_scene_objects_mut(world);
    const struct CniScenePrefabs *prefabs = objects ? objects->prefabs : NULL;
    bool found = false;
    uint32_t index = prefabs ? index_of(prefabs, path, &found) : 0;
    bool is_there = found && !prefabs->list.items[index]->failure.error.code;
    return is_there ? &prefabs->list.items[index]->plan : NULL;
}

static const void *root_value(const CniScenePlan *plan, CnComponent component)
{
    const CniScenePlanNode *root = &plan->nodes.items[0];
    for (uint32_t i = 0; i < root->value_count; i++)
        if (root->values[i].component.id == component.id)
            return root->values[i].data;
    return NULL;
}

uint32_t cn_prefab_root(CnWorld *world, const char *path, CnObject *object, CnTransform *transform)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(object, "%s: object is NULL", __func__);
    CN_ASSERT(transform, "%s: transform is NULL", __func__);
    const CniScenePlan *plan = cached_plan(world, path);
    if (!plan)
        return 0;
    const CniScenePlanNode *root = &plan->nodes.items[0];
    const CnTransform *placed = root_value(plan, cn_id(world, CnTransform));
    *object = (CnObject){.enabled = !root->disabled};
    cn_copy_text(object->name, sizeof object->name, cn_text(root->name));
    *transform = placed ? *placed : CN_TRANSFORM_IDENTITY;
    return (uint32_t)plan->nodes.count;
}

const void *cn_prefab_component(CnWorld *world, const char *path, CnComponent component)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(path, "%s: path is NULL", __func__);
    const CniScenePlan *plan = cached_plan(world, path);
    return plan ? root_value(plan, component) : NULL;
}

/* ---- Removing from the cache ---- */

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
    if (found)
        forget_at(prefabs, index);
}

/* ---- Reloading ---- */

bool cni_scene_prefabs_contain(CnWorld *world, const char *path)
{
    const CniSceneObjects *objects = cni_scene_objects_mut(world);
    bool found = false;
    if (objects && objects->prefabs)
        index_of(objects->prefabs, path, &found);
    return found;
}

CniScenePrefabs *cni_scene_prefabs_exchange(CnWorld *world, CniScenePrefabs *prefabs)
{
    CniSceneObjects *objects = cni_scene_objects_mut(world);
    CniScenePrefabs *old = objects->prefabs;
    objects->prefabs = prefabs;
    return old;
}

bool cni_scene_prefabs_read_again(CnWorld *world, CnFileSystem *files, const CniScenePrefabs *old,
                                  CnError *error)
{
    CnPrefabCost cost;
    for (uint32_t i = 0; old && i < old->list.count; i++)
        if (!old->list.items[i]->failure.error.code &&
            !get_prefab(world, files, old->list.items[i]->path, NULL, NULL, &cost, error))
            return false;
    return true;
}

const CniScenePlan *cni_scene_prefabs_find(const CniScenePrefabs *prefabs, const char *path)
{
    bool found = false;
    uint32_t index = prefabs ? index_of(prefabs, path, &found) : 0;
    const Prefab *prefab = found ? prefabs->list.items[index] : NULL;
    return prefab && !prefab->failure.error.code ? &prefab->plan : NULL;
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
    CnPrefabCost cost;
    Prefab *prefab = acquire(get_prefab(world, files, path, NULL, NULL, &cost, error));
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
