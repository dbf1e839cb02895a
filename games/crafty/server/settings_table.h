/* All settings of the server: where they are in the structures, their types, limits, defaults and
 * comments. */
#ifndef CRAFTY_SERVER_SETTINGS_TABLE_H
#define CRAFTY_SERVER_SETTINGS_TABLE_H

#include "settings.h"

typedef enum CraftySettingType {
    CRAFTY_SETTING_TEXT,
    CRAFTY_SETTING_ADDRESS, /* numeric, IPv4 or IPv6 */
    CRAFTY_SETTING_NUMBER,
    CRAFTY_SETTING_SWITCH, /* on or off */
    CRAFTY_SETTING_CHOICE,
    CRAFTY_SETTING_DURATION, /* seconds; "90 s", "5 min", "6 h", "7 d", "never" if 0 is allowed */
    CRAFTY_SETTING_SIZE      /* bytes; "16 kB", "64 KiB", "2 MB" */
} CraftySettingType;

typedef struct CraftySetting {
    const char *section, *key;
    CraftySettingType type;
    uint32_t offset, bytes; /* in CraftyServerSettings, or in CraftyWorldSettings */
    uint32_t minimum, maximum;
    const char *const *choices; /* by value, up to NULL; "" is no choice */
    const char *standard;       /* as in a file; NULL in a world: unset */
    bool is_live;               /* can change while the server runs */
    const char *comment;        /* lines for the default file */
} CraftySetting;

extern const CraftySetting crafty_settings_table[];
extern const uint32_t crafty_settings_count;

#define CRAFTY_SETTINGS_WORLD "world" /* the section of settings of a world */

/* Returns the setting, or NULL. */
const CraftySetting *crafty_setting_find(CnText section, CnText key);
/* Returns the most similar key of a section, or NULL; of sections with `section` NULL. */
const char *crafty_setting_similar(const char *section, const char *name);

/* Reads a value into the structure at `base`. Returns false and writes what was expected. */
#define CRAFTY_EXPECTED_BYTES 160u
bool crafty_setting_read(const CraftySetting *setting, void *base, CnText value,
                         char expected[CRAFTY_EXPECTED_BYTES]);

#endif
