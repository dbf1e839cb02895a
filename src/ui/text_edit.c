/* Text editing with a cursor and a selection, in a buffer of the program. */
#include "ui/ui_internal.h"

#include <string.h>

/* Combining marks belong to the preceding character. */
static bool is_combining(uint32_t character)
{
    return (character >= 0x0300 && character <= 0x036F) ||
           (character >= 0x1AB0 && character <= 0x1AFF) ||
           (character >= 0x20D0 && character <= 0x20FF) ||
           (character >= 0xFE00 && character <= 0xFE0F) || character == 0x200D;
}

static bool is_in_word(uint32_t character)
{
    return character >= 0x80 || (character >= '0' && character <= '9') ||
           (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z') ||
           character == '_';
}

static uint32_t character_at(CnText text, size_t at)
{
    uint32_t character = 0;
    if (at < text.size)
        cn_utf8_next(text, at, &character);
    return character;
}

static size_t step_right(CnText text, size_t at)
{
    uint32_t character;
    if (at >= text.size)
        return text.size;
    do
        at = cn_utf8_next(text, at, &character);
    while (at < text.size && is_combining(character_at(text, at)));
    return at;
}

static size_t step_left(CnText text, size_t at)
{
    do
        at = cn_utf8_previous(text, at);
    while (at > 0 && is_combining(character_at(text, at)));
    return at;
}

static size_t word_right(CnText text, size_t at)
{
    while (at < text.size && is_in_word(character_at(text, at)))
        at = step_right(text, at);
    while (at < text.size && !is_in_word(character_at(text, at)))
        at = step_right(text, at);
    return at;
}

static size_t word_left(CnText text, size_t at)
{
    while (at > 0 && !is_in_word(character_at(text, step_left(text, at))))
        at = step_left(text, at);
    while (at > 0 && is_in_word(character_at(text, step_left(text, at))))
        at = step_left(text, at);
    return at;
}

void cni_ui_edit_select_word(CniUiEdit *edit, const char *terminated, size_t at)
{
    CnText text = cn_text(terminated);
    size_t from = at, to = at;
    bool kind = is_in_word(character_at(text, at < text.size ? at : step_left(text, at)));
    while (from > 0 && is_in_word(character_at(text, step_left(text, from))) == kind)
        from = step_left(text, from);
    while (to < text.size && is_in_word(character_at(text, to)) == kind)
        to = step_right(text, to);
    edit->anchor = from;
    edit->cursor = to;
}

/* ---- Changing ---- */

void cni_ui_edit_repair(char *text, size_t bytes)
{
    text[bytes - 1] = '\0';
    CnText all = cn_text(text);
    if (cn_text_is_utf8(all))
        return;
    /* U+FFFD may be longer than the byte it replaces, so a single ASCII byte is used, which always
     * fits. */
    for (size_t at = 0; at < all.size;) {
        uint32_t character;
        size_t next = cn_utf8_next(all, at, &character);
        char written[4];
        if (character == CN_UTF8_REPLACEMENT && (next - at != cn_utf8_write(character, written) ||
                                                 memcmp(written, text + at, next - at) != 0))
            memset(text + at, '?', next - at);
        at = next;
    }
}

static bool erase(CniUiEdit *edit, char *text, size_t from, size_t to)
{
    size_t size = strlen(text);
    if (from >= to)
        return false;
    memmove(text + from, text + to, size - to + 1);
    edit->cursor = edit->anchor = from;
    return true;
}

static bool erase_selection(CniUiEdit *edit, char *text)
{
    CnText selection = cni_ui_edit_selection(edit, text);
    size_t from = (size_t)(selection.data - text);
    return erase(edit, text, from, from + selection.size);
}

bool cni_ui_edit_insert(CniUiEdit *edit, char *text, size_t bytes, CnText insert)
{
    bool changed = erase_selection(edit, text);
    size_t size = strlen(text);
    for (size_t at = 0; at < insert.size;) {
        uint32_t character;
        char written[4];
        at = cn_utf8_next(insert, at, &character);
        if (character == '\n' || character == '\t')
            character = ' ';
        size_t length = cn_utf8_write(character, written);
        if (character < 0x20 || (character >= 0x7F && character < 0xA0))
            continue;
        if (size + length + 1 > bytes)
            break;
        memmove(text + edit->cursor + length, text + edit->cursor, size - edit->cursor + 1);
        memcpy(text + edit->cursor, written, length);
        edit->cursor += length;
        size += length;
        changed = true;
    }
    edit->anchor = edit->cursor;
    return changed;
}

static void move_to(CniUiEdit *edit, size_t to, uint32_t modifiers)
{
    edit->cursor = to;
    if (!(modifiers & CN_UI_SHIFT))
        edit->anchor = to;
}

/* Without Shift, an arrow key moves the cursor to that end of the selection. */
static void move_arrow(CniUiEdit *edit, const char *terminated, bool right, uint32_t modifiers)
{
    CnText text = cn_text(terminated), selection = cni_ui_edit_selection(edit, terminated);
    size_t from = (size_t)(selection.data - terminated);
    if (modifiers & CN_UI_CTRL)
        move_to(edit, right ? word_right(text, edit->cursor) : word_left(text, edit->cursor),
                modifiers);
    else if (selection.size > 0 && !(modifiers & CN_UI_SHIFT))
        move_to(edit, right ? from + selection.size : from, 0);
    else
        move_to(edit, right ? step_right(text, edit->cursor) : step_left(text, edit->cursor),
                modifiers);
}

static bool delete_key(CniUiEdit *edit, char *terminated, bool right, uint32_t modifiers)
{
    if (erase_selection(edit, terminated))
        return true;
    CnText text = cn_text(terminated);
    size_t at = edit->cursor;
    bool word = modifiers & CN_UI_CTRL;
    if (right)
        return erase(edit, terminated, at, word ? word_right(text, at) : step_right(text, at));
    return at > 0 && erase(edit, terminated, word ? word_left(text, at) : step_left(text, at), at);
}

bool cni_ui_edit_key(CniUiEdit *edit, char *text, CnUiKey key, uint32_t modifiers)
{
    switch (key) {
    case CN_UI_LEFT:
    case CN_UI_RIGHT:
        move_arrow(edit, text, key == CN_UI_RIGHT, modifiers);
        return false;
    case CN_UI_HOME:
        move_to(edit, 0, modifiers);
        return false;
    case CN_UI_END:
        move_to(edit, strlen(text), modifiers);
        return false;
    case CN_UI_SELECT_ALL:
        edit->anchor = 0;
        edit->cursor = strlen(text);
        return false;
    case CN_UI_BACKSPACE:
    case CN_UI_DELETE:
        return delete_key(edit, text, key == CN_UI_DELETE, modifiers);
    default:
        return false;
    }
}
