/*
 * Writing the files of a mod as a zip archive.
 *
 *     CnU8Array bytes;
 *     cn_array_init(&bytes, NULL);
 *     if (crafty_zip_write(files, "mods://castle", &list, &bytes, &error))
 *         cn_file_write_all(cn_native_files(), "castle-1.0.0.zip", bytes.items, bytes.count,
 *                           &error);
 *     cn_array_fini(&bytes);
 *
 * The archive depends only on names and content of the files: they are in the order of the list,
 * have the date 1980-01-01 and are stored without compression.
 */
#ifndef CRAFTY_MODS_ZIP_WRITE_H
#define CRAFTY_MODS_ZIP_WRITE_H

#include "package_files.h"

#define CRAFTY_ZIP_MAX_BYTES (256u << 20)

/* Appends the archive. Returns false and an error if a file cannot be read, if the archive would
 * have more than CRAFTY_ZIP_MAX_BYTES, or when out of memory. */
bool crafty_zip_write(CnFileSystem *files, const char *root, const CraftyPackageFiles *list,
                      CnU8Array *bytes, CnError *error);

#endif
