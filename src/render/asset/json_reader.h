/*
 * Reads JSON lists of objects with tables of fields. A key that is not in the table, has the wrong
 * type or is out of range is an error with its line in the text.
 */
#ifndef CAIRN_SRC_RENDER_ASSET_JSON_READER_H
#define CAIRN_SRC_RENDER_ASSET_JSON_READER_H

#include <cairn/base/error.h>
#include <cairn/base/text.h>
#include <cairn/scene/file.h>

#include <jansson.h>

/* Memory of the values of a list (CnJsonSize): 16 KiB for each of CN_MAX_MATERIALS. */
#define CNI_RENDER_JSON_MAX_TREE_BYTES (64u << 20)
#define CNI_RENDER_JSON_MAX_DEPTH 64u

typedef struct CniRenderJsonText {
    const char *name; /* of the file, for errors */
    CnText text;
    CnFileLocation begin; /* position in that file; zeros: at its start */
    CnError *error;
} CniRenderJsonText;

typedef enum CniRenderJsonKind {
    CNI_RENDER_JSON_TEXT,   /* const char *, owned by the jansson tree */
    CNI_RENDER_JSON_FLAG,   /* bool */
    CNI_RENDER_JSON_NUMBER, /* float */
    CNI_RENDER_JSON_LIST,   /* floats, `least` to `most` of them */
    CNI_RENDER_JSON_CHOICE  /* uint32_t: index into `choices` */
} CniRenderJsonKind;

typedef struct CniRenderJsonField {
    const char *key;
    CniRenderJsonKind kind;
    size_t offset;
    uint32_t least, most;
    double minimum, maximum;
    const char *const *choices; /* terminated by NULL */
} CniRenderJsonField;

/* Parses a list of objects; returns NULL without an error for an empty text. */
json_t *cni_render_json_list(const CniRenderJsonText *text, CnError *error);
/* Fills the fields present in the object and leaves the others unchanged. `number` is its index in
 * the list. */
bool cni_render_json_object(const CniRenderJsonText *text, const json_t *object, uint32_t number,
                            const CniRenderJsonField *fields, uint32_t field_count, void *into);
/* Returns false and an error at a key of an object of the list (NULL: at the object). */
bool cni_render_json_fails(const CniRenderJsonText *text, uint32_t number, const char *key,
                           CnErrorCode code, const char *format, ...) CN_PRINTF_LIKE(5, 6);

#endif
