/* The commands. Each returns the exit status: 0 success, 1 failure, 2 invalid options. */
#ifndef TOOLS_CAIRN_COMMANDS_H
#define TOOLS_CAIRN_COMMANDS_H

int command_run(int count, char **arguments);
int command_replay(int count, char **arguments);
int command_view(int count, char **arguments);
int command_check(int count, char **arguments);
int command_schema(int count, char **arguments);
int command_components(int count, char **arguments);
int command_annotations(int count, char **arguments);
int command_schedule(int count, char **arguments);
int command_map(int count, char **arguments);
int command_bench(int count, char **arguments);
int command_info(int count, char **arguments);

#endif
