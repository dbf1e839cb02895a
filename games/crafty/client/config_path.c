#include "config_path.h"

#include <cairn/base/text.h>

#include <stdlib.h>

bool crafty_config_path(const char *file, char *path, size_t path_bytes)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && config[0])
        return cn_format(path, path_bytes, "%s/crafty/%s", config, file);
    return home && cn_format(path, path_bytes, "%s/.config/crafty/%s", home, file);
}
