#include "http_request.h"

/* Returns the size of the head with the empty line at its end; 0: it is incomplete. Lines end with
 * LF or CRLF. */
static size_t head_size(const char *bytes, size_t size)
{
    for (size_t i = 0; i + 1 < size; i++) {
        if (bytes[i] != '\n')
            continue;
        if (bytes[i + 1] == '\n')
            return i + 2;
        if (bytes[i + 1] == '\r' && i + 2 < size && bytes[i + 2] == '\n')
            return i + 3;
    }
    return 0;
}

static bool is_visible(CnText text)
{
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] <= ' ' || text.data[i] == 0x7f)
            return false;
    return text.size > 0;
}

static bool read_line(CnText line, CraftyHttpRequest *request)
{
    CnText method, target, path;
    if (line.size > 0 && line.data[line.size - 1] == '\r')
        line.size--;
    if (!cn_text_split(&line, ' ', &method) || !cn_text_split(&line, ' ', &target) ||
        !is_visible(method) || !is_visible(target) || target.data[0] != '/' ||
        !(cn_text_equal(line, cn_text("HTTP/1.1")) || cn_text_equal(line, cn_text("HTTP/1.0"))))
        return false;
    cn_text_split(&target, '?', &path);
    request->is_get = cn_text_equal(method, cn_text("GET"));
    request->is_head = cn_text_equal(method, cn_text("HEAD"));
    if (path.size >= sizeof request->path ||
        !cn_copy_text(request->path, sizeof request->path, path))
        request->path[0] = '\0';
    return true;
}

CraftyHttpState crafty_http_read(const char *bytes, size_t size, CraftyHttpRequest *request)
{
    CnText rest = {bytes, head_size(bytes, size)}, line;
    *request = (CraftyHttpRequest){0};
    if (rest.size == 0)
        return size >= CRAFTY_HTTP_REQUEST_BYTES ? CRAFTY_HTTP_TOO_LARGE : CRAFTY_HTTP_INCOMPLETE;
    if (memchr(bytes, '\0', rest.size) || !cn_text_split(&rest, '\n', &line) ||
        !read_line(line, request))
        return CRAFTY_HTTP_MALFORMED;
    return CRAFTY_HTTP_COMPLETE;
}
