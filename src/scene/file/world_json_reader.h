/* Reading the state of a world from JSON; see cairn/scene/world_json.h. */
#ifndef CAIRN_SRC_SCENE_FILE_WORLD_JSON_READER_H
#define CAIRN_SRC_SCENE_FILE_WORLD_JSON_READER_H

#include "scene/file/file_reader.h"

typedef struct CniStateComponent {
    const char *name;
    CnField *fields; /* offsets within a value in a snapshot, where fields are packed */
    uint32_t field_count, size;
} CniStateComponent;

typedef struct CniStateReader {
    CniSource source;
    CnError *error;
    CnArena arena;
    CnU8Array out;
    CN_ARRAY(CniStateComponent) components;
    CnU32Array pair_kinds;
} CniStateReader;

/* The destination of the fields of a value: one column per field. */
typedef struct CniStateRow {
    const CniStateComponent *component;
    uint8_t *columns; /* of the component */
    uint32_t row, rows;
} CniStateRow;

/* ---- world_json_read_value.c; all functions return NULL or false after an error with its position
 * ---- */

/* Returns the member of an object with this type. `here` receives its position. */
json_t *cni_state_member(const CniStateReader *r, json_t *object, const CniWhere *where,
                         const char *key, json_type type, CniWhere *here);
bool cni_state_u32(const CniStateReader *r, const json_t *json, const CniWhere *where,
                   uint32_t *value);
/* "12:1", or null for the null entity. */
bool cni_state_entity(const CniStateReader *r, const json_t *json, const CniWhere *where,
                      CnEntity *entity);
/* Writes the fields that the object has into a row. */
bool cni_state_value(const CniStateReader *r, json_t *json, const CniWhere *where,
                     const CniStateRow *row);

#endif
