/* Lua values as bytes: numbers, strings, booleans, vectors, objects, and tables of these. Tables
 * that occur several times, also within themselves, stay one table. */
#ifndef CAIRN_SRC_SCRIPT_RUNTIME_SCRIPT_VALUE_H
#define CAIRN_SRC_SCRIPT_RUNTIME_SCRIPT_VALUE_H

#include "script/bind/bind.h"

#define CNI_SCRIPT_VALUE_MAX_DEPTH 64

typedef struct CniScriptValueWriter {
    CnU8Array *bytes;
    uint32_t max_bytes; /* of the whole array */
    int max_depth;      /* of nested tables */
    bool refuses;       /* throws for what cannot be saved, instead of omitting it */
    uint32_t left_out;  /* pairs that were omitted */
    /* Set by the functions. */
    const CniScriptBindings *bound;
    int numbers; /* stack index of a table from tables to their numbers */
    int count;
} CniScriptValueWriter;

/* Appends the value at `index`. Throws when it is too large or nested too deeply. */
void cni_script_value_write(lua_State *lua, CniScriptValueWriter *writer, int index);

typedef struct CniScriptValueReader {
    const uint8_t *bytes;
    size_t size, at;
    /* Set by the functions. */
    const CniScriptBindings *bound;
    int tables; /* stack index of a table from numbers to tables */
    int count;
} CniScriptValueReader;

/* Pushes the next value. Throws if the bytes are damaged. */
void cni_script_value_read(lua_State *lua, CniScriptValueReader *reader);
/* Returns the next bytes, or NULL if there are fewer. */
const uint8_t *cni_script_value_take(CniScriptValueReader *reader, size_t size);

#endif
