#include "world_path.h"

#include "user_paths.h"
#include "world_info.h"

static bool too_long(CnError *error)
{
    return cn_error_set(error, CN_ERROR_LIMIT, "the path of the world has more than %u bytes",
                        CN_STORE_PATH_BYTES - 1);
}

bool crafty_worlds_folder(char path[CN_STORE_PATH_BYTES], CnError *error)
{
    return crafty_data_path("worlds", "--worlds", path, CN_STORE_PATH_BYTES, error);
}

static bool is_name(const char *name)
{
    size_t size = strlen(name);
    bool valid = size > 0 && size < CRAFTY_WORLD_NAME_BYTES && name[0] != '.' &&
                 cn_text_is_utf8(cn_text(name));
    for (size_t i = 0; valid && i < size; i++)
        valid = (unsigned char)name[i] >= 0x20 && name[i] != 0x7f;
    return valid;
}

bool crafty_world_path(const char *world, const char *folder, char path[CN_STORE_PATH_BYTES],
                       CnError *error)
{
    char own[CN_STORE_PATH_BYTES];
    if (strchr(world, '/') || cn_text_ends_with(cn_text(world), cn_text(CRAFTY_WORLD_SUFFIX)))
        return cn_format(path, CN_STORE_PATH_BYTES, "%s", world) || too_long(error);
    if (!is_name(world))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "\"%s\" cannot be the name of a world: names have 1 to %u bytes of "
                            "UTF-8 and do not begin with a dot",
                            world, CRAFTY_WORLD_NAME_BYTES - 1);
    if (!folder && !crafty_worlds_folder(own, error))
        return false;
    return cn_format(path, CN_STORE_PATH_BYTES, "%s/%s" CRAFTY_WORLD_SUFFIX, folder ? folder : own,
                     world) ||
           too_long(error);
}
