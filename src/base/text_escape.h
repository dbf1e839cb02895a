/* cn_text_escape with a choice of what stands for a line break. */
#ifndef CAIRN_BASE_TEXT_ESCAPE_H
#define CAIRN_BASE_TEXT_ESCAPE_H

#include <cairn/base/text.h>

/* `line_break` has at most 15 bytes. */
void cni_text_escape(CnText text, const char *line_break, char *buffer, size_t buffer_bytes);

#endif
