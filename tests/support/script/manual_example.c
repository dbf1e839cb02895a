#include "manual_example.h"

#include <cairn/base/file.h>
#include <stdlib.h>
#include <string.h>

char *manual_example(const char *first_line)
{
    CnFileBytes manual;
    if (!cn_file_read_all(cn_native_files(), "docs/scripting.md", NULL, &manual, NULL))
        return NULL;
    const char *start = strstr((char *)manual.data, first_line), *end = NULL;
    if (start)
        end = strstr(start, "```");
    char *code = end ? strndup(start, (size_t)(end - start)) : NULL;
    cn_file_bytes_free(&manual);
    return code;
}
