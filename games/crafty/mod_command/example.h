/* The example mod that `crafty mod new` writes. */
#ifndef CRAFTY_MOD_COMMAND_EXAMPLE_H
#define CRAFTY_MOD_COMMAND_EXAMPLE_H

/* A file of the example mod; "NAME" and "TITLE" in its text stand for those of the mod. */
typedef struct CraftyModExample {
    const char *path, *text;
} CraftyModExample;

/* Returns the files; ends with a NULL path. */
const CraftyModExample *crafty_mod_example(void);

#endif
