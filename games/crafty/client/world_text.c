#include "world_text.h"

#include "crafty/save/world_seed.h"

#include <time.h>

#define MINUTE_MS INT64_C(60000)
#define HOUR_MS (60 * MINUTE_MS)
#define DAY_MS (24 * HOUR_MS)

static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/* Returns false for a time that has no date, as in a manipulated file. */
static bool local_time(int64_t ms, struct tm *local)
{
    time_t seconds = (time_t)(ms / 1000);
    return localtime_r(&seconds, local) && local->tm_year + 1900 >= 0 &&
           local->tm_year + 1900 <= 9999;
}

/* Returns the number of midnights between two local times of less than a few days' distance. */
static int64_t days_between(int64_t then_ms, int64_t now_ms)
{
    struct tm now;
    if (!local_time(now_ms, &now))
        return 0;
    int64_t today_ms = now_ms - ((now.tm_hour * 60 + now.tm_min) * 60 + now.tm_sec) * INT64_C(1000);
    return then_ms >= today_ms ? 0 : 1 + (today_ms - 1 - then_ms) / DAY_MS;
}

static void write_day(const struct tm *local, char *text, size_t text_bytes)
{
    cn_format(text, text_bytes, "%d %s %d", local->tm_mday, months[local->tm_mon],
              local->tm_year + 1900);
}

void crafty_text_when(int64_t then_ms, int64_t now_ms, char *text, size_t text_bytes)
{
    struct tm then;
    int64_t age_ms;
    if (!local_time(then_ms, &then) || __builtin_sub_overflow(now_ms, then_ms, &age_ms)) {
        cn_format(text, text_bytes, "at an unknown time");
        return;
    }
    int64_t days = age_ms >= 0 && age_ms < 8 * DAY_MS ? days_between(then_ms, now_ms) : -1;
    if (age_ms >= 0 && age_ms < MINUTE_MS)
        cn_format(text, text_bytes, "just now");
    else if (age_ms >= 0 && age_ms < 2 * MINUTE_MS)
        cn_format(text, text_bytes, "1 minute ago");
    else if (age_ms >= 0 && age_ms < HOUR_MS)
        cn_format(text, text_bytes, "%d minutes ago", (int)(age_ms / MINUTE_MS));
    else if (days == 0)
        cn_format(text, text_bytes, "today %02d:%02d", then.tm_hour, then.tm_min);
    else if (days == 1)
        cn_format(text, text_bytes, "yesterday %02d:%02d", then.tm_hour, then.tm_min);
    else if (days > 1 && days < 7)
        cn_format(text, text_bytes, "%d days ago", (int)days);
    else
        write_day(&then, text, text_bytes);
}

void crafty_text_date(int64_t then_ms, char *text, size_t text_bytes)
{
    struct tm then;
    char day[64];
    if (!local_time(then_ms, &then)) {
        cn_format(text, text_bytes, "unknown date");
        return;
    }
    write_day(&then, day, sizeof day);
    cn_format(text, text_bytes, "%s, %02d:%02d", day, then.tm_hour, then.tm_min);
}

void crafty_text_size(uint64_t bytes, char *text, size_t text_bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    double size = (double)bytes / 1000;
    uint32_t unit = 0;
    for (; size >= 999.5 && unit + 1 < CN_COUNT_OF(units); unit++)
        size /= 1000;
    cn_format(text, text_bytes, size < 9.95 && unit > 0 ? "%.1f %s" : "%.0f %s", size, units[unit]);
}

void crafty_text_world(const CraftyWorldEntry *entry, char *text, size_t text_bytes)
{
    const CraftyWorldSummary *summary = &entry->info.summary;
    char seed[CRAFTY_SEED_TEXT_BYTES], size[32], state[64] = "new";
    crafty_seed_to_text(entry->info.identity.seed, seed);
    crafty_text_size(entry->size_bytes, size, sizeof size);
    /* The first day of a world is day 1. */
    uint32_t day = summary->days >= 0 && summary->days < 1e9 ? (uint32_t)summary->days + 1 : 1;
    if (entry->info.is_new && entry->info.identity.has_rules)
        cn_format(state, sizeof state, "new, %s", crafty_mode_name(entry->info.identity.mode));
    if (!entry->info.is_new)
        cn_format(state, sizeof state, "Day %u, %s", day, crafty_mode_name(summary->mode));
    cn_format(text, text_bytes, "Seed %s  ·  %s  ·  %s", seed, size, state);
    if (entry->info.mods.count > 0) {
        char mods[96];
        size_t used = strlen(text);
        crafty_world_mods_text(&entry->info.mods, mods, sizeof mods);
        cn_format(text + used, text_bytes - used, "  ·  Mods: %s", mods);
    }
}

bool crafty_text_missing_mods(const CraftyWorldEntry *entry, const CraftyInstalledMods *installed,
                              char *text, size_t text_bytes)
{
    char names[192];
    uint32_t count = crafty_world_mods_missing(&entry->info.mods, installed, names, sizeof names);
    if (count > 0)
        cn_format(text, text_bytes,
                  "Missing: %s. Placeholders stand for what %s added; nothing is lost.", names,
                  count == 1 ? "it" : "they");
    return count > 0;
}

/* Leaves out which file it is: "cannot open '<path>': it is damaged". */
static void write_damage(const char *message, char *text, size_t text_bytes)
{
    const char *reason = strncmp(message, "cannot ", 7) == 0 ? strstr(message, "': ") : NULL;
    cn_format(text, text_bytes, "%s. Restore a backup, or run: crafty world repair.",
              reason ? reason + 3 : message);
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A');
}

bool crafty_text_problem(const CraftyWorldEntry *entry, char *text, size_t text_bytes)
{
    if (entry->is_open)
        cn_format(text, text_bytes, "This world is open in another game. Close it there first.");
    else if (entry->error.code == CN_ERROR_VERSION)
        cn_format(text, text_bytes,
                  "Saved by a newer version of Crafty. Update Crafty to play it.");
    else if (entry->error.code != CN_OK)
        write_damage(entry->error.message, text, text_bytes);
    return entry->is_open || entry->error.code != CN_OK;
}

static bool is_taken(const CraftyWorldList *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (crafty_world_names_equal(list->items[i].name, name))
            return true;
    return false;
}

void crafty_text_worlds(const CraftyWorldList *list, char *text, size_t text_bytes)
{
    if (!list)
        cn_copy_text(text, text_bytes, cn_text("Reading worlds ..."));
    else if (list->left_out)
        cn_format(text, text_bytes, "%u world%s, and %u more files that are not listed",
                  list->count, list->count == 1 ? "" : "s", list->left_out);
    else
        cn_format(text, text_bytes, "%u world%s", list->count, list->count == 1 ? "" : "s");
}

void crafty_text_free_name(const CraftyWorldList *list, const char *base,
                           char name[CRAFTY_WORLD_NAME_BYTES])
{
    char shortened[CRAFTY_WORLD_NAME_BYTES - 8]; /* room for the number */
    cn_copy_text(shortened, sizeof shortened, cn_text(base));
    cn_copy_text(name, CRAFTY_WORLD_NAME_BYTES, cn_text(base));
    for (uint32_t i = 2; is_taken(list, name) && i <= CRAFTY_WORLDS_MAX + 1; i++)
        cn_format(name, CRAFTY_WORLD_NAME_BYTES, "%s %u", shortened, i);
}
