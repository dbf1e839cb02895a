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
    const struct CniSceneJsonPath *up; /* NULL: the whole text; the other fields are then unused */
    json_t *in;                        /* object or array */
    const char *key;                   /* in an object; NULL: in an array */
    size_t index;
} CniSceneJsonPath;

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
/* Limit for all values: small files can expand to large ones through prefabs and defaults. */
#define CNI_SCENE_MAX_PLAN_BYTES ((size_t)1 << 30)

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
    const char *prefab; /* NULL: not created from one */
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
    CniScenePlan *plan;
    CN_ARRAY(CniSceneFileComponent) known;
    CN_ARRAY(CniScenePendingReference) pending;
    uint32_t outer_depth;     /* of the node for which this prefab is read */
    uint32_t first_reference; /* of those that came with the prefab of the last node */
    bool is_prefab;
    CnError *error;
} CniSceneFileReader;

void cni_scene_reader_init(CniSceneFileReader *reader, CnWorld *world, CnFileSystem *files,
                           CniScenePlan *plan, CnError *error);
void cni_scene_reader_fini(CniSceneFileReader *reader);
/* Adds the node and everything below it to the plan. */
bool cni_scene_read_node(CniSceneFileReader *reader, json_t *json, const CniSceneJsonPath *where,
                         uint32_t parent);
/* Resolves references, after all nodes were read. */
bool cni_scene_read_references(CniSceneFileReader *reader);

/* ---- file_read_component.c ---- */

/* Reads a component object into a value of node `node`, over the existing value (from its
 * prefab) or the default. */
bool cni_scene_read_component(CniSceneFileReader *reader, json_t *json,
                              const CniSceneJsonPath *where, uint32_t node);

/* ---- prefab.c ---- */

/* A node that is created from a prefab, for errors. */
typedef struct CniScenePrefabUser {
    const CniSceneFileReader *reader;
    const CniSceneJsonPath *where;
    uint32_t depth;
} CniScenePrefabUser;

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
