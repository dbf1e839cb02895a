#include "scene/file/file_reader.h"

void cni_scene_plan_init(CniScenePlan *plan, CnAllocator *allocator)
{
    *plan = (CniScenePlan){0};
    cn_arena_init(&plan->arena, allocator, 0);
    cn_array_init(&plan->nodes, allocator);
    cn_array_init(&plan->references, allocator);
    cn_hash_map_init_keyed(&plan->by_name, allocator, sizeof(uint32_t));
    cn_hash_map_init_keyed(&plan->by_uid, allocator, sizeof(uint32_t));
}

void cni_scene_plan_fini(CniScenePlan *plan)
{
    cn_hash_map_fini(&plan->by_uid);
    cn_hash_map_fini(&plan->by_name);
    cn_array_fini(&plan->references);
    cn_array_fini(&plan->nodes);
    cn_arena_fini(&plan->arena);
}

static size_t map_bytes(const CnHashMap *map)
{
    return map->table_size * sizeof *map->table +
           map->capacity * (sizeof *map->keys + map->value_bytes);
}

size_t cni_scene_plan_bytes(const CniScenePlan *plan)
{
    return plan->arena.used_bytes + plan->nodes.capacity * sizeof *plan->nodes.items +
           plan->references.capacity * sizeof *plan->references.items + map_bytes(&plan->by_name) +
           map_bytes(&plan->by_uid);
}

CniSceneLoad cni_scene_load_of(const CnBudget *budget)
{
    budget = budget ? budget : cn_budget_of(CN_ORIGIN_USER);
    return (CniSceneLoad){.budget = budget,
                          .max_objects = budget->scene_objects,
                          .max_bytes = budget->scene_bytes,
                          .max_cost = {UINT64_MAX, UINT64_MAX}};
}

bool cni_scene_load_check_cost(const CniSceneLoad *load, CnError *error)
{
    if (load->cost.text_bytes > load->max_cost.text_bytes)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "the prefab and those in it have more text than "
                            "may be read here: %llu bytes",
                            (unsigned long long)load->max_cost.text_bytes);
    if (load->cost.objects > load->max_cost.objects)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "the prefab and those in it have more objects "
                            "than may be created here: %llu",
                            (unsigned long long)load->max_cost.objects);
    return true;
}

void cni_scene_reader_init(CniSceneFileReader *reader, CnWorld *world, CnFileSystem *files,
                           CniScenePlan *plan, CniSceneLoad *load, CnError *error)
{
    *reader = (CniSceneFileReader){
        .world = world, .files = files, .plan = plan, .load = load, .error = error};
    cn_array_init(&reader->known, plan->arena.allocator);
    cn_array_init(&reader->pending, plan->arena.allocator);
}

void cni_scene_reader_fini(CniSceneFileReader *reader)
{
    cni_scene_json_index_fini(&reader->index);
    cn_array_fini(&reader->pending);
    cn_array_fini(&reader->known);
}

/* ---- Names ---- */

/* Finds the child with this name; otherwise *key is where it belongs in the map. Names whose
 * hashes collide use the next keys. */
static uint32_t find_child(const CniScenePlan *plan, uint32_t parent, CnText name, uint64_t *key)
{
    *key = cn_hash_keyed(name.data, name.size, parent);
    for (;; ++*key) {
        const uint32_t *found = cn_hash_map_get(&plan->by_name, *key);
        if (!found)
            return CNI_SCENE_NO_NODE;
        const CniScenePlanNode *node = &plan->nodes.items[*found];
        if (node->parent == parent && cn_text_equal(cn_text(node->name), name))
            return *found;
    }
}

uint32_t cni_scene_plan_find_below(const CniScenePlan *plan, uint32_t node, CnText path)
{
    uint64_t key;
    for (CnText part; cn_text_split(&path, '/', &part);) {
        node = find_child(plan, node, part, &key);
        if (node == CNI_SCENE_NO_NODE)
            return CNI_SCENE_NO_NODE;
    }
    return node;
}

uint32_t cni_scene_plan_find(const CniScenePlan *plan, CnText path)
{
    return cni_scene_plan_find_below(plan, CNI_SCENE_NO_NODE, path);
}

uint32_t cni_scene_plan_child(const CniScenePlan *plan, uint32_t parent, const char *name)
{
    uint64_t key;
    return find_child(plan, parent, cn_text(name), &key);
}

static bool fail(const CniSceneFileReader *reader, const CniSceneJsonPath *where, CnErrorCode code,
                 const char *message)
{
    return cni_scene_fail(&reader->source, where, CNI_SCENE_JSON_AT_VALUE, reader->error, code,
                          "%s", message);
}

static uint32_t depth_below(const CniScenePlan *plan, uint32_t parent)
{
    return parent == CNI_SCENE_NO_NODE ? 1 : plan->nodes.items[parent].depth + 1;
}

/* Checks what the file and all prefabs in it take together. */
static bool check_load(const CniSceneFileReader *reader, const CniSceneJsonPath *where)
{
    const CniSceneLoad *load = reader->load;
    uint64_t bytes = load->bytes + cni_scene_plan_bytes(reader->plan);
    CnError wrong = {0};
    if (load->objects >= load->max_objects)
        cn_budget_refuse(&wrong, load->budget, reader->source.name, "scene_objects",
                         load->outer_objects + (load->objects + UINT64_C(1)),
                         load->outer_objects + (uint64_t)load->max_objects);
    else if (bytes > load->max_bytes)
        cn_budget_refuse(&wrong, load->budget, reader->source.name, "scene_bytes",
                         load->outer_bytes + bytes, load->outer_bytes + load->max_bytes);
    else if (cni_scene_load_check_cost(load, &wrong))
        return true;
    return fail(reader, where, wrong.code, wrong.message);
}

static bool fail_name(const CniSceneFileReader *reader, const CniScenePlanNode *node,
                      const CniSceneJsonPath *where)
{
    uint32_t parent = node->parent;
    bool is_in_instance =
        parent != CNI_SCENE_NO_NODE && reader->plan->nodes.items[parent].is_instance;
    return cni_scene_fail(&reader->source, where, CNI_SCENE_JSON_AT_VALUE, reader->error,
                          CN_ERROR_EXISTS, "a sibling of this node is also named \"%s\"%s",
                          node->name,
                          is_in_instance ? "; nodes of a prefab are changed in \"overrides\"" : "");
}

/* Adds a node whose parent is in the plan; returns its index, or CNI_SCENE_NO_NODE and an error. */
static uint32_t add_node(CniSceneFileReader *reader, const CniScenePlanNode *node,
                         const CniSceneJsonPath *where)
{
    CniScenePlan *plan = reader->plan;
    CniScenePlanNode added = *node;
    added.depth = depth_below(plan, node->parent);
    uint32_t index = plan->nodes.count;
    uint64_t key;
    if (!check_load(reader, where))
        return CNI_SCENE_NO_NODE;
    if (added.depth + reader->outer_depth > CN_SCENE_FILE_MAX_DEPTH)
        cni_scene_fail(&reader->source, where, CNI_SCENE_JSON_AT_VALUE, reader->error,
                       CN_ERROR_LIMIT, "nodes are nested more than %u levels deep",
                       CN_SCENE_FILE_MAX_DEPTH);
    else if (find_child(plan, added.parent, cn_text(added.name), &key) != CNI_SCENE_NO_NODE)
        fail_name(reader, &added, where);
    else if (!cn_hash_map_set(&plan->by_name, key, &index) || !cn_array_push(&plan->nodes, added))
        cni_scene_fail_memory(&reader->source, reader->error);
    else {
        reader->load->objects++;
        reader->load->cost.objects++;
        plan->height = added.depth > plan->height ? added.depth : plan->height;
        return index;
    }
    return CNI_SCENE_NO_NODE;
}

/* ---- Prefabs in nodes ---- */

static bool copy_name(CnArena *arena, const char **name)
{
    if (*name)
        *name = cn_arena_copy_text(arena, *name, strlen(*name));
    return *name != NULL;
}

/* Copies a node of a prefab, because the prefab may be removed from the cache earlier. */
static bool copy_node(CnArena *arena, CniScenePlanNode *node)
{
    CniScenePlanValue *values = cn_arena_alloc(arena, node->value_count * sizeof *values + 1,
                                               CN_ALIGN_OF(CniScenePlanValue));
    if (!values || !copy_name(arena, &node->name) ||
        (node->prefab && !copy_name(arena, &node->prefab)))
        return false;
    for (uint32_t i = 0; i < node->value_count; i++) {
        CniScenePlanValue *value = &values[i];
        *value = node->values[i];
        if (!value->size)
            continue;
        value->data = cn_arena_alloc(arena, value->size, value->alignment);
        if (!value->data)
            return false;
        memcpy(value->data, node->values[i].data, value->size);
    }
    node->values = values;
    return true;
}

/* Adds the nodes of a prefab in place of `root`, which supplies the name and the parent. */
static uint32_t add_prefab(CniSceneFileReader *reader, const CniScenePlan *prefab,
                           const CniScenePlanNode *root, const CniSceneJsonPath *where)
{
    CniScenePlan *plan = reader->plan;
    uint32_t base = plan->nodes.count;
    reader->first_reference = plan->references.count;
    for (uint32_t i = 0; i < prefab->nodes.count; i++) {
        CniScenePlanNode node = i ? prefab->nodes.items[i] : *root;
        if (i)
            node.parent += base;
        if (!copy_node(&plan->arena, &node)) {
            cni_scene_fail_memory(&reader->source, reader->error);
            return CNI_SCENE_NO_NODE;
        }
        if (add_node(reader, &node, where) == CNI_SCENE_NO_NODE)
            return CNI_SCENE_NO_NODE;
    }
    for (uint32_t i = 0; i < prefab->references.count; i++) {
        CniScenePlanReference reference = prefab->references.items[i];
        reference.node += base;
        reference.target += base;
        if (!cn_array_push(&plan->references, reference)) {
            cni_scene_fail_memory(&reader->source, reader->error);
            return CNI_SCENE_NO_NODE;
        }
    }
    return base;
}

/* ---- Nodes ---- */

static const char *const node_keys[] = {"id",     "components", "children",  "uid", "enabled",
                                        "prefab", "origin",     "overrides", NULL};

typedef struct NodeJson {
    json_t *id, *components, *children, *uid, *enabled, *prefab, *origin, *overrides;
} NodeJson;

static bool sort_key(const CniSceneFileReader *reader, NodeJson *node, const char *key,
                     json_t *value, const CniSceneJsonPath *where)
{
    json_t **places[] = {&node->id,      &node->components, &node->children, &node->uid,
                         &node->enabled, &node->prefab,     &node->origin,   &node->overrides};
    for (uint32_t i = 0; node_keys[i]; i++) {
        if (strcmp(node_keys[i], key) == 0) {
            *places[i] = value;
            return true;
        }
    }
    char suggestion[CNI_SCENE_SUGGESTION_BYTES];
    return cni_scene_fail(
        &reader->source, where, CNI_SCENE_JSON_AT_KEY, reader->error, CN_ERROR_NOT_FOUND,
        "a node has no member \"%.64s\"%s", key,
        cni_scene_suggestion(suggestion, cni_scene_find_similar_in(key, node_keys)));
}

static bool sort_keys(const CniSceneFileReader *reader, json_t *json, const CniSceneJsonPath *where,
                      bool is_file, NodeJson *node)
{
    if (!json_is_object(json))
        return cni_scene_fail(&reader->source, where, CNI_SCENE_JSON_AT_VALUE, reader->error,
                              CN_ERROR_FORMAT, "a node must be an object, not %s",
                              cni_scene_json_kind(json));
    const char *key;
    json_t *value;
    json_object_foreach(json, key, value)
    {
        /* The root object of a prefab file may have a "$schema". */
        bool is_schema = is_file && !strcmp(key, "$schema") && json_is_string(value);
        if (!is_schema &&
            !sort_key(reader, node, key, value, &(CniSceneJsonPath){where, json, key, 0}))
            return false;
    }
    return true;
}

static bool check_kind(const CniSceneFileReader *reader, json_t *json, json_t *value,
                       json_type type, const CniSceneJsonPath *where, const char *key,
                       const char *kind)
{
    if (!value || json_typeof(value) == type)
        return true;
    return cni_scene_fail(&reader->source, &(CniSceneJsonPath){where, json, key, 0},
                          CNI_SCENE_JSON_AT_VALUE, reader->error, CN_ERROR_FORMAT,
                          "\"%s\" must be %s, not %s", key, kind, cni_scene_json_kind(value));
}

static bool check_origin(const CniSceneFileReader *reader, json_t *json, const NodeJson *node,
                         const CniSceneJsonPath *where)
{
    if (node->origin && node->prefab)
        return fail(reader, &(CniSceneJsonPath){where, json, "origin", 0}, CN_ERROR_EXISTS,
                    "a node has a \"prefab\", whose content it gets, or an \"origin\", not both");
    if (node->overrides && !node->prefab)
        return fail(reader, &(CniSceneJsonPath){where, json, "overrides", 0}, CN_ERROR_NOT_FOUND,
                    "only a node with a \"prefab\" has something to override");
    return true;
}

static bool check_kinds(const CniSceneFileReader *reader, json_t *json, const NodeJson *node,
                        const CniSceneJsonPath *where)
{
    if (!node->id && !node->prefab)
        return fail(reader, where, CN_ERROR_FORMAT, "a node needs an \"id\"");
    if (node->enabled && !json_is_boolean(node->enabled))
        return cni_scene_fail(&reader->source, &(CniSceneJsonPath){where, json, "enabled", 0},
                              CNI_SCENE_JSON_AT_VALUE, reader->error, CN_ERROR_FORMAT,
                              "\"enabled\" must be true or false, not %s",
                              cni_scene_json_kind(node->enabled));
    return check_kind(reader, json, node->id, JSON_STRING, where, "id", "a string") &&
           check_kind(reader, json, node->components, JSON_ARRAY, where, "components",
                      "an array") &&
           check_kind(reader, json, node->children, JSON_ARRAY, where, "children", "an array") &&
           check_kind(reader, json, node->uid, JSON_INTEGER, where, "uid", "an integer") &&
           check_kind(reader, json, node->prefab, JSON_STRING, where, "prefab", "a path") &&
           check_kind(reader, json, node->origin, JSON_STRING, where, "origin", "a path") &&
           check_kind(reader, json, node->overrides, JSON_OBJECT, where, "overrides",
                      "an object") &&
           check_origin(reader, json, node, where);
}

static bool read_name(CniSceneFileReader *reader, json_t *id, const CniSceneJsonPath *where,
                      CniScenePlanNode *node)
{
    CnText name = {json_string_value(id), json_string_length(id)};
    if (!cn_object_name_valid(name))
        return cni_scene_fail(&reader->source, where, CNI_SCENE_JSON_AT_VALUE, reader->error,
                              CN_ERROR_FORMAT,
                              "\"%.64s\" is not a valid name: 1 to %u bytes without '/'", name.data,
                              CN_OBJECT_NAME_BYTES - 1);
    node->name = cn_arena_copy_text(&reader->plan->arena, name.data, name.size);
    return node->name || cni_scene_fail_memory(&reader->source, reader->error);
}

/* Prefabs are instantiated many times, so uids in them are ignored. */
static bool read_uid(CniSceneFileReader *reader, json_t *json, const CniSceneJsonPath *where,
                     CniScenePlanNode *node)
{
    CniScenePlan *plan = reader->plan;
    json_int_t number = json_integer_value(json);
    uint64_t uid = (uint64_t)number;
    if (number < 1 || uid > CN_OBJECT_UID_MAX)
        return cni_scene_fail(&reader->source, where, CNI_SCENE_JSON_AT_VALUE, reader->error,
                              CN_ERROR_FORMAT, "\"uid\" must be a number from 1 to %llu",
                              (unsigned long long)CN_OBJECT_UID_MAX);
    if (reader->is_prefab)
        return true;
    if (cn_hash_map_get(&plan->by_uid, uid))
        return fail(reader, where, CN_ERROR_EXISTS, "another node of this file has the same uid");
    if (!reader->is_reload && !cn_entity_is_null(cn_object_by_uid(reader->world, uid)))
        return fail(reader, where, CN_ERROR_EXISTS, "an object of the scene already has this uid");
    node->uid = uid;
    return cn_hash_map_set(&plan->by_uid, uid, &plan->nodes.count) ||
           cni_scene_fail_memory(&reader->source, reader->error);
}

static bool read_prefab_path(CniSceneFileReader *reader, json_t *json,
                             const CniSceneJsonPath *where, const char **path)
{
    CnText text = {json_string_value(json), json_string_length(json)};
    if (text.size == 0 || text.size >= sizeof(((CnPrefabSource *)0)->path))
        return fail(reader, where, CN_ERROR_LIMIT, "the path of a prefab must have 1 to 127 bytes");
    *path = cn_arena_copy_text(&reader->plan->arena, text.data, text.size);
    return *path || cni_scene_fail_memory(&reader->source, reader->error);
}

/* Reads the node itself, without components and children. */
static bool read_head(CniSceneFileReader *reader, json_t *json, const NodeJson *parts,
                      const CniSceneJsonPath *where, CniScenePlanNode *node,
                      const CniScenePlan **prefab)
{
    json_t *origin = parts->prefab ? parts->prefab : parts->origin;
    CniSceneJsonPath prefab_where = {where, json, parts->prefab ? "prefab" : "origin", 0};
    *prefab = NULL;
    if (origin && !read_prefab_path(reader, origin, &prefab_where, &node->prefab))
        return false;
    if (parts->prefab) {
        CniScenePrefabUser prefab_user = {reader, &prefab_where,
                                          depth_below(reader->plan, node->parent)};
        *prefab = cni_scene_prefab_plan(reader->world, reader->files, node->prefab, &prefab_user,
                                        reader->error);
        if (!*prefab)
            return false;
        const CniScenePlanNode *root = &(*prefab)->nodes.items[0];
        *node = (CniScenePlanNode){.name = root->name,
                                   .disabled = root->disabled,
                                   .values = root->values,
                                   .value_count = root->value_count,
                                   .parent = node->parent,
                                   .is_instance = true,
                                   .prefab = node->prefab};
    }
    if (parts->id && !read_name(reader, parts->id, &(CniSceneJsonPath){where, json, "id", 0}, node))
        return false;
    if (parts->enabled)
        node->disabled = json_is_false(parts->enabled);
    return !parts->uid ||
           read_uid(reader, parts->uid, &(CniSceneJsonPath){where, json, "uid", 0}, node);
}

/* Archetypes are created in the order in which components are given, which must not depend on
 * the order in the text. */
static void sort_values(CniScenePlanNode *node)
{
    for (uint32_t i = 1; i < node->value_count; i++) {
        CniScenePlanValue value = node->values[i];
        uint32_t at = i;
        for (; at && node->values[at - 1].component.id > value.component.id; at--)
            node->values[at] = node->values[at - 1];
        node->values[at] = value;
    }
}

bool cni_scene_read_components(CniSceneFileReader *reader, json_t *list,
                               const CniSceneJsonPath *where, uint32_t index)
{
    CniScenePlanNode *node = &reader->plan->nodes.items[index];
    size_t count = json_array_size(list);
    if (count == 0)
        return true;
    CniScenePlanValue *values =
        cn_arena_alloc(&reader->plan->arena, (node->value_count + count) * sizeof *values,
                       CN_ALIGN_OF(CniScenePlanValue));
    if (!values)
        return cni_scene_fail_memory(&reader->source, reader->error);
    if (node->value_count)
        memcpy(values, node->values, node->value_count * sizeof *values);
    node->values = values;
    for (size_t i = 0; i < count; i++)
        if (!cni_scene_read_component(reader, json_array_get(list, i),
                                      &(CniSceneJsonPath){where, list, NULL, i}, index))
            return false;
    sort_values(&reader->plan->nodes.items[index]);
    return true;
}

/* Reads a node without its children, and adds it; returns its index, or CNI_SCENE_NO_NODE and an
 * error. */
static uint32_t read_single_node(CniSceneFileReader *reader, json_t *json,
                                 const CniSceneJsonPath *where, uint32_t parent)
{
    NodeJson parts = {0};
    CniScenePlanNode node = {.parent = parent};
    const CniScenePlan *prefab;
    bool is_file = reader->is_prefab && parent == CNI_SCENE_NO_NODE;
    if (!sort_keys(reader, json, where, is_file, &parts) ||
        !check_kinds(reader, json, &parts, where) ||
        !read_head(reader, json, &parts, where, &node, &prefab))
        return CNI_SCENE_NO_NODE;
    CniSceneJsonPath id_where = {where, json, parts.id ? "id" : "prefab", 0};
    uint32_t index =
        prefab ? add_prefab(reader, prefab, &node, &id_where) : add_node(reader, &node, &id_where);
    if (index == CNI_SCENE_NO_NODE ||
        !cni_scene_read_components(reader, parts.components,
                                   &(CniSceneJsonPath){where, json, "components", 0}, index) ||
        !cni_scene_read_overrides(reader, parts.overrides,
                                  &(CniSceneJsonPath){where, json, "overrides", 0}, index))
        return CNI_SCENE_NO_NODE;
    return index;
}

bool cni_scene_read_node(CniSceneFileReader *reader, json_t *json, const CniSceneJsonPath *where,
                         uint32_t parent)
{
    uint32_t index = read_single_node(reader, json, where, parent);
    if (index == CNI_SCENE_NO_NODE)
        return false;
    json_t *children = json_object_get(json, "children");
    CniSceneJsonPath children_where = {where, json, "children", 0};
    for (size_t i = 0; i < json_array_size(children); i++)
        if (!cni_scene_read_node(reader, json_array_get(children, i),
                                 &(CniSceneJsonPath){&children_where, children, NULL, i}, index))
            return false;
    return true;
}

bool cni_scene_read_node_parts(CniSceneFileReader *reader, CniSceneJsonPart list, uint32_t parent)
{
    CniSceneJsonElements elements = cni_scene_json_elements(list);
    CniSceneJsonPart element;
    CniSceneJsonNext next;
    while ((next = cni_scene_json_next_element(&reader->source, &reader->index, &elements, &element,
                                               reader->error)) == CNI_SCENE_JSON_ELEMENT)
        if (!cni_scene_read_node_part(reader, element, parent))
            return false;
    return next == CNI_SCENE_JSON_END;
}

bool cni_scene_read_node_part(CniSceneFileReader *reader, CniSceneJsonPart part, uint32_t parent)
{
    static const char *const keys[] = {"children", NULL};
    CniSceneJsonPart children;
    CniSceneJsonPath where = {.key = part.text.data};
    json_t *json = cni_scene_json_read_part(&reader->source, &reader->index, part, keys, &children,
                                            reader->error);
    if (!json)
        return false;
    if (!children.text.data) {
        bool done = cni_scene_read_node(reader, json, &where, parent);
        json_decref(json);
        return done;
    }
    uint32_t index = read_single_node(reader, json, &where, parent);
    json_decref(json); /* before its children are parsed */
    return index != CNI_SCENE_NO_NODE && cni_scene_read_node_parts(reader, children, index);
}

bool cni_scene_read_references(CniSceneFileReader *reader)
{
    for (uint32_t i = 0; i < reader->pending.count; i++) {
        const CniScenePendingReference *pending = &reader->pending.items[i];
        CniScenePlanReference reference = pending->reference;
        reference.target = cni_scene_plan_find(reader->plan, cn_text(pending->path));
        if (reference.target == CNI_SCENE_NO_NODE)
            return cni_scene_fail(&reader->source, pending->where, CNI_SCENE_JSON_AT_VALUE,
                                  reader->error, CN_ERROR_NOT_FOUND,
                                  "no node of this file has the path \"%.100s\"", pending->path);
        if (!cn_array_push(&reader->plan->references, reference))
            return cni_scene_fail_memory(&reader->source, reader->error);
    }
    return true;
}
