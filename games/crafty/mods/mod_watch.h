/*
 * Watches the folders of the mods that run, so that their changed code runs in the open world.
 *
 *     CraftyModWatch *watch = crafty_mod_watch_create(set, &error);
 *     const char *name;
 *     if (crafty_mod_watch_poll(watch, cn_clock_ns()))
 *         while ((name = crafty_mod_watch_take(watch)))
 *             crafty_session_mods_reload(mods, save, name, &changes_content, &error);
 *     crafty_mod_watch_destroy(watch);
 *
 * Archives are not watched. Only files that are Lua code count.
 */
#ifndef CRAFTY_MODS_MOD_WATCH_H
#define CRAFTY_MODS_MOD_WATCH_H

#include "mod_set.h"

typedef struct CraftyModWatch CraftyModWatch;

/* `set` must outlive the watch. Returns NULL and an error on failure. */
CraftyModWatch *crafty_mod_watch_create(const CraftyModSet *set, CnError *error);
/* NULL is ignored. */
void crafty_mod_watch_destroy(CraftyModWatch *watch);
/* Returns whether code of a mod has changed since it was taken. */
bool crafty_mod_watch_poll(CraftyModWatch *watch, uint64_t now_ns);
/* Returns the name of the next mod whose code has changed, in the order in which they run; NULL
 * after the last. */
const char *crafty_mod_watch_take(CraftyModWatch *watch);

#endif
