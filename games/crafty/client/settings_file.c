#include "settings_file.h"

void crafty_settings_file_load(CraftySettingsFile *file, CnFileSystem *files, const char *path,
                               CnTextBuilder *problems)
{
    CnFileBytes bytes;
    CnFileInfo info;
    CnError error = {0};
    *file = (CraftySettingsFile){.files = files};
    cn_array_init(&file->text, cn_system_allocator());
    if (!path)
        return;
    if (!cn_copy_text(file->path, sizeof file->path, cn_text(path))) {
        cn_text_append_format(problems,
                              "the path of the settings is too long; they are not kept\n");
        file->path[0] = '\0';
        return;
    }
    if (!files->info(files, path, &info, &error) && error.code == CN_ERROR_NOT_FOUND)
        return;
    if (!cn_file_read_all(files, path, cn_system_allocator(), &bytes, &error) ||
        !cn_text_append(&file->text, (CnText){(const char *)bytes.data, bytes.size})) {
        cn_text_append_format(problems, "%s; settings are not kept\n",
                              error.code ? error.message : "out of memory");
        cn_file_bytes_free(&bytes);
        file->path[0] = '\0';
        return;
    }
    cn_file_bytes_free(&bytes);
    CnText text = {file->text.items, file->text.count};
    file->is_bad = crafty_choices_read(&file->choices, path, text, problems) != CRAFTY_CHOICES_FINE;
}

/* Copies the file to its name with the suffix ".bad", before it is replaced. */
static bool keep_bad(CraftySettingsFile *file, CnError *error)
{
    char path[CN_FILE_PATH_BYTES];
    if (!cn_format(path, sizeof path, "%s.bad", file->path))
        return cn_error_set(error, CN_ERROR_LIMIT, "the path of the settings is too long");
    if (!cn_file_write_all(file->files, path, file->text.items, file->text.count, error))
        return false;
    file->is_bad = false;
    return true;
}

static bool write(CraftySettingsFile *file, CnTextBuilder *text, CnError *error)
{
    CnText old = {file->text.items, file->text.count};
    if (!crafty_choices_write(&file->choices, old, text))
        return cn_error_memory(error, "the settings");
    return cn_file_make_folder_of(file->files, file->path, error) &&
           (!file->is_bad || keep_bad(file, error)) &&
           cn_file_write_all(file->files, file->path, text->items, text->count, error);
}

bool crafty_settings_file_save(CraftySettingsFile *file, CnError *error)
{
    if (!file->is_changed || !file->path[0])
        return true;
    CnTextBuilder text;
    cn_array_init(&text, cn_system_allocator());
    if (!write(file, &text, error)) {
        cn_array_fini(&text);
        return false;
    }
    cn_array_fini(&file->text);
    file->text = text;
    file->is_changed = false;
    return true;
}

void crafty_settings_file_close(CraftySettingsFile *file)
{
    if (file->files)
        cn_array_fini(&file->text);
    *file = (CraftySettingsFile){0};
}
