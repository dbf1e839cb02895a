/* Readable JSON: indented by two spaces per level, with arrays of numbers on one line. */
#ifndef CAIRN_SRC_SCENE_FILE_JSON_TEXT_H
#define CAIRN_SRC_SCENE_FILE_JSON_TEXT_H

#include <cairn/base/text.h>

/* All functions return false when out of memory. */
bool cni_scene_json_append(CnTextBuilder *text, const char *terminated);
/* Writes a quoted string; `string` is UTF-8. */
bool cni_scene_json_append_string(CnTextBuilder *text, CnText string);
bool cni_scene_json_append_integer(CnTextBuilder *text, uint64_t whole, bool negative);

/* Objects and arrays with one member per line. */
typedef struct CniSceneJsonWriter {
    CnTextBuilder *text;
    uint32_t depth;
    bool is_first; /* the innermost one is still empty */
} CniSceneJsonWriter;

bool cni_scene_json_open(CniSceneJsonWriter *layout, const char *bracket);
bool cni_scene_json_close(CniSceneJsonWriter *layout, const char *bracket);
/* Begins a line for the next element, or for the value of a key. `key` may be NULL. */
bool cni_scene_json_next(CniSceneJsonWriter *layout, const char *key);

#endif
