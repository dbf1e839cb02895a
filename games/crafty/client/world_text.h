/* Texts about worlds for people: when a world was played, how large it is, what it is like. */
#ifndef CRAFTY_CLIENT_WORLD_TEXT_H
#define CRAFTY_CLIENT_WORLD_TEXT_H

#include "crafty/mods/installed_mods.h"
#include "crafty/save/worlds.h"

/* Writes when something was, in the local time zone: "just now", "5 minutes ago", "today 14:05",
 * "yesterday 14:05", "3 days ago", or a date such as "18 Nov 2026". Times are milliseconds since
 * 1970, UTC. Times in the future, of a clock that was set wrong, are dates. */
void crafty_text_when(int64_t then_ms, int64_t now_ms, char *text, size_t text_bytes);
/* Writes a date with the time, as in "18 Nov 2026, 14:05". */
void crafty_text_date(int64_t then_ms, char *text, size_t text_bytes);
/* Writes a size such as "12 kB" or "1.5 MB"; 1 kB has 1000 bytes. */
void crafty_text_size(uint64_t bytes, char *text, size_t text_bytes);
/* Writes what a list says about a world that can be read, as in "Seed -5  ·  1.5 MB  ·  Day 3,
 * flying". */
void crafty_text_world(const CraftyWorldEntry *entry, char *text, size_t text_bytes);
/* Writes which mods of a world are not installed, and what happens then. Returns false if none is
 * missing. */
bool crafty_text_missing_mods(const CraftyWorldEntry *entry, const CraftyInstalledMods *installed,
                              char *text, size_t text_bytes);
/* Writes why a world cannot be opened and what to do. Returns false if it can be. */
bool crafty_text_problem(const CraftyWorldEntry *entry, char *text, size_t text_bytes);
/* Writes how many worlds a list has, or that it is still being read (NULL). */
void crafty_text_worlds(const CraftyWorldList *list, char *text, size_t text_bytes);
/* Writes a name that no world of the list has: `base`, or with a number, as in "New world 2". */
void crafty_text_free_name(const CraftyWorldList *list, const char *base,
                           char name[CRAFTY_WORLD_NAME_BYTES]);

#endif
