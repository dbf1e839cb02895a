/* Validation of virtual paths. Every valid path refers to something below a mount, on any
 * system. */
#include "vfs/vfs_internal.h"

#define PART_BYTES 255u /* the limit of common file systems */

bool cni_vfs_scheme_valid(CnText scheme)
{
    if (scheme.size == 0 || scheme.size >= CN_VFS_SCHEME_BYTES)
        return false;
    for (size_t i = 0; i < scheme.size; i++) {
        char c = scheme.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'))
            return false;
    }
    return true;
}

/* Those below 32 and DEL, and U+0080 to U+009F. */
static bool has_control_characters(CnText text)
{
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c < 0x20 || c == 0x7f)
            return true;
        if (c == 0xc2 && i + 1 < text.size && (unsigned char)text.data[i + 1] < 0xa0)
            return true;
    }
    return false;
}

/* Returns NULL, or what is wrong. Some systems drop a space or a dot at the end, which would
 * turn ".. " into ".."; ".." itself ends with a dot, too. */
static const char *part_error(CnText part)
{
    if (part.size == 0)
        return "a part of the path is empty";
    if (part.size > PART_BYTES)
        return "a part of the path is too long";
    char last = part.data[part.size - 1];
    if (last == '.' || last == ' ')
        return "a part of the path ends with a dot or a space";
    if (memchr(part.data, '\\', part.size))
        return "a part of the path contains a backslash";
    if (memchr(part.data, ':', part.size))
        return "a part of the path contains a colon";
    return NULL;
}

bool cni_vfs_part_valid(CnText part)
{
    return !part_error(part) && !memchr(part.data, '/', part.size) && cn_text_is_utf8(part) &&
           !has_control_characters(part);
}

/* `text` contains no zero byte and is not too long. */
static const char *path_error(CnText text, CnText *scheme, CnText *rest)
{
    static const char separator[] = "://";
    const char *colon = memmem(text.data, text.size, separator, strlen(separator));
    if (!colon)
        return "it has no \"://\"";
    *scheme = (CnText){text.data, (size_t)(colon - text.data)};
    *rest = (CnText){colon + strlen(separator), text.size - scheme->size - strlen(separator)};
    if (!cni_vfs_scheme_valid(*scheme))
        return "only a-z, 0-9 and '_' may precede \"://\"";
    if (rest->size == 0)
        return NULL;
    if (rest->data[rest->size - 1] == '/')
        return "it ends with '/'";
    CnText left = *rest, part;
    const char *problem = NULL;
    while (!problem && cn_text_split(&left, '/', &part))
        problem = part_error(part);
    return problem;
}

static bool check(CnText path, CnText *scheme, CnText *rest, CnError *error)
{
    if (!path.data || path.size == 0)
        return cn_error_set(error, CN_ERROR_FORMAT, "a virtual path is empty");
    if (path.size >= CN_VFS_PATH_BYTES)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "a virtual path has %zu bytes; at most %u are possible", path.size,
                            CN_VFS_PATH_BYTES - 1);
    if (!cn_text_is_utf8(path))
        return cn_error_set(error, CN_ERROR_FORMAT, "a virtual path is not UTF-8");
    if (has_control_characters(path))
        return cn_error_set(error, CN_ERROR_FORMAT, "a virtual path contains control characters");
    const char *problem = path_error(path, scheme, rest);
    if (problem)
        return cn_error_set(error, CN_ERROR_FORMAT, "'%.*s' is not a virtual path: %s",
                            (int)path.size, path.data, problem);
    return true;
}

bool cn_vfs_path_valid(CnText path, CnError *error)
{
    CnText scheme, rest;
    return check(path, &scheme, &rest, error);
}

bool cni_vfs_path_split(const char *path, CniVfsPath *split, CnError *error)
{
    CnText rest;
    if (!check(cn_text(path), &split->scheme, &rest, error))
        return false;
    split->whole = path;
    split->rest = rest.data;
    return true;
}
