/* JSON as people like to read it: two blanks a level, arrays of numbers on one line. */
#ifndef CAIRN_SRC_SCENE_FILE_TEXT_H
#define CAIRN_SRC_SCENE_FILE_TEXT_H

#include <cairn/base/text.h>

/* All return false when out of memory. */
bool cni_text_put(CnTextBuilder *text, const char *terminated);
/* In quotes; `string` is UTF-8. */
bool cni_text_string(CnTextBuilder *text, CnText string);
/* The shortest decimal that reads back as the same float or double. `number` is finite. */
bool cni_text_float(CnTextBuilder *text, float number);
bool cni_text_double(CnTextBuilder *text, double number);
bool cni_text_whole(CnTextBuilder *text, uint64_t whole, bool negative);

/* Objects and arrays, one member a line. */
typedef struct CniLayout {
    CnTextBuilder *text;
    uint32_t depth;
    bool is_first; /* nothing was written into the innermost one yet */
} CniLayout;

bool cni_layout_open(CniLayout *layout, const char *bracket);
bool cni_layout_close(CniLayout *layout, const char *bracket);
/* A new line for the next element, or for the value of a key that may be NULL. */
bool cni_layout_next(CniLayout *layout, const char *key);

#endif
