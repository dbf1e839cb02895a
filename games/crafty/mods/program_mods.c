#include "program_mods.h"

#include <cairn/base/text.h>

#include <string.h>
#include <unistd.h>

/* Returns false if there is no further folder. */
static bool remove_name(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash)
        return false;
    *slash = '\0';
    return true;
}

bool crafty_program_mods_folder(char path[CN_FILE_PATH_BYTES])
{
    char program[CN_FILE_PATH_BYTES];
    ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    if (size <= 0 || (size_t)size >= sizeof program - 1)
        return false;
    program[size] = '\0';
    return remove_name(program) && remove_name(program) &&
           cn_format(path, CN_FILE_PATH_BYTES, "%s/share/crafty/mods", program);
}
