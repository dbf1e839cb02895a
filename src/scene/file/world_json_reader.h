/* Reading the state of a world from JSON; see cairn/scene/world_json.h. */
#ifndef CAIRN_SRC_SCENE_FILE_WORLD_JSON_READER_H
#define CAIRN_SRC_SCENE_FILE_WORLD_JSON_READER_H

#include "scene/file/file_reader.h"

typedef struct CniSceneWorldJsonComponent {
    const char *name;
    CnField *fields; /* offsets within a value in a snapshot, where fields are packed */
    uint32_t field_count, size;
} CniSceneWorldJsonComponent;

typedef struct CniSceneWorldJsonReader {
    CniSceneSourceText source;
    CnError *error;
    CnArena arena;
    CnU8Array out;
    CN_ARRAY(CniSceneWorldJsonComponent) components;
    CnU32Array pair_kinds;
} CniSceneWorldJsonReader;

/* The destination of the fields of a value: one column per field. */
typedef struct CniSceneWorldJsonRow {
    const CniSceneWorldJsonComponent *component;
    uint8_t *columns; /* of the component */
    uint32_t row, rows;
} CniSceneWorldJsonRow;

/* ---- world_json_read_value.c; all functions return NULL or false after an error with its position
 * ---- */

/* Returns the member of an object with this type. `here` receives its position. */
json_t *cni_scene_world_json_member(const CniSceneWorldJsonReader *r, json_t *object,
                                    const CniSceneJsonPath *where, const char *key, json_type type,
                                    CniSceneJsonPath *here);
bool cni_scene_world_json_u32(const CniSceneWorldJsonReader *r, const json_t *json,
                              const CniSceneJsonPath *where, uint32_t *value);
/* "12:1", or null for the null entity. */
bool cni_scene_world_json_entity(const CniSceneWorldJsonReader *r, const json_t *json,
                                 const CniSceneJsonPath *where, CnEntity *entity);
/* Writes the fields that the object has into a row. */
bool cni_scene_world_json_value(const CniSceneWorldJsonReader *r, json_t *json,
                                const CniSceneJsonPath *where, const CniSceneWorldJsonRow *row);

#endif
