/* A run of `crafty world`: its options, its output as text or JSON, and its progress. */
#ifndef CRAFTY_WORLD_COMMAND_RUN_H
#define CRAFTY_WORLD_COMMAND_RUN_H

#include "crafty/save/worlds.h"
#include "options.h"

#include <jansson.h>

typedef struct CraftyWorldRun {
    const CraftyWorldOptions *options;
    char folder[CN_STORE_PATH_BYTES]; /* of the worlds */
    json_t *json;                     /* an object, printed at the end with --json */
    const char *task;                 /* shown with the progress */
    uint64_t shown_ns;
    bool is_showing;   /* a line of progress is on the terminal */
    bool found_damage; /* the exit status is 1 */
    bool was_canceled;
} CraftyWorldRun;

/* Prints a line, unless the output is JSON. */
void crafty_world_print(CraftyWorldRun *run, const char *format, ...) CN_PRINTF_LIKE(2, 3);

/* ---- JSON ---- */

/* Set a member. Text that is not UTF-8 is escaped. Memory that runs out is noticed when the
 * document is printed. */
void crafty_json_text(json_t *object, const char *name, const char *text);
void crafty_json_number(json_t *object, const char *name, int64_t number);
void crafty_json_real(json_t *object, const char *name, double number);
void crafty_json_flag(json_t *object, const char *name, bool flag);
/* Adds a member and returns it; NULL when out of memory, which the functions above ignore. */
json_t *crafty_json_object(json_t *object, const char *name);
json_t *crafty_json_array(json_t *object, const char *name);
json_t *crafty_json_append(json_t *array);

/* ---- Progress ---- */

/* Shows progress on the standard error: a line that updates on a terminal, or else one line every
 * few seconds. A CnStoreProgress with the run as `user`: returns false after SIGINT or SIGTERM. */
bool crafty_world_progress(uint64_t done, uint64_t total, void *user);
/* Names what follows, such as "copying". */
void crafty_world_begin_task(CraftyWorldRun *run, const char *task);
/* Ends a line of progress. */
void crafty_world_end_task(CraftyWorldRun *run);

/* ---- Actions ---- */

/* Return false and an error if the action failed. */
bool crafty_world_list(CraftyWorldRun *run, CnError *error);
bool crafty_world_info(CraftyWorldRun *run, CnError *error);
bool crafty_world_create_action(CraftyWorldRun *run, CnError *error);
bool crafty_world_rename_action(CraftyWorldRun *run, CnError *error);
bool crafty_world_copy_action(CraftyWorldRun *run, CnError *error);
bool crafty_world_backup_action(CraftyWorldRun *run, CnError *error);
bool crafty_world_restore_action(CraftyWorldRun *run, CnError *error);
bool crafty_world_export_action(CraftyWorldRun *run, CnError *error);
bool crafty_world_import_action(CraftyWorldRun *run, CnError *error);
bool crafty_world_verify_action(CraftyWorldRun *run, CnError *error);
bool crafty_world_repair_action(CraftyWorldRun *run, CnError *error);
bool crafty_world_compact_action(CraftyWorldRun *run, CnError *error);
bool crafty_world_delete_action(CraftyWorldRun *run, CnError *error);
bool crafty_world_torture_action(CraftyWorldRun *run, CnError *error);

/* Writes the path of the world that the first word names. */
bool crafty_world_find(CraftyWorldRun *run, char path[CN_STORE_PATH_BYTES], CnError *error);
/* Writes a size with its unit, such as "1.2 MB". */
void crafty_world_size_text(uint64_t bytes, char text[16]);
/* Writes a time as "2026-01-31 18:05", local. */
void crafty_world_time_text(int64_t unix_ms, char text[32]);

#endif
