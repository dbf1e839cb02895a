/* Values that scripts keep with store.set, by script file and key: part of the saved state. */
#ifndef CAIRN_SRC_SCRIPT_RUNTIME_STORED_VALUES_H
#define CAIRN_SRC_SCRIPT_RUNTIME_STORED_VALUES_H

#include <cairn/base/text.h>

typedef struct CniScriptRuntime CniScriptRuntime;

#define CNI_SCRIPT_STORED_KEY_BYTES 128u
#define CNI_SCRIPT_STORED_VALUE_BYTES (64u << 10)
#define CNI_SCRIPT_STORED_OWNER_BYTES (1u << 20) /* keys and values of one script file */
#define CNI_SCRIPT_STORED_MAX 65536u             /* values of a world */
#define CNI_SCRIPT_STORED_DEPTH 16

typedef struct CniScriptStoredValue {
    uint8_t *block; /* owner, key, value */
    uint32_t owner_size, key_size, value_size;
} CniScriptStoredValue;

typedef struct CniScriptStoredValues {
    CN_ARRAY(CniScriptStoredValue) items; /* in order of owner and key */
    CnU8Array scratch;                    /* a value that is being written */
} CniScriptStoredValues;

void cni_script_stored_init(CniScriptStoredValues *values, CnAllocator *allocator);
void cni_script_stored_fini(CniScriptStoredValues *values);
/* Returns the packed value, or NULL if there is none. */
const uint8_t *cni_script_stored_find(const CniScriptStoredValues *values, CnText owner, CnText key,
                                      size_t *size);
/* Sets a value; without bytes, removes it. Returns false and an error beyond a limit or when out of
 * memory; nothing has changed then. */
bool cni_script_stored_set(CniScriptStoredValues *values, CnText owner, CnText key,
                           const uint8_t *bytes, size_t size, CnError *error);

/* Copies all values; on failure `to` is empty. */
bool cni_script_stored_copy(CniScriptStoredValues *to, const CniScriptStoredValues *from,
                            CnError *error);
/* Replaces the values of these owners in `to`, and adds those that it does not have. */
bool cni_script_stored_merge(CniScriptStoredValues *to, const CniScriptStoredValues *from,
                             bool (*is_owned)(CnText owner, void *user), void *user,
                             CnError *error);
/* Append the values as bytes, none without values; replace the values with such bytes. On failure
 * of the latter there are no values. */
bool cni_script_stored_write(const CniScriptStoredValues *values, CnU8Array *bytes, CnError *error);
bool cni_script_stored_read(CniScriptStoredValues *values, const uint8_t *bytes, size_t size,
                            CnError *error);

/* The state section. */
bool cni_script_stored_section_begin(CniScriptRuntime *runtime, CnError *error);
void cni_script_stored_section_end(CniScriptRuntime *runtime);

#endif
