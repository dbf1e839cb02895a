/*
 * The log of a server: one line for each event, as text or as JSON.
 *
 *     crafty_event_log_open(&(CraftyEventLogDesc){.format = CRAFTY_LOG_JSON}, &error);
 *     CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "player_joined", CRAFTY_FIELD("player", name),
 *                  CRAFTY_FIELD("address", address), CRAFTY_NUMBER("players", 3));
 *     crafty_event_log_close();
 *
 *     2026-11-19T20:15:00.123Z info player_joined player=Anna address=192.0.2.7:4711 players=3
 *     {"time":"2026-11-19T20:15:00.123Z","level":"info","event":"player_joined","player":"Anna",...
 *
 * Messages of the engine (cairn/base/log.h) are lines, too: in JSON with the event "log", a module
 * and a message. Values are escaped, so that nothing from outside can imitate a line or a field.
 * Lines are written at once and are at most CRAFTY_EVENT_BYTES long. Process-wide and thread-safe,
 * except open and close; while no log is open, events go to the log of the engine.
 */
#ifndef CRAFTY_SERVER_EVENT_LOG_H
#define CRAFTY_SERVER_EVENT_LOG_H

#include "settings.h"

#include <cairn/base/log.h>

#define CRAFTY_EVENT_BYTES 4096u

typedef struct CraftyEventField {
    const char *key;  /* a-z and '_' */
    const char *text; /* NULL: the number */
    int64_t number;
} CraftyEventField;

#define CRAFTY_FIELD(field_key, field_text)                                                        \
    (CraftyEventField)                                                                             \
    {                                                                                              \
        .key = (field_key), .text = (field_text)                                                   \
    }
#define CRAFTY_NUMBER(field_key, field_number)                                                     \
    (CraftyEventField)                                                                             \
    {                                                                                              \
        .key = (field_key), .number = (int64_t)(field_number)                                      \
    }
/* At least one field. */
#define CRAFTY_EVENT(level, event, ...)                                                            \
    crafty_event(level, event, (const CraftyEventField[]){__VA_ARGS__},                            \
                 (uint32_t)(sizeof((CraftyEventField[]){__VA_ARGS__}) / sizeof(CraftyEventField)))

typedef struct CraftyEventLogDesc {
    const char *path; /* NULL or "": the standard error */
    CnLogLevel level; /* the environment variable CAIRN_LOG overrides it */
    CraftyLogFormat format;
} CraftyEventLogDesc;

/* Opens the log, or changes one that is open. On failure the log goes on as before. */
bool crafty_event_log_open(const CraftyEventLogDesc *desc, CnError *error);
/* Opens the file again, after something has moved it. */
bool crafty_event_log_reopen(CnError *error);
void crafty_event_log_close(void);
/* Returns how many lines could not be written, for example because the disk is full. */
uint64_t crafty_event_log_lost(void);

void crafty_event(CnLogLevel level, const char *event, const CraftyEventField *fields,
                  uint32_t count);
/* Formats a line with its line break, for tests. Returns its size. */
size_t crafty_event_format(char line[CRAFTY_EVENT_BYTES], CraftyLogFormat format, int64_t time_ms,
                           CnLogLevel level, const char *event, const CraftyEventField *fields,
                           uint32_t count);

#endif
