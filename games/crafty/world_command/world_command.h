/*
 * `crafty world ...`: the library of worlds from the command line. It opens neither a window nor a
 * graphics device.
 *
 *     if (count > 1 && !strcmp(arguments[1], "world"))
 *         return crafty_world_command(count - 1, arguments + 1);
 */
#ifndef CRAFTY_WORLD_COMMAND_WORLD_COMMAND_H
#define CRAFTY_WORLD_COMMAND_WORLD_COMMAND_H

/* `arguments` starts with "world". Returns the exit status: 0 done, 1 failed or damage found, 2
 * wrong usage. */
int crafty_world_command(int count, char **arguments);

#endif
