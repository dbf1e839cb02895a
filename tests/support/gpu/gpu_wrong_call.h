/*
 * Wrong calls of gpu: with guards, they fail one; without guards, they are counted.
 *
 *     EXPECT_WRONG(gpu, cn_gpu_draw(commands, 3, 1, 0, 0), "no graphics pipeline");
 */
#ifndef CAIRN_TESTS_SUPPORT_GPU_GPU_WRONG_CALL_H
#define CAIRN_TESTS_SUPPORT_GPU_GPU_WRONG_CALL_H

#include "guards.h"

#include <cairn/base/log.h>
#include <cairn/gpu.h>

#include <string.h>

/* Returns the message of the last wrong call, with or without guards. */
static char wrong_text[512];

static inline void keep_wrong_text(const CnLogRecord *record, void *user)
{
    (void)user;
    strncpy(wrong_text, record->message, sizeof wrong_text - 1);
}

#ifdef CN_GUARDS
#define DO_WRONG(statement) EXPECT_GUARD(statement)
#else
#define DO_WRONG(statement) statement
#endif

#define EXPECT_WRONG(gpu, statement, text)                                                         \
    do {                                                                                           \
        uint64_t before_ = cn_gpu_stats(gpu).wrong_calls;                                          \
        int sink_ =                                                                                \
            cn_log_add_sink(&(CnLogSink){.write = keep_wrong_text, .level = CN_LOG_LEVEL_ERROR});  \
        cn_log_set_level(CN_LOG_LEVEL_OFF);                                                        \
        wrong_text[0] = '\0';                                                                      \
        DO_WRONG(statement);                                                                       \
        cn_log_set_level(CN_LOG_LEVEL_INFO);                                                       \
        cn_log_remove_sink(sink_);                                                                 \
        assert_int_equal(cn_gpu_stats(gpu).wrong_calls, before_ + 1);                              \
        if (!strstr(wrong_text, text))                                                             \
            fail_msg("'%s' does not say '%s'", wrong_text, text);                                  \
    } while (0)

#endif
