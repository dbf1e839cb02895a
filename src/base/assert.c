#include <cairn/base/assert.h>
#include <cairn/base/text.h>

#include <stdio.h>
#include <stdlib.h>

#define MESSAGE_BYTES 1024

static void print_and_abort(const char *file, int line, const char *message, void *user)
{
    (void)user;
    char shown[MESSAGE_BYTES];
    cn_text_escape(cn_text(message), shown, sizeof shown);
    fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, shown);
    fflush(stderr);
    abort();
}

static CnAssertHandler current_handler = print_and_abort;
static void *current_user;

void cn_assert_set_handler(CnAssertHandler handler, void *user)
{
    current_handler = handler ? handler : print_and_abort;
    current_user = handler ? user : NULL;
}

void cn_assert_fail(const char *file, int line, const char *format, ...)
{
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(message, sizeof message, format, arguments);
    va_end(arguments);
    current_handler(file, line, message, current_user);
}
