#include "vfs/archive_io.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

typedef struct ArchiveIo {
    PHYSFS_Io io; /* first */
    int descriptor;
    uint64_t position, size;
    CnAllocator *allocator;
} ArchiveIo;

static PHYSFS_sint64 io_read(PHYSFS_Io *io, void *bytes, PHYSFS_uint64 wanted)
{
    ArchiveIo *self = (ArchiveIo *)io;
    uint64_t done = 0;
    while (done < wanted) {
        ssize_t part = pread(self->descriptor, (char *)bytes + done, (size_t)(wanted - done),
                             (off_t)self->position);
        if (part == 0)
            break;
        if (part < 0 && errno != EINTR) {
            PHYSFS_setErrorCode(PHYSFS_ERR_IO);
            return done > 0 ? (PHYSFS_sint64)done : -1;
        }
        if (part > 0) {
            done += (uint64_t)part;
            self->position += (uint64_t)part;
        }
    }
    return (PHYSFS_sint64)done;
}

static int io_seek(PHYSFS_Io *io, PHYSFS_uint64 offset)
{
    ArchiveIo *self = (ArchiveIo *)io;
    if (offset > self->size) {
        PHYSFS_setErrorCode(PHYSFS_ERR_PAST_EOF);
        return 0;
    }
    self->position = offset;
    return 1;
}

static PHYSFS_sint64 io_tell(PHYSFS_Io *io)
{
    return (PHYSFS_sint64)((ArchiveIo *)io)->position;
}

static PHYSFS_sint64 io_length(PHYSFS_Io *io)
{
    return (PHYSFS_sint64)((ArchiveIo *)io)->size;
}

static PHYSFS_Io *io_duplicate(PHYSFS_Io *io)
{
    const ArchiveIo *self = (const ArchiveIo *)io;
    int descriptor = fcntl(self->descriptor, F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0) {
        PHYSFS_setErrorCode(PHYSFS_ERR_OS_ERROR);
        return NULL;
    }
    PHYSFS_Io *copy = cni_vfs_archive_io(descriptor, self->size, self->allocator);
    if (!copy) {
        PHYSFS_setErrorCode(PHYSFS_ERR_OUT_OF_MEMORY);
        close(descriptor);
    }
    return copy;
}

static int io_flush(PHYSFS_Io *io)
{
    (void)io;
    return 1;
}

static void io_destroy(PHYSFS_Io *io)
{
    ArchiveIo *self = (ArchiveIo *)io;
    close(self->descriptor);
    cn_free(self->allocator, self, sizeof *self);
}

PHYSFS_Io *cni_vfs_archive_io(int descriptor, uint64_t size, CnAllocator *allocator)
{
    ArchiveIo *made = cn_alloc(allocator, sizeof *made);
    if (!made)
        return NULL;
    *made = (ArchiveIo){
        .io = {.read = io_read,
               .seek = io_seek,
               .tell = io_tell,
               .length = io_length,
               .duplicate = io_duplicate,
               .flush = io_flush,
               .destroy = io_destroy},
        .descriptor = descriptor,
        .size = size,
        .allocator = allocator,
    };
    return &made->io;
}
