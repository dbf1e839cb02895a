/* Shared by the files of CraftyModSet. */
#ifndef CRAFTY_MODS_MOD_SET_INTERNAL_H
#define CRAFTY_MODS_MOD_SET_INTERNAL_H

#include "mod_set.h"

#include <cairn/vfs.h>

typedef enum CraftyFoundState {
    CRAFTY_MOD_UNUSED, /* nobody wants it */
    CRAFTY_MOD_WANTED,
    CRAFTY_MOD_FAILED,
    CRAFTY_MOD_ORDERED /* it runs */
} CraftyFoundState;

/* A mod that was found, and what became of it. */
typedef struct CraftyFoundMod {
    CraftyMod mod;
    CraftyFoundState state;
    uint32_t folder; /* number of the folder in the description */
    uint32_t number; /* in the order, if it is ordered */
} CraftyFoundMod;

struct CraftyModSet {
    CnAllocator *allocator;
    CnVfs *vfs;
    CN_ARRAY(CraftyFoundMod *) found; /* by name */
    CN_ARRAY(CraftyFoundMod *) order;
    CN_ARRAY(CraftyModProblem *) problems;
};

/* Adds a problem. `mod` may be NULL; `name` and `native` are used without one, and may be NULL. */
bool crafty_mod_set_add_problem(CraftyModSet *set, const CraftyMod *mod, const char *name,
                                const char *native, const CnError *problem, bool is_warning,
                                CnError *error);
/* Returns NULL if no such mod was found. */
CraftyFoundMod *crafty_mod_set_find_found(const CraftyModSet *set, const char *name);

/* mod_find.c: finds and mounts the mods of all folders. */
bool crafty_mod_set_scan(CraftyModSet *set, const CraftyModSetDesc *desc, CnError *error);
/* mod_order.c: decides which mods run, and orders them. */
bool crafty_mod_set_resolve(CraftyModSet *set, const CraftyModSetDesc *desc, CnError *error);

#endif
