#include "line_input.h"

#include <errno.h>
#include <unistd.h>

bool crafty_line_input_may_read(const CraftyLineInput *input, int file)
{
    return !input->is_over && (!isatty(file) || tcgetpgrp(file) == getpgrp());
}

bool crafty_line_input_read(CraftyLineInput *input, int file)
{
    char bytes[CRAFTY_CONSOLE_LINE_BYTES];
    ssize_t size = read(file, bytes, sizeof bytes);
    if (size < 0 && (errno == EINTR || errno == EAGAIN))
        return false;
    input->is_over = size <= 0;
    if (size > 0)
        crafty_line_input_add(input, bytes, (size_t)size);
    return size > 0;
}

void crafty_line_input_add(CraftyLineInput *input, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bool fits = input->size < sizeof input->bytes;
        if (bytes[i] == '\n' && input->is_too_long) {
            input->is_too_long = false;
            input->dropped++;
        } else if (fits && !input->is_too_long) {
            input->bytes[input->size++] = bytes[i];
        } else if (!input->is_too_long) {
            input->is_too_long = true; /* drop the part that was kept */
            while (input->size > 0 && input->bytes[input->size - 1] != '\n')
                input->size--;
        }
    }
}

bool crafty_line_input_next(CraftyLineInput *input, char line[CRAFTY_CONSOLE_LINE_BYTES])
{
    for (char *end; (end = memchr(input->bytes, '\n', input->size));) {
        CnText text = {input->bytes, (size_t)(end - input->bytes)};
        if (text.size > 0 && text.data[text.size - 1] == '\r')
            text.size--;
        bool is_good = !memchr(text.data, '\0', text.size) && cn_text_is_utf8(text) &&
                       cn_copy_text(line, CRAFTY_CONSOLE_LINE_BYTES, text);
        uint32_t used = (uint32_t)(end - input->bytes) + 1;
        input->size -= used;
        memmove(input->bytes, end + 1, input->size);
        if (is_good)
            return true;
        input->dropped++;
    }
    return false;
}
