/*
 * The process-wide log: levels, modules, sinks.
 *
 *     CN_LOG_WARNING("ecs", "event channel %s is full: %d events dropped", "Hits", 3);
 *
 * Standard error is the first sink; its level is CN_LOG_LEVEL_INFO unless
 * CAIRN_LOG=trace|debug|info|warning|error|off sets another. A message below the level of every
 * sink costs one comparison. Messages may contain text from outside, so they are escaped like
 * cn_text_escape does before any sink receives them. Tabs and line breaks are kept; every
 * continuation line begins with "    | ", so that no text can imitate a separate message.
 * Thread-safe; a sink is never called by two threads at the same time.
 */
#ifndef CAIRN_BASE_LOG_H
#define CAIRN_BASE_LOG_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

typedef enum CnLogLevel {
    CN_LOG_LEVEL_TRACE,
    CN_LOG_LEVEL_DEBUG,
    CN_LOG_LEVEL_INFO,
    CN_LOG_LEVEL_WARNING,
    CN_LOG_LEVEL_ERROR,
    CN_LOG_LEVEL_OFF
} CnLogLevel;

typedef struct CnLogRecord {
    CnLogLevel level;
    const char *module;
    const char *message; /* escaped; valid during the call */
    uint64_t time_ns;    /* nanoseconds since the process started */
} CnLogRecord;

typedef struct CnLogSink {
    void (*write)(const CnLogRecord *record, void *user);
    void *user;
    CnLogLevel level; /* the lowest level that this sink receives */
} CnLogSink;

#define CN_LOG_MAX_SINKS 8

/* Adds a sink. Returns its id, which is greater than 0, or 0 when there are CN_LOG_MAX_SINKS. */
CN_API int cn_log_add_sink(const CnLogSink *sink);
CN_API void cn_log_remove_sink(int sink);
/* Sets the level of the standard-error sink; CN_LOG_LEVEL_OFF silences it. */
CN_API void cn_log_set_level(CnLogLevel level);
/* Returns the level of the standard-error sink. */
CN_API CnLogLevel cn_log_level(void);
CN_API const char *cn_log_level_name(CnLogLevel level);
/* Returns true when at least one sink receives this level. */
CN_API bool cn_log_enabled(CnLogLevel level);
/* Writes a message to all sinks that receive this level. The macros below avoid formatting it if
 * there are none. */
CN_API void cn_log_write(CnLogLevel level, const char *module, const char *format, ...)
    CN_PRINTF_LIKE(3, 4);

#define CN_LOG(level, module, ...)                                                                 \
    (cn_log_enabled(level) ? cn_log_write(level, module, __VA_ARGS__) : (void)0)
#define CN_LOG_TRACE(module, ...) CN_LOG(CN_LOG_LEVEL_TRACE, module, __VA_ARGS__)
#define CN_LOG_DEBUG(module, ...) CN_LOG(CN_LOG_LEVEL_DEBUG, module, __VA_ARGS__)
#define CN_LOG_INFO(module, ...) CN_LOG(CN_LOG_LEVEL_INFO, module, __VA_ARGS__)
#define CN_LOG_WARNING(module, ...) CN_LOG(CN_LOG_LEVEL_WARNING, module, __VA_ARGS__)
#define CN_LOG_ERROR(module, ...) CN_LOG(CN_LOG_LEVEL_ERROR, module, __VA_ARGS__)

CN_EXTERN_C_END

#endif
