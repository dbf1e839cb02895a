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

typedef struct CniJsonText {
    const char *name; /* of the file, for errors */
    CnText text;
    CnFilePlace begin; /* position in that file; zeros: at its start */
    CnError *error;
} CniJsonText;

typedef enum CniJsonKind {
    CNI_JSON_TEXT,   /* const char *, owned by the jansson tree */
    CNI_JSON_FLAG,   /* bool */
    CNI_JSON_NUMBER, /* float */
    CNI_JSON_LIST,   /* floats, `least` to `most` of them */
    CNI_JSON_CHOICE  /* uint32_t: index into `choices` */
} CniJsonKind;

typedef struct CniJsonField {
    const char *key;
    CniJsonKind kind;
    size_t offset;
    uint32_t least, most;
    double minimum, maximum;
    const char *const *choices; /* terminated by NULL */
} CniJsonField;

/* Parses a list of objects; returns NULL without an error for an empty text. */
json_t *cni_json_list(const CniJsonText *text, CnError *error);
/* Fills the fields present in the object and leaves the others unchanged. `number` is its index in
 * the list. */
bool cni_json_object(const CniJsonText *text, const json_t *object, uint32_t number,
                     const CniJsonField *fields, uint32_t field_count, void *into);
/* Returns false and an error at a key of an object of the list (NULL: at the object). */
bool cni_json_fails(const CniJsonText *text, uint32_t number, const char *key, CnErrorCode code,
                    const char *format, ...) CN_PRINTF_LIKE(5, 6);

#endif
