/* Writing to pipes and devices without blocking forever and without signals. */
#include "base/file/native_files.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* How long a reader may read nothing. */
#define STREAM_TIMEOUT_MS 10000

/* A write to a pipe without a reader sends SIGPIPE to the thread, which would end the process.
 * The signal is blocked during the write and discarded afterwards, unless one was already
 * pending. */
typedef struct PipeSignal {
    sigset_t before;
    bool was_pending;
} PipeSignal;

static void set_of_pipe_signal(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGPIPE);
}

static void hold_pipe_signal(PipeSignal *held)
{
    sigset_t pending, pipe_only;
    sigpending(&pending);
    held->was_pending = sigismember(&pending, SIGPIPE) == 1;
    set_of_pipe_signal(&pipe_only);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &held->before);
}

static void release_pipe_signal(const PipeSignal *held, bool was_sent)
{
    sigset_t pipe_only;
    set_of_pipe_signal(&pipe_only);
    if (was_sent && !held->was_pending)
        while (sigtimedwait(&pipe_only, NULL, &(struct timespec){0}) < 0 && errno == EINTR) {
        }
    pthread_sigmask(SIG_SETMASK, &held->before, NULL);
}

/* Returns 0 or an error number. */
static int wait_for_room(int descriptor)
{
    struct pollfd wanted = {.fd = descriptor, .events = POLLOUT};
    int ready;
    do {
        ready = poll(&wanted, 1, STREAM_TIMEOUT_MS);
    } while (ready < 0 && errno == EINTR);
    return ready > 0 ? 0 : ready == 0 ? ETIMEDOUT : errno;
}

/* Returns 0 or an error number. */
static int write_all(int descriptor, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t done = write(descriptor, bytes, size);
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
            continue;
        }
        int failure = done == 0 ? ENOSPC : errno;
        if (failure == EAGAIN)
            failure = wait_for_room(descriptor);
        if (failure != 0 && failure != EINTR)
            return failure;
    }
    return 0;
}

bool cni_base_native_write_stream(int descriptor, const char *path, const void *bytes, size_t size,
                                  CnError *error)
{
    PipeSignal held;
    hold_pipe_signal(&held);
    int failure = write_all(descriptor, bytes, size);
    release_pipe_signal(&held, failure == EPIPE);
    if (failure == EPIPE)
        return cn_file_set_error(error, CN_ERROR_IO, "write", path, "the reader has closed it");
    if (failure == ETIMEDOUT)
        return cn_file_set_error(error, CN_ERROR_IO, "write", path,
                                 "the reader has read nothing for ten seconds");
    return failure == 0 || cn_file_set_errno(error, "write", path, failure);
}
