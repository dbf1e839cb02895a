#include "recording.h"

#include <string.h>

#define START_BYTES 512u
#define BLOCKS "blocks="
#define ITEMS "items="

bool crafty_recording_write(const CraftyStart *start, const CnBlockTable *blocks,
                            const CraftyItems *items, CnTextBuilder *text)
{
    char line[START_BYTES];
    return crafty_start_write(start, line, sizeof line) && cn_text_append(text, cn_text(line)) &&
           cn_text_append(text, cn_text("\n" BLOCKS)) &&
           crafty_blocks_write_palette(blocks, text) && cn_text_append(text, cn_text("\n" ITEMS)) &&
           crafty_items_write_palette(items, text);
}

/* Takes a line "NAME=PALETTE" from the front of the text. */
static bool take_palette(CnText *text, const char *name, CnText *palette, CnError *error)
{
    CnText line = {0};
    if (!cn_text_split(text, '\n', &line) || !cn_text_starts_with(line, cn_text(name)))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "these are not the settings of a Crafty session: the line \"%s\" is "
                            "missing; record it with this version",
                            name);
    *palette = (CnText){line.data + strlen(name), line.size - strlen(name)};
    return true;
}

bool crafty_recording_read(const char *text, CraftyStart *start, CraftyPalettes *palettes,
                           CnError *error)
{
    char line[START_BYTES];
    CnText rest = cn_text(text), first = {0};
    cn_text_split(&rest, '\n', &first);
    if (!take_palette(&rest, BLOCKS, &palettes->blocks, error) ||
        !take_palette(&rest, ITEMS, &palettes->items, error))
        return false;
    if (!cn_copy_text(line, sizeof line, first))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "the settings of this Crafty session are too long; record it with this "
                            "version");
    return crafty_start_read(start, line, error);
}
