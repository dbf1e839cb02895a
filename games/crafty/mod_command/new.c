/* crafty mod new. */
#include "example.h"
#include "run.h"

#include <cairn/base/console.h>

#include <string.h>

/* "moon_lamp" becomes "Moon Lamp". */
static void make_title(const char *name, char title[CRAFTY_MOD_NAME_BYTES])
{
    bool starts = true;
    cn_copy_text(title, CRAFTY_MOD_NAME_BYTES, cn_text(name));
    for (char *c = title; *c; c++) {
        *c = *c == '_' ? ' ' : *c;
        if (starts && *c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
        starts = *c == ' ';
    }
}

/* Copies the text with the words replaced. */
static bool fill_in(const char *text, const char *name, const char *title, CnTextBuilder *filled)
{
    bool good = true;
    for (const char *c = text; *c && good;) {
        if (strncmp(c, "NAME", 4) == 0) {
            good = cn_text_append(filled, cn_text(name));
            c += 4;
        } else if (strncmp(c, "TITLE", 5) == 0) {
            good = cn_text_append(filled, cn_text(title));
            c += 5;
        } else
            good = cn_text_append(filled, (CnText){c++, 1});
    }
    return good;
}

static bool write_file(const CraftyModExample *file, const char *name, CnError *error)
{
    char path[CN_FILE_PATH_BYTES], title[CRAFTY_MOD_NAME_BYTES];
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    make_title(name, title);
    cn_format(path, sizeof path, "%s/%s", name, file->path);
    bool done = (fill_in(file->text, name, title, &text) || cn_error_memory(error, "the mod")) &&
                cn_file_make_folder_of(cn_native_files(), path, error) &&
                cn_file_write_all(cn_native_files(), path, text.items, text.count, error);
    cn_array_fini(&text);
    return done;
}

bool crafty_mod_new_action(CraftyModRun *run, CnError *error)
{
    const char *name = run->options->word;
    CnFileInfo info;
    if (!crafty_mod_name_valid(cn_text(name)))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "the name of a mod has 1 to %u of a-z, 0-9 and _, and begins with a "
                            "letter, such as my_mod",
                            CRAFTY_MOD_NAME_BYTES - 1);
    if (cn_native_files()->info(cn_native_files(), name, &info, &(CnError){0}))
        return cn_error_set(error, CN_ERROR_EXISTS,
                            "%s already exists here: choose another name or remove it", name);
    for (const CraftyModExample *file = crafty_mod_example(); file->path; file++)
        if (!write_file(file, name, error))
            return false;
    if (!crafty_mod_write_annotations(name, error))
        return false;
    cn_print("The mod %s is in ./%s. Next:", name, name);
    cn_print("    crafty mod check %s", name);
    cn_print("    crafty --mods %s", name);
    return true;
}
