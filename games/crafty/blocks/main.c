/*
 * Generates the standard blocks of Crafty: blocks METADATA FOLDER
 *
 * Reads METADATA (block_metadata.json), adds the families, validates the result and writes these
 * files to FOLDER:
 * - standard_blocks.c: properties of every block, which the game registers at run time
 * - standard_item_tiles.c: layers of the tiles of items and characters
 * - standard_block_numbers.h: numbers of the special blocks, for tests and benchmarks
 * - blocks.tiles: the texture array
 */
#include "blocks.h"

#include <string.h>
#include <sys/stat.h>

/* Returns the path of a file in the folder and creates its parent folders. */
static const char *in_folder(const char *folder, const char *file, char path[1024])
{
    snprintf(path, 1024, "%s/%s", folder, file);
    for (char *slash = path + strlen(folder); (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(path, 0777); /* if this fails, writing the file reports the error */
        *slash = '/';
    }
    return path;
}

int main(int count, char **arguments)
{
    static BlockSet set;
    char path[1024];
    if (count != 3) {
        fprintf(stderr, "usage: blocks METADATA FOLDER\n");
        return 2;
    }
    const char *folder = arguments[2];
    if (!metadata_read(&set, arguments[1]) || !families_add(&set) || !shaped_blocks_add(&set) ||
        !grown_blocks_add(&set) ||
        !faces_paint(&set, arguments[1], in_folder(folder, "blocks.tiles", path)))
        return 1;
    if (!numbers_write(&set, in_folder(folder, "standard_block_numbers.h", path)) ||
        !table_write(&set, in_folder(folder, "standard_blocks.c", path)) ||
        !item_tiles_write(&set, in_folder(folder, "standard_item_tiles.c", path)))
        return 1;
    return 0;
}
