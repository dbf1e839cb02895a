#include <cairn/vfs/decode_job.h>

#include "vfs/decode/helper_program.h"
#include "vfs/decode/sealed_memory.h"

#include <cairn/base/clock.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>
#include <cairn/vfs/decoder.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Descriptors of this process that the helper gets are moved here, above their numbers there. */
#define FIRST_DESCRIPTOR 16
#define NS_PER_MS 1000000u
#define MAX_WAIT_MS 60000 /* at a time */

static _Atomic uint64_t started_count, failed_count, total_ns;
static _Thread_local int cancel_descriptor = -1;

void cn_decode_set_cancel(int descriptor)
{
    cancel_descriptor = descriptor;
}

CnDecoderStats cn_decoder_stats(void)
{
    return (CnDecoderStats){.started = atomic_load(&started_count),
                            .failed = atomic_load(&failed_count),
                            .total_ns = atomic_load(&total_ns)};
}

typedef struct Process {
    const CnDecodeDesc *desc;
    CnError *error;
    pid_t pid;
    int handle; /* of the process; all descriptors: -1 is none */
    int socket, socket_there;
    int input, output;
    uint64_t deadline_ns;
    uint32_t file_count, log_count;
    uint64_t file_bytes;
} Process;

static bool refuse(const Process *process, CnErrorCode code, const char *format, ...)
    CN_PRINTF_LIKE(3, 4);
static bool refuse(const Process *process, CnErrorCode code, const char *format, ...)
{
    char message[CN_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(message, sizeof message, format, arguments);
    va_end(arguments);
    return cn_error_set_at(process->error, code, process->desc->job.path, 0, 0, "%s", message);
}

static bool refuse_errno(const Process *process, const char *what)
{
    return refuse(process, CN_ERROR_IO, "cannot %s the decoder: %s", what, strerrordesc_np(errno));
}

/* ---- Start ---- */

static bool move_up(int *descriptor)
{
    int moved = fcntl(*descriptor, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
    if (moved < 0)
        return false;
    close(*descriptor);
    *descriptor = moved;
    return true;
}

static bool open_descriptors(Process *process)
{
    const CnDecodeDesc *desc = process->desc;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    process->socket = pair[0];
    process->socket_there = pair[1];
    process->input = cni_vfs_sealed_copy(desc->bytes, desc->job.input_bytes);
    process->output = cni_vfs_sealed_space(desc->job.output_bytes);
    return process->input >= 0 && process->output >= 0 && move_up(&process->socket_there) &&
           move_up(&process->input) && move_up(&process->output);
}

static bool fill_actions(const Process *process, posix_spawn_file_actions_t *actions)
{
    return posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
           posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0) == 0 &&
           (CN_DECODE_HAS_SANITIZER ||
            posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0) == 0) &&
           posix_spawn_file_actions_adddup2(actions, process->socket_there, CN_DECODE_SOCKET) ==
               0 &&
           posix_spawn_file_actions_adddup2(actions, process->input, CN_DECODE_INPUT) == 0 &&
           posix_spawn_file_actions_adddup2(actions, process->output, CN_DECODE_OUTPUT) == 0 &&
           posix_spawn_file_actions_addclosefrom_np(actions, CN_DECODE_OUTPUT + 1) == 0;
}

/* Returns an errno value. */
static int spawn(Process *process, const char *program)
{
    char *arguments[] = {"cairn-decode", NULL};
    char *environment[] = {NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    int failure = posix_spawnattr_init(&attributes);
    if (failure == 0) {
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        failure = fill_actions(process, &actions) ? posix_spawn(&process->pid, program, &actions,
                                                                &attributes, arguments, environment)
                                                  : ENOMEM;
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

static void close_descriptor(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

static bool start(Process *process)
{
    char program[CN_FILE_PATH_BYTES];
    CnError why = {0};
    if (!cni_vfs_find_decoder(program, &why))
        return refuse(process, why.code, "%s", why.message);
    if (!open_descriptors(process))
        return refuse_errno(process, "start");
    errno = spawn(process, program);
    if (errno != 0) {
        process->pid = 0;
        return refuse_errno(process, "start");
    }
    atomic_fetch_add(&started_count, 1);
    process->handle = pidfd_open(process->pid, 0);
    if (process->handle < 0)
        return refuse_errno(process, "watch");
    close_descriptor(&process->socket_there);
    close_descriptor(&process->input);
    return true;
}

/* Ends the process if it still runs. */
static void stop(Process *process)
{
    if (process->pid > 0) {
        kill(process->pid, SIGKILL);
        while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    close_descriptor(&process->handle);
    close_descriptor(&process->socket);
    close_descriptor(&process->socket_there);
    close_descriptor(&process->input);
    close_descriptor(&process->output);
}

/* ---- Questions of the helper ---- */

static bool send_packet(const Process *process, const void *bytes, size_t size, int descriptor)
{
    struct iovec part = {(void *)(uintptr_t)bytes, size};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof descriptor),
                                   .cmsg_level = SOL_SOCKET,
                                   .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    ssize_t sent = sendmsg(process->socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    /* A helper that has ended is noticed by its exit status. */
    return sent == (ssize_t)size || errno == EPIPE || errno == ECONNRESET;
}

/* Reads a file for the helper. Returns a descriptor of its contents; -1: an error, or empty. */
static int read_file(Process *process, const char *path, CnDecodeAnswer *answer)
{
    const CnDecodeDesc *desc = process->desc;
    CnError error = {0};
    CnFileBytes bytes = {0};
    int descriptor = -1;
    if (!desc->read)
        cn_error_set(&error, CN_ERROR_PERMISSION, "the file may not refer to other files");
    else if (desc->read(desc->user, path, &bytes, answer->text, &error)) {
        process->file_bytes += bytes.size;
        if (process->file_bytes > desc->read_bytes)
            cn_error_set(&error, CN_ERROR_LIMIT, "all files together exceed %llu bytes",
                         (unsigned long long)desc->read_bytes);
        else if (bytes.size)
            descriptor = cni_vfs_sealed_copy(bytes.data, bytes.size);
        if (error.code == CN_OK && bytes.size && descriptor < 0)
            cn_error_memory(&error, "a file for the decoder");
        answer->size = bytes.size;
        cn_file_bytes_free(&bytes);
    }
    if (error.code != CN_OK) {
        answer->code = error.code;
        answer->size = 0;
        cn_copy_text(answer->text, sizeof answer->text, cn_text(error.message));
    }
    return descriptor;
}

static bool answer_question(Process *process, const CnDecodeQuestion *question)
{
    if (question->kind == CN_DECODE_LOG) {
        CnLogLevel level = question->level < CN_LOG_LEVEL_ERROR ? (CnLogLevel)question->level
                                                                : CN_LOG_LEVEL_WARNING;
        if (process->log_count++ < CN_DECODE_MAX_LOGS)
            CN_LOG(level, "render", "%s", question->text);
        return true;
    }
    if (question->kind != CN_DECODE_READ)
        return refuse(process, CN_ERROR_FORMAT, "the decoder sent an unknown request");
    if (process->file_count++ >= CN_DECODE_MAX_FILES)
        return refuse(process, CN_ERROR_LIMIT, "the decoder asked for more than %u files",
                      CN_DECODE_MAX_FILES);
    CnDecodeAnswer answer = {0};
    int contents = read_file(process, question->text, &answer);
    bool is_sent = send_packet(process, &answer, sizeof answer, contents);
    close_descriptor(&contents);
    return is_sent || refuse_errno(process, "answer");
}

/* Answers what is there. Sets *is_closed at the end of the connection. */
static bool answer_questions(Process *process, bool *is_closed)
{
    for (;;) {
        CnDecodeQuestion question;
        ssize_t size = recv(process->socket, &question, sizeof question, MSG_DONTWAIT);
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return true;
        if (size <= 0) {
            *is_closed = true;
            return true;
        }
        if (size != sizeof question || question.text[sizeof question.text - 1] != 0)
            return refuse(process, CN_ERROR_FORMAT, "the decoder sent a malformed request");
        if (!answer_question(process, &question))
            return false;
    }
}

/* ---- The end of the process ---- */

static bool refuse_late(const Process *process)
{
    const CnBudget *budget = &process->desc->job.budget;
    if (process->desc->job.kind == CN_DECODE_GLSL)
        return refuse(process, CN_ERROR_LIMIT,
                      "compiling takes longer than %u ms; the shader is too large, or its macros "
                      "expand to too much",
                      budget->decode_ms);
    return refuse(process, CN_ERROR_LIMIT,
                  "decoding takes longer than %u ms, the limit for a file of %s origin; a mount "
                  "with a larger CnBudget.decode_ms allows more",
                  budget->decode_ms, cn_origin_name(budget->origin));
}

static bool refuse_signal(const Process *process, int number)
{
    const CnBudget *budget = &process->desc->job.budget;
    const char *name = sigabbrev_np(number);
    if (number == SIGXCPU)
        return refuse_late(process);
    if (process->desc->job.kind == CN_DECODE_GLSL)
        return refuse(process, CN_ERROR_FORMAT,
                      "the shader compiler crashed (SIG%s), possibly because the shader needs more "
                      "than %llu MiB",
                      name ? name : "?", (unsigned long long)(budget->decode_memory_bytes >> 20));
    return refuse(process, CN_ERROR_FORMAT,
                  "the decoder crashed (SIG%s); the file is damaged or made to attack it, or needs "
                  "more than %llu MiB (CnBudget.decode_memory_bytes)",
                  name ? name : "?", (unsigned long long)(budget->decode_memory_bytes >> 20));
}

/* Reaps the process, which has ended. */
static bool check_status(Process *process)
{
    siginfo_t info = {0};
    int result;
    do
        result = waitid(P_PIDFD, (id_t)process->handle, &info, WEXITED);
    while (result != 0 && errno == EINTR);
    process->pid = 0;
    if (result != 0) /* reaped by other code of the program; the result says more */
        return true;
    if (info.si_code != CLD_EXITED)
        return refuse_signal(process, info.si_status);
    return info.si_status == 0 ||
           refuse(process, CN_ERROR_UNSUPPORTED,
                  "the decoder did not run (exit status %d): it belongs to another build, or the "
                  "system does not offer seccomp",
                  info.si_status);
}

static bool wait_for_end(Process *process)
{
    bool is_closed = false;
    for (;;) {
        uint64_t now = cn_clock_ns();
        if (now >= process->deadline_ns)
            return refuse_late(process);
        uint64_t left_ms = (process->deadline_ns - now) / NS_PER_MS + 1;
        int wait_ms = left_ms < MAX_WAIT_MS ? (int)left_ms : MAX_WAIT_MS;
        struct pollfd watched[] = {{.fd = process->handle, .events = POLLIN},
                                   {.fd = is_closed ? -1 : process->socket, .events = POLLIN},
                                   {.fd = cancel_descriptor, .events = POLLIN}};
        if (poll(watched, CN_COUNT_OF(watched), wait_ms) < 0) {
            if (errno == EINTR)
                continue;
            return refuse_errno(process, "wait for");
        }
        if (watched[2].revents)
            return refuse(process, CN_ERROR_IO, "loading was cancelled");
        if (watched[1].revents && !answer_questions(process, &is_closed))
            return false;
        if (watched[0].revents)
            return check_status(process);
    }
}

static bool map_output(const Process *process, CnDecodeOutput *output)
{
    CnDecodeResult result;
    const uint64_t most = process->desc->job.output_bytes;
    /* Fails if something could still write to it. */
    if (fcntl(process->output, F_ADD_SEALS, F_SEAL_WRITE) != 0)
        return refuse_errno(process, "read the result of");
    if (pread(process->output, &result, sizeof result, 0) != sizeof result ||
        result.magic != CN_DECODE_MAGIC || result.size > most - sizeof result)
        return refuse(process, CN_ERROR_FORMAT, "the decoder ended without a valid result");
    output->mapped_bytes = sizeof result + (size_t)result.size;
    void *mapped = mmap(NULL, output->mapped_bytes, PROT_READ, MAP_SHARED, process->output, 0);
    if (mapped == MAP_FAILED)
        return refuse_errno(process, "map the result of");
    output->result = mapped;
    output->contents = (const uint8_t *)mapped + sizeof result;
    return true;
}

/* Passes on an error that the helper reports. */
static bool check_error(const Process *process, const CnDecodeOutput *output)
{
    CnError error = output->result->error;
    if (error.code == CN_OK)
        return true;
    CnErrorCode code = (uint32_t)error.code < CN_ERROR_CODE_COUNT ? error.code : CN_ERROR_FORMAT;
    error.file[sizeof error.file - 1] = error.message[sizeof error.message - 1] = 0;
    return cn_error_set_at(process->error, code, error.file[0] ? error.file : NULL,
                           error.line > 0 ? error.line : 0, error.column > 0 ? error.column : 0,
                           "%s", error.message);
}

bool cn_decode_run(const CnDecodeDesc *desc, CnDecodeOutput *output, CnError *error)
{
    const uint64_t begin_ns = cn_clock_ns();
    Process process = {
        .desc = desc,
        .error = error,
        .handle = -1,
        .socket = -1,
        .socket_there = -1,
        .input = -1,
        .output = -1,
        .deadline_ns = begin_ns + (uint64_t)desc->job.budget.decode_ms * NS_PER_MS,
    };
    *output = (CnDecodeOutput){0};
    bool ok = start(&process);
    CnDecodeJob job = desc->job;
    job.magic = CN_DECODE_MAGIC;
    if (ok && !send_packet(&process, &job, sizeof job, -1))
        ok = refuse_errno(&process, "send a job to");
    ok = ok && wait_for_end(&process) && map_output(&process, output) &&
         check_error(&process, output);
    stop(&process);
    if (!ok) {
        cn_decode_output_free(output);
        atomic_fetch_add(&failed_count, 1);
    }
    const uint64_t duration_ns = cn_clock_ns() - begin_ns;
    atomic_fetch_add(&total_ns, duration_ns);
    CN_LOG_DEBUG("render", "decoder: %s %s after %.1f ms", desc->job.path, ok ? "done" : "refused",
                 cn_seconds(duration_ns) * 1e3);
    return ok;
}

void cn_decode_output_free(CnDecodeOutput *output)
{
    if (output->result)
        munmap((void *)(uintptr_t)output->result, output->mapped_bytes);
    *output = (CnDecodeOutput){0};
}
