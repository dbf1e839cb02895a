/* cn_text_escape for texts of several lines. */
#ifndef CAIRN_BASE_TEXT_ESCAPE_H
#define CAIRN_BASE_TEXT_ESCAPE_H

#include <cairn/base/text.h>

/* Tabs stay; `line_break`, of at most 15 bytes, takes the place of line breaks. NULL: both are escaped. */
void cni_text_escape(CnText text, const char *line_break, char *buffer, size_t buffer_bytes);

#endif
