/*
 * Mods in a temporary folder.
 *
 *     mod_write("mods/castle", "castle", "1.0.0", "\"dependencies\": {\"stones\": \"^1\"}");
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_MOD_FILES_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_MOD_FILES_FIXTURE_H

#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/mods/mod_set.h>

#include <stdio.h>

static Scratch mod_scratch;

static inline const char *mod_path(const char *path)
{
    return scratch_path(&mod_scratch, path);
}

static inline void mod_write_file(const char *path, const char *text)
{
    CnError error = {0};
    CnFileSystem *files = cn_native_files();
    const char *native = mod_path(path);
    if (!cn_file_make_folder_of(files, native, &error) ||
        !cn_file_write_all(files, native, text, strlen(text), &error))
        fail_msg("%s", error.message);
}

/* Writes a mod of two files. `more` are further members of its mod.json, or NULL. */
static inline void mod_write(const char *folder, const char *name, const char *version,
                             const char *more)
{
    char path[256], text[1024];
    snprintf(text, sizeof text, "{\"name\": \"%s\", \"version\": \"%s\"%s%s}\n", name, version,
             more ? ", " : "", more ? more : "");
    snprintf(path, sizeof path, "%s/mod.json", folder);
    mod_write_file(path, text);
    snprintf(path, sizeof path, "%s/main.lua", folder);
    mod_write_file(path, "-- nothing\n");
}

#endif
