#include "crash_handler.h"

#include "crash_folder.h"
#include "log_lines.h"
#include "modules.h"

#include <cairn/base/assert.h>
#include <cairn/base/clock.h>
#include <cairn/base/cpu.h>
#include <cairn/base/file.h>
#include <cairn/base/text.h>
#include <cairn/base/version.h>

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <ucontext.h>
#include <unistd.h>

#define STACK_BYTES (64u << 10)
#define MAX_FRAMES 96
#define TEST_KILL_NS 300000000u

static const struct {
    int number;
    const char *name, *option;
} signals[] = {{SIGSEGV, "SIGSEGV", "segv"}, {SIGABRT, "SIGABRT", "abrt"},
               {SIGBUS, "SIGBUS", "bus"},    {SIGFPE, "SIGFPE", "fpe"},
               {SIGILL, "SIGILL", "ill"},    {SIGKILL, NULL, "kill"}};

/* Signal handlers have no other way to get their data. */
static struct {
    int file; /* -1: not running */
    char path[CRAFTY_CRASH_PATH_BYTES];
    char head[1024]; /* everything that is known at the beginning */
    char world[CRAFTY_CRASH_TEXT_BYTES], gpu[CRAFTY_CRASH_TEXT_BYTES];
    _Atomic uint64_t tick;
    atomic_flag has_crashed;
    void (*flush)(void *user);
    void *user;
    struct sigaction before[CN_COUNT_OF(signals)];
    stack_t stack_before;
    uint8_t stack[STACK_BYTES];
} state = {.file = -1, .has_crashed = ATOMIC_FLAG_INIT};

/* ---- Writing: async-signal-safe ---- */

static void put(const char *text)
{
    size_t size = 0;
    while (text[size])
        size++;
    for (ssize_t done; size > 0; text += done, size -= (size_t)done) {
        done = write(state.file, text, size);
        if (done < 0 && errno == EINTR)
            done = 0;
        if (done < 0)
            return;
    }
}

static void put_number(uint64_t number, uint32_t base)
{
    char text[24];
    uint32_t at = sizeof text - 1;
    text[at] = '\0';
    do {
        text[--at] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0 && at > 0);
    put(base == 16 ? "0x" : "");
    put(text + at);
}

static void put_line(const char *key, const char *value)
{
    put(key);
    put(": ");
    put(value);
    put("\n");
}

static void put_signal(int number, const siginfo_t *info)
{
    const char *name = "";
    for (uint32_t i = 0; i < CN_COUNT_OF(signals); i++)
        if (signals[i].number == number && signals[i].name)
            name = signals[i].name;
    put("signal: ");
    put(name);
    put(" ");
    put_number((uint64_t)number, 10);
    bool is_sent = info->si_code <= 0; /* by raise, abort or another process */
    put(is_sent ? ", sent\n" : "\n");
    if (!is_sent) {
        put("address: ");
        put_number((uintptr_t)info->si_addr, 16);
        put("\n");
    }
}

static void put_thread(void)
{
    char name[17] = "";
    prctl(PR_GET_NAME, name);
    for (char *at = name; *at; at++)
        if (*at < 0x20 || *at > 0x7e)
            *at = '?';
    put("thread: ");
    put_number((uint64_t)syscall(SYS_gettid), 10);
    put(" ");
    put(name);
    put("\n");
}

static uintptr_t place_of(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

static void put_frame(uint32_t number, uintptr_t address)
{
    const CraftyModule *module = crafty_module_at(address);
    put("  ");
    put_number(number, 10);
    put(" ");
    put_number(address, 16);
    if (module) {
        put(" ");
        put(module->name);
        put(" ");
        put_number(address - module->base, 16);
        put(" ");
        put(module->build_id[0] ? module->build_id : "-");
    }
    put("\n");
}

/* The frames of the handler itself are left out. */
static void put_stack(const ucontext_t *context)
{
    void *frames[MAX_FRAMES];
    int count = backtrace(frames, MAX_FRAMES), first = 0;
    uintptr_t place = place_of(context);
    for (int i = 0; i < count; i++)
        if ((uintptr_t)frames[i] == place)
            first = i;
    put("stack:\n");
    uint32_t number = 0;
    if (first == 0 && place != 0)
        put_frame(number++, place);
    for (int i = first; i < count; i++)
        put_frame(number++, (uintptr_t)frames[i]);
}

static void put_log_line(const char *text, void *user)
{
    (void)user;
    put("  ");
    put(text);
    put("\n");
}

static void put_report(int number, const siginfo_t *info, const ucontext_t *context)
{
    char date[CRAFTY_DATE_BYTES];
    crafty_date(time(NULL), date);
    put(state.head);
    put_line("date", date);
    put_line("gpu", state.gpu[0] ? state.gpu : "none");
    put_line("world", state.world);
    put("tick: ");
    put_number(atomic_load(&state.tick), 10);
    put("\n");
    put_signal(number, info);
    put_thread();
    put_stack(context);
    put("log:\n");
    crafty_log_lines_each(put_log_line, NULL);
    put("end\n");
    fsync(state.file);
}

/* The action of the signal is the default one again. A signal that was sent is sent again; others
 * come again when the instruction is repeated. */
static void handle(int number, siginfo_t *info, void *context)
{
    int error = errno;
    if (!atomic_flag_test_and_set(&state.has_crashed) && state.file >= 0) {
        put_report(number, info, context);
        if (state.flush)
            state.flush(state.user);
    } else {
        sleep(5); /* another thread writes its report */
    }
    errno = error;
    if (info->si_code <= 0)
        raise(number);
}

/* ---- Beginning and end ---- */

/* Loads what backtrace needs, which allocates. */
static void prepare_backtrace(void)
{
    void *frames[2];
    backtrace(frames, CN_COUNT_OF(frames));
}

static void make_head(const char *program)
{
    struct utsname system = {0};
    char date[CRAFTY_DATE_BYTES], cpu[80];
    uname(&system);
    crafty_date(time(NULL), date);
    const CraftyModule *module = crafty_module_of_program();
    cn_format(state.head, sizeof state.head,
              "Crafty crash report 1\nprogram: %s\nversion: %s\nbuild: %s\nsystem: %s %s %s\n"
              "cpu: %s\nstarted: %s\n",
              program, cn_version(), module->build_id[0] ? module->build_id : "unknown",
              system.sysname, system.release, system.machine,
              cn_text_escape(cn_text(cn_cpu_info()->name), cpu, sizeof cpu), date);
}

static void catch_signals(void)
{
    stack_t stack = {.ss_sp = state.stack, .ss_size = STACK_BYTES};
    sigaltstack(&stack, &state.stack_before);
    struct sigaction action = {.sa_sigaction = handle,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
    sigfillset(&action.sa_mask);
    for (uint32_t i = 0; i < CN_COUNT_OF(signals); i++)
        if (signals[i].name)
            sigaction(signals[i].number, &action, &state.before[i]);
}

bool crafty_crash_handler_begin(const CraftyCrashHandlerDesc *desc, CnError *error)
{
    CN_ASSERT(state.file < 0, "one crash handler at a time");
    if (!cn_copy_text(state.path, sizeof state.path, cn_text(desc->path)))
        return cn_error_set(error, CN_ERROR_LIMIT, "the path of the crash report is too long");
    state.file = open(desc->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (state.file < 0)
        return cn_file_set_errno(error, "create the crash report", desc->path, errno);
    crafty_modules_update();
    crafty_log_lines_begin();
    prepare_backtrace();
    make_head(desc->program);
    state.flush = desc->flush;
    state.user = desc->user;
    atomic_store(&state.tick, 0);
    atomic_flag_clear(&state.has_crashed);
    catch_signals();
    return true;
}

void crafty_crash_handler_end(void)
{
    if (state.file < 0)
        return;
    for (uint32_t i = 0; i < CN_COUNT_OF(signals); i++)
        if (signals[i].name)
            sigaction(signals[i].number, &state.before[i], NULL);
    sigaltstack(&state.stack_before, NULL);
    close(state.file);
    state.file = -1;
    unlink(state.path);
}

/* Text from outside is escaped. */
static void set_text(char *text, const char *value)
{
    char escaped[CRAFTY_CRASH_TEXT_BYTES];
    cn_text_escape(cn_text(value), escaped, sizeof escaped);
    cn_copy_text(text, CRAFTY_CRASH_TEXT_BYTES, cn_text(escaped));
}

void crafty_crash_handler_set_world(const char *name)
{
    set_text(state.world, name);
}

void crafty_crash_handler_set_gpu(const char *text)
{
    set_text(state.gpu, text);
    crafty_modules_update(); /* drivers are loaded with the device */
}

void crafty_crash_handler_set_tick(uint64_t tick)
{
    atomic_store_explicit(&state.tick, tick, memory_order_relaxed);
}

/* ---- Tests ---- */

void crafty_crash_test(uint64_t tick)
{
    static const char *wanted;
    static bool is_read;
    if (!is_read)
        wanted = getenv("CRAFTY_TEST_CRASH");
    is_read = true;
    const char *at = wanted ? strchr(wanted, '@') : NULL;
    if (!at || tick < strtoull(at + 1, NULL, 10))
        return;
    for (uint32_t i = 0; i < CN_COUNT_OF(signals); i++) {
        if (strlen(signals[i].option) != (size_t)(at - wanted) ||
            strncmp(wanted, signals[i].option, (size_t)(at - wanted)) != 0)
            continue;
        if (signals[i].number == SIGKILL) /* the recording is written, as if played in real time */
            cn_clock_sleep_ns(TEST_KILL_NS);
        raise(signals[i].number);
    }
}
