#include <cairn/base/text.h>

void cn_text_line_column(CnText text, const char *at, int *line, int *column)
{
    *line = *column = 1;
    for (const char *c = text.data; c < at; c++) {
        if (*c == '\n') {
            (*line)++;
            *column = 1;
        } else if (((unsigned char)*c & 0xc0) != 0x80) {
            (*column)++;
        }
    }
}
