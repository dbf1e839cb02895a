/*
 * Lines on the standard output and the standard error, for programs.
 *
 *     cn_print("%s: valid scene", "levels/cave.json");
 *
 * Names, paths and settings come from outside and may contain escape sequences of terminals.
 * Programs therefore print text with these functions instead of printf: each call prints one line,
 * which is escaped as a whole as cn_text_escape does.
 */
#ifndef CAIRN_BASE_CONSOLE_H
#define CAIRN_BASE_CONSOLE_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

/* Print the formatted text, escaped, and a line break. What exceeds 4,095 bytes before or 16,383
 * bytes after escaping is cut. Thread-safe. */
CN_API void cn_print(const char *format, ...) CN_PRINTF_LIKE(1, 2);
CN_API void cn_print_error(const char *format, ...) CN_PRINTF_LIKE(1, 2);

CN_EXTERN_C_END

#endif
