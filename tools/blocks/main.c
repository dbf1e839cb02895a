/*
 * Makes the table of blocks: blocks METADATA FOLDER
 *
 * Reads METADATA (block_metadata.json), adds the families, checks it all, and writes into FOLDER
 *   cairn/voxel/block_ids.h   numbers of the special blocks
 *   block_table.c             what is known about every block
 *   blocks.tiles              the texture array
 */
#include "blocks.h"

#include <string.h>
#include <sys/stat.h>

/* The path of a file in the folder; the folder and those in it are made. */
static const char *in_folder(const char *folder, const char *file, char path[1024])
{
    snprintf(path, 1024, "%s/%s", folder, file);
    for (char *slash = path + strlen(folder); (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(path, 0777); /* writing complains if this has failed */
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
    if (!metadata_read(&set, arguments[1]) || !families_add(&set) ||
        !faces_paint(&set, arguments[1], in_folder(folder, "blocks.tiles", path)))
        return 1;
    if (!ids_write(&set, in_folder(folder, "cairn/voxel/block_ids.h", path)) ||
        !table_write(&set, in_folder(folder, "block_table.c", path)))
        return 1;
    return 0;
}
