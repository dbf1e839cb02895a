/*
 * A world with scripts of several owners, for tests of what they can do to each other.
 *
 *     ScriptOwners w;
 *     script_owners_init(&w, NULL);
 *     script_owners_add(&w, "mods://victim/a.lua", SCRIPT_VICTIM);
 *     script_owners_add(&w, "mods://attacker/b.lua", "while true do end");
 *     script_owners_tick(&w, 10);
 *     assert_string_equal(script_owners_victim(&w), "10 9 9");
 *     script_owners_fini(&w);
 */
#ifndef CAIRN_TESTS_SUPPORT_SCRIPT_SCRIPT_OWNERS_H
#define CAIRN_TESTS_SUPPORT_SCRIPT_SCRIPT_OWNERS_H

#include "script_world.h"

/* Counts ticks, events that it sends itself, and timers, in its position. */
extern const char script_victim[];

typedef struct ScriptOwners {
    ScriptWorld world;
    CnEntity objects[4];
    uint32_t count;
    char text[128];
} ScriptOwners;

/* `limits`: those members of the desc that are not 0 are used. */
bool script_owners_init(ScriptOwners *w, const CnScriptDesc *limits);
void script_owners_fini(ScriptOwners *w);
CnEntity script_owners_add(ScriptOwners *w, const char *path, const char *code);
bool script_owners_tick(ScriptOwners *w, uint64_t ticks);
/* Returns "ticks events timers" of the first script. */
const char *script_owners_victim(ScriptOwners *w);

#endif
