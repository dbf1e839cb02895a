/* The version of Cairn. The build system reads it from here. */
#ifndef CAIRN_BASE_VERSION_H
#define CAIRN_BASE_VERSION_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

/* The version of these headers; cn_version() returns that of the library in use. */
#define CN_VERSION_MAJOR 0
#define CN_VERSION_MINOR 1
#define CN_VERSION_PATCH 0

/* Returns the version of the library in use as "major.minor.patch". Never freed. Thread-safe. */
CN_API const char *cn_version(void);

CN_EXTERN_C_END

#endif
