/* Misbehavior for tests of the sandbox and of the engine's side: the name of the file selects it.
 * Only in `cairn-decode-faulty`, which is not installed. */
#include "decode_program/decode_program.h"

#if CAIRN_DECODE_FAULTS

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PREFIX "fault-" /* of the last part of the path */

/* Reports to the engine that a forbidden call was possible. */
static void not_blocked(void)
{
    CnDecodeResult result = {.error = {.code = CN_ERROR_FORMAT}};
    cn_copy_text(result.error.message, sizeof result.error.message, cn_text("NOT BLOCKED"));
    decode_write(&result, NULL, 0);
}

/* ---- Forbidden calls ---- */

static void open_file(void)
{
    open("/etc/hostname", O_RDONLY);
    not_blocked();
}

static void open_socket(void)
{
    socket(AF_INET, SOCK_STREAM, 0);
    not_blocked();
}

static void start_process(void)
{
    syscall(SYS_fork);
    not_blocked();
}

static void start_program(void)
{
    char *arguments[] = {"true", NULL};
    execve("/bin/true", arguments, NULL);
    not_blocked();
}

static void signal_engine(void)
{
    kill(getppid(), SIGTERM);
    not_blocked();
}

static void make_executable(void)
{
    mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    not_blocked();
}

/* ---- Ends ---- */

static void crash(void)
{
    if (CN_DECODE_HAS_SANITIZER)
        signal(SIGSEGV, SIG_DFL); /* it would report the signal and exit */
    raise(SIGSEGV);
}

static void abort_now(void)
{
    abort();
}

static void hang(void)
{
    for (;;)
        ;
}

static void close_and_hang(void)
{
    close(CN_DECODE_SOCKET);
    hang();
}

static void exit_early(void)
{
    _exit(DECODE_DONE);
}

static void exit_with_status(void)
{
    _exit(DECODE_NO_JOB);
}

static void take_memory(void)
{
    size_t size = (size_t)1 << 30;
    char *memory = malloc(size);
    if (memory) {
        memset(memory, 1, size);
        not_blocked();
    }
    CnDecodeResult result = {0};
    cn_error_memory(&result.error, "a gigabyte");
    decode_write(&result, NULL, 0);
}

/* ---- Lies ---- */

static void write_image(uint32_t width, uint32_t height, uint64_t size)
{
    static const uint8_t pixels[64];
    CnDecodeResult result = {.width = width, .height = height};
    decode_write(&result, pixels, size);
}

static void four_pixels(void) /* the truth, so that the lies differ from something that works */
{
    write_image(2, 2, 16);
}

static void large_dimensions(void)
{
    write_image(100, 100, 16);
}

static void zero_dimensions(void)
{
    write_image(0, 0, 0);
}

static void overflowing_dimensions(void)
{
    write_image(1u << 31, 1u << 31, 0);
}

static void size_beyond_the_end(void)
{
    CnDecodeResult result = {.magic = CN_DECODE_MAGIC, .size = UINT64_MAX - 64};
    pwrite(CN_DECODE_OUTPUT, &result, sizeof result, 0);
}

static void unterminated_error(void)
{
    CnDecodeResult result = {0};
    memset(&result.error, 'x', sizeof result.error);
    decode_write(&result, NULL, 0);
}

/* ---- Requests ---- */

static void unknown_question(void)
{
    CnDecodeQuestion question = {.kind = 77};
    send(CN_DECODE_SOCKET, &question, sizeof question, MSG_NOSIGNAL);
    hang();
}

static void short_question(void)
{
    send(CN_DECODE_SOCKET, "x", 1, MSG_NOSIGNAL);
    hang();
}

static void unterminated_question(void)
{
    CnDecodeQuestion question = {.kind = CN_DECODE_READ};
    memset(question.text, 'x', sizeof question.text);
    send(CN_DECODE_SOCKET, &question, sizeof question, MSG_NOSIGNAL);
    hang();
}

/* Reports the answer as an error. */
static void ask_for(const char *path)
{
    CnDecodeResult result = {0};
    CnDecodeAnswer answer;
    const void *bytes = decode_read_file(path, &answer);
    cn_error_set(&result.error, CN_ERROR_FORMAT, "%s: %s", bytes ? "READ" : "REFUSED", answer.text);
    decode_write(&result, NULL, 0);
}

static void ask_for_parent(void)
{
    ask_for("fault/../box.gltf");
}

static void ask_for_absolute_path(void)
{
    ask_for("/etc/hostname");
}

static void ask_for_other_scheme(void)
{
    ask_for("assets://box.gltf");
}

static void ask_without_end(void)
{
    CnDecodeAnswer answer;
    for (;;)
        decode_read_file("nothing", &answer);
}

static void ask_without_reading(void)
{
    CnDecodeQuestion question = {.kind = CN_DECODE_READ, .text = "nothing"};
    for (;;)
        send(CN_DECODE_SOCKET, &question, sizeof question, MSG_NOSIGNAL);
}

static void log_without_end(void)
{
    for (int i = 0; i < 1000; i++)
        decode_log(3, "a line\x1b[31m");
    four_pixels();
}

void decode_fault(const CnDecodeJob *job)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } faults[] = {{"open", open_file},
                  {"socket", open_socket},
                  {"fork", start_process},
                  {"exec", start_program},
                  {"kill", signal_engine},
                  {"mmap-exec", make_executable},
                  {"crash", crash},
                  {"abort", abort_now},
                  {"hang", hang},
                  {"close-and-hang", close_and_hang},
                  {"exit-early", exit_early},
                  {"exit-status", exit_with_status},
                  {"memory", take_memory},
                  {"four-pixels", four_pixels},
                  {"large-dimensions", large_dimensions},
                  {"zero-dimensions", zero_dimensions},
                  {"overflowing-dimensions", overflowing_dimensions},
                  {"size-beyond-the-end", size_beyond_the_end},
                  {"unterminated-error", unterminated_error},
                  {"unknown-question", unknown_question},
                  {"short-question", short_question},
                  {"unterminated-question", unterminated_question},
                  {"ask-for-parent", ask_for_parent},
                  {"ask-for-absolute-path", ask_for_absolute_path},
                  {"ask-for-other-scheme", ask_for_other_scheme},
                  {"ask-without-end", ask_without_end},
                  {"ask-without-reading", ask_without_reading},
                  {"log-without-end", log_without_end}};
    const char *slash = strrchr(job->path, '/'), *name = slash ? slash + 1 : job->path;
    if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
        return;
    for (size_t i = 0; i < CN_COUNT_OF(faults); i++)
        if (!strcmp(name + strlen(PREFIX), faults[i].name)) {
            faults[i].run();
            _exit(DECODE_DONE);
        }
    _exit(DECODE_NO_JOB);
}

#endif
