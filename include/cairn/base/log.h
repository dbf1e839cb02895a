/*
 * The log of the process: levels, modules, sinks.
 *
 *     CN_LOG_WARNING("ecs", "event channel %s is full: %llu dropped", name, dropped);
 *
 * The first sink, standard error, is there from the start with level CN_LOG_LEVEL_INFO (set
 * CAIRN_LOG=trace|debug|info|warning|error|off to change it). A message below the level of every
 * sink costs one comparison. Messages may hold text from outside: they are escaped as cn_text_escape
 * does it before any sink sees them, but for tabs, and line breaks, behind which each further line
 * begins with four blanks, a bar and a blank. So no text can pass for a message of its own.
 * Thread-safe; a sink is never called by two threads at once.
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
    const char *message; /* valid during the call; see below */
    uint64_t time_ns;    /* since the process started */
} CnLogRecord;

typedef struct CnLogSink {
    void (*write)(const CnLogRecord *record, void *user);
    void *user;
    CnLogLevel level; /* least level this sink wants */
} CnLogSink;

#define CN_LOG_MAX_SINKS 8

/* A number greater than 0 that names the sink; 0 when there are too many. */
CN_API int cn_log_add_sink(const CnLogSink *sink);
CN_API void cn_log_remove_sink(int sink);
/* The level of the standard-error sink; CN_LOG_LEVEL_OFF silences it. */
CN_API void cn_log_set_level(CnLogLevel level);
CN_API CnLogLevel cn_log_level(void);
CN_API const char *cn_log_level_name(CnLogLevel level);
/* True when some sink wants this level. */
CN_API bool cn_log_wants(CnLogLevel level);
CN_API void cn_log_write(CnLogLevel level, const char *module, const char *format, ...)
    CN_PRINTF_LIKE(3, 4);

#define CN_LOG(level, module, ...)                                                                 \
    (cn_log_wants(level) ? cn_log_write(level, module, __VA_ARGS__) : (void)0)
#define CN_LOG_TRACE(module, ...) CN_LOG(CN_LOG_LEVEL_TRACE, module, __VA_ARGS__)
#define CN_LOG_DEBUG(module, ...) CN_LOG(CN_LOG_LEVEL_DEBUG, module, __VA_ARGS__)
#define CN_LOG_INFO(module, ...) CN_LOG(CN_LOG_LEVEL_INFO, module, __VA_ARGS__)
#define CN_LOG_WARNING(module, ...) CN_LOG(CN_LOG_LEVEL_WARNING, module, __VA_ARGS__)
#define CN_LOG_ERROR(module, ...) CN_LOG(CN_LOG_LEVEL_ERROR, module, __VA_ARGS__)

CN_EXTERN_C_END

#endif
