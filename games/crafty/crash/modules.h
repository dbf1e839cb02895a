/*
 * The program and its shared libraries in memory, so that a crash report names places in the code
 * as file and offset, from which addr2line finds the line.
 */
#ifndef CRAFTY_CRASH_MODULES_H
#define CRAFTY_CRASH_MODULES_H

#include <stdbool.h>
#include <stdint.h>

#define CRAFTY_MODULES 192u
#define CRAFTY_BUILD_ID_BYTES 41u /* of its text */

typedef struct CraftyModule {
    uintptr_t base, begin, end; /* offsets count from `base` */
    char name[64];              /* of the file, without its folder */
    char build_id[CRAFTY_BUILD_ID_BYTES];
} CraftyModule;

/* Finds out which modules are loaded; call it again after loading others. */
void crafty_modules_update(void);
/* Returns the module that contains an address; NULL if there is none. Async-signal-safe. */
const CraftyModule *crafty_module_at(uintptr_t address);
/* Returns the program itself; its build id is "" if it has none. */
const CraftyModule *crafty_module_of_program(void);

#endif
