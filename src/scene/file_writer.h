/* How scene and prefab files are written. */
#ifndef CAIRN_SRC_SCENE_FILE_WRITER_H
#define CAIRN_SRC_SCENE_FILE_WRITER_H

#include "file_plan.h"
#include "file_text.h"

/* An object with the name it has in the file. */
typedef struct CniWrittenNode {
    CnEntity entity;
    uint32_t parent; /* CNI_NO_NODE: a root */
    uint32_t depth;  /* 1: a root */
    uint32_t end;    /* behind the last one below it: nodes lie depth first */
    char name[CN_OBJECT_NAME_BYTES];
} CniWrittenNode;

typedef struct CniWriter {
    CnWorld *world;
    CniLayout layout;
    CnError *error;
    CN_ARRAY(CniWrittenNode) nodes;
    CnHashMap by_entity; /* -> node */
    CnHashMap names;     /* hash of parent and name -> how often it was taken */
    CnArena arena;
    CniKnown *known; /* by component id; without items where it is not written */
    uint32_t known_count;
    CnTextBuilder path; /* scratch */
    bool is_prefab;
} CniWriter;

/* ---- file_nodes.c: which objects are written, and their names ---- */

/* Adds an object and all below it. */
bool cni_writer_add(CniWriter *writer, CnEntity object);
/* The path that the object of a node has in the file, "" when out of memory; valid until the next
 * call. */
const char *cni_writer_path(CniWriter *writer, uint32_t node);
/* CNI_NO_NODE: it is not in the file. */
uint32_t cni_writer_find(const CniWriter *writer, CnEntity entity);

/* ---- file_write_component.c ---- */

/* Learns what components of the world are shown. */
bool cni_writer_learn(CniWriter *writer);
bool cni_write_components(CniWriter *writer, uint32_t node);
bool cni_writer_fail_memory(const CniWriter *writer);

#endif
