/* What the file functions say when something fails. */
#ifndef CAIRN_SRC_BASE_FILE_ERROR_H
#define CAIRN_SRC_BASE_FILE_ERROR_H

#include <cairn/base/error.h>

/* "cannot <action> '<path>': <reason>", a long path shown by its end. Returns false. */
bool cni_file_error(CnError *error, CnErrorCode code, const char *action, const char *path,
                    const char *reason);

#endif
