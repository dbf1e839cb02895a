/*
 * The file of settings of the server: whatever it contains, there are settings within their limits,
 * or problems with a line and an escaped message, and then nothing has changed.
 */
#include "fuzz_surface.h"

#include <crafty/server/settings.h>
#include <crafty/server/settings_table.h>

#include <string.h>

static const char *const words[] = {"[server]\n",   "[network]\n", "[game]\n",
                                    "[backups]\n",  "[log]\n",     "[world Home]\n",
                                    "[world ",      "name = ",     "max_players = ",
                                    "bandwidth = ", "every = ",    "mode = ",
                                    "seed = ",      "port = ",     "bind = ",
                                    "store = ",     "\"",          "\\\"",
                                    "# ",           "64 kB",       "6 h",
                                    "never",        "on",          "::",
                                    "survival",     "99999999999", "postgresql://",
                                    "]\n",          NULL};

static void add_seeds(FuzzSeeds *seeds)
{
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    if (crafty_settings_write_defaults(&text))
        fuzz_add(seeds, text.items, text.count);
    cn_array_fini(&text);
    fuzz_add_text(seeds, "[server]\nname = \"A \\\"b\\\"\" # c\n[world A]\nseed = 5\n"
                         "[world B]\nport = 4711\n");
}

static void check_range(const CraftySetting *setting, const void *base)
{
    const uint8_t *at = (const uint8_t *)base + setting->offset;
    uint32_t value;
    if (setting->type == CRAFTY_SETTING_TEXT || setting->type == CRAFTY_SETTING_ADDRESS) {
        FUZZ_CHECK(memchr(at, '\0', setting->bytes));
        FUZZ_CHECK(cn_text_is_utf8(cn_text((const char *)at)));
        return;
    }
    memcpy(&value, at, sizeof value);
    if (setting->type == CRAFTY_SETTING_CHOICE)
        FUZZ_CHECK(value < 8 && setting->choices[value][0]);
    else if (strcmp(setting->section, CRAFTY_SETTINGS_WORLD) || strcmp(setting->key, "port"))
        FUZZ_CHECK(value >= setting->minimum && value <= setting->maximum);
}

static void check_problems(const CraftySettingsProblems *problems)
{
    FUZZ_CHECK(problems->count > 0);
    for (uint32_t i = 0; i < problems->count && i < CRAFTY_SETTINGS_PROBLEMS; i++) {
        FUZZ_CHECK(problems->items[i].message[0]);
        for (const char *at = problems->items[i].message; *at; at++)
            FUZZ_CHECK((unsigned char)*at >= ' ' && *at != 0x7f);
    }
}

static bool run(const uint8_t *bytes, size_t size)
{
    static CraftyServerSettings settings, before;
    static CraftySettingsProblems problems;
    crafty_settings_defaults(&settings);
    before = settings;
    if (!crafty_settings_read(&settings, "file", (CnText){(const char *)bytes, size}, &problems)) {
        FUZZ_CHECK(!memcmp(&before, &settings, sizeof before));
        check_problems(&problems);
        return false;
    }
    if (!crafty_settings_finish(&settings, "file", &problems)) {
        check_problems(&problems);
        return false;
    }
    FUZZ_CHECK(settings.world_count > 0 && settings.world_count <= CRAFTY_SERVER_WORLDS);
    for (uint32_t i = 0; i < crafty_settings_count; i++) {
        const CraftySetting *setting = &crafty_settings_table[i];
        if (strcmp(setting->section, CRAFTY_SETTINGS_WORLD))
            check_range(setting, &settings);
        else
            for (uint32_t k = 0; k < settings.world_count; k++)
                check_range(setting, &settings.worlds[k]);
    }
    return true;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 8192, .test_runs = 4000, .words = words, .add_seeds = add_seeds, .run = run};
