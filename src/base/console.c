#include <cairn/base/console.h>
#include <cairn/base/text.h>

#include <stdio.h>

#define RAW_BYTES 4096
#define LINE_BYTES (4 * RAW_BYTES) /* \xNN is the longest escape of one byte */

/* The line is written by one call, so that lines of several threads do not mix. */
static void print_line(FILE *to, const char *format, va_list arguments)
{
    char raw[RAW_BYTES], line[LINE_BYTES + 1];
    cn_format_v(raw, sizeof raw, format, arguments);
    cn_text_escape(cn_text(raw), line, LINE_BYTES);
    size_t size = strlen(line);
    line[size] = '\n';
    fwrite(line, 1, size + 1, to);
}

void cn_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(stdout, format, arguments);
    va_end(arguments);
}

void cn_print_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(stderr, format, arguments);
    va_end(arguments);
}
