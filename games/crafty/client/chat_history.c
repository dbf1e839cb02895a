#include "chat_history.h"

#include "crafty/sim/chat.h"

#define MAX_FILE_BYTES (CRAFTY_CHAT_HISTORY_LINES * CRAFTY_COMMAND_TEXT_BYTES)

void crafty_chat_history_add(CraftyChatHistory *history, const char *line)
{
    CraftyCommand typed = {0};
    cn_copy_text(typed.text, sizeof typed.text, cn_text_trim(cn_text(line)));
    crafty_chat_history_rewind(history);
    if (!crafty_chat_text_valid(typed.text))
        return;
    if (history->count && !strcmp(history->lines[history->count - 1], typed.text))
        return;
    if (history->count == CRAFTY_CHAT_HISTORY_LINES) {
        memmove(history->lines[0], history->lines[1],
                (CRAFTY_CHAT_HISTORY_LINES - 1) * sizeof history->lines[0]);
        history->count--;
    }
    memcpy(history->lines[history->count++], typed.text, sizeof typed.text);
    history->is_changed = true;
    crafty_chat_history_rewind(history);
}

void crafty_chat_history_rewind(CraftyChatHistory *history)
{
    history->at = history->count;
    history->draft[0] = '\0';
}

const char *crafty_chat_history_step(CraftyChatHistory *history, int32_t by, const char *text)
{
    if (by < 0 ? history->at == 0 : history->at >= history->count)
        return NULL;
    if (history->at == history->count)
        cn_copy_text(history->draft, sizeof history->draft, cn_text(text));
    history->at = by < 0 ? history->at - 1 : history->at + 1;
    return history->at == history->count ? history->draft : history->lines[history->at];
}

void crafty_chat_history_load(CraftyChatHistory *history, CnFileSystem *files, const char *path)
{
    CnFileBytes bytes;
    CnFileInfo info;
    *history = (CraftyChatHistory){0};
    if (!files->info(files, path, &info, NULL) || info.size_bytes > MAX_FILE_BYTES ||
        !cn_file_read_all(files, path, cn_system_allocator(), &bytes, NULL))
        return;
    CnText line, rest = {(const char *)bytes.data, bytes.size};
    while (cn_text_split(&rest, '\n', &line)) {
        char text[CRAFTY_COMMAND_TEXT_BYTES];
        if (cn_copy_text(text, sizeof text, line))
            crafty_chat_history_add(history, text);
    }
    cn_file_bytes_free(&bytes);
    history->is_changed = false;
}

bool crafty_chat_history_save(CraftyChatHistory *history, CnFileSystem *files, const char *path,
                              CnError *error)
{
    CnTextBuilder text;
    bool is_done = true;
    if (!history->is_changed)
        return true;
    cn_array_init(&text, cn_system_allocator());
    for (uint32_t i = 0; i < history->count && is_done; i++)
        is_done = cn_text_append_format(&text, "%s\n", history->lines[i]);
    is_done = is_done ? cn_file_make_folder_of(files, path, error) &&
                            cn_file_write_all(files, path, text.items, text.count, error)
                      : cn_error_memory(error, "the history of the chat");
    cn_array_fini(&text);
    history->is_changed = !is_done;
    return is_done;
}
