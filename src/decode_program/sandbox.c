/* What the process gives up before it sees the file. */
#include "decode_program/decode_program.h"

#include <seccomp.h>

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define LAST_DESCRIPTOR 8u /* one more than those of the protocol and a received file */

static bool limit(int resource, uint64_t amount)
{
    const struct rlimit value = {(rlim_t)amount, (rlim_t)amount};
    return setrlimit((__rlimit_resource_t)resource, &value) == 0;
}

static bool set_limits(const CnDecodeJob *job)
{
    return (CN_DECODE_HAS_SANITIZER || limit(RLIMIT_AS, job->budget.decode_memory_bytes)) &&
           limit(RLIMIT_CPU, job->budget.decode_ms / 1000 + 1) &&
           limit(RLIMIT_FSIZE, job->output_bytes) && limit(RLIMIT_NOFILE, LAST_DESCRIPTOR) &&
           limit(RLIMIT_NPROC, 0) && limit(RLIMIT_CORE, 0) && limit(RLIMIT_MEMLOCK, 0);
}

/* ---- System calls ---- */

static bool allow(scmp_filter_ctx filter, int call)
{
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0) == 0;
}

static bool allow_on(scmp_filter_ctx filter, int call, int descriptor)
{
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1,
                            SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)descriptor, 0)) == 0;
}

/* Memory that is not executable. */
static bool allow_memory(scmp_filter_ctx filter)
{
    const struct scmp_arg_cmp not_executable = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, not_executable) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, not_executable) == 0 &&
           allow(filter, SCMP_SYS(munmap)) && allow(filter, SCMP_SYS(mremap)) &&
           allow(filter, SCMP_SYS(madvise)) && allow(filter, SCMP_SYS(brk));
}

/* Packets to and from the engine, the file, the result; standard error is /dev/null. */
static bool allow_exchange(scmp_filter_ctx filter)
{
    return allow_on(filter, SCMP_SYS(sendto), CN_DECODE_SOCKET) &&
           allow_on(filter, SCMP_SYS(recvmsg), CN_DECODE_SOCKET) &&
           allow_on(filter, SCMP_SYS(pread64), CN_DECODE_INPUT) &&
           allow_on(filter, SCMP_SYS(pwrite64), CN_DECODE_OUTPUT) &&
           allow_on(filter, SCMP_SYS(write), STDERR_FILENO) &&
           allow_on(filter, SCMP_SYS(writev), STDERR_FILENO) && allow(filter, SCMP_SYS(close));
}

/* What the C library does on its own, and ends. A process may only send signals to itself. */
static bool allow_others(scmp_filter_ctx filter)
{
    return allow(filter, SCMP_SYS(exit_group)) && allow(filter, SCMP_SYS(exit)) &&
           allow(filter, SCMP_SYS(rt_sigprocmask)) && allow(filter, SCMP_SYS(rt_sigreturn)) &&
           allow(filter, SCMP_SYS(futex)) && allow(filter, SCMP_SYS(clock_gettime)) &&
           allow(filter, SCMP_SYS(getpid)) && allow(filter, SCMP_SYS(gettid)) &&
           allow(filter, SCMP_SYS(getrandom)) && allow_on(filter, SCMP_SYS(tgkill), getpid());
}

static bool filter_calls(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    bool ok = filter && allow_memory(filter) && allow_exchange(filter) && allow_others(filter) &&
              seccomp_load(filter) == 0;
    seccomp_release(filter);
    return ok;
}

bool decode_enter_sandbox(const CnDecodeJob *job)
{
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && prctl(PR_SET_DUMPABLE, 0) == 0 &&
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && set_limits(job) &&
           (CN_DECODE_HAS_SANITIZER || filter_calls());
}
