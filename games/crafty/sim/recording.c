#include "recording.h"

#include <string.h>

#define START_BYTES 512u
#define ITEMS "\nitems="

bool crafty_recording_write(const CraftyStart *start, const CraftyItems *items, CnTextBuilder *text)
{
    char line[START_BYTES];
    return crafty_start_write(start, line, sizeof line) && cn_text_append(text, cn_text(line)) &&
           cn_text_append(text, cn_text(ITEMS)) && crafty_items_write_palette(items, text);
}

bool crafty_recording_read(const char *text, CraftyStart *start, CnText *palette, CnError *error)
{
    char line[START_BYTES];
    const char *items = strstr(text, ITEMS);
    if (!items)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "these are not the settings of a Crafty session: the palette of items "
                            "is missing; record it with this version");
    if (!cn_copy_text(line, sizeof line, (CnText){text, (size_t)(items - text)}))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "the settings of this Crafty session are too long; record it with this "
                            "version");
    *palette = cn_text(items + strlen(ITEMS));
    return crafty_start_read(start, line, error);
}
