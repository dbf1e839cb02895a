/*
 * The files of a mod, in byte order of their paths, without those that are hidden.
 *
 *     CraftyPackageFiles list;
 *     if (crafty_package_files_list(files, "mods://castle", NULL, &list, &error))
 *         for (uint32_t i = 0; i < list.count; i++)
 *             cn_print("%s", list.items[i].path); // "main.lua", "textures/wall.png"
 *     crafty_package_files_free(&list);
 */
#ifndef CRAFTY_MODS_PACKAGE_FILES_H
#define CRAFTY_MODS_PACKAGE_FILES_H

#include <cairn/base/array.h>
#include <cairn/base/file.h>

#define CRAFTY_PACKAGE_MAX_FILES 16384u
#define CRAFTY_PACKAGE_PATH_BYTES 256u /* of a path in a mod, with terminator */
#define CRAFTY_PACKAGE_MAX_DEPTH 16u

typedef struct CraftyPackageFile {
    char path[CRAFTY_PACKAGE_PATH_BYTES];
    uint64_t size_bytes;
} CraftyPackageFile;

typedef CN_ARRAY(CraftyPackageFile) CraftyPackageFiles;

/* `root` is the folder, without '/' at its end. Returns false and an error if it cannot be read or
 * has too many files or levels; free the list in either case. */
bool crafty_package_files_list(CnFileSystem *files, const char *root, CnAllocator *allocator,
                               CraftyPackageFiles *list, CnError *error);
void crafty_package_files_free(CraftyPackageFiles *list);

#endif
