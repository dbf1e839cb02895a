/* cn_text_escape for texts with several lines. */
#ifndef CAIRN_SRC_BASE_TEXT_TEXT_ESCAPE_H
#define CAIRN_SRC_BASE_TEXT_TEXT_ESCAPE_H

#include <cairn/base/text.h>

/* Keeps tabs and replaces line breaks by `line_break`, of at most 15 bytes. NULL: both are
 * escaped. */
void cni_base_text_escape_lines(CnText text, const char *line_break, char *buffer,
                                size_t buffer_bytes);

#endif
