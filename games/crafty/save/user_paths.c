#include "user_paths.h"

#include <cairn/base/text.h>

#include <stdlib.h>

bool crafty_config_path(const char *file, char *path, size_t path_bytes)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && config[0])
        return cn_format(path, path_bytes, "%s/crafty/%s", config, file);
    return home && cn_format(path, path_bytes, "%s/.config/crafty/%s", home, file);
}

bool crafty_data_path(const char *file, const char *option, char *path, size_t path_bytes,
                      CnError *error)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    bool has_data = data && data[0] == '/', has_home = home && home[0] == '/';
    if (!has_data && !has_home)
        return cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "neither XDG_DATA_HOME nor HOME is an absolute path; give %s DIR",
                            option);
    return cn_format(path, path_bytes, "%s%s/crafty/%s", has_data ? data : home,
                     has_data ? "" : "/.local/share", file) ||
           cn_error_set(error, CN_ERROR_LIMIT, "the path of the folder of data is too long");
}
