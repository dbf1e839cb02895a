/* Names of modules, for scripts on objects and for sandboxes of games. */
#include "script/script_internal.h"

#include <cairn/base/text.h>
#include <string.h>

static bool is_name(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
              strchr("_-./", *c)))
            return false;
    return *name && !strstr(name, "..") && !strstr(name, "//") && *name != '/' && *name != '.';
}

bool cni_script_module_path(char *path, size_t path_bytes, const char *folder, const char *name)
{
    char file[128];
    size_t size = strlen(name);
    bool has_ending = size > 4 && !strcmp(name + size - 4, ".lua");
    if (!is_name(name) || size >= sizeof file)
        return false;
    cn_copy_text(file, sizeof file, (CnText){name, has_ending ? size - 4 : size});
    for (char *c = file; *c; c++)
        if (*c == '.')
            *c = '/';
    size_t end = strlen(folder);
    bool joins = !end || folder[end - 1] == '/';
    return cn_format(path, path_bytes, "%s%s%s.lua", folder, joins ? "" : "/", file);
}
