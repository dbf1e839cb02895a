/* Where the program `cairn-decode` is. */
#include "vfs/decode/helper_program.h"

#include <cairn/base/assert.h>
#include <cairn/base/text.h>
#include <cairn/vfs/decoder.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "cairn-decode"
#define LIBEXEC "cairn/" PROGRAM
/* From the folder of the shared library; CMake sets it. */
#ifndef CAIRN_LIBEXEC_FROM_LIB
#define CAIRN_LIBEXEC_FROM_LIB "../libexec"
#endif

/* Writes the path of a file relative to the folder of `file`. */
static bool beside(const char *file, const char *relative, char path[CN_FILE_PATH_BYTES])
{
    const char *slash = strrchr(file, '/');
    return slash &&
           cn_format(path, CN_FILE_PATH_BYTES, "%.*s/%s", (int)(slash - file), file, relative);
}

static bool is_program(const char *path)
{
    return access(path, X_OK) == 0;
}

static bool of_environment(const char *given, char path[CN_FILE_PATH_BYTES], CnError *error)
{
    return (cn_copy_text(path, CN_FILE_PATH_BYTES, cn_text(given)) && is_program(path)) ||
           cn_error_set(error, CN_ERROR_NOT_FOUND,
                        "CAIRN_DECODE is '%s', which is not a program; it must be the path of "
                        "cairn-decode",
                        given);
}

bool cni_vfs_find_decoder(char path[CN_FILE_PATH_BYTES], CnError *error)
{
    const char *given = secure_getenv("CAIRN_DECODE");
    if (given)
        return of_environment(given, path, error);
    char executable[CN_FILE_PATH_BYTES];
    ssize_t size = readlink("/proc/self/exe", executable, sizeof executable - 1);
    executable[size > 0 ? size : 0] = 0;
    Dl_info library = {0};
    dladdr((const void *)(uintptr_t)cn_decoder_find, &library);
    const struct {
        const char *file, *relative;
    } places[] = {{executable, PROGRAM},
                  {executable, "../libexec/" LIBEXEC},
                  {library.dli_fname ? library.dli_fname : "", CAIRN_LIBEXEC_FROM_LIB "/" LIBEXEC}};
    for (size_t i = 0; i < CN_COUNT_OF(places); i++)
        if (beside(places[i].file, places[i].relative, path) && is_program(path))
            return true;
    return cn_error_set(error, CN_ERROR_NOT_FOUND,
                        "the program cairn-decode is missing: it is neither beside %s nor in "
                        "libexec/cairn of the installation, and CAIRN_DECODE is not set",
                        executable);
}

bool cn_decoder_find(char *path, size_t path_bytes, CnError *error)
{
    CN_ASSERT(path, "%s: path is NULL", __func__);
    char found[CN_FILE_PATH_BYTES];
    return cni_vfs_find_decoder(found, error) &&
           (cn_copy_text(path, path_bytes, cn_text(found)) ||
            cn_error_set(error, CN_ERROR_LIMIT, "the path of cairn-decode is too long: %s", found));
}
