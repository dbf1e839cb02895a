/* Writing scene and prefab files. */
#ifndef CAIRN_SRC_SCENE_FILE_FILE_WRITER_H
#define CAIRN_SRC_SCENE_FILE_FILE_WRITER_H

#include "scene/file/file_reader.h"
#include "scene/file/json_text.h"

/* An object and its name in the file. */
typedef struct CniWrittenNode {
    CnEntity entity;
    uint32_t parent; /* CNI_NO_NODE: a root */
    uint32_t depth;  /* 1: a root */
    uint32_t end;    /* behind the last node below it: nodes are in depth-first order */
    char name[CN_OBJECT_NAME_BYTES];
} CniWrittenNode;

typedef struct CniWriter {
    CnWorld *world;
    CniLayout layout;
    CnError *error;
    CN_ARRAY(CniWrittenNode) nodes;
    CnHashMap by_entity; /* -> node */
    CnHashMap names;     /* hash of parent and name -> number of uses */
    CnArena arena;
    CniKnown *known; /* by component id; without items if it is not written */
    uint32_t known_count;
    CnTextBuilder path; /* scratch */
    bool is_prefab;
} CniWriter;

/* ---- file_write_nodes.c: selects the objects to write, and their names ---- */

/* Adds an object and everything below it. */
bool cni_writer_add(CniWriter *writer, CnEntity object);
/* Returns the path of a node in the file, or "" when out of memory; valid until the next call. */
const char *cni_writer_path(CniWriter *writer, uint32_t node);
/* Returns CNI_NO_NODE when the entity is not in the file. */
uint32_t cni_writer_find(const CniWriter *writer, CnEntity entity);

/* ---- file_write_component.c ---- */

/* Collects the reflected components of the world. */
bool cni_writer_learn(CniWriter *writer);
bool cni_write_components(CniWriter *writer, uint32_t node);
bool cni_writer_fail_memory(const CniWriter *writer);

#endif
