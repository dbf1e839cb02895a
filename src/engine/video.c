/*
 * Videos: frames are written to ffmpeg through a socket. A socket instead of a pipe, because
 * writing to a closed socket can return an error (MSG_NOSIGNAL) instead of sending a signal to the
 * process.
 */
#include "engine/engine_internal.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct CniEngineVideo {
    CnAllocator *allocator;
    char program[64];
    pid_t child;
    int to_child;
    uint32_t width, height;
};

static bool spawn(CniEngineVideo *video, const CniEngineVideoDesc *desc, int from_us,
                  CnError *error)
{
    char size[32], fps[16], path[PATH_MAX + 8];
    /* The prefix allows names that contain a colon or begin with a dash. */
    if (!cn_format(path, sizeof path, "file:%s", desc->path))
        return cn_error_set(error, CN_ERROR_FORMAT, "the video file name is too long");
    cn_format(size, sizeof size, "%ux%u", desc->width, desc->height);
    cn_format(fps, sizeof fps, "%u", desc->fps);
    /* Most players require an even size and 4:2:0. */
    char *const arguments[] = {video->program,
                               "-y",
                               "-loglevel",
                               "error",
                               "-f",
                               "rawvideo",
                               "-pixel_format",
                               "rgba",
                               "-video_size",
                               size,
                               "-framerate",
                               fps,
                               "-i",
                               "pipe:0",
                               "-vf",
                               "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                               "-pix_fmt",
                               "yuv420p",
                               path,
                               NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, from_us, STDIN_FILENO);
    int failed = posix_spawnp(&video->child, video->program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (!failed)
        return true;
    video->child = 0;
    return cn_error_set(error, failed == ENOENT ? CN_ERROR_NOT_FOUND : CN_ERROR_IO,
                        "no video: cannot run %s (%s); is it installed?", video->program,
                        strerror(failed));
}

CniEngineVideo *cni_engine_video_open(const CniEngineVideoDesc *desc, CnError *error)
{
    int ends[2];
    CniEngineVideo *video = cn_alloc_zeroed(desc->allocator, sizeof *video);
    if (!video) {
        cn_error_memory(error, "video");
        return NULL;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        cn_error_set(error, CN_ERROR_IO, "no video: %s", strerror(errno));
        cn_free(desc->allocator, video, sizeof *video);
        return NULL;
    }
    *video = (CniEngineVideo){.allocator = desc->allocator,
                              .to_child = ends[0],
                              .width = desc->width,
                              .height = desc->height};
    cn_copy_text(video->program, sizeof video->program, cn_text(desc->program));
    bool runs = spawn(video, desc, ends[1], error);
    close(ends[1]);
    if (runs)
        return video;
    cni_engine_video_close(video, NULL);
    return NULL;
}

static bool send_all(int to, const uint8_t *bytes, size_t size)
{
    while (size) {
        ssize_t sent = send(to, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

bool cni_engine_video_write(CniEngineVideo *video, const CnImage *image, CnError *error)
{
    if (image->width != video->width || image->height != video->height)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "video: the frame size changed from %u x %u to %u x %u", video->width,
                            video->height, image->width, image->height);
    if (send_all(video->to_child, image->pixels, (size_t)image->width * image->height * 4))
        return true;
    return cn_error_set(error, CN_ERROR_IO, "video: %s no longer accepts frames (%s)",
                        video->program, strerror(errno));
}

static bool wait_for(const CniEngineVideo *video, CnError *error)
{
    int status = 0;
    pid_t ended;
    do
        ended = waitpid(video->child, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0)
        return cn_error_set(error, CN_ERROR_IO, "video: %s: %s", video->program, strerror(errno));
    if (WIFSIGNALED(status))
        return cn_error_set(error, CN_ERROR_IO, "video: %s was terminated by signal %d",
                            video->program, WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ||
           cn_error_set(error, CN_ERROR_IO, "video: %s failed with status %d", video->program,
                        WEXITSTATUS(status));
}

bool cni_engine_video_close(CniEngineVideo *video, CnError *error)
{
    close(video->to_child); /* marks the end of the video */
    bool done = !video->child || wait_for(video, error);
    cn_free(video->allocator, video, sizeof *video);
    return done;
}
