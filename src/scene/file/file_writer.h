/* Writing scene and prefab files. */
#ifndef CAIRN_SRC_SCENE_FILE_FILE_WRITER_H
#define CAIRN_SRC_SCENE_FILE_FILE_WRITER_H

#include "scene/file/file_reader.h"
#include "scene/file/json_text.h"

/* An object and its name in the file. */
typedef struct CniSceneWrittenNode {
    CnEntity entity;
    uint32_t parent; /* CNI_SCENE_NO_NODE: a root */
    uint32_t depth;  /* 1: a root */
    uint32_t end;    /* behind the last node below it: nodes are in depth-first order */
    char name[CN_OBJECT_NAME_BYTES];
} CniSceneWrittenNode;

typedef struct CniSceneFileWriter {
    CnWorld *world;
    CniSceneJsonWriter layout;
    CnError *error;
    CN_ARRAY(CniSceneWrittenNode) nodes;
    CnHashMap by_entity; /* -> node */
    CnHashMap names;     /* hash of parent and name -> number of uses */
    CnArena arena;
    CniSceneFileComponent *known; /* by component id; without items if it is not written */
    uint32_t known_count;
    CnTextBuilder path; /* scratch */
    bool is_prefab;
} CniSceneFileWriter;

/* ---- file_write_nodes.c: selects the objects to write, and their names ---- */

/* Adds an object and everything below it. */
bool cni_scene_writer_add(CniSceneFileWriter *writer, CnEntity object);
/* Returns the path of a node in the file, or "" when out of memory; valid until the next call. */
const char *cni_scene_writer_path(CniSceneFileWriter *writer, uint32_t node);
/* Returns CNI_SCENE_NO_NODE when the entity is not in the file. */
uint32_t cni_scene_writer_find(const CniSceneFileWriter *writer, CnEntity entity);

/* ---- file_write_component.c ---- */

/* Collects the reflected components of the world. */
bool cni_scene_writer_find_components(CniSceneFileWriter *writer);
bool cni_scene_write_components(CniSceneFileWriter *writer, uint32_t node);
/* Writes a value of a field as JSON; entities as null. Returns false when out of memory. */
bool cni_scene_write_value(CnTextBuilder *text, const CnReflectedMember *item,
                           const CnReflectedValue *value);
bool cni_scene_writer_fail_memory(const CniSceneFileWriter *writer);

#endif
