#include "vfs/decode/sealed_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static int fail(int descriptor)
{
    int reason = errno;
    if (descriptor >= 0)
        close(descriptor);
    errno = reason;
    return -1;
}

static bool write_all(int descriptor, const uint8_t *bytes, uint64_t size)
{
    while (size > 0) {
        ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= (uint64_t)written;
    }
    return true;
}

int cni_vfs_sealed_copy(const void *bytes, uint64_t size)
{
    int descriptor = memfd_create("cairn-input", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;
    if (descriptor < 0 || !write_all(descriptor, bytes, size) ||
        fcntl(descriptor, F_ADD_SEALS, seals) != 0)
        return fail(descriptor);
    return descriptor;
}

int cni_vfs_sealed_space(uint64_t size)
{
    int descriptor = memfd_create("cairn-output", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0 || ftruncate(descriptor, (off_t)size) != 0 ||
        fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
        return fail(descriptor);
    return descriptor;
}
