/*
 * `crafty mod ...`: mods from the command line. It opens neither a window nor a graphics device.
 *
 *     if (count > 1 && !strcmp(arguments[1], "mod"))
 *         return crafty_mod_command(count - 1, arguments + 1);
 */
#ifndef CRAFTY_MOD_COMMAND_MOD_COMMAND_H
#define CRAFTY_MOD_COMMAND_MOD_COMMAND_H

/* `arguments` starts with "mod". Returns the exit status: 0 done, 1 failed or mistakes found, 2
 * wrong usage. */
int crafty_mod_command(int count, char **arguments);

#endif
