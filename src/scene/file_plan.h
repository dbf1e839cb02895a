/*
 * How scene and prefab files are read: a text becomes JSON, JSON becomes a plan that is checked through
 * and through, and a plan becomes objects. Only the last step touches the world.
 */
#ifndef CAIRN_SRC_SCENE_FILE_PLAN_H
#define CAIRN_SRC_SCENE_FILE_PLAN_H

#include <cairn/scene/file.h>

#include <jansson.h>

/* ---- file_place.c: where in a text a value stands; asked only when there is an error ---- */

/* A step from a value to one inside it. The steps lie on the stack of those who read. */
typedef struct CniWhere {
    const struct CniWhere *up; /* NULL: this is the whole text, and the rest is not used */
    json_t *in;                /* object or array */
    const char *key;           /* of an object; NULL: of an array */
    size_t index;
} CniWhere;

/* The text of the value. `text` is what jansson has read without an error. */
CnText cni_place_value(CnText text, const CniWhere *where);
/* The key of a member, or the value where there is none. */
CnText cni_place_key(CnText text, const CniWhere *where);
/* Both from 1; columns count characters. */
void cni_place_line(CnText text, const char *at, int *line, int *column);

/* ---- file_json.c: texts ---- */

typedef struct CniSource {
    const char *name;
    CnText text;
    const struct CniSource *outer; /* the file whose reading asked for this one */
} CniSource;

/* NULL and an error with its place; otherwise an object, freed with json_decref. */
json_t *cni_json_read(const CniSource *source, CnError *error);

typedef enum CniPoint { CNI_AT_VALUE, CNI_AT_KEY } CniPoint;
/* Returns false, and sets the error with its place. */
bool cni_fail(const CniSource *source, const CniWhere *where, CniPoint point, CnError *error,
              CnErrorCode code, const char *format, ...) CN_PRINTF_LIKE(6, 7);
bool cni_fail_memory(const CniSource *source, CnError *error);
/* "an object", "a text", ... */
const char *cni_json_kind(const json_t *json);
/* Of the names that `next` gives until NULL, one that differs little from `name`; or NULL. */
const char *cni_similar(const char *name, const char *(*next)(void *user), void *user);
/* The same of a list that NULL ends. */
const char *cni_similar_of(const char *name, const char *const *names);
#define CNI_SUGGESTION_BYTES 96
/* ` (did you mean "x"?)`, or "". */
const char *cni_suggestion(char *buffer, const char *similar);

/* ---- file_known.c: components ---- */

/* A component as files show it, looked up once. */
typedef struct CniKnown {
    CnShown shown;
    CnComponentInfo info;
    const CnShownItem *items;
    uint32_t item_count;
} CniKnown;

/* Fills in the rest when `shown` is there; false when out of memory. */
bool cni_known_learn(CniKnown *known, const CnWorld *world, CnArena *arena);
/* Those that nodes have by other means: names, parents, where they come from. */
bool cni_is_of_nodes(const CnWorld *world, CnComponent component);
/* The part of its key behind `prefix` and a dot, all of it for no prefix; NULL: it is not in there, or
 * hidden. */
const char *cni_key_behind(const CnShownItem *item, CnText prefix);
/* Whether a part of a key is an index into an array of structs: names do not begin with a digit. */
bool cni_is_index(const char *key);

/* ---- file_plan.c: nodes ---- */

#define CNI_NO_NODE UINT32_MAX
/* Of all values: small files can stand for large ones, by prefabs and by defaults. */
#define CNI_MAX_PLAN_BYTES ((size_t)1 << 30)

typedef struct CniPlanValue {
    CnComponent component;
    uint32_t size, alignment; /* 0: a tag */
    void *data;
} CniPlanValue;

typedef struct CniPlanNode {
    const char *name;
    uint64_t uid;    /* 0: a new one */
    uint32_t parent; /* comes before its children; CNI_NO_NODE: a root */
    uint32_t depth;  /* 1: a root */
    CniPlanValue *values;
    uint32_t value_count;
    bool disabled;
    const char *prefab; /* NULL: not made from one */
} CniPlanNode;

/* A field that is an object of the same plan. */
typedef struct CniPlanReference {
    uint32_t node, target;
    CnComponent component;
    const CnField *field;
    uint32_t element;
} CniPlanReference;

/* What a text says, checked. Refers to nothing but the world's components. */
typedef struct CniPlan {
    CnArena arena;
    CN_ARRAY(CniPlanNode) nodes;
    CN_ARRAY(CniPlanReference) references;
    CnHashMap by_name; /* parent and name -> node */
    CnHashMap by_uid;
    uint32_t height; /* levels of nodes */
} CniPlan;

void cni_plan_init(CniPlan *plan, CnAllocator *allocator);
void cni_plan_fini(CniPlan *plan);
/* By path from the roots; CNI_NO_NODE: there is none. */
uint32_t cni_plan_find(const CniPlan *plan, CnText path);

/* A reference whose target may come later in the text. */
typedef struct CniPending {
    CniPlanReference reference;
    const char *path;
    const CniWhere *where;
} CniPending;

/* One file that is being read. */
typedef struct CniReader {
    CnWorld *world;
    CnFileSystem *files; /* NULL: no prefabs */
    CniSource source;
    CniPlan *plan;
    CN_ARRAY(CniKnown) known;
    CN_ARRAY(CniPending) pending;
    uint32_t outer_depth;     /* of the node that this prefab is read for */
    uint32_t first_reference; /* of those that the prefab of the last node brought */
    bool is_prefab;
    CnError *error;
} CniReader;

void cni_reader_init(CniReader *reader, CnWorld *world, CnFileSystem *files, CniPlan *plan,
                     CnError *error);
void cni_reader_fini(CniReader *reader);
/* Adds the node and all below it to the plan. */
bool cni_read_node(CniReader *reader, json_t *json, const CniWhere *where, uint32_t parent);
/* When all nodes are there. */
bool cni_read_references(CniReader *reader);

/* ---- file_component.c ---- */

/* Reads a component object into values of node `node`, over a value that is there already (from its
 * prefab), else over the default. */
bool cni_read_component(CniReader *reader, json_t *json, const CniWhere *where, uint32_t node);

/* ---- prefab.c ---- */

/* A node that is made from a prefab, for errors. */
typedef struct CniAsker {
    const CniReader *reader;
    const CniWhere *where;
    uint32_t depth;
} CniAsker;

/* The plan of a prefab, read on first use; `asker` may be NULL. NULL and an error. Valid until the next
 * call, and until it is forgotten. */
const CniPlan *cni_prefab_plan(CnWorld *world, CnFileSystem *files, const char *path,
                               const CniAsker *asker, CnError *error);

/* ---- file_make.c: plans become objects ---- */

/* Besides those which each object has. */
#define CNI_MAX_COMPONENTS (CN_MAX_VALUES - 4u)

/* Makes all objects or none: at once, or as commands where these are not NULL. `made` has room for
 * plan->nodes.count ids; `prefab`: where the first node comes from, or NULL. */
bool cni_plan_make(CnWorld *world, CnCommands *commands, const CniPlan *plan, CnEntity parent,
                   const char *prefab, CnEntity *made, CnError *error);

#endif
