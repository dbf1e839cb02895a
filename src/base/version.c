#include <cairn/base/version.h>

#define TEXT_OF(value) #value
#define DOTTED(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *cn_version(void)
{
    return DOTTED(CN_VERSION_MAJOR, CN_VERSION_MINOR, CN_VERSION_PATCH);
}
