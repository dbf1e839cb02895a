/*
 * Reading scene and prefab files: a text is parsed as JSON, JSON is converted to a completely
 * validated plan, and the plan is instantiated as objects. Only the last step changes the world.
 */
#ifndef CAIRN_SRC_SCENE_FILE_FILE_READER_H
#define CAIRN_SRC_SCENE_FILE_FILE_READER_H

#include <cairn/scene/file.h>

#include <jansson.h>

/* ---- file_source_location.c: the position of a value in a text, computed only for errors ---- */

/* A step from a value to one inside it. The steps are on the stack of the reading functions. */
typedef struct CniSceneJsonPath {
    const struct CniSceneJsonPath *up; /* NULL: the value in the text that begins at `key`, or
                                        * the whole text if that is NULL, too */
    json_t *in;                        /* object or array; NULL: `index` counts members, too */
    const char *key;                   /* in an object; NULL: in an array */
    size_t index;
} CniSceneJsonPath;

/* Returns a step that remains valid when the JSON values are freed. */
CniSceneJsonPath cni_scene_path_without_json(const CniSceneJsonPath *where);

/* Returns the text of the value. `text` was parsed by jansson without an error. */
CnText cni_scene_locate_value(CnText text, const CniSceneJsonPath *where);
/* Returns the key of a member, or the value if it has no key. */
CnText cni_scene_locate_key(CnText text, const CniSceneJsonPath *where);

/* ---- file_json.c: texts ---- */

typedef struct CniSceneSourceText {
    const char *name;
    CnText text;
    const struct CniSceneSourceText *outer; /* the file that refers to this one */
} CniSceneSourceText;

/* Checks what can be checked without parsing: the size, and that there is a text. */
bool cni_scene_json_check_text(const CniSceneSourceText *source, CnError *error);
/* Returns an object, to be freed with json_decref, or NULL and an error with its position. */
json_t *cni_scene_json_read(const CniSceneSourceText *source, CnError *error);

typedef enum CniSceneJsonAnchor {
    CNI_SCENE_JSON_AT_VALUE,
    CNI_SCENE_JSON_AT_KEY
} CniSceneJsonAnchor;
/* Sets the error with its position and returns false. */
bool cni_scene_fail(const CniSceneSourceText *source, const CniSceneJsonPath *where,
                    CniSceneJsonAnchor point, CnError *error, CnErrorCode code, const char *format,
                    ...) CN_PRINTF_LIKE(6, 7);
bool cni_scene_fail_memory(const CniSceneSourceText *source, CnError *error);
/* Returns "an object", "a string", ... */
const char *cni_scene_json_kind(const json_t *json);
/* cn_text_most_similar for a NULL-terminated list. */
const char *cni_scene_find_similar_in(const char *name, const char *const *names);
#define CNI_SCENE_SUGGESTION_BYTES 96
/* ` (did you mean "x"?)`, or "". */
const char *cni_scene_suggestion(char *buffer, const char *similar);

/* ---- file_json_parts.c: large texts, part by part ---- */

/* Texts and values of this size are parsed as a whole. A node without its children, and an entry
 * of "materials" and "pipelines", may not be larger. */
#define CNI_SCENE_JSON_PART_BYTES ((size_t)64 << 10)
#define CNI_SCENE_JSON_MAX_LEFT_OUT 3u

/* A pair of brackets, in the order of the opening ones. */
typedef struct CniSceneJsonSpan {
    uint32_t end;  /* position behind the closing bracket */
    uint32_t next; /* the first pair behind it */
} CniSceneJsonSpan;

typedef struct CniSceneJsonIndex {
    CniSceneJsonSpan *spans; /* NULL: the text is parsed as a whole */
    uint32_t count;
    size_t part_bytes;
    CnAllocator *allocator;
} CniSceneJsonIndex;

/* A value in the text, which is not necessarily valid. */
typedef struct CniSceneJsonPart {
    CnText text;   /* without blanks around it; data is NULL: none */
    uint32_t span; /* its own, if the text begins with a bracket */
} CniSceneJsonPart;

/* Checks the text and matches its brackets. */
bool cni_scene_json_index_init(CniSceneJsonIndex *index, const CniSceneSourceText *source,
                               size_t part_bytes, CnAllocator *allocator, CnError *error);
void cni_scene_json_index_fini(CniSceneJsonIndex *index);
CniSceneJsonPart cni_scene_json_root(const CniSceneSourceText *source);
/* Parses a part; the result is to be freed with json_decref. In an object that is larger than a
 * part, the arrays of these keys are empty and their parts are stored in `lists`; elsewhere, the
 * lists have no text. `keys` ends with NULL and has at most CNI_SCENE_JSON_MAX_LEFT_OUT entries. */
json_t *cni_scene_json_read_part(const CniSceneSourceText *source, const CniSceneJsonIndex *index,
                                 CniSceneJsonPart part, const char *const *keys,
                                 CniSceneJsonPart *lists, CnError *error);

/* An iteration over the elements of a list. */
typedef struct CniSceneJsonElements {
    const char *at, *end;
    uint32_t span; /* the next one */
    bool is_behind_comma;
} CniSceneJsonElements;
typedef enum CniSceneJsonNext {
    CNI_SCENE_JSON_ELEMENT,
    CNI_SCENE_JSON_END,
    CNI_SCENE_JSON_FAILED /* with an error: an element is missing */
} CniSceneJsonNext;
CniSceneJsonElements cni_scene_json_elements(CniSceneJsonPart list);
CniSceneJsonNext cni_scene_json_next_element(const CniSceneSourceText *source,
                                             const CniSceneJsonIndex *index,
                                             CniSceneJsonElements *list, CniSceneJsonPart *element,
                                             CnError *error);
/* Parses all elements of a list, one by one, and frees them. */
bool cni_scene_json_check_list(const CniSceneSourceText *source, const CniSceneJsonIndex *index,
                               CniSceneJsonPart list, CnError *error);

/* ---- file_component_info.c: components ---- */

/* A component as it appears in files, looked up once. */
typedef struct CniSceneFileComponent {
    CnReflectedComponent reflected;
    CnComponentInfo info;
    const CnReflectedMember *items;
    uint32_t item_count;
} CniSceneFileComponent;

/* Fills in the rest when `shown` is set; returns false when out of memory. */
bool cni_scene_file_component_init(CniSceneFileComponent *known, const CnWorld *world,
                                   CnArena *arena);
/* Returns whether nodes represent the component by other means: names, parents, prefab paths. */
bool cni_scene_is_node_component(const CnWorld *world, CnComponent component);
/* Returns the part of its key behind `prefix` and a dot, or the whole key for an empty prefix;
 * NULL if it is not in there, or hidden. */
const char *cni_scene_key_suffix(const CnReflectedMember *item, CnText prefix);
/* Formats the choice to which a field is restricted, "only for shape.type Ball", or "". */
void cni_scene_field_restriction(const CnWorld *world, const CnReflectedComponent *reflected,
                                 const CnReflectedMember *item, char *text, size_t text_bytes);
/* Returns whether a part of a key is an index into an array of structs: names do not begin with a
 * digit. */
bool cni_scene_key_is_index(const char *key);

/* ---- file_read_nodes.c: nodes ---- */

#define CNI_SCENE_NO_NODE UINT32_MAX

typedef struct CniScenePlanValue {
    CnComponent component;
    uint32_t size, alignment; /* 0: a tag */
    void *data;
} CniScenePlanValue;

typedef struct CniScenePlanNode {
    const char *name;
    uint64_t uid;    /* 0: a new one */
    uint32_t parent; /* precedes its children; CNI_SCENE_NO_NODE: a root */
    uint32_t depth;  /* 1: a root */
    CniScenePlanValue *values;
    uint32_t value_count;
    bool disabled;
    bool is_instance;   /* its content comes from the prefab */
    const char *prefab; /* the origin; NULL: not created from a prefab */
} CniScenePlanNode;

/* A field that refers to an object of the same plan. */
typedef struct CniScenePlanReference {
    uint32_t node, target;
    CnComponent component;
    const CnField *field;
    uint32_t element;
} CniScenePlanReference;

/* The validated content of a text. Refers only to the world's components. */
typedef struct CniScenePlan {
    CnArena arena;
    CN_ARRAY(CniScenePlanNode) nodes;
    CN_ARRAY(CniScenePlanReference) references;
    CnHashMap by_name; /* parent and name -> node */
    CnHashMap by_uid;
    uint32_t height; /* levels of nodes */
} CniScenePlan;

void cni_scene_plan_init(CniScenePlan *plan, CnAllocator *allocator);
void cni_scene_plan_fini(CniScenePlan *plan);
/* Finds a node by its path from the roots; CNI_SCENE_NO_NODE when there is none. */
uint32_t cni_scene_plan_find(const CniScenePlan *plan, CnText path);
/* The same with a path from a node; an empty path is the node itself. */
uint32_t cni_scene_plan_find_below(const CniScenePlan *plan, uint32_t node, CnText path);
/* Finds the child of a node, or a root (CNI_SCENE_NO_NODE), by its name. */
uint32_t cni_scene_plan_child(const CniScenePlan *plan, uint32_t parent, const char *name);

/* Memory of a plan. */
size_t cni_scene_plan_bytes(const CniScenePlan *plan);

/* What reading a file with all the prefabs in it may take, and has taken: a small file can expand
 * to a large one through prefabs. */
typedef struct CniSceneLoad {
    const CnBudget *budget; /* the one that limits, for errors */
    uint32_t max_objects;
    uint64_t max_bytes;
    uint32_t objects; /* in all plans that were made */
    uint64_t bytes;   /* of the plans of prefabs that were read for this file */
    /* What the files around this one have taken of the budget, for errors: */
    uint32_t outer_objects;
    uint64_t outer_bytes;
    /* Independent of what is in the cache: */
    CnPrefabCost cost, max_cost;
    char failed_prefab[sizeof(((CnPrefabSource *)0)->path)]; /* that the file refers to, or "" */
} CniSceneLoad;

CniSceneLoad cni_scene_load_of(const CnBudget *budget);
/* Fails if the load costs more than its caller allows. */
bool cni_scene_load_check_cost(const CniSceneLoad *load, CnError *error);
/* A reference whose target may come later in the text. */
typedef struct CniScenePendingReference {
    CniScenePlanReference reference;
    const char *path;
    const CniSceneJsonPath *where;
} CniScenePendingReference;

/* A file that is being read. */
typedef struct CniSceneFileReader {
    CnWorld *world;
    CnFileSystem *files; /* NULL: no prefabs */
    CniSceneSourceText source;
    CniSceneJsonIndex index;
    CniSceneLoad *load;
    CniScenePlan *plan;
    CN_ARRAY(CniSceneFileComponent) known;
    CN_ARRAY(CniScenePendingReference) pending;
    uint32_t outer_depth;     /* of the node for which this prefab is read */
    uint32_t first_reference; /* of those that came with the prefab of the last node */
    bool is_prefab;
    bool is_reload; /* uids may be in use, by the objects that were created from the file */
    CnError *error;
} CniSceneFileReader;

void cni_scene_reader_init(CniSceneFileReader *reader, CnWorld *world, CnFileSystem *files,
                           CniScenePlan *plan, CniSceneLoad *load, CnError *error);
void cni_scene_reader_fini(CniSceneFileReader *reader);
/* Adds the node and everything below it to the plan. */
bool cni_scene_read_node(CniSceneFileReader *reader, json_t *json, const CniSceneJsonPath *where,
                         uint32_t parent);
/* The same for a node, or a list of nodes, that is not parsed yet. */
bool cni_scene_read_node_part(CniSceneFileReader *reader, CniSceneJsonPart part, uint32_t parent);
bool cni_scene_read_node_parts(CniSceneFileReader *reader, CniSceneJsonPart list, uint32_t parent);
/* Reads a list of components into a node; `list` may be NULL. */
bool cni_scene_read_components(CniSceneFileReader *reader, json_t *list,
                               const CniSceneJsonPath *where, uint32_t node);
/* Resolves references, after all nodes were read. */
bool cni_scene_read_references(CniSceneFileReader *reader);

/* ---- file_read_overrides.c ---- */

/* Reads "overrides" of a node that is an instance of a prefab and the last one that was added;
 * `overrides` may be NULL. */
bool cni_scene_read_overrides(CniSceneFileReader *reader, json_t *overrides,
                              const CniSceneJsonPath *where, uint32_t instance);

/* ---- file_read_component.c ---- */

/* Reads a component object into a value of node `node`, over the existing value (from its
 * prefab) or the default. */
bool cni_scene_read_component(CniSceneFileReader *reader, json_t *json,
                              const CniSceneJsonPath *where, uint32_t node);

/* ---- file_read.c ---- */

/* The content of a scene file. */
typedef struct CniSceneBytes {
    const char *name; /* in errors */
    CnText text;
    const CnBudget *budget; /* NULL: that of a file opened by a person */
    bool is_reload;         /* its objects exist: uids may be in use */
} CniSceneBytes;
/* What a scene file contains besides the nodes in the plan. */
typedef struct CniSceneParts {
    CnSceneFile file;
    uint32_t camera; /* a node, or CNI_SCENE_NO_NODE */
} CniSceneParts;
/* Reads a scene into a plan, which is initialized, without changing the world. On success, the
 * caller frees parts->file. */
bool cni_scene_parse(CnWorld *world, CnFileSystem *files, const CniSceneBytes *bytes,
                     CniScenePlan *plan, CniSceneParts *parts, CnError *error);
/* Reads a scene and creates its objects. On success, the plan is moved to *kept, and *made receives
 * the objects of its nodes, in memory of the plan; both may be NULL, and so may `file`. */
bool cni_scene_read_bytes(CnWorld *world, CnFileSystem *files, const CniSceneBytes *bytes,
                          CniScenePlan *kept, CnEntity **made, CnSceneFile *file, CnError *error);
/* Returns the members of a scene; its lists (nodes, materials, pipelines) are in there, or are
 * empty and stored in `lists`. */
json_t *cni_scene_json_read_top(const CniSceneSourceText *source, const CniSceneJsonIndex *index,
                                CniSceneJsonPart lists[CNI_SCENE_JSON_MAX_LEFT_OUT],
                                CnError *error);

/* ---- prefab.c ---- */

/* A node that is created from a prefab, for errors. */
typedef struct CniScenePrefabUser {
    CniSceneFileReader *reader;
    const CniSceneJsonPath *where;
    uint32_t depth;
} CniScenePrefabUser;

/* Plans that the cache of a world keeps at most; it is emptied when they take more. */
#define CNI_SCENE_PREFAB_CACHE_BYTES ((size_t)256 << 20)

/* Returns the plan of a prefab, read on first use, or NULL and an error; `asker` may be NULL.
 * Valid until the next call, and until it is removed from the cache. */
const CniScenePlan *cni_scene_prefab_plan(CnWorld *world, CnFileSystem *files, const char *path,
                                          const CniScenePrefabUser *prefab_user, CnError *error);

/* ---- file_instantiate.c: instantiates plans ---- */

/* In addition to those that each object has. */
#define CNI_SCENE_MAX_COMPONENTS (CN_MAX_VALUES - 4u)

/* Creates all objects or none: immediately, or as commands if `commands` is not NULL. `made` has
 * room for plan->nodes.count ids; `prefab` is the path from which the first node comes, or NULL. */
bool cni_scene_plan_instantiate(CnWorld *world, CnCommands *commands, const CniScenePlan *plan,
                                CnEntity parent, const char *prefab, CnEntity *made,
                                CnError *error);

#endif
